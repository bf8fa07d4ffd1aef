"""``skat:bidder``: bids, picks up, discards and declares by learned chances (SKAT-17)."""

from __future__ import annotations

from functools import cache

import numpy as np
from attrs import field, frozen

from tricktake.action import Action
from tricktake.strategies.options import check_flag
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_skat._kernels.rule_bid import best_discard
from tricktake_skat.auction import highest_bids
from tricktake_skat.bidding.advice import discard_reason
from tricktake_skat.bidding.choice import Evaluator, Option, options_reason
from tricktake_skat.bidding.model import SHIPPED, learned
from tricktake_skat.bidding.series import style_at
from tricktake_skat.bidding.style import BEST, DEFAULT, RULE, Style
from tricktake_skat.contract import GAME_NAMES, SkatContract
from tricktake_skat.deck import SKAT_PLACE
from tricktake_skat.discard import explain
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import Selector
from tricktake_skat.strategies.declaring import Declaring, asked_in


@cache
def evaluator(*names: str) -> Evaluator:
    """The one of the tables and networks that come along, or of others, as ``learned`` takes them."""
    return Evaluator.of(learned(*names))


@frozen
class Bidder(Declaring):
    """Bids in a style, as long as the best game is expected to score more than its ``threshold``. names: of the tables
    and networks it asks, as ``learned`` takes them. series: whether it bids for the first place where the view says how
    a series stands (``style_at``).
    """

    style: Style = DEFAULT
    names: tuple[str, ...] = SHIPPED
    series: bool = field(default=False, validator=check_flag)

    @property
    def _evaluator(self) -> Evaluator:
        return evaluator(*self.names)

    def _style(self, view: View) -> Style:
        if not self.series or view.standings is None:
            return self.style
        return style_at(self.style, view.standings, view.seat)

    def bid(self, view: View) -> Decision:
        style = self._style(view)
        bids, (asked, agree, refuse) = highest_bids(view.events), asked_in(view)
        if agree is None:
            return Decision(refuse, "no higher bid is left")
        offer = self._evaluator.offer(view.hand_mask, view.seat, bids, asked, style)
        action = agree if offer.score > style.threshold else refuse
        said = offer.reason(style.threshold)
        if any(bid for seat, bid in enumerate(bids) if seat != view.seat):
            unheard = self._evaluator.offer(view.hand_mask, view.seat, (0, 0, 0), asked, style)
            said += f"; {unheard.score:+.0f} had nobody else bid"
        if style is not self.style:
            said += f"; {_standing(view)}, so a loss counts {style.aggressiveness:.0f} more than twice its value"
        return Decision(action, said)

    def pick_up(self, view: View) -> Decision:
        bids = highest_bids(view.events)
        offer = self._evaluator.offer(view.hand_mask, view.seat, bids, max(bids), self._style(view))
        return Decision(Action("hand" if offer.from_hand else "take"), offer.reason())

    def discard(self, view: View) -> Decision:
        cards, bids = view.hand_mask, highest_bids(view.events)
        options = self._options(view, cards)
        if isinstance(view.contract, SkatContract):  # a replay that keeps it
            name = GAME_NAMES[view.contract.choice]
            options = tuple(o for o in options if o.name == name) or (Option(name, 0, 0.0, 0.0),)
        game = GAME_NAMES.index(options[0].name)
        discard, how = options[0].discard_mask, ""
        if self.style.putting == RULE or (self.style.putting == BEST and not discard):
            _, discard, _ = best_discard(cards, view.seat, max(bids), game)
        elif self.style.putting != BEST:
            selection = Selector(self.style.putting).select(
                Declarers.one(game, cards, view.seat, bids), np.random.default_rng(0)
            )
            discard, how = int(selection.discards[0]), f"; discard: {explain.reason(selection)}"
        elif self._evaluator.judges:
            judged = self._evaluator.discards(game, cards, view.seat, bids, max(bids), self._style(view))
            how = f"; {discard_reason(game, cards, judged)}"
        action = next(action for action in view.legal if action.mask == discard)
        return Decision(action, options_reason(options) + how)

    def declare(self, view: View) -> Decision:
        if any(event.action.verb == "hand" for event in view.events):
            bids = highest_bids(view.events)
            offer = self._evaluator.offer(view.hand_mask, view.seat, bids, max(bids), self._style(view))
            return Decision(Action("declare", offer.by_hand.name), offer.reason())
        options = self._options(view, view.hand_mask | view.known[SKAT_PLACE])
        return Decision(Action("declare", options[0].name), options_reason(options))

    def _options(self, view: View, cards: int) -> tuple[Option, ...]:
        bids = highest_bids(view.events)
        return self._evaluator.options(cards, view.seat, bids, max(bids), self._style(view))


def _standing(view: View) -> str:
    """How the series stands, in words."""
    assert view.standings is not None
    leads = " and ".join(f"{lead:+.0f}" for lead in view.standings.ahead(view.seat))
    return f"{leads} points ahead of the others with {view.standings.left} deals left"


def bidder(
    aggressiveness: float = DEFAULT.aggressiveness,
    threshold: float = DEFAULT.threshold,
    putting: str = DEFAULT.putting,
    hands: bool = DEFAULT.hands,
    trumps: bool = DEFAULT.trumps,
    suit: str = SHIPPED[0],
    grand: str = SHIPPED[1],
    null: str = SHIPPED[2],
    value: str = SHIPPED[3],
    fitted: str = SHIPPED[4],
    series: bool = False,
) -> Bidder:
    """``skat:bidder`` with its options, as in ``Style``; suit, grand, null: tables, value: networks, by registered name
    or file (value "": the tables alone); fitted: folder of what is fitted to tables besides; series: bids for the first
    place, where it is told how a series stands. Raises InputError, UnknownName.
    """
    style = Style(aggressiveness, threshold, putting, hands, trumps)
    names = (suit, grand, null, value, fitted)
    if names != SHIPPED:
        learned(*names)  # a name that is wrong is said at once
    return Bidder(style, names, series)
