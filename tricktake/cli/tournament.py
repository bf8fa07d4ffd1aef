"""``tricktake tournament``: strategies against each other on duplicate deals."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tricktake.cli.common import EXIT_DIFFERS, exit_code, log, print_columns, print_json, progress
from tricktake.cli.names import COUNT, GAME, SECONDS, SPEC, FilePath, Finite
from tricktake.cli.options import JOBS, CrewOptions, crew_options, json_option, said

if TYPE_CHECKING:
    from tricktake.ratings.highscore import HighScore


@click.command("tournament")
@click.argument("config", required=False, type=FilePath(dir_okay=False, path_type=Path))
@click.option("--game", type=GAME, help="The game; without a CONFIG.")
@click.option(
    "--player", "players", multiple=True, type=SPEC, metavar="[NAME=]SPEC", help="A player, e.g. skat:rule. Repeat it."
)
@click.option("--deals", type=COUNT, help="How many deals.  [default: 100, or all records]")
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, same result.  [default: 0]")
@click.option("--mode", type=click.Choice(("match", "contracts")), help="Whole games, or contracts with roles swapped.")
@click.option("--records", multiple=True, type=FilePath(), help="Records whose contracts are played. Repeat it.")
@click.option("--bidder", type=SPEC, help="Who makes the contracts, if not records.")
@click.option("--seatings", metavar="all|pairs|ABB,BAA|[...]", help="Who sits where.  [default: all]")
@click.option("--worlds", type=COUNT, help="Limit of every decision: sampled worlds.")
@click.option("--nodes", type=COUNT, help="Limit of every decision: positions searched.")
@click.option("--seconds", type=SECONDS, help="Limit a strategy is told to keep.")
@click.option("--move-seconds", type=SECONDS, help="After this a decision is forced.")
@click.option("--start-seconds", type=SECONDS, help="Time to start a player's process.")
@click.option("--max-faults", type=COUNT, help="Faults until a player forfeits a game.  [default: 3]")
@click.option("--memory-mb", type=click.IntRange(min=64), help="Memory of a player's process.")
@click.option(
    "--isolate", type=click.Choice(("auto", "yes", "no", "sandbox")), help="Who plays in a process.  [default: auto]"
)
@click.option("--fresh/--no-fresh", default=None, help="A new process for every game.")
@click.option("--until", metavar='"A-B>0"', help="Stop once a sequential test has decided this, names of players.")
@click.option("--delta", type=Finite(min=0, min_open=True), help="With --until: what must not be overlooked.")
@click.option("--alpha", type=Finite(0, 0.5), help="With --until: chance of a wrong yes.  [default: 0.05]")
@click.option("--beta", type=Finite(0, 0.5), help="With --until: chance of a wrong no.  [default: 0.05]")
@click.option("--store", type=FilePath(dir_okay=False, path_type=Path), help="Where the games go (JSON lines).")
@click.option(
    "--report", "shown", type=FilePath(exists=True, dir_okay=False, path_type=Path), help="Only report on this store."
)
@click.option("--rate", type=FilePath(dir_okay=False, path_type=Path), help="A rating list to continue with it.")
@click.option("--jobs", type=JOBS, help="Worker processes on this machine.  [default: 1]")
@click.option("--strict", is_flag=True, help="Exit 1 after the report if there was any fault, a member's included.")
@crew_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    config: Path | None,
    as_json: bool,
    crew: CrewOptions,
    rate: Path | None,
    shown: Path | None,
    strict: bool,
    **options: Any,
) -> None:
    """Let strategies play duplicate deals, in all seatings, and compare them.

    A tournament is described by CONFIG (TOML), by options, or by both: an option overrides CONFIG. The games are kept
    in a store; the same command continues an interrupted run, also with more --deals, and shows the report if all is
    played. See docs/tournaments.md.
    """
    if shown is None:
        store = _played(ctx, config, options, crew)
    else:
        _only_report(ctx, config)
        store = shown
    _report(ctx, store, rate, as_json=as_json, strict=strict)


def _played(ctx: click.Context, config: Path | None, options: dict[str, Any], crew: CrewOptions) -> Path:
    """Play what is missing; where the games are."""
    from tricktake.tournament.config import from_mapping, question, read_toml
    from tricktake.tournament.run import default_store, run, with_all_records

    data = {} if config is None else read_toml(config)
    data.update(_given(options, lambda: _roles(options.get("game") or data.get("game"))))
    tournament, running = from_mapping(data, config)
    until = question(running, tournament.names, config)
    if tournament.records and "deals" not in data:
        tournament = with_all_records(tournament)
    store = Path(running["store"]) if "store" in running else default_store(tournament, config)
    kept = crew.at_work(running.get("jobs", 1), store.with_name(f"{store.name}.blocks"))
    try:
        with kept as jobs, progress("games", len(tournament.schedule())) as advance:
            run(tournament, store, jobs, advance, until)
    except KeyboardInterrupt as stop:
        log(f"interrupted; the games that were over are in {store}. To resume:\n{resume_command(store)}")
        ctx.exit(exit_code(stop))
    return store


def _only_report(ctx: click.Context, config: Path | None) -> None:
    """Refuse, beside --report, whatever describes a tournament: the store does. Raises UsageError."""
    from click.core import ParameterSource

    free = ("config", "shown", "rate", "as_json", "strict")
    given = [
        parameter.opts[0]
        for parameter in ctx.command.params
        if parameter.name is not None
        and parameter.name not in free
        and ctx.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]
    if config is not None or given:
        named = "CONFIG" if config is not None else given[0]
        raise click.UsageError(f"--report shows a store as it is and takes no {named}")


def _report(ctx: click.Context, store: Path, rate: Path | None, *, as_json: bool, strict: bool) -> None:
    from tricktake.tournament.report import report_of_store

    result = report_of_store(store)
    kept = None if rate is None else _rated(rate, store)
    if as_json:
        lists = {} if kept is None else {"list": kept.as_rows()}
        print_json({**result.as_row(), **lists, "store": str(store)})
    else:
        result.show(print_columns)
        if result.test is not None:
            click.echo(str(result.test))
        log(f"games in {store}")
        if kept is not None:
            columns, cells = kept.columns()
            print_columns(columns, cells, title=f"the list in {rate}", right=[c for c in columns if c != "player"])
    if strict and any(result.table.faults(player) for player in range(len(result.config.players))):
        ctx.exit(EXIT_DIFFERS)


def _rated(path: Path, store: Path) -> HighScore:
    """The list of a file with this tournament added; a tournament already in it is not counted again."""
    from tricktake.ratings.highscore import HighScore
    from tricktake.ratings.run import keep

    kept, new = keep(path, store)
    log(f"list in {path}: {new} series were new")
    return HighScore((kept.rules.system,), (kept.ratings,), kept.rules.series)


def resume_command(store: Path) -> str:
    """The command that was given, with the store named."""
    words = said()
    if not any(word == "--store" or word.startswith("--store=") for word in words):
        words += ["--store", str(store)]
    return shlex.join(words)


def _roles(game: object) -> Sequence[str]:
    """The roles of the game that is named; none if none is, which is told later."""
    from tricktake.game import find_game
    from tricktake.strategies.player import game_roles

    return game_roles(find_game(game)) if isinstance(game, str) else ()


def _given(options: dict[str, Any], roles: Callable[[], Sequence[str]]) -> dict[str, Any]:
    """The options that were given, as fields of a configuration."""
    limit = {name: options.pop(name) for name in ("worlds", "nodes", "seconds")}
    fields = {name: value for name, value in options.items() if value not in (None, ())}
    if any(value is not None for value in limit.values()):
        fields["limit"] = {name: value for name, value in limit.items() if value is not None}
    if "players" in fields:
        fields["player"] = [_player(text, roles) for text in fields.pop("players")]
    if "records" in fields:
        fields["records"] = list(fields["records"])
    if "store" in fields:
        fields["store"] = str(fields["store"])
    if "seatings" in fields and fields["seatings"] not in ("all", "pairs"):
        fields["seatings"] = _seatings(fields["seatings"])
    return fields


def _seatings(text: str) -> list[str]:
    """Rows as ``ABB,BAA`` or as TOML writes the list: ``["ABB", "BAA"]``. Raises InputError."""
    if not text.lstrip().startswith("["):
        return [row.strip() for row in text.split(",")]
    import tomllib

    from tricktake.errors import InputError

    try:
        rows = tomllib.loads(f"rows = {text}")["rows"]
    except tomllib.TOMLDecodeError:
        rows = None
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError(None, None, "--seatings", f'cannot read {text!r}; a list looks like ["ABB", "BAA"]')
    return rows


def _player(text: str, roles: Callable[[], Sequence[str]]) -> dict[str, Any]:
    """``NAME=SPEC`` or ``SPEC``; ``play=core:pimc`` is a spec, since play is a role of the game."""
    name, equals, spec = text.partition("=")
    named = equals and ":" not in name and "(" not in name and name.strip() not in roles()
    return {"name": name.strip(), "spec": spec} if named else {"spec": text}
