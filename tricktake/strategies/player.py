"""Players: a strategy for each role, put together from text or TOML.

A spec names one strategy for everything it can do, or a strategy for each role::

    skat:rule
    bid=skat:rule, exchange=skat:rule, play=core:pimc(worlds=20, decide=mean)

Options stand in brackets after the strategy: whole numbers, decimals, ``true``, ``false``, or words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from tricktake.errors import InputError, UnknownName
from tricktake.game import Game
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.spec import Option, Spec, split
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.view import View

CARDS = "core:ensemble"  # plays any game


ANY = "*"  # stands for every role, whatever a game calls it


def roles_of(strategy: Strategy) -> tuple[str, ...]:
    """The roles a strategy can play: its attribute ``roles``, or ``ANY`` if it does not say."""
    return tuple(getattr(strategy, "roles", (ANY,)))


def plays(strategy: Strategy, role: str) -> bool:
    """Whether a strategy can play a role."""
    return not {role, ANY}.isdisjoint(roles_of(strategy))


@frozen
class StrategySpec(Spec):
    """A strategy by name and options, not yet made."""

    @classmethod
    def from_text(cls, text: str, where: str = "strategy", example: str = "core:pimc(worlds=20)") -> StrategySpec:
        """Read ``plugin:name(option=value, ...)``. Raises InputError naming ``where``."""
        spec = Spec.from_text(text, where, example)
        return cls(spec.name, spec.options)

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any], where: str = "strategy") -> StrategySpec:
        """Read ``{part = "core:pimc", worlds = 20}`` as a TOML file gives it; an option can be such a table itself.

        Raises InputError.
        """
        if not isinstance(table.get("part"), str):
            raise InputError(None, None, where, "needs a name: part = 'plugin:name'")
        spec = cls.from_text(table["part"], where)
        options: dict[str, Option] = dict(spec.options)
        for key, value in table.items():
            if key == "part":
                continue
            if isinstance(value, Mapping):
                value = str(cls.from_mapping(value, f"{where}.{key}"))
            if not isinstance(value, (bool, int, float, str)):
                raise InputError(
                    None, None, f"{where}.{key}", "must be a number, true, false, a word or the table of a strategy"
                )
            if key in options:
                raise InputError(None, None, f"{where}.{key}", "is given twice")
            options[key] = value
        return cls(spec.name, tuple(options.items()))

    @property
    def owners(self) -> frozenset[str]:
        """The plugins this strategy comes from, with those of strategies named in its options."""
        names = [self.name, *(spec.name for spec in self.nested())]
        return frozenset(name.partition(":")[0] for name in names)

    def make(self) -> Strategy:
        """The strategy itself. Raises UnknownName with suggestions, InputError naming a wrong option."""
        registry = manager().strategies
        if ":" not in self.name:
            owners = [full for full in registry.names() if full.endswith(f":{self.name}")]
            raise UnknownName("strategy", self.name, owners or registry.names(), "strategies are named plugin:name")
        strategy = registry.make(self.name, **dict(self.options))
        if not isinstance(strategy, Strategy):
            raise InputError(None, None, f"strategy {self.name}", "has no method decide(view, limit, rng)")
        return strategy


@frozen
class Player:
    """Strategies by role under one name. It is a strategy itself: it hands each view to the one for the view's role.

    specs: where the strategies come from, so that a player can be written down and made again in another process.
    named: the roles a strategy was named for one by one.
    """

    name: str
    strategies: Mapping[str, Strategy] = field(eq=False, repr=False)
    specs: Mapping[str, StrategySpec]
    named: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Strategy, ...]:
        return tuple(self.strategies.values())

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles this player has strategies for, ``ANY`` among them if one plays whatever is asked."""
        return tuple(self.strategies)

    def strategy(self, role: str) -> Strategy | None:
        """The strategy for a role, None if there is none."""
        return self.strategies.get(role) or self.strategies.get(ANY)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """The decision of the strategy for the view's role. Raises InputError if there is none."""
        strategy = self.strategy(view.role)
        if strategy is None:
            raise InputError(None, None, f"player {self.name}", _missing(view.role))
        return strategy.decide(view, limit, rng)

    def require(self, roles: Iterable[str], offered: Sequence[str] = ()) -> Player:
        """The player itself, after a check that it has a strategy for each of ``roles``.

        offered: all roles of the game; a strategy named for another role is a mistake. Raises InputError, UnknownName.
        """
        for role in self.named if offered else ():
            if role not in offered:
                raise UnknownName("role", role, offered, f"player {self.name}")
        for role in roles:
            if self.strategy(role) is None:
                raise InputError(None, None, f"player {self.name}", _missing(role))
        return self

    @classmethod
    def from_spec(cls, text: str, name: str = "") -> Player:
        """A player from one line of text. Raises InputError, UnknownName."""
        words = list(split(text, "player"))
        if not words:
            raise InputError(None, None, "player", "an empty spec; try core:random")
        if len(words) == 1 and not _is_role_word(words[0]):
            return cls._of({}, StrategySpec.from_text(words[0]), name or text.strip())
        specs: dict[str, StrategySpec] = {}
        for word in words:
            if not _is_role_word(word):
                raise InputError(None, None, "player", f"{word!r} has no role; write role=strategy, e.g. play={word}")
            role, _, strategy = (piece.strip() for piece in word.partition("="))
            _check_role(role)
            if role in specs:
                raise InputError(None, None, "player", f"role {role!r} is given twice")
            specs[role] = StrategySpec.from_text(strategy, role)
        return cls._of(specs, None, name or text.strip())

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any], name: str = "") -> Player:
        """A player from a TOML table.

        Either ``spec = "skat:rule"``, or roles with a spec or a table each::

            bid = "skat:rule"
            exchange = "skat:rule"
            play = {part = "core:pimc", worlds = 20, decide = "mean"}

        and ``name``, if it shall have one. Raises InputError naming the field, UnknownName.
        """
        own = table.get("name", "")
        if not isinstance(own, str):
            raise InputError(None, None, "name", "must be text")
        rest = {key: value for key, value in table.items() if key != "name"}
        if "spec" in rest:
            if len(rest) > 1:
                other = next(key for key in rest if key != "spec")
                raise InputError(None, None, other, "a player has either a spec or strategies by role")
            if not isinstance(rest["spec"], str):
                raise InputError(None, None, "spec", "must be text")
            return cls.from_spec(rest["spec"], name or own)
        if not rest:
            raise InputError(None, None, "player", "has no strategies; give spec = '...' or strategies by role")
        specs = {}
        for role, value in rest.items():
            _check_role(role)
            if isinstance(value, str):
                specs[role] = StrategySpec.from_text(value, role)
            elif isinstance(value, Mapping):
                specs[role] = StrategySpec.from_mapping(value, role)
            else:
                raise InputError(None, None, role, "must be text or a table")
        return cls._of(specs, None, name or own)

    @classmethod
    def _of(cls, specs: Mapping[str, StrategySpec], everything: StrategySpec | None, name: str) -> Player:
        if everything is not None:
            strategy = everything.make()
            strategies = dict.fromkeys(roles_of(strategy), strategy)
            specs = dict.fromkeys(strategies, everything)
        else:
            strategies = {}
            for role, spec in specs.items():
                strategy = spec.make()
                if not plays(strategy, role):
                    can = ", ".join(roles_of(strategy))
                    raise InputError(None, None, role, f"{spec.name} has no such role; its roles: {can}")
                strategies[role] = strategy
        named = () if everything is not None else tuple(specs)
        return cls(name or _describe(specs, named), strategies, specs, named)

    def __str__(self) -> str:
        return _describe(self.specs, self.named)


