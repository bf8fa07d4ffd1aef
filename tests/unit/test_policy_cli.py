"""``tricktake train`` and ``tricktake policy``, and the strategy ``core:policy``."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import numpy as np
import pytest
from attrs import evolve

from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.policy import chart
from tricktake.policy.policyfile import load, save
from tricktake.policy.practice import with_cards
from tricktake.policy.train import Point
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player, game_roles
from tricktake.table import Table

SMALL = ("--games", 2, "--positions", 10, "--hidden", 64)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A policy for hearts that has played one round."""
    from click.testing import CliRunner

    from tricktake.cli.main import main

    out = tmp_path_factory.mktemp("policy") / "hearts.policy"
    result = CliRunner().invoke(main, ["train", "hearts", *map(str, SMALL), "--out", str(out), "--seed", "3"])
    assert result.exit_code == 0, result.output
    return out


def test_a_seed_gives_the_same_file(cli, trained, tmp_path):
    again = tmp_path / "again.policy"
    result = cli("train", "hearts", *SMALL, "--out", again, "--seed", 3)
    assert result.exit_code == 0
    one, two = load(trained), load(again)
    for net, other in zip(one.families["play"].nets, two.families["play"].nets, strict=True):
        assert (net.first == other.first).all()
        assert (net.second == other.second).all()
        assert (net.third == other.third).all()
    assert not list(tmp_path.glob("*.checkpoint"))


def test_a_killed_training_goes_on(cli, tmp_path):
    """Killed without warning after a checkpoint; the same command goes on from there, another seed is refused."""
    out = tmp_path / "hearts.policy"
    checkpoint = tmp_path / "hearts.policy.play.checkpoint"
    words = ["train", "hearts", *map(str, SMALL), "--out", str(out), "--seed", "3"]
    words[words.index("--games") + 1] = "1000000"
    code = f"import tricktake.policy.train as t; t.SAVE = 0; from tricktake.cli.main import main; main({words})"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not checkpoint.is_file():
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert not out.exists()
    other = cli("train", "hearts", *SMALL, "--out", out, "--seed", 4)
    assert other.exit_code == 2
    assert "another training" in other.stderr
    assert cli("train", "hearts", *SMALL, "--out", out, "--seed", 3).exit_code == 0
    made = load(out).made["play"]
    assert made["games"] >= 4096  # those of the one killed: its own two are done long since
    assert made["rounds"] * 4096 == made["games"]
    assert not list(tmp_path.glob("*checkpoint*"))


def test_it_is_shown_compared_and_measured(cli, trained):
    shown = json.loads(cli("policy", "show", trained, "--json").stdout)
    assert shown["game"] == "hearts"
    assert shown["families"]["play"]["roles"] == 1
    same = cli("policy", "diff", trained, trained, "--positions", 5, "--json")
    assert same.exit_code == 0
    assert json.loads(same.stdout)["play"] == {"same games": 1.0, "gain": 0.0, "error": 0.0}
    measured = json.loads(cli("policy", "eval", trained, "--positions", 5, "--json").stdout)
    assert set(measured["play"]) == {"simple manners", "core:random"}


