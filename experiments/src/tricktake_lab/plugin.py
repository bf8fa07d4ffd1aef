"""What the laboratory adds to the command line."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_commands(register: Register) -> None:
    register("reproduce", "tricktake_lab.reproduce.cli:command", summary="Tables and figures of the papers, run again.")
