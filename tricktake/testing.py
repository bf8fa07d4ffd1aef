"""Conformance: what every game and every strategy must satisfy, for the tests of plugin authors.

``check_game`` plays random games and checks every step; ``check_strategy`` lets a strategy play. Both return a
``Report``; ``report.require()`` raises if something failed. Every failure names the seed and the deal, and
``check_game(game, seed=..., ids=[...])`` repeats that deal.
"""

from __future__ import annotations

import contextlib
import io
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from tricktake import steering, worlds
from tricktake.action import Action, Event
from tricktake.cards import bits, unsigned
from tricktake.deal import Deal, DealNotFound, deal
from tricktake.errors import IllegalAction
from tricktake.game import Game
from tricktake.knowledge import Knowledge
from tricktake.messages import line, parse, view_from_json, view_to_json
from tricktake.records.formats import get_format
from tricktake.records.record import record_of
from tricktake.records.recording import Recording
from tricktake.records.verify import AGREE, compare
from tricktake.rules import Tie, TrickRules
from tricktake.search.limit import Limit
from tricktake.steering import Choose
from tricktake.strategies.player import game_roles, plays
from tricktake.strategies.strategy import Decision, Strategy
from tricktake.table import Table
from tricktake.tournament.referee import bidding_of, decision_seed
from tricktake.trick import TrickState, excluded_mask, legal_mask
from tricktake.view import View

HERE = Path(__file__).parent
KEPT = 5  # failures of one check that are kept
PROBES = 3  # steps of a game at which the expensive checks are made, for each seat
STEPS = 2000  # actions after which a game counts as endless
FORCED = 2  # games of each contract that chance did not lead to
INTERRUPT = 0.03  # probability that a seat interrupts (claims) before an action
SLACK = 0.5  # seconds a decision may take beyond its limit, for other load on the machine

GAME_CHECKS = {
    "runs": "random games come to an end without an error",
    "legal": "who is to act has distinct legal actions; all others are refused and change nothing",
    "text": "deals, actions and contracts are read back from their text",
    "play": "legal cards, trick winners and costs are what the TrickRules say, taken literally",
    "views": "a view tells the truth of the own hand, known cards, sizes and turn",
    "leaks": "a view does not change when cards it does not show are exchanged for others",
    "knowledge": "what follows from a view is true of the deal; worlds drawn from it fit it",
    "undo": "taking back restores the position, of the tricks and of the table",
    "replay": "the deal and the actions alone give the same views and score again",
    "score": "every seat gets a score, and they add up to what the game declares",
    "record": "the record of the game is read back from its text, agrees with the rules, and no other score does",
    "messages": "views are read back from their JSON as they were",
    "contracts": "every family of contracts the game names is played, and no other",
}
STRATEGY_CHECKS = {
    "survives": "it decides in every phase without an error",
    "legal": "it chooses among the legal actions",
    "repeatable": "it decides the same for an equal view and the same random numbers",
    "reason": "the reason is one line of text, and nothing is printed",
    "limits": "it keeps its time, roughly",
}


class NotConforming(AssertionError):
    """``require`` was called on a report with failures."""


@frozen
class Failure:
    """One failed check, and the seed and deal that reproduce it, with the contract if that was forced."""

    check: str
    seed: int
    deal: int
    message: str
    contract: str = ""

    def __str__(self) -> str:
        forced = f", contract {self.contract}" if self.contract else ""
        return f"{self.check}: seed {self.seed}, deal {self.deal}{forced}: {self.message}"


@frozen
class Check:
    """One check: its description, how often it was tried, how often it failed, and the first failures."""

    name: str
    promise: str
    count: int
    failed: int = 0
    failures: tuple[Failure, ...] = ()


@frozen
class Report:
    """The checks and the number of deals. kinds: how many games of each kind of contract were played."""

    subject: str
    seed: int
    deals: int
    checks: tuple[Check, ...]
    kinds: Mapping[str, int] = field(factory=dict)

    @property
    def ok(self) -> bool:
        return not any(check.failed for check in self.checks)

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(failure for check in self.checks for failure in check.failures)

    @property
    def contracts(self) -> str:
        """The kinds of contracts and how many games of each were played, in one line."""
        return ", ".join(f"{kind} {count}" for kind, count in sorted(self.kinds.items()))

    def require(self) -> Report:
        """The report itself. Raises NotConforming with all failures if there are any."""
        if not self.ok:
            raise NotConforming(str(self))
        return self

    def __str__(self) -> str:
        lines = [f"{self.subject}: {self.deals} deals, seed {self.seed}: {'ok' if self.ok else 'FAILED'}"]
        lines += [f"  {'ok  ' if not c.failed else 'FAIL'} {c.name:<11}{c.count:>9}  {c.promise}" for c in self.checks]
        lines += [f"  contracts: {self.contracts}"] if self.kinds else []
        lines += [f"  {failure}" for failure in self.failures]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        return {"ok": self.ok, **attrs.asdict(self)}


