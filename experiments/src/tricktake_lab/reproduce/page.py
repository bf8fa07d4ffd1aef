"""The page of all results (``docs/reproduced.md``) and the list in the README, made of the stored results alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tricktake_lab.experiment import CHECKOUT
from tricktake_lab.reproduce.items import PAPERS, Item, papers
from tricktake_lab.reproduce.results import Result, read
from tricktake_lab.reproduce.verdict import Number, shown

RESULTS = CHECKOUT / "experiments" / "results"
STANDS = PAPERS / "stands.md"  # what is said of results that seem to contradict each other or a paper
OWN = "OWN"
PAGE = CHECKOUT / "docs" / "reproduced.md"
BEGIN, END = "<!-- reproduced -->", "<!-- end of reproduced -->"
HEAD = """# The papers, run again

Made by `tricktake reproduce --page` of the results in `experiments/results`; do not edit it. Every table and figure
of the five papers is an item; `tricktake reproduce NAME` runs one, and `--list` says what is behind it. What the
points (ELO-9) mean is in [papers](papers.md), what the experiments do in [the laboratory](laboratory.md).

The papers' data are games of people, and their program is not public. Ours are games of XSkat, an independent program
that plays by rules of thumb, or self-play; so absolute scores say little, and verdicts are about what a paper *claims*.
± is half a 95 % interval. *Agrees* and *differs* mean that the interval excludes the opposite; *undecided* that it does
not; p is that of chance alone making such a difference, two-sided.
"""


def stored(folder: Path = RESULTS) -> dict[str, Result]:
    """The committed results by item."""
    found = ((file.stem, read(file)) for file in sorted(folder.glob("*.json")))
    return {name: result for name, result in found if result is not None}


def page(results: Mapping[str, Result]) -> str:
    """The whole page."""
    lines = [HEAD, STANDS.read_text(encoding="utf-8")]
    for paper in papers():
        lines += [f"## {paper.short}: {paper.title}\n", "| item | shows | verdict | size |", "|---|---|---|---|"]
        for item in paper.items:
            verdict, size = _state(item, results.get(item.name))
            name = f"[{item.name}](#{item.name})" if item.name in results else item.name
            lines.append(f"| {name} | {item.shows}: {item.says} | {verdict} | {size} |")
        lines.append("")
        for item in paper.items:
            if item.name in results:
                lines += _section(item, results[item.name])
    return "\n".join(lines).rstrip() + "\n"


def _state(item: Item, result: Result | None) -> tuple[str, str]:
    if not item.experiment:
        return f"not possible here: {item.impossible}", ""
    return ("not yet run", "") if result is None else (result["verdict"], result["run"]["size"])


def _section(item: Item, result: Result) -> list[str]:
    run = result["run"]
    points = f" ({', '.join(item.points)})" if item.points else ""
    lines = [f"### {item.name}", f"{item.shows}: {item.says}{points}. **{result['verdict'].capitalize()}.**\n"]
    if result["claims"]:
        says = "we say" if item.paper == OWN else "the paper says"
        lines += [f"| {says} | printed | ours | verdict |", "|---|---|---|---|"]
        lines += [_claim(claim) for claim in result["claims"]]
        lines.append("")
    lines += [f"- {claim['says']}: {claim['why']}" for claim in result["claims"] if "why" in claim]
    if result["note"]:
        lines += ["", result["note"].strip()]
    chart = f"img/reproduced/{item.name}.png"
    if (PAGE.parent / chart).is_file():
        lines.append(f"\n![{item.says}]({chart})")
    lines.append("")
    if "columns" in result["printed"]:
        lines += ["Printed:\n", *_table(result["printed"]["columns"], result["printed"]["rows"]), ""]
    for number in item.sheets or range(len(run["sheets"])):
        sheet = run["sheets"][number]
        lines += [f"Ours, {sheet['title']}:\n", *_table(sheet["columns"], sheet["rows"]), ""]
    lines += [f"`{run['command']}` ({run['seconds']:.0f} s, commit {run['commit'][:8]})", ""]
    return lines


def _claim(claim: Mapping[str, Any]) -> str:
    ours = claim["ours"]["text"] if claim["ours"] else "-"
    unit = claim["ours"]["unit"] if claim["ours"] else ""
    printed = "" if claim["paper"] is None else shown(float(claim["paper"]), unit=unit)
    verdict = claim["verdict"]
    if verdict == "differs":
        verdict = f"differs, {claim['direction']}"
    p = claim["p"]
    if p is not None:
        verdict += f" (p {'<' if p < 1e-4 else '='} {max(p, 1e-4):.2g})"
    return f"| {claim['says']} | {printed} | {ours} | {verdict} |"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    lines = [columns, ["---"] * len(columns), *([cell(each) for each in row] for row in rows)]
    return [f"| {' | '.join(map(str, line))} |" for line in lines]


def cell(value: Any) -> str:
    """A cell of a result to be read."""
    if isinstance(value, Mapping):
        return str(Number.of(value)) if {"mean", "error"} <= value.keys() else str(value)
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def readme(results: Mapping[str, Result]) -> str:
    """What the README says of the papers: verdicts by paper, and the first claim of each item that is decided."""
    lines = [BEGIN, "| paper | tables and figures | run here | verdicts |", "|---|---|---|---|"]
    for paper in papers():
        done = [results[item.name] for item in paper.items if item.name in results]
        verdicts = Counter(result["verdict"] for result in done)
        said = ", ".join(f"{number} {verdict}" for verdict, number in sorted(verdicts.items()))
        short = paper.short if paper.short != OWN else "our own"
        lines.append(f"| {short} | {len(paper.items)} | {len(done)} | {said} |")
    return "\n".join([*lines, END])


def with_block(text: str, block: str) -> str:
    """A text with its part between the marks replaced. Raises ValueError if they are not there."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the marks {BEGIN} and {END} are not there")
    return before + block + after
