"""Whether what we found agrees with what a paper says: a claim is a sentence of the paper about one number of ours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen, validators

from tricktake_lab.outcome import Z95

AGREES, DIFFERS, OPEN, NOT_COMPARABLE = "agrees", "differs", "undecided", "cannot be compared"
RULES = ("exact", "equal", "about", "above", "below", "none")
ROUNDING = 0.005  # of numbers printed with two digits
Place: TypeAlias = "str | Sequence[str | int]"
"""Where a number is: the name of a fact, or sheet (0 if left out), row and column."""


@frozen
class Number:
    """A number of ours. error: half its 95 % interval, nan if there is none. n: observations, 0 if unknown."""

    mean: float
    error: float = math.nan
    n: int = 0
    unit: str = ""

    @classmethod
    def of(cls, value: Any) -> Number:
        """A cell or fact of a result in JSON. Raises TypeError for a text."""
        if isinstance(value, Mapping):
            mean, error = (math.nan if value[name] is None else float(value[name]) for name in ("mean", "error"))
            return cls(mean, error, int(value["n"]), str(value["unit"]))
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"{value!r} is no number")
        return cls(float(value))

    def __sub__(self, other: Number) -> Number:
        """The difference of two independent numbers."""
        error = math.hypot(*(0.0 if math.isnan(each.error) else each.error for each in (self, other)))
        return Number(self.mean - other.mean, error or math.nan, min(self.n, other.n), self.unit)

    def __str__(self) -> str:
        return shown(self.mean, self.error, self.unit)


def shown(mean: float, error: float = math.nan, unit: str = "") -> str:
    """To be read: so many digits that the error has two."""
    if math.isnan(mean):
        return "-"
    factor = 100.0 if unit == "%" else 1.0
    mean, error = factor * mean, factor * error
    if math.isnan(error) or error == 0:
        text = f"{mean:,.2f}".rstrip("0").rstrip(".")
    else:
        digits = min(6, max(0, 1 - math.floor(math.log10(error))))
        text = f"{mean:,.{digits}f} ± {error:,.{digits}f}"
    return f"{text} %" if unit == "%" else text


@frozen
class Claim:
    """says: the paper's claim in words. ours: where our number is; ``minus``: another taken from it.

    rule: ``exact`` to rounding or ``within``; ``equal`` as far as the error bars tell; ``about`` within ``within``;
    ``above`` and ``below`` the ``limit``; ``none`` if it cannot be compared, and ``why``. paper: the printed number,
    paper_error: half its 95 % interval, if its number of games gives one. why: what explains a difference.
    """

    says: str
    rule: str = field(validator=validators.in_(RULES))
    ours: Place | None = None
    minus: Place | None = None
    paper: float | None = None
    paper_error: float = 0.0
    limit: float = 0.0
    within: float = 0.0
    why: str = ""

    def judged(self, result: Mapping[str, Any]) -> Judged:
        """The verdict on a result of the experiment (``Run.as_json``). Raises KeyError for a place that is none."""
        if self.ours is None:
            return Judged(self, None, NOT_COMPARABLE)
        number = Number.of(found(result, self.ours))
        if self.minus is not None:
            number -= Number.of(found(result, self.minus))
        if self.rule == "none" or math.isnan(number.mean):
            return Judged(self, number, NOT_COMPARABLE if self.rule == "none" else OPEN)
        return self._compared(number)

    def _compared(self, number: Number) -> Judged:
        sure = not math.isnan(number.error)
        deviation = (number.error if sure else 0.0) / Z95
        target = self.limit if self.rule in ("above", "below") else self._printed()
        gap = number.mean - target
        direction = "higher" if gap > 0 else "lower"
        if self.rule == "exact":
            return Judged(self, number, AGREES if abs(gap) <= (self.within or ROUNDING) else DIFFERS, direction)
        if self.rule == "equal":
            deviation = math.hypot(deviation, self.paper_error / Z95)
            z = abs(gap) / deviation if deviation else math.inf
            return Judged(self, number, AGREES if z < Z95 else DIFFERS, direction, p_value(z))
        beyond = abs(gap) - self.within if self.rule == "about" else -gap if self.rule == "above" else gap
        if beyond == 0:  # no difference seen at all
            return Judged(self, number, OPEN)
        z = beyond / deviation if deviation else math.copysign(math.inf, beyond)
        verdict = OPEN if abs(z) < Z95 else AGREES if z < 0 else DIFFERS
        return Judged(self, number, verdict, direction, p_value(z) if sure and deviation else None)

    def _printed(self) -> float:
        if self.paper is None:
            raise ValueError(f"{self.says}: a rule {self.rule!r} needs the printed number")
        return self.paper


def p_value(z: float) -> float:
    """Of a normal deviate, two-sided."""
    return math.erfc(abs(z) / math.sqrt(2))


def found(result: Mapping[str, Any], place: Place) -> Any:
    """The cell or fact at a place. Raises KeyError."""
    if isinstance(place, str):
        return result["facts"][place]
    number, row, column = place if len(place) == 3 else (0, *place)
    sheet = result["sheets"][int(number)]
    at = sheet["columns"].index(column) if column in sheet["columns"] else None
    for cells in sheet["rows"]:
        if at is not None and str(row) in (str(cells[0]), " | ".join(map(str, cells[:2]))):
            return cells[at]
    raise KeyError(f"{sheet['title']}: no row {row!r} with a column {column!r}")


@frozen
class Judged:
    """A claim with our number and the verdict. direction: ours is ``higher`` or ``lower``. p: that chance alone makes
    such a difference, None without an error bar.
    """

    claim: Claim
    ours: Number | None
    verdict: str
    direction: str = ""
    p: float | None = None

    def as_json(self) -> dict[str, Any]:
        """For the result of an item."""
        ours = None
        if self.ours is not None:
            mean, error = (None if math.isnan(x) else x for x in (self.ours.mean, self.ours.error))
            ours = {"mean": mean, "error": error, "n": self.ours.n, "unit": self.ours.unit, "text": str(self.ours)}
        found = {"says": self.claim.says, "paper": self.claim.paper, "ours": ours, "rule": self.claim.rule}
        found |= {"verdict": self.verdict, "direction": self.direction, "p": self.p}
        return found | ({"why": self.claim.why} if self.claim.why else {})


def overall(verdicts: Sequence[str]) -> str:
    """One verdict of many."""
    decided = {verdict for verdict in verdicts if verdict in (AGREES, DIFFERS)}
    if decided == {AGREES, DIFFERS}:
        return "agrees in part"
    if decided:
        return decided.pop() + (", some undecided" if OPEN in verdicts else "")
    return OPEN if OPEN in verdicts else NOT_COMPARABLE
