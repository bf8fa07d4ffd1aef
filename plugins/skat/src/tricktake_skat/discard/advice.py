"""Advice on a hand: the games it is good for and what to discard, by every method (``tricktake advise skat``).

With twelve cards: every game with its best discard, then those of all methods for one game. With ten cards the same on
average over the 231 skats that may lie there, each with the best game and discard, and beside it the games from the
hand. By networks the numbers are the bidder's own (``bidding.advice``). By rule or tables a hand game is judged as if
its skat had been discarded (KERMIT-11), which is a little too friendly.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from attrs import evolve, frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake_skat._kernels.cards import ALL, BASES, GRAND, NULL
from tricktake_skat._kernels.rule_bid import CHOICES, FORBIDDEN, LOSS, value_of
from tricktake_skat._kernels.skat import NULL_VALUES
from tricktake_skat.bidding.advice import of_ten, of_twelve
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.style import Style
from tricktake_skat.contract import GAME_NAMES
from tricktake_skat.deck import SKAT
from tricktake_skat.discard import chance as chances
from tricktake_skat.discard import worth
from tricktake_skat.discard.chance import NETWORKS
from tricktake_skat.discard.explain import instead, reason
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import METHODS, Selection, Selector
from tricktake_skat.discard.worth import Offers

TEN, TWELVE = 10, 12


def read_mask(text: str) -> int:
    """The mask of ten or twelve cards. Raises InvalidCard for what is no card or there twice, InputError."""
    mask = SKAT.parse_mask(text)
    if mask.bit_count() not in (TEN, TWELVE):
        reason = f"{mask.bit_count()} cards; ten before the skat is picked up, or twelve with it"
        raise InputError(None, None, "hand", reason)
    return mask


@frozen
class Asker:
    """Who asks: seat (0 forehand to 2 rearhand), the bids of the seats so far, and how to judge.

    game: number of the game, None for the best. methods: names of ``selection.METHODS``. loss: as in ``worth.score``.
    chance: a name of ``chance.CHANCES``.
    """

    seat: int = 0
    bids: tuple[int, int, int] = (0, 0, 0)
    game: int | None = None
    methods: tuple[str, ...] = tuple(METHODS)
    weights: str = "default"
    loss: float = LOSS
    chance: str = NETWORKS
    seed: int = 0

    def advise(self, cards: int) -> dict[str, Any]:
        """Advice on ten or twelve cards, as it is printed in JSON."""
        head = {
            "cards": SKAT.names(cards).split(),
            "seat": self.seat,
            "bids": list(self.bids),
            "weights": self.weights,
            "chance": self.chance,
            "loss": self.loss,
        }
        if self.chance == NETWORKS:
            return head | self._bidders(cards)
        return head | (self._twelve(cards) if cards.bit_count() == TWELVE else self._ten(cards))

    def _bidders(self, cards: int) -> dict[str, Any]:
        """What the bidder says, and of twelve cards what it thinks of each method's discard."""
        bidder, style = evaluator(), Style(self.loss)
        if cards.bit_count() == TEN:
            return of_ten(bidder, cards, self.seat, self.bids, style, self.game)
        found = of_twelve(bidder, cards, self.seat, self.bids, style, self.game)
        game = GAME_NAMES.index(found["game"])
        judged = bidder.discards(game, cards, self.seat, self.bids, max(self.bids), evolve(style, trumps=True))
        by_put = {option.discard_mask: option for option in judged}
        skats = []
        for method in self.methods:
            selection = self._select(method, Declarers.one(game, cards, self.seat, self.bids))
            option = by_put[int(selection.discards[0])]
            numbers = {"put": _names(option.discard_mask), "win": option.win, "expected": option.score}
            skats.append({"method": method, **numbers, "reason": reason(selection), "instead": instead(selection)})
        return found | {"skats": skats}

    def _twelve(self, cards: int) -> dict[str, Any]:
        offers = self._offers(np.array([cards]))
        scores, best = offers.scores[0].max(axis=1), offers.scores[0].argmax(axis=1)
        games = [
            {
                "game": GAME_NAMES[game],
                "value": int(offers.values[0, game]),
                "put": _names(offers.pairs[0, best[game]]),
                "win": float(offers.wins[0, game, best[game]]),
                "expected": float(scores[game]),
            }
            for game in np.argsort(-scores, kind="stable")
            if scores[game] > FORBIDDEN  # else a Null below the bid
        ]
        game = int(offers.best()[0]) if self.game is None else self.game
        if scores[game] <= FORBIDDEN:
            raise InputError(None, None, "game", f"{GAME_NAMES[game]} is worth less than the bid of {max(self.bids)}")
        declarers = Declarers.one(game, cards, self.seat, self.bids)
        found = {method: self._select(method, declarers) for method in self.methods}
        skats = [
            {
                "method": method,
                "put": _names(selection.discards[0]),
                "win": float(selection.wins[0]),
                "expected": float(self._scores(offers, selection)[0]),
                "reason": reason(selection),
                "instead": instead(selection),
            }
            for method, selection in found.items()
        ]
        return {"games": games, "game": GAME_NAMES[game], "skats": skats}

    def _ten(self, hand: int) -> dict[str, Any]:
        skats = np.array([1 << a | 1 << b for a, b in combinations(bits(ALL & ~hand), 2)])
        cards, each = hand | skats, np.arange(len(skats))
        offers = self._offers(cards)
        best, at = offers.scores.max(axis=2), offers.scores.argmax(axis=2)
        declared = offers.best() if self.game is None else np.full(len(cards), self.game)
        hand_wins, hand_scores = self._from_hand(hand, skats)
        games = [
            {
                "game": GAME_NAMES[game],
                "value": int(value_of(game, hand)),
                "declared": float((declared == game).mean()),
                "win": float(offers.wins[each, game, at[:, game]].mean()),
                "expected": _allowed(float(best[:, game].mean())),
                "hand_win": float(hand_wins[game].mean()),
                "hand_expected": _allowed(float(hand_scores[game].mean())),
            }
            for game in np.argsort(-np.maximum(best.mean(axis=0), FORBIDDEN), kind="stable").tolist()
        ]
        declarers = Declarers(declared, cards, np.full(len(cards), self.seat), np.tile(self.bids, (len(cards), 1)))
        found = {method: self._select(method, declarers) for method in self.methods}
        methods = [
            {"method": method, "win": float(of.wins.mean()), "expected": float(self._scores(offers, of).mean())}
            for method, of in found.items()
        ]
        pick_up = float(best[each, declared].mean())
        hand_game = int(hand_scores.mean(axis=1).argmax())
        hand_score = float(hand_scores[hand_game].mean())
        return {
            "skats": len(skats),
            "games": games,
            "pick_up": pick_up,
            "hand_game": GAME_NAMES[hand_game],
            "hand": hand_score,
            "better": "hand" if hand_score > pick_up else "pick up",
            "methods": methods,
        }

    def _from_hand(self, hand: int, skats: IntArray) -> tuple[FloatArray, FloatArray]:
        """Chances and expected scores of each game from the hand for every skat, (7, n) both."""
        games, n = np.arange(CHOICES), len(skats)
        seats, bids = np.full(CHOICES * n, self.seat), np.tile(self.bids, (CHOICES * n, 1))
        asked = np.repeat(games, n), np.full(CHOICES * n, hand), np.tile(skats, CHOICES), seats, bids
        wins = np.asarray(chances.named(self.chance)(*asked)).reshape(CHOICES, n)
        values = np.array([[_hand_value(game, hand | skat) for skat in skats.tolist()] for game in range(CHOICES)])
        return wins, worth.expected(games[:, None], wins, values, max(self.bids), self.loss)

    def _offers(self, cards: IntArray) -> Offers:
        n = len(cards)
        bids = np.tile(np.array(self.bids), (n, 1))
        return worth.offers(chances.named(self.chance), cards, np.full(n, self.seat), bids, self.loss)

    def _select(self, method: str, declarers: Declarers) -> Selection:
        selector = Selector(method, self.weights, (), chances.named(self.chance))
        return selector.select(declarers, np.random.default_rng(self.seed))

    def _scores(self, offers: Offers, found: Selection) -> FloatArray:
        """The expected scores of what a method discards, trumps in the skat or not, (n,)."""
        games = found.prepared.declarers.games
        values = offers.values[np.arange(len(games)), games]
        return worth.expected(games, found.wins, values, max(self.bids), self.loss)


def _allowed(score: float) -> float | None:
    """None for a game that cannot be declared."""
    return score if score > FORBIDDEN else None


def _hand_value(game: int, cards: int) -> int:
    return int(NULL_VALUES[1 + 2 * (game - NULL)] if game > GRAND else value_of(game, cards) + BASES[game])


def _names(mask: int) -> list[str]:
    return SKAT.names(int(mask)).split()
