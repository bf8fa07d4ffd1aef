"""Learning that was interrupted: it goes on from a checkpoint as if it had not been, or says what is wrong with it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from tricktake import archive
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.policy import checkpoint
from tricktake.policy import train as training
from tricktake.policy.policyfile import load
from tricktake.policy.practice import practice_for
from tricktake.policy.train import Point, Settings, Trainer

SETTINGS = Settings(hidden=64, games=48, ring=300, batch=32, era=2, league=2)  # rings are filled in two rounds
POINT = Point(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)


@pytest.fixture(scope="module")
def positions():
    return practice_for(find_game("hearts"), "").positions("play", 3, 40)


def rounds(trainer: Trainer, *numbers: int) -> Trainer:
    for number in numbers:
        trainer.round(number / 8)
    return trainer


def state(trainer: Trainer) -> list[np.ndarray]:
    nets = [net for each in (trainer.nets, *trainer.state.league) for net in each]
    return [
        trainer.state.weights, trainer.state.second, trainer.state.steps, trainer.seen,
        *(part for net in nets for part in net.arrays().values()),
        *(part for ring in trainer.rings for part in ring.packed().values()),
    ]  # fmt: skip


@pytest.mark.parametrize("at", [1, 3, 6])
def test_it_goes_on_as_if_nothing_had_happened(at: int, positions, tmp_path: Path) -> None:
    """Before the first era, and with the ring turned round and the league thinned out."""
    whole = rounds(Trainer(positions, SETTINGS, 3), *range(8))
    begun = rounds(Trainer(positions, SETTINGS, 3), *range(at))
    begun.save(tmp_path / "x", [POINT])
    later = Trainer(positions, SETTINGS, 3)
    assert later.restore(tmp_path / "x") == [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]
    rounds(later, *range(at, 8))
    assert len(state(later)) == len(state(whole)) > 10
    assert all((a == b).all() for a, b in zip(state(later), state(whole), strict=True))


def test_a_stopped_command_ends_with_the_same_policy(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("--games", 12_000, "--positions", 40, "--hidden", 64, "--seed", 3)
    assert cli("train", "hearts", *words, "--out", tmp_path / "whole.policy").exit_code == 0
    learned = Trainer.round
    monkeypatch.setattr(training, "SAVE", 0.0)

    def stopped(self: Trainer, progress: float) -> float:
        if self.state.counts["rounds"] == 2:
            raise KeyboardInterrupt
        return learned(self, progress)

    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "round", stopped)
        assert cli("train", "hearts", *words, "--out", tmp_path / "torn.policy").exit_code == 130
    assert (tmp_path / "torn.policy.play.checkpoint").is_file()
    assert cli("train", "hearts", *words, "--out", tmp_path / "torn.policy").exit_code == 0
    whole, torn = load(tmp_path / "whole.policy"), load(tmp_path / "torn.policy")
    for one, other in zip(whole.families["play"].nets, torn.families["play"].nets, strict=True):
        assert all((one.arrays()[name] == part).all() for name, part in other.arrays().items())


# -- damaged ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(positions, tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("checkpoint") / "x"
    rounds(Trainer(positions, SETTINGS, 3), *range(4)).save(path, [POINT])
    return path.read_bytes()


def test_cut_or_flipped_it_is_refused(saved: bytes, positions, tmp_path: Path) -> None:
    rng, trainer = random.Random(5), Trainer(positions, SETTINGS, 3)
    for number in range(150):
        at = rng.randrange(len(saved))
        flipped = saved[:at] + bytes([saved[at] ^ 1 << rng.randrange(8)]) + saved[at + 1 :]
        (tmp_path / "x").write_bytes(saved[:at] if number % 2 else flipped)
        refused = False
        try:
            trainer.restore(tmp_path / "x")
        except InputError as error:
            refused = error.file is not None
        assert refused or not number % 2  # a bit of the zip may mean nothing


def ring(**parts: object):
    """Damage to the ring of the first role."""
    return {f"ring.0.{name}": change for name, change in parts.items()}


@pytest.mark.parametrize("damage", [
    {"weights": lambda a: a[:, :-1]},
    {"weights": lambda a: a * np.float32(np.nan)},
    {"first": lambda a: a.astype(np.float64)},
    {"steps": lambda a: a * 0},
    {"seen": lambda a: a * np.inf},
    {"counts": lambda a: -a},
    {"curve": lambda a: a[:, 1:]},
    {"league.0.0.units": lambda a: a + 1},
    {"league.0.0.first": lambda a: a[:-1]},
    {"league.0.0.second": None},
    ring(at=lambda a: a + 10**6),
    ring(at=lambda a: a - 10**6),
    ring(counts=lambda a: a * 0 + 1000),
    ring(counts=lambda a: a - 1),
    ring(seen=lambda a: a * 0 + 60_000),
    ring(legals=lambda a: a * 0),
    ring(gains=lambda a: a[1:]),
    ring(legals=None),
], ids="-".join)  # fmt: skip
def test_what_does_not_fit_is_refused_before_a_kernel_sees_it(damage, saved: bytes, positions, tmp_path: Path) -> None:
    """The hashes are right, the content is not."""
    (tmp_path / "x").write_bytes(saved)
    described, members = archive.read(tmp_path / "x", checkpoint.FORMAT)
    for name, change in damage.items():
        data = members.pop(f"{name}.npy")
        if change is not None:
            members[f"{name}.npy"] = archive.npy(change(archive.array_in(data)))
    archive.write(tmp_path / "x", {name: value for name, value in described.items() if name != "sha256"}, members)
    with pytest.raises(InputError, match="damaged checkpoint"):
        Trainer(positions, SETTINGS, 3).restore(tmp_path / "x")


@pytest.mark.parametrize("content", [b"", b"PK", b"\x00" * 100, json.dumps({}).encode()])
def test_what_is_no_checkpoint(content: bytes, positions, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError):
        Trainer(positions, SETTINGS, 3).restore(tmp_path / "x")


def test_of_another_training(saved: bytes, positions, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(saved)
    with pytest.raises(InputError, match="another training"):
        Trainer(positions, SETTINGS, 4).restore(tmp_path / "x")
    with pytest.raises(InputError, match="another training"):
        Trainer(positions, Settings(hidden=64), 3).restore(tmp_path / "x")
