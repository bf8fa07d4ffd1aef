"""Programs that speak the engine protocol: examples, ours, and those that do everything wrong."""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from tests.conftest import ROOT
from tests.tournaments import PLUGINS
from tricktake.child import Fault
from tricktake.deal import deal
from tricktake.engine import protocol
from tricktake.engine.serve import Service
from tricktake.engine.session import Session
from tricktake.engine.strategy import Engine
from tricktake.enginecheck import check_engine
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.messages import Naming, line, parse
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.tournament.config import Config, from_mapping
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.referee import play
from tricktake.tournament.run import run
from tricktake.tournament.seat import LocalSeat
from tricktake.view import View

SKAT = find_game("skat")
PYTHON = f"{shlex.quote(sys.executable)} -S -E"
EXAMPLE = f"{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'engine_python' / 'engine.py'))}"
NO_LIMIT = Limit()
PATIENCE = 120.0  # seconds for what is expected to happen


@pytest.fixture(scope="session")
def c_engine(tmp_path_factory: pytest.TempPathFactory) -> str:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    made = tmp_path_factory.mktemp("engine") / "engine"
    source = ROOT / "examples" / "engine_c" / "engine.c"
    subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", made, source], check=True)
    return shlex.quote(str(made))


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


def first_view(number: int = 0) -> View:
    return Table.start(SKAT, deal(SKAT.layout, 1, number), 0).view(1)


# -- engines that do as they should ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["skat", "doppelkopf", "the_crew"])
def test_the_example_in_c(game: str, c_engine: str) -> None:
    report = check_engine(c_engine, find_game(game), deals=2, seconds=PATIENCE).require()
    assert next(check.count for check in report.checks if check.name == "legal") > 20


@pytest.mark.parametrize("game", ["skat", "bridge"])
def test_the_example_in_python(game: str) -> None:
    check_engine(EXAMPLE, find_game(game), deals=2, seconds=PATIENCE).require()


def toy(*specs: str, **fields: Any) -> Config:
    """A tournament of the toy game between these players, with patience."""
    data = {"game": "toy", "deals": 1, "seatings": ["ABB"], "start_seconds": PATIENCE, "move_seconds": PATIENCE}
    players = [{"name": f"p{n}", "spec": spec} for n, spec in enumerate(specs)]
    return from_mapping({**data, **fields, "player": players})[0]


def test_an_engine_in_a_tournament(c_engine: str, tmp_path: Path, toys: None) -> None:
    """It plays the same games as a child of ours and as a child of a child."""
    games = {}
    for isolate in ("no", "yes"):
        config = toy(f'core:engine(command="{c_engine}")', "core:random", isolate=isolate)
        games[isolate] = list(run(config, tmp_path / f"{isolate}.jsonl").values())
    assert games["no"] == games["yes"]
    assert not any(row["faults"] for row in games["no"])


def test_our_player_as_an_engine_decides_as_it_does() -> None:
    """From the messages alone, in every phase."""
    player = Player.from_spec("skat:rule")
    service = Service(player, "rule")
    for seat in range(3):
        assert service.answer(line(protocol.new(SKAT, seat))) is None
    decisions = 0
    for number in range(3):
        table = Table.start(SKAT, deal(SKAT.layout, 7, number), number)
        while not table.over:
            view = table.view(table.actor or 0)
            decisions += 1
            asked = line(protocol.decide(decisions, view, 0, NO_LIMIT, {}, 5))
            answer = service.answer(asked)
            decision = player.decide(view, NO_LIMIT, np.random.default_rng(5))
            assert answer == {
                "type": "action",
                "n": decisions,
                "action": decision.action.to_text(SKAT.layout.deck),
                "reason": decision.reason,
            }
            table.apply(decision.action)
    assert decisions > 50


