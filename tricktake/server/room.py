"""A table of the server: its chairs, a series of games, clocks, and what everybody at it is told.

Nothing here waits. What happens is stored first, then told; time and bots come in through ``Host``.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from attrs import evolve

from tricktake.action import Action
from tricktake.deal import deal
from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.game import Game, find_game
from tricktake.messages import Naming, contract_to_json, score_to_json, view_to_json
from tricktake.records.formats import get_format
from tricktake.records.jsonl import event_text, read_event
from tricktake.records.record import record_of
from tricktake.server import store as stored
from tricktake.server.memory import Past
from tricktake.server.plan import BOT, OPEN, PERSON, Chair, Plan, by_chair, seating
from tricktake.standings import Standings
from tricktake.strategies.player import default_spec
from tricktake.table import Table
from tricktake.tournament import listeners, referee
from tricktake.view import View, make_view

WAITING, PLAYING, BETWEEN, OVER = "waiting", "playing", "between", "over"
RECORDS = "jsonl"
log = logging.getLogger("tricktake.server")
PAUSE = 30.0  # seconds after which the next game begins though not everybody asked for it, where clocks run


class Host(Protocol):
    """What a room needs of the server around it."""

    store: stored.Store

    def name_of(self, account: int) -> str: ...

    def is_program(self, account: int) -> bool: ...

    def later(self, seconds: float, call: Callable[[], None]) -> Any:
        """Call something later; what is returned has ``cancel()``."""

    def think(self, room: Room, chair: int, spec: str, view: View, seed: int) -> None:
        """Have a bot decide for a chair; ``room.bot_acts`` is called with the answer."""

    def ended(self, room: Room) -> None:
        """The game at a table is over, or broken off: bots that keep a memory have to be told."""

    def changed(self, room: Room) -> None:
        """Something at the table is new: whoever looks at it has to be told."""


class Room:
    """One table. chairs: who sits there; ``seating`` says which seat each has in the game that is played.

    table: the game being played, and between two games the last one. number: of the game, from 0. results: what was
    told at the end of it.
    """

    def __init__(self, host: Host, number: int, plan: Plan, chairs: list[Chair], state: str = WAITING) -> None:
        self.host, self.id, self.plan, self.chairs, self.state = host, number, plan, chairs, state
        self.game: Game = find_game(plan.game)
        label = plan.deals or f"table {number}"
        self.label = f"{self.game.spec} {label}"
        self.seed = host.store.seed(self.label, secrets.randbits(63))
        self.naming = Naming(self.game.layout)
        self.table: Table | None = None
        self.points: list[tuple[float, ...]] = host.store.points_at(number)
        self.number = len(self.points)
        self.ready: set[int] = set()
        self.result: dict[str, Any] | None = None
        self._clock: Any = None
        self._since, self._seconds = 0.0, 0.0
        self._refused: set[tuple[int, Action]] = set()  # claims of seats in this game
        self._thinking = (-1, -1)

    # -- who sits where -------------------------------------------------------------------------------------------

    @property
    def game_id(self) -> str:
        return f"{self.id}-{self.number}"

    @property
    def seats(self) -> tuple[int, ...]:
        """The chair of each seat in this game."""
        return seating(self.game, self.number)

    def chair_of(self, account: int) -> int | None:
        """Where an account sits."""
        return next((n for n, c in enumerate(self.chairs) if c.kind == PERSON and c.account == account), None)

    def seat_of(self, chair: int | None) -> int | None:
        """The seat of a chair in this game; None for who sits out."""
        return self.seats.index(chair) if chair in self.seats else None

    def names(self) -> list[str]:
        """Of the chairs; bots of the same player have numbers."""
        out: list[str] = []
        for chair in self.chairs:
            name = self.host.name_of(chair.account) if chair.kind == PERSON else f"bot:{chair.spec}"
            name = "" if chair.kind == OPEN else name
            same = sum(other.partition(" #")[0] == name for other in out)
            out.append(f"{name} #{same + 1}" if same and chair.kind == BOT else name)
        return out

    def sit(self, account: int, chair: int | None) -> int:
        """Take an open chair, any without a number. Raises InputError."""
        if self.state == OVER:
            raise InputError(None, None, "table", "the series is over")
        if (mine := self.chair_of(account)) is not None:
            return mine
        free = [n for n, c in enumerate(self.chairs) if c.kind == OPEN]
        if chair is None and free:
            chair = free[0]
        if chair is None or chair not in free:
            raise InputError(None, None, "chair", "is not free")
        self.chairs[chair] = Chair(PERSON, account)
        self._keep()
        self.begin()
        self.host.changed(self)
        return chair

    def leave(self, chair: int) -> None:
        """Get up: before the first game the chair is open again, later a bot takes it. Nobody left: the end."""
        if self.state == WAITING:
            self.chairs[chair] = Chair()
        else:
            self.chairs[chair] = Chair(BOT, spec=default_spec(self.game))
        if not any(c.kind == PERSON for c in self.chairs):
            self.close()
            return
        self._keep()
        self._go_on()

    def close(self) -> None:
        """End the series; a game that is not finished does not count."""
        if self.state == PLAYING:
            self.host.ended(self)
        self.state = OVER
        self._stop_clock()
        self._keep()
        self.host.changed(self)

    def come_back(self, chair: int) -> None:
        """Who was away decides again."""
        if self.chairs[chair].away:
            self.chairs[chair].away = False
            self._keep()
            self._go_on()

    # -- the games ------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Deal the first game if nobody is waited for."""
        if self.state == WAITING and not any(c.kind == OPEN for c in self.chairs):
            self.next_game()

    def next_game(self) -> None:
        """Deal. Raises nothing: the deal follows from the seed of the table's deals and the number of the game."""
        self.state, self.ready, self.result, self._refused = PLAYING, set(), None, set()
        for chair in self.chairs:
            chair.helped = chair.away
        self.number = len(self.points)
        self.table = self._dealt()
        listeners.begins(self.table, self.seed, self.game_id, self._seated_names())
        self._keep()
        self._go_on()

    def resume(self) -> None:
        """Go on after the server was started again: the actions of the running game are played once more."""
        if self.state == WAITING:
            self.begin()  # the server may have ended just before
        elif self.state == BETWEEN:
            self.number -= 1
            self._after_game()
        elif self.state == PLAYING:
            table = self._dealt()
            for text in self.host.store.actions(self.game_id):
                event = read_event(text, self.naming.deck, table.seats)
                table.apply(event.action, event.seat)
            self.table = table
            self._go_on()

    def act(self, chair: int, wanted: Action, events: int) -> None:
        """An action of who sits there. events: how many had happened when it was chosen.

        Raises InputError if it comes too late, IllegalAction if the rules forbid it.
        """
        table, seat = self.table, self.seat_of(chair)
        if table is None or self.state != PLAYING or seat is None:
            raise InputError(None, None, "action", "there is nothing to decide")
        if events != len(table.events):
            raise InputError(None, None, "n", f"is {events}, but {len(table.events)} actions were made")
        action = self.game.parse(wanted.to_text(self.naming.deck), table)
        if table.actor == seat and action in table.legal():
            self._apply(action, None)
            return
        if (seat, action) in self._refused:  # another one would ask again what the hidden cards allow
            raise IllegalAction("this was refused already, and may be said once a game")
        try:
            self._apply(action, seat)
        except IllegalAction:
            if self._claims(seat, action):
                self._refused.add((seat, action))
            raise

    def bot_acts(self, number: int, events: int, answer: tuple[Action, str] | None) -> None:
        """The answer of a bot that was asked in game ``number`` after so many events; None if it failed."""
        table = self.table
        if table is None or not self.waits_for(number, events):
            return  # somebody came back meanwhile, or claimed
        actor = table.actor
        assert actor is not None
        chair = self.chairs[self.seats[actor]]
        if chair.kind == PERSON and not chair.away:
            self._thinking = (-1, -1)  # it may be asked again
            return
        self._decided(table, actor, None if answer is None else answer[0])

    def program_acts(self, chair: int, number: int, events: int, action: Action | None) -> None:
        """The answer of a program that was asked in game ``number`` after so many events; None if it cannot decide.

        With an answer that comes too late it is back. What is not legal is replaced by a random action, as for bots.
        """
        if self.chairs[chair].away:
            self.come_back(chair)
        table = self.table
        if table is None or not self.waits_for(number, events):
            return
        actor = table.actor
        if actor is not None and self.seats[actor] == chair:
            self._decided(table, actor, action)

    def waits_for(self, number: int, events: int) -> bool:
        """Whether the decision after so many events of game ``number`` is still to be made."""
        table = self.table
        return table is not None and self.state == PLAYING and (number, events) == (self.number, len(table.events))

    def _decided(self, table: Table, actor: int, action: Action | None) -> None:
        """Carry out what a bot or program decided; something at random if it may not do that."""
        try:
            if action is None:
                raise IllegalAction("no answer in time")
            wanted = self.game.parse(action.to_text(self.naming.deck), table)
            legal = table.phase is not None and table.phase.allows(wanted)
            if not legal and not self._claims(actor, wanted):
                raise IllegalAction(f"{wanted.to_text(self.naming.deck)} is not legal")
            self._apply(wanted, None if legal else actor)
        except (TricktakeError, IndexError) as error:
            log.warning("table %d, game %d, action %d, at random: %s", self.id, self.number, len(table.events), error)
            self._apply(referee.fallback(table, self.decision_seed(actor)), None)

    def _claims(self, actor: int, action: Action) -> bool:
        table = self.table
        return table is not None and table.phase is not None and action in table.phase.interruptions(actor)

    def past(self, chair: int) -> Past:
        """What the seat of a chair had to decide in the running game, for a bot that keeps a memory."""
        seat, running = self.seat_of(chair), self.table
        assert seat is not None
        assert running is not None
        table, asked = self._dealt(), []
        for event in running.events:
            if table.actor == seat:
                asked.append((table.view(seat), self.decision_seed(seat, len(table.events))))
            table.apply(event.action, event.seat)
        return Past(self.id, chair, self.number, self.game.spec, seat, tuple(asked))

    def _dealt(self) -> Table:
        dealt = deal(self.game.layout, self.seed, self.number)
        return Table.start(self.game, dealt, self.number % self.game.boards, self._standings())

    def _standings(self) -> Standings | None:
        """How the series stands before this game, None if it has one game only."""
        if self.plan.games < 2:
            return None
        scores = [sum(points[chair] for points in self.points[: self.number]) for chair in self.seats]
        return Standings(scores, self.plan.games - self.number)

    def _apply(self, action: Action, seat: int | None) -> None:
        """Carry out, store, go on. Raises IllegalAction."""
        table = self.table
        assert table is not None
        table.apply(action, seat)
        self.host.store.add_action(self.game_id, len(table.events) - 1, event_text(table.events[-1], self.naming.deck))
        self._go_on()

    def _go_on(self) -> None:
        """Ask whoever is to act, or end the game."""
        self._stop_clock()
        table = self.table
        if self.state == BETWEEN:
            self._after_game()
            return
        if self.state == PLAYING and table is not None:
            if table.over:
                self._finish(table)
                return
            actor = table.actor
            assert actor is not None
            chair = self.chairs[self.seats[actor]]
            if chair.kind == BOT or chair.away:
                chair.helped = chair.helped or chair.kind == PERSON
                self._ask_bot(chair.spec or default_spec(self.game), table, actor)
            elif (seconds := self._seconds_of(chair)) is not None:
                self._start_clock(seconds, self._too_slow)
        self.host.changed(self)

    def _seconds_of(self, chair: Chair) -> float | None:
        """The clock of a person, or of a program with an account, which is that of bots."""
        return self.plan.bot_seconds if self.host.is_program(chair.account) else self.plan.person_seconds

    def _ask_bot(self, spec: str, table: Table, actor: int) -> None:
        asked = (self.number, len(table.events))
        if self._thinking != asked:
            self._thinking = asked
            self.host.think(self, self.seats[actor], spec, table.view(actor), self.decision_seed(actor))

    def _too_slow(self) -> None:
        """The clock of a person is out: a bot decides until he comes back."""
        table = self.table
        if self.state != PLAYING or table is None or table.actor is None:
            return
        self.chairs[self.seats[table.actor]].away = True
        self._keep()
        self._go_on()

    def _finish(self, table: Table) -> None:
        """Store the game, then tell the score."""
        score = table.score()
        points = by_chair(self.game, self.number, self.game.table_points(score))
        record = get_format(RECORDS).text(record_of(table, self.game_id, self._seated_names()))
        accounts = tuple(c.account for c in self.chairs)
        rated = not any(c.helped for c in self.chairs)
        game = stored.Game(
            self.game_id, self.id, self.number, self.label, self.game.spec, accounts, tuple(self.names()),
            points, rated, record, time.time(),
        )  # fmt: skip
        self.state = BETWEEN if self.number + 1 < self.plan.games else OVER
        self.host.store.finish(game, [c.to_json() for c in self.chairs], self.state)
        self.points.append(points)
        self.result = {**score_to_json(score), "id": game.id, "table_points": list(points)}
        listeners.ends(table, self.game_id, self._seated_names())
        self.host.ended(self)
        self._after_game()

    def _after_game(self) -> None:
        """What comes after a game: the next one if nobody has to be waited for."""
        if self.state == BETWEEN:
            people = [n for n, c in enumerate(self.chairs) if c.kind == PERSON and not self.host.is_program(c.account)]
            waited = [n for n in people if not self.chairs[n].away]
            if not waited or self.ready.issuperset(waited):
                self.host.later(0.0, self._deal_next)
            elif self.plan.person_seconds is not None:
                self._start_clock(PAUSE, self._deal_next)
        self.host.changed(self)

    def _deal_next(self) -> None:
        if self.state == BETWEEN:
            self.next_game()

    def wants_next(self, chair: int) -> None:
        """Who sits there has seen the score."""
        if self.state == BETWEEN:
            self.ready.add(chair)
            self._after_game()

    # -- clocks ---------------------------------------------------------------------------------------------------

    def _start_clock(self, seconds: float, call: Callable[[], None]) -> None:
        self._stop_clock()
        self._since, self._seconds = time.monotonic(), seconds
        self._clock = self.host.later(seconds, call)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        self._clock, self._seconds = None, 0.0

    def decision_seed(self, actor: int, events: int | None = None) -> int:
        """Of the random numbers of a decision after so many events, by default the one to be made."""
        assert self.table is not None
        made = len(self.table.events) if events is None else events
        return referee.decision_seed(self.seed, self.game_id, actor, made)

    def _keep(self) -> None:
        self.host.store.change_table(self.id, [c.to_json() for c in self.chairs], self.state)

    def _seated_names(self) -> tuple[str, ...]:
        names = self.names()
        return tuple(names[chair] for chair in self.seats)

    # -- what is told ---------------------------------------------------------------------------------------------

    @property
    def stamp(self) -> object:
        """What ``about`` depends on."""
        chairs = tuple((chair.kind, chair.account, chair.away) for chair in self.chairs)
        return (self.state, self.number, len(self.points), tuple(self.ready), chairs)

    def about(self, chair: int | None) -> dict[str, Any]:
        """The table but for the game: who sits there, points so far. The same for everybody but ``you``."""
        names = self.names()
        chairs = [
            {"name": names[n], "kind": c.kind, "bot": c.kind == BOT or self.host.is_program(c.account), "away": c.away}
            for n, c in enumerate(self.chairs)
        ]
        return {
            "type": "table",
            "table": self.id,
            **self.plan.to_json(),
            "state": self.state,
            "number": self.number,
            "chairs": chairs,
            "seats": list(self.seats),
            "you": chair,
            "ready": sorted(self.ready),
            "points": [list(row) for row in self.points],
        }

    def view_message(self, chair: int | None, language: str = "") -> dict[str, Any] | None:
        """The position as who sits there may see it; without a seat, what everybody sees.

        language: also what people say for the actions in it, which follows from the view.
        """
        if self.table is None:
            return None
        seat = self.seat_of(chair)
        view = self.table.view(seat) if seat is not None else public_view(self.table)
        left = max(0.0, self._seconds - (time.monotonic() - self._since)) if self._clock is not None else None
        message = {
            "type": "view",
            "table": self.id,
            "number": self.number,
            "n": len(self.table.events),
            "seat": seat,
            "seconds": None if left is None else round(left, 1),
            "view": view_to_json(view),
        }
        return message | ({"words": self.words(view, language)} if language else {})

    def words(self, view: View, language: str) -> dict[str, Any]:
        """What people say for the contract and for actions without cards, by their text: label and meaning."""
        deck, found = self.naming.deck, {}
        for action in (*view.legal, *view.interruptions, *(event.action for event in view.events)):
            text = action.to_text(deck)
            if not action.cards and not action.hidden and text not in found:
                found[text] = list(self.game.said(action, view, language))
        contract = "" if view.contract is None else self.game.called(view.contract, language)
        return {"actions": {text: said for text, said in found.items() if any(said)}, "contract": contract}

    def result_message(self) -> dict[str, Any] | None:
        """The score of the finished game and all cards as they were dealt."""
        if self.table is None or self.result is None:
            return None
        dealt = dict(zip(self.game.layout.names, map(self.naming.cards, self.table.deal.masks), strict=True))
        contract = None if self.table.contract is None else contract_to_json(self.table.contract)
        return {
            "type": "result",
            "table": self.id,
            "number": self.number,
            "deal": dealt,
            "contract": contract,
            "compare": list(self._compared()),
            **self.result,
        }

    def _compared(self) -> Iterator[dict[str, Any]]:
        """The same deal at other tables; only where deals are shared."""
        if self.plan.deals:
            for game in self.host.store.games_of(self.label, self.number):
                if game.at != self.id:
                    yield {"table": game.at, "players": list(game.players), "points": list(game.points)}


def public_view(table: Table) -> View:
    """What every seat knows: cards that lie open to all, what all were told. As if of seat 0, but without its hand."""
    views = [make_view(table, seat) for seat in range(table.seats)]
    first = views[0]
    known = tuple(_common(view.known[place] for view in views) for place in range(len(first.known)))
    events = tuple(
        told[0] if all(one == told[0] for one in told[1:]) else evolve(told[0], action=told[0].action.redacted())
        for told in zip(*(view.events for view in views), strict=True)
    )
    return evolve(
        first, to_decide=False, known=known, events=events, legal=(), interruptions=(), decides=0, aims=(),
        picked_up=0, excluded=(), promised=(),
    )  # fmt: skip


def _common(masks: Iterator[int]) -> int:
    out = -1
    for mask in masks:
        out &= mask
    return out
