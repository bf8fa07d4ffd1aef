"""Narrowing candidates by penalties, rule by rule (``tricktake.strategies.weighing``)."""

from tricktake._kernels._jit import njit


@njit
def narrow(penalties, order, keep, relaxed):
    """Fill ``keep`` (candidates,) with what stays, and ``relaxed`` (rules,) with the least penalty of each rule.

    penalties: (candidates, rules), not negative. order: numbers of the rules that count, the most important first; it
    ends at -1.
    """
    keep[:] = True
    relaxed[:] = 0
    for rule in order:
        if rule < 0:
            break
        least = -1
        for i in range(len(keep)):
            if keep[i] and (least < 0 or penalties[i, rule] < least):
                least = penalties[i, rule]
        relaxed[rule] = least
        for i in range(len(keep)):
            if keep[i] and penalties[i, rule] > least:
                keep[i] = False


@njit
def narrow_many(penalties, kinds, orders, keep, relaxed):
    """``narrow`` for n choices: every array has one axis more, but orders (kinds, rules)."""
    for i in range(len(keep)):
        narrow(penalties[i], orders[kinds[i]], keep[i], relaxed[i])
