"""The records of Schafkopf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tricktake.action import Action, Event
from tricktake.errors import InputError
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.table import Table
from tricktake_schafkopf.contract import SchafkopfContract


class SchafkopfRecording(Recording):
    """As for every game; a record may also claim ``leaders``, who led to each trick."""

    def claims(self, table: Table) -> Mapping[str, Any]:
        tricks = [t for t in table.tricks.tricks if t is not None] if table.tricks else []
        return {**super().claims(table), "leaders": [t.leader for t in tricks]}

    def presumed(self, record: GameRecord) -> tuple[Event, ...]:
        """The doublings, and the shortest auction: the declarer bids what is played and all others pass.

        Raises InputError if the options of the game do not allow it.
        """
        contract = record.contract
        if contract is None and not record.passed:
            return super().presumed(record)
        assert contract is None or isinstance(contract, SchafkopfContract)
        table = Table.start(self.game, record.deal, record.board)
        while table.tricks is None and not table.over:
            turn, legal = table.turn, table.legal()
            assert turn is not None
            wanted = _wanted(contract, turn, table)
            if wanted not in legal:
                text = wanted.to_text(self.game.layout.deck)
                raise InputError(None, None, "contract", f"seat {turn} could not have said {text!r}")
            table.apply(wanted)
        if table.contract != contract:
            raise InputError(None, None, "contract", f"{contract} cannot be reached in {self.game.spec}")
        return tuple(table.events)


def _wanted(contract: SchafkopfContract | None, turn: int, table: Table) -> Action:
    """What a seat says on the way to a contract."""
    assert table.phase is not None
    if contract is not None and table.phase.name == "doubling":
        return Action("double") if turn in contract.doublers else Action("pass")
    if contract is None or turn != contract.declarer:
        return Action("pass")
    if table.phase.name == "auction":
        return Action("bid", contract.name)
    return Action("call", contract.called) if contract.called else Action("name", contract.suit)
