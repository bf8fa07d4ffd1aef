"""Types of arguments and options that name something registered, so that the shell can complete them."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem


class FilePath(click.Path):
    """A path that has a name: an empty word is the folder one is in to ``Path``, and nothing at all to the system."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value):
            self.fail("an empty name", param, ctx)
        return super().convert(value, param, ctx)


class NewFile(FilePath):
    """A file that is written to at the end of some work: whether it can be is said before."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not found.parent.is_dir():
            self.fail(f"there is no folder {found.parent}", param, ctx)
        if not found.exists() and not os.access(found.parent, os.W_OK):
            self.fail(f"nothing can be written to {found.parent}", param, ctx)
        return found


class Finite(click.FloatRange):
    """A number that is one: neither endless nor ``nan``, which no bound keeps out."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found: float = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is no finite number", param, ctx)
        return found


SECONDS = Finite(0, 1e8, min_open=True)
"""A time; three years are more than any."""

COUNT = click.IntRange(1, 2**63 - 1)
"""How many of something: what counters of 64 bits hold."""

Found = Iterable[tuple[str, str]]  # names and what the shell shows beside them


class Registered(click.ParamType):
    """A name in one of the registries. kind: of ``Manager.registries()``. files: whether a file may be given instead.

    The value is passed on as it is: the command looks it up, and says what is wrong with it.
    """

    def __init__(self, name: str, kind: str, *, files: bool = False) -> None:
        self.name, self.kind, self.files = name, kind, files

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so; with ``files`` the shell adds its own."""
        begun, word = self.begun(incomplete)
        found = [
            CompletionItem(begun + name, help=summary) for name, summary in self.found(ctx) if name.startswith(word)
        ]
        # First: bash forgets what came before it, and takes files where no name fits.
        return [CompletionItem(incomplete, type="file"), *found] if self.files else found

    def begun(self, incomplete: str) -> tuple[str, str]:
        """What is kept of a word, and the name that is to be completed."""
        return "", incomplete

    def found(self, ctx: click.Context) -> Found:
        """The names to choose from."""
        from tricktake.plugins import loaded

        registry = loaded().registries()[self.kind]
        return [(name, registry.summary(name)) for name in registry.names()]


class _Spec(Registered):
    """A strategy, or a player: ``name=core:random``, ``bid=skat:rule,play=core:pimc(belief=skat:belief)``."""

    def begun(self, incomplete: str) -> tuple[str, str]:
        word = re.split(r"[=,(]", incomplete)[-1]
        return incomplete[: len(incomplete) - len(word)], word


class _Kind(Registered):
    """A family of contracts of the game that was named before."""

    def found(self, ctx: click.Context) -> Found:
        from tricktake.errors import TricktakeError
        from tricktake.game import find_game

        for name in (ctx.params.get("game"), *ctx.args):  # click leaves it there while an option lacks its value
            with contextlib.suppress(TricktakeError):
                return [(kind, "") for kind in find_game(name or "").kinds]
        return ()


GAME = Registered("game", "games")
SPEC = _Spec("spec", "strategies")
FORMAT = Registered("format", "formats")
TABLE = Registered("table", "tables", files=True)
POLICY = Registered("policy", "policies", files=True)
QUESTION = Registered("question", "questions")
RATING = _Spec("system", "ratings")
KIND = _Kind("kind", "games")
