"""The expert: named if-then rules by contract, role and place in the trick (SKAT-29, 30, 34; KBPS-2).

``skat:expert`` starts from the rule player's card and overrules it where a rule that knows better applies
(``_kernels.expert_play``). It looks at nothing but the view, needs about 0.1 ms a card, and plays whole contracts in a
compiled loop. docs/expert.md lists the rules with what each is worth.
"""

from __future__ import annotations

from types import ModuleType
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from tricktake.action import play
from tricktake.errors import InputError
from tricktake.search.limit import Limit
from tricktake.strategies.recommend import Recommendation, Situation, recommend_card
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_skat._kernels import expert_play as kernel
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels import rule_null, rule_play
from tricktake_skat.contract import SkatContract
from tricktake_skat.strategies.rule import RULES as RULE_PLAYER
from tricktake_skat.strategies.rule import position_of

IntArray = NDArray[np.int64]

SURENESS = 0.5  # confidence of a rule of thumb, against 1 for what is forced or proven

_REASONS = {
    kernel.SETTLE: "this trick decides the game: take it, or feed the partner who has it",
    kernel.DENY: "otherwise this trick decides the game for the other side",
    kernel.RUFF_RICH: "ruff with a trump that counts, home safe, and keep the small ones",
    kernel.RUFF_MORE: "ruff with a trump that counts, even a poor trick",
    kernel.FORCE_JACK: "a jack draws out a higher one and the small trumps with it",
    kernel.GRAND_SETUP: "drive the ace out while the lead can be regained, the ten stands then",
    kernel.TRUMPS_ON: "go on drawing trumps before an ace is ruffed",
    kernel.CASH_FIRST: "a standing card before the last trumps are forced out",
    kernel.KEEP_ACE: "win it with less, the ace stands again",
    kernel.DUCK: "a cheap trick let go, the ace takes a better one",
    kernel.GRAND_JACK: "clear the jacks first, aces stand afterwards",
    kernel.BEAT_TRUMP: "over the declarer's small trump with a card that counts",
    kernel.HOLD_ACE: "the declarer sits last with many trumps: the ace waits, a short suit is led",
    kernel.GRAND_HOLD: "the aces wait for tens, a high card of another suit looks for the partner",
    kernel.LEAD_HONOUR: "a high card through the declarer",
    kernel.TEN_SUIT: "low from the suit with the ten, for the partner's ace",
    kernel.UNDER_ACE: "away from the ace, which waits for the ten",
    kernel.CATCH_TEN: "under the ace through the declarer, to catch the ten",
    kernel.GRAND_CATCH: "beat it with less, the ace waits for the ten",
}


_RULE_NAMES = (
    "ONLY_CARD DRAW_TRUMPS FORCE_TRUMPS CASH_WINNER CASH_ACE ESTABLISH LEAD_LOSER LEAD_TRUMP TAKE_LAST TAKE_MASTER "
    "RUFF DISCARD_LOSER PLAY_LOW SMEAR FORCE_DECLARER PARTNERS_SUIT SHORT_SUIT LONG_SUIT BEAT_LOW"
)
_NULL_NAMES = "NULL_UNDER NULL_FORCED NULL_DANGER NULL_SAFE_LEAD NULL_ATTACK NULL_THROW_HIGH NULL_LOW NULL_ATTACK_HOLE"
_OWN_NAMES = (
    "SETTLE DENY RUFF_RICH RUFF_MORE FORCE_JACK GRAND_SETUP TRUMPS_ON CASH_FIRST KEEP_ACE DUCK GRAND_JACK BEAT_TRUMP "
    "HOLD_ACE GRAND_HOLD LEAD_HONOUR TEN_SUIT UNDER_ACE CATCH_TEN GRAND_CATCH"
)


def _numbered(module: ModuleType, names: str) -> dict[int, str]:
    """Numbers and names of rules: ``FORCE_JACK`` is called "force-jack"."""
    return {getattr(module, name): name.lower().replace("_", "-") for name in names.split()}


REASONS: dict[int, str] = {**RULE_PLAYER, **_REASONS}
"""Why each rule plays its card, by number."""
RULES: dict[int, str] = {
    **_numbered(rule_play, _RULE_NAMES),
    **_numbered(rule_null, _NULL_NAMES),
    **_numbered(kernel, _OWN_NAMES),
}
"""The name of each rule, by number."""
SWITCHED = {RULES[number]: 1 << number - kernel.FIRST for number in _REASONS}
"""The rules the expert has beyond the rule player, by name: the bit of each."""
_COUNTED = SWITCHED["settle"] | SWITCHED["deny"]  # they count to 61


def _mask(without: str) -> int:
    mask = kernel.EVERY_RULE
    for name in without.replace("+", " ").split():
        if name not in SWITCHED:
            raise InputError(None, None, "without", f"no rule {name!r}; known: {', '.join(SWITCHED)}")
        mask &= ~SWITCHED[name]
    return mask


@frozen
class Expert:
    """The expert as a part and as a member of an ensemble. It needs neither limits nor random numbers.

    without: names of rules not to use, joined by "+" (``skat:expert(without=hold-ace+deny)``). Raises InputError.
    """

    roles: ClassVar[tuple[str, ...]] = ("play",)
    name: ClassVar[str] = "expert"

    without: str = field(default="", converter=str)
    on: int = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "on", _mask(self.without))

    def card(self, view: View) -> tuple[int, int]:
        """The card (deck index) and the number of its rule. Raises ValueError outside the play of Skat."""
        card, rule = kernel.choose(self._position(view))
        return int(card), int(rule)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        card, rule = self.card(view)
        return Decision(play(card), f"{RULES[rule]}: {REASONS[rule]}")

    def recommend(self, situation: Situation, limit: Limit, rng: np.random.Generator) -> Recommendation:
        card, rule = self.card(situation.view)
        sure = 1.0 if rule == rule_play.ONLY_CARD else SURENESS
        return recommend_card(situation, card, self.name, f"{RULES[rule]}: {REASONS[rule]}", sure)

    def _position(self, view: View) -> IntArray:
        p = position_of(view)
        contract = view.contract
        assert isinstance(contract, SkatContract)
        p[P.DATA] = self.on & ~_COUNTED if contract.schneider else self.on
        return p
