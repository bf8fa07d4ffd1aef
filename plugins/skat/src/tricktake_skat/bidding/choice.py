"""What to bid and what to declare, and why: ten cards with every skat, and twelve cards with every discard."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from attrs import frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.cards import CardSet, bits
from tricktake.jit import interpreted
from tricktake_skat._kernels import bidding as kernel
from tricktake_skat._kernels import bidding_worth
from tricktake_skat._kernels.cards import NULL, TRUMPS, discardable
from tricktake_skat._kernels.rule_bid import FORBIDDEN, value_of
from tricktake_skat._kernels.value import fill_chances
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import Model, learned, stacked
from tricktake_skat.bidding.style import Style
from tricktake_skat.contract import GAME_NAMES, SkatContract
from tricktake_skat.deck import SKAT

Bids = tuple[int, int, int]

_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "G": "grand", "N": "Null"}
SHOWN = 3  # games named in a reason


def game_text(name: str) -> str:
    """A declaration in words: "clubs", "grand Hand", "Null ouvert"."""
    contract = SkatContract.declared(0, name)
    words = [_NAMES[contract.trump]]
    words += ["Hand"] if contract.hand else []
    words += ["ouvert"] if contract.ouvert else ["Schneider"] if contract.schneider else []
    return " ".join(words)


@frozen
class Prospect:
    """A game that may come of a hand: its declaration, with which share of the skats (1 from the hand), its chance."""

    name: str
    share: float
    win: float

    def __str__(self) -> str:
        return f"{game_text(self.name)} with {self.share:.0%} of the skats, won {self.win:.0%}"


@frozen
class Offer:
    """What ten cards are worth at a bid. score: expected Seeger-Fabian points of the better of both ways.

    take: of picking up the skat, and what is then played, the likeliest first. hand: of the best game from the hand.
    """

    bid: int
    take: float
    prospects: tuple[Prospect, ...]
    hand: float
    by_hand: Prospect

    @property
    def from_hand(self) -> bool:
        return self.hand > self.take

    @property
    def score(self) -> float:
        return max(self.take, self.hand)

    def reason(self, threshold: float = 0) -> str:
        """The likeliest games, their chances, and the game from the hand, in one line. threshold: of bidding."""
        if self.from_hand:
            first = f"{game_text(self.by_hand.name)} won {self.by_hand.win:.0%}"
            return f"at {self.bid} {self.score:+.0f} points: {first}; picking up {self.take:+.0f}"
        said = ", ".join(map(str, self.prospects[:SHOWN]))
        wanted = f" (wants {threshold:+.0f})" if threshold else ""
        hand = f"; {game_text(self.by_hand.name)} {self.hand:+.0f}" if self.hand > -1000 else ""
        return f"at {self.bid} {self.score:+.0f} points{wanted}: {said}{hand}"


@frozen
class Option:
    """A game of twelve cards: declaration, the two cards its evaluation would discard, chance, expected score."""

    name: str
    discard_mask: int
    win: float
    score: float

    @property
    def discard(self) -> CardSet:
        """The two cards; none if the game cannot be declared."""
        return CardSet(SKAT, self.discard_mask)

    def __str__(self) -> str:
        return f"{game_text(self.name)} won {self.win:.0%}, {self.score:+.0f} points"


def options_reason(options: Sequence[Option]) -> str:
    """The game to declare and what else there was, each with its chance and expected points."""
    if not options:
        return "nothing reaches the bid"
    best, *others = map(str, options[:SHOWN])
    return f"{best}; else {'; '.join(others)}" if others else best


@frozen(eq=False)
class Evaluator:
    """Weighs hands with one model, the shipped tables' unless given. seat: 0 to 2; bids: highest of each so far."""

    chances: kernel.Chances
    nulls: kernel.Nulls

    @classmethod
    def of(cls, model: Model | None = None) -> Evaluator:
        chances = stacked([model or learned()])
        return cls(chances, kernel.nulls_of(chances.nulls[0]))

    def weighed(self, hand: int, seat: int, bids: Bids, style: Style) -> kernel.Weighed:
        """The chances of ten cards (mask) in every game with every skat. Raises ValueError."""
        check_cards(hand, 10, seat)
        found = kernel.weighed()
        heard = np.array(bids, np.int64)
        kernel.weigh_heard(sums(), self.nulls, self.chances, 0, hand, seat, heard, style.trumps, found)
        return found

    def offer(
        self, hand: int, seat: int, bids: Bids, bid: int, style: Style, found: kernel.Weighed | None = None
    ) -> Offer:
        """What ten cards (mask) are worth if the game has to reach ``bid``. found: what ``weighed`` says of them, if
        that is known. Raises ValueError.
        """
        found = found or self.weighed(hand, seat, bids, style)
        shares, wins = np.zeros(kernel.CHOICES), np.zeros(kernel.CHOICES)
        take = bidding_worth.take_worth(found, bid, float(style.aggressiveness), shares, wins)
        order = [int(game) for game in np.argsort(-shares, kind="stable") if shares[game] > 0]
        prospects = tuple(Prospect(GAME_NAMES[game], float(shares[game]), float(wins[game])) for game in order)
        hand_score, choice, call, win = bidding_worth.hand_worth(found, bid, float(style.aggressiveness))
        by_hand = Prospect(hand_name(int(choice), bool(call)), 1.0, float(win))
        return Offer(bid, float(take), prospects, float(hand_score) if style.hands else -np.inf, by_hand)

    def options(self, cards: int, seat: int, bids: Bids, bid: int, style: Style) -> tuple[Option, ...]:
        """The games of twelve cards (mask), the best first; what cannot be declared at this bid is left out."""
        check_cards(cards, 12, seat)
        wins, discards = np.zeros(kernel.CHOICES), np.zeros(kernel.CHOICES, np.int64)
        scores = np.zeros(kernel.CHOICES)
        heard, loss = np.array(bids, np.int64), float(style.aggressiveness)
        bidding_worth.weigh_cards(
            sums(), self.nulls, self.chances, 0, cards, seat, heard, style.trumps, bid, loss, wins, discards, scores
        )
        order = np.argsort(-scores, kind="stable")
        return tuple(
            Option(GAME_NAMES[game], int(discards[game]), float(wins[game]), float(scores[game]))
            for game in order
            if scores[game] > FORBIDDEN / 2
        )

    def discards(self, choice: int, cards: int, seat: int, bids: Bids, bid: int, style: Style) -> tuple[Option, ...]:
        """Every discard of twelve cards (mask) for one game by the networks, the best first. choice: a number of
        ``GAME_NAMES``. Raises ValueError, also if the model has no networks.
        """
        check_cards(cards, 12, seat)
        if not self.judges:
            raise ValueError("tables alone do not compare discards one by one")
        trumps = 0 if style.trumps or choice >= NULL else TRUMPS[choice]
        some = list(bits(discardable(cards, trumps)))
        puts = np.array([1 << a | 1 << b for a, b in combinations(some, 2)])
        n, value, loss = len(puts), value_of(choice, cards), float(style.aggressiveness)
        wins = self.judged(np.full(n, choice), cards & ~puts, puts, np.full(n, seat), np.tile(bids, (n, 1)))
        found = []
        for put, (win, up) in zip(puts.tolist(), wins.tolist(), strict=True):
            score = interpreted(bidding_worth.game_worth)(choice, value, win, up, bid, loss)
            found.append(Option(GAME_NAMES[choice], put, win, float(score)))
        return tuple(sorted(found, key=lambda option: -option.score))

    @property
    def judges(self) -> bool:
        """Whether the model has networks."""
        return bool(self.chances.values.of[0] >= 0)

    def judged(
        self, choices: IntArray, own: IntArray, put: IntArray, seats: IntArray, bids: IntArray, by_hand: bool = False
    ) -> FloatArray:
        """The chances to win, and of Schneider if it is won, of n hands of ten and two put, by the networks: (n, 2).

        choices: (n,) numbers of ``GAME_NAMES``. own, put: (n,) masks. seats: (n,). bids: (n, 3), -1 if unknown.
        by_hand: whether the skat was not seen.
        """
        found = np.zeros((len(own), 2))
        fill_chances(self.chances.values, 0, choices, own, put, by_hand, seats, np.asarray(bids, np.int64), found)
        return found


def hand_name(choice: int, announced: bool = False) -> str:
    """The declaration of a choice from the hand. announced: whether Schneider is."""
    if choice >= NULL:
        return "NH" if choice == NULL else "NHO"
    return GAME_NAMES[choice] + ("HS" if announced else "H")


def check_cards(cards: int, count: int, seat: int) -> None:
    """Raises ValueError unless these are so many cards (mask) of a seat."""
    if cards.bit_count() != count or not 0 <= cards < 1 << 32 or seat not in (0, 1, 2):
        raise ValueError(f"{cards:#x} are not {count} cards of seat 0, 1 or 2")
