"""Small files that are read as a whole, TOML and JSON: in bounded memory, and every fault an InputError."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from tricktake.errors import InputError

MOST_BYTES = 24 << 20  # of JSON; a list of 10^6 series has 11 MB. As values the worst text takes 28 times as much
MOST_TOML = 1 << 20  # of a configuration or scenarios; as values the worst takes 170 times as much
MOST_TOML_LINE = 1 << 14  # characters; the time of a key with dots goes with the square of its length


def names_file(name: str, suffix: str) -> bool:
    """Whether a name is that of a file, not a registered one: it ends so or has a separator of folders."""
    return name.endswith(suffix) or "/" in name or os.sep in name


def require_end(path: str | Path) -> None:
    """Raises InputError for what is read whole and may have no end: a device, a pipe."""
    place = Path(path)
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise InputError(path, None, None, "no file, but a device or a pipe")


def bytes_of(path: str | Path, most: int) -> bytes:
    """The content of a file. Raises InputError if there is none, and for one of more than ``most`` bytes."""
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise InputError(path, None, None, error.strerror or str(error)) from error
    if len(data) > most:
        raise InputError(path, None, None, f"longer than {most} bytes")
    return data


def text_of(path: str | Path, errors: str = "strict", most: int | None = None) -> str:
    """The text of a file. Raises as ``bytes_of`` does, and InputError for what is no text."""
    data = bytes_of(path, MOST_BYTES if most is None else most)
    try:
        return data.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise InputError(path, None, None, f"not a text file: {error}") from error


def toml_of(path: str | Path) -> dict[str, Any]:
    """The tables of a file. Raises InputError, with the line if that is known."""
    text = text_of(path, most=MOST_TOML).replace("\r\n", "\n")
    for number, row in enumerate(text.split("\n"), 1):
        if len(row) > MOST_TOML_LINE:
            raise InputError(path, number, None, f"a line longer than {MOST_TOML_LINE} characters")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError(path, None, None, "nested too deep") from error
    except ValueError as error:
        line = re.search(r"\(at line (\d+)", str(error))
        at_end = len(text.splitlines()) or 1 if "end of document" in str(error) else None
        raise InputError(path, int(line[1]) if line else at_end, None, str(error)) from error


def json_of(path: str | Path) -> Any:
    """The value that a JSON file holds. Raises InputError, with the line if that is known."""
    try:
        return json_in(text_of(path))
    except json.JSONDecodeError as error:
        raise InputError(path, error.lineno, None, f"no JSON: {error}") from error
    except ValueError as error:
        raise InputError(path, None, None, f"no JSON: {error}") from error


def json_in(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError, also for one that is nested too deep."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
