"""What the site is made of beside the pages themselves: its navigation, the reference, and docstrings as reST.

The navigation is ``docs/index.md``: a heading is a section of it, the links below are its pages.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from posixpath import normpath
from types import ModuleType

import attrs

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)#:]+\.(?:md|ipynb))[#)]")
_NAMED = re.compile(r"(?:^|\n|(?<=[.;:)] ))(\w+(?:, \w+)*): (?=\S)")
_AFTER = re.compile(r"(?<=\.)[ \n](?=(?:Raises|Returns) )")

LONGEST = 40  # letters of a default that is shown

Package = tuple[str, tuple[str, ...]]


def navigation(index: str, folder: str) -> list[tuple[str, list[str]]]:
    """The sections of an index page and the documents (paths from the root, no suffix) each of them links to first.

    folder: the page's own, to which its links are relative.
    """
    pieces = _HEADING.split(index)
    sections, seen = [], set()
    for caption, text in zip(pieces[1::2], pieces[2::2], strict=True):
        links = dict.fromkeys(normpath(f"{folder}/{link}").rsplit(".", 1)[0] for link in _LINK.findall(text))
        if own := [link for link in links if link not in seen]:
            sections.append((caption, own))
            seen.update(own)
    return sections


def toctree(documents: Iterable[str], caption: str = "", *, hidden: bool = False) -> str:
    """A table of contents as MyST writes it."""
    options = [f":caption: {caption}"] * bool(caption) + [":hidden:"] * hidden + [":maxdepth: 1"]
    return "\n".join(["", "```{toctree}", *options, "", *(f"/{name}" for name in documents), "```", ""])


# -- the reference ------------------------------------------------------------------------------------------------


def packages(root: Path) -> Iterator[Package]:
    """A package and all below it that have public names, each with its own public modules."""
    for init in sorted(root.glob("**/__init__.py")):
        parts = init.parent.relative_to(root.parent).parts
        if not any(part.startswith("_") for part in parts):
            name = ".".join(parts)
            files = sorted(file.stem for file in init.parent.glob("*.py") if not file.stem.startswith("_"))
            yield name, tuple(f"{name}.{stem}" for stem in files)


def _titled(name: str, line: str) -> list[str]:
    return ["", name, line * len(name), ""]


def _module(name: str, *options: str) -> list[str]:
    return [f".. automodule:: {name}", *(f"   :{option}:" for option in options), ""]


def page_of_module(name: str) -> str:
    """A module on a page of its own."""
    return "\n".join([*_titled(name, "="), *_module(name, "members")])


def page_of_package(package: Package) -> str:
    """A package and its modules on one page."""
    name, modules = package
    lines = _titled(name, "=") + _module(name, "members", "ignore-module-all")
    for module in modules:
        lines += _titled(module, "-") + _module(module, "members")
    return "\n".join(lines)


def modules_of(page: str) -> list[str]:
    """The modules a page of the reference describes."""
    return re.findall(r"automodule:: (\S+)", page)


def import_for_types(module: ModuleType) -> None:
    """Do what the module does under ``if TYPE_CHECKING``."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), module.__name__, "exec"), vars(module))


class _Default:
    """A default that is computed, or too long to be read in a signature."""

    def __repr__(self) -> str:
        return "..."


def name_types(module: ModuleType) -> None:
    """Give every attrs class of the module a signature with real types and defaults, which its ``__init__`` lacks."""
    for kind in list(vars(module).values()):
        if isinstance(kind, type) and kind.__module__ == module.__name__ and attrs.has(kind):
            with suppress(NameError):  # a name of another function's
                attrs.resolve_types(kind)
            own = {field.alias: field for field in attrs.fields(kind)}
            given = inspect.signature(kind)
            parameters = [_typed(one, own.get(one.name)) for one in given.parameters.values()]
            kind.__signature__ = given.replace(parameters=parameters)  # type: ignore[attr-defined]


def _typed(given: inspect.Parameter, field: attrs.Attribute | None) -> inspect.Parameter:
    if field is None:
        return given
    plain = isinstance(field.default, (int, float, str, tuple, type(None))) and len(repr(field.default)) <= LONGEST
    default = given.empty if field.default is attrs.NOTHING else field.default if plain else _Default()
    return given.replace(annotation=field.type, default=default)


def reference(root: Path, *, apart: bool = False) -> dict[str, str]:
    """The pages of a package by name, one for each package in it; apart: one for each module at its top."""
    top, *others = packages(root)
    own = {module: page_of_module(module) for module in top[1]} if apart else {top[0]: page_of_package(top)}
    return own | {package[0]: page_of_package(package) for package in others}


# -- docstrings ---------------------------------------------------------------------------------------------------


_LITERAL = re.compile(r"``.*?``", re.DOTALL)
_ARRAY = re.compile(r"(?:\w+\.)*ndarray\[tuple\[(?:\w+\.)*Any, \.\.\.\], (?:\w+\.)*dtype\[(?:\w+\.)*(\w+)\]\]")


def shortened(signature: str | None) -> str | None:
    """A signature in which arrays are written as in the source."""
    return signature and _ARRAY.sub(lambda match: "NDArray" if match[1] == "Any" else f"NDArray[{match[1]}]", signature)


def names_of(thing: object) -> set[str]:
    """What a docstring may explain by ``name: ...``: parameters of a function, fields of a class."""
    names = set()
    if isinstance(thing, type):
        names = {name for kind in thing.__mro__ for name in getattr(kind, "__annotations__", {})}
    try:
        return names | set(inspect.signature(thing).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return names


def listed(lines: Sequence[str], names: set[str]) -> list[str]:
    """A docstring in which every ``name: what it is`` of a known name is an item of a list."""
    out: list[str] = []
    for paragraph in _paragraphs(lines):
        out += [*_items(paragraph, names), ""]
    return out


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    now: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            now.append(line)
        elif now:
            yield now
            now = []


def _items(paragraph: Sequence[str], names: set[str]) -> list[str]:
    """The paragraph as plain text, a list, and what follows it; as it is if it names nothing."""
    text = "\n".join(line.strip() for line in paragraph)
    plain = _LITERAL.sub(lambda match: "_" * len(match[0]), text)
    found = [match for match in _NAMED.finditer(plain) if set(match[1].split(", ")) <= names]
    if not found:
        return list(paragraph)
    ends = [match.start() for match in found[1:]] + [len(text)]
    items = [f"- **{m[1]}**: {text[m.end() : end]}".replace("\n", " ") for m, end in zip(found, ends, strict=True)]
    before, (items[-1], *after) = text[: found[0].start()], _AFTER.split(items[-1])
    return [*before.split("\n"), "", *items, "", *after]
