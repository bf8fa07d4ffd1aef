"""What hearts registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    register("hearts", "tricktake_hearts.game:HeartsGame", summary="Hearts for four, with passing")


@hookimpl
def register_practices(register: Register) -> None:
    register("hearts", "tricktake_hearts.practice:practice", summary="penalties, and what shooting the moon is worth")


@hookimpl
def register_strategies(register: Register) -> None:
    register("rule", "tricktake_hearts.rule:Rule", summary="ducks, and discards what is dangerous; plain rules")
