"""What a policy for Skat practises: contracts that rule players and bidders reach, worth Seeger points.

Thin on purpose: contracts come from bidding in batches (``games``), settlement from ``value``; nothing here knows how
a policy learns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake.arrays import IntArray
from tricktake.errors import InputError
from tricktake.game import Contract, find_game
from tricktake.policy.encoding import Encoding
from tricktake.policy.kernels import layout as P
from tricktake.policy.policy import Family
from tricktake.policy.positions import Batch, batch_of_hands, batch_of_worlds, stop_cost, width
from tricktake.policy.practice import Practice
from tricktake.search.positions import moved_masks
from tricktake.view import View
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deck import EYES, LAYOUT, SEATS, SKAT_PLACE
from tricktake_skat.games import RULE_PLAYER, Player, bid_rows, dealt_rows
from tricktake_skat.rows import RowArray, contract_in
from tricktake_skat.rules import ALL_TRICKS, matadors, skat_rules, trumps_mask
from tricktake_skat.scoring import BONUS, OTHERS_BONUS
from tricktake_skat.strategies.expert import Expert
from tricktake_skat.value import settle

CHUNK = 4000  # deals bid at a time
# Who bids what is practised: bidders by chances put and bid otherwise than rule players, but think longer.
BIDDERS = (RULE_PLAYER, RULE_PLAYER, RULE_PLAYER, Player())
GRAND, NULL = GAMES.index("G"), GAMES.index("N")
FAMILIES = ("suit", "grand", "null", "null-ouvert")


@frozen(eq=False)
class Contracts:
    """Contracts to play. places: (n, 4) hands and skat after the exchange. kinds: the contracts there are, each once;
    which: (n,) the one of each position.
    """

    places: IntArray
    kinds: tuple[SkatContract, ...]
    which: IntArray

    def __len__(self) -> int:
        return len(self.which)

    @property
    def contracts(self) -> tuple[SkatContract, ...]:
        """The contract of each position."""
        return tuple(self.kinds[i] for i in self.which)

    def each(self, what: Callable[[SkatContract], object]) -> NDArray[Any]:
        """What is to be said of a contract, for each position."""
        return np.array([what(kind) for kind in self.kinds])[self.which]


def contracts_of(rows: RowArray) -> Contracts:
    """The contracts of rows that have one and say what was put."""
    hands, each = rows["deal"].copy(), np.arange(len(rows))
    hands[each, rows["declarer"]] = (hands[each, rows["declarer"]] | hands[:, 3]) & ~rows["put"]
    hands[:, 3] = rows["put"]
    said = np.stack([rows[name] for name in ("declarer", "game", "hand", "ouvert", "announced", "bid")], axis=1)
    _, first, which = np.unique(said, axis=0, return_index=True, return_inverse=True)
    found = map(contract_in, rows[first])
    return Contracts(hands, tuple(contract for contract in found if contract is not None), which.reshape(-1))


def bid(seed: int, first: int, n: int, player: Player = RULE_PLAYER) -> dict[str, Contracts]:
    """What is played in ``n`` deals of a seed from number ``first`` on, the player bidding on all seats, by family."""
    return {family: contracts_of(rows) for family, rows in by_family(bid_deals(seed, first, n, player)).items()}


def bid_deals(seed: int, first: int, n: int, player: Player = RULE_PLAYER) -> RowArray:
    """The deals of ``bid`` in which somebody declares."""
    rows = dealt_rows(seed, first, n)
    bid_rows([player], rows, np.zeros((n, SEATS), np.int64))
    return rows[rows["declarer"] >= 0]


def by_family(rows: RowArray, what: NDArray[Any] | None = None) -> dict[str, NDArray[Any]]:
    """Rows with a contract, or ``what`` is given for each, by the family of the contract."""
    kind = np.where(rows["game"] == NULL, 2 + rows["ouvert"], (rows["game"] == GRAND).astype(np.int64))
    what = rows if what is None else what
    return {family: what[kind == number] for number, family in enumerate(FAMILIES)}


def contracts(family: str, seed: int, n: int, players: Sequence[Player] = (RULE_PLAYER,)) -> Contracts:
    """The first ``n`` contracts of a family (``SkatContract.kind``) in the deals of a seed. players: who bid on all
    three seats, the next one every ``CHUNK`` deals.
    """
    if family not in FAMILIES:
        raise InputError(None, None, "family", f"{family!r} is none of {', '.join(FAMILIES)}")
    parts: list[RowArray] = []
    while not parts or sum(map(len, parts)) < n:
        player = players[len(parts) % len(players)]
        parts.append(by_family(bid_deals(seed, len(parts) * CHUNK, CHUNK, player))[family])
    return contracts_of(np.concatenate(parts)[:n])


@lru_cache(maxsize=65536)
def _gain(contract: SkatContract, matador: int, eyes: int, tricks: int) -> int:
    """What the declarer gains on each opponent, by Seeger and Fabian."""
    points = settle(contract, matador, eyes, tricks).points
    return points + BONUS if points > 0 else points - BONUS - OTHERS_BONUS[SEATS]


@lru_cache(maxsize=4096)
def _worth(name: str, bid: int, matador: int) -> NDArray[np.float32]:
    """Worth to the declarer by its own cost, and (second row) to a defender by the defenders' cost.

    Half of what is gained goes to each side, so that the difference is all of it.
    """
    contract = SkatContract.declared(0, name, bid)
    if contract.is_null or contract.schwarz:
        by_cost = [_gain(contract, matador, 60, cost) for cost in range(ALL_TRICKS + 1)]
        own = [*by_cost, by_cost[0], by_cost[-1]]
    else:
        by_cost = [_gain(contract, matador, cost, 5) for cost in range(sum(EYES) + 1)]
        own = [*by_cost, _gain(contract, matador, 0, 0), _gain(contract, matador, sum(EYES), ALL_TRICKS)]
    span = len(by_cost)
    others = [-x for x in reversed(by_cost)] + [-own[span + 1], -own[span]]
    return (np.array([own, others]) / 2).astype(np.float32)


class _Worths:
    """Rows of ``Batch.worth``, each pair (declarer, defender) once."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, int, int], int] = {}

    def number(self, contract: SkatContract, matador: int) -> int:
        """The number of the declarer's row; a defender's follows it."""
        return self.numbers.setdefault((contract.name, contract.bid, matador), 2 * len(self.numbers))

    @property
    def rows(self) -> NDArray[np.float32]:
        return np.concatenate([_worth(*key) for key in self.numbers])


