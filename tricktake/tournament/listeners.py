"""Telling plugins that a deal begins and ends: for logs, displays and learners, never per card."""

from __future__ import annotations

from collections.abc import Sequence

from tricktake.plugins import loaded
from tricktake.records.record import record_of
from tricktake.table import Table


def begins(table: Table, seed: int, name: str, players: Sequence[str]) -> None:
    """Fire ``deal_begins``; what a hook raises is reported and forgotten."""
    loaded().fire("deal_begins", game=table.game.spec, seed=seed, id=name, players=tuple(players))


def ends(table: Table, name: str, players: Sequence[str]) -> None:
    """Fire ``deal_ends`` of a finished game; the record is made only if somebody listens."""
    plugins = loaded()
    if plugins.listens("deal_ends"):
        plugins.fire("deal_ends", record=record_of(table, name, tuple(players)), score=table.score())
