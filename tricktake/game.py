"""The game protocol: what a plugin writes to add a card game."""

from __future__ import annotations

import abc
import contextlib
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from attrs import field, frozen

from tricktake import action as act
from tricktake.action import Action
from tricktake.condition import Condition
from tricktake.deal import Layout
from tricktake.errors import AmbiguousName, InvalidCard, PluginError
from tricktake.phase import Phase
from tricktake.plugins import manager
from tricktake.rules import Aim, TrickRules
from tricktake.spec import Option, Spec
from tricktake.table import Table
from tricktake.view import View


@runtime_checkable
class Contract(Protocol):
    """What was declared: a frozen value of the game. ``str()`` gives a text that ``Game.contract`` reads back.

    declarer: the seat that plays alone or declares for its side, -1 in games without one.
    kind: the label under which results are counted ("grand", "suit", "null", "3NT").
    """

    @property
    def declarer(self) -> int: ...

    @property
    def kind(self) -> str: ...


@frozen
class Score:
    """What a finished game is worth.

    points: score of each seat. won: whether the declarer's side made its contract, None without a declarer.
    value: the declarer side's count that decided (card points, tricks). detail: further facts for records.
    """

    points: tuple[int, ...]
    won: bool | None = None
    value: int | None = None
    detail: Mapping[str, Any] = field(factory=dict)


class _Options:
    """The options of a game are those of its ``__init__``, to ``inspect.signature`` too."""

    def __get__(self, game: Game | None, kind: type[Game]) -> inspect.Signature:
        if kind.__init__ is object.__init__:
            return inspect.Signature()
        made = inspect.signature(kind.__init__)
        return made.replace(parameters=list(made.parameters.values())[1:])


