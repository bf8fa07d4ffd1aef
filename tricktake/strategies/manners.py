"""Simple manners: a player without search, for every game.

Who wants cost wins tricks and feeds its partner, others duck: what ``tricktake._kernels.manners`` lets the seats of
playouts do; besides, an exact goal changes its sense once it is reached. Python only, so that any deck will do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from attrs import frozen

from tricktake.action import play
from tricktake.alliance import UNKNOWN
from tricktake.cards import bits
from tricktake.rules import GoalKind, TrickRules
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.trick import best_card
from tricktake.view import View


@frozen
class Manners:
    """Play by simple manners, the lead at random.

    Who wants cost overtakes with the strongest card, or as last player with the weakest that does; gives its partner
    the dearest card, opponents the cheapest. Who avoids it leads low, and plays as high as it can without taking the
    trick. Who has to take an exact amount wants it until it has it. Only a partner that is surely known counts as one.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played."""
        rules, legal = view.rules, view.legal_cards_mask()
        if rules is None or not legal:
            raise ValueError(f"manners choose cards only, not in phase {view.phase}")
        wants = wants_cost(view, rules)
        if view.table:
            best = best_card(rules, view.table)
            winner = (view.leader + view.table.index(best)) % rules.seats
            friendly = rules.team(winner) == rules.team(view.turn) != UNKNOWN
            card = follow(rules, legal, best, wants, friendly, len(view.table) + 1 == rules.seats)
        else:
            card = list(bits(legal))[rng.integers(legal.bit_count())]
            card = card if wants else weakest(rules, bits(legal & rules.same_suit_mask(card)))
        return Decision(play(card), f"{rules.deck[card].name} by simple manners")


def wants_cost(view: View, rules: TrickRules) -> bool:
    """Whether the seat in turn wants cost: by the sense of its goal, and of an exact one what is still missing."""
    goal = rules.goal(view.turn)
    if goal.kind is GoalKind.EXACTLY:
        return sum(view.taken[seat] for seat in bits(rules.side_mask(view.turn))) < goal.n
    return goal.sense > 0


def follow(rules: TrickRules, legal: int, best: int, wants: bool, friendly: bool, last: bool) -> int:
    """A reply to the best card so far. friendly: a partner played it. last: nobody plays after this seat."""
    over, under = list(bits(legal & rules.beaters_mask(best))), list(bits(legal & ~rules.beaters_mask(best)))
    if not wants:
        if under:
            return strongest(rules, _dearest(rules, under))
        return (strongest if last else weakest)(rules, _cheapest(rules, over))
    if friendly:
        return weakest(rules, _dearest(rules, under) if under else over)
    if over:
        return weakest(rules, _dearest(rules, over)) if last else strongest(rules, over)
    return weakest(rules, _cheapest(rules, under))


def strongest(rules: TrickRules, cards: Iterable[int]) -> int:
    """The card of highest power; of equal ones that of the lowest suit."""
    return min(cards, key=lambda card: (-rules.power[card], rules.suit_of[card], card))


def weakest(rules: TrickRules, cards: Iterable[int]) -> int:
    """The card of lowest power; of equal ones that of the lowest suit."""
    return min(cards, key=lambda card: (rules.power[card], rules.suit_of[card], card))


def _dearest(rules: TrickRules, cards: list[int]) -> list[int]:
    most = max(rules.card_cost[card] for card in cards)
    return [card for card in cards if rules.card_cost[card] == most]


def _cheapest(rules: TrickRules, cards: list[int]) -> list[int]:
    least = min(rules.card_cost[card] for card in cards)
    return [card for card in cards if rules.card_cost[card] == least]
