"""A plugin: whist, and a player whose cards depend on everything it was asked before in the game."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.hookspecs import Register, hookimpl
from tricktake.phase import Tricks
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision, Result
from tricktake.table import Table
from tricktake.view import View

MODULUS = 1_000_003


class Remembered(Game):
    name, phases, layout = "remembered", (Tricks,), Layout(Deck("CDHS", "6789TJQKA"), (9,) * 4)

    def rules(self, table: Table) -> TrickRules:
        return TrickRules.plain(self.layout.deck, 4, trump="S", trick_cost=1)

    def score(self, table: Table) -> Score:
        assert table.tricks is not None
        return Score(tuple(table.tricks.taken))


class Rememberer:
    """Writes in a diary (``REMEMBERER``) when games end and tables close."""

    memory = 0

    def begin(self, game: str, seat: int) -> None:
        self.memory = seat + 1

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        facts = (len(view.events), view.hand_mask, int(rng.integers(MODULUS)))
        for fact in facts:
            self.memory = (31 * self.memory + fact) % MODULUS
        return Decision(view.legal[self.memory % len(view.legal)])

    def end(self, result: Result) -> None:
        self._write(f"end {result.view.seat} {result.score is not None}")

    def close(self) -> None:
        self._write("close")

    def _write(self, line: str) -> None:
        with open(os.environ["REMEMBERER"], "a") as diary:
            diary.write(f"{line}\n")


@hookimpl
def register_games(register: Register) -> None:
    register("remembered", Remembered())


@hookimpl
def register_strategies(register: Any) -> None:
    register("rule", Rememberer)
