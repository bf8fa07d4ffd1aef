"""A bidder for any game: tries every choice that a phase offers in sampled worlds, and takes what scores best.

Bids, passed cards, discards, called partners: whatever a game asks before the tricks. In worlds that fit the view the
choice is made, the others go on as a simple player would, the cards are played by a policy (or by simple manners), and
the game itself counts the points. Rollouts (Tesauro and Galperin 1996) of whole games, with the game's own score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from attrs import define, field

from tricktake import worlds
from tricktake.action import Action, Event, play
from tricktake.arrays import FloatArray
from tricktake.cards import unsigned
from tricktake.deal import Deal
from tricktake.errors import IllegalAction, InputError
from tricktake.game import Game, find_game
from tricktake.knowledge import Knowledge
from tricktake.policy import games
from tricktake.policy.encoding import Encoding
from tricktake.policy.policy import Policy, family_name
from tricktake.policy.positions import batch_of
from tricktake.search.limit import Budget, Limit
from tricktake.spec import Spec, split
from tricktake.strategies.options import check_number
from tricktake.strategies.player import Player, default_spec
from tricktake.strategies.policy import find_policy
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.table import Table
from tricktake.view import View

WORLDS = 40  # experiment ``valuer.bidders``
HEED = 1  # draws for each world; what more bring: same experiment
SLICE = 8  # worlds between two looks at which choices are left
RACE = 2.0  # standard errors by which a choice given up is worse
MOST = 40  # choices tried one by one; of more (three cards of thirteen) first by their cards
SHORT = 12  # choices left of many
DRAWN = 3  # drawn choices for each card, from which the cards of many choices are judged
PLAIN = Limit(worlds=5)  # of the simple player


def simple_player(game: Game) -> Strategy:
    """Who makes the other choices in the games tried: the game's own bidder, else one who says as little as he can."""
    words = [word for word in split(default_spec(game), "player") if not word.startswith("play=")]
    if not words or any(word.endswith("=core:random") for word in words):
        return Quiet()
    return Player.from_spec(",".join(words))


