"""A game between people at the terminal and strategies."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field

from tricktake.action import Action, Event
from tricktake.child import Fault
from tricktake.cli.seen import event_text, history_text, result_text, trick_text, view_text
from tricktake.deal import Deal
from tricktake.errors import IllegalAction, TricktakeError
from tricktake.game import Game
from tricktake.records.record import GameRecord, record_of
from tricktake.rules import TrickRules
from tricktake.steering import sorting
from tricktake.table import Table
from tricktake.tournament import listeners
from tricktake.tournament.referee import decision_seed, fallback, result_of
from tricktake.tournament.seat import Seat
from tricktake.view import View

HELP = """\
Type what you may do, e.g. a card (SA), a bid (18), or the whole action (pass H2 H3 H4). Or:
  hint     what the hint player would do, and why     undo   take your last decision back
  history  what has happened                          show   the position again
  help     this                                       quit   stop; what was played is saved"""


@define
class Session:
    """One game. ``people``: their seats; ``others``: the players of the other seats; ``names``: for the record.

    ask: returns the next line typed, None at the end of the input. say: shows a line. hint: asked for advice.
    """

    game: Game
    deal: Deal
    board: int
    seed: int
    id: str
    people: frozenset[int]
    others: Mapping[int, Seat]
    names: Sequence[str]
    hint: Seat
    ask: Callable[[str], str | None]
    say: Callable[[str], None]
    reasons: bool = False
    table: Table = field(init=False)
    order: TrickRules | None = field(init=False)  # by which hands are sorted before the tricks
    _decided: list[int] = field(factory=list)  # number of events before each decision of a person
    _told: int = 0

    def __attrs_post_init__(self) -> None:
        self.table = Table.start(self.game, self.deal, self.board)
        self.order = sorting(self.game)

    def play(self) -> bool:
        """Play to the end; False if the person stopped before."""
        listeners.begins(self.table, self.seed, self.id, self.names)
        for seat, other in self.others.items():
            self._tell(seat, functools.partial(other.begin, self.game.spec, seat))
        try:
            if not self._played():
                return False
            listeners.ends(self.table, self.id, self.names)
        finally:
            for seat, other in self.others.items():
                self._tell(seat, functools.partial(other.end, functools.partial(result_of, self.table, seat)))
                other.close()
            self.hint.close()
        self._news(self.table.view(min(self.people)))
        for line in result_text(self.table, self.people, self.names, self.order):
            self.say(line)
        return True

    def _played(self) -> bool:
        while (actor := self.table.actor) is not None:
            if actor in self.people:
                view = self.table.view(actor)
                self._news(view)
                if not self._decide(view):
                    return False
            else:
                self._answer(actor)
        return True

    def _tell(self, seat: int, note: Callable[[], None]) -> None:
        try:
            note()
        except Fault as fault:
            self.say(f"seat {seat} failed ({fault.reason})")

    def record(self) -> GameRecord:
        return record_of(self.table, self.id, tuple(self.names))

    # -- the others -----------------------------------------------------------------------------------------------

    def _answer(self, actor: int) -> None:
        """Let a strategy act; if it fails a random legal action is taken."""
        start = self._seed(actor)
        try:
            view = self.table.view(actor)
            answer = self.others[actor].ask(view, start)
            self.table.apply(answer.action, None if answer.action in view.legal else actor)
            if self.reasons and answer.reason:
                self.say(f"seat {actor} thinks: {answer.reason}")
        except (Fault, IllegalAction) as error:
            reason = error.reason if isinstance(error, Fault) else str(error)
            self.say(f"seat {actor} failed ({reason}); it acts at random")
            self.table.apply(fallback(self.table, start))

    def _seed(self, actor: int) -> int:
        return decision_seed(self.seed, self.id, actor, len(self.table.events))

    # -- the person -----------------------------------------------------------------------------------------------

    def _decide(self, view: View) -> bool:
        """One decision of a person; False to stop."""
        self._show(view_text(view, self.order))
        while True:
            line = self.ask(f"seat {view.seat}> ")
            if line is None:
                return False
            match line.strip().lower():
                case "":
                    continue
                case "quit" | "exit" | "q":
                    return False
                case "help" | "?":
                    self.say(HELP)
                case "show":
                    self._show(view_text(view, self.order))
                case "history":
                    self._show(history_text(view))
                case "hint":
                    self._hint(view)
                case "undo":
                    if self._undo():
                        return True
                case text:
                    if self._act(view, text):
                        return True

    def _act(self, view: View, text: str) -> bool:
        before = len(self.table.events)
        try:
            action = self._read(view, text)
            self.table.apply(action, None if action in view.legal else view.seat)
        except TricktakeError as error:
            self.say(f"? {error}")
            return False
        self._decided.append(before)
        for event in self.table.events[before:]:  # as it was read, which may be more than was typed
            self.say(self._own_text(event))
        return True

    def _read(self, view: View, text: str) -> Action:
        """The action of a text; the verb may be left out where only one is possible."""
        choices = (*view.legal, *view.interruptions)
        verbs = {action.verb for action in view.legal}
        attempts = [text, *(f"{verb}{gap}{text}" for verb in verbs for gap in ": " if len(verbs) == 1)]
        for attempt in attempts:
            try:
                action = self.game.parse(attempt, self.table)
            except TricktakeError:
                continue
            if action in choices:
                return action
        return self.game.parse(text, self.table)

    def _hint(self, view: View) -> None:
        try:
            answer = self.hint.ask(view, self._seed(view.seat))
        except Fault as fault:
            self.say(f"? no hint here: {fault.reason}")
            return
        text = answer.action.to_text(view.layout.deck)
        self.say(f"hint: {text}" + (f"  ({answer.reason})" if answer.reason else ""))

    def _undo(self) -> bool:
        if not self._decided:
            self.say("? there is nothing to take back")
            return False
        kept = self._decided.pop()
        events, taken_back = self.table.events[:kept], self.table.events[kept]
        self.table = Table.replay(self.game, self.deal, events, self.board)
        self._told = len(events)
        self.say(f"taken back: {self._own_text(taken_back)}")
        return True

    def _own_text(self, event: Event) -> str:
        """What a person did; by seat if there are several of them."""
        return event_text(event, self.game.layout.deck, self.people if len(self.people) == 1 else ())

    # -- what is shown --------------------------------------------------------------------------------------------

    def _news(self, view: View) -> None:
        """The events since the last time in this view: others' actions, finished tricks."""
        deck, seats = view.layout.deck, view.layout.seats
        played = sum(event.action.verb == "play" for event in view.events[: self._told])
        for event in view.events[self._told :]:
            if event.seat not in self.people:
                self.say(event_text(event, deck))
            if event.action.verb == "play":
                played += 1
                if played % seats == 0:
                    self.say(f"trick: {trick_text(view.tricks[played // seats - 1], deck, seats)}")
        self._told = len(view.events)

    def _show(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.say(line)
