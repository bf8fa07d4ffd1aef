"""What bridge registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    register("bridge", "tricktake_bridge.game:BridgeGame", summary="Duplicate bridge")


@hookimpl
def register_practices(register: Register) -> None:
    register("bridge", "tricktake_bridge.practice:practice", summary="contracts as the cards of a pair suggest them")


@hookimpl
def register_formats(register: Register) -> None:
    base = "tricktake_bridge.formats"
    register("pbn", f"{base}.pbn:FORMAT", summary="Portable Bridge Notation 2.1")
    register("lin", f"{base}.lin:FORMAT", summary="Bridge Base Online's, single boards and vugraph")
    register("dds", f"{base}.dds:FORMAT", summary="the list format of DDS's tests")


@hookimpl
def register_strategies(register: Register) -> None:
    register("rule", "tricktake_bridge.rule:Rule", summary="bids naturally by points and length, without conventions")


@hookimpl
def register_commands(register: Register) -> None:
    register(
        "bridge-table", "tricktake_bridge.cli_table:command", summary="A table manager, and players of ours at one."
    )
