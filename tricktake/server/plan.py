"""What is agreed on at a table before it begins, and who sits where in each of its games."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from attrs import define, frozen

from tricktake.errors import TricktakeError
from tricktake.game import Game, find_game
from tricktake.messages import Node
from tricktake.plugins import manager
from tricktake.server.limits import Limits
from tricktake.spec import Spec, split
from tricktake.strategies.player import StrategySpec, default_spec, game_roles, plays

OPEN, PERSON, BOT = "open", "person", "bot"
BOT_SECONDS = 5.0
MOST_SECONDS = 86400.0
MOST_PLAYERS = 8
LABEL = 40  # characters of the name of a set of deals


@frozen
class Plan:
    """A table: its game (spec), how many games, seconds a decision for people (None: as long as they like) and for
    bots, the name of its deals (tables of the same name play the same deals), and the account that set it up.
    """

    game: str
    games: int
    person_seconds: float | None
    bot_seconds: float
    deals: str
    by: int

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "games": self.games,
            "person_seconds": self.person_seconds,
            "bot_seconds": self.bot_seconds,
            "deals": self.deals,
            "by": self.by,
        }

    @classmethod
    def from_json(cls, node: Node, limits: Limits, by: int) -> Plan:
        """What a client asks for; what it leaves out is usual. Raises InputError naming the field."""
        game = _game(node["game"])
        games, person, bot, deals = (node.get(key) for key in ("games", "person_seconds", "bot_seconds", "deals"))
        return cls(
            game.spec,
            game.series if games.null else games.number(1, limits.games),
            None if person.null else person.real(0.05, MOST_SECONDS),
            BOT_SECONDS if bot.null else bot.real(0.05, MOST_SECONDS),
            "" if deals.null else deals.text(LABEL).strip(),
            by,
        )


@define
class Chair:
    """A place at a table. kind: open, person (or a program with an account), or a bot of the server.

    account: its number, 0 for others. spec: of the bot. away: a bot decides for who left or was too slow.
    helped: in this game a hint was asked for, or a bot stood in.
    """

    kind: str = OPEN
    account: int = 0
    spec: str = ""
    away: bool = False
    helped: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "account": self.account, "spec": self.spec, "away": self.away, "helped": self.helped}

    @classmethod
    def asked(cls, node: Node, offered: Mapping[str, str]) -> Chair:
        """A chair as a client wants it: ``"open"`` or the name of a bot that is offered. Raises InputError.

        A client never names a strategy itself: its options may name files and commands.
        """
        name = node.text(LABEL)
        if name == OPEN:
            return cls()
        if name not in offered:
            raise node.wrong(f"there is no bot {name!r}; there are: {', '.join(offered)}")
        return cls(BOT, spec=offered[name])


def offered_bots(game: Game) -> dict[str, str]:
    """The bots of a game by name: its own player, the rule players of its plugin that decide everything, random."""
    registries, roles = manager(), game_roles(game)
    found = {"strong": default_spec(game)}
    owner = registries.games.owner(Spec.from_text(game.spec, "game").name)
    for name in registries.strategies.owned_by(owner):
        short = name.partition(":")[2]
        if short in ("rule", game.name, f"{game.name}-rule") and name != found["strong"]:
            strategy = StrategySpec.from_text(name).make()
            if all(plays(strategy, role) for role in roles):
                found.setdefault("quick", name)
    return {**found, "random": "core:random"}


def parts(spec: str) -> list[dict[str, Any]]:
    """What a bot is made of: each strategy with its roles (none: all it can) and what it says of itself."""
    by_strategy: dict[str, list[str]] = {}
    for word in split(spec, "player"):
        role, _, strategy = word.partition("=") if "=" in word.partition("(")[0] else ("", "", word)
        by_strategy.setdefault(strategy.strip(), []).extend([role.strip()] if role else [])
    return [
        {"strategy": text, "roles": roles, "summary": manager().strategies.summary(StrategySpec.from_text(text).name)}
        for text, roles in by_strategy.items()
    ]


@lru_cache
def sizes(name: str) -> tuple[Game, ...]:
    """A game for every number of players at its table: those its option ``players`` allows, if it has one."""
    game = find_game(name)
    found = {game.chairs: game}
    for players in range(2, MOST_PLAYERS + 1):
        with contextlib.suppress(TricktakeError):
            other = find_game(name, players=players)
            found.setdefault(other.chairs, other)
    return tuple(game for _, game in sorted(found.items()))


def seating(game: Game, number: int) -> tuple[int, ...]:
    """The chair of each seat in game ``number`` of a series, from 0.

    Where boards say who deals, seats stay; else the deal passes round: the last seat (or who sits out) is the dealer.
    """
    if game.boards > 1:
        return tuple(range(game.seats))
    dealer = number % game.chairs
    return tuple((dealer + 1 + seat) % game.chairs for seat in range(game.seats))


def by_chair(game: Game, number: int, points: tuple[float, ...]) -> tuple[float, ...]:
    """Points of each chair, from those of the seats and of whoever sits out (``Game.table_points``)."""
    seats = seating(game, number)
    out = [0.0] * game.chairs
    for chair, value in zip([*seats, *(c for c in range(game.chairs) if c not in seats)], points, strict=True):
        out[chair] = value
    return tuple(out)


def _game(node: Node) -> Game:
    try:
        return find_game(node.text(200))
    except TricktakeError as error:
        raise node.wrong(str(error)) from None
