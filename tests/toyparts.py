"""A plugin of strategies for the toy game: one that plays well enough, and some that misbehave in their own way."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import time
from typing import Any

import numpy as np

from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.hookspecs import Register, hookimpl
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.trick import TrickState
from tricktake.view import View


class High:
    """Names trumps with three of a suit, plays the highest legal card."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play":
            return Decision(max(view.legal, key=lambda action: action.cards[0] % 5), "the highest")
        hand = view.hand()
        for action in view.legal[1:]:
            if sum(card.suit == action.value for card in hand) >= 3:
                return Decision(action, "three of a suit")
        return Decision(view.legal[0], "no suit")


class Dice(High):
    """Anything legal, by the numbers it is given."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        return Decision(view.legal[int(rng.integers(len(view.legal)))], "dice")


class Raises(High):
    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play":
            raise RuntimeError("no idea\nin two lines")
        return super().decide(view, limit, rng)


class Hangs(High):
    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        while view.role == "play" and len(view.tricks) == 2:
            time.sleep(0.01)
        return super().decide(view, limit, rng)


class WrongCard(High):
    """Plays a card that somebody else holds, or that is not of the deck."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role != "play":
            return super().decide(view, limit, rng)
        unseen = view.unseen_mask
        card = unseen.bit_length() - 1 if len(view.tricks) % 2 else 999
        return Decision(Action("play", cards=(card,)), "why not")


class WrongPhase(High):
    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        verb = "name" if view.role == "play" else "play"
        return Decision(Action(verb, value="R", cards=(0,)), "another time")


class Mutates(High):
    """Gives itself all cards and everything to be legal."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        decision = super().decide(view, limit, rng)
        every = view.layout.deck.full_mask
        object.__setattr__(view, "known", (every,) * 3)
        object.__setattr__(view, "legal", ())
        object.__setattr__(view.layout, "hand_sizes", (15, 0, 0))
        if view.rules is not None:
            object.__setattr__(view.rules, "power", (9,) * 15)
        return decision


class Spies(High):
    """Looks for the cards of the others in its own process; raises if it finds any."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        found = [type(o).__name__ for o in gc.get_objects() if isinstance(o, (Deal, Table, TrickState))]
        if found:
            raise RuntimeError(f"found {sorted(set(found))}")
        others = [o for o in gc.get_objects() if isinstance(o, View) and o.seat != view.seat]
        if others:
            raise RuntimeError("found a view of another seat")
        return super().decide(view, limit, rng)


class Prints(High):
    """Prints garbage everywhere, also where the answers go, and reads standard input."""

    where: tuple[int, ...] = (1, 2)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        print("{}", "x" * 300_000)
        print('{"n": 1}', file=sys.stderr)
        sys.stdout.flush()
        if sys.stdin.read() != "":
            raise RuntimeError("there was something to read")
        return super().decide(view, limit, rng)


class Forges(High):
    """Writes lines of its own to every channel that is open."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play" and len(view.tricks) == 1:
            for stream in range(3, 1 << 12):  # the parent may have had many open
                with contextlib.suppress(OSError):
                    os.write(stream, b'{"n": 1, "verb": "play", "value": "", "cards": [0]}\n\x80\xff[[[\n')
        return super().decide(view, limit, rng)


class Exits(High):
    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play" and len(view.tricks) == 1:
            print("last words", flush=True)
            os._exit(7)
        return super().decide(view, limit, rng)


class KillsParent(High):
    """Kills the process that started it."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play" and len(view.tricks) == 1:
            os.kill(os.getppid(), signal.SIGKILL)
            signal.pause()
        return super().decide(view, limit, rng)


class Talks(High):
    """An answer as long as a book."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play" and len(view.tricks) == 1:
            return Decision(view.legal[0], "blah " * 1_000_000)
        return super().decide(view, limit, rng)


class Eats(High):
    """Asks for 64 GB."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        if view.role == "play" and len(view.tricks) == 1:
            self.food = bytearray(64 << 30)
        return super().decide(view, limit, rng)


class Nothing(High):
    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Any:
        return None if view.role == "play" else super().decide(view, limit, rng)


class NoStart:
    def __init__(self) -> None:
        if os.environ.get("TOYPARTS_NO_START"):
            raise RuntimeError("not today")

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        return High().decide(view, limit, rng)


class Slow(High):
    """Twenty milliseconds a decision, so that a test can interrupt a tournament."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        time.sleep(0.02)
        return super().decide(view, limit, rng)


PARTS = {
    "high": High,
    "high2": High,
    "dice": Dice,
    "raises": Raises,
    "hangs": Hangs,
    "wrong-card": WrongCard,
    "wrong-phase": WrongPhase,
    "mutates": Mutates,
    "spies": Spies,
    "prints": Prints,
    "forges": Forges,
    "exits": Exits,
    "kills-parent": KillsParent,
    "talks": Talks,
    "eats": Eats,
    "nothing": Nothing,
    "no-start": NoStart,
    "slow": Slow,
}


@hookimpl
def register_strategies(register: Register) -> None:
    for name, part in PARTS.items():
        register(name, part)
