"""Where series come from: game records, stores of tournaments, and tables of scores (CSV)."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game, Score
from tricktake.ratings.luck import Luck, Played, get_luck
from tricktake.ratings.results import Series, series_key
from tricktake.records import formats
from tricktake.records.lines import open_lines
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.tournament.config import Config
from tricktake.tournament.stats import compared, complete_deals
from tricktake.tournament.store import load, require_games

BATCH = 512  # games corrected for luck together
CSV_FIELDS = ("series", "player", "score")

OnError = Callable[[InputError], None]


@frozen
class RatedGame:
    """One game of a series: names, points and values of the seats; key identifies the game.

    out: points of the players of the table who sit out.
    """

    players: tuple[str, ...]
    scores: tuple[float, ...]
    values: tuple[float, ...]
    key: tuple[object, ...]
    out: float = 0.0


@define
class _Open:
    """An unfinished series. ``out``: points for sitting out all its games; ``missed``: the part of them that each
    player did not get because he played.
    """

    key: int
    games: int = 0
    scores: dict[str, float] = field(factory=dict)
    values: dict[str, float] = field(factory=dict)
    missed: dict[str, float] = field(factory=dict)
    out: float = 0.0

    def add(self, game: RatedGame) -> None:
        self.games += 1
        self.out += game.out
        for name, score, value in zip(game.players, game.scores, game.values, strict=True):
            seats = game.players.count(name)
            self.scores[name] = self.scores.get(name, 0.0) + score / seats
            self.values[name] = self.values.get(name, 0.0) + value / seats
            self.missed[name] = self.missed.get(name, 0.0) + game.out / seats

    def closed(self) -> Series:
        names = tuple(sorted(self.scores))
        scores = tuple(self.scores[name] + self.out - self.missed[name] for name in names)
        return Series(names, scores, self.games, self.key, tuple(self.values[name] for name in names))


def grouped(games: Iterable[RatedGame], length: int, short: bool = True, chairs: int = 0) -> Iterator[Series]:
    """Series of ``length`` games: the next ones of the same players, in any seats; other tables may play in between.

    A player at several seats of a game gets their mean. The key of a series is that of its first game, so that a
    series that has grown is recognised. short: whether incomplete series at the end are included. chairs: of a table
    at which some sit out; a game then belongs to the table with most of its players and room for the others.
    """
    tables: dict[frozenset[str], _Open] = {}
    for game in games:
        players = frozenset(game.players)
        names = _seated(tables, players, chairs) if chairs > len(game.players) else players
        table = tables.pop(names, None) or _Open(series_key(*sorted(players), *game.key))
        names |= players
        table.add(game)
        if table.games == length:
            yield table.closed()
        else:
            tables[names] = table
    if short:
        yield from (table.closed() for table in tables.values())


def _seated(tables: Iterable[frozenset[str]], players: frozenset[str], chairs: int) -> frozenset[str]:
    """The open table of these players: all but one of them must have played there, and there is room for the rest."""
    fits = [names for names in tables if len(names | players) <= chairs and len(names & players) >= len(players) - 1]
    return max(fits, key=lambda names: len(names & players), default=players)


# -- records ----------------------------------------------------------------------------------------------------------


def _score(game: Game, record: GameRecord, trust: bool) -> Score:
    if record.passed and record.before is None:
        return Score((0,) * game.seats, detail={"passed": True})
    if trust and "points" in record.result:
        points = tuple(int(p) for p in record.result["points"])
        return Score(points, record.result.get("won"), record.result.get("value"), record.result)
    return Recording.of(game).score(record)


def _names(record: GameRecord, seats: int) -> tuple[str, ...]:
    if len(record.players) != seats or not all(record.players):
        raise InputError(None, None, "players", f"a rating needs the names of all {seats} players")
    return record.players


def games_of_records(
    records: Iterable[GameRecord], game: Game, luck: Luck, on_error: OnError, trust: bool = False
) -> Iterator[RatedGame]:
    """The games of records, with points corrected for luck. Unusable records are passed to ``on_error``."""

    def judged() -> Iterator[Played]:
        for record in records:
            try:
                _names(record, game.seats)
                yield Played(record, _score(game, record, trust))
            except (TricktakeError, ValueError, LookupError, TypeError) as error:
                where, reason = (error.field, error.reason) if isinstance(error, InputError) else (None, str(error))
                on_error(InputError(record.source or record.id, None, where, reason))

    source = judged()
    while batch := list(itertools.islice(source, BATCH)):
        scores, values = luck.points(game, batch)
        for played, points, value in zip(batch, scores.tolist(), values.tolist(), strict=True):
            record = played.record
            key = (game.spec, record.id, record.deal.to_text())
            n = game.seats
            yield RatedGame(
                record.players, tuple(points[:n]), tuple(value[:n]), key, points[n] if len(points) > n else 0.0
            )


# -- files ------------------------------------------------------------------------------------------------------------


@frozen
class Reading:
    """How files become series.

    game: for files that do not name it. series: games of a series, None for the game's own number. luck: factors.
    trust: use recorded points instead of replaying the moves. short: whether the games left at the end of a file are a
    series. format: of the records, None to detect it from the file. on_error: called for what cannot be rated.
    """

    game: Game | None = None
    series: int | None = None
    luck: tuple[str, ...] = ()
    trust: bool = False
    short: bool = True
    format: str | None = None
    on_error: OnError = formats.warn

    def read(self, path: Path) -> tuple[Game | None, int, Iterator[Series]]:
        """The game of a file, the games of a full series, and its series. Raises InputError."""
        kind = _kind(path) if self.format is None else "records"
        if kind == "csv":
            self._no_luck(path, "a table of scores")
            series = series_of_csv(path)
            first = next(series, None)
            if first is None:
                raise InputError(path, None, None, "no series")
            return self.game, self.series or first.games, itertools.chain([first], series)
        if kind == "store":
            self._no_luck(path, "the store of a tournament")
            return self._store(path)
        records = formats.read(path, self.game, self.format, on_error=self.on_error)
        head = next(records, None)
        if head is None:
            raise InputError(path, None, None, "no records that could be rated")
        game = self.game or formats.get_game(head.game)
        assert game is not None
        found = itertools.chain([head], records)
        luck = get_luck(game, self.luck)
        length = self.series or luck.length(game)
        games = games_of_records(self._of_one_game(found, game), game, luck, self.on_error, self.trust)
        return game, length, grouped(games, length, self.short, luck.chairs(game))

    def _of_one_game(self, records: Iterable[GameRecord], game: Game) -> Iterator[GameRecord]:
        for record in records:
            if record.game == game.spec:
                yield record
            else:
                reason = f"a record of {record.game} among those of {game.spec}"
                self.on_error(InputError(record.source, None, "game", reason))

    def _no_luck(self, path: Path, what: str) -> None:
        if self.luck:
            raise InputError(path, None, "luck", f"{what} has no cards to judge luck by")

    def _store(self, path: Path) -> tuple[Game, int, Iterator[Series]]:
        header, found, _ = load(path)
        config = Config.from_row(header["config"], path)
        require_games(path, found, len(config.players))
        try:
            game, seatings = config.make_game(), len(config.schedule().rows)
        except ValueError as error:
            raise InputError(path, 1, "config", str(error)) from error
        rows = complete_deals(found.values(), seatings)
        length = self.series or store_series(game, seatings)
        return game, length, series_of_rows(rows, config.names, game, header["hash"], length, self.short)


def _kind(path: Path) -> str:
    """records, store or csv, by the first line."""
    if str(path) == "-":
        return "records"
    with open_lines(path) as lines:
        head = lines.head(1)
    if '"format":"tricktake-tournament"' in head.replace(" ", ""):
        return "store"
    return "csv" if head.lower().replace(" ", "").startswith(",".join(CSV_FIELDS)) else "records"


# -- stores -----------------------------------------------------------------------------------------------------------


def store_series(game: Game, seatings: int) -> int:
    """Games of a series of a tournament: the game's own number, but complete deals where single games are compared."""
    return game.series if game.series > 1 else seatings


