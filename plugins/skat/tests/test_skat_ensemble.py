"""The ensemble as Skat's card player."""

from __future__ import annotations

import numpy as np

from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player, default_spec
from tricktake.table import Table
from tricktake.testing import check_strategy

LIMIT = Limit(nodes=20_000)


def test_it_is_the_player_of_the_game() -> None:
    game = find_game("skat")
    assert default_spec(game) == game.player == "bid=skat:bidder,exchange=skat:bidder,play=skat:player"
    player = Player.from_spec(game.player)
    members = {member.name: member for member in player.strategies["play"].members}
    assert members["expert"].spec == "skat:expert"
    assert list(members) == ["killer", "paranoia", "endgame", "hope", "rollouts", "search", "expert"]
    for name in ("endgame", "hope", "rollouts", "search"):
        assert type(members[name].strategy.belief).__name__ == "SkatBelief"


def test_options_go_through() -> None:
    made = Player.from_spec("play=skat:ensemble(hope=none,belief=none,search=core:pimc(worlds=3))").strategies["play"]
    members = {member.name: member.strategy for member in made.members}
    assert "hope" not in members
    assert members["search"].worlds == 3
    assert members["endgame"].belief is None
    members = {
        m.name: m.strategy for m in Player.from_spec("play=skat:player(worlds=7,hope=none)").strategies["play"].members
    }
    assert "hope" not in members
    assert members["rollouts"].worlds == 7


def test_the_quick_one_asks_for_less() -> None:
    said = "play=skat:quick(hope=none)"
    members = {member.name: member.strategy for member in Player.from_spec(said).strategies["play"].members}
    assert "hope" not in members
    full = Player.from_spec("play=skat:player").strategies["play"].members
    usual = {member.name: member.strategy for member in full}
    assert set(members) == set(usual) - {"hope"}
    assert members["rollouts"].worlds < usual["rollouts"].worlds
    assert members["rollouts"].factor < usual["rollouts"].factor
    assert members["endgame"].worlds < usual["endgame"].worlds
    assert members["endgame"].nodes < usual["endgame"].nodes


def test_it_conforms() -> None:
    game = find_game("skat")
    check_strategy(Player.from_spec(game.player), game, deals=1, limit=LIMIT).require()


def test_all_members_have_their_say() -> None:
    game = find_game("skat")
    player = Player.from_spec("bid=skat:rule,exchange=skat:rule,play=skat:ensemble")
    said = set()
    for number in range(14):
        table = Table.start(game, deal(game.layout, 31, number))
        while table.actor is not None:
            view = table.view(table.actor)
            decision = player.decide(view, LIMIT, np.random.default_rng([number, len(table.events)]))
            if view.role == "play":
                said.add(decision.reason.partition(":")[0])
                assert "failed" not in decision.reason
            table.apply(decision.action)
    assert said >= {"ensemble", "killer", "endgame", "hope", "pimc"}


def test_rollouts_have_their_say_and_opinions_stand_beside_reasons() -> None:
    game = find_game("skat")
    player = Player.from_spec("bid=skat:rule,exchange=skat:rule,play=skat:player(worlds=20)")
    reasons = []
    for number in range(8):
        table = Table.start(game, deal(game.layout, 31, number))
        while table.actor is not None:
            view = table.view(table.actor)
            decision = player.decide(view, LIMIT, np.random.default_rng([number, len(table.events)]))
            if view.role == "play" and "grand" in str(getattr(view.contract, "kind", "")):
                reasons.append(decision.reason)
                assert "failed" not in decision.reason
            table.apply(decision.action)
    said = {reason.partition(":")[0] for reason in reasons}
    assert said >= {"ensemble", "rollouts"}
    assert all("of the policy's plays" in reason for reason in reasons if not reason.startswith("ensemble"))
