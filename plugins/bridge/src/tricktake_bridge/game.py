"""Bridge as a game of the framework."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tricktake.action import Action
from tricktake.game import Contract, Game, Score
from tricktake.phase import Phase, Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake.view import View
from tricktake_bridge.auction import Auction
from tricktake_bridge.contract import BridgeContract, contract_of
from tricktake_bridge.deck import BOARDS, LAYOUT, NORTH, vulnerable
from tricktake_bridge.recording import BridgeRecording
from tricktake_bridge.rules import TEAMS, bridge_rules, side_tricks
from tricktake_bridge.scoring import contract_points, cross_imps
from tricktake_bridge.words import called, said

SEATS = 4


class BridgeGame(Game):
    """Duplicate bridge by the Laws of 2017 for two pairs. Seats 0 to 3 are N, E, S, W.

    Cards: 52, thirteen to each; ace high. Boards count from 0 and set dealer and vulnerability.
    Bidding: from the dealer, one to seven tricks above six in a strain: clubs, diamonds, hearts, spades, no trumps, in
    this order. A bid must be higher; the other side's may be doubled, and redoubled. Three passes end it; if all four
    pass, the deal is passed in. Declarer is who first named the strain for the side that bid last.
    Play: the seat after the declarer leads; then the partner's hand, the dummy, lies open, and the declarer plays it.
    Suit must be followed; who cannot may play anything.
    Score: a contract made counts its tricks (20 in clubs and diamonds, 30 in hearts and spades, 40 and then 30 in no
    trumps), overtricks, and bonuses for part-score, game and slam by vulnerability; one that fails is paid by the
    trick. What one side gets the other loses; in tournaments the tables of a board are compared in IMPs.
    """

    name: ClassVar[str] = "bridge"
    version: ClassVar[str] = "1"
    summary: ClassVar[str] = "Duplicate bridge: auction, dummy, contract and duplicate scoring"
    boards: ClassVar[int] = BOARDS
    score_unit: ClassVar[str] = "points"
    score_total: ClassVar[int | None] = 0
    teams: ClassVar[tuple[int, ...] | None] = TEAMS
    compared_unit: ClassVar[str] = "IMPs"
    recording = BridgeRecording
    kinds = ("?C", "?D", "?H", "?S", "?NT")
    layout = LAYOUT
    phases: tuple[type[Phase], ...] = (Auction, Tricks)

    def rules(self, table: Table) -> TrickRules:
        return bridge_rules(contract_of(table))

    def contract(self, text: str) -> BridgeContract:
        return BridgeContract.from_text(text)

    def first_leader(self, table: Table) -> int:
        return (contract_of(table).declarer + 1) % SEATS

    def shown(self, table: Table) -> tuple[int, ...]:
        """The dummy, once the opening lead is faced (Law 41D)."""
        led = table.tricks is not None and (table.tricks.tricks or table.tricks.table)
        return (contract_of(table).dummy,) if led else ()

    def actor(self, table: Table, seat: int) -> int:
        contract = table.contract
        return contract.declarer if isinstance(contract, BridgeContract) and seat == contract.dummy else seat

    # -- words ----------------------------------------------------------------------------------------------------

    def said(self, action: Action, view: View, language: str) -> tuple[str, str]:
        return said(action, view, language)

    def called(self, contract: Contract, language: str) -> str:
        return called(contract, language) if isinstance(contract, BridgeContract) else ""

    # -- the score ------------------------------------------------------------------------------------------------

    def score(self, table: Table) -> Score:
        """Points of each seat, the same for partners. value: tricks of the declarer's side. detail: passed, declarer,
        contract, tricks, over, vulnerable.
        """
        if table.contract is None:
            return Score((0,) * SEATS, detail={"passed": True})
        contract = contract_of(table)
        assert table.tricks is not None
        side = contract.declarer % 2
        tricks = table.facts.get("claimed", side_tricks(table.tricks, side))
        exposed = vulnerable(table.board, contract.declarer)
        points = contract_points(contract, tricks, exposed)
        detail = {
            "passed": False,
            "declarer": contract.declarer,
            "contract": str(contract),
            "tricks": tricks,
            "over": tricks - contract.tricks,
            "vulnerable": exposed,
        }
        return Score(
            tuple(points if seat % 2 == side else -points for seat in range(SEATS)),
            tricks >= contract.tricks,
            tricks,
            detail,
        )

    def compared(self, points: Sequence[Sequence[int]]) -> list[tuple[float, ...]]:
        """IMPs of each seat against every other table that played the deal, on average (``cross_imps``)."""
        north = cross_imps([row[NORTH] for row in points])
        return [(score, -score, score, -score) for score in north]