def test_what_a_host_does_wrong_is_an_error() -> None:
    service = Service(Player.from_spec("core:random"), "lot")
    assert service.answer(line(protocol.hello())) == protocol.Hello("lot", protocol.__version__).to_json()
    view = first_view()
    asked = protocol.decide(4, view, 0, NO_LIMIT, {}, 5)

    def refused(message: Any) -> str:
        answer = service.answer(message if isinstance(message, bytes) else line(message))
        assert answer is not None
        assert answer["type"] == "error"
        return answer["message"]

    assert "view.seat: no game has begun for seat 1" in refused(asked)
    assert service.answer(line(protocol.new(SKAT, 1))) is None
    assert service.answer(line(asked))["type"] == "action"  # type: ignore[index]
    assert "is no JSON" in refused(b"nonsense")
    assert "type: is missing" in refused({})
    assert "protocol: must be from 1 to 1" in refused({"type": "hello", "protocol": 2})
    assert "view.legal: there is nothing to decide" in refused(asked | {"view": asked["view"] | {"legal": []}})
    assert "view.hand[0]: no card 'XX'" in refused(asked | {"view": asked["view"] | {"hand": ["XX"]}})
    assert service.answer(line({"type": "of a later version"})) is None


def test_serve_is_a_program(cli: Callable[..., Any]) -> None:
    command = f"{shlex.quote(sys.executable)} -m tricktake engine serve core:random --name lot"
    session = Session(shlex.split(command), PATIENCE, PATIENCE)
    assert session.start().name == "lot"
    session.ping()
    session.new(SKAT, 1)
    view = first_view()
    assert session.decide(view, NO_LIMIT, 3).action in view.legal
    assert session.close() == 0


def test_check_says_what_is_wrong(cli: Callable[..., Any], tmp_path: Path) -> None:
    script = engine(tmp_path, "say(type='action', n=m['n'], action='play CJ')")
    done = cli("engine", "check", script, "--game", "skat", "--deals", "1", "--seconds", PATIENCE)
    assert done.exit_code == 1, done.output
    assert "legal: seed 0, deal 0: step 0, seat 1, phase auction: 'play CJ' is none of" in done.stdout
    none = cli("engine", "check", "/no/such/program", "--game", "skat", "--json")
    assert none.exit_code == 1
    assert "No such file" in json.loads(none.stdout)["checks"][0]["failures"][0]["message"]
    wrong = cli("engine", "check", "'", "--game", "skat")
    assert wrong.exit_code == 2
    assert "command: No closing quotation" in wrong.stderr


@pytest.mark.parametrize("name", [b"\xff/nope", b"caf\xe9", b"/bin/echo \xe9"])
def test_a_command_that_is_not_utf_8_is_refused(cli: Callable[..., Any], name: bytes) -> None:
    done = cli("engine", "check", os.fsdecode(name), "--game", "skat")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: command: is not UTF-8: ")
    assert done.stdout == ""


# -- engines that do not ----------------------------------------------------------------------------------------------

ENGINE = """
import json, os, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def answer():
    say(type="action", n=m["n"], action=m["view"]["legal"][0]["text"])
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="hello", protocol=1, name="bad")
    elif m["type"] == "ping":
        say(type="pong", n=m["n"])
    elif m["type"] == "new":
        seat = m["seat"]
    elif m["type"] == "decide":
        {decide}
    elif m["type"] == "quit":
        {quit}
"""


def engine(folder: Path, decide: str = "answer()", quits: str = "break") -> str:
    """The command of an engine that does this when it is asked."""
    file = folder / "bad.py"
    file.write_text(ENGINE.replace("{decide}", decide.replace("\n", "\n        ")).replace("{quit}", quits))
    return f"{PYTHON} {shlex.quote(str(file))}"


