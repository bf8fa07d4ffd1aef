"""All tables of a server, and what they need: the store, the clock, worker processes, and who looks at them."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from tricktake.errors import InputError, TricktakeError
from tricktake.game import find_game
from tricktake.messages import Node
from tricktake.pool import WorkerDied
from tricktake.search.limit import Limit
from tricktake.server import store as stored
from tricktake.server.accounts import Accounts
from tricktake.server.limits import Limits
from tricktake.server.memory import Closed, Ended, Remembers
from tricktake.server.plan import PERSON, Chair, Plan, offered_bots
from tricktake.server.rating import RatingLists
from tricktake.server.room import OVER, WAITING, Room
from tricktake.server.thinking import SHARE, URGENT, Decide, Thinking
from tricktake.strategies.player import default_spec
from tricktake.tournament.referee import result_of
from tricktake.view import View

log = logging.getLogger("tricktake.server")


class Watcher(Protocol):
    """Who looks at tables: a connection."""

    def changed(self, room: Room) -> None: ...

    def listed(self) -> None:
        """The list of tables is another."""


class Server:
    """The tables of a store. Made and used in one event loop."""

    def __init__(self, store: stored.Store, limits: Limits, thinking: Thinking) -> None:
        self.store, self.limits, self.thinking = store, limits, thinking
        self.accounts = Accounts(store, limits)
        self.ratings = RatingLists(store)
        self.rooms: dict[int, Room] = {}
        self.watchers: dict[int, set[Watcher]] = {}
        self.lookers: set[Watcher] = set()  # at the list of tables
        self.connections: dict[int, int] = {}  # of each account
        self._shown: dict[int, Any] = {}
        self._remembering: set[str] = set()  # specs of bots that keep a memory, as far as it is known
        self._memories: dict[int, set[int]] = {}  # tables and their chairs for which one is kept
        self._tasks: set[asyncio.Future[Any]] = set()

    def start(self) -> None:
        """Go on with the tables that were running when the server stopped. Tables that cannot are left as they are."""
        for number, plan, chairs, state in list(self.store.tables(OVER)):
            try:
                room = Room(self, number, Plan(**plan), [Chair(**chair) for chair in chairs], state)
                self.rooms[number] = room
                room.resume()
            except TricktakeError as error:  # a plugin is missing, or its rules are others now
                self.rooms.pop(number, None)
                log.warning("table %d cannot go on: %s", number, error)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.thinking.close()
        self.store.close()

    # -- tables ---------------------------------------------------------------------------------------------------

    def create(self, account: stored.Account, node: Node) -> Room:
        """A new table as a message asks for it; the account sits down in the chair that is ``"me"``.

        Raises InputError naming what is wrong.
        """
        if len(self.rooms) >= self.limits.tables:
            raise InputError(None, None, "table", f"there are {self.limits.tables} tables, which is all there may be")
        mine = sum(room.plan.by == account.id for room in self.rooms.values())
        if mine >= self.limits.own:
            raise InputError(None, None, "table", f"you have {mine} tables; close one first")
        plan = Plan.from_json(node, self.limits, account.id)
        game = find_game(plan.game)
        offered = offered_bots(game)
        asked = node.get("chairs")
        wanted = list(asked) if not asked.null else [Node("me"), *[Node("strong")] * (game.chairs - 1)]
        if len(wanted) != game.chairs:
            raise InputError(None, None, "chairs", f"{game.spec} has {game.chairs}, not {len(wanted)}")
        if sum(one.value == "me" for one in wanted) > 1:
            raise InputError(None, None, "chairs", "you can sit on one of them")
        chairs = [Chair(PERSON, account.id) if one.value == "me" else Chair.asked(one, offered) for one in wanted]
        if any(chair.kind == PERSON for chair in chairs):
            self.check_deals(account, f"{plan.game} {plan.deals}" if plan.deals else "")
        number = self.store.add_table(plan.to_json(), [chair.to_json() for chair in chairs], WAITING)
        room = self.rooms[number] = Room(self, number, plan, chairs)
        room.begin()
        self.changed(room)
        return room

    def check_deals(self, account: stored.Account, label: str, besides: int = 0) -> None:
        """Raises InputError if an account sits, or has played, at another table with the same deals."""
        if not label:
            return
        running = any(
            room.label == label and room.chair_of(account.id) is not None
            for room in self.rooms.values()
            if room.id != besides
        )
        if running or self.store.played(account.id, label, besides):
            raise InputError(None, None, "deals", "you know these deals from another table")

    def sit(self, account: stored.Account, room: Room, chair: int | None) -> int:
        """An account sits down; the chair it has, or had. Raises InputError."""
        if room.plan.deals:
            self.check_deals(account, room.label, room.id)
        return room.sit(account.id, chair)

    def room(self, node: Node) -> Room:
        """The table of a number. Raises InputError."""
        room = self.rooms.get(node.number(0))
        if room is None:
            raise node.wrong("there is no such table")
        return room

    def may_see(self, account: stored.Account, game: stored.Game) -> bool:
        """Whether all cards of a finished game may be shown to an account: not while others have them to play."""
        if account.id in game.accounts:
            return True
        return not any(
            room.label == game.label and len(room.points) <= game.number
            for room in self.rooms.values()
            if room.id != game.at
        )

    # -- what rooms ask for (``room.Host``) -----------------------------------------------------------------------

    def name_of(self, account: int) -> str:
        found = self.accounts.by_id.get(account)
        return found.name if found is not None else "?"

    def is_program(self, account: int) -> bool:
        found = self.accounts.by_id.get(account)
        return found is not None and found.bot

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._safely, call)

    def think(self, room: Room, chair: int, spec: str, view: View, seed: int) -> None:
        self._think(room, chair, spec, view, seed, tries=2)

    def _think(self, room: Room, chair: int, spec: str, view: View, seed: int, tries: int) -> None:
        """tries: how often the decision may be asked for if a worker dies, which may be no fault of the bot."""
        asked = (room.number, len(view.events))
        seconds = room.plan.bot_seconds
        past = home = None
        if spec in self._remembering:
            self._memories.setdefault(room.id, set()).add(chair)
            past, home = room.past(chair), _home(room, chair)
        task = Decide(spec, view, Limit(seconds=SHARE * seconds), seed, past)
        future = asyncio.wrap_future(self.thinking.submit(task, seconds, URGENT, home))
        self._tasks.add(future)

        def thought(future: asyncio.Future[Any]) -> None:
            self._tasks.discard(future)
            if future.cancelled():
                return
            error = future.exception()
            if isinstance(error, Remembers):
                self._remembering.add(spec)
            if isinstance(error, (Remembers, WorkerDied)) and tries > 0 and room.waits_for(*asked):
                self._safely(lambda: self._think(room, chair, spec, view, seed, tries - isinstance(error, WorkerDied)))
                return
            if error is not None:
                log.warning("table %d: a bot failed: %s", room.id, error)
            self._safely(functools.partial(room.bot_acts, *asked, None if error is not None else future.result()))

        future.add_done_callback(thought)

    def ended(self, room: Room) -> None:
        table = room.table
        assert table is not None
        for seat, chair in enumerate(room.seats):
            if chair in self._memories.get(room.id, ()):
                self._tell(room, chair, Ended(room.id, chair, result_of(table, seat)))

    def _tell(self, room: Room, chair: int, task: Ended | Closed) -> None:
        """Something to the memory of a chair, which answers nothing."""
        self.thinking.submit(task, room.plan.bot_seconds, URGENT, _home(room, chair)).add_done_callback(_noted)

    def unwatch(self, table: int, watcher: Watcher) -> None:
        """Somebody looks at a table no more."""
        if (others := self.watchers.get(table)) is not None:
            others.discard(watcher)
            if not others:
                del self.watchers[table]

    def changed(self, room: Room) -> None:
        for watcher in list(self.watchers.get(room.id, ())):
            watcher.changed(room)
        if room.state == OVER:
            self.rooms.pop(room.id, None)
            for chair in self._memories.pop(room.id, ()):
                self._tell(room, chair, Closed(room.id, chair))
        shown = (room.state, room.number, room.names())
        if self._shown.get(room.id) != shown:
            self._shown[room.id] = shown
            if room.state == OVER:
                del self._shown[room.id]
            for looker in self.lookers:
                looker.listed()

    def _safely(self, call: Callable[[], None]) -> None:
        """A fault at one table is written down and stops that table only."""
        try:
            call()
        except Exception:
            log.exception("a fault at a table")

    # -- lists ----------------------------------------------------------------------------------------------------

    def tables(self) -> list[dict[str, Any]]:
        """The tables that are not over."""
        out = []
        for room in self.rooms.values():
            names = room.names()
            chairs = [{"name": names[n], "kind": c.kind} for n, c in enumerate(room.chairs)]
            facts = {"table": room.id, "game": room.game.spec, "state": room.state, "deals": room.plan.deals}
            out.append({**facts, "number": room.number, "games": room.plan.games, "chairs": chairs})
        return out

    def warm(self, *games: str) -> None:
        """Load what the usual bots of these games need, in the background."""
        for name in games:
            self.thinking.warm(name, default_spec(find_game(name)))


def _home(room: Room, chair: int) -> int:
    """Which worker keeps the memory of a chair."""
    return room.id + chair


def _noted(future: Future[Any]) -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        log.warning("a bot failed at the end of its game: %s", error)
