"""Display for a person at the terminal: a ``View`` as lines of text, for any game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tricktake.action import Action, Event
from tricktake.cards import Deck, bits
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake.trick import Trick
from tricktake.view import View

SHOWN = 16  # legal actions listed; more are too many to read


def cards_text(deck: Deck, mask: int, rules: TrickRules | None = None) -> str:
    """Cards by name, a wider gap between play suits (printed suits before there are rules), the strongest first."""
    groups: dict[object, list[int]] = {}
    for card in bits(mask):
        groups.setdefault(deck[card].suit if rules is None else rules.suit_of[card], []).append(card)
    if rules is not None:
        power = rules.power
        ordered = sorted(groups.items(), key=lambda group: (group[0] != rules.trump, group[0]))
        return "  ".join(" ".join(deck[c].name for c in sorted(g, key=lambda c: (-power[c], c))) for _, g in ordered)
    return "  ".join(deck.names(sum(1 << c for c in group)) for group in groups.values())


def event_text(event: Event, deck: Deck, me: Iterable[int] = ()) -> str:
    """One line for an event, with the cards this person may see."""
    who = "you" if event.seat in me else f"seat {event.seat}"
    return f"{who}: {event.action.to_text(deck)}"


def trick_text(trick: Trick, deck: Deck, seats: int) -> str:
    """The cards of a trick with their seats, its winner and its cost."""
    cards = ", ".join(f"{(trick.leader + i) % seats} {deck[c].name}" for i, c in enumerate(trick.cards))
    return f"{cards}: seat {trick.winner} takes it ({trick.cost})"


def legal_text(legal: Sequence[Action], deck: Deck) -> str:
    """The legal actions, shortened if there are too many."""
    if all(action.verb == "play" for action in legal):
        return " ".join(deck[action.cards[0]].name for action in legal)
    texts = [action.to_text(deck) for action in legal]
    if len(texts) <= SHOWN:
        return ", ".join(texts)
    return f"{', '.join(texts[:3])} ... ({len(texts)} possibilities)"


def view_text(view: View, order: TrickRules | None = None) -> list[str]:
    """The position: contract, open cards, the current trick, the own hand, the legal actions.

    order: by whose suits cards are sorted while there are no rules yet (``steering.sorting``).
    """
    deck, rules, seats = view.layout.deck, view.rules, view.layout.seats
    order = rules or order
    head = f"{view.phase}" if rules is None else f"trick {len(view.tricks) + 1}"
    lines = [f"--- {head}, you are seat {view.seat}" + (f", contract {view.contract}" if view.contract else "")]
    for place, (known, size) in enumerate(zip(view.known, view.sizes, strict=True)):
        if place != view.seat and known & ~view.layout.aside_cards_mask:
            name = f"seat {place}" if place < seats else view.layout.names[place]
            hidden = f" and {size - known.bit_count()} hidden" if known.bit_count() < size else ""
            lines.append(f"{name + ':':<9}{cards_text(deck, known, order)}{hidden}")
    if rules is not None:
        if view.tricks:
            lines.append("taken:   " + ", ".join(f"seat {s} {cost}" for s, cost in enumerate(view.taken)))
        on_table = ", ".join(f"{(view.leader + i) % seats} {deck[c].name}" for i, c in enumerate(view.table))
        lines.append(f"table:   {on_table or 'nothing, the lead is open'}")
    lines.append(f"hand:    {cards_text(deck, view.hand_mask, order)}")
    if view.legal:
        whose = f"for seat {view.turn}: " if view.turn != view.seat else ""
        lines.append(f"you may: {whose}{legal_text(view.legal, deck)}")
    if view.interruptions:
        lines.append(f"also:    {legal_text(view.interruptions, deck)}")
    return lines


def history_text(view: View) -> list[str]:
    """All events of this seat, one trick per line."""
    deck, seats = view.layout.deck, view.layout.seats
    played = sum(len(trick.cards) for trick in view.tricks) + len(view.table)
    before = [event for event in view.events if event.action.verb != "play"] if played else list(view.events)
    lines = [event_text(event, deck, (view.seat,)) for event in before]
    lines += [f"trick {i}: {trick_text(trick, deck, seats)}" for i, trick in enumerate(view.tricks, 1)]
    return lines or ["nothing has happened yet"]


def result_text(table: Table, me: Iterable[int], players: Sequence[str], order: TrickRules | None = None) -> list[str]:
    """The finished game: all cards as dealt, and the score. order: as in ``view_text``."""
    order = order if table.tricks is None else table.tricks.rules
    deck, layout = table.deal.layout.deck, table.deal.layout
    score = table.score()
    lines = ["--- the game is over" + (f", contract {table.contract}" if table.contract else "")]
    for name, mask in zip(layout.names, table.deal.masks, strict=True):
        if mask.bit_count() <= max(layout.hand_sizes):  # not a large stock
            lines.append(f"{'seat ' + name if name.isdigit() else name}: {cards_text(deck, mask, order)}")
    if score.won is not None:
        lines.append("the contract was " + ("made" if score.won else "lost"))
    for seat, points in enumerate(score.points):
        lines.append(f"seat {seat}: {points:+g}  {'you' if seat in me else players[seat]}")
    lines += [f"{key}: {value}" for key, value in score.detail.items()]
    return lines
