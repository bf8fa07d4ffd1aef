"""Rows of Hearts are what was dealt, passed and scored."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from tricktake_hearts.game import MOON
from tricktake_hearts.rows import SEATS, from_records, play

from tricktake.learning.selfplay import records_of

PLAYER = "exchange=core:random,play=hearts:rule"


def test_rows_are_what_was_dealt_passed_and_scored() -> None:
    records = records_of("hearts", PLAYER, 3, 0, 12)
    rows = from_records(records)
    assert len(rows) == 48
    games = defaultdict(dict)
    for row in rows:
        games[int(row["id"])][int(row["seat"])] = row
    for record in records:
        game = games[int(record.id)]
        penalties = tuple(int(game[seat]["penalties"]) for seat in range(4))
        assert list(penalties) == list(record.result["penalties"])
        assert sum(penalties) in (MOON, 3 * MOON)
        assert sum(int(game[seat]["tricks"]) for seat in range(4)) == 13
        for seat, row in game.items():
            step = int(row["step"])
            assert int(row["dealt"]) == record.deal.hands[seat]
            given, got = int(row["passed"]), int(game[(seat - step) % 4]["passed"])
            assert given.bit_count() == got.bit_count() == (3 if step else 0)
            assert int(row["hand"]) == (int(row["dealt"]) & ~given) | got


def test_self_play_is_the_same_in_any_pieces() -> None:
    whole = play(5, 0, 4, {})
    pieces = np.concatenate([play(5, 0, 1, {}), play(5, 1, 3, {})])
    assert all(np.array_equal(whole[name], pieces[name]) for name in SEATS.fields)
