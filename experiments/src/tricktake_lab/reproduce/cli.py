"""``tricktake reproduce``: the tables and figures of the papers, run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tricktake.cli.common import log, print_columns, print_json
from tricktake.cli.names import FilePath
from tricktake.cli.options import CrewOptions, crew_options, jobs_option, json_option

if TYPE_CHECKING:
    from tricktake.pool import Jobs
    from tricktake_lab.reproduce.items import Item
    from tricktake_lab.reproduce.results import Result

SIZES = ("smoke", "small", "paper")


@click.command("reproduce")
@click.argument("names", metavar="[NAME|PAPER|all]...", nargs=-1)
@click.option("--list", "listed", is_flag=True, help="List the items with the state of their results.")
@click.option("--size", type=click.Choice(SIZES), default="small", show_default=True)
@click.option("--out", type=FilePath(file_okay=False, path_type=Path), metavar="DIR",
              help="Folder of the results.  [default: reproduced/SIZE]")  # fmt: skip
@click.option("--again", is_flag=True, help="Run what has a result, too.")
@click.option("--page", is_flag=True, help="Write docs/reproduced.md and the README's list of the stored results.")
@jobs_option
@crew_options
@json_option
def command(
    names: tuple[str, ...],
    listed: bool,
    size: str,
    out: Path | None,
    again: bool,
    page: bool,
    jobs: int,
    crew: CrewOptions,
    as_json: bool,
) -> None:
    """Run tables and figures of the papers, and compare the paper's numbers with ours.

    A result with the same arguments, made by the same code, is not made again. See docs/laboratory.md.
    """
    from tricktake_lab.reproduce.items import chosen
    from tricktake_lab.reproduce.page import RESULTS

    if page:
        _write_page()
        return
    items = chosen(names or ("all",))
    if listed or not names:
        _list(items, out or RESULTS, as_json)
        return
    results = []
    with crew.at_work(jobs) as by:
        for item, result, new in _made(list(items), size, out or Path("reproduced", size), by, again):
            results.append(result)
            if not as_json:
                _show(item, result, new)
    for item in items:
        if not item.experiment:
            log(f"{item.name}: not possible here: {item.impossible}")
    if as_json:
        print_json(results)


def _made(items: list[Item], size: str, out: Path, jobs: Jobs, again: bool) -> Any:
    from tricktake.errors import InputError
    from tricktake_lab.reproduce.charts import draw
    from tricktake_lab.reproduce.results import reproduce

    for item, result, new in reproduce(items, size, out, jobs, again):
        if item.chart:
            try:
                draw(result, item.chart, out / f"{item.name}.png")
            except InputError as error:  # a result without its chart is better than none
                log(str(error))
        yield item, result, new


def _show(item: Item, result: Result, new: bool) -> None:
    run = result["run"]
    made = f"{run['seconds']:.1f} s" if new else "as stored"
    click.echo(f"{item.name}  {item.shows}: {item.says}\n  {result['verdict']}; {run['size']}, {made}")
    for claim in result["claims"]:
        ours = claim["ours"]["text"] if claim["ours"] else "-"
        printed = "" if claim["paper"] is None else f" (printed {claim['paper']:g})"
        certainty = "" if claim["p"] is None else f", p = {claim['p']:.2g}"
        click.echo(f"  - {claim['says']}{printed}: {ours}, {claim['verdict']}{certainty}")


def _list(items: Any, out: Path, as_json: bool) -> None:
    from tricktake_lab.experiment import SIZES as KNOWN
    from tricktake_lab.reproduce.results import read, task_of

    rows = []
    for item in items:
        result = read(out / f"{item.name}.json")
        row = {"name": item.name, "paper": item.paper, "item": item.shows, "says": item.says}
        row |= {"experiment": item.experiment, "sizes": list(KNOWN) if item.experiment else []}
        row |= {"size": None, "minutes": None, "verdict": None}
        if not item.experiment:
            row["status"] = f"not possible here: {item.impossible}"
        elif result is None:
            row["status"] = "not yet run"
        else:
            run = result["run"]
            now = task_of(item, run["size"], out).key == run["key"]
            row |= {"size": run["size"], "minutes": round(run["seconds"] / 60, 1), "verdict": result["verdict"]}
            row["status"] = "current" if now else "of other code or arguments"
        rows.append(row)
    if as_json:
        print_json(rows)
        return
    columns = ("name", "item", "says", "experiment", "size", "minutes", "verdict", "status")
    print_columns(columns, [["" if row[name] is None else row[name] for name in columns] for row in rows])


def _write_page() -> None:
    from tricktake_lab.experiment import CHECKOUT
    from tricktake_lab.reproduce.page import PAGE, page, readme, stored, with_block

    results = stored()
    PAGE.write_text(page(results), encoding="utf-8")
    file = CHECKOUT / "README.md"
    file.write_text(with_block(file.read_text(encoding="utf-8"), readme(results)), encoding="utf-8")
    log(f"wrote {PAGE} and {file}: {len(results)} results")
