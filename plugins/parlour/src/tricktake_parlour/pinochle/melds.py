"""What a hand of Pinochle melds."""

from __future__ import annotations

from collections.abc import Sequence

from tricktake.cards import bits
from tricktake_parlour.pinochle.cards import DECK

RUN, ROYAL, COMMON, DIX = (0, 150, 1500), 40, 20, 10
PINOCHLE = (0, 40, 300)
AROUND = {"A": (0, 100, 1000), "K": (0, 80, 800), "Q": (0, 60, 600), "J": (0, 40, 400)}


def copies(hand: int, kind: str) -> list[int]:
    """The cards of a kind in a hand."""
    return [card for card in bits(hand) if DECK[card].kind == kind]


def meld(hand: int, trump: str) -> tuple[int, int]:
    """What a hand melds with these trumps, and the cards it shows for it."""
    held = {card.kind: copies(hand, card.kind) for card in DECK}
    points, shown = DIX * len(held[trump + "9"]), set(held[trump + "9"])

    def together(kinds: Sequence[str]) -> int:
        """How often all of these are held; they are shown."""
        times = min(len(held[kind]) for kind in kinds)
        shown.update(card for kind in kinds for card in held[kind][:times])
        return times

    runs = together([trump + rank for rank in "ATKQJ"])
    points += RUN[runs] + PINOCHLE[together(["SQ", "DJ"])]
    for suit in DECK.suits:
        marriages = together([suit + "K", suit + "Q"])
        points += ROYAL * (marriages - runs) if suit == trump else COMMON * marriages
    points += sum(worth[together([suit + rank for suit in DECK.suits])] for rank, worth in AROUND.items())
    return points, sum(1 << card for card in shown)
