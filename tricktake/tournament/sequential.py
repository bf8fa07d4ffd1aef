"""Stopping a tournament as soon as it is decided who is better: a sequential test on the paired differences of deals.

The generalized sequential probability ratio test (GSPRT) with which chess engines are tested: Wald's test (Wald, 1945,
Sequential tests of statistical hypotheses), with what is unknown besides the mean at its most likely value under either
hypothesis (Li, Liu, Ying, 2014, Generalized sequential probability ratio test for separate families of hypotheses; for
pairs of chess games the pentanomial test of Van den Bergh). There a trial is a pair of games with colours swapped, here
it is a deal with all its seatings, and what is unknown is the variance of its difference.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import asdict, define, frozen

from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.tournament.schedule import Schedule
from tricktake.tournament.stats import Row, Statistics, compared

if TYPE_CHECKING:
    from tricktake.tournament.config import Config

ALPHA, BETA = 0.05, 0.05
# Deals that made a difference before any decision: by fewer the variance is not known, and rare great differences in
# one direction are not met (experiment ``tournament.sequential``).
LEAST = 50
SMALL = 1e-9  # no difference
MOST_DEALS = 10_000  # where no number of deals is given


@frozen
class Until:
    """``first - second > bound``: yes or no, with the chances of an error that are allowed.

    alpha: the most that a difference of ``bound`` or less is called greater. beta: the most that one of ``bound +
    delta`` or more is not. All in the unit of the report (points per series).
    """

    first: str
    second: str
    bound: float
    delta: float
    alpha: float = ALPHA
    beta: float = BETA

    @classmethod
    def from_text(
        cls, text: str, names: Sequence[str], delta: float | None, alpha: float = ALPHA, beta: float = BETA
    ) -> Until:
        """``A-B>0`` for two of the players' names. Raises InputError."""
        match = re.fullmatch(r"(.+)>\s*([+-]?\d+(?:\.\d+)?)\s*", text)
        left = "" if match is None else re.sub(r"\s", "", match[1])
        pairs = [(a, b) for a in names for b in names if a != b and re.sub(r"\s", "", f"{a}-{b}") == left]
        if match is None or len(pairs) != 1:
            raise InputError(None, None, "until", f'cannot read {text!r}; like "A-B>0", with two of {", ".join(names)}')
        if delta is None:
            raise InputError(None, None, "delta", "name the difference that must not be overlooked, in points")
        return cls(*pairs[0], float(match[2]), delta, alpha, beta)

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which the answer is no."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which the answer is yes."""
        return math.log((1 - self.beta) / self.alpha)

    def __str__(self) -> str:
        return f"{self.first} - {self.second} > {self.bound:g}"

    def as_row(self) -> dict[str, Any]:
        return asdict(self)


@define
class Walk:
    """The test so far, fed with one difference per deal, in the order of the deals; decided, it takes no more.

    answer: None while it is open. deals: the number it took; differing: those among them that made a difference.
    """

    until: Until
    deals: int = 0
    differing: int = 0
    answer: bool | None = None
    _sum: float = 0.0
    _squares: float = 0.0

    def add(self, difference: float) -> None:
        """The next deal, in the unit of the report."""
        if self.answer is not None:
            return
        x = difference - self.until.bound
        self.deals += 1
        self.differing += abs(difference) > SMALL
        self._sum += x
        self._squares += x * x
        if self.differing >= LEAST:
            ratio = self.ratio
            self.answer = True if ratio >= self.until.upper else False if ratio <= self.until.lower else None

    @property
    def ratio(self) -> float:
        """The log of the likelihood ratio of means ``bound + delta`` and ``bound``, of normal differences whose
        variance is under either hypothesis the one that fits best: n/2 log(S0 / S1), S the mean squared deviation.
        """
        if not self.deals:
            return 0.0
        delta, mean = self.until.delta, self._sum / self.deals
        under0 = self._squares / self.deals
        under1 = max(0.0, under0 - 2 * delta * mean + delta * delta)
        if under0 == under1:
            return 0.0
        if not under0 or not under1:
            return -math.inf if not under0 else math.inf
        return self.deals / 2 * math.log(under0 / under1)

    def as_row(self) -> dict[str, Any]:
        """As JSON: the question, its answer (None: undecided) and on what it rests."""
        ratio = self.ratio if math.isfinite(self.ratio) else None
        limits = {"lower": self.until.lower, "upper": self.until.upper}
        return {**self.until.as_row(), "answer": self.answer, "deals": self.deals, "llr": ratio, **limits}

    def __str__(self) -> str:
        until = self.until
        said = {None: "undecided", True: "yes", False: "no"}[self.answer]
        return (
            f"{until}: {said} after {self.deals} deals (log likelihood ratio {self.ratio:.2f}, "
            f"no at {until.lower:.2f}, yes at {until.upper:.2f}; "
            f"alpha {until.alpha:g}, beta {until.beta:g} at {until.bound + until.delta:+g})"
        )


@define
class Asked:
    """The test of a tournament while it is played: it goes through the deals in their order, each once all its games
    are there. ``rows``: the games played so far, by id, which may become more.
    """

    walk: Walk | None
    rows: Mapping[str, Row]
    schedule: Schedule
    game: Game
    names: Sequence[str]
    _next: int = 0

    @classmethod
    def of(cls, until: Until | None, config: Config, rows: Mapping[str, Row]) -> Asked:
        """As far as the rows go; without a question nothing is ever decided."""
        walk = None if until is None else Walk(until)
        asked = cls(walk, rows, config.schedule(), config.make_game(), config.names)
        asked.go_on()
        return asked

    @property
    def decided(self) -> bool:
        return self.walk is not None and self.walk.answer is not None

    def go_on(self) -> None:
        """Take the deals that have become complete."""
        if self.walk is None:
            return
        first, second = self.names.index(self.walk.until.first), self.names.index(self.walk.until.second)
        while not self.decided and self._next < self.schedule.deals:
            ids = [pairing.id for pairing in self.schedule.of_deal(self._next)]
            if any(name not in self.rows for name in ids):
                return
            games = compared([self.rows[name] for name in ids], self.game)
            for difference in Statistics(games, self.names).each(first, second).values():
                self.walk.add(self.game.series * difference)
            self._next += 1
