"""Whether records agree with the rules: every game is replayed, and what the record claims is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from attrs import frozen

from tricktake import pool
from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.game import Game, find_game
from tricktake.records.formats import (
    Chunk,
    Format,
    RecordFault,
    detect,
    get_format,
    parsed,
    readable_chunks,
    variant_of,
)
from tricktake.records.lines import Source, open_lines
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording

AGREE, DIFFER, REFUSED = "agree", "differ", "refused"
BATCH = 200  # records sent to a worker at a time


@frozen
class Comparison:
    """What came of one record. fault: it was refused for what is wrong in itself, whatever the rules."""

    status: str
    id: str
    source: str
    reason: str = ""
    fault: bool = False


def compare(game: Game, record: GameRecord) -> Comparison:
    """Replay a record and compare. A move the rules forbid is a difference; what cannot be compared is refused."""
    try:
        reasons = Recording.of(variant_of(record, game)).verify(record)
    except IllegalAction as error:
        reasons = [str(error)]
    except (TricktakeError, ValueError) as error:
        reason = error.reason if isinstance(error, InputError) else str(error)
        return Comparison(REFUSED, record.id, record.source, reason, isinstance(error, RecordFault))
    return Comparison(DIFFER if reasons else AGREE, record.id, record.source, "; ".join(reasons))


def compare_chunk(form: Format, chunk: Chunk | InputError, game: Game, file: str) -> Comparison:
    """Read one record and compare it."""
    try:
        record = parsed(form, chunk, game, file, variants=True)
    except InputError as error:
        reason = ": ".join(part for part in (error.field, error.reason) if part)
        ident = "" if isinstance(chunk, InputError) else form.ident(chunk)
        return Comparison(REFUSED, ident, f"{error.file or file}:{error.line}", reason, isinstance(error, RecordFault))
    return compare(game, record)


def verify(source: Source, game: Game, format: str | None = None, jobs: pool.Jobs = 1) -> Iterator[Comparison]:  # noqa: A002
    """What came of every record of a file, in its order, whatever the number of worker processes.

    A game named without options stands for all of its variants: decks of both sizes may be in one file.

    Raises InputError if there is nothing to read or its format is unknown.
    """
    with open_lines(source) as lines:
        form = detect(source, lines, format)
        chunks = readable_chunks(form, lines)
        if jobs == 1:
            for chunk in chunks:
                yield compare_chunk(form, chunk, game, lines.name)
            return
        batches = iter(lambda: list(islice(chunks, BATCH)), [])
        for comparisons in pool.in_order(partial(_compare_batch, form.name, game.spec, lines.name), batches, jobs):
            yield from comparisons


def _compare_batch(form: str, game: str, file: str, batch: Sequence[Chunk | InputError]) -> list[Comparison]:
    rules = find_game(game)
    return [compare_chunk(get_format(form), chunk, rules, file) for chunk in batch]
