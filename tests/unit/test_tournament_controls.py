"""Control variates: the mean stays, the variance falls, and what a game says of its deals is used seat by seat."""

from __future__ import annotations

import numpy as np
import pytest

from tricktake.deal import deals
from tricktake.game import find_game
from tricktake.tournament.config import Config, from_mapping
from tricktake.tournament.controls import Controls, control_of, cross_fitted
from tricktake.tournament.report import report
from tricktake.tournament.stats import Statistics


def test_the_mean_stays_whatever_the_control_says() -> None:
    """Few deals and a skew control whose square counts, too: coefficients fitted on the same deals would shift it."""
    rng = np.random.default_rng(1)
    fair, fitted = [], []
    for _ in range(3000):
        x = rng.exponential(1.0, (20, 1)) - 1.0
        y = x[:, 0] ** 2 + rng.normal(0, 0.5, 20)  # mean 1
        fair.append(cross_fitted(y, x)[0].mean())
        slope = np.polyfit(x[:, 0], y, 1)[0]
        fitted.append((y - slope * x[:, 0]).mean())
    assert abs(np.mean(fair) - 1.0) < 4 * np.std(fair) / np.sqrt(3000)
    assert abs(np.mean(fitted) - 1.0) > 8 * np.std(fitted) / np.sqrt(3000)


def test_it_takes_off_what_the_control_explains() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(500, 2))
    y = 5 + x @ [2.0, -1.0] + rng.normal(size=500)
    adjusted, weights = cross_fitted(y, x)
    assert weights == pytest.approx([2.0, -1.0], abs=0.15)
    assert adjusted.var() < 0.25 * y.var()
    alike, none = cross_fitted(y, np.zeros((500, 2)))
    assert np.array_equal(alike, y)
    assert not none.any()


def skat(*seatings: str) -> Config:
    players = [{"name": name, "spec": "core:random"} for name in "ab"]
    return from_mapping({"game": "skat", "deals": 200, "seed": 4, "seatings": list(seatings), "player": players})[0]


def worth_of_hands(config: Config, seats: tuple[int, ...], noise: float) -> Statistics:
    """Scores that are the sum over these seats of what Skat says of their hands, and noise."""
    game = find_game("skat")
    control = control_of(game)
    assert control is not None
    dealt = deals(game.layout, config.seed, 0, config.deals)
    worth = control.values(game, dealt, np.zeros(config.deals, np.int64))[:, :, 0]
    rng = np.random.default_rng(3)
    rows = []
    for pairing in config.schedule():
        points = [(10 * worth[pairing.deal, s] if s in seats else 0.0) + noise * rng.normal() for s in range(3)]
        facts = {"kind": None, "declarer": None, "won": None, "faults": []}
        row = {"id": pairing.id, "deal": pairing.deal, "players": list(pairing.players), "series": points, **facts}
        rows.append(row)
    return Statistics(rows, config.names, 1)


def test_what_skat_says_of_its_hands_is_used_seat_by_seat() -> None:
    """A player who always has the same seat has luck there to take off; two who have all seats have none."""
    one = skat("ABB")
    table = worth_of_hands(one, (0, 1, 2), 0.1)
    controls = Controls.of(one, table)
    assert controls is not None
    found = controls.difference(0, 1)
    assert found is not None
    assert found.saved > 0.9
    plain = table.difference(0, 1)
    assert plain is not None
    assert plain.estimate.error is not None
    assert found.estimate.error is not None
    assert abs(found.estimate.mean - plain.estimate.mean) < 1.5 * plain.estimate.error
    assert found.estimate.error < 0.4 * plain.estimate.error
    both = skat("ABB", "BAB", "BBA")
    fair = Controls.of(both, worth_of_hands(both, (0, 1, 2), 20.0))
    assert fair is not None
    difference = fair.difference(0, 1)
    assert difference is not None
    assert abs(difference.saved) < 0.1
    score = fair.score(0)
    assert score is not None
    assert score.saved > difference.saved


def test_the_report_has_both() -> None:
    config = skat("ABB")
    rows = [{**row, "points": row["series"]} for row in worth_of_hands(config, (0,), 0.1).rows]
    told = report(config, rows).as_row()
    assert told["players"][0]["controlled"]["saved"] > 0.9
    assert told["players"][0]["score"]["mean"] == pytest.approx(
        told["players"][0]["controlled"]["mean"], abs=told["players"][0]["score"]["error"]
    )
    page = report(config, rows)._repr_html_()
    assert "less the luck of the deal" in page
    few = report(config, rows[:20]).as_row()
    assert few["players"][0]["controlled"] is None
