"""The hooks of a plugin. Each is called once, when plugins are loaded, and registers names; nothing runs per card."""

from __future__ import annotations

from typing import Any, Protocol

import pluggy

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
    """Parts of players (bidders, exchangers, card players). ``part`` becomes ``plugin:part``."""


@hookspec
def register_beliefs(register: Register) -> None:
    """How likely worlds are (``tricktake.belief.Belief``). ``belief`` becomes ``plugin:belief``."""


@hookspec
def register_formats(register: Register) -> None:
    """Notations of game records with load, loads, dump and dumps."""


@hookspec
def register_tables(register: Register) -> None:
    """Tables that strategies can use: a ``Path``, or a ``tricktake.learning.Table``. ``table`` is ``plugin:table``."""


@hookspec
def register_questions(register: Register) -> None:
    """Questions for learning: a ``tricktake.learning.Question``. ``question`` becomes ``plugin:question``."""


@hookspec
def register_ratings(register: Register) -> None:
    """Ways to rate players from results."""


@hookspec
def register_commands(register: Register) -> None:
    """Subcommands of the command line: click commands."""
