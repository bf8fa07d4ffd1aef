"""``tricktake solve``: open-card values of recorded deals."""

from __future__ import annotations

import time
from pathlib import Path

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_json, progress
from tricktake.cli.faults import Faults
from tricktake.cli.names import COUNT, GAME
from tricktake.cli.options import READABLE, reading_options
from tricktake.errors import InputError


@click.command("solve")
@click.argument("game", type=GAME)
@click.argument("records", metavar="RECORDS...", nargs=-1, required=True, type=READABLE)
@click.option("--value", "asked", flag_value="value", default="value", help="The exact value (the default).")
@click.option("--win", "asked", flag_value="win", help="Only whether the contract can be made, which is faster.")
@click.option("--cards", "asked", flag_value="cards", help="The value after each card that may be led.")
@click.option("--after", type=click.IntRange(min=0), default=0, help="Solve the position after so many recorded cards.")
@click.option("--nodes", type=COUNT, help="Limit for each record: positions entered.")
@reading_options
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    records: tuple[Path, ...],
    asked: str,
    after: int,
    nodes: int | None,
    format_name: str | None,
    strict: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Solve the deals of RECORDS with all cards open, from the first trick or --after some recorded cards.

    The value is the declarer's: in Skat card points with the skat, in Null (and announced Schwarz) tricks. A record
    needs a deal and a contract, no result; the game decides what is solved in a deal without a contract (bridge: its
    double-dummy table). With --json one line per record: id, value, win, ms, nodes, or ``passed``. Records
    that cannot be solved are reported; the exit code is then 1, unless all of them are proven to be at fault
    themselves (a hidden card, one held twice).
    """
    from tricktake.game import find_game
    from tricktake.records.formats import RecordFault, read
    from tricktake.records.solving import solve_all
    from tricktake.search.limit import Limit

    rules = find_game(game)
    refused, faults = Faults(), 0

    def report(error: InputError) -> None:
        nonlocal faults
        if strict:
            raise error
        faults += isinstance(error, RecordFault)
        refused.refuse(error)

    solved = passed = wins = total_nodes = 0
    start = time.perf_counter()
    limit = Limit(nodes=nodes) if nodes else None
    with progress("solve", None) as advance:
        for file in records:
            found = read(file, rules, format_name, strict, report, variants=True)
            for answer in solve_all(rules, found, asked, limit, jobs, after):  # type: ignore[arg-type]
                advance(1)
                if answer.reason:
                    report(InputError(answer.source or str(file), None, answer.id or None, answer.reason))
                    continue
                solved += not answer.passed
                passed += answer.passed
                wins += answer.facts.get("win") is True
                total_nodes += answer.nodes
                if as_json:
                    print_json(answer.to_json(), indent=None)
                elif answer.passed:
                    click.echo(f"{answer.id}  passed in")
                else:
                    click.echo("  ".join([answer.id, *_words(answer.to_json())]))
    seconds = time.perf_counter() - start
    refused.end()
    log(
        f"{solved} solved in {seconds:.1f} s: {wins} won; {passed} passed in, {refused.number} refused"
        f"; {total_nodes / max(solved, 1):,.0f} nodes a deal"
    )
    ctx.exit(EXIT_DIFFERS if refused.number > faults else EXIT_OK)


def _words(facts: dict[str, object]) -> list[str]:
    words = []
    for key, fact in facts.items():
        if isinstance(fact, dict):
            words.append(_spread(fact) if key == "cards" else f"{key} {_spread(fact)}")
        elif key == "win" and fact is not None:
            words.append("won" if fact else "lost")
        elif fact is not None and key not in ("id", "ms", "nodes"):
            words.append(f"{key} {fact}")
    return [*words, f"{facts['nodes']} nodes, {facts['ms']} ms"]


def _spread(facts: dict[str, object]) -> str:
    """``a:1 b:2``, and of a table ``S(N:1 E:2) H(...)``."""
    return " ".join(f"{k}({_spread(v)})" if isinstance(v, dict) else f"{k}:{v}" for k, v in facts.items())
