"""What is proven of a position in a game: whether the seat to act is sure of its goal, and the plan that shows it."""

from __future__ import annotations

from tricktake.rules import Goal
from tricktake.search.certificate import MOST_ENTRIES, Certificate, certify
from tricktake.search.limit import Limit
from tricktake.search.paranoia import Paranoia, Unsearchable
from tricktake.strategies.paranoia import START
from tricktake.view import View


def is_sure(view: View, search: Paranoia, limit: Limit) -> bool:
    """Whether the side of the seat to act reaches its goal wherever the hidden cards lie and whatever is played.

    False also where that cannot be told: before ``START`` finished tricks, for goals without a number and rules that
    are not searched, beyond the limit. Raises ValueError if no world fits.
    """
    goal = _goal(view)
    if goal.met(0) is None or len(view.tricks) < START:
        return False
    try:
        return bool(search.prove(view, goal, limit))
    except Unsearchable:
        return False


def plan(view: View, search: Paranoia, limit: Limit, most: int = MOST_ENTRIES) -> Certificate:
    """The certificate of what ``is_sure`` says, to be checked by ``verify`` (KBPS-10).

    limit: of each of its positions; most: positions it may have. Raises as ``certify`` does: Unknown, TooLarge.
    """
    return certify(view, _goal(view), limit, most=most, search=search)


def _goal(view: View) -> Goal:
    assert view.rules is not None
    return view.rules.goal(view.turn)
