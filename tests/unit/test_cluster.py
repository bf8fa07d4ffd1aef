"""A scheduler and two workers as processes of their own: the same results as alone, whatever dies meanwhile."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from tests.tournaments import ENV, HERE, PLUGINS, toy
from tests.unit.test_replay import as_record, finished
from tests.unit.test_tournament_run import default_signals
from tricktake.blocks import BlockDiffers, BlockStore, Keeping, Work, run
from tricktake.blocks.cluster import Cluster, WorkersDiffer
from tricktake.errors import InputError, TricktakeError
from tricktake.game import find_game
from tricktake.learning import find_question
from tricktake.learning.learn import learn_played
from tricktake.learning.outer import OuterLoop
from tricktake.learning.outerconfig import from_mapping
from tricktake.policy.practice import practice_for
from tricktake.policy.train import Settings, Trainer
from tricktake.pool import Plain, WorkerFailed
from tricktake.tournament.config import Config
from tricktake.tournament.players import PlayerConfig
from tricktake.tournament.replay import replay
from tricktake.tournament.run import run as play

distributed = pytest.importorskip("distributed")

ROOT = HERE.parent
ALL = f"{PLUGINS},{HERE / 'toylearning.py'}"
PATIENCE = 120  # seconds until something that is waited for must be there


@define
class Nodes:
    """A scheduler at a port the system chose, and its workers, each in a folder of its own."""

    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(factory=list)
    others: list[subprocess.Popen[bytes]] = field(factory=list)

    @property
    def file(self) -> Path:
        return self.folder / "scheduler.json"

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def start(self, what: str, *words: object, plugins: str = ALL) -> subprocess.Popen[bytes]:
        own = Path(tempfile.mkdtemp(prefix=what, dir=self.folder))
        command = [sys.executable, "-m", "dask", what, "--host", "127.0.0.1", "--no-dashboard", *map(str, words)]
        env = {**ENV, "TRICKTAKE_PLUGINS": plugins, "PYTHONPATH": str(ROOT)}
        with (own / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=own, env=env, stdout=log, stderr=log, start_new_session=True)

    def worker(self, plugins: str = ALL) -> subprocess.Popen[bytes]:
        words = ("--scheduler-file", self.file, "--no-nanny", "--nthreads", 1)
        process = self.start("worker", *words, plugins=plugins)
        self.workers.append(process)
        return process

    def end(self) -> None:
        for process in (*self.workers, *self.others):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    found = Nodes(tmp_path_factory.mktemp("nodes"))
    found.others.append(found.start("scheduler", "--port", 0, "--scheduler-file", found.file))
    try:
        wait_for(found.file.is_file, found.others[0])
        found.worker()
        found.worker()
        yield found
    finally:
        found.end()


def wait_for(there: Callable[[], object], process: subprocess.Popen[Any]) -> None:
    limit = time.monotonic() + PATIENCE
    while not there():
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", ALL)


@pytest.fixture
def cluster(nodes: Nodes) -> Iterator[Cluster]:
    with Cluster(nodes.address) as found:
        found._client.wait_for_workers(len(nodes.workers), timeout=PATIENCE)
        yield found


@pytest.fixture
def keeping(cluster: Cluster, tmp_path: Path) -> Keeping:
    return Keeping(BlockStore(tmp_path / "blocks"), cluster)


# -- the same results -------------------------------------------------------------------------------------------------


def test_a_tournament(keeping: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricktake.tournament.run.BLOCK", 3)
    config = toy("high", "dice", deals=12, seed=2)
    alone = play(config, tmp_path / "alone.jsonl")
    assert play(config, tmp_path / "cup.jsonl", keeping) == alone
    *games, session = (tmp_path / "cup.jsonl").read_text().splitlines()[1:]
    assert games == (tmp_path / "alone.jsonl").read_text().splitlines()[1:-1]
    assert json.loads(session)["session"]["players"].keys() == {"high", "dice"}


def test_a_replay(keeping: Keeping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricktake.tournament.replay.BLOCK", 3)
    game = find_game("toy")
    records = [as_record(finished(game, number), number) for number in range(10)]
    config = Config("toy", (PlayerConfig.from_text("toyparts:dice"),), isolate="no")
    keep = frozenset({"auction", "contract", "skat"})
    alone = list(replay(config, keep, records))
    assert len(alone) == 10
    assert any(row.status == "played" for row in alone)
    assert list(replay(config, keep, records, keeping)) == alone
    assert len(list(keeping.store.folder.rglob("*.block"))) == 4
    other = [*records[:3], records[9], *records[4:]]  # a record of the second block is another one
    list(replay(config, keep, other, keeping))
    assert len(list(keeping.store.folder.rglob("*.block"))) == 5


def test_learned_tables(keeping: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricktake.learning.selfplay.BLOCK", 12)
    asked = [find_question("toylearning:hand")]
    files = [tmp_path / "alone.table", tmp_path / "kept.table"]
    for file, jobs in zip(files, (1, keeping), strict=True):
        (table,) = learn_played(asked, 5, 40, jobs=jobs)
        table.save(file)
    assert table.games > 10
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_outer_loop(keeping: Keeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player asks the tables of each batch, which workers are sent."""
    monkeypatch.setattr("tricktake.learning.selfplay.PLAYER_BLOCK", 9)
    player = "bid=toylearning:bidder(table=@toylearning:hand),play=core:random"
    data = {"questions": ["toylearning:hand"], "games": 25, "batches": 2, "player": player, "judge_games": 10}
    config = from_mapping({**data, "judge_seed": 4})
    list(OuterLoop(config, tmp_path / "alone").run())
    list(OuterLoop(config, tmp_path / "kept", keeping).run())
    files = sorted(path.relative_to(tmp_path / "alone") for path in (tmp_path / "alone").rglob("*") if path.is_file())
    assert len(files) >= 8
    for file in files:
        assert (tmp_path / "alone" / file).read_bytes() == (tmp_path / "kept" / file).read_bytes(), file


