"""The games behind the opening questions: ``python -m tricktake_lab.skat.openings SEED DEALS FOLDER [STREAM]``.

Neither the rule player nor XSkat ever leads under an ace, so their games cannot say what that is worth. Deals are bid
as usual here, but a defender in forehand opens with any card of his hand, all equally likely; then rules play.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from attrs import evolve
from tricktake_skat._kernels.cards import GRAND, mix
from tricktake_skat.deals import dealt
from tricktake_skat.games import play_deals, play_rows, unplayed
from tricktake_skat.questions.lead import LEAD_GRAND, LEAD_SUIT

from tricktake.cards import bits
from tricktake.deal import STREAM
from tricktake.errors import InputError
from tricktake.learning import Question, Table, learn, merge
from tricktake.learning.rows import RowArray

BLOCK = 50_000
SALT = 0x1EAD  # what makes the draw of the opening another one than that of the deal
QUESTIONS: dict[str, Question] = {"lead-suit": LEAD_SUIT, "lead-grand": LEAD_GRAND}


def openings(seed: int, first: int, n: int, stream: str = STREAM) -> RowArray:
    """The deals ``first`` to ``first + n - 1`` of a seed, bid as usual; a defender in forehand opens with any card."""
    rows = play_deals(dealt(seed, first, n, stream)).rows
    rows["id"] += first
    again = np.flatnonzero((rows["declarer"] >= 1) & (rows["game"] <= GRAND))
    some = unplayed(rows[again])
    key = mix(seed & 0xFFFFFFFF, SALT)
    for row in some:
        hand = list(bits(int(row["deal"][0])))
        row["cards"][0] = hand[mix(key, int(row["id"]) & 0xFFFFFFFF) % len(hand)]
    play_rows(some)
    rows[again] = some
    return rows


def blocks(seed: int, deals: int, stream: str = STREAM) -> Iterator[RowArray]:
    """``openings`` of the deals 0 to ``deals - 1``, block by block."""
    for first in range(0, deals, BLOCK):
        yield openings(seed, first, min(BLOCK, deals - first), stream)


def main() -> None:
    """Learn both tables and write them into a folder."""
    if len(sys.argv) not in (4, 5) or not (sys.argv[1] + sys.argv[2]).isdecimal():
        raise InputError(None, None, "arguments", "a seed, a number of deals and a folder are needed")
    stream = sys.argv[4] if len(sys.argv) == 5 else STREAM
    seed, deals, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    parts: dict[str, list[Table]] = {name: [] for name in QUESTIONS}
    for rows in blocks(seed, deals, stream):
        for name, question in QUESTIONS.items():
            parts[name] = [merge([*parts[name], learn(question, rows)])]
    player = "skat:rule, the opening drawn from the hand"
    for name, (table,) in parts.items():
        source = {
            "kind": "self-play",
            "player": player,
            "stream": stream,
            "seed": seed,
            "first": 0,
            "games": deals,
            "used": table.games,
        }
        evolve(table, sources=(source,)).save(folder / f"{name}.table")


if __name__ == "__main__":
    main()
