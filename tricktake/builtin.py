"""What the core itself registers, as the plugin ``core``. Import strings only: nothing here is imported before use."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    """The core knows no game."""


@hookimpl
def register_strategies(register: Register) -> None:
    """Parts for every game."""
    register("random", "tricktake.strategies.random:Random", summary="any legal action")
    register("pimc", "tricktake.strategies.pimc:Pimc", summary="solves sampled worlds open-card and decides over them")
    register(
        "alphamu", "tricktake.strategies.alphamu:AlphaMu", summary="searches sampled worlds with one choice for all"
    )
    register("ensemble", "tricktake.strategies.ensemble:ensemble", summary="asks recommenders in their order")
    register("killer", "tricktake.strategies.killer:Killer", summary="cards that win in every world")
    register(
        "endgame", "tricktake.strategies.endgame:Endgame", summary="lists and solves all worlds, and lets them vote"
    )
    register("hope", "tricktake.strategies.hope:Hope", summary="the only card that can still win")
    register("playout", "tricktake.strategies.playout:Playout", summary="plays sampled worlds out without search")


@hookimpl
def register_formats(register: Register) -> None:
    """Notations of records for every game."""
    register("jsonl", "tricktake.records.jsonl:FORMAT", summary="tricktake's own, one JSON object a line")


@hookimpl
def register_commands(register: Register) -> None:
    """The subcommands."""
    from tricktake.cli.commands import present

    for command in present():
        register(command.name, command.target, summary=command.summary)
