"""The hooks of a plugin: those that register names, called on loading, and two for each deal. None runs per card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pluggy

if TYPE_CHECKING:
    from tricktake.game import Score
    from tricktake.records.record import GameRecord

PROJECT = "tricktake"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Register(Protocol):
    """What a hook is given."""

    def __call__(self, name: str, obj: Any, *, summary: str = "", answers: str = "") -> None:
        """Register an object, or a class or function that makes it.

        answers: the question (``plugin:question``) that a table answers, if it is not of the same name, so that whoever
        asks finds it without knowing its plugin (``manager().tables.answering``).
        Given as ``"module:attribute"`` it is imported when it is first used.
        """


@hookspec
def register_games(register: Register) -> None:
    """Games: objects that follow ``tricktake.game.Game``."""


@hookspec
def register_strategies(register: Register) -> None:
    """Strategies of players (bidders, exchangers, card players). ``name`` becomes ``plugin:name``."""


@hookspec
def register_beliefs(register: Register) -> None:
    """How likely worlds are (``tricktake.belief.Belief``). ``belief`` becomes ``plugin:belief``."""


@hookspec
def register_formats(register: Register) -> None:
    """Notations of game records with load, loads, dump and dumps."""


@hookspec
def register_tables(register: Register) -> None:
    """Tables for strategies: a ``Path`` or a ``tricktake.learning.LearnedTable``. ``table`` is ``plugin:table``."""


@hookspec
def register_policies(register: Register) -> None:
    """Policies that play: a ``Path`` of a ``.policy`` file, or a ``Policy``. ``policy`` becomes ``plugin:policy``."""


@hookspec
def register_practices(register: Register) -> None:
    """What policies for a game practise: a ``tricktake.policy.practice.Practice``, by the name of the game."""


@hookspec
def register_questions(register: Register) -> None:
    """Questions for learning: a ``tricktake.learning.Question``. ``question`` becomes ``plugin:question``."""


@hookspec
def register_ratings(register: Register) -> None:
    """Ways to rate players from results."""


@hookspec
def register_controls(register: Register) -> None:
    """What a deal is worth to its seats: a ``tricktake.tournament.controls.Control``, by the name of the game."""


@hookspec
def register_commands(register: Register) -> None:
    """Subcommands of the command line: click commands."""


@hookspec
def deal_begins(game: str, seed: int, id: str, players: tuple[str, ...]) -> None:  # noqa: A002
    """A game of a tournament, a replay, self-play or at the terminal begins.

    game: its spec. seed, id: of the series and the game in it, the same whenever it is played. players: by seat.
    """


@hookspec
def deal_ends(record: GameRecord, score: Score) -> None:
    """That game is over: its record, whose ``id`` is the one it began with, and what it is worth."""