def series_of_rows(
    rows: Iterable[Mapping[str, Any]],
    names: Sequence[str],
    game: Game,
    tournament: str,
    length: int,
    short: bool = True,
) -> Iterator[Series]:
    """The series of the complete deals of a tournament, in the order of its schedule.

    tournament: the hash of its configuration, which identifies it.
    """
    games = (
        RatedGame(
            tuple(names[p] for p in row["players"]),
            tuple(map(float, row["series"])),
            tuple(map(float, row["series"])),
            (game.spec, tournament, row["id"]),
        )
        for row in compared(rows, game)
    )
    return grouped(games, length, short)


# -- tables of scores -------------------------------------------------------------------------------------------------


def series_of_csv(path: Path) -> Iterator[Series]:
    """A table with the columns series, player, score and optionally games; the lines of a series are adjacent.

    games: number of games of the series, the same on all its lines; 1 if there is no such column. Raises InputError
    naming file, line and field.
    """
    with open_lines(path) as lines:
        rows = csv.reader((line.text for line in lines), skipinitialspace=True)
        head = [name.strip().lower() for name in next(rows, [])]
        for name in CSV_FIELDS:
            if head.count(name) != 1:
                raise InputError(path, 1, name, "no such column, or more than one")
        columns = [head.index(name) for name in (*CSV_FIELDS, *(("games",) if "games" in head else ()))]
        done: set[str] = set()
        for name, group in itertools.groupby(_entries(path, rows, columns), lambda entry: entry[0]):
            found = list(group)
            _, _, _, games, line = found[0]
            if name in done:
                raise InputError(path, line, "series", f"{name} is there twice")
            done.add(name)
            names = tuple(entry[1] for entry in found)
            scores = tuple(entry[2] for entry in found)
            if len(set(names)) < len(names):
                raise InputError(path, line, "player", f"somebody sits twice in series {name}")
            if any(entry[3] != games for entry in found):
                raise InputError(path, line, "games", f"series {name} has different numbers of games")
            yield Series(names, scores, games, series_key("csv", name, *sorted(names)), scores)


def _entries(path: Path, rows: Any, columns: Sequence[int]) -> Iterator[tuple[str, str, float, int, int]]:
    """Series, player, score, games and line of each row."""
    fields = (*CSV_FIELDS, "games")
    for row in rows:
        if not row:
            continue
        words = [row[column].strip() if column < len(row) else "" for column in columns]
        if not all(words):
            raise InputError(path, rows.line_num, fields[words.index("")], "is missing")
        try:
            score = float(words[2])
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise InputError(path, rows.line_num, "score", f"{words[2]!r} is no number")
        games = words[3] if len(words) > 3 else "1"
        if not games.isdecimal() or len(games) > 15 or int(games) < 1:
            raise InputError(path, rows.line_num, "games", f"{games[:40]!r} is no number of games")
        yield words[0], words[1], score, int(games), rows.line_num
