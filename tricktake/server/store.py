"""What a server remembers, in SQLite: accounts, tables, every action as it is made, finished games.

Each change is committed before anybody is told of it, so that a process killed at any moment lost nothing it showed.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from tricktake.errors import InputError

VERSION = 1

SCHEMA = """
create table accounts (id integer primary key, name text not null unique collate nocase, bot integer not null,
  host integer not null, token text not null unique, made real not null);
create table invitations (code text primary key, bot integer not null, uses integer not null, made real not null);
create table tables (id integer primary key, plan text not null, chairs text not null, state text not null,
  made real not null);
create table deals (label text primary key, seed text not null);
create table actions (game text not null, number integer not null, action text not null, primary key (game, number))
  without rowid;
create table games (id text primary key, at integer not null, number integer not null, label text not null,
  game text not null, accounts text not null, players text not null, points text not null, rated integer not null,
  record text not null, ended real not null) without rowid;
create index games_by_table on games (at, number);
create index games_by_deal on games (label, number);
create index games_by_time on games (ended);
"""

GAME = "id, at, number, label, game, accounts, players, points, rated, record, ended"


@frozen
class Account:
    """Who may sit down. bot: a program; host: may invite others."""

    id: int
    name: str
    bot: bool = False
    host: bool = False


@frozen
class Game:
    """One finished game. at, number: its table, and which of its games. label: of its deals. game: spec.

    accounts, players, points: of each chair; account 0 is a bot of the server. rated: whether all decided themselves.
    """

    id: str
    at: int
    number: int
    label: str
    game: str
    accounts: tuple[int, ...]
    players: tuple[str, ...]
    points: tuple[float, ...]
    rated: bool
    record: str
    ended: float


class Store:
    """The file of a server; ``:memory:`` for none. Raises InputError if it is none or belongs to another version."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        if self.path != ":memory:":
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds the seeds of the deals
        try:
            self._db = sqlite3.connect(self.path, isolation_level=None)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")  # a killed process loses nothing, a power failure may
            (version,) = self._db.execute("pragma user_version").fetchone()
            if version == 0:
                self._db.executescript(f"begin; {SCHEMA} pragma user_version = {VERSION}; commit;")
            elif version != VERSION:
                raise InputError(path, None, None, f"was written by version {version} of the server, not {VERSION}")
        except sqlite3.Error as error:
            raise InputError(path, None, None, f"is no file of a server: {error}") from None

    def close(self) -> None:
        self._db.close()

    # -- accounts -------------------------------------------------------------------------------------------------

    def add_account(self, name: str, token: str, *, bot: bool = False, host: bool = False) -> Account:
        """A new account with the hash of its token. Raises InputError if the name is taken."""
        try:
            done = self._db.execute(
                "insert into accounts (name, bot, host, token, made) values (?, ?, ?, ?, ?)",
                (name, bot, host, token, time.time()),
            )
        except sqlite3.IntegrityError:
            raise InputError(None, None, "name", f"{name!r} is taken") from None
        return Account(int(done.lastrowid or 0), name, bot, host)

    def accounts(self) -> Iterator[Account]:
        for id_, name, bot, host in self._db.execute("select id, name, bot, host from accounts order by id"):
            yield Account(id_, name, bool(bot), bool(host))

    def account_of(self, token: str) -> Account | None:
        """The account whose token has this hash."""
        row = self._db.execute("select id, name, bot, host from accounts where token = ?", (token,)).fetchone()
        return None if row is None else Account(row[0], row[1], bool(row[2]), bool(row[3]))

    def change_token(self, account: int, token: str) -> None:
        self._db.execute("update accounts set token = ? where id = ?", (token, account))

    def add_invitation(self, code: str, uses: int, *, bot: bool = False) -> None:
        self._db.execute("insert into invitations values (?, ?, ?, ?)", (code, bot, uses, time.time()))

    def redeem(self, code: str, name: str, token: str) -> Account:
        """A new account for an invitation, which is used once more. Raises InputError."""
        self._db.execute("begin immediate")
        try:
            row = self._db.execute("select bot, uses from invitations where code = ?", (code,)).fetchone()
            if row is None or row[1] < 1:
                raise InputError(None, None, "invitation", "is unknown or used up")
            account = self.add_account(name, token, bot=bool(row[0]))
            self._db.execute("update invitations set uses = uses - 1 where code = ?", (code,))
            self._db.execute("commit")
        except BaseException:
            self._db.execute("rollback")
            raise
        return account

    # -- tables ---------------------------------------------------------------------------------------------------

    def add_table(self, plan: dict[str, Any], chairs: Sequence[Any], state: str) -> int:
        done = self._db.execute(
            "insert into tables (plan, chairs, state, made) values (?, ?, ?, ?)",
            (json.dumps(plan), json.dumps(chairs), state, time.time()),
        )
        return int(done.lastrowid or 0)

    def change_table(self, table: int, chairs: Sequence[Any], state: str) -> None:
        self._db.execute("update tables set chairs = ?, state = ? where id = ?", (json.dumps(chairs), state, table))

    def tables(self, over: str) -> Iterator[tuple[int, dict[str, Any], list[Any], str]]:
        """Number, plan, chairs and state of every table whose state is not ``over``."""
        rows = self._db.execute("select id, plan, chairs, state from tables where state != ? order by id", (over,))
        for id_, plan, chairs, state in rows.fetchall():
            yield id_, json.loads(plan), json.loads(chairs), state

    def seed(self, label: str, new: int) -> int:
        """The seed of the deals of this label; ``new`` if there is none yet."""
        self._db.execute("insert or ignore into deals values (?, ?)", (label, str(new)))
        return int(self._db.execute("select seed from deals where label = ?", (label,)).fetchone()[0])

    # -- games ----------------------------------------------------------------------------------------------------

    def add_action(self, game: str, number: int, action: str) -> None:
        self._db.execute("insert into actions values (?, ?, ?)", (game, number, action))

    def actions(self, game: str) -> list[str]:
        rows = self._db.execute("select action from actions where game = ? order by number", (game,))
        return [text for (text,) in rows]

    def finish(self, game: Game, chairs: Sequence[Any], state: str) -> None:
        """A finished game in the place of its actions, which the record holds; its table is then in this state."""
        lists = (json.dumps(game.accounts), json.dumps(game.players), json.dumps(game.points))
        row = (game.id, game.at, game.number, game.label, game.game, *lists, game.rated, game.record, game.ended)
        self._db.execute("begin immediate")
        self._db.execute(f"insert into games ({GAME}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._db.execute("delete from actions where game = ?", (game.id,))
        self.change_table(game.at, chairs, state)
        self._db.execute("commit")

    def game(self, id_: str) -> Game | None:
        rows = self._games("where id = ?", (id_,))
        return rows[0] if rows else None

    def games_at(self, table: int) -> list[Game]:
        """The finished games of a table, in order."""
        return self._games("where at = ? order by number", (table,))

    def games_of(self, label: str, number: int) -> list[Game]:
        """All finished games of one deal."""
        return self._games("where label = ? and number = ? order by at", (label, number))

    def points_at(self, table: int) -> list[tuple[float, ...]]:
        """Points of each chair in every finished game of a table, in order."""
        rows = self._db.execute("select points from games where at = ? order by number", (table,))
        return [tuple(json.loads(points)) for (points,) in rows]

    def played(self, account: int, label: str, besides: int) -> bool:
        """Whether an account has finished games of these deals at another table than ``besides``."""
        asked = "select 1 from games, json_each(games.accounts) where label = ? and value = ? and at != ? limit 1"
        return self._db.execute(asked, (label, account, besides)).fetchone() is not None

    def rated(self, after: tuple[float, str] = (-1.0, "")) -> list[Game]:
        """The finished games that are rated, in the order in which they ended, after one of them: (ended, id)."""
        return self._games("where rated and (ended, id) > (?, ?) order by ended, id", after)

    def recent(self, account: int, most: int) -> list[Game]:
        """The last finished games an account sat in."""
        where = "where exists (select 1 from json_each(games.accounts) where value = ?) order by ended desc limit ?"
        return self._games(where, (account, most))

    def _games(self, where: str, facts: tuple[Any, ...]) -> list[Game]:
        rows = self._db.execute(f"select {GAME} from games {where}", facts).fetchall()
        return [_game(row) for row in rows]


def _game(row: Sequence[Any]) -> Game:
    id_, at, number, label, game, accounts, players, points, rated, record, ended = row
    who, names, gains = (tuple(json.loads(text)) for text in (accounts, players, points))
    return Game(id_, at, number, label, game, who, names, gains, bool(rated), record, ended)
