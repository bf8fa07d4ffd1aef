"""Every shipped weight says which experiment made it, by a name that is there, with seed, date and command."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tricktake_lab import experiments
from tricktake_lab.experiment import CHECKOUT, run
from tricktake_lab.skat.policy_fit import STAGES
from tricktake_skat.bidding.model import schneider

from tricktake.search.ordering import SHAPES, shipped
from tricktake.strategies.policy import find_policy

SKAT = Path("plugins/skat/src/tricktake_skat")
FILES = {
    SKAT / "bidding/calibration.json": "bidding.calibration",
    SKAT / "bidding/prior.json": "bidding.prior",
    SKAT / "bidding/schneider.json": "bidding.schneider",
    SKAT / "luck.json": "luck.constants",
    SKAT / "strategies/belief_choices.txt": "belief.choices",
    SKAT / "discard/weights/learned.toml": "discard.weights",
    SKAT / "discard/weights/policy.toml": "discard.weights",
    SKAT / "_kernels/rule_weights.json": "rule.weights",
    Path("plugins/kermit/src/tricktake_kermit/bids.json"): "kermit.bids",
    Path("plugins/kermit/src/tricktake_kermit/neighbours.json"): "kermit.neighbours",
}
# Tables, parts of a file, two numbers, networks.
SHIPPED_BY = {
    "learning.openings",
    "solver.ordering",
    "doppelkopf.strength",
    "policy.cards",
    "bidding.values",
    "bidding.own",
    "kermit.model",
}


def learned(file: Path) -> dict[str, Any]:
    """What a file says of what made it: an object in JSON, else lines of a comment or docstring."""
    text = (CHECKOUT / file).read_text(encoding="utf-8")
    if file.suffix == ".json":
        found: dict[str, Any] = json.loads(text)["learned"]
        return found
    return dict(re.findall(r"^(?:# )?(\w+): (.+)$", text[:1000], re.MULTILINE))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_names_its_experiment(file: Path) -> None:
    made = learned(file)
    assert made["experiment"] == FILES[file]
    assert {"seed", "date", "command"} <= made.keys()
    known = experiments()[made["experiment"]]
    assert int(made["seed"]) == known.seed
    assert known.name in made["command"]


def test_the_ordering_names_its_experiment() -> None:
    assert {shipped().learned[name]["experiment"] for name in SHAPES} == {"solver.ordering"}


def test_the_policy_names_its_experiment() -> None:
    made = find_policy("skat:cards").made
    assert made["learned"]["experiment"] == "policy.cards"
    assert made["learned"]["seed"] == experiments()["policy.cards"].seed
    assert set(made) >= set(STAGES)
    (content,) = run(experiments()["policy.cards"], "smoke").outcome.ships.values()
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        again = json.loads(file.read("manifest.json"))
    assert again["made"]["learned"].keys() == made["learned"].keys()
    assert again["made"]["null"].keys() == made["null"].keys()


def test_the_value_networks_that_ship_say_how_they_were_made() -> None:
    made = find_policy("skat:values").made
    stages = [made]
    while "before" in stages[-1]:  # networks that learned from games they bid begin from others
        stages.append(stages[-1]["before"])
    assert [stage["learned"]["experiment"] for stage in stages] == ["bidding.own", "bidding.own", "bidding.values"]
    for name, stage in (("bidding.own", made), ("bidding.values", stages[-1])):
        (content,) = run(experiments()[name], "smoke").outcome.ships.values()
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            again = json.loads(file.read("manifest.json"))["made"]
        assert again.keys() == stage.keys()
        assert again["learned"].keys() == stage["learned"].keys()


def test_what_an_experiment_writes_has_the_form_of_what_is_there() -> None:
    """Of every experiment that ships a file: the same manifest, and as many numbers."""
    for file, name in FILES.items():
        ships = run(experiments()[name], "smoke").outcome.ships
        if file.suffix == ".toml":
            continue  # printed, to be put together by type of hand
        assert list(ships) == [file]
        old, new = (CHECKOUT / file).read_text(), ships[file].decode()
        if file.suffix == ".json":
            a, b = json.loads(old), json.loads(new)
            assert a.keys() == b.keys()
            assert {"experiment", "seed", "date", "command", "stream"} <= b["learned"].keys()
        else:
            numbers = [re.findall(r"-?\d+\.\d+", text) for text in (old, new)]
            assert len(numbers[0]) == len(numbers[1])


def test_all_that_ship_are_listed() -> None:
    text = {name: each.item for name, each in experiments().items()}
    ships = {name for name, item in text.items() if re.search(r"\.(json|toml|txt|table|policy|glem|py)\b", item)}
    assert ships - {"belief.bids", "belief.temper"} == set(FILES.values()) | SHIPPED_BY


def test_the_files_are_what_is_used() -> None:
    assert schneider().shape == (2, 11)
    assert (np.diff(schneider()) <= 0).all()