@pytest.mark.parametrize(
    ("decide", "kind", "reason"),
    [
        ("pass", "time", "no answer in 0.3 s"),
        ("time.sleep(1000)", "time", "no answer in 0.3 s"),
        ("os._exit(3)", "crash", "exit code 3"),
        ("os.kill(os.getpid(), 9)", "crash", "signal 9"),
        ("os.close(1)", "crash", "the process died"),
        ("print('nonsense', flush=True)", "garbled", "no JSON"),
        ("print('[]', flush=True)", "garbled", "must be a JSON object"),
        ("print('x' * 100_000, flush=True)", "garbled", "more than 65536 bytes"),
        ("say(type='action', n=m['n'] + 1, action='pass')", "garbled", "an answer to 2, not to 1"),
        ("say(type='action', n=m['n'])", "garbled", "action: is missing"),
        ("say(type='action', n=m['n'], action='play XX')", "garbled", "action: no card 'XX'"),
        ("say(type='action', n=m['n'], action='pass', reason=5)", "garbled", "reason: must be text"),
        ("say(type='action', n=m['n'], action='pass', probabilities={'pass': 7})", "garbled", "probabilities.pass"),
        ("sys.stdout.write(2 * '{}\\n'); sys.stdout.flush()", "garbled", "no question"),
        ("say(type='error', n=m['n'], message='no idea')", "error", "no idea"),
        ("print('last words', file=sys.stderr, flush=True); os._exit(1)", "crash", "exit code 1"),
    ],
)
def test_faults_of_engines(decide: str, kind: str, reason: str, tmp_path: Path) -> None:
    slow = kind == "time"
    player = Engine(engine(tmp_path, decide), seconds=0.3 if slow else PATIENCE)
    with pytest.raises(Fault, match=reason) as found:
        player.decide(first_view(), NO_LIMIT, np.random.default_rng(0))
    assert found.value.kind == kind
    if "last words" in decide:
        assert found.value.trace == "last words\n"
    player.close()


def test_an_engine_that_floods_its_output_is_heard(tmp_path: Path) -> None:
    player = Engine(engine(tmp_path, "sys.stderr.write('x' * 1_000_000); answer()"), seconds=PATIENCE)
    view = first_view()
    for _ in range(3):
        assert player.decide(view, NO_LIMIT, np.random.default_rng(0)).action == view.legal[0]
    player.close()


def test_it_is_started_again_and_told_of_the_game(tmp_path: Path) -> None:
    player = Engine(engine(tmp_path, "assert seat == 1 and m['since'] == 0\nanswer()\nos._exit(0)"), seconds=PATIENCE)
    player.begin("skat", 1)
    view = first_view()
    outcomes = []
    for _ in range(4):
        try:
            outcomes.append(player.decide(view, NO_LIMIT, np.random.default_rng(0)).action == view.legal[0])
        except Fault as fault:
            outcomes.append(fault.kind)
    assert outcomes == [True, "crash", True, "crash"]


def test_what_happened_since(tmp_path: Path) -> None:
    decide = "say(type='action', n=m['n'], action='pass', reason=f\"{m['since']} of {len(m['view']['events'])}\")"
    player = Engine(engine(tmp_path, decide), seconds=PATIENCE)
    table = Table.start(SKAT, deal(SKAT.layout, 1, 0), 0)
    player.begin("skat", 1)
    player.begin("skat", 0)
    asked = []
    for text, seat in (("bid:18", 1), ("yes", 0), ("bid:20", 1), ("pass", 0)):
        assert table.actor == seat
        asked.append((seat, player.decide(table.view(seat), NO_LIMIT, np.random.default_rng(0)).reason))
        table.apply(SKAT.parse(text, table))
    assert asked == [(1, "0 of 0"), (0, "0 of 1"), (1, "0 of 2"), (0, "1 of 3")]
    player.close()


def test_one_that_does_not_start_is_asked_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = Engine(f"/bin/sh -c 'echo started >> {log}; exit 5'", seconds=PATIENCE)
    for _ in range(3):
        with pytest.raises(Fault, match="does not start: the process died: exit code 5") as found:
            player.decide(first_view(), NO_LIMIT, np.random.default_rng(0))
        assert found.value.kind == "start"
    assert log.read_text() == "started\n"
    with pytest.raises(Fault, match="its hello: protocol: must be from 1 to 1"):
        Session([sys.executable, "-c", 'print(\'{"type":"hello","protocol":2}\')'], 1, PATIENCE).start()


def test_the_clock_of_a_game(tmp_path: Path) -> None:
    player = Engine(engine(tmp_path, "time.sleep(1000)"), seconds=PATIENCE, game_seconds=0.2)
    for reason in ("no answer in 0.2 s", "0.2 s of the game are over"):
        with pytest.raises(Fault, match=reason) as fault:
            player.decide(first_view(), NO_LIMIT, np.random.default_rng(0))
        assert fault.value.kind == "time"


