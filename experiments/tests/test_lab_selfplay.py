"""What stands behind the answer to Kermit's open question, and the searches that count its refinements."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tricktake_lab.kermit.bidding import ALIKE, ONE, TWO, lineups
from tricktake_lab.kermit.selfplay import crossing
from tricktake_lab.outcome import Estimate
from tricktake_lab.skat.imitated import agreement, decisions_of, imitated
from tricktake_lab.solver.questions import endings
from tricktake_lab.solver.refined import NEAR_PAIRS, How, Search
from tricktake_skat.contract import SkatContract
from tricktake_skat.games import play_games
from tricktake_skat.rules import skat_rules

from tricktake.policy.train import Settings
from tricktake.search.opencard import Solver
from tricktake.trick import TrickState

EXACT = [How(0, order=False), How(1), How(1, fast=2), How(0, fast=4)]


@pytest.mark.parametrize("name", ["S", "G"])
def test_refinements_find_what_the_solver_finds(name: str) -> None:
    rules = skat_rules(SkatContract(0, name))
    given = endings([rules], 4, 12, np.random.default_rng(5)).positions[0]
    wanted = Solver(1).batch(given, "value").value
    search = Search()
    for how in EXACT:
        values, nodes = search.values(given, how)
        assert values.tolist() == wanted.tolist()
        assert (nodes > 4).all()
        window = wanted + np.arange(len(wanted)) % 2  # as much as there is, or one eye more
        assert search.values(given, how, window)[0].tolist() == (wanted >= window).tolist()
    near, fewer = search.values(given, How(2))
    assert (abs(near - wanted) <= NEAR_PAIRS).all()
    assert fewer.sum() < search.values(given, How(0))[1].sum()


def test_depth_tells_late_defeats_from_early_ones() -> None:
    given = endings([skat_rules(SkatContract(0, "N"))], 4, 20, np.random.default_rng(6)).positions[0]
    lost, _ = Search().values(given, How(1), np.ones(20, np.int64))
    depth, _ = Search().values(given, How(1, delay=True))
    assert set(lost.tolist()) == {0, 1}
    assert ((depth > 0) == (lost == 1)).all()
    assert set(depth[depth > 0].tolist()) <= {1, 4, 7, 10}  # and three cards for each trick that was left
    assert len(set(depth.tolist())) > 2


def test_decisions_are_those_of_the_games() -> None:
    rows = play_games(6001, 0, 60).rows
    rows = rows[(rows["declarer"] >= 0) & (rows["game"] < 4) & (rows["cards"][:, 29] >= 0)][:8]
    found, wanted = decisions_of(rows), []
    for row in rows:
        rules = skat_rules(SkatContract(int(row["declarer"]), "CSHD"[row["game"]]))
        state = TrickState(rules, row["hands"].tolist(), 0)
        for card in row["cards"].tolist():
            if len(legal := state.legal()) > 1:
                wanted.append(((state.turn - int(row["declarer"])) % 3, len(legal)))
            state.play(card)
    said = list(zip(found.role.tolist(), np.bitwise_count(found.legals).tolist(), strict=True))
    assert said == wanted
    assert (found.played & found.legals == found.played).all()
    assert (np.bitwise_count(found.played) == 1).all()


def test_an_imitator_comes_to_play_alike() -> None:
    rows = play_games(6002, 0, 90).rows
    rows = rows[(rows["declarer"] >= 0) & (rows["game"] < 4)]
    few, many = (imitated(rows[:n], "suit", 1, Settings(last_rate=3e-5)) for n in (2, len(rows)))
    assert agreement(many, rows).mean() > agreement(few, rows).mean() + 0.1
    again = imitated(rows[:2], "suit", 1, Settings(last_rate=3e-5))
    assert (again.nets[0].first == few.nets[0].first).all()


def test_where_curves_cross() -> None:
    gains = {100: Estimate(-1, 2, 9), 1000: Estimate(3, 2, 9), 10: Estimate(1, 2, 9)}
    assert crossing(gains).mean == 1000
    assert math.isnan(crossing({10: Estimate(1, 2, 9)}).mean)


def test_who_sits_where() -> None:
    assert lineups(ALIKE, 4, 0) == [(4, 4, 4)]
    assert lineups(ONE, 4, 0) == [(4, 0, 0), (0, 0, 4), (0, 4, 0)]
    assert sorted(lineups(TWO, 4, 0)) == [(0, 4, 4), (4, 0, 4), (4, 4, 0)]
