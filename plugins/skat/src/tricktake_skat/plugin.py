"""What Skat registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_games(register: Register) -> None:
    register("skat", "tricktake_skat.game:SkatGame", summary="Skat by the International Skat Order")


@hookimpl
def register_formats(register: Register) -> None:
    base = "tricktake_skat.formats"
    register("iss", f"{base}.iss:FORMAT", summary="records of the International Skat Server")
    register("pgn", f"{base}.pgn:FORMAT", summary="the papers' series notation")
    register("xskat", f"{base}.xskat:FORMAT", summary="the log of XSkat")


@hookimpl
def register_strategies(register: Register) -> None:
    register(
        "rule", "tricktake_skat.strategies.rule:Rule", summary="bids, puts and plays by rules of thumb, without search"
    )


@hookimpl
def register_beliefs(register: Register) -> None:
    register(
        "belief",
        "tricktake_skat.strategies.belief:SkatBelief",
        summary="what bids, contract, skat and cards say about the hidden cards",
    )
