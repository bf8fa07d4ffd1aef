"""The table of Null that comes with this plugin."""

from __future__ import annotations

from tricktake import shipped
from tricktake.learning import LearnedTable
from tricktake_null_tables.builder import NullTable, build
from tricktake_null_tables.question import SUIT

COUNTS = shipped.tables(__file__, "null") / "suit.table"


def skat_null() -> NullTable:
    """The table of Null made of the counts that are shipped. Raises InputError if the question has changed since."""
    return build(LearnedTable.load(COUNTS, SUIT))
