"""The cards of The Crew."""

from __future__ import annotations

from tricktake.cards import Deck

COLOURS, ROCKET = "BGPY", "R"
DECK = Deck(COLOURS, "123456789", extra=tuple((f"R{n}", ROCKET, str(n)) for n in range(1, 5)))
COLOURED = sum(DECK.of_suit_mask(colour) for colour in COLOURS)
ONES, CAPTAIN = DECK.of_rank_mask("1") & COLOURED, DECK.card("R4").mask
