"""What the games for two pairs have in common: who plays together, and what both want where one of them declares."""

from __future__ import annotations

from tricktake.cards import Deck
from tricktake.rules import Goal, GoalKind

PAIRS = (0, 1, 0, 1)


def of_declarer(declarer: int, ours: Goal, theirs: Goal) -> tuple[Goal, Goal]:
    """The goals of both pairs: that of the declarer's, and that of the others'."""
    return (theirs, ours) if declarer % 2 else (ours, theirs)


def shared(declarer: int, need: int, total: int) -> tuple[Goal, Goal]:
    """The goals of both pairs if the declarer's needs so much of what there is, and the others have to prevent it."""
    return of_declarer(declarer, Goal(GoalKind.AT_LEAST, need), Goal(GoalKind.AT_LEAST, max(total + 1 - need, 0)))


def ranked(deck: Deck, trump: str, trumps: str, ranks: str) -> tuple[int, ...]:
    """The power of each card where trumps have an order of their own; both orders from the lowest to the highest."""
    return tuple((trumps if card.suit == trump else ranks).index(card.rank) for card in deck)


def counted(deck: Deck, trump: str, trumps: dict[str, int], others: dict[str, int]) -> tuple[int, ...]:
    """The points of each card where those of trumps are others."""
    return tuple((trumps if card.suit == trump else others).get(card.rank, 0) for card in deck)
