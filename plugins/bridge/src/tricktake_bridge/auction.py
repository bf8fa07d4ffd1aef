"""The auction (Laws of Duplicate Bridge, 17 to 22)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tricktake import phases
from tricktake.action import Action, Event
from tricktake.phases import auction
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import STRAINS, dealer

PASS, DOUBLE, REDOUBLE = phases.PASS, auction.DOUBLE, auction.REDOUBLE
BIDS = tuple(Action("bid", f"{level}{strain}") for level in range(1, 8) for strain in STRAINS)


class Auction(phases.Auction):
    """From the dealer round the table until three passes follow a bid, or all four pass.

    A bid is higher in level or strain than the last; only the other side's bid can be doubled, only the other
    side's double redoubled. The declarer is who named the strain first in the side that bid last.
    """

    bids: ClassVar[tuple[str, ...]] = tuple(bid.value for bid in BIDS)
    out = False
    doubles = 2

    def opener(self) -> int:
        return dealer(self.table.board)

    def values(self, seat: int) -> Sequence[str]:
        return self.bids[0 if self.bid is None else self.rank(self.bid) + 1 :]

    def declarer(self) -> int:
        contract = contract_of_calls(self.calls)
        assert contract is not None
        return contract.declarer

    def close(self) -> None:
        self.table.contract = contract_of_calls(self.calls)


def contract_of_calls(calls: Sequence[tuple[int, Action]]) -> BridgeContract | None:
    """The contract of a closed auction, given as (seat, call); None if nobody bid. Legality is not looked at."""
    bids = [(number, seat, call) for number, (seat, call) in enumerate(calls) if call.verb == "bid"]
    if not bids:
        return None
    number, bidder, last = bids[-1]
    strain = last.value[1:]
    # Law 22 and definitions: the first of the side to name the strain of the last bid
    declarer = next(seat for _, seat, call in bids if call.value[1:] == strain and (seat - bidder) % 2 == 0)
    later = [call for _, call in calls[number:]]
    doubled = 2 if REDOUBLE in later else 1 if DOUBLE in later else 0
    return BridgeContract(declarer, int(last.value[0]), strain, doubled)


def closed(calls: Sequence[Action]) -> bool:
    """Whether an auction is over: three passes after a bid, or four at its start."""
    passes = next((n for n, call in enumerate(reversed(calls)) if call != PASS), len(calls))
    return passes >= 3 and len(calls) > 3


def shortest_auction(opener: int, contract: BridgeContract | None) -> tuple[Event, ...]:
    """The fewest calls from the dealer to a contract, or four passes."""
    if contract is None:
        calls = [PASS] * 4
    else:
        bid = Action("bid", contract.kind)
        calls = (
            [PASS] * ((contract.declarer - opener) % 4) + [bid, DOUBLE, REDOUBLE][: contract.doubled + 1] + [PASS] * 3
        )
    return tuple(Event((opener + n) % 4, call) for n, call in enumerate(calls))
