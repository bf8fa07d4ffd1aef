"""A table: one deal being played, and what each seat has seen of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from tricktake import html
from tricktake.action import Action, Event
from tricktake.cards import CardSet
from tricktake.deal import Deal
from tricktake.errors import IllegalAction
from tricktake.knowledge import with_known_teams
from tricktake.phase import Phase
from tricktake.standings import Standings
from tricktake.trick import TrickState
from tricktake.view import View, make_view

if TYPE_CHECKING:
    from tricktake.game import Contract, Game, Score


class Table:
    """One game in progress. Only the referee holds it; players get ``view(seat)``.

    places: current mask of each place (seats first, then the extra places of the layout), without played cards.
    known: ``known[observer][place]``, the cards the observer surely knows to lie there now.
    gone: the cards already played. events: everything that happened. told: the same as each seat was told it.
    received: for each seat the cards that came to its hand after the deal, from the talon or from others.
    standings: of the series the deal belongs to, for all to see.
    facts: results of phases that the game's later phases and score need (e.g. the final bid).
    """

    def __init__(self, game: Game, deal: Deal, board: int = 0, standings: Standings | None = None) -> None:
        self.game = game
        self.deal = deal
        self.board = board
        self.standings = standings
        self.places: list[int] = list(deal.masks)
        seats = deal.layout.seats
        self.known = [self._known(o, deal.masks) for o in range(seats)]
        self.received = [0] * seats
        self.gone = 0
        self.events: list[Event] = []
        self.told: list[list[Event]] = [[] for _ in range(seats)]
        self.contract: Contract | None = None
        self.origin: tuple[Contract, Deal | None] | None = None  # set if the table started at a given contract
        self.tricks: TrickState | None = None
        self.facts: dict[str, Any] = {}
        self.phase: Phase | None = None
        self._next_phase = 0

    def _repr_html_(self) -> str:
        layout = self.deal.layout
        places = [(n, layout.deck.html(m)) for n, m in zip(layout.names, self.places, strict=True) if m]
        phase = self.phase.name if self.phase else "over"
        facts = [("phase", phase), ("contract", self.contract), ("played", layout.deck.html(self.gone))]
        return html.facts(self.game.name, [*facts, *places])

    # -- ways to make one -----------------------------------------------------------------------------------------

    @classmethod
    def start(cls, game: Game, deal: Deal, board: int = 0, standings: Standings | None = None) -> Table:
        """A table with this deal, ready for its first action. Raises ValueError for a deal of another layout
        or standings of other seats.
        """
        if deal.layout != game.layout or tuple(mask.bit_count() for mask in deal.masks) != game.layout.sizes:
            raise ValueError(f"the deal was made for another layout than {game.name}'s")
        if standings is not None and len(standings.scores) != deal.layout.seats:
            raise ValueError(f"standings of {len(standings.scores)} seats at a table of {deal.layout.seats}")
        table = cls(game, deal, board, standings)
        table.advance()
        return table

    @classmethod
    def at_contract(
        cls, game: Game, deal: Deal, contract: Contract, played: Deal | None = None, board: int = 0
    ) -> Table:
        """A table at the first trick of a given contract, without auction and exchange.

        played: the deal as it lies after the exchange, ``deal`` itself if nothing was exchanged.
        """
        table = cls(game, deal, board)
        exchanged = played or deal
        table.places = list(exchanged.masks)
        for seat in range(table.seats):
            table.known[seat] = table._known(seat, exchanged.masks)
            table.received[seat] = exchanged.masks[seat] & ~deal.masks[seat]
        table.contract = contract
        table.origin = (contract, played)
        game.on_contract(table)
        table.skip_to_tricks()
        return table

    @classmethod
    def replay(cls, game: Game, deal: Deal, events: Iterable[Event], board: int = 0) -> Table:
        """The table after recorded events. Raises IllegalAction at the first one that does not fit."""
        table = cls.start(game, deal, board)
        for n, event in enumerate(events):
            try:
                table.apply(event.action, event.seat)
            except IllegalAction as error:
                raise IllegalAction(f"action {n + 1}: {error}") from None
        return table

    # -- how the game proceeds ------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        return self.deal.layout.seats

    @property
    def hands(self) -> list[int]:
        return self.tricks.hands if self.tricks is not None else self.places[: self.seats]

    def hand(self, seat: int) -> CardSet:
        """The cards a seat holds now."""
        return CardSet(self.deal.layout.deck, self.hands[seat])

    def place(self, name: str) -> CardSet:
        """The cards that lie in a place now; a hand has the number of its seat as name."""
        return CardSet(self.deal.layout.deck, self.places[self.place_index(name)])

    @property
    def turn(self) -> int | None:
        """The seat to act, None when the game is over."""
        return self.phase.turn if self.phase is not None else None

    @property
    def actor(self) -> int | None:
        """The seat that decides for the seat to act: itself, or the declarer for the dummy."""
        turn = self.turn
        return None if turn is None else self.game.actor(self, turn)

    @property
    def over(self) -> bool:
        return self.phase is None

    def advance(self) -> None:
        """Enter the next phases until a seat has to act or the game is over."""
        while self.phase is None or self.phase.turn is None:
            if self._next_phase == len(self.game.phases) or self.facts.get("over"):
                self.phase = None
                return
            self.phase = self.game.phases[self._next_phase](self)
            self._next_phase += 1

    def skip_to_tricks(self) -> None:
        """Enter the play of the cards with the contract as it is set."""
        self._next_phase = len(self.game.phases) - 1
        self.phase = None
        self.advance()

    def legal(self) -> list[Action]:
        return list(self.phase.legal()) if self.phase is not None else []

    def apply(self, action: Action, seat: int | None = None) -> None:
        """Carry out an action of the seat to act, or an interruption (a claim) by any ``seat``.

        Raises IllegalAction if it is not legal, ``seat`` is not to act, or the game is over.
        """
        phase = self.phase
        turn = self.turn
        if phase is None or turn is None:
            raise IllegalAction("the game is over")
        if seat is None:
            seat = turn
        if seat == turn and phase.allows(action):
            self.apply_unchecked(action)
        elif action in phase.interruptions(seat):
            phase.interrupt(action, seat)
            self.events.append(Event(seat, action))
            for told in self.told:
                told.append(Event(seat, action))
            self.advance()
        elif seat != turn:
            raise IllegalAction(f"seat {seat} acts, but seat {turn} is to act")
        else:
            text = action.to_text(self.deal.layout.deck)
            raise IllegalAction(f"seat {turn} cannot {text!r} in phase {phase.name}: {self._why_not(action)}")

    def _why_not(self, action: Action) -> str:
        deck = self.deal.layout.deck
        for card in action.cards:
            if not self.hands[self.turn or 0] >> card & 1:
                return f"{deck[card].name} is not in the hand"
        legal = [a.to_text(deck) for a in self.legal()]
        return f"legal: {', '.join(legal[:12])}{' ...' if len(legal) > 12 else ''}"

    def apply_unchecked(self, action: Action) -> None:
        """Carry out an action known to be legal."""
        phase, turn = self.phase, self.turn
        assert phase is not None
        assert turn is not None
        actor = self.game.actor(self, turn)
        event = Event(turn, action)
        self.events.append(event)
        for observer, told in enumerate(self.told):
            seen = action if observer == actor else phase.told(action, turn, observer)
            told.append(event if seen is action else Event(turn, seen))
        phase.apply(action)
        self.advance()

    def undo(self) -> Table:
        """A new table at the position before the last action (replayed from the deal, or the given contract)."""
        if self.origin is None:
            return Table.replay(self.game, self.deal, self.events[:-1], self.board)
        table = Table.at_contract(self.game, self.deal, *self.origin, self.board)
        for event in self.events[:-1]:
            table.apply(event.action, event.seat)
        return table

    def score(self) -> Score:
        """The score of the finished game. Raises IllegalAction while it runs."""
        if not self.over:
            raise IllegalAction("the game is not over")
        return self.game.score(self)

    def open_cards(self) -> TrickState:
        """The position of the play with open cards and true partners (``Game.open_rules``); a copy to play on.

        Raises IllegalAction before the first trick.
        """
        if self.tricks is None:
            raise IllegalAction("the play of the cards has not begun")
        state = self.tricks.copy()
        state.rules = self.game.open_rules(self)
        return state

    # -- who knows what -------------------------------------------------------------------------------------------

    def _known(self, seat: int, places: Sequence[int]) -> list[int]:
        """What a seat knows of the places before it was shown anything: its hand, and cards that are never dealt."""
        aside = self.deal.layout.aside_cards_mask
        return [mask if place == seat else mask & aside for place, mask in enumerate(places)]

    def place_index(self, name: str) -> int:
        return self.deal.layout.names.index(name)

    def move(self, mask: int, source: int, target: int, seen_by: Iterable[int]) -> None:
        """Move cards between places. ``seen_by``: the seats that see which cards."""
        self.exchange([(mask, source, target, seen_by)])

    def exchange(self, moves: Iterable[tuple[int, int, int, Iterable[int]]]) -> None:
        """Several moves (mask, source, target, seen_by) at the same time, as in passing cards round."""
        made = [(mask, source, target, frozenset(seen)) for mask, source, target, seen in moves]
        for mask, source, _, seen in made:
            assert mask & ~self.places[source] == 0
            self.places[source] &= ~mask
            for observer in range(self.seats):
                # who does not see which cards go can be sure of none that stay
                self.known[observer][source] &= ~mask if observer in seen else 0
        for mask, _, target, seen in made:
            self.places[target] |= mask
            if target < self.seats:
                self.received[target] |= mask
            for observer in seen:
                self.known[observer][target] |= mask
        for seat in range(self.seats):
            self.known[seat][seat] = self.places[seat]

    def reveal(self, place: int, observers: Iterable[int], mask: int | None = None) -> None:
        """Let observers see a place (a dummy, an open hand, a turned-up card)."""
        for observer in observers if self.known else ():  # nobody looks on at a silent table
            self.known[observer][place] |= self.places[place] if mask is None else self.places[place] & mask

    def discover(self, card: int) -> None:
        """A card has been played: it lies in no place any more and everybody saw it."""
        played = 1 << card
        self.gone |= played
        for places in (self.places, *self.known):
            for place, mask in enumerate(places):
                if mask & played:
                    places[place] = mask ^ played

    def silence(self) -> None:
        """From now on nobody is told anything and there are no views: a replay for the score only."""
        self.told, self.known = [], []

    def view(self, seat: int) -> View:
        """What this seat may see now."""
        game, view = self.game, with_known_teams(make_view(self, seat))
        excluded, promised = game.excluded(view), game.promised(view)
        if excluded or promised:
            said = evolve(view, excluded=tuple(sorted(excluded.items())), promised=tuple(promised))
            view = with_known_teams(said)
        return view if view.rules is None else evolve(view, aims=game.aims(self.contract, view.rules, seat))
