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