def test_training(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds whose games are played elsewhere, in parts, with earlier networks among the players."""
    monkeypatch.setattr("tricktake.policy.actors.PART", 7)
    positions = practice_for(find_game("hearts")).positions("play", 3, 20)
    settings = Settings(hidden=64, games=24, ring=400, batch=16, era=1, share=0.5)
    trainers = [Trainer(positions, settings, 3, jobs=jobs) for jobs in (1, cluster)]
    for _ in range(3):
        assert len({trainer.round(0.5) for trainer in trainers}) == 1
    alone, apart = (trainer.state for trainer in trainers)
    assert (alone.weights == apart.weights).all()
    assert alone.counts["decisions"] == apart.counts["decisions"] > 100
    assert len(apart.league) == 3
    assert (alone.weights != Trainer(positions, settings, 3).state.weights).any()


def moment(number: int) -> tuple[str, float, float]:
    """Where a task is done, and from when to when."""
    begun = time.monotonic()
    time.sleep(0.02)
    return distributed.get_worker().address, begun, time.monotonic()


def test_one_process_of_a_new_machine_compiles_before_the_others_come(cluster: Cluster) -> None:
    first = sorted(cluster._client.nthreads())[-1]
    cluster._cold = [first]
    found = list(cluster.run(functools.partial(Plain, moment), range(12), ordered=True))
    (where, _, ended), *rest = found
    assert where == first
    assert all(begun >= ended for _, begun, _ in rest)
    assert len(rest) == 11


# -- what goes wrong --------------------------------------------------------------------------------------------------


def test_who_computes_something_else_is_named(nodes: Nodes, cluster: Cluster) -> None:
    """A worker without one of the plugins, before work and when it comes later."""
    other = nodes.worker(PLUGINS)
    try:
        cluster._client.wait_for_workers(3, timeout=PATIENCE)
        with pytest.raises(
            WorkersDiffer, match=r"tcp://127\.0\.0\.1:\d+ \(.*\): plugin toylearning is missing there, "
        ):
            Cluster(nodes.address).__enter__()
        with pytest.raises(WorkersDiffer, match="came later and has other code"):
            list(cluster.run(functools.partial(Plain, abs), range(200)))
    finally:
        other.kill()
        other.wait()
        nodes.workers.remove(other)
        wait_for(lambda: len(cluster._client.nthreads()) == 2, nodes.others[0])


def test_files_that_differ_are_named(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.policy").write_text("weights")
    monkeypatch.chdir(tmp_path)
    cluster.check([str(tmp_path / "own.policy")])  # the same disk
    with pytest.raises(WorkersDiffer, match=r"file own\.policy is missing there"):
        cluster.check(["own.policy"])


def slow(folder: str, number: int) -> int:
    """Says where it is done, and takes its time."""
    (Path(folder) / f"{number}.{os.getpid()}").touch()
    time.sleep(0.05)
    return number * number


def test_a_worker_that_is_killed(nodes: Nodes, cluster: Cluster, tmp_path: Path) -> None:
    victim = nodes.workers[0]
    found = []
    for result in cluster.run(
        functools.partial(Plain, functools.partial(slow, str(tmp_path))), range(40), ordered=True
    ):
        found.append(result)
        if len(found) == 10:
            wait_for(lambda: any(tmp_path.glob(f"*.{victim.pid}")), victim)
            victim.kill()
            victim.wait()
    assert found == [n * n for n in range(40)]
    nodes.workers.remove(victim)
    wait_for(lambda: len(cluster._client.nthreads()) == 1, nodes.others[0])


def fail(number: int) -> int:
    if number == 3:
        raise InputError("file", 1, "field", "three")
    if number == 5:
        raise RuntimeError("five")
    return number


def test_a_client_that_has_given_up(cluster: Cluster) -> None:
    """It lost the scheduler while nobody looked: it is made anew, and what was in flight is sent again."""
    found = []
    for result in cluster.run(functools.partial(Plain, fail), [0, 1, 2] * 5, ordered=True):
        found.append(result)
        if len(found) == 4:
            cluster._client.close()
    assert found == [0, 1, 2] * 5


def as_text(number: int) -> bytes:
    return str(number).encode()


def test_how_a_task_failed(cluster: Cluster) -> None:
    work = functools.partial(Plain, fail)
    with pytest.raises(InputError, match="three"):
        list(cluster.run(work, range(5), ordered=True))
    with pytest.raises(WorkerFailed, match="RuntimeError: five"):
        list(cluster.run(work, [4, 5], ordered=True))
    assert list(cluster.run(work, range(2), ordered=True)) == [0, 1]


def test_a_block_that_differs(keeping: Keeping) -> None:
    """Somebody else keeps another result of a block while it is done here."""
    work = Work("squares", 1, {}, functools.partial(Plain, fail), as_text, int)

    def tasks() -> Iterator[tuple[tuple[int, int], int]]:
        yield (0, 1), 0
        yield (1, 1), 1
        keeping.store.put(work.block((0, 1), 0), b"7", "elsewhere:12")
        yield (2, 1), 2

    with pytest.raises(BlockDiffers, match=r"squares 0 to 0 of seed 1 .*computed is not what elsewhere:12 computed"):
        list(run(work, tasks(), keeping))


@pytest.mark.parametrize(
    ("address", "said"), [("local:0", "local:N"), ("local:x", "local:N"), ("host:1", "tcp://HOST")]
)
def test_addresses(address: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Cluster(address).__enter__()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TricktakeError, match=r"pip install 'tricktake\[cluster\]'"):
        Cluster("tcp://127.0.0.1:9").__enter__()


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricktake.blocks.cluster.CONNECT_SECONDS", 0.5)
    with pytest.raises(TricktakeError, match="no scheduler answers at tcp://127"):
        Cluster("tcp://127.0.0.1:9").__enter__()


CUP = """
game = "toy"
deals = 30
seed = 3
store = "games.jsonl"
isolate = "no"
[[player]]
spec = "toyparts:slow"
[[player]]
spec = "toyparts:dice"
"""


def test_control_c_leaves_the_cluster_and_says_how_to_go_on(nodes: Nodes, tmp_path: Path, cli: Any) -> None:
    (tmp_path / "cup.toml").write_text(CUP)
    words = ["tournament", str(tmp_path / "cup.toml"), "--cluster", nodes.address]
    env = {**ENV, "TRICKTAKE_PLUGINS": ALL}
    process = subprocess.Popen(
        [sys.executable, "-m", "tricktake", *words], env=env, cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True, preexec_fn=default_signals,
    )  # fmt: skip
    blocks = tmp_path / "games.jsonl.blocks"
    wait_for(lambda: len(list(blocks.rglob("*.block"))) >= 1, process)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "dashboard: http://127.0.0.1" in said
    resume = said.strip().splitlines()[-1]
    assert resume == f"tricktake {' '.join(words)} --store {tmp_path / 'games.jsonl'}"
    done = len(list(blocks.rglob("*.block")))
    assert 1 <= done < 3

    again = cli(*resume.split()[1:])
    assert again.exit_code == 0, again.stderr
    assert not blocks.exists()  # nothing is left to resume
    alone = play(toy("high", "dice", deals=30, seed=3), tmp_path / "alone.jsonl")  # the slow one plays the same cards
    rows = (json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines())
    assert {row["id"]: row for row in rows if "id" in row} == alone
