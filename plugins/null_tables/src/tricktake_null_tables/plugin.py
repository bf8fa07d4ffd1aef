"""What this plugin registers: a question, and the winning tables for Null learned with it.

``null_tables:suit`` are the counts; ``null_tables:skat-null`` is the table made of them, which the Skat bidder asks.
"""

from __future__ import annotations

from pathlib import Path

from tricktake.hookspecs import Register, hookimpl

COUNTS = Path(__file__).parent / "tables" / "null-suit.table"


@hookimpl
def register_questions(register: Register) -> None:
    register("suit", "tricktake_null_tables.question:SUIT", summary="does the one weak suit of a Null hold?")
