"""What is attacked: each parser with samples of what it reads, and how it is called."""

from __future__ import annotations

import gzip
import itertools
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from attrs import frozen
from tricktake_skat import rows as skat

from tricktake import messages
from tricktake.blocks import Block, BlockStore
from tricktake.deal import deal
from tricktake.errors import InputError, TricktakeError
from tricktake.game import find_game
from tricktake.learning import LearnedTable, Question, Rows, feature, find_question, learn
from tricktake.learning.columns import read_columns, write_columns
from tricktake.learning.glem import Glems
from tricktake.learning.outerconfig import read_config
from tricktake.learning.store import is_rows_file, read_rows, write_rows
from tricktake.policy import policyfile
from tricktake.policy.practice import practice_for
from tricktake.policy.train import Settings, Trainer
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.sources import Reading
from tricktake.ratings.state import RatingList, open_list
from tricktake.ratings.state import Rules as RatingRules
from tricktake.ratings.system import get_system
from tricktake.records import formats
from tricktake.records.record import GameRecord, record_of
from tricktake.records.verify import compare
from tricktake.scenario import load as load_scenarios
from tricktake.table import Table
from tricktake.tournament import columns as result_columns
from tricktake.tournament import store
from tricktake.tournament.config import from_mapping, read_toml
from tricktake_lab.experiment import CHECKOUT
from tricktake_lab.fuzz import mutations, protocols
from tricktake_lab.fuzz.mutations import Mutation

DATA = CHECKOUT / "tests" / "data"
PLUGINS = CHECKOUT / "plugins"


class Nameless(AssertionError):
    """An input error that does not say which file it is about."""


@frozen
class Target:
    """name: of the format. suffix: of its files. run(path): what reads a file; it may raise TricktakeError and nothing
    else. samples(): contents that are read without an error. how: mutations.
    """

    name: str
    suffix: str
    run: Callable[[Path], object]
    samples: Callable[[], Sequence[bytes]]
    how: Sequence[Mutation]


# -- records ----------------------------------------------------------------------------------------------------------


def random_record(name: str, seed: int) -> GameRecord:
    """A game played by lot."""
    game = find_game(name)
    rng = np.random.default_rng(seed)
    table = Table.start(game, deal(game.layout, seed, 0), seed % game.boards)
    while table.turn is not None:
        legal = table.legal()
        table.apply(legal[int(rng.integers(len(legal)))])
    return record_of(table, str(seed), tuple(f"p{seat}" for seat in range(game.seats)))


def read_records(form: str) -> Callable[[Path], object]:
    """Reads a file of this format and compares every record with the rules."""

    def run(path: Path) -> None:
        errors: list[InputError] = []
        for record in formats.read(path, None, form, on_error=errors.append):
            compare(find_game(record.game), record)
        named(errors)

    return run


def detected(path: Path) -> None:
    """Reads a file whose format has to be told from its lines."""
    errors: list[InputError] = []
    for _ in formats.read(path, on_error=errors.append):
        pass
    named(errors)


def scanned(form: str) -> Callable[[Path], object]:
    """Reads a file of Skat's games by the compiled scanner."""

    def run(path: Path) -> None:
        errors: list[InputError] = []
        for _ in skat.read_rows(path, form, errors.append):
            pass
        named(errors)

    return run


def named(errors: Sequence[InputError]) -> None:
    """Raises Nameless if one of the errors does not say where it is."""
    for error in errors:
        if error.file is None:
            raise Nameless(str(error))


@cache
def skat_log() -> bytes:
    """Three games of XSkat's log."""
    end = b"=" * 40 + b"\n"
    return end.join(gzip.decompress((DATA / "xskat-500.log.gz").read_bytes()).split(end)[:3]) + end


def written(form: str, games: Sequence[str]) -> Callable[[], Sequence[bytes]]:
    """Files of this format with games played by lot."""

    def samples() -> Sequence[bytes]:
        records = [random_record(name, seed) for name in games for seed in range(2)]
        if form == "parquet":
            return [_written(records[:2]), _written(records[2:])]
        return [formats.get_format(form).dumps(records).encode()]

    return samples


def _written(records: Sequence[GameRecord]) -> bytes:
    return _saved(".parquet", lambda path: formats.write(records, path))


