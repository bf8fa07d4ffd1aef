"""What a game says of its records: how they end, what they may claim, what is solved of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from tricktake.action import Event
from tricktake.errors import InputError, PluginError
from tricktake.game import Game, Score
from tricktake.records.record import GameRecord
from tricktake.search.problem import Outcome, Problem
from tricktake.table import Table


class Recording:
    """The records of one game. For most games this class does; others name a subclass of it as ``Game.recording``.

    Records go one way: deal -> table -> record -> verify. ``Recording.of(game)`` makes it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    @staticmethod
    def of(game: Game) -> Recording:
        """What this game says of its records. Raises PluginError if ``game.recording`` is no subclass of this."""
        kind = game.recording or Recording
        if not (isinstance(kind, type) and issubclass(kind, Recording)):
            raise PluginError(game.name, f"the recording of the game is {kind!r}, no subclass of Recording")
        return kind(game)

    # -- by the rules ---------------------------------------------------------------------------------------------

    def finish(self, table: Table, record: GameRecord) -> None:
        """Bring the table of a record that broke off to its end, by what the record says of it (who gave up or left).

        Raises InputError if the record does not say enough.
        """
        raise InputError(None, None, "plays", "the game broke off, and the record does not say how it ended")

    def presumed(self, record: GameRecord) -> tuple[Event, ...]:
        """Actions before the tricks that lead to the contract and the exchange of a record which does not tell them.

        Raises InputError if the game cannot say.
        """
        raise InputError(None, None, "before", "the record does not tell the bidding, and the game cannot guess it")

    def claims(self, table: Table) -> Mapping[str, Any]:
        """Everything a record may claim of a finished game: facts and score, and ``winners`` of the tricks."""
        score = table.score()
        finished = [t for t in table.tricks.tricks if t is not None] if table.tricks else []
        own = {"points": score.points, "won": score.won, "value": score.value, "winners": [t.winner for t in finished]}
        return {**own, **table.facts, **score.detail}

    def finished(self, record: GameRecord) -> Table:
        """The table of a record at the end of the game. It has no views.

        Raises IllegalAction for illegal moves, InputError if the game broke off and nothing says how it ended.
        """
        table = record.table(self.game, silent=True)
        if not table.over:
            self.finish(table, record)
        return table

    def score(self, record: GameRecord) -> Score:
        """What a record is worth by the rules, whatever it claims. Raises as ``finished`` does."""
        return self.finished(record).score()

    def verify(self, record: GameRecord) -> list[str]:
        """How the record differs from what the rules make of its moves; empty if it agrees.

        Compared is each key of ``record.result`` that is also a key of ``claims``. Raises IllegalAction for a move
        against the rules, InputError (RecordFault) for a record that cannot be judged.
        """
        table = self.finished(record)
        out = []
        if table.contract != record.contract:
            out.append(f"contract: the record says {record.contract}, its moves {table.contract}")
        return out + differences(record.result, self.claims(table))

    # -- with open cards ------------------------------------------------------------------------------------------

    def problem(self, record: GameRecord, after: int = 0) -> Problem:
        """The play of a record with open cards (``Problem.of``), ``after`` so many of its cards.

        Raises InputError if nothing was played, or less; IllegalAction for a card against the rules.
        """
        problem = Problem.of(record.table_at_play(self.game))
        return evolve(problem, state=record.played_on(problem.state, after))

    def problems(self, record: GameRecord, asked: str = "value", after: int = 0) -> Sequence[Problem]:
        """What ``tricktake solve`` asks of a record; nothing for a deal that was passed in. Raises as ``problem``.

        asked: "value", "win" (whether the side reaches its goal) or "cards" (the value after each card).
        """
        return () if record.passed else (evolve(self.problem(record, after), cards=asked == "cards"),)

    def solved(self, record: GameRecord, found: Sequence[Outcome]) -> Mapping[str, Any]:
        """The answers to ``problems``, in their order, as the keys of a JSON object."""
        (only,) = found
        return {"value": only.value, "win": only.win} | ({"cards": dict(only.cards)} if only.cards else {})


def differences(claims: Mapping[str, Any], computed: Mapping[str, Any]) -> list[str]:
    """Where two accounts of a game disagree, key by key; what only one of them has is not compared."""
    out = []
    for key, claimed in claims.items():
        if key in computed and (ours := _plain(computed[key])) != _plain(claimed):
            out.append(f"{key}: the record says {claimed}, the rules {ours}")
    return out


def _plain(value: Any) -> Any:
    """Tuples as the lists that JSON makes of them, inner ones too."""
    return [_plain(one) for one in value] if isinstance(value, (tuple, list)) else value
