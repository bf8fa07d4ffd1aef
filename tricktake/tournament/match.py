"""The worker of a tournament: deals the cards, seats the players, and turns every game into a row."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from tricktake.deal import Deal, deal
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Contract, Game
from tricktake.records.record import GameRecord
from tricktake.search.problem import Problem
from tricktake.table import Table
from tricktake.tournament import listeners
from tricktake.tournament.config import Config
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import FaultRow, play
from tricktake.tournament.schedule import seat_roles
from tricktake.tournament.seat import LocalSeat, Seat, Spent
from tricktake.tournament.seatprocess import ProcessSeat
from tricktake.tournament.store import Row

MAX_PROCESSES = 12  # children kept alive by one worker, some 100 MB each
BIDDING_ATTEMPTS = 1000  # deals passed in before we conclude that a bidder never bids


@define
class Seats:
    """The seats of one worker: one per player if trusted, else one process per player and seat, so that a player
    cannot exchange information with itself at another seat.
    """

    config: Config
    _seats: dict[tuple[str, int], Seat] = field(factory=dict)

    def of(self, players: Sequence[PlayerConfig]) -> list[Seat]:
        """The seat of each of these players, in the order of the table."""
        keys = [(p.name, seat if self.config.isolated(p) else -1) for seat, p in enumerate(players)]
        for player, key in zip(players, keys, strict=True):
            if key not in self._seats:
                self._seats[key] = self._make(player, isolated=key[1] >= 0)
        self._close_idle(keys)
        return [self._seats[key] for key in keys]

    def _make(self, player: PlayerConfig, *, isolated: bool) -> Seat:
        if isolated:
            return ProcessSeat(player, self.config.containment())
        return LocalSeat(player.make, player.limit)

    def _close_idle(self, needed: Sequence[tuple[str, int]]) -> None:
        alive = [k for k, s in self._seats.items() if isinstance(s, ProcessSeat) and s.pid is not None]
        for key in alive[: max(0, len(alive) - MAX_PROCESSES)]:
            if key not in needed:
                self._seats[key].close()

    def end_processes(self) -> None:
        for seat in self._seats.values():
            if isinstance(seat, ProcessSeat):
                seat.close()

    def close(self) -> dict[str, dict[str, float]]:
        """End all seats; returns the cost of each player's decisions."""
        total: dict[str, Spent] = {}
        for (name, _), seat in self._seats.items():
            seat.close()
            mine = total.setdefault(name, Spent())
            mine.decisions += seat.spent.decisions
            mine.seconds += seat.spent.seconds
            mine.slowest = max(mine.slowest, seat.spent.slowest)
        return {
            name: {"decisions": s.decisions, "seconds": round(s.seconds, 3), "slowest": round(s.slowest, 3)}
            for name, s in total.items()
        }


@frozen
class Start:
    """The start of the games of one deal: the deal, or the first trick of a contract."""

    deal: Deal
    board: int = 0
    record: GameRecord | None = None

    def table(self, game: Game) -> Table:
        """A new table. A recorded auction is known to all seats."""
        record = self.record
        if record is None:
            return Table.start(game, self.deal, self.board)
        if record.before is not None:
            return Table.replay(game, record.deal, record.before, record.board)
        return record.table_at_play(game)


@frozen
class DealTask:
    """The games of one deal not yet played, by the numbers of their pairings."""

    deal: int
    numbers: tuple[int, ...]
    record: GameRecord | None = None


class MatchWorker:
    """Plays the games of a deal. A worker process creates it once from the configuration."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.game = config.make_game()
        self.schedule = config.schedule()
        self.seats = Seats(config)

    def __call__(self, task: DealTask) -> list[Row]:
        """The rows of the games of a task, in order."""
        start = self._start(task)
        pairings = self.schedule.of_deal(task.deal)
        return [self._play(start, pairings[n].id, task.deal, pairings[n].players) for n in task.numbers]

    def close(self) -> dict[str, dict[str, float]]:
        return self.seats.close()

    def _start(self, task: DealTask) -> Start:
        board = task.deal % self.game.boards
        if task.record is not None:
            return Start(task.record.deal, task.record.board, task.record)
        if self.config.mode == "contracts":
            return self._bid(task.deal, board)
        return Start(deal(self.game.layout, self.config.seed, task.deal), board)

    def _bid(self, number: int, board: int) -> Start:
        """The first deal of this number that is not passed in when the bidder bids on every seat."""
        bidder = self.config.bidder
        assert bidder is not None
        for attempt in range(BIDDING_ATTEMPTS):
            cards = deal(self.game.layout, self.config.seed, number * BIDDING_ATTEMPTS + attempt)
            table = Table.start(self.game, cards, board)
            name = f"d{number:06d}.b{attempt}"
            seats = self.seats.of([bidder] * self.game.seats)
            faults = play(table, seats, seed=self.config.seed, game_id=name, until=at_tricks)
            if faults:
                raise InputError(None, None, "bidder", f"failed in {name}: {faults[0].reason}")
            if not table.over and table.contract is not None:
                record = GameRecord(
                    self.game.spec, name, cards, board, before=tuple(table.events), contract=table.contract
                )
                return Start(cards, board, record)
        raise TricktakeError(f"bidder: no contract in {BIDDING_ATTEMPTS} deals")

    def _play(self, start: Start, name: str, number: int, pair: tuple[int, ...]) -> Row:
        table = start.table(self.game)
        players = pair
        if self.config.mode == "contracts":
            players = seat_roles(pair, declaring_side(table), self.game.seats)
        seats = self.seats.of([self.config.players[p] for p in players])
        names = [self.config.players[p].name for p in players]
        listeners.begins(table, self.config.seed, name, names)
        faults = play(table, seats, seed=self.config.seed, game_id=name, max_faults=self.config.max_faults)
        listeners.ends(table, name, names)
        if self.config.fresh:
            self.seats.end_processes()
        return {"id": name, "deal": number, "players": list(players), **outcome(table, faults)}


def at_tricks(table: Table) -> bool:
    """Whether the play of the cards has begun."""
    return table.tricks is not None


def declaring_side(table: Table) -> int:
    """The seats of the declarer's side, as a mask. Raises InputError if there is no declarer."""
    if table.contract is None or table.tricks is None or table.contract.declarer < 0:
        raise InputError(None, None, "mode", f"{table.game.name} has no declarer here whose role could be swapped")
    return Problem.of(table).side_mask


def outcome(table: Table, faults: Sequence[FaultRow]) -> Row:
    """The result of a finished game as fields of its row."""
    score = table.score()
    contract: Contract | None = table.contract
    return {
        "contract": None if contract is None else str(contract),
        "kind": None if contract is None else contract.kind,
        "declarer": None if contract is None else contract.declarer,
        "won": None if score.won is None else bool(score.won),
        "value": score.value,
        "points": list(score.points),
        "series": list(table.game.series_points(score)),
        "faults": [fault.as_row() for fault in faults],
    }
