"""Players put together from text and TOML, and what is said of wrong ones."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from tests.toygame import ToyGame
from tricktake.deal import deal
from tricktake.errors import InputError, PluginError, UnknownName
from tricktake.search.limit import Limit
from tricktake.strategies.pimc import Pimc
from tricktake.strategies.player import ANY, Player, StrategySpec, game_roles
from tricktake.strategies.random import Random
from tricktake.table import Table
from tricktake.testing import check_strategy


def test_one_part_plays_all_its_roles():
    player = Player.from_spec("core:random")
    assert player.roles == (ANY,)
    assert player.strategy("bid") is player.strategy("what a game may call it") is not None
    assert str(player) == "core:random"
    assert Player.from_spec("core:pimc").roles == ("play",)


def test_parts_by_role_with_options():
    player = Player.from_spec("bid=core:random, play=core:pimc(worlds=7, decide=mean)", name="me")
    assert player.name == "me"
    assert player.roles == ("bid", "play")
    assert isinstance(player.strategies["bid"], Random)
    assert player.strategies["play"] == Pimc(worlds=7, decide="mean")


@pytest.mark.parametrize(
    "text",
    ["core:random", "core:pimc(worlds=3)", "bid=core:random,play=core:pimc(worlds=7,decide=vote)", "play=core:random"],
)
def test_a_player_is_read_back_from_its_text(text):
    player = Player.from_spec(text)
    again = Player.from_spec(str(player))
    assert again.specs == player.specs
    assert str(again) == str(player)


def test_toml_says_the_same_as_text():
    table = tomllib.loads(
        """
        name = "me"
        bid = "core:random"
        play = {part = "core:pimc", worlds = 7, decide = "mean"}
        """
    )
    text = Player.from_spec("bid=core:random,play=core:pimc(worlds=7,decide=mean)")
    assert Player.from_mapping(table).specs == text.specs
    assert Player.from_mapping(table).name == "me"
    assert Player.from_mapping({"spec": str(text)}).specs == text.specs


def test_options_are_numbers_flags_or_words():
    spec = StrategySpec.from_text("a:b(i=3, f=0.5, yes=true, no=FALSE, word=x-y)")
    assert spec.options == (("i", 3), ("f", 0.5), ("yes", True), ("no", False), ("word", "x-y"))
    assert StrategySpec.from_text(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("core:pimc(worlds=3", "bracket is not closed"),
        ("core:pimc)worlds=3", "bracket too many"),
        ("core:pimc(worlds)", "worlds"),
        ("core:pimc(worlds=3,worlds=4)", "'worlds' is given twice"),
        ("core:pimc(worlds=0)", "worlds: must be a whole number above 0"),
        ("core:pimc(worlds=many)", "worlds: must be a whole number above 0"),
        ("core:pimc(worlds=true)", "worlds: must be a whole number above 0"),
        ("core:pimc(decide=luck)", "decide: must be one of vote, mean, win"),
        ("core:pimc(world=3)", "world"),
        ("core:random(x=1)", "x"),
        ("bid=core:random,core:pimc", "has no role"),
        ("bid=core:random,,play=core:pimc", "nothing between two commas"),
        ("bid=core:random,bid=core:random", "'bid' is given twice"),
        ("plya=core:pimc", "plya: core:pimc has no such role; its roles: play"),
        ("bid=core:pimc", "bid: core:pimc has no such role; its roles: play"),
        ("play=", "cannot read"),
    ],
)
def test_a_bad_spec_is_an_error_that_names_it(text, said):
    with pytest.raises(InputError) as error:
        Player.from_spec(text)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("core:pimcc", "core:pimc"),
        ("pimc", "core:pimc"),
        ("nobody:pimc", "core:pimc"),
    ],
)
def test_an_unknown_name_comes_with_suggestions(text, suggestion):
    with pytest.raises(UnknownName) as error:
        Player.from_spec(text)
    assert suggestion in str(error.value)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({}, "no strategies"),
        ({"spec": 3}, "spec: must be text"),
        ({"name": 3, "spec": "core:random"}, "name: must be text"),
        ({"spec": "core:random", "play": "core:random"}, "play: a player has either"),
        ({"play": 3}, "play: must be text or a table"),
        ({"play": {"worlds": 3}}, "play: needs a name"),
        ({"play": {"part": "core:pimc", "worlds": [3]}}, "play.worlds: must be"),
        ({"play": {"part": "core:pimc(worlds=3)", "worlds": 3}}, "play.worlds: is given twice"),
    ],
)
def test_a_bad_table_is_an_error_that_names_the_field(table, said):
    with pytest.raises(InputError) as error:
        Player.from_mapping(table)
    assert said in str(error.value)


def test_a_player_lacks_a_role_only_if_the_game_needs_it():
    player = Player.from_spec("core:pimc")
    assert game_roles(ToyGame()) == ("bid", "play")
    with pytest.raises(InputError, match="no strategy for the role 'bid'"):
        player.require(game_roles(ToyGame()))
    assert player.require(("play",)) is player
    view = Table.start(ToyGame(), deal(ToyGame().layout, 0, 0)).view(0)
    with pytest.raises(InputError, match="no strategy for the role 'bid'"):
        player.decide(view, Limit(), np.random.default_rng(0))


def test_what_is_no_part_is_refused(monkeypatch, tmp_path, fresh_plugins):
    plugin = tmp_path / "odd.py"
    plugin.write_text(
        "from tricktake.hookspecs import hookimpl\n"
        "class Dumb: pass\n"
        "class Cook:\n"
        "    roles = ('cook',)\n"
        "    def decide(self, view, limit, rng): return None\n"
        "@hookimpl\n"
        "def register_strategies(register):\n"
        "    register('dumb', Dumb)\n"
        "    register('cook', Cook)\n"
        "    register('gone', 'no.such.module:Part')\n"
    )
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(plugin))
    with pytest.raises(InputError, match="no method decide"):
        Player.from_spec("odd:dumb")
    with pytest.raises(InputError, match="no strategy for the role 'bid'"):
        Player.from_spec("odd:cook").require(game_roles(ToyGame()))
    with pytest.raises(PluginError, match="cannot be loaded"):
        Player.from_spec("odd:gone")


def test_roles_are_those_of_the_game():
    roles = game_roles(ToyGame())
    assert roles == ("bid", "play")
    with pytest.raises(UnknownName, match="did you mean 'play'"):
        Player.from_spec("bid=core:random,plya=core:random").require(roles, roles)
    with pytest.raises(UnknownName, match="known: bid, play"):
        Player.from_spec("exchange=core:random").require((), roles)
    assert Player.from_spec("core:random").require(roles, roles)


def test_random_is_uniform_over_what_is_legal():
    game = ToyGame()
    view = Table.start(game, deal(game.layout, 3, 0)).view(0)
    rng = np.random.default_rng(0)
    counts = dict.fromkeys(view.legal, 0)
    n = 4000
    for _ in range(n):
        counts[Random().decide(view, Limit(), rng).action] += 1
    expected = n / len(counts)
    chi2 = sum((c - expected) ** 2 / expected for c in counts.values())
    assert len(counts) == 4
    assert chi2 < 16.3  # three degrees of freedom, one in a thousand


def test_random_conforms():
    check_strategy(Player.from_spec("core:random"), ToyGame()).require()
