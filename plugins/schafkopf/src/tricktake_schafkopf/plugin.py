"""What Schafkopf registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    summary = "Schafkopf with 32 or 24 cards: called ace, Wenz, Geier, solos, Kontra"
    register("schafkopf", "tricktake_schafkopf.game:SchafkopfGame", summary=summary)


@hookimpl
def register_formats(register: Register) -> None:
    summary = "games of openschafkopf as JSON: hands, rules, tricks, payouts"
    register("openschafkopf", "tricktake_schafkopf.formats.openschafkopf:FORMAT", summary=summary)


@hookimpl
def register_strategies(register: Register) -> None:
    register("rule", "tricktake_schafkopf.rule:Rule", summary="doubles and bids by counting trumps and aces")
