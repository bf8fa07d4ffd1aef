"""Drawing worlds by a belief, and what a belief may be."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.situations import situations, trumps
from tricktake import belief, worlds
from tricktake.errors import InputError, UnknownName
from tricktake.search.limit import Limit
from tricktake.strategies.pimc import Pimc
from tricktake.strategies.player import Player
from tricktake.strategies.recommend import Situation


class Holds:
    """A seat holds a card ``odds`` times as likely as not."""

    def __init__(self, place, card, odds):
        self.place, self.card, self.odds = place, card, odds

    def weigh(self, view, rows):
        return np.where(rows[:, self.place] >> self.card & 1, self.odds, 1.0)


class Says:
    def __init__(self, answer):
        self.answer = answer

    def weigh(self, view, rows):
        return self.answer(len(rows))


@pytest.fixture
def situation():
    return next(s for s in situations(trumps(), 2, left=4) if s.world_count > 100)


def unseen_card(situation):
    other = (situation.view.turn + 1) % 3
    may = situation.knowledge.may_hold_mask(other) & situation.knowledge.unseen
    return other, next(c for c in range(28) if may >> c & 1 and not situation.view.known[other] >> c & 1)


def test_drawn_worlds_follow_the_weights(situation):
    """A belief in one card moves its marginal to what the odds say, and no other conditional."""
    place, card = unseen_card(situation)
    rng = np.random.default_rng(0)
    every = worlds.enumerate(situation.knowledge)
    prior = float((every[:, place] >> card & 1).mean())
    expected = 9 * prior / (9 * prior + 1 - prior)
    drawn, counts = belief.draw(situation.knowledge, situation.view, 2000, rng, Holds(place, card, 9.0), factor=10)
    assert counts.sum() == 2000
    assert len(np.unique(drawn, axis=0)) == len(drawn)
    found = float(counts @ (drawn[:, place] >> card & 1)) / 2000
    assert found == pytest.approx(expected, abs=0.02)
    assert abs(expected - prior) > 0.1


def test_systematic_resampling_gives_each_world_its_share(situation):
    """A world comes as often as its share of the weight, rounded up or down."""
    place, card = unseen_card(situation)
    rng = np.random.default_rng(1)
    rows = worlds.sample(situation.knowledge, 200, np.random.default_rng(1))
    weigh = Holds(place, card, 50.0).weigh(situation.view, rows)
    share: Counter = Counter()
    for row, weight in zip(rows.tolist(), weigh, strict=True):
        share[tuple(row)] += 40 * weight / weigh.sum()
    drawn, counts = belief.draw(situation.knowledge, situation.view, 40, rng, Holds(place, card, 50.0), factor=5)
    times = {tuple(row): n for row, n in zip(drawn.tolist(), counts, strict=True)}
    copies = Counter(map(tuple, rows.tolist()))
    for world, expected in share.items():
        assert abs(times.get(world, 0) - expected) <= copies[world]
    assert set(times) <= set(share)


def test_without_a_belief_worlds_are_uniform(situation):
    drawn, counts = belief.draw(situation.knowledge, situation.view, 7, np.random.default_rng(0))
    assert (drawn == worlds.sample(situation.knowledge, 7, np.random.default_rng(0))).all()
    assert counts.tolist() == [1.0] * 7


def test_a_belief_that_rules_everything_out_is_ignored(situation):
    nothing = Says(lambda n: np.zeros(n))
    _, counts = belief.draw(situation.knowledge, situation.view, 10, np.random.default_rng(0), nothing)
    assert counts.sum() == 10
    assert (situation.whole(100_000, nothing).weights == 1).all()


@pytest.mark.parametrize(
    "answer",
    [lambda n: np.ones(n + 1), lambda n: -np.ones(n), lambda n: np.full(n, np.nan), lambda n: np.full(n, np.inf)],
)
def test_what_is_no_weight_is_refused(situation, answer):
    with pytest.raises(ValueError, match="a belief gave"):
        belief.weights(Says(answer), situation.view, situation.whole(100_000).worlds)


def test_pimc_believes(situation):
    """With all weight on the true kind of world the votes are those of these worlds."""
    place, card = unseen_card(situation)
    sure = Holds(place, card, 1e9)
    said = Pimc(worlds=30, belief=sure, factor=10).recommend(situation, Limit(), np.random.default_rng(3))
    assert "of 30 worlds" in said.reason
    every = Situation(situation.view)
    said = Pimc(worlds=100_000, belief=sure).recommend(every, Limit(), np.random.default_rng(3))
    whole = every.whole(100_000)
    held = (whole.worlds[:, place] >> card & 1).astype(bool)
    wins = whole.met()[0][held].mean(axis=0)
    assert "weighed worlds" in said.reason
    assert wins[whole.cards.index(said.action.cards[0])] == wins.max()
    assert said.confidence == pytest.approx(wins.max())


def test_beliefs_by_name(monkeypatch, tmp_path, fresh_plugins):
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from tricktake.hookspecs import hookimpl\n"
        "class Flat:\n"
        "    def __init__(self, odds=1.0): self.odds = odds\n"
        "    def weigh(self, view, worlds): return [self.odds] * len(worlds)\n"
        "class Nothing: pass\n"
        "@hookimpl\n"
        "def register_beliefs(register):\n"
        "    register('flat', Flat)\n"
        "    register('nothing', Nothing)\n"
    )
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(plugin))
    assert belief.find_belief("none") is None
    flat = belief.find_belief("mine:flat(odds=2.0)")
    assert flat.odds == 2.0
    assert belief.find_belief("mine:flat(odds=2.0)") is flat
    player = Player.from_spec("play=core:pimc(worlds=5,belief=mine:flat(odds=2.0))")
    assert player.strategies["play"].belief is flat
    assert player.specs["play"].owners == {"core", "mine"}
    with pytest.raises(UnknownName, match="mine:flat"):
        belief.find_belief("mine:flatt")
    with pytest.raises(InputError, match="must be the name of a belief"):
        belief.find_belief(3)
    with pytest.raises(Exception, match="has no method weigh"):
        belief.find_belief("mine:nothing")
