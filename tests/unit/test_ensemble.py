"""The ensemble: who is asked when, what is said, and what happens to members that fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.situations import game_of, situations, trumps
from tests.toygame import ToyGame
from tricktake.action import play
from tricktake.deal import deal
from tricktake.errors import InputError, UnknownName
from tricktake.search.limit import Limit
from tricktake.strategies.ensemble import Ensemble, Slot, ensemble
from tricktake.strategies.player import Player
from tricktake.strategies.recommend import Member, Recommendation, Situation
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.testing import check_strategy
from tricktake.tournament.config import from_mapping
from tricktake.tournament.run import run


class Says(Member):
    """Recommends its highest or lowest card, or nothing, or raises; remembers what it was asked."""

    def __init__(self, which=None, error=None):
        self.which, self.error, self.limits = which, error, []

    def recommend(self, situation, limit, rng):
        self.limits.append(limit)
        if self.error is not None:
            raise self.error
        if self.which is None:
            return None
        return Recommendation(play(self.which(situation.cards)), "test", "because", 0.5)


class Plays:
    """A strategy that is no member by itself."""

    roles = ("play",)

    def decide(self, view, limit, rng):
        return Decision(view.legal[0], "the first")


def of(*members):
    return Ensemble(tuple(Slot(f"m{i}", part, f"x:m{i}", *more) for i, (part, *more) in enumerate(members)))


@pytest.fixture
def situation():
    return next(s for s in situations(trumps(), 1, left=9) if not s.equivalent)


def decide(members, situation, limit=None):
    return members.decide(situation.view, limit or Limit(), np.random.default_rng(0))


def test_the_first_who_says_something_decides(situation):
    later = Says(min)
    decision = decide(of((Says(),), (Says(max),), (later,)), situation)
    assert decision == Decision(play(max(situation.cards)), "test: because")
    assert not later.limits


def test_parts_that_do_not_recommend_are_members_too(situation):
    decision = decide(of((Says(),), (Plays(),)), situation)
    assert decision == Decision(situation.view.legal[0], "x:m1: the first")


def test_members_are_asked_in_their_tricks():
    early, late = Says(min), Says(max)
    members = of((early, 1, 2), (late, 2, None))
    for situation in situations(trumps(), 3, left=9):
        if situation.forced("x"):
            continue
        decision = decide(members, situation)
        wanted = min if situation.trick <= 2 else max
        assert decision.action == play(wanted(situation.cards))


def test_a_member_that_fails_is_skipped_and_named(situation):
    outside = next(c for c in range(28) if c not in situation.cards)
    bad = of((Says(error=RuntimeError("no idea\nat all")),), (Says(lambda _: outside),), (Says(max),))
    decision = decide(bad, situation)
    assert decision.action == play(max(situation.cards))
    card = situation.name(outside)
    assert decision.reason == (
        f"test: because; m0 failed: RuntimeError: no idea; m1 failed: ValueError: play {card} is not legal"
    )
    assert decision.failed == ("m0 failed: RuntimeError: no idea", f"m1 failed: ValueError: play {card} is not legal")


def test_if_nobody_knows_anything_it_says_so(situation):
    decision = decide(of((Says(),), (Says(error=KeyError()),)), situation)
    assert decision.action in situation.view.legal
    assert "nobody recommends a card; m1 failed: KeyError" in decision.reason


def test_a_limit_is_for_all_members_together(situation):
    """What one member spends on worlds is taken off for the next."""

    class Spends(Member):
        def recommend(self, situation, limit, rng):
            situation.some(3, rng).met(limit)
            situation.spend(1_000_000)

    after = Says(max)
    decide(of((Spends(),), (after,)), situation, Limit(nodes=10_000_000, worlds=7, seconds=60.0))
    (limit,) = after.limits
    assert limit.worlds == 7
    assert limit.nodes < 9_000_000
    assert limit.seconds < 60
    after.limits.clear()
    decide(of((Spends(),), (after,)), situation, Limit(nodes=1))
    assert after.limits == [Limit(nodes=1)]  # something is always left for an answer


def test_a_forced_card_asks_nobody():
    asked = Says(max)
    game = game_of(trumps())
    table = Table.start(game, deal(game.layout, 7, 0))
    forced = 0
    while table.turn is not None:
        view = table.view(table.turn)
        if len(view.legal) == 1:
            decision = of((asked,)).decide(view, Limit(), np.random.default_rng(0))
            assert decision.reason == f"ensemble: {view.legal[0].to_text(view.layout.deck)[5:]} is the only card"
            forced += 1
        table.apply(view.legal[0])
    assert forced >= 3
    assert not asked.limits


# -- made from text ---------------------------------------------------------------------------------------------------


def names(made):
    return [member.name for member in made.members]


def test_the_usual_members_in_their_order():
    made = ensemble()
    assert names(made) == ["killer", "paranoia", "endgame", "hope", "search", "expert"]
    assert made.members[4].first == 3


def test_members_by_option():
    text = (
        "play=core:ensemble(hope=none, search=core:pimc(worlds=3, opening=core:playout(worlds=2), tricks=1),"
        " search_from=2, search_until=7, expert=core:random)"
    )
    player = Player.from_spec(text)
    made = player.strategies["play"]
    assert names(made) == ["killer", "paranoia", "endgame", "search", "expert"]
    search = made.members[3]
    assert (search.first, search.last, search.strategy.worlds, search.strategy.opening.worlds) == (2, 7, 3, 2)
    assert search.asked_in(7)
    assert not search.asked_in(8)
    assert str(Player.from_spec(str(player))) == str(player)
    assert player.specs["play"].owners == {"core"}


def test_an_order_of_ones_own():
    made = ensemble(order="mine+search+killer", mine="core:random", mine_until=1)
    assert names(made) == ["mine", "search", "killer"]
    assert made.members[0].last == 1


def test_a_belief_for_all_that_take_one():
    made = ensemble(belief="skat:belief", search="core:pimc(worlds=4)")
    by_name = {member.name: member.strategy for member in made.members}
    assert by_name["endgame"].belief is by_name["hope"].belief is not None
    assert by_name["search"].belief is None  # named, so as it was named


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"mine": "core:random"}, "mine: no member of this name"),
        ({"order": "mine"}, "no strategy is given"),
        ({"order": "search+search"}, "named twice"),
        ({"search": 3}, "search: must be the name of a strategy"),
        ({"search_from": 0}, "search_from: must be the number of a trick"),
        ({"search": "core:pimc(world=3)"}, "world"),
        ({"hop_from": 3}, "hop_from"),
    ],
)
def test_what_is_wrong_is_named(options, says):
    with pytest.raises(InputError, match=says):
        ensemble(**options)
    with pytest.raises(UnknownName, match="core:pimc"):
        ensemble(search="core:pimk")


def test_tables_within_tables():
    player = Player.from_mapping(
        {"play": {"part": "core:ensemble", "search": {"part": "core:pimc", "worlds": 3}, "search_from": 1}}
    )
    assert player.strategies["play"].members[4].strategy.worlds == 3
    assert str(player.specs["play"]) == "core:ensemble(search=core:pimc(worlds=3),search_from=1)"


# -- playing ----------------------------------------------------------------------------------------------------------


def test_the_ensemble_conforms():
    text = "bid=core:random,play=core:ensemble(search=core:pimc(worlds=4),search_from=1)"
    limit = Limit(worlds=5, nodes=200_000)  # not seconds: members compile when they are asked first
    check_strategy(Player.from_spec(text), ToyGame(), deals=3, limit=limit).require()
    for part in ("killer", "endgame", "hope", "alphamu(worlds=3)"):
        check_strategy(Player.from_spec(f"bid=core:random,play=core:{part}"), ToyGame(), deals=1).require()


def test_every_card_says_who_and_why():
    made = ensemble(search="core:pimc(worlds=5)", search_from=1)
    seen = set()
    for number in range(4):
        game = game_of(trumps(number % 3))
        table = Table.start(game, deal(game.layout, 10, number))
        while table.turn is not None:
            decision = made.decide(table.view(table.turn), Limit(), np.random.default_rng(number))
            by, _, reason = decision.reason.partition(": ")
            card = table.game.layout.deck[decision.action.cards[0]].name
            assert reason.startswith(card)
            assert "\n" not in reason
            seen.add(by)
            table.apply(decision.action)
    assert seen >= {"ensemble", "killer", "endgame", "pimc"}


def test_it_plays_in_a_process_of_its_own(tmp_path: Path, monkeypatch, fresh_plugins):
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(Path(__file__).parents[1] / "toygame.py"))
    spec = "bid=core:random,play=core:ensemble(search=core:pimc(worlds=2,opening=core:playout(worlds=2)),hope_from=2)"
    data = {"game": "toy", "deals": 1, "isolate": "yes", "seatings": ["ABA"]}
    config = from_mapping({**data, "player": [{"name": name, "spec": spec} for name in "AB"]})[0]
    rows = run(config, tmp_path / "games.jsonl")
    assert len(rows) == 1
    assert not any(row["faults"] for row in rows.values())


def test_situations_are_for_cards_only():
    game = ToyGame()
    view = Table.start(game, deal(game.layout, 0, 0)).view(0)
    with pytest.raises(ValueError, match="plays cards only"):
        Situation(view)