@attrs.define
class Log:
    """Counts checks and collects failures."""

    promises: Mapping[str, str]
    seed: int
    deal: int = 0
    counts: dict[str, int] = field(factory=dict)
    failures: dict[str, list[Failure]] = field(factory=dict)
    failed: dict[str, int] = field(factory=dict)
    swaps: int = 0  # other deals tried in the search for leaks
    contract: str = ""  # the kind of contract that is forced now
    kinds: dict[str, int] = field(factory=dict)

    def that(self, check: str, true: object, message: str) -> bool:
        self.counts[check] = self.counts.get(check, 0) + 1
        if true:
            return True
        self.failed[check] = self.failed.get(check, 0) + 1
        kept = self.failures.setdefault(check, [])
        if len(kept) < KEPT:
            kept.append(Failure(check, self.seed, self.deal, message, self.contract))
        return False

    @contextlib.contextmanager
    def guard(self, check: str, doing: str) -> Iterator[None]:
        """An error in the block is a failure of ``check``."""
        try:
            yield
        except Exception as error:  # plugins may raise anything
            where = _place(error)
            self.that(check, False, f"{doing} raised {type(error).__name__}: {error} ({where})")

    def report(self, subject: str, deals: int) -> Report:
        checks = [
            Check(n, p, self.counts.get(n, 0), self.failed.get(n, 0), tuple(self.failures.get(n, ())))
            for n, p in self.promises.items()
        ]
        return Report(subject, self.seed, deals, tuple(checks), self.kinds)


def _place(error: Exception) -> str:
    """Where an error came from: the last line outside of this package that led there, and the line itself."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(HERE)]
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in (*own[-1:], frames[-1])]
    return ", ".join(dict.fromkeys(places))


# -- games --------------------------------------------------------------------------------------------------------


@frozen
class _Step:
    """The state of a table before an action: the places of the cards, the seat to move, and every seat's view."""

    places: tuple[int, ...]
    turn: int | None
    phase: str
    views: tuple[View, ...]


def check_game(
    game: Game,
    deals: int = 20,
    seed: int = 0,
    ids: Iterable[int] | None = None,
    contracts: Sequence[str] = (),
    bidder: Strategy | None = None,
) -> Report:
    """Play random games and make every check of ``GAME_CHECKS``.

    ids: the numbers of the deals of the series ``seed`` to play, the first ``deals`` if None.
    contracts: kinds of contracts; with each of them the deals are played that lead to it, and no others.
    bidder: who bids and exchanges at all seats; by default that is drawn, and so is whatever it has no role for.

    Unless ``ids`` or ``contracts`` are given, families of ``game.kinds`` that were not met are forced (``steering``).
    """
    log = Log(GAME_CHECKS, seed)
    numbers = list(range(deals) if ids is None else ids)
    played = 0
    for number in () if contracts else numbers:
        log.deal = number
        played += 1
        choose = None if bidder is None else bidding_of(bidder, seed, str(number))
        _GameCheck(game, log, number, bidder=choose).run()
    every = ids is None and not contracts
    for kind in game.kinds if every else contracts:
        if not every or not any(steering.matches(met, kind) for met in log.kinds):
            played += _forced(game, log, kind, None if every else numbers, bidder if contracts else None)
    log.contract = ""
    for kind in log.kinds:
        known = (*(game.kinds or (kind,)), steering.PASSED_IN)
        belongs = any(steering.matches(kind, family) for family in known)
        log.that("contracts", belongs, f"a contract {kind!r} was played, but kinds are {', '.join(known)}")
    if log.swaps:
        log.that("leaks", log.counts.get("leaks"), "no other deal ever led to the same course of play")
    return log.report(f"game {game.spec}", played)


