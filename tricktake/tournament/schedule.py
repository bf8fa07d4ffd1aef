"""Seatings of the players on every deal: all strategies get the same cards equally often.

Everything here is a pure function of its arguments, so a game's id determines it, whichever worker plays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations, product

from attrs import frozen

from tricktake.cards import bits

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@frozen(order=True)
class Pairing:
    """One game of a schedule. ``players``: the player number of each seat, or (declarer's side, others)."""

    deal: int
    number: int
    players: tuple[int, ...]

    @property
    def id(self) -> str:
        """Stable and sortable: ``d000123.s02`` is the third seating of deal 123."""
        return f"d{self.deal:06d}.s{self.number:02d}"


def seatings(players: int, seats: int, kind: str = "all") -> tuple[tuple[int, ...], ...]:
    """The player number of each seat, for every game of one deal. Every player gets every seat equally often.

    kind "all": two players take every assignment with both of them, for three seats ABB BAB BBA AAB ABA BAA
    (KERMIT-20). More players than two, but fewer than seats, take every assignment in which all play; as many as seats
    or more, every order of ``seats`` different ones.
    kind "pairs": the assignments of two players for each pair of them.
    One seat (a game all seats of which play together): every player alone.

    Raises ValueError for fewer than two players or an unknown kind.
    """
    if players < 2:
        raise ValueError("a match needs two players or more")
    if seats == 1 and kind in ("all", "pairs"):
        return tuple((player,) for player in range(players))
    if kind == "pairs":
        return tuple(row for pair in combinations(range(players), 2) for row in _of_two(seats, pair))
    if kind != "all":
        raise ValueError(f"unknown seatings {kind!r}: all or pairs, or a list such as ABB BAA")
    if players == 2:
        return _of_two(seats, (0, 1))
    if players >= seats:
        return tuple(permutations(range(players), seats))
    return tuple(row for row in product(range(players), repeat=seats) if len(set(row)) == players)


def _of_two(seats: int, pair: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Assignments of two players, ordered by the number of seats of the first: ABB BAB BBA, AAB ABA BAA."""
    rows: list[tuple[int, ...]] = []
    for count in range(1, seats):
        for chosen in combinations(range(seats), count):
            rows.append(tuple(pair[0] if seat in chosen else pair[1] for seat in range(seats)))
    return tuple(rows)


def parse_seatings(rows: Sequence[str], players: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Seatings written with a letter per seat, A for the first player. Raises ValueError naming the bad one."""
    out = []
    for row in rows:
        numbers = tuple(LETTERS.find(letter) for letter in row.upper())
        if len(numbers) != seats:
            raise ValueError(f"seating {row!r} has {len(numbers)} letters, the game {seats} seats")
        if not all(0 <= n < players for n in numbers):
            raise ValueError(f"seating {row!r} names a player beyond {LETTERS[players - 1]}")
        if numbers in out:
            raise ValueError(f"seating {row!r} is there twice")
        out.append(numbers)
    if not out:
        raise ValueError("no seatings")
    return tuple(out)


def roles(players: int) -> tuple[tuple[int, int], ...]:
    """(declarer's side, the others) for every game of one fixed contract: each pair twice, roles swapped."""
    return tuple(permutations(range(players), 2))


def seat_roles(pair: tuple[int, ...], side: int, seats: int) -> tuple[int, ...]:
    """The player of each seat when ``pair[0]`` takes the seats of the mask ``side`` and ``pair[1]`` the others."""
    taken = set(bits(side))
    return tuple(pair[0] if s in taken else pair[1] for s in range(seats))


@frozen
class Schedule:
    """All games of a tournament: ``deals`` deals, each played once by every row of ``rows``."""

    deals: int
    rows: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return self.deals * len(self.rows)

    def of_deal(self, deal: int) -> tuple[Pairing, ...]:
        return tuple(Pairing(deal, number, row) for number, row in enumerate(self.rows))

    def __iter__(self) -> Iterator[Pairing]:
        for deal in range(self.deals):
            yield from self.of_deal(deal)

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(pairing.id for pairing in self)
