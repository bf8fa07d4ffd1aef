"""``tricktake check``: the conformance suite for games and strategies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_columns, print_json
from tricktake.cli.names import COUNT, GAME, KIND, SECONDS, SPEC
from tricktake.cli.options import READABLE, json_option, seed_option

if TYPE_CHECKING:
    from tricktake.game import Game
    from tricktake.search.limit import Limit
    from tricktake.testing import Report


MOST_DEALS = 10_000_000  # a list of their numbers is kept


@click.command("check")
@click.argument("game", type=GAME)
@click.option(
    "--deals", type=click.IntRange(1, MOST_DEALS), default=20, show_default=True, help="How many games to play."
)
@click.option("--id", "number", type=click.IntRange(min=0), help="Play only the deal of this number again.")
@click.option("--contract", "contracts", type=KIND, multiple=True, help="Play only such contracts; repeatable.")
@click.option("--bidder", type=SPEC, help="Who bids and exchanges at all seats, e.g. skat:rule.")
@click.option("--strategy", type=SPEC, multiple=True, help="Check this player in GAME instead; repeatable.")
@click.option(
    "--scenarios",
    metavar="FILE",
    multiple=True,
    type=READABLE,
    help="Positions the strategies must play as expected (TOML); repeatable.",
)
@click.option("--seconds", type=SECONDS, default=2.0, show_default=True, help="A move.")
@click.option("--worlds", type=COUNT, default=5, show_default=True, help="A move.")
@seed_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    deals: int,
    number: int | None,
    contracts: tuple[str, ...],
    bidder: str | None,
    strategy: tuple[str, ...],
    scenarios: tuple[Path, ...],
    seconds: float,
    worlds: int,
    seed: int,
    as_json: bool,
) -> None:
    """Play random games of GAME and check that it conforms; exit code 1 if it does not.

    Contracts that the game names and chance did not lead to are forced. A KIND is as counted under "contracts", or a
    pattern such as '?NT'.

    With --strategy let that player (as in tournaments, e.g. core:pimc) play all seats, and check it; with --scenarios
    only in the positions of these files (docs/expert.md).
    """
    from tricktake.game import find_game
    from tricktake.search.limit import Limit
    from tricktake.steering import check_kind
    from tricktake.strategies.player import Player, game_roles
    from tricktake.testing import check_game, check_strategy

    rules = find_game(game)
    ids = None if number is None else [number]
    limit = Limit(seconds=seconds, worlds=worlds)
    if strategy and (contracts or bidder):
        raise click.UsageError("--contract and --bidder are for the check of a game, without --strategy")
    for kind in contracts:
        check_kind(rules, kind)
    if scenarios:
        if not strategy:
            raise click.UsageError("--scenarios needs a --strategy to play them")
        ctx.exit(_play_scenarios(rules, strategy, scenarios, limit, seed, as_json))
    if strategy:
        reports = []
        for spec in strategy:
            player = Player.from_spec(spec)
            player.require((), game_roles(rules))
            if missing := [role for role in game_roles(rules) if player.strategy(role) is None]:
                log(f"{spec}: no strategy for {', '.join(missing)}; these decisions are made at random")
            reports.append(check_strategy(player, rules, deals, seed, limit, ids, name=spec))
    else:
        bidding = None if bidder is None else Player.from_spec(bidder)
        reports = [check_game(rules, deals, seed, ids, contracts, bidding)]
    if as_json:
        plain = [report.to_json() for report in reports]
        print_json(plain if len(plain) > 1 else plain[0])
    else:
        show(reports)
    ctx.exit(EXIT_OK if all(report.ok for report in reports) else EXIT_DIFFERS)


def show(reports: list[Report]) -> None:
    """What was checked, and each failure."""
    for report in reports:
        title = f"{report.subject}: {report.deals} deals, seed {report.seed}"
        rows = [("FAIL" if c.failed else "ok", c.name, c.count, c.failed, c.promise) for c in report.checks]
        print_columns(("", "check", "tried", "failed", "promise"), rows, title=title, right=("tried", "failed"))
        if report.kinds:
            click.echo(f"contracts: {report.contracts}")
        for failure in report.failures:
            click.echo(str(failure))


def _play_scenarios(
    game: Game, strategy: tuple[str, ...], files: tuple[Path, ...], limit: Limit, seed: int, as_json: bool
) -> int:
    """Show the scenarios in which a strategy plays another card; returns the exit code."""
    from tricktake import scenario
    from tricktake.strategies.player import Player

    players = {spec: Player.from_spec(spec) for spec in strategy}
    found = [case for file in files for case in scenario.load(file)]
    for case in found:
        if case.game.name != game.name:
            raise case.wrong("game", f"is {case.game.name}, not {game.name}")
    failed: dict[str, list[str]] = {}
    for spec, player in players.items():
        player.require(("play",))
        failed[spec] = [text for case in found if (text := case.failure(player, limit, seed))]
    if as_json:
        print_json([{"strategy": spec, "scenarios": len(found), "failures": wrong} for spec, wrong in failed.items()])
    for spec, wrong in () if as_json else failed.items():
        for text in wrong:
            click.echo(f"FAIL {text}")
        click.echo(f"{spec}: {len(found) - len(wrong)} of {len(found)} scenarios as expected")
    return EXIT_DIFFERS if any(failed.values()) else EXIT_OK
