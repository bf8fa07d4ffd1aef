"""Rows of Hearts for learning: one for each seat of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tricktake.game import find_game
from tricktake.learning.rows import RowArray, Rows
from tricktake.learning.selfplay import records_of
from tricktake.records.record import GameRecord
from tricktake_hearts.passing import DIRECTIONS

PLAYER = "hearts:rule"  # who plays when nobody says who


def from_records(records: Sequence[GameRecord]) -> RowArray:
    """Four rows a finished game, in the order of the seats. Raises IllegalAction for a record that breaks the rules."""
    found = []
    for record in records:
        game = find_game(record.game)
        table = record.table(game, silent=True)
        if not table.over:
            continue
        score = table.score()
        passed = [0] * game.seats
        for event in record.before or ():
            passed[event.seat] = event.action.mask
        hands = record.deal_at_play.hands
        step = DIRECTIONS[record.board % len(DIRECTIONS)]
        number = int(record.id) if record.id.isdecimal() else -1
        for seat in range(game.seats):
            taken = score.detail["penalties"][seat], score.detail["tricks"][seat]
            found.append((number, seat, step, record.deal.masks[seat], passed[seat], hands[seat], *taken))
    return np.array(found, SEATS.dtype)


def play(seed: int, first: int, n: int, tables: Mapping[str, Any]) -> RowArray:
    """Self-play of the rule player, which asks no tables."""
    return from_records(records_of("hearts", PLAYER, seed, first, n))


SEATS = Rows(
    "hearts:seats",
    {
        "id": (np.int64, "number of the game, -1 if its id is no number"),
        "seat": (np.int64, "0 to 3"),
        "step": (np.int64, "passed to the seat so many further: 1, 3, 2, or 0 for no passing"),
        "dealt": (np.int64, "mask of the 13 cards dealt"),
        "passed": (np.int64, "mask of the cards passed on, 0 without passing"),
        "hand": (np.int64, "mask of the 13 cards at the first trick"),
        "penalties": (np.int64, "what the seat got, 26 for the others' moon"),
        "tricks": (np.int64, "tricks taken"),
    },
    game="hearts",
    limits={"seat": (0, 3), "step": (0, 3), "tricks": (0, 13)}
    | dict.fromkeys(("dealt", "passed", "hand"), (0, (1 << 52) - 1)),
    from_records=from_records,
    play=play,
)