def test_roles_it_does_not_play(tmp_path: Path) -> None:
    file = tmp_path / "narrow.py"
    file.write_text(
        ENGINE.replace("{decide}", "answer()")
        .replace("{quit}", "break")
        .replace('name="bad"', 'name="bad", roles=["play"]')
    )
    player = Engine(f"{PYTHON} {file}", seconds=PATIENCE)
    with pytest.raises(Fault, match="bad does not say that it decides 'bid' in skat"):
        player.decide(first_view(), NO_LIMIT, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("core:engine", "command"),
        ("core:engine(command=3)", "command: must be a command line, not 3"),
        ('core:engine(command="a \'b")', "command: No closing quotation"),
        ("core:engine(command=' ')", "command: is empty"),
        ("core:engine(command=x,seconds=0)", "seconds: must be seconds above 0, not 0"),
        ("core:engine(command=x,game_seconds=no)", "game_seconds: must be seconds above 0"),
    ],
)
def test_options(spec: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Player.from_spec(spec)


def test_its_faults_are_charged_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = engine(tmp_path, "os._exit(3)")
    seats = [LocalSeat(PlayerConfig.from_text(spec).make, NO_LIMIT) for spec in (
        f'core:engine(command="{command}")', "core:random", "core:random"
    )]  # fmt: skip
    table = Table.start(SKAT, deal(SKAT.layout, 1, 0), 0)
    faults = play(table, seats, seed=1, game_id="x")
    assert table.over
    assert {(fault.seat, fault.kind) for fault in faults} == {(0, "crash")}
    for seat in seats:
        seat.close()


def test_a_fault_within_a_process_keeps_its_kind(tmp_path: Path, toys: None) -> None:
    bad = f'core:engine(command="{engine(tmp_path, "os._exit(3)")}")'
    config = toy(bad, "toyparts:high", isolate="yes")
    rows = run(config, tmp_path / "games.jsonl")
    assert {fault["kind"] for row in rows.values() for fault in row["faults"]} == {"crash"}


# -- nothing of it is left --------------------------------------------------------------------------------------------

OFFSPRING = """
import subprocess
pipe = os.open({fifo!r}, os.O_WRONLY)
os.set_inheritable(pipe, True)
subprocess.Popen(["sleep", "1000"], close_fds=False)
"""


def with_offspring(folder: Path, decide: str) -> tuple[str, int]:
    """An engine with a child of its own, and the end of a pipe that both of them hold."""
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    command = engine(folder, OFFSPRING.format(fifo=str(fifo)) + decide, "time.sleep(1000)")
    return command, os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)


def test_its_children_die_with_it(tmp_path: Path) -> None:
    command, reader = with_offspring(tmp_path, "answer()")
    player = Engine(command, seconds=PATIENCE)
    player.decide(first_view(), NO_LIMIT, np.random.default_rng(0))
    del player  # nobody closed it
    ended(reader)


def test_it_dies_with_its_host(tmp_path: Path) -> None:
    """Even if that is killed."""
    command, reader = with_offspring(tmp_path, "")
    host = f"""
import os, shlex, signal
from tricktake.engine.session import Session
session = Session(shlex.split({command!r}), {PATIENCE}, {PATIENCE})
session.start()
session.tell({{"type": "decide"}})
session.ping()
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", host], cwd=ROOT, capture_output=True, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL, done.stderr
    ended(reader)


def ended(reader: int) -> None:
    """Wait until everybody who writes there has ended."""
    ready, _, _ = select.select([reader], [], [], PATIENCE)
    assert ready
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_answers_of_a_hello_are_kept() -> None:
    said = protocol.Hello("x", "1", ("skat",), ("bid",))
    assert protocol.Hello.from_json(parse(line(said.to_json()))) == said
    assert said.plays("skat", "bid")
    assert not said.plays("skat", "play")
    assert not said.plays("bridge")
    answer = protocol.Answer(first_view().legal[0], "because", {"pass": 0.25})
    read = protocol.Answer.from_json(parse(line(answer.to_json(3, Naming(SKAT.layout)))), Naming(SKAT.layout))
    assert attrs.asdict(read) == attrs.asdict(answer)
