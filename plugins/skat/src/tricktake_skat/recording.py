"""What Skat says of its records: who gave up, how the bidding may have gone, who is penalised."""

from __future__ import annotations

from tricktake.action import Action, Event
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.table import Table
from tricktake_skat.claims import CONCEDE, count, rest_to_declarer
from tricktake_skat.contract import BIDS, SkatContract, contract_of
from tricktake_skat.deck import SEATS, SKAT_PLACE
from tricktake_skat.exchange import exchange_events


class SkatRecording(Recording):
    """The records of Skat."""

    def finish(self, table: Table, record: GameRecord) -> None:
        """A seat that left or ran out of time gives the game up, for the defenders one is enough.

        So do both defenders if the record says that the game ended by a resignation and one of them resigned. Where
        a notation has no word for it, the declarer's eyes tell who gave up, or else whoever lost did.
        """
        contract = contract_of(table)
        declarer = contract.declarer
        gone = record.result.get("timeout", record.result.get("left"))
        if gone is None and record.result.get("resigned"):
            gone = next((e.seat for e in reversed(record.plays) if e.action == CONCEDE), None)
        if gone is None and "resigned" not in record.result and "won" in record.result:
            left, mine = rest_to_declarer(table, contract).eyes, count(table, declarer).eyes
            claimed = record.result.get("eyes")
            by_eyes = claimed in (left, mine) and left != mine and not contract.is_null
            declarer_gave_up = claimed == mine if by_eyes else not record.result["won"]
            gone = declarer if declarer_gave_up else (declarer + 1) % SEATS
        if gone is None:
            super().finish(table, record)
        # Who breaks off against the rules loses in the simple level, neither Schneider nor Schwarz (ISkO 4.1.4).
        table.facts["forfeit"] = gone == declarer and bool(record.result.keys() & {"timeout", "left"})
        for seat in (declarer,) if gone == declarer else [s for s in range(SEATS) if s != declarer]:
            if table.phase is not None and CONCEDE in table.phase.interruptions(seat):
                table.apply(CONCEDE, seat)

    def presumed(self, record: GameRecord) -> tuple[Event, ...]:
        """The shortest auction to the final bid: one other seat bids it if the declarer has to hold, none otherwise."""
        contract = record.contract
        if not isinstance(contract, SkatContract):
            return super().presumed(record)
        bid, silent = Action("bid", str(contract.bid)), Action("pass")
        auction: tuple[Event, ...]
        match contract.declarer:
            case 0 if contract.bid == BIDS[0]:
                auction = (Event(1, silent), Event(2, silent), Event(0, bid))
            case 0:
                auction = (Event(1, bid), Event(0, Action("yes")), Event(1, silent), Event(2, silent))
            case 1:
                auction = (Event(1, bid), Event(0, silent), Event(2, silent))
            case _:
                auction = (Event(1, silent), Event(2, bid), Event(0, silent))
        return auction + exchange_events(contract, record.deal_at_play.masks[SKAT_PLACE])

    def verify(self, record: GameRecord) -> list[str]:
        """As for every game; and a seat that was gone before a game was declared must be the one penalised."""
        if record.contract is None and "penalised" in record.result:
            record.table(self.game)  # the bids must be legal
            gone = [record.result[key] for key in ("left", "timeout") if key in record.result]
            penalised = list(record.result["penalised"])
            return [] if penalised == gone else [f"penalised: the record says {penalised}, but {gone} were gone"]
        return super().verify(record)
