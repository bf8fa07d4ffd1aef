"""What results of Hearts are worth to those who practise it: the differences of the scores, moons too."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_hearts.game import MOON
from tricktake_hearts.practice import HeartsPractice

from tricktake.action import play
from tricktake.game import find_game
from tricktake.policy import games
from tricktake.policy.practice import at_first_trick, practice_for, quick_bidder
from tricktake.strategies.player import Player


def test_gains_are_differences_of_scores() -> None:
    """Of games played at random, and of one in which a seat is given all penalties."""
    game = find_game("hearts")
    practice = practice_for(game)
    assert isinstance(practice, HeartsPractice)
    batch = practice.positions("play", 5, 8)
    played = games.play(batch, np.full((8, 4), games.RANDOM), seed=1, cards=52)
    bidder = Player.from_spec(quick_bidder(game))
    for i in range(8):
        table = at_first_trick(game, bidder, 5, i)
        assert table is not None
        for card in played.cards[i]:
            table.apply(play(int(batch.encoding.compiled.to_deck[card])))
        points = np.array(table.score().points)
        wanted = points - (points.sum() - points) / 3
        assert played.gains[i] == pytest.approx(wanted / MOON, abs=1e-6)


def test_a_moon_is_worth_what_the_others_pay() -> None:
    worth = practice_for(find_game("hearts")).positions("play", 5, 1).worth[0]
    assert worth[:3] == pytest.approx([0, -1 / MOON, -2 / MOON])
    # The shooter has 0 and each other seat pays: all of it relative to the others' mean.
    assert worth[MOON] - worth[0] == 1
    assert np.isnan(worth[-2:]).all()


def test_other_rules_have_worth_of_their_own() -> None:
    """With the jack of diamonds costs begin below 0, and no moon is known by its cost."""
    batch = practice_for(find_game("hearts(jd_bonus=true)")).positions("play", 5, 4)
    assert batch.encoding.low == -10
    assert np.diff(batch.worth[0][:-2]).max() < 0
