"""Comments of a player on a recorded game, and proofs: at every card, from the view of the seat that played it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen

from tricktake.child import Fault
from tricktake.game import Game
from tricktake.records.record import GameRecord
from tricktake.search.certificate import MOST_ENTRIES, TooLarge, verify
from tricktake.search.limit import Limit
from tricktake.search.opencard import Unknown
from tricktake.search.paranoia import Paranoia
from tricktake.search.solving import Step
from tricktake.strategies.proven import is_sure, plan
from tricktake.tournament.referee import decision_seed
from tricktake.tournament.replay import begin, keeps
from tricktake.tournament.seat import Seat
from tricktake.view import View


@frozen
class Comment:
    """The card a player would have played, and why; after a failure there is no card, and the reason names it."""

    card: str
    reason: str


def comments(game: Game, record: GameRecord, seat: Seat, seed: int = 0) -> Iterator[Comment]:
    """A comment on each recorded card. Bids are known if they were recorded.

    Raises InputError for a passed-in deal, IllegalAction where the record breaks the rules.
    """
    for view, number in views(game, record):
        try:
            answer = seat.ask(view, decision_seed(seed, record.id, view.seat, number))
            yield Comment(answer.action.to_text(view.layout.deck).removeprefix("play "), answer.reason)
        except Fault as fault:
            yield Comment("", f"failed: {fault.reason}")


def proofs(game: Game, record: GameRecord, limit: Limit, most: int = MOST_ENTRIES) -> Iterator[str]:
    """At each recorded card, whether its player could be sure of the goal: if it is proven, the plan is written as a
    certificate, which is verified by the rules alone (KBPS-10). "" where nothing was proven.

    limit: of each position of a plan; most: positions a plan may have.
    """
    search = Paranoia()
    for view, _ in views(game, record):
        yield _proof(view, search, limit, most)


def views(game: Game, record: GameRecord) -> Iterator[tuple[View, int]]:
    """The view of the deciding seat before each recorded card, and the number of earlier actions."""
    table = begin(game, record, frozenset(keeps(game)), (), 0)
    for event in record.plays:
        if event.action.verb != "play":
            break
        actor = table.actor
        assert actor is not None
        yield table.view(actor), len(table.events)
        table.apply(event.action)


def _proof(view: View, search: Paranoia, limit: Limit, most: int) -> str:
    if not is_sure(view, search, limit):
        return ""
    try:
        certificate = plan(view, search, limit, most)
    except (TooLarge, Unknown) as error:
        return f"proven; {error}"
    wrong = verify(certificate, view)
    if wrong:
        return f"refuted: {wrong[0]}"
    match len(certificate.plan):
        case 0:
            return "verified, nothing left to decide"
        case 1:
            return "verified, 1 position"
        case n:
            return f"verified, {n} positions"


def with_comments(steps: Sequence[Step], said: Iterable[Comment]) -> list[Step]:
    """The steps of ``analyse`` with a player's comment on each card."""
    return [evolve(step, choice=one.card, reason=one.reason) for step, one in zip(steps, said, strict=True)]


def with_proofs(steps: Sequence[Step], found: Iterable[str]) -> list[Step]:
    """The steps of ``analyse`` with the proof at each card."""
    return [evolve(step, proof=proof) for step, proof in zip(steps, found, strict=True)]
