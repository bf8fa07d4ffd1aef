"""What Skat registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    register("skat", "tricktake_skat.game:SkatGame", summary="Skat by the International Skat Order")
