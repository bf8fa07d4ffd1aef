"""The dialogue between a host, which referees the game, and an engine, which decides: its messages, version 1.

docs/engine-protocol.md describes them; ``tricktake.messages`` makes the values in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from tricktake import __version__
from tricktake.action import Action
from tricktake.game import Game, Score
from tricktake.messages import Naming, Node, game_to_json, limit_to_json, score_to_json, view_to_json
from tricktake.search.limit import Limit
from tricktake.view import View

PROTOCOL = 1
ANY = "*"  # every game, or every role
MAX_NAME = 100
MAX_REASON = 1000
MAX_LIST = 100  # names of games, or of roles
MAX_SEED = 1 << 53


@frozen
class Hello:
    """How an engine introduces itself. games: names; roles: what it decides; ``*`` for all."""

    name: str
    version: str = ""
    games: tuple[str, ...] = (ANY,)
    roles: tuple[str, ...] = (ANY,)

    def to_json(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "name": self.name,
            "version": self.version,
            "games": list(self.games),
            "roles": list(self.roles),
        }

    @classmethod
    def from_json(cls, node: Node) -> Hello:
        """Raises InputError, also for another version of the protocol."""
        node["type"].word(("hello",))
        node["protocol"].number(PROTOCOL, PROTOCOL)
        version = node.get("version")
        return cls(
            node["name"].text(MAX_NAME),
            "" if version.null else version.text(MAX_NAME),
            *(_names(node.get(key)) for key in ("games", "roles")),
        )

    def plays(self, game: str, role: str = "") -> bool:
        """Whether it plays a game, and in it a role."""
        return _among(game, self.games) and (not role or _among(role, self.roles))


def _among(word: str, words: tuple[str, ...]) -> bool:
    return ANY in words or word in words


def _names(node: Node) -> tuple[str, ...]:
    return (ANY,) if node.null else node.several(lambda entry: entry.text(MAX_NAME))[:MAX_LIST]


@frozen
class Answer:
    """What an engine decided. probabilities: by the text of the action, as far as it tells them."""

    action: Action
    reason: str = ""
    probabilities: Mapping[str, float] = {}

    def to_json(self, number: int, naming: Naming) -> dict[str, Any]:
        out = {"type": "action", "n": number, "action": naming.action(self.action)["text"], "reason": self.reason}
        return out | ({"probabilities": dict(self.probabilities)} if self.probabilities else {})

    @classmethod
    def from_json(cls, node: Node, naming: Naming) -> Answer:
        """Raises InputError."""
        reason, probabilities = node.get("reason"), node.get("probabilities")
        said = {} if probabilities.null else probabilities.members()
        return cls(
            naming.read_action(node["action"]),
            "" if reason.null else " ".join(reason.text(MAX_REASON).split()),
            {key: value.real(0, 1) for key, value in said.items()},
        )


# -- what a host says ---------------------------------------------------------------------------------------------


def hello() -> dict[str, Any]:
    return {"type": "hello", "protocol": PROTOCOL, "name": "tricktake", "version": __version__}


def new(game: Game, seat: int) -> dict[str, Any]:
    """A game begins for a seat."""
    return {"type": "new", "seat": seat, "game": game_to_json(game)}


def decide(number: int, view: View, since: int, limit: Limit, clock: Mapping[str, float | None], seed: int) -> Any:
    """A decision is asked for. since: so many events of the view were in earlier messages already."""
    return {
        "type": "decide",
        "n": number,
        "since": since,
        "limit": limit_to_json(limit),
        "clock": dict(clock),
        "seed": seed,
        "view": view_to_json(view),
    }


def end(view: View, score: Score | None) -> dict[str, Any]:
    """A game is over for the seat of the view; without a score if it was not played to its end."""
    return {"type": "end", "score": None if score is None else score_to_json(score), "view": view_to_json(view)}


def error(message: str, number: int | None = None) -> dict[str, Any]:
    """Something is wrong: with decision ``number``, or with a message."""
    return {"type": "error", "n": number, "message": message}
