"""What this plugin registers."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_strategies(register: Register) -> None:
    register(
        "bidder",
        "tricktake_kermit.bidder:KermitBidder",
        summary="bids, discards and declares what is likeliest to win, as Kermit does",
    )
