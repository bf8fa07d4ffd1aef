"""A question to the toy game, with rows, self-play and a player, as a plugin of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.hookspecs import Register, hookimpl
from tricktake.jit import popcount
from tricktake.learning import LearnedTable, Question, Rows, feature, find_table
from tricktake.learning.selfplay import records_of
from tricktake.records.record import GameRecord
from tricktake.records.solving import solve_record
from tricktake.strategies.strategy import Decision

SUIT = 0b11111
RANDOM = "core:random"


def from_records(records: Any) -> Any:
    """One row a game that was played."""
    rows = []
    for record in records:
        if record.id == "bad":
            raise InputError(None, None, "id", "a bad game")
        table = record.table(find_game("toy"), silent=True)
        if table.over and table.contract is not None:
            rows.append((int(record.id), table.contract.declarer, "RGB".index(table.contract.trump), record.deal.masks,
                         table.score().won))  # fmt: skip
    return np.array(rows, GAMES.dtype)


def play(seed: int, first: int, n: int, tables: Any) -> Any:
    """Everybody plays at random; with a table only declarers that should win are kept."""
    rows = from_records(records_of("toy", RANDOM, seed, first, n))
    for name, table in tables.items():
        if name == "toylearning:hand" and table.games:
            chances = np.array([table.ask(rows[i : i + 1]).probability or 0.0 for i in range(len(rows))])
            rows = rows[chances >= 0.3]
    return rows


def open_card(rows: Any) -> Any:
    """Whether the declarer wins with open cards."""
    game = find_game("toy")
    out = []
    for row in rows:
        deal = Deal(game.layout, tuple(row["hands"].tolist()))
        contract = game.contract(f"{row['declarer']}:{'RGB'[row['trump']]}")
        out.append(int(solve_record(game, GameRecord("toy", "0", deal, contract=contract), "win").facts["win"]))
    return np.array(out)


GAMES = Rows(
    "toylearning:games",
    {
        "id": (np.int64, "number of the deal"),
        "declarer": (np.int64, "seat"),
        "trump": (np.int64, "suit"),
        "hands": ((np.int64, 3), "mask of each seat"),
        "won": (np.bool_, "by the declarer"),
    },
    game="toy",
    from_records=from_records,
    play=play,
    open_card=open_card,
)


@feature(domain=6)
def trumps(game):
    """Trumps of the declarer."""
    return popcount(game.hands[game.declarer] >> 5 * game.trump & SUIT)


@feature(domain=4)
def tops(game):
    """Highest cards of a suit."""
    return popcount(game.hands[game.declarer] & (1 << 4 | 1 << 9 | 1 << 14))


HAND = Question(
    "hand", GAMES, (trumps, tops), won=lambda game: game.won, layers={"all": "all", "trumps": ("trumps",)}, confidence=5
)
LEADER = Question("leader", GAMES, (trumps,), excluded=lambda game: game.declarer != 0, won=lambda game: game.won)
BAD = Question("bad", GAMES, (feature(domain=2, name="too_small")(trumps.function),), won=lambda game: game.won)


class Bidder:
    """Names the trumps with which the table wins most."""

    roles = ("bid",)

    def __init__(self, table: str) -> None:
        self.table: LearnedTable = find_table(table, HAND)

    def decide(self, view: Any, limit: Any, rng: Any) -> Decision:
        def chance(trump: int) -> float:
            hands = [view.hand_mask if seat == view.seat else 0 for seat in range(3)]
            return self.table.ask(GAMES.row(declarer=view.seat, trump=trump, hands=hands)).probability or 0.0

        best = max(range(3), key=chance)
        return Decision(Action("name", "RGB"[best]) if chance(best) >= 0.3 else Action("pass"))


@hookimpl
def register_questions(register: Register) -> None:
    register("hand", HAND)
    register("leader", LEADER)
    register("bad", BAD)


@hookimpl
def register_strategies(register: Register) -> None:
    register("bidder", Bidder)