class Quiet:
    """Passes where that is allowed, else does anything."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        passing = [action for action in view.legal if action.verb == "pass" and not action.cards]
        return Decision(passing[0] if passing else view.legal[int(rng.integers(len(view.legal)))])


def _policy(value: str | None) -> Policy | None:
    return None if value is None else find_policy(value)


def _player(value: str | None) -> Strategy | None:
    if value is not None and not isinstance(value, str):
        raise InputError(None, None, "others", f"must be the name of a strategy, not {value!r}")
    return None if value is None else Player.from_spec(value)


@define
class Valuer:
    """Choose what has the best mean score of the own seat (``Game.series_points``) over sampled worlds.

    policy: plays the cards in the games tried, a registered name or a file; contracts it has not learned, and all
    without one, are played by simple manners. others: makes the choices that follow, the own later ones too; by default
    the game's own bidder, or one who passes. worlds: how many at most; a choice that is surely worse is given up
    earlier. A limit on worlds can only lower it, one on seconds is looked at between slices of worlds. heed: how many
    worlds are drawn for each one that is kept: those in which ``others`` would have said most of what was said.

    It decides before the tricks, as long as the cards it took up came from one place that it knows (a talon).
    """

    roles: ClassVar[tuple[str, ...]] = ("bid", "exchange")

    policy: Policy | None = field(default=None, converter=_policy)
    others: Strategy | None = field(default=None, converter=_player)
    worlds: int = field(default=WORLDS, validator=check_number)
    heed: int = field(default=HEED, validator=check_number)
    _spec: str = field(default="", init=False)

    def begin(self, game: str, seat: int) -> None:
        """Remember the options of the game, which a view does not tell."""
        self._spec = game

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError in the play of the cards, or where the deal cannot be told from a view."""
        if view.rules is not None or not view.legal:
            raise ValueError(f"the valuer makes the choices before the tricks, not in phase {view.phase}")
        if len(view.legal) == 1:
            return Decision(view.legal[0], "nothing else is allowed")
        named = self._spec and Spec.from_text(self._spec, "game").name == view.game
        game = find_game(self._spec if named else view.game)
        trial = Trial(game, view, self.others or simple_player(game), self.policy)
        budget, number = Budget.of(limit), limit.at_most_worlds(self.worlds)
        deals = trial.deals(number, rng, self.heed)
        choices = list(view.legal)
        if len(choices) > MOST:
            choices = trial.shortlist(choices, deals[: max(2, number // SLICE)], rng)
        return self._race(trial, choices, deals, budget, rng)

    def _race(
        self, trial: Trial, choices: Sequence[Action], deals: Sequence[Deal], budget: Budget, rng: np.random.Generator
    ) -> Decision:
        """Every choice in the same worlds; those surely worse are given up after each slice."""
        alive = list(range(len(choices)))
        scores: list[list[float]] = [[] for _ in choices]
        for start in range(0, len(deals), SLICE):
            part = deals[start : start + SLICE]
            found = trial.scores([(d, choices[i]) for i in alive for d in part], rng)
            for i, row in zip(alive, found.reshape(len(alive), len(part)), strict=True):
                scores[i] += row.tolist()
            alive = _left(alive, scores)
            if len(alive) == 1 or budget.late:
                break
        best = max(alive, key=lambda i: (np.mean(scores[i]), -i))
        said = f"{np.mean(scores[best]):.1f} {trial.game.score_unit} in {len(scores[best])} worlds"
        other = max((i for i in range(len(choices)) if i != best), key=lambda i: (len(scores[i]), np.mean(scores[i])))
        n = len(scores[other])
        text = choices[other].to_text(trial.view.layout.deck)
        less = np.mean(scores[best][:n]) - np.mean(scores[other])
        return Decision(choices[best], f"{said}; {text} {less:.1f} less in {n}")


def _left(alive: Sequence[int], scores: Sequence[Sequence[float]]) -> list[int]:
    """The choices that may still be the best: not so many standard errors of the paired difference worse than it."""
    best = max(alive, key=lambda i: (np.mean(scores[i]), -i))
    left = []
    for i in alive:
        less = np.array(scores[best]) - np.array(scores[i])
        error = float(less.std(ddof=1)) / np.sqrt(len(less)) if len(less) > 1 else np.inf
        if i == best or less.mean() <= RACE * error:
            left.append(i)
    return left


@define
class Trial:
    """Games tried from one view."""

    game: Game
    view: View
    others: Strategy
    policy: Policy | None

    # -- worlds ---------------------------------------------------------------------------------------------------

    def deals(self, number: int, rng: np.random.Generator, heed: int = 1) -> list[Deal]:
        """Deals that lead to this view, drawn at random; of ``heed`` times as many those that fit best what the other
        seats have said. Raises ValueError if none is found.
        """
        view = self.view
        if all(event.seat == view.seat or event.action.hidden for event in view.events):
            heed = 1
        found: list[Deal] = []
        for row in worlds.sample(Knowledge.from_view(view), heed * number, rng):
            deal = self._dealt([unsigned(int(mask)) for mask in row[: len(view.layout.names)]])
            if deal is not None:
                found.append(deal)
        if not found:
            raise ValueError(f"no deal leads to what seat {view.seat} sees in phase {view.phase}")
        return sorted(found, key=self._surprises)[:number] if heed > 1 else found

    def _surprises(self, deal: Deal) -> int:
        """How often another seat has said in this deal what the simple player would not have said."""
        said = self._reached(deal)
        rng = np.random.default_rng(0)
        table = Table.start(self.game, deal, self.view.board)
        surprises = 0
        for event in said.events:
            if event.seat != self.view.seat:
                surprises += self.others.decide(table.view(event.seat), PLAIN, rng).action != event.action
            table.apply_unchecked(event.action)
        return surprises

    def _dealt(self, places: list[int]) -> Deal | None:
        """The deal before cards were moved, if it can be told; None if its game does not come to this view."""
        view, layout = self.view, self.view.layout
        own = places[view.seat]
        away = 0  # cards this seat has put away, wherever they are now
        for event in view.events:
            if event.seat == view.seat and event.action.cards:
                away |= event.action.mask & ~own
        moved = view.picked_up
        if not moved and not away:
            return self._checked(Deal(layout, tuple(places)))
        for source in range(layout.seats, len(places)):
            before = [mask & ~away for mask in places]
            before[view.seat] = (own | away) & ~moved
            before[source] |= moved
            if tuple(mask.bit_count() for mask in before) == layout.sizes:
                return self._checked(Deal(layout, tuple(before)))
        return None

    def _checked(self, deal: Deal) -> Deal | None:
        """The deal if its events can be made; what was told face down is filled in as the simple player would."""
        return None if self._table(deal) is None else deal

    def _table(self, deal: Deal) -> Table | None:
        """The table of a deal at the moment of the view, None if it does not come to it. Its random
        numbers are always the same.
        """
        view = self.view
        rng = np.random.default_rng(0)
        table = Table.start(self.game, deal, view.board)
        for event in view.events:
            if table.turn != event.seat:
                return None
            action = event.action
            if action.hidden:
                action = self.others.decide(table.view(event.seat), PLAIN, rng).action
                if action.verb != event.action.verb:
                    return None
            try:
                table.apply(action, event.seat)
            except IllegalAction:
                return None
        same = table.turn == view.turn and table.phase is not None and table.phase.name == view.phase
        return table if same and table.places[view.seat] == view.hand_mask else None

    def _reached(self, deal: Deal) -> Table:
        """The table of one of ``deals`` at the moment of the view."""
        table = self._table(deal)
        assert table is not None
        return table

    # -- games ----------------------------------------------------------------------------------------------------

    def scores(self, tried: Sequence[tuple[Deal, Action]], rng: np.random.Generator) -> FloatArray:
        """The score of the own seat in one game for each deal and choice."""
        seed = int(rng.integers(1, 1 << 62))
        worlds_of = {id(deal): number for number, deal in enumerate({id(deal): deal for deal, _ in tried}.values())}
        out = np.zeros(len(tried))
        groups: dict[tuple[str, str], list[tuple[int, list[Event], Table]]] = {}
        for n, (deal, action) in enumerate(tried):
            table = self._at_tricks(deal, action, np.random.default_rng([seed, worlds_of[id(deal)]]))
            if table.over:
                out[n] = self._points(table)
                continue
            assert table.tricks is not None
            key = Encoding.of(table.tricks.rules).key, family_name(table.contract)
            groups.setdefault(key, []).append((n, list(table.events), table))
        for (rules, family), group in groups.items():
            cards = self._played([table for *_, table in group], rules, family, seed)
            for (n, events, table), row in zip(group, cards, strict=True):
                if table.gone:  # used up
                    table = Table.replay(self.game, tried[n][0], events, self.view.board)
                out[n] = self._counted(table, row)
        return out

    def _at_tricks(self, deal: Deal, action: Action, rng: np.random.Generator) -> Table:
        """The table after a choice and all that follow, at its first trick or over."""
        table = self._reached(deal)
        table.apply_unchecked(action)
        while not table.over and table.tricks is None:
            actor = table.actor
            assert actor is not None
            table.apply(self.others.decide(table.view(actor), PLAIN, rng).action)
        return table

    def _played(self, tables: Sequence[Table], key: str, name: str, seed: int) -> list[list[int]]:
        """The cards of every game in the order of play; where hands are shown the tables are used up."""
        moves = []
        for table in tables:
            assert table.tricks is not None
            moves.append(Encoding.of(table.tricks.rules).compiled.to_deck)
        batch = batch_of(tables)
        family = None if self.policy is None else self.policy.family_of(key, name)
        if family is None:
            players, packed = games.manners(batch), None
        else:
            players, packed = family.players(batch), family.packed
        played = games.play(batch, players, packed, seed=seed % (1 << 32), cards=batch.encoding.cards)
        return [[int(move[c]) for c in row if c >= 0] for move, row in zip(moves, played.cards, strict=True)]

    def _counted(self, table: Table, cards: Sequence[int]) -> float:
        """What a game from its first trick on is worth to the own seat, by the game's own score."""
        table.silence()
        for card in cards:
            if table.over:
                break
            table.apply_unchecked(play(card))
        return self._points(table)

    def _points(self, table: Table) -> float:
        return float(self.game.series_points(table.score())[self.view.seat])

    # -- many choices ---------------------------------------------------------------------------------------------

    def shortlist(self, choices: Sequence[Action], deals: Sequence[Deal], rng: np.random.Generator) -> list[Action]:
        """Of many choices of cards the few whose cards scored best in drawn choices, by least squares; the simple
        player's choice is one of them.
        """
        number = min(len(choices), DRAWN * self.view.hand_mask.bit_count())
        drawn = [choices[i] for i in rng.choice(len(choices), number, replace=False)]
        scores = self.scores([(deal, choice) for choice in drawn for deal in deals], rng)
        means = scores.reshape(number, len(deals)).mean(axis=1)
        size = len(self.view.layout.deck)
        worth, *_ = np.linalg.lstsq(_columns(drawn, size), means - means.mean(), rcond=None)
        best = np.argsort(-(_columns(choices, size) @ worth), kind="stable")[: SHORT - 1]
        kept = [choices[i] for i in sorted(best.tolist())]
        simple = self.others.decide(self.view, PLAIN, rng).action
        return kept if simple in kept or simple not in choices else [simple, *kept]


def _columns(choices: Sequence[Action], size: int) -> FloatArray:
    """Which cards are in each choice."""
    out = np.zeros((len(choices), size))
    for row, choice in zip(out, choices, strict=True):
        row[list(choice.cards)] = 1.0
    return out


def valuer(**options: Any) -> Valuer:
    """The strategy ``core:valuer``. Raises InputError naming a wrong option."""
    return Valuer(**options)
