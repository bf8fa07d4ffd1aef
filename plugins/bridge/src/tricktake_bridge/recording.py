"""Recording of bridge: claims, presumed auctions, and the double-dummy table of a deal without contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tricktake.action import Event
from tricktake.errors import InputError
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording, differences
from tricktake.search.problem import Outcome, Problem
from tricktake.table import Table
from tricktake.trick import TrickState
from tricktake_bridge.auction import shortest_auction
from tricktake_bridge.contract import BridgeContract, contract_of
from tricktake_bridge.deck import NORTH, SEAT_NAMES, TABLE_STRAINS, dealer
from tricktake_bridge.formats.common import opening
from tricktake_bridge.rules import ALL_TRICKS, side_tricks, strain_rules

SEATS = 4


class BridgeRecording(Recording):
    """The records of bridge."""

    def finish(self, table: Table, record: GameRecord) -> None:
        """A passed-in deal without its auction; or a play that ended by a claim (Law 68), of which the record states
        the tricks.
        """
        result, state = record.result, table.tricks
        if record.passed and not table.events:
            for event in self.presumed(record):
                table.apply(event.action, event.seat)
            return
        if state is None or table.contract is None or "tricks" not in result:
            super().finish(table, record)
        assert state is not None
        side, tricks = contract_of(table).declarer % 2, result["tricks"]
        if not side_tricks(state, side) <= tricks <= ALL_TRICKS - side_tricks(state, 1 - side):
            reason = f"{tricks} for the declarer, who has {side_tricks(state, side)} of {sum(state.won)} played"
            raise InputError(None, None, "tricks", reason)
        table.facts.update(claimed=tricks, over=True)
        table.phase = None

    def presumed(self, record: GameRecord) -> tuple[Event, ...]:
        """The fewest calls that lead to the contract."""
        contract = record.contract
        if contract is None and not record.passed:
            return super().presumed(record)
        assert contract is None or isinstance(contract, BridgeContract)
        return shortest_auction(dealer(record.board), contract)

    def verify(self, record: GameRecord) -> list[str]:
        """As for every game. In a deal without contract the cards must have been legal in its strain; double-dummy
        tricks in the record are checked by ``tricktake solve``.
        """
        if record.contract is not None or record.before is not None or record.passed:
            return super().verify(record)
        if not record.plays:
            return []
        state = self.problem(record, len(record.plays)).state
        return differences(record.result, {"winners": [t.winner for t in state.tricks if t is not None]})

    # -- double dummy ---------------------------------------------------------------------------------------------

    def problem(self, record: GameRecord, after: int = 0) -> Problem:
        """As for every game; a deal without contract may tell strain and leader."""
        found = opening(record) if record.contract is None else None
        if found is None:
            return super().problem(record, after)
        strain, leader = found
        state = TrickState(strain_rules(strain), record.deal.hands, leader)
        return Problem(record.played_on(state, after), (leader - 1) % SEATS)

    def problems(self, record: GameRecord, asked: str = "value", after: int = 0) -> Sequence[Problem]:
        """The contract; for a deal without one the 20 of its double-dummy table, and if "cards" are asked the opening
        leads: for the strain and the leader it names, else for all.
        """
        if asked == "win" and _is_bare(record):
            raise InputError(None, None, "contract", "no contract is recorded, so there is nothing to win")
        if not _is_bare(record) or after:
            return super().problems(record, asked, after)
        hands = record.deal.hands
        table = [
            Problem(TrickState(strain_rules(strain), hands, (declarer + 1) % SEATS), NORTH)
            for strain in TABLE_STRAINS
            for declarer in range(SEATS)
        ]
        leads = [Problem(TrickState(strain_rules(s), hands, seat), seat, True) for s, seat in _leads(record)]
        return table + (leads if asked == "cards" else [])

    def solved(self, record: GameRecord, found: Sequence[Outcome]) -> Mapping[str, Any]:
        """Of a deal without contract ``tricks``: strain -> declarer -> tricks of the declarer's side, and if asked
        ``cards``: strain -> leader -> card led -> tricks of the leader's side.
        """
        if len(found) == 1:
            facts = super().solved(record, found)
            return facts if record.contract is not None else {**facts, "win": None}
        tricks: dict[str, dict[str, int]] = {}
        for n, outcome in enumerate(found[: len(TABLE_STRAINS) * SEATS]):
            declarer, value = n % SEATS, outcome.value or 0
            row = tricks.setdefault(TABLE_STRAINS[n // SEATS], {})
            row[SEAT_NAMES[declarer]] = value if declarer % 2 == 0 else ALL_TRICKS - value
        cards: dict[str, dict[str, dict[str, int]]] = {}
        for (strain, leader), outcome in zip(_leads(record), found[len(TABLE_STRAINS) * SEATS :], strict=False):
            cards.setdefault(strain, {})[SEAT_NAMES[leader]] = dict(outcome.cards)
        return {"tricks": tricks} | ({"cards": cards} if cards else {})


def _is_bare(record: GameRecord) -> bool:
    """Whether a record has neither a contract nor the information that there was none."""
    return record.contract is None and not record.passed


def _leads(record: GameRecord) -> list[tuple[str, int]]:
    """Strain and leader of the opening leads that are asked; the seats of a side follow each other."""
    found = opening(record)
    return [(strain, seat) for strain in TABLE_STRAINS for seat in (0, 2, 1, 3)] if found is None else [found]
