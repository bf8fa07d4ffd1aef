"""What this plugin registers: winning tables for Null games. The set is still empty."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl

TABLES: dict[str, str] = {}  # name -> import string


@hookimpl
def register_tables(register: Register) -> None:
    """One name for each table there is."""
    for name, target in TABLES.items():
        register(name, target)
