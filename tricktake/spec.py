"""Specs: names with options, such as ``core:pimc(worlds=20, decide=mean)`` or ``oh_hell(players=5)``.

Options follow the name in brackets: integers, decimals, ``true``, ``false``, or words. A word
can be a spec itself: ``core:ensemble(search=core:pimc(worlds=40,belief=skat:belief))``. A word in quotation marks is
taken as it stands: ``core:policy(policy="a file, with comma.policy")``; the mark itself is doubled within.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from tricktake.errors import InputError

Option = bool | int | float | str

QUOTES = "\"'"

_SPEC = re.compile(r"([\w.+:-]+)\s*(?:\((.*)\))?", re.DOTALL)
_QUOTED = r""""(?:[^"]|"")*"|'(?:[^']|'')*'"""
_PIECE = re.compile(rf"=\s*(?:{_QUOTED})|[^(),=]+|.", re.DOTALL)


@frozen
class Spec:
    """A registered name and options for its factory. ``str()`` gives a text from which it can be read again."""

    name: str
    options: tuple[tuple[str, Option], ...] = ()

    @classmethod
    def from_text(cls, text: str, where: str = "spec", example: str = "name(option=value)") -> Spec:
        """Read ``name(option=value, ...)``. Raises InputError naming ``where``; ``example`` shows the expected form."""
        match = _SPEC.fullmatch(text.strip())
        if match is None:
            raise InputError(None, None, where, f"cannot read {text.strip()!r}; a {where} looks like {example}")
        shown = example.partition("(")[2].rstrip(")") or "option=value"
        options: dict[str, Option] = {}
        for word in split(match[2] or "", where):
            key, equals, value = (piece.strip() for piece in word.partition("="))
            if not equals or not key.isidentifier() or not value:
                raise InputError(None, None, where, f"cannot read the option {word!r}; options look like {shown}")
            if key in options:
                raise InputError(None, None, where, f"option {key!r} is given twice")
            options[key] = _unquoted(value, where) if value[0] in QUOTES else option_value(value)
        return cls(match[1], tuple(options.items()))

    def nested(self) -> Iterator[Spec]:
        """The specs among the options, and those in their options: words with a colon."""
        for key, value in self.options:
            if isinstance(value, str) and ":" in value and _SPEC.fullmatch(value):
                inner = Spec.from_text(value, key)
                yield inner
                yield from inner.nested()

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}({','.join(f'{key}={_text(value)}' for key, value in self.options)})"


def split(text: str, where: str) -> Iterator[str]:
    """The words separated by commas outside of brackets and quotation marks. Raises InputError naming ``where``."""
    depth, word = 0, ""
    for piece in _PIECE.findall(text + ","):
        depth += (piece == "(") - (piece == ")")
        if depth < 0:
            raise InputError(None, None, where, f"a bracket too many in {text.strip()!r}")
        if piece == "," and depth == 0:
            if word.strip():
                yield word.strip()
            elif text.strip():
                raise InputError(None, None, where, f"nothing between two commas in {text.strip()!r}")
            word = ""
        else:
            word += piece
    if depth:
        raise InputError(None, None, where, f"a bracket is not closed in {text.strip()!r}")


def option_value(text: str) -> Option:
    """``true``, ``false``, integers and decimals by value, everything else as a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _unquoted(text: str, where: str) -> str:
    """What stands between quotation marks. Raises InputError naming ``where``."""
    if re.fullmatch(_QUOTED, text) is None:
        raise InputError(None, None, where, f"quotation marks do not fit in {text}")
    return text[1:-1].replace(2 * text[0], text[0])


def _text(value: Option) -> str:
    """An option as it is read again, quoted where a bare word would be read otherwise."""
    if not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    try:
        plain = value[:1] not in ("", *QUOTES) and [*split(value, "")] == [value] == [option_value(value)]
    except InputError:  # brackets that do not fit
        plain = False
    return value if plain else '"{}"'.format(value.replace('"', '""'))
