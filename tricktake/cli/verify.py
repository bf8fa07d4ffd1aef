"""``tricktake verify``: replay records by our rules and compare the results."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, log, print_json, progress
from tricktake.cli.faults import Faults
from tricktake.cli.names import GAME
from tricktake.cli.options import READABLE, reading_options
from tricktake.errors import InputError


@click.command("verify")
@click.argument("game", type=GAME)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=READABLE)
@reading_options
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    files: tuple[Path, ...],
    format_name: str | None,
    strict: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Replay the records of FILE... by the rules of GAME and compare the recorded results.

    A record that cannot be read or replayed is refused. Exit code 0 if nothing differs and every refused record is
    itself at fault (it hides a card, has one twice, contradicts itself); else 1.
    """
    from tricktake.game import find_game
    from tricktake.records.verify import AGREE, DIFFER, REFUSED, verify

    rules = find_game(game)
    start = time.perf_counter()
    counts = dict.fromkeys((AGREE, DIFFER, REFUSED), 0)
    problems, at_fault = {DIFFER: Faults(), REFUSED: Faults()}, 0
    with progress("verify", None) as advance:
        for file in files:
            for comparison in verify(file, rules, format_name, jobs):
                advance(1)
                counts[comparison.status] += 1
                if comparison.status == AGREE:
                    continue
                if strict and comparison.status == REFUSED:
                    raise InputError(comparison.source, None, None, comparison.reason)
                found: dict[str, Any] = {"id": comparison.id, "source": comparison.source, "reason": comparison.reason}
                if comparison.status == REFUSED:
                    found["fault"] = comparison.fault
                    at_fault += comparison.fault
                problems[comparison.status].add(found)
                if problems[comparison.status].said:
                    log(f"{comparison.source}: {comparison.status}: {comparison.id or '?'}: {comparison.reason}")
    seconds = time.perf_counter() - start
    for faults in problems.values():
        faults.end()
    records = sum(counts.values())
    if as_json:
        named = {status: faults.first for status, faults in problems.items()}
        print_json({"records": records, "agree": counts[AGREE], **named, "seconds": round(seconds, 3)})
    else:
        click.echo(
            f"{records} records: {counts[AGREE]} agree, {counts[DIFFER]} differ, {counts[REFUSED]} refused"
            f" ({at_fault} by their own fault); {records / seconds:,.0f} records/s"
        )
    fine = counts[DIFFER] == 0 and counts[REFUSED] == at_fault
    ctx.exit(EXIT_OK if fine else EXIT_DIFFERS)
