"""The cards of Slovenian Tarok and what they count."""

from __future__ import annotations

from tricktake.cards import Deck, bits

TAROKS = 22
RED, BLACK = "4321JNQK", "789TJNQK"
DECK = Deck(
    suits="",
    ranks="",
    extra=(
        *((f"T{n}", "T", str(n)) for n in range(1, TAROKS + 1)),
        *((s + r, s, r) for s in "HDSC" for r in (RED if s in "HD" else BLACK)),
    ),
)
KINGS = DECK.parse_mask("HK DK SK CK")
PAGAT, MOND, SKIS = (DECK.card(name).mask for name in ("T1", "T21", "T22"))
TRULA = PAGAT | MOND | SKIS
TRUMPS = DECK.of_suit_mask("T")
FIVES = KINGS | TRULA
RANK_POINTS = {"J": 2, "N": 3, "Q": 4}
# In thirds of a point: cards are counted in threes, two points less for each three.
COSTS = tuple(3 * (5 if FIVES >> c.index & 1 else RANK_POINTS.get(c.rank, 1)) - 2 for c in DECK)
TALON = tuple(f"talon{n}" for n in range(6))


def card_points(mask: int) -> int:
    """Card points of a pile: thirds, rounded."""
    return (sum(COSTS[card] for card in bits(mask)) + 1) // 3
