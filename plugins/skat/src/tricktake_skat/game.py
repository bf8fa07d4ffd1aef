"""Skat as a game of the framework: the phases of one deal and its score."""

from __future__ import annotations

from typing import Any, ClassVar

from tricktake.action import Action
from tricktake.errors import InputError
from tricktake.game import Contract, Game, Score
from tricktake.phase import Phase
from tricktake.rules import Aim, TrickRules
from tricktake.table import Table
from tricktake.view import View
from tricktake_skat.auction import Auction
from tricktake_skat.claims import Count, SkatTricks, count, rest_to_declarer
from tricktake_skat.contract import SkatContract, contract_of
from tricktake_skat.deck import LAYOUT, SEATS, SKAT_PLACE
from tricktake_skat.exchange import Declaration, Discard, PickUp
from tricktake_skat.recording import SkatRecording
from tricktake_skat.rules import OUT_OF_SCHNEIDER, aims, matadors, skat_rules
from tricktake_skat.scoring import GAMES_OF_SERIES, seeger
from tricktake_skat.value import settle
from tricktake_skat.words import called, said


class SkatGame(Game):
    """Skat by the International Skat Order for three seats: 0 forehand, 1 middlehand, 2 rearhand.

    Cards: 32, ten to each seat and two aside, the skat. Ace 11, ten 10, king 4, queen 3, jack 2: 120 card points.
    Bidding: middlehand bids to forehand, then rearhand to whoever is left, from 18 to 264. Who bids most is the
    declarer, against the two others; it takes up the skat and puts two cards away, or plays from the hand.
    Games: a suit (the four jacks and that suit are trumps), grand (only the jacks are) or Null (no trumps, the ten
    between nine and jack; the declarer is to take no trick). More may be announced from the hand: Schneider,
    Schwarz, ouvert.
    Play: forehand leads; suit must be followed, all trumps being one suit. The declarer's goal is 61 card points.
    Score: base value (diamonds 9, hearts 10, spades 11, clubs 12, grand 24) times matadors and levels; Null has
    fixed values. A lost game counts twice against the declarer, as does one of less value than was bid. Seeger and
    Fabian add 50 for a game won, take 50 for one lost, and give the opponents 40 then.
    Options: players, 3 or 4 at the table; a table of four gives 30 instead of 40 points for a game lost by another.
    """

    name: ClassVar[str] = "skat"
    version: ClassVar[str] = "1"
    summary: ClassVar[str] = "Skat by the International Skat Order"
    score_unit: ClassVar[str] = "Seeger"
    series: ClassVar[int] = GAMES_OF_SERIES
    front: ClassVar[bool] = True
    player: ClassVar[str] = "bid=skat:bidder,exchange=skat:bidder,play=skat:player"
    recording = SkatRecording
    layout = LAYOUT
    kinds = ("grand", "suit", "null", "null-ouvert")
    phases: tuple[type[Phase], ...] = (Auction, PickUp, Discard, Declaration, SkatTricks)

    def __init__(self, players: int = 3) -> None:
        if players not in (3, 4):
            raise InputError(None, None, "players", f"Skat is played at tables of 3 or 4, not {players}")
        self.players = players

    @property
    def chairs(self) -> int:
        return self.players

    def rules(self, table: Table) -> TrickRules:
        return skat_rules(contract_of(table))

    def aims(self, contract: Contract | None, rules: TrickRules, seat: int) -> tuple[Aim, ...]:
        return aims(rules, rules.team(seat) == 0)

    def contract(self, text: str) -> SkatContract:
        return SkatContract.from_text(text)

    def shown(self, table: Table) -> tuple[int, ...]:
        contract = table.contract
        return (contract.declarer,) if isinstance(contract, SkatContract) and contract.ouvert else ()

    def decided(self, table: Table) -> bool:
        """Null is lost with the declarer's first trick, an announcement as soon as it cannot be kept."""
        contract, state = contract_of(table), table.tricks
        if state is None or not (contract.is_null or contract.schneider):
            return False
        if contract.is_null:
            return state.won[contract.declarer] > 0
        if contract.schwarz:
            return sum(state.won) > state.won[contract.declarer]
        defenders = [seat for seat in range(SEATS) if seat != contract.declarer]
        return bool(state.rules.goal(defenders[0]).met(sum(state.taken[seat] for seat in defenders)))

    def on_contract(self, table: Table) -> None:
        """The declarer knows the discard, unless it is a hand game. Raises InputError if the exchange is impossible.

        Facts: of the bids only the final one is known; "bids" gives it to the declarer and 0 to the others.
        """
        contract = contract_of(table)
        seat = contract.declarer
        for place in range(len(table.places)):
            if table.places[place] != table.deal.masks[place] and (contract.hand or place not in (seat, SKAT_PLACE)):
                reason = (
                    f"{'a hand game' if contract.hand else 'the exchange'} leaves place {LAYOUT.names[place]} as dealt"
                )
                raise InputError(None, None, "played", reason)
        if not contract.hand:
            table.reveal(SKAT_PLACE, (seat,))
            table.received[seat] = table.deal.masks[SKAT_PLACE]
        bids = tuple(contract.bid if s == seat else 0 for s in range(SEATS))
        table.facts.update(declarer=seat, bid=contract.bid, bids=bids, hand=contract.hand)

    # -- the score ------------------------------------------------------------------------------------------------

    def count(self, table: Table) -> Count:
        """Eyes and tricks of the declarer at the end, with what an early end gives him."""
        contract, state = contract_of(table), table.tricks
        assert state is not None
        result = table.facts.get("count")
        if isinstance(result, Count):
            return result
        if state.over or contract.is_null:
            return count(table, contract.declarer)
        return rest_to_declarer(table, contract)

    def stopped_short(self, table: Table) -> bool:
        """Whether the play of a suit or grand game ended because an announcement could not be kept any more."""
        state = table.tricks
        return state is not None and not state.over and "count" not in table.facts and not contract_of(table).is_null

    def matadors(self, table: Table) -> int:
        """Matadors of the declarer with the skat, negative for "without"; 0 in Null games."""
        contract = contract_of(table)
        return matadors(table.deal.masks[contract.declarer] | table.deal.masks[SKAT_PLACE], contract.trump)

    def score(self, table: Table) -> Score:
        """Points are the declarer's plain ones: the value, minus twice the value for a loss; 0 if passed in.

        value: eyes with the skat, in Null games tricks. detail: value, level, matadors, eyes, tricks, schneider and
        schwarz (reached by either side), overbid, won, bid, declarer, contract, and seeger of each player of the
        table. If the play stopped because an announcement failed, eyes and tricks are those made so far, and no level
        was reached.
        """
        if table.contract is None:
            detail: dict[str, Any] = {"passed": True, "seeger": seeger(0, 0, self.players)}
            return Score((0,) * SEATS, detail=detail)
        contract, done, run = contract_of(table), self.count(table), self.matadors(table)
        forfeit = table.facts.get("forfeit", False)
        if forfeit and not contract.is_null:
            settled = settle(contract, run, max(done.eyes, OUT_OF_SCHNEIDER), max(done.tricks, 1))
        else:
            settled = settle(contract, run, done.eyes, done.tricks)
        reached = not forfeit
        if self.stopped_short(table):  # it is decided, and nothing else was reached
            done, reached = count(table, contract.declarer), False
        points = tuple(settled.points if s == contract.declarer else 0 for s in range(SEATS))
        detail = {
            "passed": False,
            "declarer": contract.declarer,
            "contract": contract.name,
            "bid": contract.bid,
            "value": settled.value,
            "level": settled.level,
            "matadors": run,
            "eyes": done.eyes,
            "tricks": done.tricks,
            "schneider": settled.schneider and reached,
            "schwarz": settled.schwarz and reached,
            "overbid": settled.overbid,
            "won": settled.won,
            "seeger": seeger(contract.declarer, settled.points, self.players),
        }
        return Score(points, settled.won, done.tricks if contract.is_null else done.eyes, detail)

    def series_points(self, score: Score) -> tuple[float, ...]:
        """Extended Seeger-Fabian points of the three seats."""
        return tuple(score.detail["seeger"][:SEATS])

    def table_points(self, score: Score) -> tuple[float, ...]:
        """The same, with the dealer who sits out at a table of four."""
        return tuple(score.detail["seeger"])

    def said(self, action: Action, view: View, language: str) -> tuple[str, str]:
        return said(action, view, language)

    def called(self, contract: Contract, language: str) -> str:
        return called(contract, language) if isinstance(contract, SkatContract) else ""
