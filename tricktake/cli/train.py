"""``tricktake train``: learn a policy by playing."""

from __future__ import annotations

from pathlib import Path

import click

from tricktake.cli.common import exit_code, log, print_json
from tricktake.cli.names import GAME, POLICY, SPEC, FilePath, Finite
from tricktake.cli.options import CrewOptions, crew_options, jobs_option, json_option, said, seed_option

POSITIONS, MOST_POSITIONS = 20_000, 10_000_000  # some 500 bytes each
MOST_GAMES = 10**12
MOST_HIDDEN = 512  # a checkpoint of four such networks has some 120 MB


@click.command("train")
@click.argument("game", type=GAME)
@click.option("--family", "families", metavar="NAMES", default="", help="Families of contracts, with commas between.")
@click.option("--from", "start", type=POLICY, default="zero", show_default=True, help="A policy, or zero.")
@click.option("--minutes", type=Finite(min=0, min_open=True), help="How long each family learns. [default: 10]")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), help="Instead: how many games of self-play.")
@click.option(
    "--positions",
    type=click.IntRange(10, MOST_POSITIONS),
    default=POSITIONS,
    show_default=True,
    help="Deals practised.",
)
@click.option("--bidder", type=SPEC, default="", help="Who bids and exchanges; else what the game provides.")
@click.option(
    "--hidden", type=click.IntRange(64, MOST_HIDDEN), default=128, show_default=True, help="Width, a multiple of 64."
)
@click.option("--out", required=True, type=FilePath(dir_okay=False, path_type=Path), metavar="FILE")
@click.option(
    "--curve",
    type=FilePath(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the learning curve (.png, .svg).",
)
@seed_option
@jobs_option
@crew_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    families: str,
    start: str,
    minutes: float | None,
    games: int | None,
    positions: int,
    bidder: str,
    hidden: int,
    out: Path,
    curve: Path | None,
    seed: int,
    jobs: int,
    crew: CrewOptions,
    as_json: bool,
) -> None:
    """Learn a policy for GAME by self-play and write it to FILE.

    Every family of contracts has networks of its own; what is not named keeps those of --from. Processes of --jobs
    learn families at the same time; workers of --cluster play the games of one family after the other, with the same
    result. FILE.NAME.checkpoint goes on where it was interrupted, within a minute.
    """
    import functools
    import shlex

    from tricktake import __version__, pool
    from tricktake.errors import InputError
    from tricktake.game import find_game
    from tricktake.policy.chart import learning_curves, text
    from tricktake.policy.policy import Policy
    from tricktake.policy.policyfile import save
    from tricktake.policy.practice import practice_for, with_cards
    from tricktake.policy.train import Settings, Task, learn
    from tricktake.strategies.policy import find_policy

    if minutes is not None and games is not None:
        raise click.UsageError("--minutes or --games, not both")
    if hidden % 64:
        raise click.UsageError("--hidden must be a multiple of 64")
    _check_files(out, curve)
    found = find_game(game)
    practice = practice_for(found, bidder)
    base = None if start == "zero" else find_policy(start)
    if base is not None and base.game != found.name:
        raise InputError(None, None, "from", f"{start} plays {base.game}, not {found.name}")
    names = [name.strip() for name in families.split(",") if name.strip()]
    if wrong := [name for name in names if Path(name).name != name]:  # they become parts of names of files
        raise click.BadParameter(f"{wrong[0]!r} is the name of no family", param_hint="--family")
    names = names or list(practice.families) or [practice.first_family(seed)]
    seconds = None if games is not None else 60 * (minutes or 10)
    tasks = []
    for name in names:
        known = base.families.get(name) if base is not None else None
        checkpoint = out.with_name(f"{out.name}.{name}.checkpoint")
        settings = Settings(hidden=hidden)
        tasks.append(Task(found.spec, name, bidder, seed, positions, settings, known, seconds, games, checkpoint))
    work = functools.partial(learn, report=log)
    try:
        with crew.at_work(min(jobs, len(tasks))) as by:
            if isinstance(by, int):
                results = list(pool.in_order(work, tasks, by))
            else:
                results = [work(task, jobs=by) for task in tasks]
    except KeyboardInterrupt as stop:
        log(f"interrupted; the same command goes on from what was saved in {out}.*.checkpoint:\n{shlex.join(said())}")
        ctx.exit(exit_code(stop))
    kept = dict(base.families) if base is not None else {}
    kept |= {name: result.family for name, result in zip(names, results, strict=True)}
    made = dict(base.made) if base is not None else {}
    made |= {name: dict(result.made) for name, result in zip(names, results, strict=True)}
    made["tricktake"] = __version__
    save(Policy(found.name, kept, made), out)
    for task in tasks:
        task.checkpoint.unlink(missing_ok=True)
    for name, result in zip(names, results, strict=True):
        if len(result.curve) > 2:
            log(f"{name}:\n{text(result.curve)}")
    if curve is not None:
        learning_curves({name: result.curve for name, result in zip(names, results, strict=True)}).save(curve)
    if as_json:
        print_json({name: dict(result.made) for name, result in zip(names, results, strict=True)})
    else:
        log(f"{', '.join(names)}: {out}, {out.stat().st_size / 1e6:.2f} MB")
        log(f'next: tricktake play "{game}" --with "{with_cards(found, f"core:policy(policy={out})")}"')


def _check_files(out: Path, curve: Path | None) -> None:
    """What could not be written is known before the minutes are spent, not after. Raises BadParameter."""
    import importlib.util

    from tricktake.policy.policyfile import SUFFIX

    if out.suffix != SUFFIX:
        raise click.BadParameter(f"a policy is a file NAME{SUFFIX}", param_hint="--out")
    for option, file in (("--out", out), ("--curve", curve)):
        if file is not None and not file.parent.is_dir():
            raise click.BadParameter(f"there is no folder {file.parent}", param_hint=option)
    if curve is not None and curve.suffix.lower() not in (".png", ".svg"):
        raise click.BadParameter("the suffix of a chart is .png or .svg", param_hint="--curve")
    if curve is not None and importlib.util.find_spec("matplotlib") is None:
        raise click.BadParameter("charts need matplotlib: pip install tricktake[charts]", param_hint="--curve")
