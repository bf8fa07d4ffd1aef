"""Configured players of a tournament: texts that can be hashed, sent to a process and made into a player there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import asdict, field, frozen

from tricktake.search.limit import Limit
from tricktake.strategies.player import Player

NO_LIMIT = Limit()


@frozen
class PlayerConfig:
    """A named player: ``text`` names its strategies, ``limit`` holds for each decision.

    owners: the plugins its strategies come from.
    """

    name: str
    text: str
    limit: Limit = field(factory=Limit)
    owners: frozenset[str] = frozenset()

    @classmethod
    def of(cls, player: Player, limit: Limit = NO_LIMIT) -> PlayerConfig:
        owners = frozenset[str]().union(*(spec.owners for spec in player.specs.values()))
        return cls(player.name, str(player), limit, owners)

    @classmethod
    def from_text(cls, text: str, limit: Limit = NO_LIMIT, name: str = "") -> PlayerConfig:
        """Raises InputError or UnknownName if the strategies cannot be made."""
        return cls.of(Player.from_spec(text, name), limit)

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any], limit: Limit = NO_LIMIT) -> PlayerConfig:
        """A player from a TOML table, see ``Player.from_mapping``. Raises InputError or UnknownName."""
        return cls.of(Player.from_mapping(table), limit)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> PlayerConfig:
        """What ``as_row`` wrote, to be named and not to play."""
        return cls(row["name"], row["strategy"], Limit(**row["limit"]))

    def make(self) -> Player:
        return Player.from_spec(self.text, self.name)

    def require(self, roles: Iterable[str], offered: Sequence[str] = ()) -> None:
        """See ``Player.require``. Raises InputError, UnknownName."""
        self.make().require(roles, offered)

    def as_row(self) -> dict[str, Any]:
        limit = {key: value for key, value in asdict(self.limit).items() if value is not None}
        return {"name": self.name, "strategy": self.text, "limit": limit}
