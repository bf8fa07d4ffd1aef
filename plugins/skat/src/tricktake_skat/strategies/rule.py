"""The rule player: bids, discards and plays by rules of thumb, without search; whole games: ``tricktake_skat.games``.

Hands are evaluated by weighted features (``_kernels.hand_features``), games by their expected Seeger-Fabian score
(SKAT-17), cards by the first rule that fits the position (``_kernels.rule_play``, ``_kernels.rule_null``); SKAT-6, 20
to 24, 29 and 30 are where the rules of thumb come from. The weights are fitted to games of the player itself
(experiment ``rule.weights``).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import ClassVar

import numpy as np
from attrs import frozen

from tricktake.action import Action, play
from tricktake.arrays import IntArray
from tricktake.kernels import batch
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels import rule_bid, rule_play, whys
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import GAME_NAMES, SkatContract
from tricktake_skat.deck import SKAT_PLACE
from tricktake_skat.rows import game_rules
from tricktake_skat.strategies.declaring import asked_in

_TEXTS = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
RULES: dict[int, str] = {getattr(whys, name.upper().replace("-", "_")): name for name in _TEXTS}
"""The names of the rules by which cards are played, by number."""
REASONS: dict[int, str] = {number: _TEXTS[name] for number, name in RULES.items()}
"""Why each rule plays its card."""


@frozen
class Rule:
    """The rule player as a strategy for every role of Skat. It needs neither limits nor random numbers."""

    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange", "play")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        match view.phase:
            case "auction":
                return _bid(view)
            case "skat":
                return _pick_up(view)
            case "discard":
                return _discard(view)
            case "declaration":
                return _declare(view)
            case _:
                return _play(view)


def _bid(view: View) -> Decision:
    limit, game = rule_bid.bid_limit(view.hand_mask, view.seat)
    why = f"good for {GAME_NAMES[game]} up to {limit}" if limit else "no game in this hand"
    asked, agree, refuse = asked_in(view)
    return Decision(agree if agree is not None and asked <= limit else refuse, why)


def _pick_up(view: View) -> Decision:
    game = rule_bid.hand_game(view.hand_mask, view.seat, max(highest_bids(view.events)))
    if game < 0:
        return Decision(Action("take"), "the skat helps more than a hand game pays")
    return Decision(Action("hand"), f"strong enough for {GAME_NAMES[game]} from the hand")


def _discard(view: View) -> Decision:
    game, discard, score = rule_bid.best_discard(view.hand_mask, view.seat, max(highest_bids(view.events)), -1)
    action = next(action for action in view.legal if action.mask == discard)
    return Decision(action, f"for {GAME_NAMES[game]}, expected score {score:.0f}")


def _declare(view: View) -> Decision:
    bid, hand = max(highest_bids(view.events)), view.hand_mask
    if any(e.action.verb == "hand" for e in view.events):
        game, score = rule_bid.best_hand_game(hand, view.seat, bid)
        name = GAME_NAMES[game] + "H"
    else:
        game, score = rule_bid.best_game(hand, view.known[SKAT_PLACE], view.seat, bid)
        name = GAME_NAMES[game]
    return Decision(Action("declare", name), f"expected score {score:.0f}")


def position_of(view: View) -> IntArray:
    """What the seat of a view knows during the play, as the kernels take it. Raises ValueError before it."""
    contract = view.contract
    if not isinstance(contract, SkatContract) or view.rules is None:
        raise ValueError(f"the rule player plays Skat, not {view.game} in phase {view.phase}")
    p = np.zeros(P.SIZE, np.int64)
    cards = np.array([card for trick in view.tricks for card in trick.cards] + [*view.table], np.int64)
    leader = view.tricks[0].leader if view.tricks else view.leader
    batch.rebuild(game_rules()[contract.game], leader, cards, view.hand_mask, p)
    p[P.GAME], p[P.DECLARER] = contract.game, contract.declarer
    if view.seat == contract.declarer:
        p[P.SKAT] = view.known[SKAT_PLACE]
    elif contract.ouvert:
        p[P.OPEN + contract.declarer] = view.known[contract.declarer]
    return p


def _play(view: View) -> Decision:
    card, rule = rule_play.choose(position_of(view))
    return Decision(play(int(card)), REASONS[int(rule)])
