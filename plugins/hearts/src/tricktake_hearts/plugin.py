"""What hearts registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    register("hearts", "tricktake_hearts.game:HeartsGame", summary="Hearts for four, with passing")
