"""Auctions steered to a contract: a deal, and a course of bidding that leads to the kind of contract wanted.

Actions chosen evenly hardly ever reach the rare contracts of a game. Here every seat of an auction has inclinations of
its own, drawn with a wide spread: for the words (bid, pass, double) and for what is said with them. Most auctions drawn
so are one-sided, each in another way, and among some hundreds there is one that ends in each contract.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase

import numpy as np

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.deal import Deal, DealNotFound, deal_where
from tricktake.errors import UnknownName
from tricktake.game import Game
from tricktake.rules import TrickRules
from tricktake.table import Table

PASSED_IN, NO_CONTRACT = "passed-in", "none"  # what counts as the kind of a game without a contract
SPREAD = 2.5  # standard deviation of an inclination's logarithm: by a factor of 12 or more in a third of the cases
AUCTIONS = 8  # tried with each deal
DEALS = 2_000  # dealt before giving up
EXAMPLES = 4  # contracts looked at for the order of a hand
EXAMPLE_DEALS = 50  # tried for each of them

Choose = Callable[[Table], Action]


def kind_of(table: Table) -> str:
    """The kind of contract played, "" before that is settled: while there is neither a trick to play nor an end."""
    if table.tricks is None:
        return PASSED_IN if table.over else ""
    return NO_CONTRACT if table.contract is None else table.contract.kind


def matches(kind: str, pattern: str) -> bool:
    """Whether a kind of contract belongs to a family, such as ``?NT`` or just ``grand``."""
    return fnmatchcase(kind, pattern)


def check_kind(game: Game, kind: str) -> None:
    """Raises UnknownName for a kind that belongs to none of ``game.kinds``, if the game names any."""
    known = (*game.kinds, PASSED_IN) if game.kinds else ()
    if known and not any(kind == own or matches(kind, own) or matches(own, kind) for own in known):
        raise UnknownName("contract", kind, known, game.name)


class Inclinations:
    """How much each seat of one auction likes every word and every value, drawn when it is first asked."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.weights: dict[tuple[object, ...], float] = {}

    def choose(self, table: Table) -> Action:
        """A legal action: its verb first, then its value, by the inclinations; then its cards, evenly."""
        seat, left = table.turn, table.legal()
        verb = self._one({action.verb: None for action in left}, seat)
        left = [action for action in left if action.verb == verb]
        value = self._one({action.value: None for action in left}, seat, verb)
        left = [action for action in left if action.value == value]
        return left[int(self.rng.integers(len(left)))]

    def _one(self, words: Mapping[str, None], *where: object) -> str:
        choices = list(words)
        if len(choices) == 1:
            return choices[0]
        weights = []
        for word in choices:
            if (*where, word) not in self.weights:
                self.weights[(*where, word)] = float(np.exp(SPREAD * self.rng.standard_normal()))
            weights.append(self.weights[(*where, word)])
        point = self.rng.random() * sum(weights)
        for word, weight in zip(choices, weights, strict=True):
            point -= weight
            if point < 0:
                return word
        return choices[-1]


def bid(game: Game, deal: Deal, board: int, choose: Choose) -> Table:
    """A table after its auction and exchange, at the first trick or passed in."""
    table = Table.start(game, deal, board)
    while not table.over and table.tricks is None:
        table.apply(choose(table))
    return table


def reach(
    game: Game,
    kind: str,
    seed: int,
    number: int,
    *,
    predeal: Mapping[str | int, int] | None = None,
    predicate: Callable[[Deal], bool] | None = None,
    bidder: Choose | None = None,
    deals: int = DEALS,
) -> Table:
    """A table at the first trick of a contract of this kind, in deal ``number`` of the series ``seed`` among those in
    which it was reached; the same arguments give the same table, whose events are the auction.

    kind: as ``Contract.kind`` gives it or a pattern of ``fnmatch``; "passed-in" for a deal nobody wants to play.
    predeal, predicate: as in ``deal_where``. bidder: chooses for all seats, once a deal; by default auctions are drawn.
    Raises UnknownName for an unknown kind, DealNotFound if ``deals`` deals did not lead to it.
    """
    check_kind(game, kind)
    rng = np.random.default_rng([seed, number])
    board = number % game.boards
    found: list[Table] = []

    def leads_there(deal: Deal) -> bool:
        if predicate is not None and not predicate(deal):
            return False
        for _ in range(1 if bidder is not None else AUCTIONS):
            table = bid(game, deal, board, bidder or Inclinations(rng).choose)
            if matches(kind_of(table), kind):
                found.append(table)
                return True
        return False

    needed: dict[str | int, int] = {str(place): mask for place, mask in game.predeal(kind, rng).items()}
    for place, mask in (predeal or {}).items():
        needed[str(place)] = needed.get(str(place), 0) | mask
    try:
        deal_where(game.layout, seed, number, needed, leads_there, deals)
    except DealNotFound:
        where = f" on board {board} of {game.boards}" if game.boards > 1 else ""
        raise DealNotFound(deals, f"no deal of {deals:,}{where} led to a contract {kind!r}") from None
    return found[0]


@functools.cache
def sorting(game: Game) -> TrickRules | None:
    """The rules by whose suits a hand is sorted before it is known what is played: those of the first family of
    contracts, if it has the same trumps of several printed suits every time (jacks in Skat). Else None: printed suits.
    """
    found: list[TrickRules] = []
    for number in range(EXAMPLES if game.kinds else 0):
        with contextlib.suppress(DealNotFound):
            tricks = reach(game, game.kinds[0], 0, number, deals=EXAMPLE_DEALS).tricks
            found += [] if tricks is None else [tricks.rules]
    if not found or found[0].trump is None or len({(r.suit_of, r.power, r.trump) for r in found}) > 1:
        return None
    first, deck = found[0], game.layout.deck
    assert first.trump is not None
    trumps = {deck[card].suit for card in bits(first.suit_mask(first.trump))}
    return first if len(trumps) > 1 else None
