"""``tricktake outer-learn``: the loop of self-play and learning."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from tricktake.cli.common import exit_code, log, print_columns, print_json, progress
from tricktake.cli.names import FilePath
from tricktake.cli.options import CrewOptions, crew_options, jobs_option, json_option


@click.command("outer-learn")
@click.argument("config", type=FilePath(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", type=FilePath(file_okay=False, path_type=Path), help="Folder.  [default: CONFIG without .toml]")
@click.option("--chart/--no-chart", default=True, help="Draw the curves (needs matplotlib).")
@jobs_option
@crew_options
@json_option
@click.pass_context
def command(
    ctx: click.Context, config: Path, out: Path | None, chart: bool, jobs: int, crew: CrewOptions, as_json: bool
) -> None:
    """Learn in batches: play deals with the tables so far, add the games to them, evaluate, and repeat.

    CONFIG is a TOML file, see docs/learning.md. Tables and results of each batch are stored in a folder; the same
    command continues after the last complete batch, and ends with the same tables as without interruption.
    """
    from tricktake.learning.outer import OuterLoop
    from tricktake.learning.outerconfig import read_config

    wanted = read_config(config)
    folder = out or config.with_suffix("")
    results: list[dict[str, Any]] = []
    total = wanted.batches * wanted.games + (wanted.batches + 1) * wanted.judge_games
    try:
        with crew.at_work(jobs, folder / "blocks") as by, progress("games", total) as advance:
            for result in OuterLoop(wanted, folder, by).run(advance):
                results.append(result)
                log(f"batch {result['batch']}: {_line(result)}")
    except KeyboardInterrupt as stop:
        words = ["tricktake", "outer-learn", str(config), "--out", str(folder), "--jobs", str(jobs), *crew.words()]
        log(f"interrupted; complete batches are in {folder}. To resume:\n{shlex.join(words)}")
        ctx.exit(exit_code(stop))
    if as_json:
        print_json(results)
    else:
        _print(results)
    if chart and wanted.judge_games:
        from tricktake.learning.chart import draw

        log("drawn: " + ", ".join(map(str, draw(results, folder))))
    sys.stdout.flush()


def _line(result: dict[str, Any]) -> str:
    learned = ", ".join(f"{name} {counts['games']} games" for name, counts in result["learned"].items())
    return f"after {result['games']} deals: {learned}"


def _print(results: list[dict[str, Any]]) -> None:
    rows = []
    for result in results:
        for name, learned in result["learned"].items():
            judged = result.get("judged", {}).get(name, {})
            shares = [judged.get(key) for key in ("win_rate", "accuracy", "brier")]
            shown = ("-" if share is None else f"{share:.4f}" for share in shares)
            rows.append((result["batch"], result["games"], name, learned["games"], judged.get("games", "-"), *shown))
    columns = ("batch", "deals", "question", "learned", "judged", "won", "as open cards", "Brier")
    print_columns(columns, rows, right=tuple(c for c in columns if c != "question"))
