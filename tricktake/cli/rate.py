"""``tricktake rate``: a high-score list from records, tournaments or tables of scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from tricktake.cli.common import log, print_columns, print_json
from tricktake.cli.faults import Faults
from tricktake.cli.names import COUNT, GAME, RATING, FilePath, Finite
from tricktake.cli.options import READABLE, format_option, json_option, seed_option
from tricktake.errors import InputError
from tricktake.ratings.run import Run, subsets
from tricktake.ratings.system import System, get_system

SHOWN = 10  # reasons why records were left out

MOST_REPLICATES = 10_000  # the error of an error is then one percent
OUTPUT = FilePath(dir_okay=False, path_type=Path)
KEYFILE = FilePath(exists=True, dir_okay=False, path_type=Path)


@click.command("rate")
@click.argument("files", metavar="RECORDS...", nargs=-1, required=True, type=READABLE)
@click.option(
    "--system", "systems", multiple=True, type=RATING, help="E.g. proportional, which is the default. Repeat it."
)
@click.option("--k", type=Finite(min=0, min_open=True), help="K of every system that has one.")
@click.option("--start", type=Finite(), help="Rating of a player not seen before, in every system.")
@click.option("--luck", multiple=True, metavar="FACTOR", help="Correct scores for luck: flat, win... In this order.")
@click.option("--series", type=COUNT, help="Games of a series.  [default: the game's own]")
@click.option("--short/--no-short", default=None, help="Rate series that are not full.  [default: unless --state]")
@click.option("--state", type=OUTPUT, help="A list to continue; it is made if there is none.")
@click.option("--bootstrap", type=click.IntRange(0, MOST_REPLICATES), help="Replicates for the errors.  [default: 100]")
@click.option("--game", type=GAME, help="The game, for files that do not say it.")
@format_option
@click.option("--trust", is_flag=True, help="Take recorded points as they are instead of replaying the moves.")
@click.option("--strict", is_flag=True, help="Stop at the first record that cannot be rated.")
@click.option("--anonymous", type=KEYFILE, metavar="KEYFILE", help="Show names as hashes keyed by this file.")
@click.option("--title", "titles", multiple=True, metavar="NAME=RATING", help="For ratings from there up. Repeat it.")
@click.option("--least-games", type=click.IntRange(min=0), default=0, help="Leave out who has played fewer.")
@click.option("--chart", type=OUTPUT, help="Draw ratings over time, or the sensitivity (.png or .svg).")
@click.option("--sensitivity", is_flag=True, help="Show instead how far K and each --luck spread the ratings.")
@seed_option
@json_option
def command(files: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Rate players by the series in RECORDS and print a high-score list.

    RECORDS are game records of any format that names the players, stores of tournaments, or tables with the columns
    series, player, score and optionally games (.csv). A series is the next games of the same players, as many as
    --series says. With --state a list is continued, and no series is counted twice. See docs/ratings.md.
    """
    faults = Faults(SHOWN, SHOWN)
    run = _run(files, options, faults)
    if options["sensitivity"]:
        _sensitivity(run, files, options["chart"], as_json)
    else:
        _list(run, files, options, as_json)
    for fault in faults.first:
        log(f"not rated: {fault['source']}: {fault['reason']}")
    faults.end()


def _list(run: Run, files: Sequence[Path], options: dict[str, Any], as_json: bool) -> None:
    from tricktake.ratings.highscore import HighScore
    from tricktake.ratings.names import read_titles

    titles, state = read_titles(options["titles"]), options["state"]
    if state is not None and len(run.systems) > 1:
        raise InputError(None, None, "state", "a list is of one system")
    lists, rated = run.rate(files, state)
    rules = lists[0].rules
    score = HighScore(run.systems, tuple(one.ratings for one in lists), rules.series, titles, options["least_games"])
    counted, repeated = len(lists[0].counted), lists[0].repeated
    if as_json:
        done = {"new": rated, "counted": counted, "repeated": repeated}
        about = {key: value for key, value in rules.as_row().items() if key in ("game", "series", "luck", "names")}
        print_json({**about, **done, "seed": run.seed, "players": score.as_rows()})
    else:
        columns, rows = score.columns()
        right = [column for column in columns if column not in ("player", "title")]
        title = f"{rules.game or 'scores'}: {counted} series of {rules.series}, ± half the 95 % interval"
        print_columns(columns, rows, title=title, right=right)
    if repeated:
        log(f"{repeated} series were counted before and are not counted again")
    if state is not None:
        log(f"list in {state}: {rated} series were new")
    if options["chart"] is not None:
        from tricktake.ratings.charts import rating_curves

        results, _ = run.results(files)
        ratings, curve = run.systems[0].curves(results)
        rating_curves(results, curve, ratings, run.systems[0].start).save(options["chart"])


def _sensitivity(run: Run, files: Sequence[Path], chart: Path | None, as_json: bool) -> None:
    from tricktake.ratings.charts import sensitivity_chart
    from tricktake.ratings.proportional import Proportional
    from tricktake.ratings.sensitivity import COLUMNS, sensitivity

    system = run.systems[0]
    if len(run.systems) > 1 or not isinstance(system, Proportional):
        raise InputError(None, None, "sensitivity", "is shown for the system proportional")
    settings = {
        luck: evolve(run, reading=evolve(run.reading, luck=luck)).results(files)[0]
        for luck in subsets(run.reading.luck)
    }
    rows = sensitivity(settings, system=system)
    if as_json:
        print_json([row.as_row() for row in rows])
    else:
        print_columns(COLUMNS, [row.cells() for row in rows], title="ratings by K and luck", right=COLUMNS[1:])
    if chart is not None:
        sensitivity_chart(rows).save(chart)


def _run(files: Sequence[Path], options: dict[str, Any], faults: Faults) -> Run:
    from tricktake.game import find_game
    from tricktake.ratings.names import Pseudonyms
    from tricktake.ratings.ratings import REPLICATES
    from tricktake.ratings.run import PROPORTIONAL, default_system
    from tricktake.ratings.sources import Reading

    def on_error(error: InputError) -> None:
        if options["strict"]:
            raise error
        faults.add(error)

    game = find_game(options["game"]) if options["game"] else None
    reading = Reading(
        game, options["series"], options["luck"], options["trust"], True, options["format_name"], on_error
    )
    texts = options["systems"]
    if not texts:  # input from a pipe cannot be inspected first
        look = evolve(reading, on_error=lambda error: None)
        texts = (PROPORTIONAL if str(files[0]) == "-" else default_system(look.read(files[0])[0]),)
    systems = tuple(_system(text, options["k"], options["start"]) for text in texts)
    if len({system.spec for system in systems}) < len(systems):
        raise InputError(None, None, "system", "the same system is there twice")
    replicates = REPLICATES if options["bootstrap"] is None else options["bootstrap"]
    key = options["anonymous"]
    pseudonyms = None if key is None else Pseudonyms.from_file(key)
    return Run(systems, reading, options["short"], replicates, options["seed"], pseudonyms)


def _system(text: str, k: float | None, start: float | None) -> System:
    """The system of a spec, with K (if it has one) and start as given."""
    system = get_system(text)
    known = system.parameters()
    changes = {"k": k, "start": start}
    return get_system(text, **{name: value for name, value in changes.items() if value is not None and name in known})
