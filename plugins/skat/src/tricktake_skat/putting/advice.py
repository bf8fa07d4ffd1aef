"""Advice on a hand: the games it is good for and what to put, by every method (``tricktake advise skat``).

With twelve cards: every game with its best put, then the skats of all methods for one game. With ten cards the same on
average over the 231 skats that may lie there, each with the best game and put, and beside it the games from the hand:
a hand game is judged as if its skat had been put (KERMIT-11), which is a little too friendly.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake_skat._kernels.cards import ALL, BASES, GRAND, NULL
from tricktake_skat._kernels.rule_bid import CHOICES, value_of
from tricktake_skat.deck import SKAT
from tricktake_skat.putting import chance as chances
from tricktake_skat.putting import worth
from tricktake_skat.putting.explain import instead, reason
from tricktake_skat.putting.features import Declarers
from tricktake_skat.putting.selection import METHODS, Selection, Selector
from tricktake_skat.putting.worth import FORBIDDEN, GAME_NAMES, LOSS, Offers

IntArray = NDArray[np.int64]

TEN, TWELVE = 10, 12
NULL_HAND, OUVERT_HAND = 35, 59


def read_cards(text: str) -> int:
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
    chance: str = "rule"
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
        return head | (self._twelve(cards) if cards.bit_count() == TWELVE else self._ten(cards))

    # -- twelve cards -------------------------------------------------------------------------------------------------

    def _twelve(self, cards: int) -> dict[str, Any]:
        offers = self._offers(np.array([cards]))
        games = []
        for game in np.argsort(-offers.scores[0].max(axis=1), kind="stable"):
            best = int(np.argmax(offers.scores[0, game]))
            if offers.scores[0, game, best] <= FORBIDDEN:
                continue  # a Null below the bid
            games.append(
                {
                    "game": GAME_NAMES[game],
                    "value": int(offers.values[0, game]),
                    "put": _names(offers.pairs[0, best]),
                    "win": float(offers.wins[0, game, best]),
                    "expected": float(offers.scores[0, game, best]),
                }
            )
        game = int(offers.best()[0]) if self.game is None else self.game
        if offers.scores[0, game].max() <= FORBIDDEN:
            raise InputError(None, None, "game", f"{GAME_NAMES[game]} is worth less than the bid of {max(self.bids)}")
        skats = []
        for method in self.methods:
            found = self._select(method, Declarers.one(game, cards, self.seat, self.bids))
            skats.append(
                {
                    "method": method,
                    "put": _names(found.puts[0]),
                    "win": float(found.wins[0]),
                    "expected": self._score(offers, 0, game, found),
                    "reason": reason(found),
                    "instead": instead(found),
                }
            )
        return {"games": games, "game": GAME_NAMES[game], "skats": skats}

    # -- ten cards ----------------------------------------------------------------------------------------------------

    def _ten(self, hand: int) -> dict[str, Any]:
        skats = np.array([1 << a | 1 << b for a, b in combinations(list(bits(ALL & ~hand)), 2)])
        cards = hand | skats
        offers = self._offers(cards)
        best = offers.scores.max(axis=2)
        declared = offers.best() if self.game is None else np.full(len(cards), self.game)
        from_hand = self._from_hand(hand, skats)
        games = []
        for game in range(CHOICES):
            wins, scores = from_hand[game]
            put = offers.scores[:, game].argmax(axis=1)
            row: dict[str, Any] = {
                "game": GAME_NAMES[game],
                "value": int(value_of(game, hand)),
                "declared": float((declared == game).mean()),
                "win": float(offers.wins[np.arange(len(cards)), game, put].mean()),
                "expected": float(best[:, game].mean()),
                "hand_win": float(wins.mean()),
                "hand_expected": float(scores.mean()),
            }
            for key in ("expected", "hand_expected"):
                if row[key] <= FORBIDDEN:
                    row[key] = None
            games.append(row)
        games.sort(key=lambda row: -(row["expected"] if row["expected"] is not None else FORBIDDEN))
        declarers = Declarers(
            declared, cards, np.full(len(cards), self.seat), np.tile(np.array(self.bids), (len(cards), 1))
        )
        methods = []
        for method in self.methods:
            found = self._select(method, declarers)
            mean = float(np.mean([self._score(offers, i, int(declared[i]), found) for i in range(len(cards))]))
            methods.append({"method": method, "win": float(found.wins.mean()), "expected": mean})
        pick_up = float(best[np.arange(len(cards)), declared].mean())
        hand_game = max(range(CHOICES), key=lambda game: float(from_hand[game][1].mean()))
        hand_score = float(from_hand[hand_game][1].mean())
        return {
            "skats": len(skats),
            "games": games,
            "pick_up": pick_up,
            "hand_game": GAME_NAMES[hand_game],
            "hand": hand_score,
            "better": "hand" if hand_score > pick_up else "pick up",
            "methods": methods,
        }

    def _from_hand(self, hand: int, skats: IntArray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Chances and expected scores of each game from the hand, for every skat."""
        n = len(skats)
        seats, bids = np.full(n, self.seat), np.tile(np.array(self.bids), (n, 1))
        chance = chances.named(self.chance)
        found = []
        for game in range(CHOICES):
            wins = np.asarray(chance(np.full(n, game), np.full(n, hand), skats, seats, bids))
            values = [_hand_value(game, hand | int(skat)) for skat in skats]
            scores = [worth.expected(game, wins[i : i + 1], values[i], max(self.bids), self.loss)[0] for i in range(n)]
            found.append((wins, np.array(scores)))
        return found

    # -- both ---------------------------------------------------------------------------------------------------------

    def _offers(self, cards: IntArray) -> Offers:
        n = len(cards)
        bids = np.tile(np.array(self.bids), (n, 1))
        return worth.offers(chances.named(self.chance), cards, np.full(n, self.seat), bids, self.loss)

    def _select(self, method: str, declarers: Declarers) -> Selection:
        return Selector(method, self.weights, (), chances.named(self.chance)).select(
            declarers, np.random.default_rng(self.seed)
        )

    def _score(self, offers: Offers, i: int, game: int, found: Selection) -> float:
        """The expected score of what a method has put, trumps in the skat or not."""
        wins = found.wins[i : i + 1]
        return float(worth.expected(game, wins, int(offers.values[i, game]), max(self.bids), self.loss)[0])


def _hand_value(game: int, cards: int) -> int:
    if game > GRAND:
        return NULL_HAND if game == NULL else OUVERT_HAND
    return int(value_of(game, cards) + BASES[game])


def _names(mask: int) -> list[str]:
    return SKAT.names(int(mask)).split()
