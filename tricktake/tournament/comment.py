"""What a player thinks of a recorded game: at every card, from the view of the seat that played it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from tricktake.game import Game
from tricktake.records.record import GameRecord
from tricktake.search.verdict import Step
from tricktake.tournament.referee import decision_seed
from tricktake.tournament.replay import KEEP, begin
from tricktake.tournament.seat import Fault, Seat


@frozen
class Comment:
    """The card a player would have played, and why; a failure has no card and says so."""

    card: str
    reason: str


def comments(game: Game, record: GameRecord, seat: Seat, seed: int = 0) -> Iterator[Comment]:
    """A comment on each recorded card. Bids are known if they were recorded.

    Raises InputError for a passed-in deal, IllegalAction where the record breaks the rules.
    """
    table = begin(game, record, frozenset(KEEP), (), seed)
    deck = game.layout.deck
    for event in record.plays:
        if event.action.verb != "play":
            break
        actor = table.actor
        assert actor is not None
        try:
            answer = seat.ask(table.view(actor), decision_seed(seed, record.id, actor, len(table.events)))
            yield Comment(answer.action.to_text(deck).removeprefix("play "), answer.reason)
        except Fault as fault:
            yield Comment("", f"failed: {fault.reason}")
        table.apply(event.action)


def with_comments(steps: Sequence[Step], said: Iterator[Comment]) -> list[Step]:
    """The steps of ``analyse`` with what a player says to each card."""
    return [evolve(step, choice=one.card, reason=one.reason) for step, one in zip(steps, said, strict=True)]
