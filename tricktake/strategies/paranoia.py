"""Proven cards: the paranoia search as a strategy and as a member of ensembles (KBPS-2, 12 to 16, 21)."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from attrs import Attribute, field, frozen

from tricktake.search.aims import Ladder, Secured
from tricktake.search.limit import Limit
from tricktake.search.paranoia import Unsearchable, default_paranoia
from tricktake.strategies.options import check_count, check_flag, check_number, check_share, one_of, then_strategy
from tricktake.strategies.recommend import Member, Recommendation, Situation, recommend_card
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View

Seats = Literal["all", "declarer", "defenders"]
START = 3  # finished tricks from which on cards are proven (KBPS-13)
NODES = 1_000_000  # of one decision: a third of a second


@frozen
class Paranoid(Member):
    """Plays a card that surely reaches the goal, and more if more is sure, whatever the others hold and play.

    start: finished tricks from which on it is asked. nodes: at most so many for a decision. epsilon: splits of a suit
    less likely than this may be left out of a proof (KBPS-14), from ``early`` finished tricks on. lower: proofs of so
    much less than the goal count, too (KBPS-15). seats: which side it plays for. higher: whether to go on to more, or
    to less once the goal is lost. then: the strategy that plays where nothing is proven.
    """

    name: ClassVar[str] = "paranoia"

    start: int = field(default=START, validator=check_count)
    nodes: int = field(default=NODES, validator=check_number)
    epsilon: float = field(default=0.0, validator=check_share)
    early: int | None = field(default=None)
    lower: int = field(default=0, validator=check_count)
    seats: Seats = field(default="all", validator=one_of(Seats))
    higher: bool = field(default=True, validator=check_flag)
    then: Strategy | None = field(default=None, converter=then_strategy)

    @early.validator
    def _check_early(self, attribute: Attribute[int | None], value: int | None) -> None:
        if value is not None:
            check_count(self, attribute, value)  # type: ignore[arg-type]

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation | None:
        found = self._secured(situation, limit)
        if found is None:
            return None
        said, confidence = _why(found)
        return recommend_card(situation, found.proof.card, self.name, said, confidence)

    @property
    def parts(self) -> tuple[Strategy | None, ...]:
        return (self.then,)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """What is proven, else what ``then`` plays, or any legal card. Raises as ``Situation`` does."""
        if self.then is None:
            return super().decide(view, limit, rng)
        situation = Situation(view)
        found = None if len(situation.cards) == 1 else self.recommend(situation, limit, rng)
        return self.then.decide(view, limit, rng) if found is None else found.decision()

    def _secured(self, situation: Situation, limit: Limit) -> Secured | None:
        view = situation.view
        finished = len(view.tricks)
        if not self._asked(view) or not view.aims:
            return None
        exact = finished >= self.start
        early = self.start if self.early is None else self.early
        epsilon = self.epsilon if finished >= early else 0.0
        if not exact and not epsilon:
            return None
        ladder = Ladder(
            view,
            default_paranoia(),
            limit.at_most_nodes(self.nodes),
            knowledge=situation.knowledge,
            exact=exact,
            epsilon=epsilon,
            lower=self.lower if exact else 0,
            further=self.higher,
        )
        try:
            return ladder.secured()
        except Unsearchable:
            return None
        finally:
            situation.spend(ladder.nodes)

    def _asked(self, view: View) -> bool:
        """Whether it plays for this seat's side."""
        declarer = -1 if view.contract is None else view.contract.declarer
        if self.seats == "all" or declarer < 0 or view.rules is None:
            return self.seats == "all"
        return (view.rules.team(declarer) == view.rules.team(view.turn)) == (self.seats == "declarer")


def _why(found: Secured) -> tuple[str, float]:
    """Why a card is played, and how sure that is."""
    proof, goal = found.proof, found.proof.goal
    unit = " tricks" if found.aim.tricks else ""
    bound = {"AT_LEAST": "at least ", "AT_MOST": "at most ", "EXACTLY": "exactly "}[goal.kind.name]
    if found.below:
        return f"secures {bound}{goal.n}, {found.below} off {found.aim.name}", 1 - found.below / max(
            1, found.aim.goal.n
        )
    if proof.excluded:
        share = f"{proof.excluded:.1%}"
        return f"secures {found.aim.name} ({bound}{goal.n}{unit}) but for {share} of the worlds", 1 - proof.excluded
    return f"secures {found.aim.name} ({bound}{goal.n}{unit}) in every world", 1.0
