"""Bidding for the first place in a series: what a won, a lost and a passed game do to the chance of being ahead.

The rest of the series adds to each lead a sum of many small differences, about normal. So a lead of m points with n
deals to come ends above 0 with chance Phi(m / (SPREAD sqrt(n))), and the first place is taken with about the product of
these chances over the rivals. A game changes m: by 50 + V if it is won, by 50 + 2 V and 40 to each rival if it is lost;
if the seat passes, one of the rivals will mostly play. The chance that a game must have follows; it is given to the
bidder as the two numbers of a style that ask for the same, far from or near to the end alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from attrs import evolve

from tricktake.standings import Standings
from tricktake_skat.bidding.style import Style
from tricktake_skat.scoring import BONUS, OTHERS_BONUS

SPREAD = 97.0  # standard deviation of what one deal adds to a lead (experiment ``bidding.series``)
TYPICAL = 36  # value of the game by which stakes are judged
PLAYED = 0.9  # how likely a rival plays if the seat passes
WON = 0.84  # how often the rival wins then
BOUNDS = (0.0, 400.0)  # of the aggressiveness, and
LIMITS = (-160.0, 200.0)  # of the threshold, which are rounded to
STEP = 10.0
EVEN = BONUS + OTHERS_BONUS[3]  # what a loss costs besides twice the value, counted in leads
TINY = 1e-6  # chances that differ less are equal


def first_place(leads: Sequence[float], left: int) -> float:
    """The chance to be ahead of every rival at the end. leads: over each of them now; left: deals to be played."""
    if left == 0:
        return math.prod(1.0 if lead > 0 else 0.5 if lead == 0 else 0.0 for lead in leads)
    spread = SPREAD * math.sqrt(2 * left)
    return math.prod(0.5 * math.erfc(-lead / spread) for lead in leads)


def style_at(style: Style, standings: Standings, seat: int) -> Style:
    """A style that bids for the first place, as the series stands; the style itself if the game cannot change that."""
    leads, left = standings.ahead(seat), standings.left - 1
    gain, loss, rivals = BONUS + TYPICAL, EVEN + 2 * TYPICAL, range(len(leads))

    def chance(changes: Sequence[float]) -> float:
        return first_place([lead + change for lead, change in zip(leads, changes, strict=True)], left)

    now = chance([0.0 for _ in rivals])
    won, lost = chance([float(gain) for _ in rivals]), chance([float(-loss) for _ in rivals])
    taken = sum(
        WON * chance([-float(gain) * (other == rival) for other in rivals])
        + (1 - WON) * chance([float(loss) * (other == rival) for other in rivals])
        for rival in rivals
    ) / len(leads)
    passed = PLAYED * taken + (1 - PLAYED) * now
    if won - lost < TINY:
        return style
    needed = min(max((passed - lost) / (won - lost), 0.0), 1.0)  # the chance at which bidding and passing are equal
    weight = (now - lost) / (won - now) * (BONUS + TYPICAL) - 2 * TYPICAL if won - now > TINY else float(EVEN)
    weight = _rounded(weight, BOUNDS)
    threshold = (BONUS + TYPICAL) * needed - (weight + 2 * TYPICAL) * (1 - needed)
    return evolve(style, aggressiveness=weight, threshold=_rounded(threshold, LIMITS))


def _rounded(value: float, bounds: tuple[float, float]) -> float:
    """To the nearest step within bounds: styles that are equal are weighed once."""
    return STEP * round(min(max(value, bounds[0]), bounds[1]) / STEP)
