"""``core:rollouts``: legal, repeatable, within its limits; it gives up cards that are worse and says what it found."""

from __future__ import annotations

import numpy as np
import pytest

from tests.property.test_policy import policy_for
from tests.whist import Plain
from tricktake import worlds
from tricktake.belief import find_belief
from tricktake.bench import eyes_rules, hearts_rules
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.policy.policyfile import save
from tricktake.policy.rollouts import Rolled
from tricktake.search import limit as limits
from tricktake.search.limit import Limit
from tricktake.strategies import rollouts
from tricktake.strategies.player import Player
from tricktake.strategies.recommend import Situation
from tricktake.strategies.rollouts import Race, Rollouts
from tricktake.table import Table


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    """The file of a policy nobody has trained."""
    file = tmp_path_factory.mktemp("policies") / "plain.policy"
    save(policy_for(eyes_rules(), 3), file)
    return str(file)


def views(rules=None, seed=1):
    """All views of a game of ten cards a hand, by other rules nine."""
    game = Plain(rules or eyes_rules(), 10 if rules is None else 9)
    table = Table.start(game, deal(game.layout, seed, 0))
    rng = np.random.default_rng(seed)
    while not table.over:
        yield table.view(table.actor)
        table.apply(table.legal()[int(rng.integers(len(table.legal())))])


def test_it_plays_and_can_be_repeated(policy):
    player = Player.from_spec(f"play=core:rollouts(policy={policy},worlds=30,heat=1)")
    said = []
    for view in views():
        found = [player.decide(view, Limit(), np.random.default_rng(5)) for _ in range(2)]
        assert found[0] == found[1]
        assert found[0].action in view.legal
        said.append(found[0].reason)
    assert any("of the policy's plays" in reason and "wins in" in reason and "gains" in reason for reason in said)


def test_a_contract_nobody_learned_gets_no_recommendation(policy):
    part = Rollouts(policy=policy)
    view = next(views(hearts_rules()))
    assert part.recommend(Situation(view), Limit(), np.random.default_rng(1)) is None
    ensemble = Player.from_spec(
        f"play=core:ensemble(order=mine+search,mine=core:rollouts(policy={policy}),search_from=1)"
    )
    assert ensemble.decide(view, Limit(worlds=2), np.random.default_rng(1)).reason.startswith("pimc")


def test_an_ensemble_says_what_its_policy_thinks(policy):
    rollout = f"core:rollouts(policy={policy},worlds=10)"
    spec = f"play=core:ensemble(policy={policy},order=killer+endgame+mine,mine={rollout})"
    reasons = [Player.from_spec(spec).decide(v, Limit(nodes=50_000), np.random.default_rng(1)).reason for v in views()]
    for reason in reasons:
        wanted = 0 if reason.startswith("ensemble: ") else 1  # a forced card needs no opinion
        assert reason.count("of the policy's plays") == wanted
    assert any(reason.startswith("endgame") for reason in reasons)


def test_nodes_bound_the_cards_that_are_played(policy):
    view = next(views())
    situation = Situation(view)
    Rollouts(policy=policy, prune=0.0, race=0.0).recommend(situation, Limit(nodes=3000), np.random.default_rng(1))
    assert 0 < situation.nodes <= 3000


def test_time_ends_it_between_slices(policy, monkeypatch):
    """With a clock that every slice moves on by a second."""
    seconds, slices = [0.0], []
    play = rollouts.roll_out

    def slow(*args, **options):
        seconds[0] += 1.0
        slices.append(len(args[2][0]))
        return play(*args, **options)

    monkeypatch.setattr(limits, "now", lambda: seconds[0])
    monkeypatch.setattr(rollouts, "roll_out", slow)
    part = Rollouts(policy=policy, worlds=1000, race=0.0)
    assert part.recommend(Situation(next(views())), Limit(seconds=2.5), np.random.default_rng(1)) is not None
    assert slices == [rollouts.SLICE] * 3


def test_a_race_drops_what_is_surely_worse():
    rng = np.random.default_rng(1)
    race, counts = Race(3), np.ones(60)
    common = rng.normal(0, 50, (60, 1))
    gains = common + rng.normal(0, 5, (60, 3)) + [0.0, 0.5, -10.0]
    race.add(Rolled(gains, np.zeros((60, 3), np.int64)))
    race.give_up(counts, 3.0)
    assert race.alive.tolist() == [True, True, False]
    race.add(Rolled(np.full((20, 2), 7.0), np.zeros((20, 2), np.int64)))
    assert np.isnan(race.gains[60:, 2]).all()
    assert race.means(np.ones(80))[2] == pytest.approx(gains[:, 2].mean())
    equal = Race(2)
    equal.add(Rolled(np.ones((60, 2)), np.zeros((60, 2), np.int64)))
    equal.give_up(counts, 3.0)
    assert equal.alive.all()


def test_a_belief_by_what_was_played(policy):
    """Worlds weigh as the cards of the others are likely; another belief and a power are as they say."""
    view = list(views())[16]
    rows = worlds.sample(Knowledge.from_view(view), 50, np.random.default_rng(1))
    plain, twice = (find_belief(f"core:played(policy={policy},power={power})").weigh(view, rows) for power in (1, 2))
    assert plain.max() == 1
    assert plain.min() < 1
    assert twice == pytest.approx(plain**2)
    mixed = find_belief(f"core:played(policy={policy}+{policy})").weigh(view, rows)
    assert mixed == pytest.approx(plain)
    product = find_belief(f"core:played(policy={policy},times=core:played(policy={policy}))").weigh(view, rows)
    assert product == pytest.approx(plain**2)
    part = Rollouts(policy=policy, worlds=20, belief=f"core:played(policy={policy})")
    assert part.recommend(Situation(view), Limit(), np.random.default_rng(1)).action in view.legal
    unknown = next(views(hearts_rules()))
    assert (find_belief(f"core:played(policy={policy})").weigh(unknown, rows) == 1).all()


def test_it_says_what_is_wrong():
    for text in ("core:played", "core:played(policy=skat:cards,heat=0)", "core:played(policy=skat:cards,slip=2)"):
        with pytest.raises(InputError):
            find_belief(text)
    with pytest.raises(InputError, match="policy"):
        Player.from_spec("play=core:rollouts")
    with pytest.raises(InputError, match="worlds"):
        Player.from_spec("play=core:rollouts(policy=skat:cards,worlds=0)")
