"""Our players for hosts of others: a player that reads messages and answers them, line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
from attrs import define, field

from tricktake import __version__
from tricktake.engine import protocol
from tricktake.engine.protocol import MAX_SEED, Answer, Hello
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game
from tricktake.messages import (
    MAX_LINE,
    Naming,
    Node,
    game_from_json,
    limit_from_json,
    line,
    parse,
    score_from_json,
    view_from_json,
)
from tricktake.strategies.player import Player
from tricktake.strategies.strategy import Result, tell


@define
class Service:
    """A player behind the protocol, for one connection: a message in, at most one message out.

    It works from the messages alone; the game of a seat is that of the last ``new`` for it.
    """

    player: Player
    name: str
    _games: dict[int, Game] = field(factory=dict)

    def answer(self, data: bytes | str) -> dict[str, Any] | None:
        """What to say to a line; None for nothing. Mistakes of the host are answered by an error."""
        number: int | None = None
        try:
            node = parse(data)
            kind = node["type"].text()
            n = node.get("n")
            number = None if n.null else n.number()
            handle: dict[str, Callable[[Node], dict[str, Any] | None]] = {
                "hello": self._hello,
                "new": self._new,
                "decide": self._decide,
                "end": self._end,
                "ping": lambda node: {"type": "pong", "n": node.get("n").value},
            }
            return handle[kind](node) if kind in handle else None
        except TricktakeError as error:
            return protocol.error(str(error), number)
        except Exception as error:  # of a strategy: the host may ask on
            return protocol.error(f"{type(error).__name__}: {error}", number)

    def _hello(self, node: Node) -> dict[str, Any]:
        node["protocol"].number(protocol.PROTOCOL, protocol.PROTOCOL)
        return Hello(self.name, __version__, roles=self.player.roles).to_json()

    def _new(self, node: Node) -> None:
        game = game_from_json(node["game"])
        seat = node["seat"].number(0, game.seats - 1)
        self._games[seat] = game
        tell(self.player, "begin", game.spec, seat)

    def _game(self, view: Node) -> Game:
        seat = view["seat"].number(0)
        if seat not in self._games:
            raise view["seat"].wrong(f"no game has begun for seat {seat}")
        return self._games[seat]

    def _decide(self, node: Node) -> dict[str, Any]:
        number = node["n"].number()
        game = self._game(node["view"])
        view = view_from_json(node["view"], game)
        if not view.legal:
            raise node["view"].get("legal").wrong("there is nothing to decide")
        limit, seed = node.get("limit"), node.get("seed")
        rng = np.random.default_rng(None if seed.null else seed.number(0, MAX_SEED))
        bound = limit_from_json(limit if not limit.null else Node({}, "limit"))
        decision = self.player.decide(view, bound, rng)
        return Answer(decision.action, decision.reason).to_json(number, Naming(game.layout))

    def _end(self, node: Node) -> None:
        view = view_from_json(node["view"], self._game(node["view"]))
        score = node.get("score")
        tell(self.player, "end", Result(view, None if score.null else score_from_json(score)))
        del self._games[view.seat]


def serve(player: Player, name: str, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line of ``requests`` until it ends, or says quit. Raises InputError if the host speaks otherwise."""
    service = Service(player, name)
    try:
        while data := requests.readline(MAX_LINE + 1):
            if len(data) > MAX_LINE:
                raise InputError(None, None, "message", f"a line of more than {MAX_LINE} bytes")
            if quits(data):
                return
            reply = service.answer(data)
            if reply is not None:
                answers.write(line(reply))
                answers.flush()
    finally:
        tell(player, "close")


def quits(data: bytes | str) -> bool:
    """Whether a message is the last one."""
    try:
        return parse(data).get("type").value == "quit"
    except InputError:
        return False
