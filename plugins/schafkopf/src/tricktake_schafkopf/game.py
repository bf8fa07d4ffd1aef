"""Schafkopf as a game of the framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from attrs import asdict

from tricktake.action import Action
from tricktake.condition import Condition
from tricktake.errors import InputError
from tricktake.game import Contract, Game, Score
from tricktake.rules import Aim, TrickRules
from tricktake.table import Table
from tricktake.view import View
from tricktake_schafkopf.contract import SchafkopfContract, contract_of
from tricktake_schafkopf.deck import EYES, LAYOUTS, SEATS
from tricktake_schafkopf.phases import LADDER, Bidding, Calling, Doubling, Naming, Playing, callable_aces, proven
from tricktake_schafkopf.recording import SchafkopfRecording
from tricktake_schafkopf.rules import aims, schafkopf_rules, trump_order, trumps_mask
from tricktake_schafkopf.scoring import Tariff, payout, price, result
from tricktake_schafkopf.words import called, said


class SchafkopfGame(Game):
    """Schafkopf for four: 32 cards, or 24 of the short pack; 120 eyes, the declarer's side needs 61.

    Cards: ace (sow) 11, ten 10, king 4, Ober 3, Unter 2. Ober and Unter are trumps in all suits, Eichel (E) above Gras
    (G), Herz (H) and Schelln (S), then the suit of trumps: ace, ten, king, 9, 8, 7. Suit must be followed, else any
    card may be played.

    Games, lowest first: ruf (Herz is trump; the holder of the called ace is the declarer's secret partner), farbgeier
    and geier (Ober are trumps, with a suit or alone), farbwenz and wenz (Unter), solo (Ober, Unter and a suit), each of
    these as tout (all tricks, twice the price), and sie (all highest trumps in one hand, four times). One seat after
    the other bids or passes; a bid must be higher, only an elder hand may hold an equal one. All pass: no game.

    The called ace must be played when its suit is led and may not be discarded; its holder leads no other card of
    the suit, unless he holds four. After the suit was led he is free. A declarer calls a suit of which he holds a
    plain card, but not the ace.

    Who loses pays each winner: the price of the game, Schneider (at most 30 eyes, for the others 29) and twice that
    for Schwarz (no trick), and each of the highest trumps in an unbroken run that a side holds, if they are enough.
    Every doubling before the auction and every Kontra in the first trick doubles that.

    Options. cards: 32 or 24. ruf, solo, schneider, runner: prices. runners, wenz_runners: how many are paid at least,
    the latter without a trump suit. stoss: how often Kontra can be said. doubling: seats may double before the
    auction. geier, farb, tout: whether there is Geier, Farbwenz and Farbgeier, Tout. equal: games of one against three
    rank alike. pass_in: if all others have passed the last seat may pass too.
    ``geier=false,farb=false`` is the game of the Bavarian association (BSKV).
    """

    name: ClassVar[str] = "schafkopf"
    summary: ClassVar[str] = "Schafkopf with 32 or 24 cards: called ace, Wenz, Geier, solos, Kontra"
    score_total: ClassVar[int | None] = 0
    score_unit: ClassVar[str] = "cents"
    recording = SchafkopfRecording
    phases = (Doubling, Bidding, Calling, Naming, Playing)

    def __init__(
        self,
        cards: int = 32,
        ruf: int = 20,
        solo: int = 50,
        schneider: int = 10,
        runner: int = 10,
        runners: int = 3,
        wenz_runners: int = 2,
        stoss: int = 4,
        doubling: bool = False,
        geier: bool = True,
        farb: bool = True,
        tout: bool = True,
        equal: bool = False,
        pass_in: bool = True,
    ) -> None:
        if cards not in LAYOUTS:
            raise ValueError(f"cards: {cards}, but a pack has 32 or 24")
        self.tariff = Tariff(ruf, solo, schneider, runner, runners, wenz_runners)
        for name, value in {**asdict(self.tariff), "stoss": stoss}.items():
            if value < 0:
                raise ValueError(f"{name}: {value} is less than nothing")
        self.layout = LAYOUTS[cards]
        self.stoss, self.doubling, self.equal = stoss, doubling, equal
        self.geier, self.farb, self.tout, self.pass_in = geier, farb, tout, pass_in
        bids = [bid for bid in LADDER if self.offers(bid)]
        self.kinds = tuple(dict.fromkeys(bid.partition("-")[2] or bid for bid in bids))

    def offers(self, bid: str) -> bool:
        """Whether a game may be bid by the options."""
        return (
            (self.geier or "geier" not in bid)
            and (self.farb or not bid.startswith("farb"))
            and (self.tout or not bid.endswith("-tout"))
        )

    def predeal(self, kind: str, rng: np.random.Generator) -> Mapping[int, int]:
        """A Sie is all Ober and Unter, as many as a hand holds, in one hand."""
        top = trump_order(self.layout.deck, "solo", "")[: self.layout.hand_sizes[0]]
        return {int(rng.integers(SEATS)): sum(1 << card for card in top)} if kind == "sie" else {}

    def rules(self, table: Table) -> TrickRules:
        return schafkopf_rules(contract_of(table), self.layout.deck)

    def contract(self, text: str) -> SchafkopfContract:
        return SchafkopfContract.from_text(text)

    def on_contract(self, table: Table) -> None:
        """Raises InputError if the declarer cannot have called this ace."""
        contract = contract_of(table)
        if contract.called and contract.called not in callable_aces(table, contract.declarer):
            held = table.places[contract.declarer] & self.layout.deck.card(contract.called).mask
            reason = "holds it" if held else "has no plain card of its suit"
            raise InputError(
                None, None, "contract", f"seat {contract.declarer} cannot call {contract.called}: it {reason}"
            )
        table.facts["doublers"] = contract.doublers

    def aims(self, contract: Contract | None, rules: TrickRules, seat: int) -> tuple[Aim, ...]:
        return aims(rules, contract is not None and rules.team(seat) == rules.team(contract.declarer))

    def excluded(self, view: View) -> Mapping[int, int]:
        """Who cannot hold the called ace: the declarer, and who said what only the others may say."""
        contract = view.contract
        if not isinstance(contract, SchafkopfContract) or not contract.called:
            return {}
        ace = self.layout.deck.card(contract.called).mask
        if view.gone & ace:
            return {}
        return proven([(e.seat, e.action) for e in view.events], contract.declarer, ace, self.seats)

    def promised(self, view: View) -> Sequence[Condition]:
        """The caller holds a plain card of the called suit until he has played one."""
        contract = view.contract
        if not isinstance(contract, SchafkopfContract) or not contract.called:
            return ()
        deck, declarer = self.layout.deck, contract.declarer
        suit = deck.of_suit_mask(contract.suit) & ~trumps_mask(deck, "ruf", contract.trump)
        suit &= ~deck.card(contract.called).mask
        return () if view.played[declarer] & suit else (Condition(declarer, suit & ~view.gone),)

    def said(self, action: Action, view: View, language: str) -> tuple[str, str]:
        return said(action, language)

    def called(self, contract: Contract, language: str) -> str:
        return called(contract, language) if isinstance(contract, SchafkopfContract) else ""

    def score(self, table: Table) -> Score:
        """What every seat gets. detail: eyes and tricks of each seat, runners, Schneider, Schwarz, and how often the
        stake was doubled. value: the eyes of the declarer's side.
        """
        if table.contract is None or table.tricks is None:
            return Score((0,) * SEATS, detail={"passed": True})
        contract, state, deck = contract_of(table), table.tricks, self.layout.deck
        side = state.rules.side_mask(contract.declarer)
        eyes = [0] * SEATS
        for trick in state.tricks:
            assert trick is not None
            eyes[trick.winner] += sum(EYES.get(deck[card].rank, 0) for card in trick.cards)
        ours = [seat for seat in range(SEATS) if side >> seat & 1]
        cards = sum(table.deal.masks[seat] for seat in ours)
        found = result(contract, deck, cards, sum(eyes[s] for s in ours), sum(state.won[s] for s in ours))
        doubled = len(contract.doublers) + len(table.facts.get("stoss", ()))
        each = price(contract, self.tariff, found, self.layout.hand_sizes[0]) << doubled
        detail = {
            "eyes": tuple(eyes),
            "tricks": tuple(state.won),
            "runners": found.runners,
            "schneider": found.schneider,
            "schwarz": found.schwarz,
            "doubled": doubled,
        }
        return Score(payout(side, found.won, each), found.won, found.eyes, detail)