def game_roles(game: Game) -> tuple[str, ...]:
    """The roles a player of this game needs, in the order they come."""
    return tuple(dict.fromkeys(phase.role for phase in game.phases))


def default_spec(game: Game) -> str:
    """The player of a game where none is named: ``game.player``, or else for each role a strategy of the game's plugin
    (one with the name of the game, or ``rule``), or of the core. Strategies with the name of another game of that
    plugin, such as ``parlour:spades``, are for that game.
    """
    if game.player:
        return game.player
    registries = manager()
    owner = registries.games.owner(Spec.from_text(game.spec).name)
    others = {other for other in registries.games.owned_by(owner) if other != game.name}
    strategies = [name for name in registries.strategies.owned_by(owner) if _subject(name) not in others]
    own = sorted(strategies, key=lambda name: (_subject(name) != game.name, not name.endswith(":rule"), name))
    words = []
    for role in game_roles(game):
        fits = (name for name in own if plays(StrategySpec.from_text(name).make(), role))
        words.append(f"{role}={next(fits, CARDS if role == 'play' else 'core:random')}")
    return ",".join(words)


def _subject(strategy: str) -> str:
    """The game a strategy may be named for: ``spades`` of ``parlour:spades`` and ``parlour:spades-rule``."""
    return strategy.partition(":")[2].partition("-")[0]


def _describe(specs: Mapping[str, StrategySpec], named: Sequence[str]) -> str:
    if not named and (ANY in specs or len(specs) > 1):
        return str(next(iter(specs.values())))
    return ",".join(f"{role}={spec}" for role, spec in specs.items())


def _missing(role: str) -> str:
    return f"has no strategy for the role {role!r}; add {role}=plugin:name"


def _check_role(role: str) -> None:
    if not role.isidentifier():
        raise InputError(None, None, "player", f"{role!r} is no role; write role=strategy, e.g. play=core:pimc")


def _is_role_word(word: str) -> bool:
    head = word.partition("(")[0]
    return "=" in head
