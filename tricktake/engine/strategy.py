"""A program of somebody else as a strategy: ``core:engine(command="./my_engine")``."""

from __future__ import annotations

import weakref

import numpy as np
from attrs import Attribute, define, field

from tricktake.child import Fault
from tricktake.engine.protocol import MAX_SEED
from tricktake.engine.session import Session, words
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision, Result
from tricktake.view import View

SECONDS = 30.0  # for a decision
START_SECONDS = 30.0
EPSILON = 1e-3


def _check_seconds(instance: object, attribute: Attribute[float], value: float) -> None:
    """A number of seconds above 0, and at most a day; or None where that is the default."""
    if value is attribute.default is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not EPSILON <= value <= 86_400:
        raise InputError(None, None, attribute.name, f"must be seconds above 0, not {value!r}")


def _command(value: object) -> str:
    if not isinstance(value, str):
        raise InputError(None, None, "command", f"must be a command line, not {value!r}")
    words(value)
    return value


@define(eq=False)
class Engine:
    """A program that speaks the engine protocol (docs/engine-protocol.md), one process for each seat it plays.

    command: its command line, as a shell would split it; no shell is asked. seconds: for a decision, after which it is
    killed and charged. start_seconds: until it has said hello. game_seconds: for all its decisions of a game at one
    seat. A program that was killed is started again when it is next asked; one that could not be started is not.

    Raises Fault where it fails (time, crash, garbled, start, error), InputError for options that do not fit.
    """

    command: str = field(converter=_command)
    seconds: float = field(default=SECONDS, validator=_check_seconds)
    start_seconds: float = field(default=START_SECONDS, validator=_check_seconds)
    game_seconds: float | None = field(default=None, validator=_check_seconds)
    _sessions: dict[int, Session] = field(init=False, factory=dict)
    _games: dict[int, str] = field(init=False, factory=dict)
    _broken: Fault | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        weakref.finalize(self, _kill_all, self._sessions)

    def begin(self, game: str, seat: int) -> None:
        """A game begins; the program is told with the first question."""
        self._games[seat] = game
        self._session(seat).new(find_game(game), seat)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """What the program answers; whether it is legal is for the referee to see."""
        if self._broken is not None:  # starting it again would fail, too
            raise Fault(self._broken.kind, self._broken.reason, self._broken.trace)
        if view.seat not in self._games:  # nobody said that a game begins
            self.begin(view.game, view.seat)
        session = self._session(view.seat)
        try:
            answer = session.decide(view, limit, int(rng.integers(MAX_SEED)))
        except Fault as fault:
            if fault.kind == "start":
                self._broken = fault
            raise
        return Decision(answer.action, answer.reason)

    def end(self, result: Result) -> None:
        """A game is over."""
        seat = result.view.seat
        if self._games.pop(seat, None) is not None:
            self._session(seat).end(result.view, result.score)

    def close(self) -> None:
        """Let all processes quit."""
        for session in self._sessions.values():
            session.close()

    def _session(self, seat: int) -> Session:
        if seat not in self._sessions:
            self._sessions[seat] = Session(words(self.command), self.seconds, self.start_seconds, self.game_seconds)
        return self._sessions[seat]


def _kill_all(sessions: dict[int, Session]) -> None:
    for session in sessions.values():
        session.kill()