def _complete(batch: Batch, contract: SkatContract, held: IntArray, skat: IntArray, worths: _Worths) -> None:
    """What rules alone do not say: the declarer knows what it put, and results are worth Seeger points.

    held: (n,) the declarer's cards and the skat, skat: (n,) what lies in it.
    """
    declarer = contract.declarer
    if not contract.hand:
        batch.block(P.B_ASIDE)[:, declarer] = moved_masks(skat, batch.encoding.compiled.from_deck)
        batch.block(P.B_MINE)[:, declarer] = batch.block(P.B_CREDIT)[:, declarer]
    # Only the trumps count, so that few hands differ.
    trumped, which = np.unique(held & trumps_mask(contract.trump), return_inverse=True)
    numbers = np.array([worths.number(contract, _matadors(int(cards), contract.trump)) for cards in trumped])
    batch.block(P.B_WORTH)[:] = numbers[which.reshape(-1), None] + (np.arange(SEATS) != declarer)
    if contract.is_null:
        batch.rows[:, P.R_STOP] = stop_cost(_worth(contract.name, contract.bid, 0), 0, (1,), batch.encoding.span)


def batch_of(given: Contracts) -> Batch:
    """Contracts of one family as positions at their first trick, worth Seeger points."""
    encoding, worths = Encoding.of(skat_rules(given.kinds[0])), _Worths()
    rows = np.zeros((len(given), width(SEATS)), np.int64)
    for kind, contract in enumerate(given.kinds):
        at, declarer = np.flatnonzero(given.which == kind), contract.declarer
        places = given.places[at]
        batch = batch_of_hands(skat_rules(contract), places, declarer, names=LAYOUT.names)
        if batch.encoding.key != encoding.key:
            raise ValueError(f"{contract.name} does not play like the others")
        if contract.ouvert:
            known = batch.rows[:, P.R_SEATS + P.BLOCKS * SEATS :].reshape(-1, SEATS, SEATS)
            known[:, np.arange(SEATS) != declarer, declarer] = batch.block(P.B_HANDS)[:, [declarer]]
        skat = places[:, SKAT_PLACE]
        _complete(batch, contract, places[:, declarer] | skat, skat, worths)
        rows[at] = batch.rows
    return Batch(encoding, rows, worths.rows)


_matadors = lru_cache(maxsize=16384)(matadors)


def decks_of(given: Contracts) -> IntArray:
    """The deck card of each card a policy sees, (n, 32)."""
    return given.each(lambda contract: Encoding.of(skat_rules(contract)).compiled.to_deck)


@frozen
class SkatPractice(Practice):
    """Suit, grand and Null games as rule players and bidders bid them, worth Seeger points. players: who bids, the next
    one every ``CHUNK`` deals.
    """

    players: tuple[Player, ...] = BIDDERS

    families: ClassVar[tuple[str, ...]] = FAMILIES

    def family(self, contract: Contract | None) -> str:
        assert isinstance(contract, SkatContract)
        return contract.kind

    def positions(self, family: str, seed: int, n: int) -> Batch:
        return batch_of(contracts(family, seed, n, self.players))

    def in_worlds(self, view: View, worlds: IntArray) -> tuple[Batch, IntArray]:
        """The declarer knows what it put, all know an open hand, and results are worth Seeger points."""
        batch, cards = batch_of_worlds(view, worlds)
        contract, worths = view.contract, _Worths()
        assert isinstance(contract, SkatContract)
        declarer, skat = contract.declarer, worlds[:, SKAT_PLACE]
        if contract.ouvert:
            batch.rows[:, P.R_SHOWN] = 1 << declarer
        _complete(batch, contract, worlds[:, declarer] | skat | view.played[declarer], skat, worths)
        return Batch(batch.encoding, batch.rows, worths.rows), cards

    def measured(self, family: Family, seed: int, n: int) -> dict[str, tuple[float, float]]:
        """Points over the expert and the rule player, a player and 36 games (``policy_match``)."""
        from tricktake_skat.policy_match import match

        given = contracts(family.name, seed, n)
        others = {"skat:expert": Expert(), "skat:rule": None}
        return {name: match(family, given, other).points() for name, other in others.items()}


def practice() -> SkatPractice:
    """What a policy for Skat practises."""
    return SkatPractice(find_game("skat"))
