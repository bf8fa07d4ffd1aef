"""A bidder by rules of thumb: weddings are announced, solos are rare, strong hands announce Re or Kontra."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.search.limit import Limit
from tricktake.strategies.options import playing_strategy
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View
from tricktake_doppelkopf.contract import NORMAL, SUIT_SOLOS, WEDDING, DoppelkopfContract
from tricktake_doppelkopf.pack import pack
from tricktake_doppelkopf.phases import HEALTHY, NAMES, RESERVE
from tricktake_doppelkopf.rules import trump_order

CARDS = "core:playout(worlds=20,games=5)"

# What a card adds to the strength of a hand, in halves of a queen.
TEN, OLD_LADY, QUEEN, JACK, LOW_TRUMP, ACE = 5, 3, 2, 1, 1, 2
VOID = 2  # for each plain suit without a card
# Experiment doppelkopf.strength: how often the sides of such hands win, and get 151 eyes.
STRONG = 18  # the strength that announces Re or Kontra
VERY_STRONG = 24  # and no 90

# Solos.
SUIT_TRUMPS, SUIT_HIGH, SUIT_ACES = 9, 6, 2  # trumps; tens of hearts and queens among them; plain aces
FEW_TRUMPS, FEW_SUM = 4, 9  # queens, or jacks; these and the aces together
MEATLESS_ACES, MEATLESS_SUM = 5, 9  # aces; aces and tens together


def _cards_of(view: View) -> list[str]:
    """The kinds of cards that were dealt to the seat."""
    played = view.played[view.seat] if view.rules is not None else 0
    return [view.layout.deck[card].kind for card in bits(view.hand_mask | played)]


def strength(hand: list[str]) -> int:
    """How strong a hand is in a normal game."""
    trumps = trump_order(pack(), DoppelkopfContract(NORMAL))
    total = 0
    for kind in hand:
        if kind == "HT":
            total += TEN
        elif kind[1] == "Q":
            total += OLD_LADY if kind == "CQ" else QUEEN
        elif kind in trumps:
            total += JACK if kind[1] == "J" else LOW_TRUMP
        elif kind[1] == "A":
            total += ACE
    plain = {kind[0] for kind in hand if kind not in trumps}
    return total + VOID * (3 - len(plain))


def solo(hand: list[str]) -> str | None:
    """The solo a hand is good for, if there is one."""
    rank = {r: sum(kind[1] == r for kind in hand) for r in "TAQJ"}
    if rank["A"] >= MEATLESS_ACES and rank["A"] + rank["T"] >= MEATLESS_SUM:
        return "meatless"
    for kind, r in (("queens", "Q"), ("jacks", "J")):
        if rank[r] >= FEW_TRUMPS and rank[r] + rank["A"] >= FEW_SUM:
            return kind
    for kind in SUIT_SOLOS:
        trumps = trump_order(pack(), DoppelkopfContract(kind, 0))
        mine = [card for card in hand if card in trumps]
        high = sum(card == "HT" or card[1] == "Q" for card in mine)
        aces = sum(card[1] == "A" and card not in trumps for card in hand)
        if len(mine) >= SUIT_TRUMPS and high >= SUIT_HIGH and aces >= SUIT_ACES:
            return kind
    return None


def _playing(value: object) -> Strategy:
    return playing_strategy(value, "cards")


@frozen
class Rule:
    """Bids and announces by rules of thumb and lets another part play the cards.

    cards: the spec of that part.
    """

    roles: ClassVar[tuple[str, ...]] = ("bid", "play")

    cards: Strategy = field(default=CARDS, converter=_playing)  # type: ignore[assignment]

    @property
    def parts(self) -> tuple[Strategy, ...]:
        return (self.cards,)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for another game than its own."""
        if view.game != "doppelkopf":
            raise ValueError(f"the rule player plays Doppelkopf, not {view.game}")
        if view.role == "play":
            return self._announcement(view) or self.cards.decide(view, limit, rng)
        hand = _cards_of(view)
        best = solo(hand)
        if view.phase == "naming":
            kind = best or (WEDDING if NAMES[WEDDING] in view.legal else view.legal[0].value)
            return Decision(NAMES[kind], f"{kind} suits the hand")
        if best is not None:
            return Decision(RESERVE, f"for a {best} solo")
        if hand.count("CQ") > 1:
            return Decision(RESERVE, "for a wedding")
        return Decision(HEALTHY, "no solo, no wedding")

    def _announcement(self, view: View) -> Decision | None:
        offered: list[Action] = [a for a in view.interruptions if a.value in ("", "no90")]
        if not offered or not isinstance(view.contract, DoppelkopfContract):
            return None
        (action,) = offered
        if view.contract.solo:
            own = view.seat == view.contract.declarer and not action.value
            return Decision(action, "a solo is declared with strong cards only") if own else None
        power = strength(_cards_of(view))
        if power >= (VERY_STRONG if action.value else STRONG):
            return Decision(action, f"a hand of strength {power}")
        return None
