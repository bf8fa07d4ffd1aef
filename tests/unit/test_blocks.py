"""Blocks: their names, their files, and work done in any mixture of processes, shares and interruptions."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import Any

import click.testing
import numpy as np
import pytest

from tests.tournaments import HERE, PLUGINS, toy
from tricktake.blocks import Block, BlockDiffers, BlockStore, Keeping, Share, ShareDone, Work, run
from tricktake.blocks.store import MOST_BYTES
from tricktake.cli.blocks import words_of
from tricktake.cli.main import main
from tricktake.errors import InputError
from tricktake.learning.outer import OuterLoop
from tricktake.learning.outerconfig import from_mapping
from tricktake.learning.rows import Rows
from tricktake.learning.selfplay import packed, unpacked
from tricktake.pool import Plain
from tricktake.tournament.run import run as play
from tricktake.tournament.store import load

BLOCK = Block("squares", 1, "config", "code", (0, 10))


def squares(numbers: list[int]) -> list[int]:
    return [n * n for n in numbers]


def encode(numbers: list[int]) -> bytes:
    return json.dumps(numbers).encode()


WORK = Work("squares", 1, {"of": "numbers"}, functools.partial(Plain, squares), encode, json.loads)


def tasks(n: int = 8) -> list[tuple[tuple[int, int], list[int]]]:
    return [((first, 3), [first, first + 1, first + 2]) for first in range(0, 3 * n, 3)]


WANTED = [squares(task) for _, task in tasks()]


def test_a_block_is_named_by_all_it_follows_from() -> None:
    other = [
        Block("cubes", 1, "config", "code", (0, 10)),
        Block("squares", 2, "config", "code", (0, 10)),
        Block("squares", 1, "other", "code", (0, 10)),
        Block("squares", 1, "config", "newer", (0, 10)),
        Block("squares", 1, "config", "code", (10, 10)),
        Block("squares", 1, "config", "code", (0, 20)),
    ]
    assert len({block.id for block in (BLOCK, *other)}) == 7
    assert Block(work="squares", seed=1, config="config", code="code", key=(0, 10)).id == BLOCK.id


def test_the_first_result_stays_and_a_second_is_compared(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    assert BLOCK not in store
    assert store.put(BLOCK, b"result", "first:1")
    assert store.get(BLOCK) == b"result"
    assert not store.put(BLOCK, b"result", "second:2")
    with pytest.raises(
        BlockDiffers, match=r"squares 0 to 9 of seed 1 .*second:2 computed is not what first:1"
    ) as error:
        store.put(BLOCK, b"resulT", "second:2")
    assert (error.value.first, error.value.second) == ("first:1", "second:2")
    assert store.get(BLOCK) == b"result"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{BLOCK.id}.block"]  # no temporary file


def test_a_damaged_block_is_told(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    store.put(BLOCK, b"result", "first:1")
    path = store.path(BLOCK)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match=f"{BLOCK.id}.block: no block, or damaged; remove it"):
        store.get(BLOCK)


@pytest.mark.parametrize("head", [b"[" * 100_000, b"{}", b"[]", b"", b'{"format": "tricktake-block", "sha256": "%s"}'])
def test_what_is_no_block(head: bytes, tmp_path: Path) -> None:
    digest = hashlib.sha256(b"data").hexdigest().encode()
    (tmp_path / "x.block").write_bytes(head.replace(b"%s", digest) + b"\ndata")
    with pytest.raises(InputError, match="no block, or damaged"):
        BlockStore(tmp_path / "into").put_file(tmp_path / "x.block")
    with (tmp_path / "x.block").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError, match="longer than"):
        BlockStore(tmp_path / "into").put_file(tmp_path / "x.block")


def test_any_mixture_gives_the_same_results(tmp_path: Path) -> None:
    """Some blocks by shares, some by a run that was stopped, the rest by the processes of another one."""
    store = BlockStore(tmp_path)
    with pytest.raises(ShareDone) as done:
        list(run(WORK, tasks(), Keeping(store, 1, Share(1, 3))))
    assert (done.value.made, done.value.missing) == (3, 5)
    stopped = run(WORK, tasks(), Keeping(store))
    assert [next(stopped) for _ in range(3)] == WANTED[:3]  # type: ignore[call-overload]
    stopped.close()  # type: ignore[attr-defined]
    assert len(list(tmp_path.rglob("*.block"))) == 5
    assert list(run(WORK, tasks(), Keeping(store, 2))) == WANTED == list(run(WORK, tasks(), 1))
    assert list(run(WORK, tasks(), Keeping(store, 1, Share(2, 3)))) == WANTED  # nothing is missing any more


def test_shares_have_every_block_once() -> None:
    for of in (1, 3, 7):
        assert [sum(Share(index, of).has(n) for index in range(of)) for n in range(20)] == [1] * 20
    with pytest.raises(InputError, match="from 0 to 2, not 3"):
        Share(3, 3)


def boom(numbers: list[int]) -> list[int]:
    raise AssertionError("was to be read, not done")


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    store = BlockStore(tmp_path)
    list(run(WORK, tasks(), Keeping(store)))
    again = Work("squares", 1, {"of": "numbers"}, functools.partial(Plain, boom), encode, json.loads)
    assert list(run(again, tasks(), Keeping(store))) == WANTED
    other = Work("squares", 1, {"of": "other numbers"}, functools.partial(Plain, boom), encode, json.loads)
    with pytest.raises(AssertionError):
        list(run(other, tasks(), Keeping(store)))


# -- tournaments ------------------------------------------------------------------------------------------------------


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


@pytest.mark.usefixtures("plugins")
def test_a_tournament_in_blocks_has_the_rows_it_has_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tricktake.tournament.run.BLOCK", 4)
    config = toy("high", "dice", deals=10, seed=4)
    alone = play(config, tmp_path / "alone.jsonl")
    blocks = BlockStore(tmp_path / "blocks")
    for index in range(3):
        with pytest.raises(ShareDone):
            play(config, tmp_path / "kept.jsonl", Keeping(blocks, 1, Share(index, 3)))
    assert not (tmp_path / "kept.jsonl").exists()  # the run that merges writes it
    assert len(list(blocks.folder.rglob("*.block"))) == 3
    assert play(config, tmp_path / "kept.jsonl", Keeping(blocks)) == alone
    games = [(tmp_path / f"{name}.jsonl").read_bytes().splitlines()[1:-1] for name in ("alone", "kept")]
    assert games[0] == games[1]

    # a store that another run began: its games are compared with those of the blocks
    lines = (tmp_path / "alone.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "begun.jsonl").write_bytes(b"".join(lines[:8]))
    assert play(config, tmp_path / "begun.jsonl", Keeping(blocks)) == alone
    row = json.loads(lines[3])
    row["value"] = 12345
    (tmp_path / "wrong.jsonl").write_bytes(b"".join([*lines[:3], json.dumps(row).encode() + b"\n", *lines[4:8]]))
    with pytest.raises(BlockDiffers, match=f"game {row['id']}: what a block computed is not what .*wrong.jsonl"):
        play(config, tmp_path / "wrong.jsonl", Keeping(blocks))


# -- the command ------------------------------------------------------------------------------------------------------


CUP = """
game = "toy"
deals = 21
seed = 4
store = "games.jsonl"
isolate = "no"
[[player]]
spec = "toyparts:high"
[[player]]
spec = "toyparts:dice"
"""


def tricktake(*words: object) -> str:
    done = click.testing.CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.usefixtures("plugins")
def test_an_array_of_jobs(tmp_path: Path) -> None:
    """Two shares in folders of their own, joined, merged."""
    (tmp_path / "cup.toml").write_text(CUP)
    said = tricktake("blocks", "run", tmp_path / "cup.toml", "--index", 0, "--of", 2)
    assert "share 0 of 2: 2 blocks done; 1 blocks of others are missing" in said
    assert f"tricktake tournament {tmp_path / 'cup.toml'} --blocks {tmp_path / 'cup.blocks'}" in said
    tricktake("blocks", "run", tmp_path / "cup.toml", "--index", 1, "--of", 2, "--blocks", tmp_path / "other")
    tricktake("blocks", "run", tmp_path / "cup.toml", "--index", 0, "--of", 2, "--blocks", tmp_path / "other")
    said = tricktake("blocks", "join", tmp_path / "other", "--into", tmp_path / "cup.blocks")
    assert "1 blocks copied" in said
    assert "2 were there and are the same" in said
    tricktake("tournament", tmp_path / "cup.toml", "--blocks", tmp_path / "cup.blocks")
    _, rows, _ = load(tmp_path / "games.jsonl")
    assert rows == play(toy("high", "dice", deals=21, seed=4), tmp_path / "alone.jsonl")


def test_shares_of_an_outer_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    """Jobs play the games of the next batch, and those of its evaluation once the first are all there."""
    monkeypatch.setenv("TRICKTAKE_PLUGINS", f"{PLUGINS},{HERE / 'toylearning.py'}")
    monkeypatch.setattr("tricktake.learning.selfplay.BLOCK", 7)
    data = {"questions": ["toylearning:hand"], "games": 20, "batches": 1, "judge_games": 10, "judge_seed": 4}
    config = from_mapping(data)
    list(OuterLoop(config, tmp_path / "alone").run())
    store, folder = BlockStore(tmp_path / "blocks"), tmp_path / "kept"
    kept = []
    for batch in range(2):
        for _ in range(2 if batch else 1):
            for index in range(2):
                with pytest.raises(ShareDone):
                    list(OuterLoop(config, folder, Keeping(store, 1, Share(index, 2))).run())
            kept.append(len(list(store.folder.rglob("*.block"))))
        if not batch:
            next(OuterLoop(config, folder, Keeping(store)).run())
    assert kept == [2, 5, 7]  # blocks of 7 deals: two of the first evaluation, three of games, two of the second
    list(OuterLoop(config, folder, Keeping(store)).run())
    assert len(list(store.folder.rglob("*.block"))) == 7
    for file in ("curves.jsonl", "batch-001/toylearning-hand.table"):
        assert (folder / file).read_bytes() == (tmp_path / "alone" / file).read_bytes()


def test_which_command_does_a_configuration(tmp_path: Path) -> None:
    def words(text: str) -> list[str]:
        (tmp_path / "x.toml").write_text(text)
        return words_of(tmp_path / "x.toml")

    assert words('game = "toy"') == ["tournament", str(tmp_path / "x.toml")]
    assert words('questions = ["a:b"]') == ["outer-learn", str(tmp_path / "x.toml")]
    assert words('command = "tricktake learn a:b --play 5"') == ["learn", "a:b", "--play", "5"]
    assert words('command = ["replay", "skat", "a file"]') == ["replay", "skat", "a file"]
    for wrong in ('command = "train skat"', "command = 1", 'command = "learn x"\nseed = 1', 'command = ""'):
        with pytest.raises(InputError, match="command"):
            words(wrong)


@pytest.mark.parametrize("extreme", [0, -1, 127, -129, 32768, 2**31, 2**32 - 1, 2**32, -(2**63), 2**63 - 1])
def test_rows_packed_and_unpacked(extreme: int) -> None:
    kinds = {"id": (np.int64, ""), "masks": ((np.int64, 3), ""), "won": (np.bool_, ""), "seat": (np.int8, "")}
    rows = Rows("x:y", kinds)
    some = rows.empty(4)
    some["id"], some["masks"][2, 1], some["won"][1], some["seat"] = range(4), extreme, True, -1
    found = unpacked(rows, packed(some))
    assert found.dtype == some.dtype
    assert all((found[name] == some[name]).all() for name in kinds)
    assert packed(found.copy()) == packed(some)
    assert len(unpacked(rows, packed(rows.empty(0)))) == 0


def facts_of(name: str) -> Any:
    from tricktake.blocks import versions

    return versions.facts()[name]


def test_what_workers_are_compared_by(tmp_path: Path) -> None:
    from tricktake.blocks import versions

    assert len(facts_of("code of tricktake")) == 16
    assert "plugin skat" in versions.facts()
    assert facts_of("policy skat:cards") != versions.MISSING
    file = tmp_path / "x.policy"
    missing = versions.of_files([str(file)])
    file.write_text("weights")
    there = versions.of_files([str(file)])
    assert versions.differences(there, there) == []
    (said,) = versions.differences(there, missing)
    assert said == f"file {file} is missing there, {there[f'file {file}']} here"
