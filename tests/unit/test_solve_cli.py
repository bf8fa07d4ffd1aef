"""``tricktake solve``, ``analyse`` and ``bench`` on recorded Skat."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numba
import pytest

from tricktake import bench

DATA = Path(__file__).resolve().parent.parent / "data"
ISS = DATA / "iss-23.sgf"

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="whole deals need compiled kernels")
pytestmark = needs_jit


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> Path:
    """Some records: passed in, suit, Null."""
    pytest.importorskip("tricktake_skat")
    path = tmp_path_factory.mktemp("records") / "few.sgf"
    path.write_text("\n".join(ISS.read_text().splitlines()[:6]) + "\n")
    return path


def lines(result) -> list[dict]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_value_win_and_cards_agree(cli, few):
    values, wins, cards = (lines(cli("solve", "skat", few, "--json", mode)) for mode in ("--value", "--win", "--cards"))
    assert [v["id"] for v in values] == [w["id"] for w in wins] == [c["id"] for c in cards]
    assert any(v.get("passed") for v in values)
    played = [(v, w, c) for v, w, c in zip(values, wins, cards, strict=True) if not v.get("passed")]
    assert played
    for value, win, card in played:
        assert set(value) >= {"id", "value", "win", "ms", "nodes"}
        assert value["win"] == win["win"] == card["win"]
        assert value["value"] == card["value"]
        assert card["value"] in card["cards"].values()
        assert win["nodes"] <= value["nodes"]


def test_processes_change_nothing(cli, few):
    def answers(*args):
        return [{k: v for k, v in a.items() if k != "ms"} for a in lines(cli("solve", "skat", few, "--json", *args))]

    assert answers("--jobs", 2) == answers()


def test_a_broken_record_is_reported(cli, few, tmp_path):
    broken = tmp_path / "broken.sgf"
    broken.write_text(few.read_text() + "(;GM[Skat]PC[nonsense];)\n")
    result = cli("solve", "skat", broken, "--json")
    assert "broken.sgf:7" in result.stderr
    assert result.exit_code in (0, 1)
    assert len(result.stdout.splitlines()) == len(lines(cli("solve", "skat", few, "--json")))
    assert cli("solve", "skat", broken, "--strict").exit_code == 2


def test_a_limit_that_does_not_suffice_is_admitted(cli, few):
    result = cli("solve", "skat", few, "--json", "--nodes", 5)
    assert result.exit_code == 1
    assert "nodes" in result.stderr


def test_analyse_accounts_for_every_card(cli):
    result = cli("analyse", "skat", ISS, "--id", "1039093", "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    cards = found["cards"]
    assert cards[0]["before"] == found["value"]
    for one, following in itertools.pairwise(cards):
        assert one["after"] == following["before"]
    for step in cards:
        assert step["lost"] == abs(step["after"] - step["before"])
    assert sum(found["lost"].values()) == sum(step["lost"] for step in cards)
    assert "trick" in cli("analyse", "skat", ISS, "--id", "1039093").stdout


def test_analyse_refuses_what_is_not_there(cli):
    assert cli("analyse", "skat", ISS, "--id", "nobody").exit_code == 2
    assert cli("analyse", "skat", ISS, "--id", "30").exit_code == 2  # passed in


def test_the_signatures_are_the_known_ones(cli):
    result = cli("bench", "--json", "--runs", 1)
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    known = json.loads((DATA / "bench.json").read_text())["signatures"]
    assert {b["name"]: b["signature"] for b in found["benches"]} == known
    assert found["moved"] == []


def test_benches_are_measured_against_playouts_and_the_last_commit(tmp_path):
    def result(name: str, seconds: float, questions: int) -> bench.Result:
        return bench.Result(name, 1000, "nodes", seconds, 1000, questions)

    results = [result("eyes win", 0.5, 10), result(bench.YARDSTICK, 0.25, 1000), result("new", 0.5, 5)]
    assert bench.ratios(results) == {"eyes win": pytest.approx(200), "new": pytest.approx(400)}
    assert bench.ratios(results[:1]) == {}
    file = tmp_path / "folder" / "speeds.json"
    speeds = bench.Speeds.read(file)
    assert (speeds.before("b"), speeds.gains("b", results)) == (None, {})
    speeds.with_results("a", [result("eyes win", 1.0, 10)]).write(file)
    speeds = bench.Speeds.read(file)
    assert (speeds.before("a"), speeds.before("b")) == (None, "a")
    assert speeds.gains("b", results) == {"eyes win": 2.0}
    speeds = speeds.with_results("b", results).with_results("a", [result("new", 0.25, 5)])
    assert speeds.before("c") == "a"
    assert speeds.gains("c", results) == {"eyes win": 2.0, "new": 0.5}  # the time of before is kept
    for number in range(bench.MOST_COMMITS):
        speeds = speeds.with_results(str(number), results)
    assert next(iter(speeds.by_commit)) == "0"
    runs = iter((0.5, 0.25, 0.75))
    assert bench.measured(lambda: result("eyes win", next(runs), 1), 3).seconds == 0.25


def test_the_times_of_the_last_commit_are_kept_and_compared(cli, tmp_path):
    file = tmp_path / "speeds.json"
    words = ("bench", "--only", "random", "--runs", 1, "--speeds", file, "--commit")
    first = cli(*words, "one")
    assert first.exit_code == 0
    assert "nothing to compare with yet" in first.stdout
    assert "nothing to compare with yet" in cli(*words, "one").stdout
    second = cli(*words, "two")
    assert "as fast as one" in second.stdout
    assert "nothing to compare" not in second.stdout
    found = json.loads(cli(*words, "two", "--json").stdout)
    kept = json.loads(file.read_text())["seconds"]
    assert found["before"] == "one"
    assert found["times_as_fast"]["playouts"] == pytest.approx(
        kept["one"]["playouts"] / kept["two"]["playouts"], rel=0.05
    )
    file.write_text("{}")
    refused = cli(*words, "two")
    assert refused.exit_code == 2
    assert "seconds" in refused.stderr
    assert cli("bench", "--only", "random", "--speeds", file).exit_code == 2


def test_a_moved_signature_is_told(cli, tmp_path):
    file = tmp_path / "bench.json"
    assert cli("bench", "--only", "random", "--signatures", file, "--write").exit_code == 0
    assert cli("bench", "--only", "random", "--signatures", file).exit_code == 0
    file.write_text('{"signatures": {"playouts": 1}}')
    result = cli("bench", "--only", "random", "--signatures", file)
    assert result.exit_code == 1
    assert "moved: playouts" in result.stderr
    file.write_text("nonsense")
    assert cli("bench", "--only", "random", "--signatures", file).exit_code == 2


def test_analyse_asks_a_player_at_every_card(cli):
    options = ("analyse", "skat", ISS, "--id", "1039093", "--comment", "play=skat:rule")
    found = json.loads(cli(*options, "--json").stdout)["cards"]
    assert len(found) == 18
    assert all(step["choice"] and step["reason"] for step in found)
    same = sum(step["choice"] == step["card"] for step in found)
    table = cli(*options).stdout
    assert f"{same} of {len(found)} cards are those" in table
    assert found[0]["reason"] in table


def test_a_commentator_sees_no_more_than_the_seat(cli, monkeypatch, tmp_path, fresh_plugins):
    """Views of the seat to move, with the auction, and failures are told."""
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from tricktake.hookspecs import hookimpl\n"
        "from tricktake.strategies.strategy import Decision\n"
        "class Sees:\n"
        "    roles = ('play',)\n"
        "    def decide(self, view, limit, rng):\n"
        "        if len(view.tricks) == 2: raise RuntimeError('third trick')\n"
        "        bids = sum(event.action.verb == 'bid' for event in view.events)\n"
        "        return Decision(view.legal[0], f'seat {view.seat} {view.to_decide} {bids > 0} {limit.nodes}')\n"
        "@hookimpl\n"
        "def register_strategies(register):\n"
        "    register('sees', Sees)\n"
    )
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(plugin))
    options = ("analyse", "skat", ISS, "--id", "1039093", "--comment", "play=mine:sees", "--nodes", 77)
    found = json.loads(cli(*options, "--json").stdout)["cards"]
    for step in found:
        if step["trick"] == 3:
            assert (step["choice"], step["reason"]) == ("", "failed: RuntimeError: third trick")
        else:
            assert step["reason"] == f"seat {step['seat']} True True 77"
    assert cli("analyse", "skat", ISS, "--comment", "skat:rul").exit_code == 2


def test_analyse_verifies_what_was_sure(cli):
    options = ("analyse", "skat", ISS, "--id", "4913044", "--verify")
    result = cli(*options, "--json")
    assert result.exit_code == 0, result.stderr
    proofs = [(step["trick"], step["seat"], step["proof"]) for step in json.loads(result.stdout)["cards"]]
    assert all(not proof for trick, _, proof in proofs if trick <= 3)
    found = [proof for _, _, proof in proofs if proof]
    assert len(found) >= 3
    assert all(proof.startswith("verified, ") for proof in found)
    assert len({seat for _, seat, proof in proofs if proof}) == 1  # only one side can be sure
    assert found[0] in cli(*options).stdout


def test_a_certificate_that_does_not_hold_is_told(cli, monkeypatch):
    from tricktake.tournament import comment

    monkeypatch.setattr(comment, "verify", lambda certificate, view: ["the goal is missed"])
    result = cli("analyse", "skat", ISS, "--id", "4913044", "--verify")
    assert result.exit_code == 1
    assert "refuted: the goal is missed" in result.stdout