def _saved(suffix: str, save: Callable[[Path], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{suffix}"
        save(path)
        return path.read_bytes()


# -- what was learned -------------------------------------------------------------------------------------------------

ROWS = Rows("fuzz:rows", {"id": (np.int64, "game"), "bids": ((np.int8, 3), "bids"), "won": (np.bool_, "won")})


@feature(domain=4)
def few(game):  # type: ignore[no-untyped-def]
    """A feature."""
    return game.id & 3


QUESTION = Question("fuzz", ROWS, (few,), won=lambda game: game.won)


def some_rows() -> np.ndarray:
    """A few rows."""
    rows = ROWS.empty(20)
    rows["id"] = np.arange(20)
    return rows


def save_rows(path: Path) -> None:
    """Writes a rows file."""
    write_rows(ROWS, [some_rows()], path)


def save_columns(path: Path) -> None:
    """Writes rows as Parquet."""
    write_columns(ROWS, [some_rows()], path)


def rows_file(path: Path) -> None:
    """Reads a rows file, as ``tricktake learn`` does."""
    if is_rows_file(path):
        read_rows(ROWS, path)


def rows_parquet(path: Path) -> None:
    """Reads rows in Parquet."""
    for _ in read_columns(ROWS, path):
        pass


def skat_rows(form: str) -> Callable[[], Sequence[bytes]]:
    """A file of rows of Skat."""

    def samples() -> Sequence[bytes]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.log"
            path.write_bytes(skat_log())
            rows = list(skat.read_rows(path, "xskat"))
        write = write_columns if form == ".parquet" else write_rows
        return [_saved(form, lambda path: write(skat.GAMES, rows, path))]

    return samples


def skat_learned(path: Path) -> None:
    """Learns questions of Skat from rows, whose features are compiled."""
    for name in ("skat:suit", "skat:lead-suit"):
        learn(find_question(name), path)


# -- configurations, stores, lists ------------------------------------------------------------------------------------

TOURNAMENT = b"""game = "skat"
deals = 10
seed = 7
isolate = "no"
[limit]
seconds = 1.5
[[player]]
name = "a"
spec = "core:random"
[[player]]
name = "b"
spec = "bid=skat:rule,exchange=skat:rule,play=core:random"
limit = {worlds = 3}
"""
LOOP = b"""questions = ["skat:suit", "skat:grand"]
games = 100
batches = 2
seed = 1
judge_games = 20
judge_seed = 2
weight = 1.0
[base]
"skat:suit" = "skat:suit"
"""


def tournament(path: Path) -> None:
    """Checks the configuration of a tournament."""
    config, _ = from_mapping(read_toml(path), path)
    config.make_game()


def rated(path: Path) -> None:
    """Reads series from whatever they can be read from."""
    _, _, series = Reading().read(path)
    for _ in itertools.islice(series, 100):
        pass


def stored() -> Sequence[bytes]:
    """The store of a small tournament."""
    config = from_mapping(tomllib.loads(TOURNAMENT.decode()))[0].as_row()
    rows = [
        {"id": f"{n}-0", "deal": n, "players": [0, 1, 1], "points": [1, 0, 0], "series": [1, 0, 0]} for n in range(2)
    ]

    def save(path: Path) -> None:
        with store.Store(path, config) as file:
            for row in rows:
                file.add(row)
            file.add_session({"seconds": 1})

    return [_saved(".jsonl", save)]


def store_and_export(path: Path) -> None:
    """Reads the store of a tournament, and makes columns of it."""
    store.load(path)
    result_columns.export(path, path.with_name("out.parquet"))


def rules() -> RatingRules:
    """Of a list of ratings."""
    return RatingRules(get_system("proportional"), "skat", 36)


def listed() -> Sequence[bytes]:
    """A list of ratings of two players."""
    two = np.ones((2, 1))
    ratings = Ratings(("a", "b"), two * 1000, two, np.array([36, 36]), np.array([100.0, 200.0]))
    return [_saved(".json", RatingList(rules(), ratings, {5, 9}).save)]


def rating_list(path: Path) -> None:
    """Reads a list of ratings."""
    open_list(path, rules())


BLOCK = Block("fuzz", 1, "config", "code", (0, 10))


def save_block(path: Path) -> None:
    """Writes a block."""
    with tempfile.TemporaryDirectory() as folder:
        store = BlockStore(folder)
        store.put(BLOCK, b"result", "here:1")
        path.write_bytes(store.path(BLOCK).read_bytes())


def block(path: Path) -> None:
    """Takes a block of somebody else's folder."""
    with tempfile.TemporaryDirectory() as folder:
        BlockStore(folder).put_file(path)


@cache
def trainer() -> Trainer:
    """Has learned hearts for three rounds."""
    positions = practice_for(find_game("hearts"), "").positions("play", 3, 40)
    found = Trainer(positions, Settings(hidden=64, games=48, ring=100, batch=32, era=2, league=2), 3)
    for progress in (0.0, 0.4, 0.8):
        found.round(progress)
    return found


def save_checkpoint(path: Path) -> None:
    """Writes what a training goes on from."""
    trainer().save(path)


def checkpoint(path: Path) -> None:
    """Goes on from a checkpoint."""
    trainer().restore(path)


# -- messages ---------------------------------------------------------------------------------------------------------


def view_lines() -> Sequence[bytes]:
    """Views of a game in its course, a message each."""
    game = find_game("skat")
    found = []
    for seed in range(2):
        record = random_record("skat", seed)
        table = Table.start(game, record.deal, record.board)
        for number, event in enumerate([*(record.before or ()), *record.plays]):
            if number % 9 == 4 and table.turn is not None:
                found.append(messages.line(messages.view_to_json(table.view(table.turn))))
            table.apply(event.action, event.seat)
    return found


def view_message(path: Path) -> None:
    """Reads the view an engine is sent."""
    messages.view_from_json(messages.parse(path.read_bytes()), find_game("skat"))


def game_message(path: Path) -> None:
    """Reads the description of a game."""
    messages.game_from_json(messages.parse(path.read_bytes()))


def sample_lines(path: Path, n: int) -> Callable[[], Sequence[bytes]]:
    """The first lines of a file, each a sample."""
    return lambda: path.read_bytes().splitlines(True)[:n]


def files(*paths: Path) -> Callable[[], Sequence[bytes]]:
    """The contents of files."""
    return lambda: [path.read_bytes() for path in paths]


def saved(suffix: str, save: Callable[[Path], object]) -> Callable[[], Sequence[bytes]]:
    """What something writes."""
    return lambda: [_saved(suffix, save)]


def dds_samples() -> Sequence[bytes]:
    """The first two records, by themselves and together."""
    rows = (PLUGINS / "bridge/tests/data/dds-10.dds").read_bytes().splitlines(True)[1:]
    one, two = b"".join(rows[:DDS_RECORD]), b"".join(rows[DDS_RECORD : 2 * DDS_RECORD])
    return [one, two, b"NUMBER 2 \n" + one + two]


def log_sample() -> Sequence[bytes]:
    """A log of XSkat."""
    return [skat_log()]


SCENARIOS = sorted((PLUGINS / "skat/tests/scenarios/cards").glob("*.toml"))[:3]
ISS = sample_lines(DATA / "iss-23.sgf", 4)
DDS_RECORD = 7  # lines
SCHAFKOPF = files(PLUGINS / "schafkopf/tests/data/openschafkopf-12.json")
NETS = files(PLUGINS / "skat/src/tricktake_skat/policies/values.policy")
MODELS = files(PLUGINS / "kermit/src/tricktake_kermit/kermit.glem")
LIN = b"""vg|A match,Final,I,1,2,A,0,B,0|
rs|7SS=,PASS,3NTN-2|
pn|s1,w1,n1,e1,s2,w2,n2,e2|pg||
qx|o1|md|1SAKQJT98765432,HAKQJT98765432,DAKQJT98765432|sv|o|mb|7S|an|alerted|mb|p|mb|p|mb|p|pg||pc|H2|mc|13|pg||
nt|A comment
over two lines|
qx|c1|md|1SAKQJT98765432,HAKQJT98765432,DAKQJT98765432|sv|o|mb|7Sdppp|pg||
"""
SERIES = b"series,player,score,games\n1,a,3,4\n1,b,2,4\n2,a,1,4\n"


def table(path: Path) -> None:
    """Reads a learned table."""
    LearnedTable.load(path, QUESTION)


def games_described() -> Sequence[bytes]:
    """Games as engines are told of them."""
    return [messages.line(messages.game_to_json(find_game(name))) for name in ("skat", "bridge")]


_FILES = (
    Target("iss", ".sgf", read_records("iss"), ISS, mutations.TEXT),
    Target("xskat", ".log", read_records("xskat"), log_sample, mutations.TEXT),
    Target("xskat-scan", ".log", scanned("xskat"), log_sample, mutations.TEXT),
    Target("pgn", ".pgn", read_records("pgn"), written("pgn", ("skat",)), mutations.TEXT),
    Target("pgn-scan", ".pgn", scanned("pgn"), written("pgn", ("skat",)), mutations.TEXT),
    Target("pbn", ".pbn", read_records("pbn"), written("pbn", ("bridge",)), mutations.TEXT),
    Target("lin", ".lin", read_records("lin"), lambda: [LIN, *written("lin", ("bridge",))()], mutations.TEXT),
    Target("dds", ".dds", read_records("dds"), dds_samples, mutations.TEXT),
    Target("jsonl", ".jsonl", read_records("jsonl"), written("jsonl", ("skat", "bridge")), mutations.JSON),
    Target("openschafkopf", ".json", read_records("openschafkopf"), SCHAFKOPF, mutations.JSON),
    Target("parquet", ".parquet", read_records("parquet"), written("parquet", ("skat", "bridge")), mutations.PARQUET),
    Target("detected", "", detected, log_sample, mutations.TEXT),
    Target("table", ".table", table, saved(".table", lambda p: learn(QUESTION, some_rows()).save(p)), mutations.ZIP),
    Target("policy", ".policy", policyfile.load, NETS, mutations.ZIP),
    Target("glem", ".glem", Glems.load, MODELS, mutations.ZIP),
    Target("rows", ".rows", rows_file, saved(".rows", save_rows), mutations.JSON),
    Target("rows-parquet", ".parquet", rows_parquet, saved(".parquet", save_columns), mutations.PARQUET),
    Target("learn", ".rows", skat_learned, skat_rows(".rows"), mutations.BYTES),
    Target("learn-parquet", ".parquet", skat_learned, skat_rows(".parquet"), mutations.PARQUET),
    Target("tournament", ".toml", tournament, lambda: [TOURNAMENT], mutations.TEXT),
    Target("outer-loop", ".toml", read_config, lambda: [LOOP], mutations.TEXT),
    Target("scenario", ".toml", load_scenarios, files(*SCENARIOS), mutations.TEXT),
    Target("store", ".jsonl", store_and_export, stored, mutations.JSON),
    Target("rated", ".csv", rated, lambda: [SERIES, *stored()], mutations.JSON),
    Target("ratings", ".json", rating_list, listed, mutations.JSON),
    Target("block", ".block", block, saved(".block", save_block), mutations.JSON),
    Target("checkpoint", ".checkpoint", checkpoint, saved(".checkpoint", save_checkpoint), mutations.ZIP),
)  # fmt: skip
_MESSAGES = (
    Target("view", ".json", view_message, view_lines, mutations.JSON),
    Target("game", ".json", game_message, games_described, mutations.JSON),
    Target("iss-server", "", protocols.skat_hall, lambda: protocols.skat_evening()[0], mutations.TEXT),
    Target("iss-client", "", protocols.skat_client, lambda: protocols.skat_evening()[1], mutations.TEXT),
    Target("table-manager", "", protocols.bridge_manager, lambda: protocols.bridge_session()[0], mutations.TEXT),
    Target("table-player", "", protocols.bridge_player, lambda: protocols.bridge_session()[1], mutations.TEXT),
    Target("engine-host", "", protocols.engine_service, protocols.host_messages, mutations.JSON),
    Target("engine", "", protocols.engine_answer, protocols.engine_messages, mutations.JSON),
    Target("seat", "", protocols.seat_answer, protocols.seat_answers, mutations.JSON),
    Target("server", "", protocols.server_messages, protocols.evening_online, mutations.JSON),
    Target("upload", "", protocols.uploads, log_sample, mutations.TEXT),
)  # fmt: skip
FILES: dict[str, Target] = {target.name: target for target in _FILES}
TARGETS: dict[str, Target] = FILES | {target.name: target for target in _MESSAGES}


def attack(target: Target, data: bytes, folder: Path) -> BaseException | None:
    """Feed a target; what it raised, unless that is an input error as it should be."""
    path = folder / f"x{target.suffix}"
    path.write_bytes(data)
    return attack_file(target, path)


def attack_file(target: Target, path: Path) -> BaseException | None:
    """``attack`` with something that lies there already, a file or not."""
    try:
        target.run(path)
    except TricktakeError:
        return None
    except (Exception, RecursionError, MemoryError) as error:
        return error
    return None
