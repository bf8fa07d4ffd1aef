"""The table of Null that comes with this plugin."""

from __future__ import annotations

from tricktake import shipped
from tricktake_null_tables.builder import NullTable

COUNTS = shipped.tables(__file__, "null") / "suit.table"


def skat_null() -> NullTable:
    """The table of Null made of the counts that are shipped. Raises InputError if the question has changed since."""
    return NullTable.read(COUNTS)
