"""``tricktake new``: a game of your own to begin with."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

import click

from tricktake.cli.common import log
from tricktake.cli.names import FilePath

SUFFIX = ".in"  # of the files of a skeleton
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@click.group("new")
def command() -> None:
    """Write what a plugin begins with."""


@command.command("game")
@click.argument("name")
@click.option(
    "--dir",
    "parent",
    type=FilePath(file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Where the folder NAME is made.  [default: here]",
)
def new_game(name: str, parent: Path) -> None:
    """Write a game as a plugin into a new folder NAME: the game, its tests, a README.

    It is complete, passes "tricktake check", and is made to be changed. NAME is lower case, like oh_hell.
    """
    from tricktake import __version__
    from tricktake.errors import InputError

    folder = parent / name
    _check(name)
    if not parent.is_dir():
        raise InputError(None, None, "--dir", f"there is no folder {parent}")
    if folder.exists():
        raise InputError(folder, None, None, "is there already; nothing was written")
    words = {
        "name": name,
        "dashed": name.replace("_", "-"),
        "title": name.replace("_", " ").title(),
        "class_name": name.title().replace("_", ""),
        "version": __version__,
    }
    for place, text in _files(resources.files("tricktake.cli") / "skeleton" / "game", words):
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        click.echo(path)
    log(f"next: cd {folder} && pip install -e . && tricktake check {name}")


def _check(name: str) -> None:
    """Raise InputError for a name that cannot be one, or that is taken."""
    from tricktake.errors import InputError
    from tricktake.plugins import loaded

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InputError(None, None, "NAME", f"{name!r} must be lower-case letters, digits and single _, like oh_hell")
    for info in loaded().report():
        if info.name == name or name in info.registered.get("games", ()):
            raise InputError(None, None, "NAME", f"{name!r} is taken by the plugin {info.name!r} ({info.origin})")


def _files(folder: Traversable, words: Mapping[str, str], place: str = "") -> Iterator[tuple[str, str]]:
    """The files of a skeleton, filled in: where each belongs and its text."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = place + entry.name.replace("NAME", words["name"])
        if entry.is_dir():
            yield from _files(entry, words, path + "/")
        elif entry.name.endswith(SUFFIX):
            yield path.removesuffix(SUFFIX), Template(entry.read_text(encoding="utf-8")).substitute(words)
