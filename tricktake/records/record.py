"""One recorded game, whatever format it came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from tricktake import html
from tricktake.action import Event
from tricktake.deal import Deal
from tricktake.errors import IllegalAction, InputError
from tricktake.game import Contract, Game
from tricktake.table import Table
from tricktake.trick import TrickState


@frozen
class GameRecord:
    """A game as it was recorded.

    game: its spec, as ``find_game`` takes it. id: unique within its source. board: number in its round (dealer,
    vulnerability). players: name of each seat. deal: as dealt. before: actions before the tricks, None if they were not
    recorded; then ``contract`` and ``played`` (the deal after the exchange) start the play. contract is None for a
    passed-in deal, in games without contracts, and where only the deal was recorded (no ``before`` either).
    plays: the actions of the play, which may stop early.
    result: what the record itself claims, in the game's words (``points``, ``won`` ...), for ``verify``; ``passed``
    tells whether the deal was passed in where the rest does not.
    notes: whatever else the format carried. source: ``file:line``, for messages.
    """

    game: str
    id: str
    deal: Deal
    board: int = 0
    players: tuple[str, ...] = ()
    before: tuple[Event, ...] | None = None
    contract: Contract | None = None
    played: Deal | None = None
    plays: tuple[Event, ...] = ()
    result: Mapping[str, Any] = field(factory=dict)
    notes: Mapping[str, Any] = field(factory=dict)
    source: str = ""

    def _repr_html_(self) -> str:
        deck, names = self.deal.layout.deck, self.deal.layout.names
        dealt = [(name, deck.html(mask)) for name, mask in zip(names, self.deal.masks, strict=True)]
        played = ", ".join(event.action.to_text(deck).removeprefix("play ") for event in self.plays)
        facts = [("players", ", ".join(self.players)), ("contract", self.contract), *dealt, ("played", played)]
        return html.facts(f"{self.game} {self.id}", [*facts, *self.result.items()])

    @property
    def passed(self) -> bool:
        """Whether nobody wanted to play: not so if a deal is all that was recorded."""
        if self.contract is not None or self.plays:
            return False
        return bool(self.result.get("passed", self.before is not None))

    @property
    def deal_at_play(self) -> Deal:
        """The deal as it lay at the first trick."""
        return self.played or self.deal

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards played, as deck indices."""
        return tuple(event.action.cards[0] for event in self.plays if event.action.verb == "play")

    def table_at_play(self, game: Game) -> Table:
        """The table at the first trick. Raises InputError for a passed-in deal, or if nothing says what is played."""
        if self.contract is not None:
            return self._resized(game) or Table.at_contract(game, self.deal, self.contract, self.played, self.board)
        if self.passed:
            raise InputError(None, None, "contract", "the deal was passed in: there is nothing to play")
        table = Table.replay(game, self.deal, self.before or (), self.board)
        if table.tricks is None:
            raise InputError(None, None, "contract", "no contract is recorded: nothing says what is played")
        return table

    def _resized(self, game: Game) -> Table | None:
        """The table at the first trick if the exchange left other sizes than the layout's, so that ``played`` cannot
        tell it: the recorded actions do. Bidding against the rules, which ``verify`` reports, does not.
        """
        if self.played is not None or self.before is None:
            return None
        try:
            table = Table.replay(game, self.deal, self.before, self.board)
        except IllegalAction:
            return None
        return None if table.tricks is None or _fits(table) else table

    def played_on(self, state: TrickState, cards: int) -> TrickState:
        """``state``, which is the first trick, after so many recorded cards. Raises InputError if there are fewer,
        IllegalAction if one breaks the rules.
        """
        if cards > len(self.cards):
            raise InputError(None, None, "plays", f"{len(self.cards)} cards are recorded, not {cards}")
        for card in self.cards[:cards]:
            state.play_checked(card)
        return state

    def table(self, game: Game, *, silent: bool = False) -> Table:
        """The whole record replayed by the rules. Raises IllegalAction where it breaks them.

        silent: nobody is told what is played, so that the table has a score but no views; that is faster.
        """
        if self.before is not None:
            table = Table.replay(game, self.deal, self.before, self.board)
        elif self.contract is None:
            table = Table.start(game, self.deal, self.board)
        else:
            table = self.table_at_play(game)
        if silent and table.tricks is not None:
            table.silence()
        for event in self.plays:
            try:
                table.apply(event.action, event.seat)
            except IllegalAction as error:
                raise IllegalAction(f"action {len(table.events) + 1}: {error}") from None
        return table


def _fits(table: Table) -> bool:
    """Whether each place holds as many cards at the first trick as the layout says."""
    return tuple(mask.bit_count() for mask in table.places) == table.deal.layout.sizes_at_play


def record_of(table: Table, id: str, players: tuple[str, ...] = ()) -> GameRecord:  # noqa: A002
    """The record of a game at a table: complete with what the rules make of it, or as far as it came."""
    game, deal, layout = table.game, table.deal, table.deal.layout
    fields: dict[str, Any] = {"game": game.spec, "id": id, "deal": deal, "board": table.board, "players": players}
    fields["contract"] = table.contract
    if table.origin is not None:
        fields["played"] = table.origin[1]
        fields["plays"] = tuple(table.events)
    else:
        again = Table.start(game, deal, table.board)
        while not again.over and again.tricks is None and len(again.events) < len(table.events):
            event = table.events[len(again.events)]
            again.apply(event.action, event.seat)
        # Where the exchange leaves other sizes than the layout's, the actions alone tell what was played with.
        played = Deal(layout, tuple(again.places)) if again.tricks is not None and _fits(again) else None
        fields["played"] = None if played == deal else played
        fields["before"] = tuple(again.events)
        fields["plays"] = tuple(table.events[len(again.events) :])
    if not table.over:
        fields["result"] = {} if table.contract is not None else {"passed": False}
    else:
        score = table.score()
        result = {"points": score.points, "won": score.won, **score.detail}
        fields["result"] = {k: list(v) if isinstance(v, tuple) else v for k, v in result.items() if v is not None}
    return GameRecord(**fields)