def _forced(game: Game, log: Log, kind: str, numbers: Sequence[int] | None, bidder: Strategy | None) -> int:
    """Check games of one kind of contract; returns how many.

    numbers: of the deals; None for ``FORCED`` of them, wherever the kind is met: some boards may not know it.
    """
    played = 0
    asked = range(max(FORCED, game.boards)) if numbers is None else numbers
    deals = steering.DEALS if numbers is not None else -(-steering.DEALS // game.boards)
    for number in asked:
        log.deal, log.contract = number, kind
        choose = None if bidder is None else bidding_of(bidder, log.seed, str(number))
        table = None
        with log.guard("runs", f"leading to a contract {kind!r}"):
            try:
                table = steering.reach(game, kind, log.seed, number, bidder=choose, deals=deals)
            except DealNotFound as error:
                if numbers is not None or (number == asked[-1] and not played):
                    log.that("contracts", False, str(error))
        if table is None:
            continue
        played += 1
        _GameCheck(game, log, number, table).run()
        if numbers is None and played == FORCED:
            break
    return played


class _GameCheck:
    """One deal played at random; every step is recorded and then examined.

    bid: the table of a forced contract; its deal and auction are taken over. bidder: makes the auction instead.
    """

    def __init__(
        self, game: Game, log: Log, number: int, bid: Table | None = None, bidder: Choose | None = None
    ) -> None:
        self.game, self.log, self.number = game, log, number
        self.board = number % game.boards
        self.rng = np.random.default_rng([log.seed, number])
        self.deck = game.layout.deck
        self.deal = deal(game.layout, log.seed, number) if bid is None else bid.deal
        self.script = [] if bid is None else [event.action for event in bid.events]
        self.bidder = bidder
        self.steps: list[_Step] = []

    def run(self) -> None:
        table = None
        with self.log.guard("runs", "playing"):
            table = self.play()
        if table is None:
            return
        for check in (self.knowledge, self.leaks, self.undo, self.replay, self.score, self.record, self.messages):
            with self.log.guard(check.__name__, f"checking {check.__name__}"):
                check(table)

    # -- while playing --------------------------------------------------------------------------------------------

    def play(self) -> Table | None:
        log, rng = self.log, self.rng
        read = Deal.from_text(self.game.layout, self.deal.to_text())
        log.that("text", read == self.deal, f"the deal reads back as {read.to_text()}")
        table = Table.start(self.game, self.deal, self.board)
        contract_seen, kind = False, ""
        while True:
            self.steps.append(self.snapshot(table))
            self.view_truth(table)
            turn = table.turn
            if not kind and (kind := steering.kind_of(table)):
                log.kinds[kind] = log.kinds.get(kind, 0) + 1
            if turn is None:
                log.that("runs", table.over, "nobody is to act, but the game is not over")
                return table
            if not log.that("runs", len(self.steps) < STEPS, f"the game is not over after {STEPS} actions"):
                return None
            if table.tricks is not None and table.contract is not None and not contract_seen:
                contract_seen = True
                with log.guard("text", "reading the contract"):
                    self.contract(table)
            legal = table.legal()
            if not log.that("legal", legal, f"seat {turn} has no legal action in phase {self.steps[-1].phase}"):
                return None
            self.legality(table, legal)
            if len(table.events) < len(self.script):
                self.one_action(table, self.script[len(table.events)])
            elif self.bidder is not None and table.tricks is None:
                self.one_action(table, self.bidder(table))
            elif not (rng.random() < INTERRUPT and self.interrupt(table)):
                self.one_action(table, legal[rng.integers(len(legal))])

    def snapshot(self, table: Table) -> _Step:
        views = tuple(table.view(seat) for seat in range(table.seats))
        return _Step(tuple(table.places), table.turn, table.phase.name if table.phase else "over", views)

    def legality(self, table: Table, legal: Sequence[Action]) -> None:
        log, deck = self.log, self.deck
        log.that("legal", len(set(legal)) == len(legal), "an action is legal twice")
        assert table.phase is not None
        log.that(
            "legal", table.phase.role.isidentifier(), f"phase {table.phase.name}: role {table.phase.role!r} is no word"
        )
        for i in sorted(set(self.rng.integers(0, len(legal), 6).tolist())):
            text = legal[i].to_text(deck)
            with log.guard("text", f"reading {text!r}"):
                log.that("text", Action.from_text(text, deck) == legal[i], f"action {text!r} reads back otherwise")
                log.that("text", self.game.parse(text, table) == legal[i], f"the game reads {text!r} otherwise")
        card = int(self.rng.integers(len(deck)))
        for action in (Action("play", cards=(card,)), Action("no-such-verb")):
            if action not in legal:
                before = self.snapshot(table)
                try:
                    table.apply(action)
                    log.that("legal", False, f"{action.to_text(deck)!r} is not legal but was carried out")
                except IllegalAction:
                    log.that("legal", self.snapshot(table) == before, "a refused action changed the table")
        if table.tricks is not None:
            self.play_rules(table, legal)

    def play_rules(self, table: Table, legal: Sequence[Action]) -> None:
        """Knowledge and solvers use only the TrickRules, so the play must follow them exactly."""
        state = table.tricks
        assert state is not None
        hand = table.hands[state.turn]
        offered = sum(action.mask for action in legal if action.verb == "play")
        first = not state.tricks
        now: dict[str, Any] = {
            "broken": state.broken,
            "first": first,
            "released": state.released,
            "leader": state.leader,
        }
        expected = legal_mask(state.rules, hand, state.table, **now)
        for card in bits(offered & expected):
            ruled_out = excluded_mask(state.rules, card, state.table, **now) & hand
            self.log.that("play", not ruled_out, f"{self.deck[card].name} is legal, but says that cards held are not")
        names = self.deck.names
        self.log.that("play", offered == expected, f"legal {names(offered)}, by the rules {names(expected)}")
        places = table.places[: state.rules.seats]
        self.log.that("play", places == state.hands, "the places of the table and the hands in play differ")

    def one_action(self, table: Table, action: Action) -> None:
        state, before = table.tricks, len(table.events)
        tricks = len(state.tricks) if state else 0
        taken = sum(state.taken) if state else 0
        table.apply(action)
        told = {len(events) for events in table.told}
        self.log.that("views", told == {before + 1}, "an action was not told to every seat")
        if state is not None and len(state.tricks) > tricks:
            trick = state.tricks[-1]
            assert trick is not None
            winner = (trick.leader + _winning_place(state.rules, trick.cards, not any(state.hands))) % state.rules.seats
            self.log.that("play", trick.winner == winner, f"seat {trick.winner} won a trick of seat {winner}")
            cost = sum(state.rules.card_cost[c] for c in trick.cards) + state.rules.trick_cost
            cost += state.rules.last_trick_bonus * (not any(state.hands))
            self.log.that("play", sum(state.taken) - taken == cost, f"a trick cost {sum(state.taken) - taken}")

    def interrupt(self, table: Table) -> bool:
        """Let a random seat interrupt, for example claim; a refusal is not a failure."""
        assert table.phase is not None
        seat = int(self.rng.integers(table.seats))
        choices = table.phase.interruptions(seat)
        if not choices:
            return False
        try:
            table.apply(choices[int(self.rng.integers(len(choices)))], seat)
        except IllegalAction:
            return False
        return True

    def view_truth(self, table: Table) -> None:
        log = self.log
        for seat, view in enumerate(self.steps[-1].views):
            log.that("views", view.hand_mask == table.places[seat], f"seat {seat} does not see its hand")
            wrong = [p for p, mask in enumerate(view.known) if mask & ~table.places[p]]
            log.that("views", not wrong, f"seat {seat} knows cards in place {wrong} that do not lie there")
            sizes = tuple(mask.bit_count() for mask in table.places)
            log.that("views", view.sizes == sizes, f"seat {seat} sees sizes {view.sizes}, not {sizes}")
            acts = table.actor == seat and table.turn is not None
            log.that("views", bool(view.legal) == acts, f"seat {seat} is offered actions out of turn, or none in turn")

    def contract(self, table: Table) -> None:
        game, contract = self.game, table.contract
        read = game.contract(str(contract))
        self.log.that("text", read == contract, f"contract {str(contract)!r} reads back as {str(read)!r}")
        if tuple(mask.bit_count() for mask in table.places) == game.layout.sizes_at_play:
            played = Deal(game.layout, tuple(table.places))
            again = Table.at_contract(game, self.deal, read, played, self.board)
            a, b = again.tricks, table.tricks
            same = a is not None and b is not None and (a.rules, a.taken, a.turn) == (b.rules, b.taken, b.turn)
            self.log.that("text", same, f"a table started at contract {str(contract)!r} differs")

    # -- after the game -------------------------------------------------------------------------------------------

    def knowledge(self, table: Table) -> None:
        for number, step in enumerate(self.steps):
            probe = self.rng.random() < PROBES / len(self.steps)
            for seat, view in enumerate(step.views):
                k = Knowledge.from_view(view)
                where = f"step {number}, seat {seat}"
                self.log.that("knowledge", k.contains(step.places), f"{where}: the true deal is ruled out")
                if probe and k.feasible():
                    for world in worlds.sample(k, 3, self.rng):
                        self.log.that("knowledge", k.contains(world), f"{where}: a world drawn does not fit")
                        if view.rules is not None and step.turn is not None and view.legal_cards_mask():
                            legal = view.state(world).legal_cards_mask()
                            same = view.turn != seat or legal == view.legal_cards_mask()
                            self.log.that("knowledge", same, f"{where}: a world has other legal cards")

    def leaks(self, table: Table) -> None:
        """Replay another deal that differs only in cards a seat has never seen: its views must stay equal."""
        last = len(self.steps) - 1
        for seat in range(table.seats):
            for until in {0, *self.rng.integers(0, last + 1, PROBES).tolist()}:
                k = Knowledge.from_view(self.steps[until].views[seat])
                swap = self.exchange_hidden(k, self.steps[until].places, self.ever_seen(seat, until))
                if swap is not None:
                    self.compare(table, seat, until, swap)

    def ever_seen(self, seat: int, until: int) -> int:
        seen = 0
        for step in self.steps[: until + 1]:
            view = step.views[seat]
            seen |= view.gone
            for mask in view.known:
                seen |= mask
        return seen

    def exchange_hidden(self, k: Knowledge, places: tuple[int, ...], seen: int) -> list[int] | None:
        """A permutation of the cards that leads from the true world to another world consistent with the view."""
        undealt = k.layout.deck.full_mask & k.unseen
        for mask in places:
            undealt &= ~mask
        truth = {place.index: (*places, undealt)[place.index] & k.unseen for place in k.hidden}
        for place, mask in truth.items():
            for card in bits(mask & seen):  # seen earlier, in another place
                k = k.with_card(place, card)
        if not k.feasible() or not k.hidden:
            return None
        world = [unsigned(mask) for mask in worlds.sample(k, 1, self.rng)[0]]
        left = k.unseen
        for mask in world:
            left &= ~mask
        swap = list(range(len(k.layout.deck)))
        for hidden in k.hidden:
            old, new = truth[hidden.index] & k.unseen, (*world, left)[hidden.index] & k.unseen
            for a, b in zip(bits(old & ~new), self.rng.permutation(list(bits(new & ~old))).tolist(), strict=True):
                swap[a] = b
        return swap if swap != sorted(swap) else None

    def compare(self, table: Table, seat: int, until: int, swap: list[int]) -> None:
        def moved(mask: int) -> int:
            return sum(1 << swap[c] for c in bits(mask))

        self.log.swaps += 1
        other = Deal(self.game.layout, tuple(moved(mask) for mask in self.deal.masks))
        twin = Table.start(self.game, other, self.board)
        for number, step in enumerate(self.steps[: until + 1]):
            if twin.turn != step.turn or (twin.phase.name if twin.phase else "over") != step.phase:
                return  # the seat to move is public and reveals something about the cards
            if differences := _differences(step.views[seat], twin.view(seat)):
                message = f"step {number}: seat {seat} can tell {other.to_text()!r} by {', '.join(differences)}"
                self.log.that("leaks", False, message)
                return
            if number < until:
                event = table.events[number]
                action = attrs.evolve(event.action, cards=tuple(swap[c] for c in event.action.cards))
                try:
                    twin.apply(action, event.seat)
                except IllegalAction:
                    return  # the rules do not allow this course of play with those cards
        self.log.that("leaks", True, "")

    def messages(self, table: Table) -> None:
        """What an engine is sent says all that a view does."""
        for _ in range(PROBES):
            number, seat = self.rng.integers(len(self.steps)), self.rng.integers(table.seats)
            view = self.steps[number].views[seat]
            read = view_from_json(parse(line(view_to_json(view))), self.game)
            wrong = [f.name for f in attrs.fields(View) if getattr(read, f.name) != getattr(view, f.name)]
            self.log.that("messages", not wrong, f"step {number}, seat {seat}: reads back with another {wrong}")

    def undo(self, table: Table) -> None:
        last = len(self.steps) - 1
        for until in sorted(set(self.rng.integers(1, last + 1, PROBES).tolist())) if last else []:
            current = Table.replay(self.game, self.deal, table.events[:until], self.board)
            if current.tricks is not None:
                self.undo_tricks(current.tricks)
            back = current.undo()
            same = self.snapshot(back) == self.steps[until - 1]
            self.log.that("undo", same, f"undoing action {until} does not lead back to where it was taken")

    def undo_tricks(self, state: TrickState) -> None:
        copy = state.copy()
        before = _position(copy)
        played = 0
        while not copy.over and played < 2 * state.rules.seats:
            legal = copy.legal()
            copy.play(legal[self.rng.integers(len(legal))])
            played += 1
        for _ in range(played):
            copy.undo()
        self.log.that("undo", _position(copy) == before, f"{played} cards taken back leave another position")
        self.log.that("undo", _position(state) == before, "playing on in a copy changed the original")

    def replay(self, table: Table) -> None:
        lines = [(event.seat, event.action.to_text(self.deck)) for event in table.events]
        events = [Event(seat, Action.from_text(text, self.deck)) for seat, text in lines]
        self.log.that("text", events == table.events, "the actions of the game read back otherwise")
        again = Table.replay(self.game, Deal.from_text(self.game.layout, self.deal.to_text()), events, self.board)
        self.log.that("replay", self.snapshot(again) == self.steps[-1], "the views differ")
        self.log.that("replay", again.told == table.told, "what the seats were told differs")
        self.log.that("replay", again.score() == table.score(), "the score differs")

    def score(self, table: Table) -> None:
        log, game = self.log, self.game
        score = table.score()
        log.that("score", len(score.points) == game.seats, f"{len(score.points)} scores for {game.seats} seats")
        log.that("score", score.won in (None, True, False), f"won is {score.won!r}")
        log.that("score", len(game.series_points(score)) == game.seats, "series_points does not fit the seats")
        if game.score_total is not None:
            total = sum(score.points)
            log.that("score", total == game.score_total, f"the points add up to {total}, not {game.score_total}")

    def record(self, table: Table) -> None:
        """The way of every record: from the table into text and back, and to the comparison of ``verify``."""
        log, game, form = self.log, self.game, get_format("jsonl")
        (record,) = form.loads(form.text(record_of(table, str(self.number))), game)
        comparison, recording = compare(game, record), Recording.of(game)
        log.that("record", comparison.status == AGREE, f"its own record does not agree: {comparison.reason}")
        log.that("record", recording.score(record) == table.score(), "the score by the record differs")
        log.that("record", record.contract == table.contract, f"the record has the contract {record.contract}")
        wrong = [points + 1 for points in table.score().points]
        claims = attrs.evolve(record, result={**record.result, "points": wrong})
        log.that("record", compare(game, claims).status != AGREE, "a record with wrong points agrees")
        if table.tricks is not None and record.plays:
            hands = record.table_at_play(game).open_cards().hands
            log.that("record", recording.problem(record).state.hands == hands, "the problem to solve has other hands")


def _winning_place(rules: TrickRules, cards: Sequence[int], last: bool) -> int:
    """The winner's position in the trick: cards that always win, trumps, the led suit, then power, then ties."""
    places = [place for place, card in enumerate(cards) if not rules.never_wins >> card & 1] or [0]
    led = rules.suit_of[cards[places[0]]]

    def strength(place: int) -> tuple[int, bool, bool, int, int]:
        card = cards[place]
        suit, first = rules.suit_of[card], bool(rules.always_wins >> card & 1)
        later = (rules.ties is Tie.LAST) != bool(rules.other_ties >> card & 1 and not (last and rules.last_ties))
        order = place if later and not first else -place
        if first:  # whatever their suits are, the first of them wins
            return (True, False, False, 0, order)
        return (False, suit == rules.trump, suit == led, rules.power[card], order)

    return max(places, key=strength)


def _position(state: TrickState) -> tuple[Any, ...]:
    lists: list[list[Any]] = [state.hands, state.table, state.taken, state.won, state.tricks]
    return (state.leader, state.broken, state.released, *(tuple(values) for values in lists))


def _differences(a: View, b: View) -> list[str]:
    return [f.name for f in attrs.fields(View) if getattr(a, f.name) != getattr(b, f.name)]


# -- strategies ---------------------------------------------------------------------------------------------------


def check_strategy(
    strategies: Strategy | Mapping[str, Strategy],
    game: Game,
    deals: int = 5,
    seed: int = 0,
    limit: Limit | None = None,
    ids: Iterable[int] | None = None,
    name: str = "",
) -> Report:
    """Let a strategy play all seats and make every check of ``STRATEGY_CHECKS``.

    strategies: one for its own ``roles`` (all if it names none), or one for each role; other roles act at random.
    limit: by default 5 worlds and 2 seconds per decision. The first decision of each role may compile kernels and is
    not timed.
    """
    log = Log(STRATEGY_CHECKS, seed)
    limit = limit or Limit(seconds=2.0, worlds=5)
    roles = game_roles(game)
    if isinstance(strategies, Mapping):
        by_role = strategies
    else:
        by_role = {role: strategies for role in roles if plays(strategies, role)}
    numbers = list(range(deals) if ids is None else ids)
    timed: set[str] = set()
    for number in numbers:
        log.deal = number
        with log.guard("survives", "playing"):
            _play_strategy(by_role, game, log, number, limit, timed)
    subject = name or " and ".join(sorted({type(strategy).__name__ for strategy in by_role.values()}))
    return log.report(f"strategy {subject} in {game.spec}", len(numbers))


def _play_strategy(
    strategies: Mapping[str, Strategy], game: Game, log: Log, number: int, limit: Limit, timed: set[str]
) -> None:
    deck = game.layout.deck
    rng = np.random.default_rng([log.seed, number])
    board = number % game.boards
    table = Table.start(game, deal(game.layout, log.seed, number), board)
    again: list[tuple[int, int, Decision]] = []
    while (actor := table.actor) is not None:
        step = len(table.events)
        view = table.view(actor)
        strategy = strategies.get(view.role)
        legal = list(view.legal)
        action = legal[rng.integers(len(legal))]
        if strategy is not None:
            decision = _decide(strategy, view, limit, log, step, timed)
            if decision is None:
                return
            where = f"step {step}, seat {actor}, phase {view.phase}"
            choices = (*view.legal, *view.interruptions)
            text = decision.action.to_text(deck)
            if not log.that("legal", decision.action in choices, f"{where}: {text!r} is not legal"):
                return
            action = decision.action
            again.append((step, actor, decision))
        try:
            table.apply(action, None if action in legal else actor)
        except IllegalAction:  # an interruption the referee refused: play on
            table.apply(legal[0])
    # Asked again in another order, with equal views that are other objects: this detects strategies with state.
    for i in rng.permutation(len(again))[: 2 * PROBES].tolist():
        step, seat, first = again[i]
        view = Table.replay(game, table.deal, table.events[:step], board).view(seat)
        second = _decide(strategies[view.role], view, limit, log, step, timed)
        same = second is not None and second.action == first.action
        texts = [d.action.to_text(deck) if d else "nothing" for d in (first, second)]
        log.that("repeatable", same, f"step {step}, seat {seat}: first {texts[0]!r}, then {texts[1]!r}")


def _decide(strategy: Strategy, view: View, limit: Limit, log: Log, step: int, timed: set[str]) -> Decision | None:
    where = f"step {step}, seat {view.seat}, phase {view.phase}"
    printed = io.StringIO()
    began = time.perf_counter()
    decision: Any = _decide
    with log.guard("survives", f"{where}: deciding"), contextlib.redirect_stdout(printed):
        rng = np.random.default_rng(decision_seed(log.seed, str(log.deal), view.seat, step))
        decision = strategy.decide(view, limit, rng)
    seconds = time.perf_counter() - began
    if decision is _decide:  # it raised
        return None
    if not log.that("survives", isinstance(decision, Decision), f"{where}: {decision!r} is no Decision"):
        return None
    one_line = isinstance(decision.reason, str) and "\n" not in decision.reason
    log.that("reason", one_line, f"{where}: the reason {decision.reason!r} is not one line")
    log.that("reason", not printed.getvalue(), f"{where}: printed {printed.getvalue()[:60]!r}")
    if limit.seconds is not None and view.role in timed:
        late = f"{where}: {seconds:.2f} s with a limit of {limit.seconds} s"
        log.that("limits", seconds <= 1.5 * limit.seconds + SLACK, late)
    timed.add(view.role)
    return decision
