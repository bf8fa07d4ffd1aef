"""Bridge at a tournament: partnerships sit together, and results are IMPs."""

from __future__ import annotations

from tricktake.tournament.config import from_mapping
from tricktake.tournament.match import DealTask, MatchWorker
from tricktake.tournament.report import report


def test_two_teams_play_each_deal_twice_and_compare() -> None:
    players = [{"name": name, "spec": "core:random"} for name in "AB"]
    config, _ = from_mapping({"game": "bridge", "deals": 3, "seed": 4, "player": players})
    assert config.schedule().rows == ((0, 1, 0, 1), (1, 0, 1, 0))
    worker = MatchWorker(config)
    rows = [row for number in range(3) for row in worker(DealTask(number, (0, 1)))]
    found = report(config, rows)
    assert found.unit == "IMPs"
    for first, second in zip(found.table.rows[::2], found.table.rows[1::2], strict=True):
        swing = first["points"][0] - second["points"][0]
        assert first["series"] == [-x for x in second["series"]]
        assert (first["series"][0] > 0) == (swing >= 20)
        assert abs(first["series"][0]) <= 24
    assert found.as_row()["players"][0]["score"]["mean"] == -found.as_row()["players"][1]["score"]["mean"]
