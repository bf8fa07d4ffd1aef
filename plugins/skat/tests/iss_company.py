"""A Skat server and its guests without a network, and what tests ask of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from attrs import define, field
from tricktake_skat.deck import SKAT
from tricktake_skat.iss.client import ANY, Client, Plan
from tricktake_skat.iss.hall import Hall

from tricktake.records.record import GameRecord
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View

NAMES = ("ada", "bob", "cyd")


@define(eq=False)
class Wire:
    """Keeps what is sent."""

    lines: list[str] = field(factory=list)
    log: list[str] = field(factory=list)
    open: bool = True

    def send(self, line: str) -> None:
        self.lines.append(line)
        self.log.append(f"< {line}")

    def close(self) -> None:
        self.open = False


@define
class Clock:
    """Time that passes when it is told to."""

    time: float = 0.0
    calls: list[tuple[float, Callable[[], None]]] = field(factory=list)

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        entry = (self.time + seconds, call)
        self.calls.append(entry)
        return lambda: entry in self.calls and self.calls.remove(entry)  # type: ignore[func-returns-value]

    def wait(self, seconds: float) -> None:
        self.time += seconds
        for entry in [entry for entry in self.calls if entry[0] <= self.time]:
            self.calls.remove(entry)
            entry[1]()


@define
class Company:
    """A hall and players in it, joined without a network; the first of them invites the others. lookers look on."""

    decide: Any
    games: int
    seed: int = 5
    names: tuple[str, ...] = NAMES
    lookers: tuple[str, ...] = ()
    guest: type[Client] = Client  # of those who are invited
    clock: Clock = field(factory=Clock)
    kept: list[GameRecord] = field(factory=list)
    wires: dict[str, Wire] = field(factory=dict)
    players: dict[str, Client] = field(factory=dict)
    hall: Hall = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.hall = Hall(self.seed, self.clock.later, self.kept.append, now=lambda: self.clock.time)
        for name in (*self.lookers, *self.names[::-1]):
            watch = ANY if name in self.lookers else ""
            plan = Plan(name, "secret", self.games, self.names[1:] if name == self.names[0] else (), watch)
            kind = self.guest if name in self.names[1:] else Client
            self.players[name] = kind(plan, self.decide, seed=self.seed)
            self.wires[name] = Wire()
            self.hall.login(name, "secret", self.wires[name])

    def steps(self) -> Iterator[tuple[str, Client]]:
        """Hand over what is said until nobody says anything any more; gives who is about to decide."""
        read = dict.fromkeys(self.players, 0)
        busy = True
        while busy:
            busy = False
            for name, player in self.players.items():
                wire = self.wires[name]
                while read[name] < len(wire.lines):
                    line = wire.lines[read[name]]
                    read[name] += 1
                    busy = True
                    player.line(line)
                    if " play " in line:
                        yield name, player
                        if (word := player.own_move()) is not None:
                            player.say_move(word)
                    while player.to_send:
                        self.hall.line(self.hall.guests[name], player.to_send.pop(0))

    def run(self) -> None:
        for _ in self.steps():
            pass

    def board(self) -> Any:
        return next((table.round for table in self.hall.tables.values()), None)


def by_lot(view: View, limit: Limit, rng: np.random.Generator) -> Decision:
    """At random, but bids are low, so that games differ."""
    legal = view.legal[:2] if view.phase == "auction" and rng.random() < 0.7 else view.legal
    return Decision(legal[int(rng.integers(len(legal)))])


def named(words: Iterable[str]) -> int:
    """The cards whose names are in these words."""
    found = {card for word in words for card in re.findall(r"\b[CSHD][789QKTAJ]\b", word)}
    return SKAT.parse_mask(" ".join(found))