def test_it_goes_on_from_a_policy_and_refuses_another_game(cli, trained, tmp_path):
    out = tmp_path / "next.policy"
    assert cli("train", "hearts", *SMALL, "--from", trained, "--out", out).exit_code == 0
    refused = cli("train", "bridge", *SMALL, "--from", trained, "--out", out)
    assert refused.exit_code == 2
    assert "plays hearts" in refused.stderr


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--out", "x", "NAME.policy"),
        ("--out", "nowhere/x.policy", "no folder"),
        ("--curve", "nowhere/x.png", "no folder"),
        ("--family", "a/b", "the name of no family"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_learned(cli, tmp_path, monkeypatch, option, value, said):
    monkeypatch.chdir(tmp_path)
    out = () if option == "--out" else ("--out", "x.policy")
    refused = cli("train", "hearts", *SMALL, *out, option, value)
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert "games" not in refused.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("inputs", [64, 5000])
def test_networks_of_other_sizes_never_reach_a_kernel(cli, trained, tmp_path, inputs):
    """The key of a file is a word: it may name a game that its networks are too small for."""
    policy = load(trained)
    family = policy.families["play"]
    net = family.nets[0]
    other = evolve(net, first=np.resize(net.first, (inputs, net.first.shape[1])))
    save(evolve(policy, families={"play": evolve(family, nets=(other,))}), tmp_path / "x.policy")
    for words in (
        ("policy", "eval", tmp_path / "x.policy", "--positions", 5),
        ("policy", "diff", tmp_path / "x.policy", trained, "--positions", 5),
    ):
        refused = cli(*words)
        assert refused.exit_code == 2, refused.output
        assert f"networks of {inputs} inputs" in refused.stderr
    table = Table.start(find_game("hearts"), deal(find_game("hearts").layout, 1, 0), 3)  # nothing is passed
    table.apply(table.legal()[0])  # two of clubs
    for part in ("core:policy", "core:rollouts"):
        player = Player.from_spec(f"exchange=hearts:rule,play={part}(policy={tmp_path / 'x.policy'})")
        with pytest.raises(InputError, match=f"networks of {inputs} inputs"):
            player.decide(table.view(table.actor), Limit(worlds=2), np.random.default_rng(0))


def test_it_says_how_to_play_against_what_was_learned():
    """One player for everything bids and exchanges, and the policy plays."""
    for name in ("doppelkopf", "hearts", "spades"):
        game = find_game(name)
        player = Player.from_spec(with_cards(game, "core:manners")).require(game_roles(game), game_roles(game))
        assert "play" in player.roles


def test_the_part_plays_whole_games_with_reasons(trained):
    game = find_game("hearts")
    player = Player.from_spec(f"exchange=hearts:rule,play=core:policy(policy={trained})")
    table = Table.start(game, deal(game.layout, 1, 2))
    policy = load(trained)
    while not table.over:
        view = table.view(table.actor)
        decision = player.decide(view, Limit(), np.random.default_rng(0))
        if view.role == "play":
            assert decision.action.cards[0] == policy.card(view)
            assert "%" in decision.reason or "only card" in decision.reason
        table.apply(decision.action)


def test_what_cannot_be_played_is_refused_or_left_to_another(trained):
    game = find_game("bridge")
    table = Table.start(game, deal(game.layout, 1, 2))
    rng = np.random.default_rng(1)
    while table.tricks is None:
        table = Table.start(game, deal(game.layout, 1, int(rng.integers(1000)))) if table.over else table
        table.apply(table.legal()[int(rng.integers(len(table.legal())))])
    view = table.view(table.actor)
    with pytest.raises(InputError, match="knows play of hearts"):
        Player.from_spec(f"play=core:policy(policy={trained})").decide(view, Limit(), rng)
    other = Player.from_spec(f"play=core:policy(policy={trained}, then=core:random)")
    assert other.decide(view, Limit(), rng).action in view.legal


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("play=core:policy", "name a policy"),
        ("play=core:policy(policy=nowhere.policy)", "nowhere.policy"),
        ("play=core:policy(policy=skat:nobody)", "nobody"),
    ],
)
def test_mistakes_are_named(spec, words):
    with pytest.raises(Exception, match=words):
        Player.from_spec(spec)


def test_kernels_are_compiled_beforehand(cli, monkeypatch):
    """A row a game, with the seconds of each use; afterwards nothing is left to compile for them."""
    monkeypatch.setattr("tricktake.policy.train.TESTED", 20)
    done = cli("warm", "hearts", "the_crew", "--train")  # the rules of the second are not solved
    assert done.exit_code == 0, done.stderr
    assert "play s   solve s   train s" in done.stdout
    assert [line.split()[0] for line in done.stdout.splitlines()[-2:]] == ["hearts", "the_crew"]
    assert cli("warm", "nonesuch").exit_code == 2


def test_a_curve_in_text_has_a_bar_from_the_lowest_to_the_highest() -> None:
    curve = [Point(800, 0, 1.0, 0, -0.5, 0.05), Point(9000, 0, 9.0, 0, 0.0, 0.04), Point(20000, 0, 30.0, 0, 0.5, 0.04)]
    head, *lines = chart.text(curve).splitlines()
    assert "gained a game" in head
    assert [line.count("█") for line in lines] == [0, chart.WIDTH // 2, chart.WIDTH]
    assert lines[-1].split()[:5] == ["30.0", "20,000", "+0.5", "±", "0.04"]
    assert chart.text(curve[:1]).count("█") == 0
