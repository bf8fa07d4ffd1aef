"""The cards of Five Hundred, and how they are played."""

from __future__ import annotations

from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.rules import Goal, TrickRules
from tricktake_parlour.bowers import BLANK, bowers, order
from tricktake_parlour.pairs import PAIRS

SUITS, TRICKS, KITTY = "SCDH", 10, 3
RED, BLACK = "456789TJQKA", "56789TJQKA"
JOKER, NONE = "R", "N"  # suit of the joker; no trumps
DECK = Deck(
    suits="",
    ranks="",
    extra=(
        *((s + r, s, r) for s in SUITS for r in (RED if s in "DH" else BLACK)),
        ("RJ", JOKER, "J"),
        *((f"X{n}", BLANK, str(n)) for n in range(TRICKS)),
    ),
)
LAYOUT = Layout(DECK, (TRICKS,) * 4, (("kitty", KITTY), ("blanks", TRICKS)), aside=TRICKS)
THE_JOKER = DECK.card("RJ").mask


def trick_rules(trump: str, goals: tuple[Goal, ...] = ()) -> TrickRules:
    """The play with these trumps: joker, jack (right bower), jack of the same colour (left bower), ace and so on."""
    highest = () if trump == NONE else (*bowers(trump), "RJ")
    suit_of, power = order(DECK, SUITS + JOKER + BLANK, RED, trump, highest)
    wild = THE_JOKER if trump == NONE else 0
    return TrickRules(
        DECK,
        4,
        suit_of,
        power,
        None if trump == NONE else SUITS.index(trump),
        trick_cost=1,
        teams=PAIRS,
        goals=goals,
        always_wins=wild,
        lead_limit=wild,
    )
