"""What one seat may see. A strategy gets a View and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from tricktake import html
from tricktake.action import Action, Event
from tricktake.cards import CardSet, unsigned
from tricktake.condition import Condition
from tricktake.deal import Layout
from tricktake.rules import Aim, TrickRules
from tricktake.standings import Standings
from tricktake.trick import Trick, TrickState

if TYPE_CHECKING:
    from tricktake.game import Contract
    from tricktake.table import Table


@frozen
class View:
    """Everything ``seat`` knows, as values; no reference leads from here to the deal.

    game: registered name. board: number of the deal in its round (dealer, vulnerability), not its identity.
    turn: the seat to act, -1 when the game is over; ``to_decide`` is whether this seat decides for it.
    known: for each place (seats, then extra places) the cards surely lying there; the own hand is complete.
    sizes: cards in each place now. gone: cards already played. events: what this seat was told, in order.
    leader, table, tricks: the play of the cards; taken: cost of the tricks of each seat, without credits.
    legal: the legal actions if this seat is to decide, else empty.
    interruptions: what this seat may do besides, in turn or not (claims); the referee may still refuse it.
    decides: the seats this seat decides for, as a mask: itself, and a dummy it plays.
    aims: what its side may try for in the play, from the least to the most (``Game.aims``).
    picked_up: the cards that came to its hand after the deal (skat, talon, cards passed to it), also those it has put
    away or played since.
    released: the suit of the rules' duty was led in an earlier trick.
    excluded: (place, mask) pairs, cards that bids and announcements rule out there for sure (``Game.excluded``).
    promised: what these say for sure that is held (``Game.promised``).
    standings: how the series stands that the deal belongs to, None if it belongs to none.

    Where teams are hidden (``rules.alliance``), ``rules.teams`` says what this seat knows of them.
    """

    game: str
    board: int
    seat: int
    turn: int
    to_decide: bool
    phase: str
    role: str
    layout: Layout
    known: tuple[int, ...]
    sizes: tuple[int, ...]
    gone: int
    events: tuple[Event, ...]
    contract: Contract | None
    rules: TrickRules | None
    leader: int
    table: tuple[int, ...]
    tricks: tuple[Trick, ...]
    taken: tuple[int, ...]
    broken: bool
    legal: tuple[Action, ...]
    interruptions: tuple[Action, ...] = ()
    decides: int = 0
    aims: tuple[Aim, ...] = ()
    released: bool = False
    excluded: tuple[tuple[int, int], ...] = ()
    picked_up: int = 0
    promised: tuple[Condition, ...] = ()
    standings: Standings | None = None

    @property
    def hand_mask(self) -> int:
        return self.known[self.seat]

    def hand(self) -> CardSet:
        return CardSet(self.layout.deck, self.hand_mask)

    @property
    def unseen_mask(self) -> int:
        """Cards whose place this seat does not know."""
        mask = self.layout.deck.full_mask & ~self.gone
        for known in self.known:
            mask &= ~known
        return mask

    def unseen(self) -> CardSet:
        return CardSet(self.layout.deck, self.unseen_mask)

    def known_cards(self) -> tuple[CardSet, ...]:
        """``known`` with names."""
        return self.layout.sets(self.known)

    def gone_cards(self) -> CardSet:
        """``gone`` with names."""
        return CardSet(self.layout.deck, self.gone)

    def picked_up_cards(self) -> CardSet:
        """``picked_up`` with names."""
        return CardSet(self.layout.deck, self.picked_up)

    def played_cards(self) -> tuple[CardSet, ...]:
        """``played`` with names."""
        return self.layout.sets(self.played)

    @property
    def played(self) -> tuple[int, ...]:
        """The cards each seat has played, as masks."""
        out = [0] * self.layout.seats
        for leader, cards in [*((t.leader, t.cards) for t in self.tricks), (self.leader, self.table)]:
            for k, card in enumerate(cards):
                out[(leader + k) % self.layout.seats] |= 1 << card
        return tuple(out)

    def _repr_html_(self) -> str:
        deck, names = self.layout.deck, self.layout.names
        on_table = ((f"{(self.leader + k) % self.layout.seats} played", 1 << c) for k, c in enumerate(self.table))
        places = [(names[place], mask) for place, mask in enumerate(self.known) if mask]
        shown = [(name, deck.html(mask)) for name, mask in (*places, *on_table)]
        facts = [("phase", self.phase), ("to act", self.turn if self.turn >= 0 else ""), ("contract", self.contract)]
        legal = ", ".join(action.to_text(deck) for action in self.legal)
        return html.facts(f"{self.game}, seat {self.seat}", [*facts, *shown, ("legal", legal)])

    def legal_cards(self) -> CardSet:
        """``legal_cards_mask`` with names."""
        return CardSet(self.layout.deck, self.legal_cards_mask())

    def legal_cards_mask(self) -> int:
        """The cards among the legal actions that play a card."""
        mask = 0
        for action in self.legal:
            if action.verb == "play":
                mask |= action.mask
        return mask

    def state(self, places: Sequence[int]) -> TrickState:
        """The play of the cards in one world: ``places`` gives the cards lying in every place now (masks, or a row of
        ``worlds.sample``). Hidden teams are those of this world.

        Raises ValueError outside the play of the cards.
        """
        if self.rules is None:
            raise ValueError("there are no tricks yet")
        places = tuple(unsigned(mask) for mask in places)
        taken = list(self.taken)
        for name, seat in self.rules.credits:
            taken[seat] += self.rules.cost_of(places[self.layout.names.index(name)])
        rules = self.rules
        if rules.alliance is not None and rules.alliance.cards:
            rules = rules.in_world([hand | gone for hand, gone in zip(places, self.played, strict=False)])
        state = TrickState(
            rules,
            places[: rules.seats],
            self.leader,
            credit=tuple(taken),
            table=self.table,
            broken=self.broken,
            first=not self.tricks,
            released=self.released,
        )
        state.tricks = [None] * len(self.tricks)
        return state


def make_view(table: Table, seat: int) -> View:
    """The view of ``seat`` but for what follows from it: hidden teams, aims, what bids rule out."""
    tricks = table.tricks
    turn, actor = table.turn, table.actor
    known = list(table.known[seat])
    for shown in table.game.shown(table):
        known[shown] = table.places[shown]
    known[seat] = table.places[seat]
    played: list[Trick] = [t for t in tricks.tricks if t is not None] if tricks else []
    on_table = tuple(tricks.table) if tricks else ()
    taken = [0] * table.seats
    for trick in played:
        taken[trick.winner] += trick.cost
        if tricks is not None:
            for owner, cost in tricks.rules.kept(trick.cards, trick.leader):
                taken[owner] += cost
    return View(
        game=table.game.name,
        board=table.board,
        seat=seat,
        turn=-1 if turn is None else turn,
        to_decide=actor == seat,
        phase=table.phase.name if table.phase else "over",
        role=table.phase.role if table.phase else "",
        layout=table.deal.layout,
        known=tuple(known),
        sizes=tuple(m.bit_count() for m in table.places),
        gone=table.gone,
        events=tuple(table.told[seat]),
        contract=table.contract,
        rules=tricks.rules.without_teams() if tricks else None,
        leader=tricks.leader if tricks else -1,
        table=on_table,
        tricks=tuple(played),
        taken=tuple(taken),
        broken=tricks.broken if tricks else False,
        legal=tuple(table.legal()) if actor == seat else (),
        interruptions=tuple(table.phase.interruptions(seat)) if table.phase else (),
        decides=sum(1 << s for s in range(table.seats) if table.game.actor(table, s) == seat),
        released=tricks.released if tricks else False,
        picked_up=table.received[seat],
        standings=table.standings,
    )
