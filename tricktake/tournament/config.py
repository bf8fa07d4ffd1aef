"""The configuration of a tournament: read from TOML or options, checked, and hashed by all that affects its result."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from attrs import asdict, evolve, frozen

from tricktake.errors import InputError, TricktakeError, UnknownName
from tricktake.game import Game, find_game
from tricktake.plugins import manager
from tricktake.pool import MOST_JOBS
from tricktake.search.limit import Limit
from tricktake.settings import toml_of
from tricktake.spec import Spec
from tricktake.strategies.player import game_roles
from tricktake.tournament import sandbox
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import MAX_FAULTS
from tricktake.tournament.schedule import Schedule, parse_seatings, roles, seatings
from tricktake.tournament.seatprocess import MOVE_SECONDS, START_SECONDS, Containment
from tricktake.tournament.sequential import MOST_DEALS, Until

T = TypeVar("T")

MODES = ("match", "contracts")
MOST_GAMES, MOST_SECONDS, MOST_MEGABYTES = 10**12, 366 * 24 * 3600, 1 << 30  # more than that is a slip
ISOLATE = ("auto", "yes", "no", "sandbox")


@frozen
class Config:
    """A tournament: the fields of the TOML file, explained in ``docs/tournaments.md``.

    game (a spec such as ``skat(players=4)``), seed, deals, seatings ("all", "pairs" or rows like "ABB"), players.
    mode: "match" (whole games) or "contracts" (fixed contracts, roles swapped), taken from ``records`` or made by
    ``bidder``.
    move_seconds: None for 60 s where it can be enforced. max_faults: a game. memory_mb, start_seconds: of a player's
    process. isolate: who gets one. fresh: a new one for every game.
    """

    game: str
    players: tuple[PlayerConfig, ...]
    deals: int = 100
    seed: int = 0
    mode: str = "match"
    seatings: str | tuple[str, ...] = "all"
    records: tuple[str, ...] = ()
    bidder: PlayerConfig | None = None
    move_seconds: float | None = None
    start_seconds: float = START_SECONDS
    max_faults: int = MAX_FAULTS
    memory_mb: int | None = None
    isolate: str = "auto"
    fresh: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def make_game(self) -> Game:
        """The game of the spec. Raises UnknownName, or InputError for options it does not take."""
        return find_game(self.game)

    def schedule(self) -> Schedule:
        """Raises ValueError if players and seatings do not fit."""
        if self.mode == "contracts":
            return Schedule(self.deals, roles(len(self.players)))
        game = self.make_game()
        if isinstance(self.seatings, str):
            teams = game.teams or tuple(range(game.seats))
            rows = seatings(len(self.players), len(set(teams)), self.seatings)
            return Schedule(self.deals, tuple(tuple(row[team] for team in teams) for row in rows))
        return Schedule(self.deals, parse_seatings(self.seatings, len(self.players), game.seats))

    def containment(self) -> Containment:
        seconds = MOVE_SECONDS if self.move_seconds is None else self.move_seconds
        sandboxed = self.isolate == "sandbox"
        megabytes = sandbox.MEMORY_MB if sandboxed and self.memory_mb is None else self.memory_mb
        return Containment(seconds, self.start_seconds, megabytes, sandboxed)

    def require_sandbox(self) -> None:
        """Raises InputError if players shall be in a sandbox and this system has none."""
        if self.isolate == "sandbox":
            sandbox.require()

    def isolated(self, player: PlayerConfig) -> bool:
        """Whether this player runs in a process of its own.

        "auto": parts of the core and of the game's own plugin are trusted, since that plugin's code referees the game
        and sees all cards anyway, unless a limit on time or memory is set, which needs a process to enforce it.
        """
        if self.isolate != "auto":
            return self.isolate != "no"
        if self.move_seconds is not None or self.memory_mb is not None:
            return True
        return not player.owners <= {"core", manager().games.owner(Spec.from_text(self.game, "game").name)}

    def as_row(self) -> dict[str, Any]:
        """Everything that affects the result, as JSON values; the records by their content."""
        row = asdict(self, recurse=False)
        row["players"] = [player.as_row() for player in self.players]
        row["bidder"] = self.bidder.as_row() if self.bidder else None
        row["seatings"] = list(self.seatings) if isinstance(self.seatings, tuple) else self.seatings
        row["records"] = [{"name": Path(name).name, "hash": _file_hash(name)} for name in self.records]
        row["game"], row["game_version"] = self.make_game().spec, self.make_game().version
        return row

    @classmethod
    def from_row(cls, row: Mapping[str, Any], file: str | Path | None = None) -> Config:
        """What ``as_row`` wrote, as the header of a store has it; no name is looked up. Raises InputError."""
        try:
            return cls._of_row(row)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            reason = f"not as a tournament writes it: {type(error).__name__}: {error}"
            raise InputError(file, 1, "config", reason) from error

    @classmethod
    def _of_row(cls, row: Mapping[str, Any]) -> Config:
        fields = {name: row[name] for name in ("game", "deals", "seed", "mode", "max_faults")}
        if not isinstance(fields["game"], str):
            raise TypeError(f"game is {fields['game']!r}, no text")
        fields["players"] = tuple(PlayerConfig.from_row(player) for player in row["players"])
        fields["seatings"] = row["seatings"] if isinstance(row["seatings"], str) else tuple(row["seatings"])
        return cls(**fields)

    def check(self, file: str | Path | None = None) -> Config:
        """Itself, after all names were looked up. Raises InputError naming the field, or UnknownName."""
        game = _in_field(file, "game", self.make_game)
        self.require_sandbox()
        roles = game_roles(game)
        needed = roles[-1:] if self.mode == "contracts" else roles
        for number, player in enumerate(self.players, 1):
            _in_field(file, f"player {number}", functools.partial(player.require, needed, roles))
        if len(self.players) < 2:
            raise InputError(file, None, "player", "a tournament needs two players or more")
        if len(set(self.names)) < len(self.names):
            raise InputError(file, None, "player", f"two players of the same name: {', '.join(self.names)}")
        if self.mode == "contracts":
            self._check_contracts(file, game)
        elif self.records or self.bidder:
            raise InputError(file, None, "records" if self.records else "bidder", 'belongs to mode = "contracts"')
        _in_field(file, "seatings", self.schedule)
        return self

    def _check_contracts(self, file: str | Path | None, game: Game) -> None:
        if bool(self.records) == bool(self.bidder):
            raise InputError(file, None, "mode", "contracts come either from records or from a bidder: name one")
        for name in self.records:
            if not Path(name).is_file():
                raise InputError(file, None, "records", f"no such file: {name}")
        if self.bidder is not None:
            _in_field(file, "bidder", functools.partial(self.bidder.require, game_roles(game)[:-1], game_roles(game)))


def _in_field(file: str | Path | None, name: str, call: Callable[[], T]) -> T:
    try:
        return call()
    except InputError as error:
        if error.file is not None:
            raise
        field = f"{name}.{error.field}" if error.field and error.field != name else name
        raise InputError(file, error.line, field, error.reason) from None
    except TricktakeError as error:
        raise InputError(file, None, name, str(error)) from None
    except ValueError as error:
        raise InputError(file, None, name, str(error)) from None


def _file_hash(name: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with open(name, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


# -- reading ----------------------------------------------------------------------------------------------------------


@frozen
class _Field:
    """How a field is checked: the types it may have and a condition on the value."""

    types: tuple[type, ...]
    says: str
    holds: Callable[[Any], bool] = lambda value: True


_COUNT = _Field((int,), "a whole number above 0", lambda value: value > 0)
_CHANCE = _Field((int, float), "a chance above 0 and below 1/2", lambda value: 0 < value < 0.5)
_TIME = _Field((int, float), "seconds, above 0 and no more than a year", lambda value: 0 < value <= MOST_SECONDS)
_FIELDS: Mapping[str, _Field] = {
    "game": _Field((str,), "the name of a game"),
    "deals": _Field((int,), f"a whole number from 1 to {MOST_GAMES}", lambda value: 0 < value <= MOST_GAMES),
    "seed": _Field((int,), "a whole number, 0 or more", lambda value: value >= 0),
    "mode": _Field((str,), f"one of {', '.join(MODES)}", lambda value: value in MODES),
    "seatings": _Field((str, list), '"all", "pairs" or a list such as ["ABB", "BAA"]'),
    "records": _Field((list,), "a list of files", lambda value: all(isinstance(v, str) for v in value)),
    "bidder": _Field((str, dict), "a strategy"),
    "move_seconds": _TIME,
    "start_seconds": _TIME,
    "max_faults": _COUNT,
    "memory_mb": _Field((int,), "megabytes, 64 or more", lambda value: 64 <= value <= MOST_MEGABYTES),
    "isolate": _Field((str,), f"one of {', '.join(ISOLATE)}", lambda value: value in ISOLATE),
    "fresh": _Field((bool,), "true or false"),
    "player": _Field((list,), "tables [[player]]", lambda value: all(isinstance(v, dict) for v in value)),
    "limit": _Field((dict,), "a table"),
    # how to run it; no effect on the result:
    "jobs": _Field((int,), f"a number of processes, at most {MOST_JOBS}", lambda value: 0 < value <= MOST_JOBS),
    "store": _Field((str,), "a file"),
    # how long to run it:
    "until": _Field((str,), 'a question such as "A-B>0"'),
    "alpha": _CHANCE,
    "beta": _CHANCE,
    "delta": _Field((int, float), "a difference in points above 0", lambda value: value > 0),
}
QUESTION = ("until", "alpha", "beta", "delta")
RUNNING = ("jobs", "store", *QUESTION)


def read_toml(path: str | Path) -> dict[str, Any]:
    """The tables of a file; names of files in it are relative to it. Raises InputError."""
    path = Path(path)
    data = toml_of(path)
    if isinstance(data.get("store"), str):
        data["store"] = str(path.parent / data["store"])
    if isinstance(data.get("records"), list):
        data["records"] = [str(path.parent / r) if isinstance(r, str) else r for r in data["records"]]
    return data


def from_mapping(data: Mapping[str, Any], file: str | Path | None = None) -> tuple[Config, dict[str, Any]]:
    """The checked tournament, and how to run it (``RUNNING``). Raises InputError naming file and field."""
    for name, value in data.items():
        known = _FIELDS.get(name)
        if known is None:
            raise InputError(file, None, name, str(UnknownName("field", name, _FIELDS)))
        wrong = not isinstance(value, known.types) or (isinstance(value, bool) and bool not in known.types)
        if wrong or not known.holds(value):
            raise InputError(file, None, name, f"must be {known.says}, not {value!r}")
    for name in ("game", "player"):
        if name not in data:
            raise InputError(file, None, name, "is missing")
    limit = _in_field(file, "limit", lambda: limit_from(data.get("limit", {})))
    fields = {k: v for k, v in data.items() if k not in RUNNING and k not in ("player", "limit", "bidder")}
    fields["players"] = tuple(_player(row, n, limit, file) for n, row in enumerate(data["player"], 1))
    if "bidder" in data:
        row = data["bidder"] if isinstance(data["bidder"], dict) else {"spec": data["bidder"]}
        fields["bidder"] = evolve(_player(row, 0, limit, file), name="bidder")
    for name in ("seatings", "records"):
        if isinstance(fields.get(name), list):
            fields[name] = tuple(fields[name])
    if "until" in data:
        fields.setdefault("deals", MOST_DEALS)
    return Config(**fields).check(file), {k: data[k] for k in RUNNING if k in data}


def question(running: Mapping[str, Any], names: Sequence[str], file: str | Path | None = None) -> Until | None:
    """What the tournament shall decide, from the fields ``QUESTION``. Raises InputError."""
    given = {name: running[name] for name in QUESTION if name in running}
    if not given:
        return None
    if "until" not in given:
        raise InputError(file, None, next(iter(given)), "belongs to until")
    told = {"delta": None, **given}
    try:
        return Until.from_text(told.pop("until"), names, **told)
    except InputError as error:
        raise InputError(file, None, error.field, error.reason) from None


def _player(row: Mapping[str, Any], number: int, limit: Limit, file: str | Path | None) -> PlayerConfig:
    where = f"player {number}" if number else "bidder"
    if "limit" in row:
        limit = _in_field(file, f"{where}.limit", lambda: limit_from(row["limit"]))
    parts = {key: value for key, value in row.items() if key != "limit"}
    return _in_field(file, where, lambda: PlayerConfig.from_mapping(parts, limit))


def limit_from(table: Any) -> Limit:
    """``Limit`` from a table with seconds, nodes, worlds. Raises InputError naming the field."""
    names = ("seconds", "nodes", "worlds")
    if not isinstance(table, Mapping):
        raise InputError(None, None, None, f"must be a table with {', '.join(names)}")
    for name, value in table.items():
        types: Sequence[type] = (int, float) if name == "seconds" else (int,)
        if name not in names:
            raise InputError(None, None, name, f"unknown; known: {', '.join(names)}")
        if type(value) not in types or value <= 0:
            raise InputError(None, None, name, f"must be above 0, not {value!r}")
    return Limit(**table)
