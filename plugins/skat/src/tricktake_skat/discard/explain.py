"""Why two cards were discarded, in words."""

from __future__ import annotations

import numpy as np

from tricktake_skat._kernels import discard as kernel
from tricktake_skat._kernels import discard_rules as rules_kernel
from tricktake_skat._kernels.cards import GRAND
from tricktake_skat.deck import SKAT
from tricktake_skat.discard import constraints
from tricktake_skat.discard.constraints import HandType
from tricktake_skat.discard.features import NAMES
from tricktake_skat.discard.selection import REFINED, Selection

SHOWN = 3  # features named in one line


def reason(selection: Selection, i: int = 0) -> str:
    """One line about the discard of declarer ``i``."""
    win = f"win {selection.wins[i]:.0%}"
    game = selection.prepared.declarers.games[i]
    points = selection.scores[i, selection.chosen[i]]
    match selection.method:
        case "random":
            return f"any two cards, {win}"
        case "winprob":
            return f"the likeliest {win}"
        case _ if game > GRAND:
            return f"the likeliest {win}"
        case "stegen" | "kinback":
            return f"{points:g} points stay in hand, {win}"
    kind = HandType(int(selection.prepared.kinds[i]))
    words = [f"{kind.label.replace('-', ' ')}, {int(selection.keep[i].sum())} of 66 discards left by the rules"]
    words += [f"relaxed: {rule.name}" for rule in relaxed(selection, i)]
    if secured := theorem(selection, i):
        words.append(secured)
    words.append(", ".join(weighed(selection, i)))
    return "; ".join([*words, win])


def relaxed(selection: Selection, i: int = 0) -> tuple[constraints.Rule, ...]:
    """The rules no discard could keep."""
    return tuple(
        rule
        for rule in constraints.RULES
        if selection.relaxed[i, rule.number] and rule.number not in GRADED and rule.number != rules_kernel.THEOREM
    )


# The penalties of these rules are degrees, not faults: how many eyes or court cards are short of the most.
GRADED = (rules_kernel.FROM_ABOVE, rules_kernel.TENS_OUT, rules_kernel.COURT_OUT, rules_kernel.ALL_COURT_OUT)


def theorem(selection: Selection, i: int = 0) -> str:
    """What the high-card theorem says of the discard, if it holds in a grand."""
    counted = selection.prepared.counted[i, selection.chosen[i]]
    if selection.prepared.declarers.games[i] != GRAND or not kernel.theorem_holds(counted):
        return ""
    return f"{counted[kernel.T_SECURED]} high cards secured for {counted[kernel.T_LOST]} tricks lost (theorem)"


def weighed(selection: Selection, i: int = 0) -> list[str]:
    """The features that set the discard apart most from the mean of those left, each with its value."""
    if selection.method not in REFINED:
        return []
    features = selection.prepared.features[i]
    own = features[selection.chosen[i]]
    gain = selection.weights[i] * (own - features[selection.keep[i]].mean(axis=0))
    if selection.keep[i].sum() == 1:
        return ["the only one"]
    if np.allclose(gain, 0):
        return ["all that is left weighs the same"]
    best = [k for k in np.argsort(-gain, kind="stable")[:SHOWN] if gain[k] > 1e-9]
    return [f"{NAMES[k]} {own[k]:.3g}" for k in best]


def instead(selection: Selection, i: int = 0) -> str:
    """The discard that would weigh most if the rules allowed it, and the first rule against it; "" if there is none."""
    if selection.method not in REFINED or selection.keep[i].all():
        return ""
    scores = np.where(selection.keep[i], -np.inf, selection.scores[i])
    other = int(np.argmax(scores))
    if scores[other] <= selection.scores[i, selection.chosen[i]]:
        return ""
    penalties = selection.prepared.penalties[i, other]
    by_number = {rule.number: rule for rule in constraints.RULES}
    for rule in (by_number[n] for n in selection.order[selection.prepared.kinds[i]] if n >= 0):
        if penalties[rule.number] > selection.relaxed[i, rule.number]:
            return f"not {SKAT.names(int(selection.prepared.pairs[i, other]))}: {rule.text} ({rule.name})"
    return ""
