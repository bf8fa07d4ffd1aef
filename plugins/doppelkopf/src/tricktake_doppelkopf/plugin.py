"""What Doppelkopf registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    register("doppelkopf", "tricktake_doppelkopf.game:DoppelkopfGame", summary="Doppelkopf by the tournament rules")


@hookimpl
def register_strategies(register: Register) -> None:
    register(
        "rule",
        "tricktake_doppelkopf.rule:Rule",
        summary="reservations, solos and announcements by plain rules; another part plays the cards",
    )
