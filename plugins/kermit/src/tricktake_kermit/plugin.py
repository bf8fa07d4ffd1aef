"""What this plugin registers."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_beliefs(register: Register) -> None:
    register(
        "belief",
        "tricktake_kermit.inference:KermitBelief",
        summary="what bids and contract say about the hidden cards, as printed",
    )


@hookimpl
def register_strategies(register: Register) -> None:
    register(
        "bidder",
        "tricktake_kermit.bidder:KermitBidder",
        summary="bids, discards and declares what is likeliest to win, as Kermit does",
    )
    register(
        "knn",
        "tricktake_kermit.bidder:KnnBidder",
        summary="bids, discards and declares by what open cards made of the hands most like its own",
    )