class Game(abc.ABC):
    """One card game. A plugin registers an instance, or a factory with options.

    name, version, summary: shown by ``tricktake games``; a change of the rules changes the version.
    layout: deck and places of the deal. phases: classes, in order; the last one is ``Tricks`` or a subclass.
    score_unit: what ``series_points`` counts. series: games in a series; comparisons are shown per series.
    boards: after how many boards dealer and vulnerability repeat; seats see the board modulo this.
    score_total: what the points of all seats add up to in every game, None if that varies (checked by check_game).
    teams: number of the partnership of each seat where these are fixed; tournaments seat one player at all its seats.
    compared_unit: what ``compared`` counts.
    kinds: the families of contracts, each a ``Contract.kind`` or a pattern for several (``?NT``); check_game plays
    every one of them. Set by ``__init__`` where options decide. (): whatever is met by chance.
    player: spec of the player that is taken where none is named (``tricktake play``, ``analyse``); "": see
    ``strategies.player.default_spec``.
    front: whether it is the game offered first where none is named (``front_game``), as on the web table.
    recording: subclass of ``tricktake.records.recording.Recording`` with what else holds for its records, if anything.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"
    summary: ClassVar[str] = ""
    layout: Layout
    phases: tuple[type[Phase], ...]
    score_unit: ClassVar[str] = "points"
    series: ClassVar[int] = 1
    boards: ClassVar[int] = 1
    score_total: ClassVar[int | None] = None
    teams: ClassVar[tuple[int, ...] | None] = None
    compared_unit: ClassVar[str] = ""
    kinds: tuple[str, ...] = ()
    player: ClassVar[str] = ""
    front: ClassVar[bool] = False
    recording: ClassVar[type[Any] | None] = None

    __signature__ = _Options()
    _options: tuple[tuple[str, Option], ...]

    def __new__(cls, *args: Any, **options: Any) -> Self:
        """Remember the options for ``spec``; those no text can say (a deck) are left out."""
        game = super().__new__(cls)
        given = cls.__signature__.bind_partial(*args, **options).arguments
        texts = tuple((name, value) for name, value in sorted(given.items()) if isinstance(value, Option))
        object.__setattr__(game, "_options", texts)
        return game

    @property
    def spec(self) -> str:
        """The text that makes this game again, as ``find_game`` takes it: its name and the options it was made with."""
        return str(Spec(self.name, self._options))

    @property
    def seats(self) -> int:
        return self.layout.seats

    @property
    def chairs(self) -> int:
        """Players of one table: the seats, and whoever sits out a game (Skat at a table of four)."""
        return self.seats

    @abc.abstractmethod
    def rules(self, table: Table) -> TrickRules:
        """What the contract on the table means for the play."""

    @abc.abstractmethod
    def score(self, table: Table) -> Score:
        """The score of a finished game."""

    def series_points(self, score: Score) -> tuple[float, ...]:
        """What one game adds to each seat's result of a series, by which strategies are compared (Seeger)."""
        return score.points

    def table_points(self, score: Score) -> tuple[float, ...]:
        """``series_points`` of all ``chairs``: those of the seats, then of whoever sat out."""
        return self.series_points(score)

    def compared(self, points: Sequence[Sequence[int]]) -> Sequence[Sequence[float]] | None:
        """What each seat gets in the games of one deal when their scores are compared with each other (duplicate).

        points: of the seats, a row a game. None if every game counts for itself, by ``series_points``.
        """
        return None

    def first_leader(self, table: Table) -> int:
        return 0

    def open_rules(self, table: Table) -> TrickRules:
        """The rules of the play on the table, partners as they truly are: who plays with whom if all cards are open.

        Only a game whose ``rules`` keep partners secret (a called ace) overrides it. Whatever looks at open cards asks
        it: ``solve``, ``analyse``, ``replay``, and tournaments of given contracts. No player does.
        """
        assert table.tricks is not None
        return table.tricks.rules

    def actor(self, table: Table, seat: int) -> int:
        """Who decides for ``seat``: itself, but the declarer for a dummy."""
        return seat

    def shown(self, table: Table) -> tuple[int, ...]:
        """Seats whose cards lie open to all now (a dummy, an open hand)."""
        return ()

    def decided(self, table: Table) -> bool:
        """Asked after each trick: whether the play ends before the last one (a null lost with its first trick)."""
        return False

    def aims(self, contract: Contract | None, rules: TrickRules, seat: int) -> tuple[Aim, ...]:
        """What the side of a seat may try for, from the least to the most; its goal is one of them if it has a number.

        A search proves the goal first, then goes up, or down once the goal is lost (Schneider; KBPS-12, 21).
        """
        goal = rules.goal(seat)
        return () if goal.met(0) is None else (Aim("the goal", goal),)

    def excluded(self, view: View) -> Mapping[int, int]:
        """What bids and announcements rule out for sure, as the seat of a view knows it: place -> mask of cards that do
        not lie there (the caller lacks the called ace). Asked for every view, without an answer of its own in it;
        hidden teams are in it as the seat knows them without that answer.
        """
        return {}

    def promised(self, view: View) -> Sequence[Condition]:
        """What bids and announcements say for sure that places hold (who says "Re" has a queen of clubs), as the seat
        of a view knows it; of the cards the places hold now: what is played no longer counts.
        """
        return ()

    def predeal(self, kind: str, rng: np.random.Generator) -> Mapping[int, int]:
        """The cards that have to lie in some places (place -> mask) before a contract of this kind can be bid at all,
        if chance hardly ever deals them so (all the highest trumps in one hand). Asked for forced contracts.
        """
        return {}

    def contract(self, text: str) -> Contract:
        """Read a contract as ``str(contract)`` writes it. Raises ValueError."""
        raise ValueError(f"{self.name} has no contracts to read")

    def on_contract(self, table: Table) -> None:  # noqa: B027
        """Called when a table starts at a given contract: set what the seats know and ``facts``."""

    def said(self, action: Action, view: View, language: str) -> tuple[str, str]:
        """An action as people say it, and what it promises or means, in a language ("en", "de"); "" where the text of
        the action has to do. For the buttons of a table; no rule depends on it. Unless a game has words of its own the
        phases tell what they know, that of the view first; the action may be one of those in ``view.events``.
        """
        phases = sorted(self.phases, key=lambda phase: phase.name != view.phase)
        return "", next(filter(None, (phase.meaning(action, language) for phase in phases)), "")

    def called(self, contract: Contract, language: str) -> str:
        """A contract in words, without who declares it; "" where its text has to do."""
        return ""

    def parse(self, text: str, table: Table) -> Action:
        """An action from its text, for people and records: full form, or just a card for ``play``."""
        deck = self.layout.deck
        legal = table.legal()
        wanted = text.strip().lower()
        for action in legal:
            full = action.to_text(deck).lower()
            if wanted in (full, full.removeprefix("play "), full.removeprefix("bid:")):
                return action
        read = Action.from_text(text, deck)
        for action in legal:  # the same cards in another order
            if (action.verb, action.value, action.mask) == (read.verb, read.value, read.mask):
                return action
        if table.phase is not None and table.phase.role == "play" and read == Action(read.verb):
            with contextlib.suppress(InvalidCard, AmbiguousName):  # a card that is not legal here
                return act.play(deck.card(text).index)
        return read


def front_game() -> Game | None:
    """The game that is offered first where none is named: one that says so (``Game.front``), else the first by name."""
    found = [find_game(name) for name in manager().games.names()]
    return min(found, key=lambda game: (not game.front, game.name), default=None)


def find_game(text: str, **options: Option) -> Game:
    """The game of a spec such as ``oh_hell(players=5)``; always the same object. ``options`` override them.

    Raises UnknownName with suggestions, InputError naming a wrong option, PluginError if it is not a game or
    cannot be found again by its own name.
    """
    spec = Spec.from_text(text, "game", "oh_hell(players=5)")
    games = manager().games
    game = games.get(spec.name, **{**dict(spec.options), **options})
    if not isinstance(game, Game):
        raise PluginError(games.owner(spec.name), f"game {spec.name!r} is no tricktake.game.Game")
    if game.name not in games:
        raise PluginError(
            games.owner(spec.name), f"game {spec.name!r} calls itself {game.name!r}, which nobody registered"
        )
    return game
