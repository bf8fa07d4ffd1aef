"""The expert: named if-then rules by contract, role and place in the trick (SKAT-29, 30, 34; KBPS-2).

``skat:expert`` starts from the rule player's card and overrules it where a rule that knows better applies
(``_kernels.expert_play``). It looks at nothing but the view, needs about 0.1 ms a card, and plays whole contracts in a
compiled loop. docs/expert.md lists the rules with what each is worth.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.action import play
from tricktake.arrays import IntArray
from tricktake.errors import InputError
from tricktake.search.limit import Limit
from tricktake.strategies.recommend import Recommendation, Situation, recommend_card
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_skat._kernels import expert_play as kernel
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels import whys
from tricktake_skat.contract import SkatContract
from tricktake_skat.strategies.rule import REASONS, RULES, position_of

SURENESS = 0.5  # confidence of a rule of thumb, against 1 for what is forced or proven

SWITCHED = {name: 1 << number - whys.FIRST for number, name in RULES.items() if number >= whys.FIRST}
"""The rules the expert has beyond the rule player, by name: the bit of each."""
PAPER = ("from-above", "standing-first", "jack-jumper")
"""Rules of play of grands in the paper on skat selection (SKAT-29), which play if asked for: docs/expert.md."""
_COUNTED = SWITCHED["settle"] | SWITCHED["deny"]  # they count to 61


def _mask(names: str, where: str) -> int:
    """The bits of rules joined by "+"."""
    mask = 0
    for name in names.replace("+", " ").split():
        if name not in SWITCHED:
            raise InputError(None, None, where, f"no rule {name!r}; known: {', '.join(SWITCHED)}")
        mask |= SWITCHED[name]
    return mask


@frozen
class Expert:
    """The expert as a strategy and as a member of an ensemble. It needs neither limits nor random numbers.

    without: names of rules not to use, joined by "+" (``skat:expert(without=hold-ace+deny)``). also: those of ``PAPER``
    to use. Raises InputError.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)
    name: ClassVar[str] = "expert"

    without: str = field(default="", converter=str)
    also: str = field(default="", converter=str)
    on: int = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        usual = "+".join(SWITCHED.keys() - set(PAPER))
        on = (_mask(usual, "") | _mask(self.also, "also")) & ~_mask(self.without, "without")
        object.__setattr__(self, "on", on)

    def card(self, view: View) -> tuple[int, int]:
        """The card (deck index) and the number of its rule. Raises ValueError outside the play of Skat."""
        card, rule = kernel.choose(self._position(view))
        return int(card), int(rule)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        card, rule = self.card(view)
        return Decision(play(card), f"{RULES[rule]}: {REASONS[rule]}")

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        card, rule = self.card(situation.view)
        sure = 1.0 if rule == whys.ONLY_CARD else SURENESS
        return recommend_card(situation, card, self.name, f"{RULES[rule]}: {REASONS[rule]}", sure)

    def _position(self, view: View) -> IntArray:
        p = position_of(view)
        contract = view.contract
        assert isinstance(contract, SkatContract)
        p[P.DATA] = self.on & ~_COUNTED if contract.schneider else self.on
        return p
