"""A simple player of The Crew, for tasks and for the cards."""

from __future__ import annotations

from typing import ClassVar

from tricktake.action import Action, play
from tricktake.cards import bits
from tricktake.strategies.strategy import Decision
from tricktake.trick import best_card
from tricktake.view import View
from tricktake_parlour.players import bidder
from tricktake_parlour.the_crew.cards import DECK
from tricktake_parlour.the_crew.flight import Flight
from tricktake_parlour.the_crew.phases import HowAreYou, SickBay


class Bidder(bidder.Bidder):
    """Takes tasks it can best fulfil itself, feels bad with few tricks, calls sick who does, plays for the tasks."""

    game: ClassVar[str] = "the_crew"
    roles: ClassVar[tuple[str, ...]] = ("bid", "play")

    def choose(self, view: View) -> Decision:
        hand = view.hand_mask
        if view.role == "play":
            return _card(view)
        if view.phase == HowAreYou.name:
            weak = not hand & DECK.parse_mask("R1 R2 R3 B9 G9 P9 Y9")
            return Decision(Action("say", "bad" if weak else "good"), "by rockets and nines")
        if view.phase == SickBay.name:
            bad = [str(event.seat) for event in view.events if event.action.value == "bad"]
            return Decision(next((a for a in view.legal if a.value in bad), view.legal[0]), "said so")

        def higher(action: Action) -> int:
            card = DECK.card(action.value.partition("#")[0])
            return (hand & DECK.of_suit_mask(card.suit) & ~(card.mask - 1)).bit_count()

        return Decision(max(view.legal, key=higher), "most cards from it upwards")


def _card(view: View) -> Decision:
    """A card for a task: takes what is its own, gives others theirs, keeps out of their way with its lowest card."""
    rules, flight = view.rules, view.contract
    assert rules is not None
    assert isinstance(flight, Flight)
    owner = {DECK.card(task.partition("#")[0]).index: s for s, tasks in enumerate(flight.tasks) for task in tasks}
    legal = list(bits(view.legal_cards_mask()))
    legal.sort(key=lambda c: (rules.suit_of[c] == rules.trump, c in owner, rules.power[c]))
    if not view.table:
        colours = {DECK[c].suit for c, seat in owner.items() if seat == view.seat and not view.gone >> c & 1}
        for card in legal:
            above = DECK.of_suit_mask(DECK[card].suit) & ~((2 << card) - 1)
            if DECK[card].suit in colours and not above & view.unseen_mask and owner.get(card, view.seat) == view.seat:
                return Decision(play(card), "the highest of the colour of a task")
        return Decision(play(legal[0]), "the lowest")
    best = best_card(rules, view.table)
    winner = (view.leader + view.table.index(best)) % rules.seats
    over = [c for c in legal if rules.beats(c, best) and owner.get(c, view.seat) == view.seat]
    mine = any(owner.get(c) == view.seat for c in view.table)
    if over and (mine or winner == flight.sick):
        return Decision(play(over[-1]), "takes the trick")
    under = [c for c in legal if not rules.beats(c, best)] or legal
    gift = next((c for c in under if owner.get(c) == winner), under[0])
    return Decision(play(gift), "a task for who wins the trick" if gift in owner else "the lowest")
