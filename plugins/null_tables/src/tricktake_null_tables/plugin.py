"""What this plugin registers: a question, and the winning tables for Null learned with it.

``null_tables:suit`` is the question and, among the tables, the counts. ``null_tables:skat-null`` is the ``NullTable``
made of them: it answers the question ``skat:null`` that ``tricktake_skat.winning`` asks of whoever knows.
"""

from __future__ import annotations

from tricktake import shipped
from tricktake.hookspecs import Register, hookimpl

COUNTS = shipped.tables(__file__, "null") / "suit.table"


@hookimpl
def register_questions(register: Register) -> None:
    register("suit", "tricktake_null_tables.question:SUIT", summary="does the one weak suit of a Null hold?")


@hookimpl
def register_tables(register: Register) -> None:
    register("suit", COUNTS, summary="Nulls with one weak suit, counted")
    register(
        "skat-null",
        "tricktake_null_tables.shipped:skat_null",
        answers="skat:null",
        summary="how likely a Null is won, suit by suit",
    )
