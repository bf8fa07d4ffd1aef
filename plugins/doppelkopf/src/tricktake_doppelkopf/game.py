"""Doppelkopf as a game of the framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, get_args

from tricktake.action import Action
from tricktake.condition import Condition
from tricktake.errors import InputError
from tricktake.game import Contract, Game, Score
from tricktake.phase import Phase
from tricktake.rules import Aim, TrickRules
from tricktake.table import Table
from tricktake.view import View
from tricktake_doppelkopf.contract import NORMAL, RESERVED, WEDDING, DoppelkopfContract
from tricktake_doppelkopf.pack import SEATS, pack
from tricktake_doppelkopf.phases import SIDES, Naming, Play, Reservations, show_wedding
from tricktake_doppelkopf.rules import KONTRA, NONE, RE, Tens, aims, play_rules
from tricktake_doppelkopf.scoring import game_points, special_points, winner
from tricktake_doppelkopf.words import called, said

SOLO_FACTOR = 3


class DoppelkopfGame(Game):
    """Doppelkopf for four by the tournament rules of the German Doppelkopf association (DDV Turnierspielregeln).

    Cards: 9 J Q K T A of four suits, two of each, 12 a seat; A 11, T 10, K 4, Q 3, J 2 eyes (Augen), 240 in all.
    Reservations: each seat is healthy (gesund) or reserves (Vorbehalt); who reserved declares a wedding (Hochzeit, with
    both queens of clubs) or a solo; the first solo goes before a wedding.
    Normal game (Normalspiel): who was dealt a queen of clubs plays Re, the others Kontra; nobody says so. Who has both
    plays alone (stilles Solo). Wedding: the first other seat that takes one of the first three tricks is the partner.
    Trumps: HT (Dulle), queens and jacks (clubs, spades, hearts, diamonds), DA (Fuchs) DT DK D9. Plain suits: A T K 9.
    Solos: diamonds, hearts, spades, clubs (Farbsolo: that suit instead of diamonds), queens (Damensolo), jacks
    (Bubensolo), meatless (Fleischlos: no trumps); else A T K Q J 9. Seat 0 leads, also to a solo.
    Play: follow suit, trumps being one. Of two equal cards the first wins.
    Announcements (An- und Absagen), before a card is played: re or kontra with 11 cards in the hand, no90 with 10, no60
    9, no30 8, black (schwarz) 7, one after another; re or kontra as a reply with one card less than the other side's
    took. After a wedding's second or third trick found the partner one or two cards less.
    Winning: Re with 121 eyes, Kontra with 120 (121 if only Kontra was announced, then Re with 120). Who announced no90
    or more needs 151, 181, 211 or all tricks; against it 90, 60, 30 eyes or a trick win.
    Score: 1 for winning, 1 each for under 90, 60, 30, no trick; 2 each for Re and Kontra; 1 for every further
    announcement; 1 for each that missed by 30. Special points, not in solos: against the old ladies (Kontra wins),
    doppelkopf (a trick of 40 eyes), fox (DA of the other side caught), charlie (CJ takes the last trick). A seat gets
    or pays this, a seat that plays alone threefold.

    Options: nines (false: 40 cards, 10 a seat, announcements with two cards less). tens: which ten of hearts wins if
    both are in one trick, first (tournament rules), second, or second-not-last (first in the last trick).
    """

    name: ClassVar[str] = "doppelkopf"
    summary: ClassVar[str] = "Doppelkopf by the tournament rules: hidden partners, weddings, solos, announcements"
    score_unit: ClassVar[str] = "game points"
    score_total: ClassVar[int | None] = 0
    player: ClassVar[str] = "doppelkopf:rule"
    phases: tuple[type[Phase], ...] = (Reservations, Naming, Play)
    kinds = (NORMAL, *RESERVED)

    def __init__(self, nines: bool = True, tens: Tens = "first") -> None:
        if tens not in get_args(Tens):
            raise ValueError(f"tens must be one of {', '.join(get_args(Tens))}, not {tens!r}")
        self.pack = pack(nines)
        self.tens = tens
        self.layout = self.pack.layout

    def rules(self, table: Table) -> TrickRules:
        return play_rules(self.pack, contract_of(table), self.tens)

    def contract(self, text: str) -> DoppelkopfContract:
        return DoppelkopfContract.from_text(text)

    def on_contract(self, table: Table) -> None:
        """Raises InputError for a wedding without both queens of clubs."""
        contract = contract_of(table)
        if contract.kind == WEDDING:
            if self.pack.queens & ~table.places[contract.declarer]:
                raise InputError(
                    None, None, "contract", f"seat {contract.declarer} lacks a queen of clubs for a wedding"
                )
            show_wedding(table, contract.declarer)

    def aims(self, contract: Contract | None, rules: TrickRules, seat: int) -> tuple[Aim, ...]:
        return aims(rules, seat, self.pack.tricks)

    # -- what announcements tell ----------------------------------------------------------------------------------

    def excluded(self, view: View) -> Mapping[int, int]:
        """Who announced Kontra in a normal game has no queen of clubs."""
        return {seat: self.pack.queens for seat, side in _announced(view) if side == KONTRA}

    def promised(self, view: View) -> Sequence[Condition]:
        """Who announced Re in a normal game and has played no queen of clubs yet still has one."""
        played = view.played if view.tricks or view.table else (0,) * SEATS
        return [
            Condition(seat, self.pack.queens)
            for seat, side in _announced(view)
            if side == RE and not played[seat] & self.pack.queens
        ]

    # -- words ----------------------------------------------------------------------------------------------------

    def said(self, action: Action, view: View, language: str) -> tuple[str, str]:
        return said(action, language)

    def called(self, contract: Contract, language: str) -> str:
        return called(contract, language) if isinstance(contract, DoppelkopfContract) else ""

    # -- the score ------------------------------------------------------------------------------------------------

    def score(self, table: Table) -> Score:
        """Game points. won: whether the declarer's side won, None in a normal game; value: eyes of Re. detail: re (the
        seats), eyes and tricks of both sides, winner ("" if nobody won), points_for: positive for Re.
        """
        state = table.tricks
        assert state is not None
        teams = state.rules.teams
        assert teams is not None
        re = tuple(seat for seat in range(SEATS) if teams[seat] == RE)
        eyes = tuple(sum(state.taken[s] for s in range(SEATS) if teams[s] == side) for side in (RE, KONTRA))
        tricks = tuple(sum(state.won[s] for s in range(SEATS) if teams[s] == side) for side in (RE, KONTRA))
        levels = table.facts.get("levels", (NONE, NONE))
        won = winner(eyes, tricks, levels)
        points = game_points(eyes, tricks, levels)
        if len(re) > 1:
            points += special_points(self.pack, [t for t in state.tricks if t is not None], teams, won)
        total = sum(n for _, n in points)
        alone = SOLO_FACTOR if len(re) == 1 else 1
        detail = {
            "contract": str(table.contract),
            "re": re,
            "eyes": eyes,
            "tricks": tricks,
            "winner": "" if won is None else SIDES[won],
            "points_for": tuple(f"{what}: {n:+}" for what, n in points),
        }
        points_of = tuple(total * alone if seat in re else -total for seat in range(SEATS))
        return Score(points_of, won == RE if contract_of(table).declarer >= 0 else None, eyes[RE], detail)


def contract_of(table: Table) -> DoppelkopfContract:
    """The contract on a table. Raises ValueError if there is none."""
    if not isinstance(table.contract, DoppelkopfContract):
        raise ValueError("there is no contract on this table")
    return table.contract


def _announced(view: View) -> set[tuple[int, int]]:
    """Seats that announced for a side in a normal game."""
    if view.contract is None or view.contract.kind != NORMAL:
        return set()
    return {(e.seat, SIDES.index(e.action.verb)) for e in view.events if e.action.verb in SIDES}
