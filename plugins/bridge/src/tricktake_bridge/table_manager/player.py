"""A player of ours at somebody's table."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
from attrs import define, field

from tricktake.errors import InputError
from tricktake.records.reading import wrong
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.tournament.referee import decision_seed
from tricktake.view import View
from tricktake_bridge.table_manager.words import (
    DUMMY,
    END,
    NAMES,
    START,
    VERSION,
    Seen,
    call_text,
    plain,
    play_text,
    read_board,
    read_call,
    read_cards,
    read_play,
)

ENDED = "ns:"  # as Bridge Moniteur ends a session
TIMES = "timing"
NEWS = (TIMES, "teams")  # Bridge Moniteur may name the teams again between boards
REFUSALS = ("error", "unexpected", "expected")

Decide = Callable[[View, Limit, np.random.Generator], Decision]


@define
class Player:
    """One seat of a team. line: what the manager says; ``to_send`` are the answers. boards: played to their end.

    seed, game: random numbers are those of a tournament with this seed in the game that ``game`` names for a board.
    """

    seat: int
    team: str
    decide: Decide
    limit: Limit = field(factory=Limit)
    seed: int = 0
    to_send: list[str] = field(factory=list)
    boards: int = 0
    over: bool = False
    game: Callable[[int], str] = str
    asked: Callable[[View], None] = lambda view: None
    _decisions: int = 0
    _script: Generator[None, str, None] | None = None

    def begin(self) -> None:
        """Say the first sentence."""
        self._script = self._session()
        next(self._script)

    def line(self, line: str) -> None:
        """Raises InputError for what no manager says here."""
        assert self._script is not None
        said = plain(line).lower()
        if said == END.lower() or said.startswith(ENDED):
            self.over = True
        elif said.startswith(REFUSALS):
            raise wrong("manager", plain(line)[:200])
        elif not self.over and not said.startswith(NEWS if self.boards else TIMES):
            self._script.send(line)

    @property
    def name(self) -> str:
        return NAMES[self.seat]

    def _ready(self, thing: str) -> None:
        self.to_send.append(f"{self.name} ready {thing}")

    def _session(self) -> Generator[None, str, None]:
        self.to_send.append(f'Connecting "{self.team}" as {self.name} using protocol version {VERSION}')
        seated = yield
        if "seated" not in seated.lower():
            raise wrong("manager", f"says {seated[:60]!r}, not that {self.name} is seated")
        self._ready("for teams")
        yield
        self._ready("to start")
        while True:
            start = yield
            if plain(start).lower() != START.lower():
                raise wrong("manager", f"says {start[:60]!r}, not {START!r}")
            self._ready("for deal")
            board = read_board((yield))
            self._ready("for cards")
            hand = read_cards((yield), self.name)
            yield from self._board(Seen(self.seat, board, hand))
            self.boards += 1

    def _board(self, seen: Seen) -> Generator[None, str, None]:
        self._decisions = 0
        while not seen.over:
            yield from self._call(seen) if seen.contract is None else self._card(seen, seen.contract.dummy)

    def _call(self, seen: Seen) -> Generator[None, str, None]:
        turn = seen.turn
        if turn == self.seat:
            call = self._decided(seen).action
            self.to_send.append(call_text(turn, call))
        else:
            self._ready(f"for {NAMES[turn]}'s bid")
            name, call, _ = read_call((yield))
            if name != NAMES[turn]:
                raise wrong("manager", f"says that {name} calls, but it is {NAMES[turn]}'s turn")
        seen.called(call)

    def _card(self, seen: Seen, dummy: int) -> Generator[None, str, None]:
        turn, first = seen.turn, seen.tricks == 0 and not seen.trick
        if seen.actor == self.seat:
            if not seen.trick:
                lead = yield
                if "to lead" not in lead.lower():
                    raise wrong("manager", f"says {lead[:60]!r}, not who is to lead")
            (card,) = self._decided(seen).action.cards
            self.to_send.append(play_text(turn, card))
        else:
            name = DUMMY if turn == dummy == self.seat else NAMES[turn]
            self._ready(f"for {name}'s card to trick {seen.tricks + 1}")
            name, card = read_play((yield))
            if name not in (NAMES[turn], DUMMY):
                raise wrong("manager", f"says that {name} plays, but it is {NAMES[turn]}'s turn")
        seen.played(card)
        if first and self.seat != dummy:
            self._ready("for dummy")
            seen.dummy = read_cards((yield), DUMMY)

    def _decided(self, seen: Seen) -> Decision:
        view = seen.table().view(self.seat)
        self.asked(view)
        start = decision_seed(self.seed, self.game(seen.board), self.seat, self._decisions)
        self._decisions += 1
        decision = self.decide(view, self.limit, np.random.default_rng(start))
        if decision.action not in view.legal:
            raise InputError(None, None, self.name, f"wants {decision.action}, which is not legal")
        return decision
