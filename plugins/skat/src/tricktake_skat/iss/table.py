"""A table at the Skat server: who sits and looks on there, how they stand, and the game that runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, field

from tricktake.records.record import GameRecord
from tricktake.table import Table
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SEATS
from tricktake_skat.iss.moves import PUBLIC
from tricktake_skat.scoring import seeger

FREE = "."  # an empty place; also the name of whoever looks on
PLACES = 4  # of every table in what is said of it, whatever its size
PENALTY = 100  # points of who leaves or is late before there is a contract, as at the International Skat Server

Told = tuple[str, str, str]
"""Who moved, the move, and the seconds each seat had left then."""


@define
class Standing:
    """What the state of a table says of a player: games declared and won, points of the last game and in all."""

    played: int = 0
    won: int = 0
    last: int = 0
    points: int = 0
    switch: bool = False
    talk: bool = True
    ready: bool = False


@define(eq=False)
class Round:
    """One game at a table. order: the players of forehand, middlehand and rearhand; clocks: seconds they have left.

    told: what each of the three seats has been told so far, and last what everybody else has (``PUBLIC``).
    asides: what is no action and stands in the record: after how many plays, who, and the move.
    """

    number: int
    table: Table
    order: tuple[str, ...]
    clocks: list[float]
    since: float
    told: list[list[Told]] = field(factory=lambda: [[] for _ in range(SEATS + 1)])
    asides: list[list[int | str]] = field(factory=list)
    cancel: Callable[[], None] = lambda: None

    def view(self, name: str) -> int:
        """The seat whose view somebody has; ``PUBLIC`` for the dealer at a table of four and for who looks on."""
        return self.order.index(name) if name in self.order else PUBLIC

    @property
    def times(self) -> str:
        return " ".join(f"{clock:.1f}" for clock in self.clocks)

    def opening(self, name: str) -> str:
        """The start as it is told: whoever does not play gets a record without moves, as SkatGUI expects."""
        names = " ".join(f"{each} {clock:.1f}" for each, clock in zip(self.order, self.clocks, strict=True))
        players = "".join(f"P{seat}[{each}]" for seat, each in enumerate(self.order))
        blank = (
            "" if name in self.order else f" p (;GM[Skat]PC[tricktake]ID[{self.number}]OW[3]{players}MV[]R[unknown] ;)"
        )
        return f"start {self.number} {names}{blank}"


@define(eq=False)
class IssTable:
    """A table of three or four seats. played: games so far, of which the next dealer follows."""

    name: str
    size: int = SEATS
    seats: list[str] = field(factory=lambda: [FREE] * PLACES)
    lookers: list[str] = field(factory=list)
    standings: dict[str, Standing] = field(factory=dict)
    tickets: dict[str, str] = field(factory=dict)
    played: int = 0
    round: Round | None = None

    @property
    def players(self) -> list[str]:
        return [name for name in self.seats if name != FREE]

    @property
    def full(self) -> bool:
        return len(self.players) == self.size

    @property
    def ready(self) -> bool:
        return self.full and all(self.standings[name].ready for name in self.players)

    def members(self) -> Iterator[tuple[str, str]]:
        """Everybody at the table, and the name each has there."""
        yield from ((name, name) for name in self.players)
        yield from ((name, FREE) for name in self.lookers)

    def sit(self, name: str) -> None:
        self.seats[self.seats.index(FREE)] = name
        self.standings.setdefault(name, Standing())

    def stand_up(self, name: str) -> None:
        self.seats[self.seats.index(name)] = FREE
        self.standings[name].ready = False

    def resize(self) -> None:
        """From three seats to four or back, which begins a new series."""
        self.size = SEATS + PLACES - self.size
        self.seats = [*self.players, *[FREE] * (PLACES - len(self.players))]
        self.standings = {
            name: Standing(talk=self.standings[name].talk, ready=self.standings[name].ready) for name in self.players
        }
        self.played = 0

    def count(self, record: GameRecord, order: tuple[str, ...]) -> None:
        """Add a finished game to the standings: extended Seeger points, of the dealer who sat out, too."""
        self.played += 1
        contract = record.contract
        adds = dict.fromkeys(self.players, 0)
        if isinstance(contract, SkatContract):
            points = record.result["points"][contract.declarer]
            others = [name for name in self.players if name not in order]
            adds |= dict(zip((*order, *others), seeger(contract.declarer, points, self.size), strict=False))
            self.standings[order[contract.declarer]].played += 1
            self.standings[order[contract.declarer]].won += points > 0
        for seat in record.result.get("penalised", ()):
            adds[order[seat]] = -PENALTY
        for name, added in adds.items():
            standing = self.standings[name]
            standing.last = added
            standing.points += added
            standing.ready = False

    def listed(self) -> str:
        """As it stands in the list of tables; SkatGUI reads the last number as games of a tournament, -1 for none."""
        return f"tables + {self.name} {self.size} {self.played} {' '.join(self.seats[: self.size])} -1"

    def state(self) -> str:
        """As the clients read it: four seats and ten words for each, whatever the size of the table."""
        words = [str(self.size), *self.seats]
        for name in self.seats:
            s = self.standings.get(name, Standing(talk=False))
            flags = (s.switch, False, s.talk, s.ready)  # the second was for practice
            words += [name, FREE, *map(str, (s.played, s.won, s.last, s.points, *map(int, flags)))]
        return " ".join([*words, str(self.round is not None).lower(), str(self.played)])
