"""``tricktake replay``: recorded result, open-card result and our result of recorded deals."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tricktake.cli.common import log, print_columns, print_json, progress
from tricktake.cli.faults import Faults
from tricktake.cli.names import COUNT, GAME, SECONDS, SPEC
from tricktake.cli.options import READABLE, CrewOptions, crew_options, reading_options, seed_option
from tricktake.errors import InputError

if TYPE_CHECKING:
    from tricktake.game import Game
    from tricktake.records.record import GameRecord
    from tricktake.tournament.config import Config

SHOWN = 20  # refused records named on stderr


def kept(text: str | None, offered: tuple[str, ...], game: str) -> frozenset[str]:
    """What ``--keep`` names, everything without it. Raises InputError for what the game does not offer."""
    words = list(offered) if text is None else [word.strip() for word in text.split(",") if word.strip()]
    for word in () if words == ["none"] else words:
        if word not in offered:
            raise InputError(None, None, "--keep", f"{game} has no {word!r}; it offers {', '.join((*offered, 'none'))}")
    return frozenset() if words == ["none"] else frozenset(words)


@click.command("replay")
@click.argument("game", type=GAME)
@click.argument("records", metavar="RECORDS...", nargs=-1, required=True, type=READABLE)
@click.option("--strategy", required=True, type=SPEC, help="Who plays all seats, e.g. skat:rule.")
@click.option("--keep", metavar="WORDS", help="What stays as recorded, or none.  [default: all the game offers]")
@click.option("--limit", "first", type=COUNT, help="Only the first so many records.")
@click.option("--worlds", type=COUNT, help="Limit of every decision: sampled worlds.")
@click.option("--nodes", type=COUNT, help="Limit of every decision: positions searched.")
@click.option("--move-seconds", type=SECONDS, help="After this a decision is forced.")
@click.option("--isolate", type=click.Choice(("auto", "yes", "no", "sandbox")), default="auto", show_default=True,
              help="Whether the strategy plays in processes of its own.")  # fmt: skip
@seed_option
@crew_options
@reading_options
def command(
    game: str,
    records: tuple[Path, ...],
    strategy: str,
    keep: str | None,
    first: int | None,
    worlds: int | None,
    nodes: int | None,
    format_name: str | None,
    strict: bool,
    move_seconds: float | None,
    isolate: str,
    seed: int,
    jobs: int,
    crew: CrewOptions,
    as_json: bool,
) -> None:
    """Let a strategy play the deals of RECORDS in every seat, and compare.

    Each contract is counted in one of eight cells: won (1) or lost (0) in the record, with open cards, and by us.
    Accuracy is the share of results that equal the open-card result. See docs/tournaments.md.
    """
    from tricktake.search.limit import Limit
    from tricktake.strategies.player import game_roles
    from tricktake.tournament.config import Config
    from tricktake.tournament.players import PlayerConfig
    from tricktake.tournament.replay import Tally, keeps, needed_roles, replay

    start = time.perf_counter()
    player = PlayerConfig.from_text(strategy, Limit(worlds=worlds, nodes=nodes))
    config = Config(game, (player,), seed=seed, move_seconds=move_seconds, isolate=isolate)
    config.require_sandbox()
    rules = config.make_game()
    offered = keeps(rules)
    stays = kept(keep, offered, game)
    player.require(needed_roles(rules, stays), game_roles(rules))
    broken = Faults(shown=SHOWN)
    tally = Tally(rules)
    with crew.at_work(jobs, Path("replay.blocks"), resumes=True) as by, progress("games", first) as advance:
        source = islice(_read(records, rules, format_name, strict, broken), first)
        for row in replay(config, stays, source, by):
            if strict and row.status == "refused":
                raise InputError(None, None, row.id, row.reason)
            tally.add(row)
            advance(1)
    result = {
        "game": game,
        "strategy": player.text,
        "keep": [name for name in offered if name in stays],
        **tally.row(),
        "broken": broken.first,
        "unreadable": broken.number,
        "seconds": round(time.perf_counter() - start, 3),
    }
    for wrong in (*result["broken"], *result["refused"])[:SHOWN]:
        log(f"{wrong.get('source') or wrong['id']}: not used: {wrong['reason']}")
    if (left := broken.number + len(result["refused"]) - SHOWN) > 0:
        log(f"... and {left:,} more")
    if as_json:
        print_json(result)
    else:
        show(result, tally.score_key, rules, config)


def _read(
    files: tuple[Path, ...], game: Game, format_name: str | None, strict: bool, broken: Faults
) -> Iterator[GameRecord]:
    from tricktake.records import formats

    for file in files:
        yield from formats.read(file, game, format_name, strict, broken.add)


def show(result: dict[str, Any], score_key: str, game: Game, config: Config) -> None:
    """The result for people."""
    rows = []
    for kind, part in [*result["kinds"].items(), ("all", result)]:
        wins, accuracy = part["wins"], part["accuracy"]
        shares = [f"{_percent(accuracy[who])}" for who in ("record", "ours")]
        rows.append((kind, part["games"], *part["cells"].values(), *wins.values(), *shares))
    cells = tuple(result["cells"])
    click.echo(f"we: {result['strategy']} on every seat; as recorded: {', '.join(result['keep']) or 'nothing'}")
    columns = ("contract", "games", *cells, "record", "open", "ours", "accuracy", "ours ")
    print_columns(
        columns,
        rows,
        title="cells: won (1) or lost (0) in the record, with open cards, by us; then wins; then accuracy in %",
        right=columns[1:],
    )
    score = result[score_key]
    if score["record"] is not None:
        error = score["error"]
        unit = f"{game.score_unit} per {game.series}" if game.series > 1 else game.score_unit
        record, ours = (_number(score[who], error[who]) for who in ("record", "ours"))
        difference = _number(score["difference"], error["difference"], sign=True)
        click.echo(f"{unit}: record {record}, ours {ours}, difference {difference}{_p(score['p'])}")
    left = [(result["unreadable"], "unreadable"), (len(result["refused"]), "not usable")]
    left += [(result["passed"], "passed in"), (result["folded"], "passed in by us")]
    notes = ", ".join(f"{n} {what}" for n, what in left if n) or "none left out"
    click.echo(f"{result['games']} games in {result['seconds']:.1f} s; records not in the cells: {notes}")
    for kind, count in result["faults"].items():
        click.echo(f"faults: {count} x {kind}, the first {result['first_faults'][kind]}")


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _number(value: float, error: float | None, *, sign: bool = False) -> str:
    text = f"{value:+.1f}" if sign else f"{value:.1f}"
    return f"{text} ± {'—' if error is None else f'{error:.1f}'}"


def _p(p: float | None) -> str:
    return "" if p is None else f" (p {'< 0.0001' if p < 0.0001 else f'= {p:.4f}'})"
