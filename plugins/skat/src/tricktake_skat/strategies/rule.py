"""The rule player: bids, puts and plays by rules of thumb, without search; and the same as whole games in one loop.

Hands are evaluated by weighted features (``_kernels.hand_features``), games by their expected Seeger-Fabian score
(SKAT-17), cards by the first rule that fits the position (``_kernels.rule_play``, ``_kernels.rule_null``); SKAT-6, 20
to 24, 29 and 30 are where the rules of thumb come from. The weights are fitted to games of the player itself
(``tricktake_lab.skat.rule_fit``).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.action import Action, play
from tricktake.search.limit import Limit
from tricktake.strategies.part import Decision
from tricktake.view import View
from tricktake_skat._kernels import position, rule_bid, rule_games, rule_null, rule_play
from tricktake_skat._kernels.cards import NULL
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SKAT_PLACE

IntArray = NDArray[np.int64]

RULES = {
    rule_play.ONLY_CARD: "the only card",
    rule_play.DRAW_TRUMPS: "draw trumps from the top",
    rule_play.FORCE_TRUMPS: "force out the high trumps",
    rule_play.CASH_WINNER: "cash a sure winner",
    rule_play.CASH_ACE: "cash an ace that should hold",
    rule_play.ESTABLISH: "set up a long suit",
    rule_play.LEAD_LOSER: "get rid of a loser",
    rule_play.LEAD_TRUMP: "nothing better than a trump",
    rule_play.TAKE_LAST: "take the trick, last to play",
    rule_play.TAKE_MASTER: "take it with a card nobody beats",
    rule_play.RUFF: "ruff",
    rule_play.DISCARD_LOSER: "throw a loser",
    rule_play.PLAY_LOW: "play low",
    rule_play.SMEAR: "smear to the partner",
    rule_play.FORCE_DECLARER: "make the declarer ruff",
    rule_play.PARTNERS_SUIT: "return the partner's suit",
    rule_play.SHORT_SUIT: "short suit, the declarer sits far",
    rule_play.LONG_SUIT: "long suit, the declarer sits near",
    rule_play.BEAT_LOW: "beat it cheaply",
    rule_null.NULL_UNDER: "stay under it, as high as possible",
    rule_null.NULL_FORCED: "every card is above",
    rule_null.NULL_DANGER: "throw the most dangerous card",
    rule_null.NULL_SAFE_LEAD: "lead what somebody must beat",
    rule_null.NULL_ATTACK: "attack with a low card",
    rule_null.NULL_THROW_HIGH: "away with a high card",
    rule_null.NULL_LOW: "as low as possible",
    rule_null.NULL_ATTACK_HOLE: "the declarer has nothing lower",
    rule_games.SLIP: "a slip",
}
"""What the rule numbers of the kernels mean."""


@frozen
class Rule:
    """The rule player as a part for every role of Skat. It needs neither limits nor random numbers."""

    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange", "play")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        match view.phase:
            case "auction":
                return _bid(view)
            case "skat":
                return _pick_up(view)
            case "discard":
                return _put(view)
            case "declaration":
                return _declare(view)
            case _:
                return _play(view)


def game_name(choice: int) -> str:
    """A game the kernels weigh, as it is declared: "C", "G", "N", "NO"."""
    return "NO" if choice == rule_bid.OUVERT else GAMES[choice]


def _bid(view: View) -> Decision:
    limit, game = rule_bid.bid_limit(view.hand_mask, view.seat)
    why = f"good for {game_name(game)} up to {limit}" if limit else "no game in this hand"
    actions = {action.verb: action for action in reversed(view.legal)}  # the lowest bid of all
    if "yes" in actions:
        return Decision(actions["yes" if _last_bid(view) <= limit else "pass"], why)
    bid = actions.get("bid")
    return Decision(bid if bid is not None and int(bid.value) <= limit else actions["pass"], why)


def _last_bid(view: View) -> int:
    return max((int(e.action.value) for e in view.events if e.action.verb == "bid"), default=0)


def _pick_up(view: View) -> Decision:
    game = rule_bid.hand_game(view.hand_mask, view.seat, _last_bid(view))
    if game < 0:
        return Decision(Action("take"), "the skat helps more than a hand game pays")
    return Decision(Action("hand"), f"strong enough for {game_name(game)} from the hand")


def _put(view: View) -> Decision:
    game, put, score = rule_bid.best_put(view.hand_mask, view.seat, _last_bid(view), -1)
    action = next(action for action in view.legal if action.mask == put)
    return Decision(action, f"for {game_name(game)}, expected score {score:.0f}")


def _declare(view: View) -> Decision:
    bid, hand = _last_bid(view), view.hand_mask
    if any(e.action.verb == "hand" for e in view.events):
        game, score = rule_bid.best_hand_game(hand, view.seat, bid)
        name = game_name(game) + "H"
    else:
        game, score = rule_bid.best_game(hand, view.known[SKAT_PLACE], view.seat, bid)
        name = game_name(game)
    return Decision(Action("declare", name), f"expected score {score:.0f}")


def position_of(view: View) -> IntArray:
    """What the seat of a view knows during the play, as the kernels take it. Raises ValueError before it."""
    contract = view.contract
    if not isinstance(contract, SkatContract) or view.rules is None:
        raise ValueError(f"the rule player plays Skat, not {view.game} in phase {view.phase}")
    p = np.zeros(position.P_SIZE, np.int64)
    rule_games.start(p, GAMES.index(contract.trump), 0)
    p[position.P_DECLARER] = contract.declarer
    for trick in view.tricks:
        for k, card in enumerate(trick.cards):
            rule_games.note_card(p, (trick.leader + k) % 3, card)
        p[position.P_TABLE] = p[position.P_TABLE + 1] = -1
    for k, card in enumerate(view.table):
        rule_games.note_card(p, (view.leader + k) % 3, card)
    p[position.P_LEADER] = view.leader
    p[position.P_SEAT] = view.seat
    p[position.P_HAND] = view.hand_mask
    if view.seat == contract.declarer:
        p[position.P_SKAT] = view.known[SKAT_PLACE]
    elif contract.ouvert:
        p[position.P_OPEN] = view.known[contract.declarer]
    return p


def _play(view: View) -> Decision:
    card, rule = rule_play.choose(position_of(view))
    return Decision(play(int(card)), RULES[int(rule)])


# -- whole games ------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Games:
    """Games of three rule players as columns, in the order of their deals.

    deals: (n, 4) masks of the seats and the skat as dealt. bids: (n, 3) highest bid or hold of each seat, 0 for none.
    bid, declarer (-1: passed in), game (0 to 3 suits, 4 grand, 5 Null), hand, ouvert, put (mask of the skat at the
    end), eyes (of the declarer with the skat), tricks, won, value (signed): each (n,). cards, rules: (n, 30), the
    play in order and the numbers of the rules behind it, -1 where nothing was played.
    """

    deals: IntArray
    bids: IntArray
    bid: IntArray
    declarer: IntArray
    game: IntArray
    hand: IntArray
    ouvert: IntArray
    put: IntArray
    eyes: IntArray
    tricks: IntArray
    won: IntArray
    value: IntArray
    cards: IntArray
    rules: IntArray

    def __len__(self) -> int:
        return len(self.deals)

    def contract(self, i: int) -> SkatContract | None:
        """The contract of one game, None if it was passed in."""
        if self.declarer[i] < 0:
            return None
        name = GAMES[self.game[i]] + ("O" if self.game[i] == NULL and self.ouvert[i] else "")
        return SkatContract.declared(int(self.declarer[i]), name + ("H" if self.hand[i] else ""), int(self.bid[i]))


def play_games(seed: int, first_id: int, n: int) -> Games:
    """``n`` whole games, numbered from ``first_id``; a game depends on ``seed`` and its number only.

    Raises ValueError for negative numbers.
    """
    if seed < 0 or first_id < 0 or n < 0:
        raise ValueError("seed, first_id and n cannot be negative")
    return play_deals(dealt(seed, first_id, n))


def play_deals(deals: IntArray, slips: NDArray[np.float64] | None = None, seed: int = 0) -> Games:
    """Whole games of given deals, shape (n, 4): the masks of forehand, middlehand, rearhand and skat.

    slips: (n, 3), how likely each seat is to play a legal card at random instead of by rule, which makes players of
    different strength; ``seed`` decides when they do. Raises ValueError for other shapes or chances.
    """
    n = len(deals)
    chances = np.zeros((1, 3), np.int64)
    if slips is not None:
        if slips.shape != (n, 3) or not ((slips >= 0) & (slips <= 1)).all():
            raise ValueError("slips must be chances, one for each deal and seat")
        chances = np.round(slips * rule_games.SURE).astype(np.int64)
    table = np.zeros((n, rule_games.GAME_COLUMNS), np.int64)
    cards, rules = np.zeros((n, rule_games.CARDS), np.int64), np.zeros((n, rule_games.CARDS), np.int64)
    bids = np.zeros((n, 3), np.int64)
    rule_games.play_deals(deals, table, cards, rules, bids, chances, seed)
    columns = {
        "bid": rule_games.G_BID,
        "declarer": rule_games.G_DECLARER,
        "game": rule_games.G_GAME,
        "hand": rule_games.G_HAND,
        "ouvert": rule_games.G_OUVERT,
        "put": rule_games.G_PUT,
        "eyes": rule_games.G_EYES,
        "tricks": rule_games.G_TRICKS,
        "won": rule_games.G_WON,
        "value": rule_games.G_VALUE,
    }
    named = {name: table[:, column] for name, column in columns.items()}
    return Games(deals=deals, bids=bids, cards=cards, rules=rules, **named)
