"""The items: what tables and figures there are, what experiment is behind each, and what the paper printed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import field, fields, frozen

from tricktake.errors import InputError, UnknownName
from tricktake_lab.experiment import SIZES, Experiment
from tricktake_lab.reproduce.verdict import Claim

PAPERS = Path(__file__).resolve().parents[1] / "papers"
OUT = "{out}"  # in an argument: the folder the results are written to


@frozen
class Item:
    """name: such as ``elo-3``. paper: such as ELO. shows: the table or figure, or a section. says: what it is.

    points: of docs/papers.md. experiment: the name of the one behind it, "" where it cannot be reproduced, and then
    ``impossible`` says why. seed: instead of the experiment's. arguments: by size, beyond those the experiment has for
    it. printed: the paper's own table, with ``columns`` and ``rows``. chart: ``sheet``, ``x``, ``y`` of the curves and
    the ``unit`` of these. note: what is the same, what is not, and our finding. sheets: numbers of the result's tables
    that the page shows, all if there are none.
    """

    name: str
    paper: str
    shows: str
    says: str
    points: tuple[str, ...] = ()
    experiment: str = ""
    impossible: str = ""
    seed: int | None = None
    arguments: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    printed: Mapping[str, Any] = field(factory=dict)
    claims: tuple[Claim, ...] = ()
    chart: Mapping[str, Any] = field(factory=dict)
    sheets: tuple[int, ...] = ()
    note: str = ""

    def run_with(self, experiment: Experiment, size: str, out: Path) -> tuple[int, dict[str, Any]]:
        """Seed and arguments of a size. Raises UnknownName."""
        if size not in experiment.sizes:
            raise UnknownName("size", size, SIZES)
        found = {**experiment.sizes[size], **self.arguments.get(size, {})}
        for name, value in found.items():
            if isinstance(value, list):
                found[name] = tuple(value)
            elif value == OUT:
                found[name] = out
        return experiment.seed if self.seed is None else self.seed, found


@frozen
class Paper:
    """A file of items. short: as in docs/papers.md."""

    short: str
    title: str
    items: tuple[Item, ...]


def _claim(file: Path, item: str, values: Mapping[str, Any]) -> Claim:
    try:
        return Claim(**values)
    except (TypeError, ValueError) as error:
        raise InputError(str(file), None, item, f"a claim is wrong: {error}") from error


def read_paper(file: Path) -> Paper:
    """The items of a file. Raises InputError."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    known = {each.name for each in fields(Item)}
    items = []
    for values in content["item"]:
        name = values.get("name", "?")
        sizes = {size: values.pop(size) for size in SIZES if size in values}
        claims = tuple(_claim(file, name, claim) for claim in values.pop("claim", ()))
        if wrong := set(values) - known:
            raise InputError(str(file), None, name, f"there is no {', '.join(sorted(wrong))}")
        values |= {key: tuple(values.get(key, ())) for key in ("points", "sheets")}
        items.append(Item(paper=content["short"], arguments=sizes, claims=claims, **values))
    return Paper(content["short"], content["title"], tuple(items))


@cache
def papers() -> tuple[Paper, ...]:
    """All papers, in the order they are numbered in docs/papers.md, the project's own items last."""
    order = ("ELO", "SKAT", "KERMIT", "OUTER", "KBPS", "OWN")
    return tuple(sorted(map(read_paper, PAPERS.glob("*.toml")), key=lambda paper: order.index(paper.short)))


def items() -> dict[str, Item]:
    """All items by name."""
    return {item.name: item for paper in papers() for item in paper.items}


def chosen(names: Iterable[str]) -> Sequence[Item]:
    """The items of these names: of an item, a paper, or ``all``. Raises UnknownName."""
    known, found = items(), dict[str, Item]()
    shorts = {paper.short.lower(): paper for paper in papers()}
    for name in names:
        if name == "all":
            found |= known
        elif name.lower() in shorts:
            found |= {item.name: item for item in shorts[name.lower()].items}
        elif name in known:
            found[name] = known[name]
        else:
            raise UnknownName("item", name, [*known, *shorts, "all"])
    return list(found.values())
