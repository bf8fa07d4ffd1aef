"""Playouts: deal the hidden cards many times, play each card, and let everybody go on by simple manners or at random.

Rollouts of a base policy (Tesauro and Galperin 1996) in sampled worlds: no search, so it never takes long, however many
cards are still to be played. For every game.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake import worlds
from tricktake.action import play
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal
from tricktake.search.limit import Budget, Limit
from tricktake.search.playout import playouts
from tricktake.search.positions import Positions
from tricktake.strategies.strategy import Decision
from tricktake.view import View

WORLDS = 50
GAMES = 10
SLICE = 10  # worlds played out between two looks at the clock


def _check_number(instance: object, attribute: object, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        name = getattr(attribute, "name", "")
        raise InputError(None, None, name, f"must be a whole number above 0, not {value!r}")


def _check_flag(instance: object, attribute: object, value: bool) -> None:
    if not isinstance(value, bool):
        raise InputError(None, None, getattr(attribute, "name", ""), f"must be true or false, not {value!r}")


@frozen
class Playout:
    """Choose the card after which play ends best for the own side, over ``games`` playouts in each world.

    Best is reaching the goal most often, or if it has no threshold the best mean cost. Ties go to the better mean, then
    to the lower card. worlds: how many are sampled; a limit on worlds can only lower it. A limit on nodes bounds the
    cards that are played in all playouts together, but every card is tried once. manners: whether the playouts keep to
    simple manners (duck, win, feed the partner) most of the time instead of being random.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)

    worlds: int = field(default=WORLDS, validator=_check_number)
    games: int = field(default=GAMES, validator=_check_number)
    manners: bool = field(default=True, validator=_check_flag)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for a view in which no card is to be played, NoWorld if no world fits."""
        rules = view.rules
        cards = list(bits(view.legal_cards_mask()))
        if rules is None or not cards:
            raise ValueError(f"playouts choose cards only, not in phase {view.phase}")
        if len(cards) == 1:
            return Decision(play(cards[0]), f"{rules.deck[cards[0]].name} is the only card")
        budget = Budget.of(limit)
        number = limit.at_most_worlds(self.worlds)
        if limit.nodes is not None:
            left = sum(view.sizes[: rules.seats])
            number = max(1, min(number, limit.nodes // (left * len(cards) * self.games)))
        sampled = worlds.sample(Knowledge.from_view(view), number, rng)
        parts = []
        for start in range(0, number, SLICE):
            if start and budget.late:
                break
            states = []
            for world in sampled[start : start + SLICE]:
                state = view.state(world)
                for card in cards:
                    after = state.copy()
                    after.play(card)
                    states.append(after)
            positions = Positions.from_states(states, seat=view.turn)
            totals = playouts(positions, self.games, rng, manners=self.manners)
            parts.append(totals.reshape(-1, len(cards), self.games))
        costs = np.concatenate(parts).swapaxes(0, 1).reshape(len(cards), -1)
        best, reason = _best(costs, rules.goal(view.turn))
        return Decision(play(cards[best]), f"{rules.deck[cards[best]].name} {reason}")


def _best(costs: NDArray[np.int64], goal: Goal) -> tuple[int, str]:
    """The best row of final costs of shape (cards, playouts), and why."""
    mean = costs.mean(axis=1)
    text = f"over {costs.shape[1]} playouts"
    if goal.met(0) is None:
        best = int(np.argmax(goal.sense * mean))
        return best, f"mean {mean[best]:.1f} {text}"
    won = np.vectorize(goal.met, otypes=[bool])(costs).mean(axis=1)
    best = int(np.lexsort((-np.arange(len(mean)), goal.sense * mean, won))[-1])
    return best, f"wins {won[best]:.0%} {text}, mean {mean[best]:.1f}"
