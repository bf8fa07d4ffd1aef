"""A finished game looked at again: every position with open cards, what each card lost, and where a win was sure."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any, ClassVar

import attrs
from attrs import frozen

from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game, find_game
from tricktake.messages import Naming, contract_to_json, game_to_json
from tricktake.messages.rules import goal_to_json, rules_to_json
from tricktake.records.formats import all_formats, get_format, read, variant_of
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.records.solving import analyse
from tricktake.search.certificate import TooLarge, verify
from tricktake.search.limit import Limit
from tricktake.search.opencard import Unknown
from tricktake.search.paranoia import Paranoia
from tricktake.search.solving import Step
from tricktake.strategies.proven import is_sure, plan
from tricktake.table import Table
from tricktake.tournament.comment import views

SECONDS = 120.0
PROOF_NODES = 300_000
CERTIFICATE = 500  # positions of a plan that is shown


@frozen
class Upload:
    """Reads a file of records somebody sent: the first so many, and what is wrong with others."""

    game: str
    data: bytes
    name: str
    most: int
    needs: ClassVar[str] = ""

    def __call__(self) -> dict[str, Any]:
        faults: list[str] = []
        stream = io.StringIO(self.data.decode("utf-8", "replace"))
        stream.name = self.name
        game = find_game(self.game)
        found = []
        form = get_format("jsonl")
        for record in read(
            stream, game, _format_of(self.name), on_error=lambda e: faults.append(str(e)), variants=True
        ):
            plain = attrs.evolve(record, source="")
            about = {"id": record.id, "players": list(record.players), "contract": _text(record)}
            found.append({**about, "record": form.text(plain)})
            if len(found) == self.most:
                break
        return {"records": found, "faults": faults[:10], "refused": len(faults)}


@frozen
class Review:
    """Works out everything about one record, given as a line of JSON."""

    game: str
    record: str
    language: str = "en"
    needs: ClassVar[str] = "review"

    def __call__(self) -> dict[str, Any]:
        named = find_game(self.game)
        (record,) = get_format("jsonl").loads(self.record, named if named.name != named.spec else None)
        game = find_game(record.game)
        if game.name != named.name:
            raise InputError(None, None, "game", f"a record of {record.game}, not of {named.spec}")
        out = {
            "id": record.id,
            "game": game_to_json(game),
            "players": list(record.players),
            "contract": None if record.contract is None else contract_to_json(record.contract),
            "called": "" if record.contract is None else game.called(record.contract, self.language),
            "result": dict(record.result),
            "frames": list(frames(game, record, self.language)),
            "rules": None,
            "steps": [],
            "side": [],
            "certificate": None,
        }
        if record.contract is None and not record.plays:
            return out
        try:
            out |= _open_cards(game, record)
        except TricktakeError as error:
            out["unsolved"] = str(error)
        return out


def frames(game: Game, record: GameRecord, language: str = "en") -> Iterator[dict[str, Any]]:
    """Every position of a record, all cards open. language: of what people say for the action before it."""
    if record.before is not None or record.contract is None:
        table = Table.start(game, record.deal, record.board)
        events = (*(record.before or ()), *record.plays)
    else:
        table = record.table_at_play(game)
        events = record.plays
    naming = Naming(game.layout)
    yield _frame(table, naming, None)
    for event in events:
        said = "" if event.action.cards else game.said(event.action, table.view(event.seat), language)[0]
        table.apply(event.action, event.seat)
        yield _frame(table, naming, {**naming.event(event), "said": said})


def _frame(table: Table, naming: Naming, event: dict[str, Any] | None) -> dict[str, Any]:
    state, names = table.tricks, naming.layout.names
    places = [*table.hands, *table.places[table.seats :]]
    tricks = [] if state is None else [t for t in state.tricks if t is not None]
    return {
        "places": {name: naming.cards(mask) for name, mask in zip(names, places, strict=True)},
        "turn": table.turn,
        "phase": table.phase.name if table.phase else "over",
        "table": [] if state is None else [naming.deck[card].name for card in state.table],
        "leader": None if state is None else state.leader,
        "last": [] if not tricks else [naming.deck[card].name for card in tricks[-1].cards],
        "last_leader": tricks[-1].leader if tricks else None,
        "last_winner": tricks[-1].winner if tricks else None,
        "tricks": [sum(t.winner == seat for t in tricks) for seat in range(table.seats)],
        "event": event,
    }


def _open_cards(game: Game, record: GameRecord) -> dict[str, Any]:
    """What the open cards say of each card, for the side of the declarer (or of the first leader)."""
    problem = Recording.of(variant_of(record, game)).problem(record)
    goal = problem.state.rules.goal(problem.seat)
    side = [seat for seat in range(game.seats) if problem.side_mask >> seat & 1]
    rules = rules_to_json(problem.state.rules, game.layout)
    steps = analyse(game, record)
    sure, certificate = _sure(game, record, len(steps))
    rows = []
    for n, step in enumerate(steps):
        met = {"won_before": goal.met(step.before), "won_after": goal.met(step.after), "sure": sure[n]}
        rows.append({**attrs.asdict(step), **met})
    facts = {"goal": goal_to_json(goal), "turned": _turned(steps, goal.met)}
    return {**facts, "rules": rules, "side": side, "steps": rows, "certificate": certificate}


def _turned(steps: list[Step], met: Any) -> list[int]:
    """The numbers of the cards that changed who wins."""
    return [n for n, step in enumerate(steps) if met(step.before) != met(step.after)]


def _sure(game: Game, record: GameRecord, cards: int) -> tuple[list[bool], dict[str, Any] | None]:
    """At which cards the player could be sure of its goal, and the verified plan for the first of them."""
    search, limit = Paranoia(), Limit(nodes=PROOF_NODES)
    found, certificate = [False] * cards, None
    for n, (view, _) in zip(range(cards), views(game, record), strict=False):
        found[n] = is_sure(view, search, limit)
        if found[n] and certificate is None:
            with contextlib.suppress(TooLarge, Unknown):
                shown = plan(view, search, limit, CERTIFICATE)
                if not verify(shown, view):
                    certificate = {"card": n, "seat": view.turn, **shown.to_json()}
    return found, certificate


def _format_of(name: str) -> str | None:
    """None: it is told from the text, or the suffix of the name."""
    lower = name.lower()
    fits = [form.name for form in all_formats() if form.suffixes and lower.endswith(form.suffixes)]
    return fits[0] if len(fits) == 1 else None


def _text(record: GameRecord) -> str:
    return "" if record.contract is None else str(record.contract)
