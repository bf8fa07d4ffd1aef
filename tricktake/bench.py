"""Benches: fixed work whose speed is measured, and whose signature must not change unnoticed.

A bench is a plain function that returns a ``Result``; ``BENCHES`` lists them all. The signature of a search bench is
its node count over fixed, seeded deals: a change that only affects speed keeps it, any other change needs a new
tests/data/bench.json.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from attrs import field, frozen

from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.policy.games import play as policy_play
from tricktake.policy.policy import Net, Packed, padded
from tricktake.policy.positions import batch_of_hands
from tricktake.policy.train import fresh
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.infoset import InfoSet
from tricktake.search.opencard import Solver
from tricktake.search.paranoia import Paranoia
from tricktake.search.playout import playouts
from tricktake.search.positions import Positions
from tricktake.settings import json_of
from tricktake.trick import TrickState

SEED = 20_251_121
PLAYOUTS = 200_000
POLICY_GAMES = 20_000
YARDSTICK = "playouts"
MOST_COMMITS = 100  # whose speeds are kept


@frozen
class Result:
    """The result of a bench: ``count`` of ``unit`` in ``seconds`` of processor time, for so many ``questions`` (deals
    or games); ``signature`` is the same on every machine.
    """

    name: str
    count: int
    unit: str
    seconds: float
    signature: int
    questions: int

    @property
    def per_second(self) -> float:
        return self.count / self.seconds if self.seconds else 0.0


Bench = Callable[[], Result]

DECK = Deck("CSHD", "789QKTAJ")
EYES = tuple({"T": 10, "A": 11, "K": 4, "Q": 3, "J": 2}.get(card.rank, 0) for card in DECK)


def eyes_rules() -> TrickRules:
    """One against two for eyes, jacks and clubs being trumps (a suit game of Skat)."""
    suits = tuple(0 if c.rank == "J" else "CSHD".index(c.suit) for c in DECK)
    powers = tuple(20 + "DHSC".index(c.suit) if c.rank == "J" else "789QKTA".index(c.rank) for c in DECK)
    goals = (Goal(GoalKind.AT_LEAST, 61), Goal(GoalKind.AT_LEAST, 60))
    return TrickRules(DECK, 3, suits, powers, 0, EYES, teams=(0, 1, 1), goals=goals)


def null_rules() -> TrickRules:
    """One against two, whose aim is to take no trick."""
    suits, powers = _plain(DECK, "789TJQKA")
    goals = (Goal(GoalKind.AT_MOST, 0), Goal(GoalKind.AT_LEAST, 1))
    return TrickRules(DECK, 3, suits, powers, trick_cost=1, teams=(0, 1, 1), goals=goals)


def tricks_rules() -> TrickRules:
    """Two against two for tricks, spades being trumps (bridge)."""
    deck = Deck("CDHS", "6789TJQKA")
    return TrickRules(deck, 4, *_plain(deck, deck.ranks), 3, trick_cost=1, teams=(0, 1, 0, 1))


def hearts_rules() -> TrickRules:
    """Four players without partners who avoid hearts and the queen of spades, with lead restrictions."""
    deck = Deck("CDSH", "6789TJQKA")
    costs = tuple(1 if c.suit == "H" else 13 if c.kind == "SQ" else 0 for c in deck)
    hearts = deck.of_suit_mask("H")
    return TrickRules(
        deck, 4, *_plain(deck, deck.ranks), card_cost=costs, goals=(Goal(GoalKind.LEAST),) * 4,
        lead_limit=hearts, breakers=hearts,
    )  # fmt: skip


def _plain(deck: Deck, ranks: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(deck.suits.index(c.suit) for c in deck), tuple(ranks.index(c.rank) for c in deck)


def deals(rules: TrickRules, cards: int, count: int, seed: int = SEED) -> list[TrickState]:
    """Seeded deals of ``cards`` cards per seat."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        order = rng.permutation(len(rules.deck))
        hands = [sum(1 << int(c) for c in order[s * cards : (s + 1) * cards]) for s in range(rules.seats)]
        found.append(TrickState(rules, hands))
    return found


def _search(name: str, rules: TrickRules, cards: int, count: int, threshold: int | None = None) -> Result:
    positions = Positions.from_states(deals(rules, cards, count), 1 if rules.seats == 3 else rules.side_mask(0))
    solver = Solver()
    solver.warm_up()
    start = time.process_time()
    found = solver.batch(positions, "value" if threshold is None else "win", threshold=threshold)
    seconds = time.process_time() - start
    nodes = int(found.nodes.sum())
    return Result(name, nodes, "nodes", seconds, nodes, count)


def eyes_exact() -> Result:
    """Exact values of full deals for eyes."""
    return _search("eyes exact", eyes_rules(), 10, 8)


def eyes_win() -> Result:
    """Won or lost, full deals for eyes."""
    return _search("eyes win", eyes_rules(), 10, 24, 61)


def null_exact() -> Result:
    """Exact values of full deals in which the declarer avoids tricks."""
    return _search("null exact", null_rules(), 10, 8)


def tricks_exact() -> Result:
    """Exact values of partnership deals for tricks."""
    return _search("tricks exact", tricks_rules(), 9, 8)


def hearts_exact() -> Result:
    """Exact values of one against all others, avoiding cost."""
    return _search("hearts exact", hearts_rules(), 7, 4)


def seen_by_leader(state: TrickState) -> InfoSet:
    """What the seat that leads to the first trick knows of a deal, if the cards that nobody has are known."""
    rules, cards = state.rules, state.hands[0].bit_count()
    known = tuple(hand if seat == state.leader else 0 for seat, hand in enumerate(state.hands))
    layout = Layout(rules.deck, (cards,) * rules.seats)
    knowledge = Knowledge.make(layout, known, layout.sizes, rules.deck.full_mask & ~sum(state.hands))
    return InfoSet(rules, knowledge, 1 << state.leader, rules.side_mask(state.leader), state.leader)


def paranoia_win() -> Result:
    """Proofs against all worlds: a leader who sees his seven cards, for a third of all eyes."""
    search, goal, nodes = Paranoia(doubts=()), Goal(GoalKind.AT_LEAST, 40), 0
    seconds, states = 0.0, deals(eyes_rules(), 7, 24)
    for info in map(seen_by_leader, states):
        if not nodes:
            search.prove(info, goal)
        start = time.process_time()
        nodes += search.prove(info, goal).nodes
        seconds += time.process_time() - start
    return Result("paranoia win", nodes, "nodes", seconds, nodes, len(states))


def random_games() -> Result:
    """Random playouts of a full deal for eyes."""
    positions = Positions.from_states(deals(eyes_rules(), 10, 1), 1)
    playouts(positions, 1, np.random.default_rng(SEED))
    start = time.process_time()
    totals = playouts(positions, PLAYOUTS, np.random.default_rng(SEED))
    return Result(YARDSTICK, PLAYOUTS, "games", time.process_time() - start, int(totals.sum()), PLAYOUTS)


def policy_games() -> Result:
    """Full deals for eyes played by untrained policies of the usual widths, the best card each: set beside playouts."""
    rules = eyes_rules()
    batch = batch_of_hands(rules, [state.hands for state in deals(rules, 10, POLICY_GAMES)], declarer=0)
    encoding = batch.encoding
    shape = np.array([encoding.inputs, 128, 32, padded(encoding.cards)], np.int64)
    packed = Packed.of([Net.of_floats(shape, weights) for weights in fresh(shape, rules.seats, SEED)])
    policy_play(batch.chosen(np.arange(1)), batch.roles()[:1], packed)
    start = time.process_time()
    played = policy_play(batch, batch.roles(), packed, seed=SEED)
    seconds = time.process_time() - start
    return Result("policy games", POLICY_GAMES, "games", seconds, int(played.costs[:, 0].sum()), POLICY_GAMES)


BENCHES: tuple[Bench, ...] = (
    eyes_exact,
    eyes_win,
    null_exact,
    tricks_exact,
    hearts_exact,
    paranoia_win,
    random_games,
    policy_games,
)


def measured(run: Bench, runs: int = 1) -> Result:
    """The quickest of so many runs of a bench, since whatever else a machine does takes time and gives none."""
    return min((run() for _ in range(runs)), key=lambda result: result.seconds)


def ratios(results: list[Result]) -> dict[str, float]:
    """How many random playouts take as long as a question of each bench, if ``YARDSTICK`` was run: a measure of speed
    that means much the same on every machine.
    """
    yardstick = next((r.seconds / r.questions for r in results if r.name == YARDSTICK), 0.0)
    return {r.name: r.seconds / r.questions / yardstick for r in results if yardstick and r.name != YARDSTICK}


def read_signatures(file: Path) -> dict[str, int]:
    """The signatures a file holds, by name. Raises InputError."""
    found = json_of(file)
    try:
        return {str(name): int(number) for name, number in found["signatures"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(file, None, "signatures", f"cannot be read ({error})") from error


def write_signatures(file: Path, results: list[Result]) -> None:
    """Write the signatures of ``results`` as ``read_signatures`` reads them."""
    file.write_text(json.dumps({"signatures": {r.name: r.signature for r in results}}, indent=2) + "\n")


def moved(results: list[Result], known: Mapping[str, int]) -> list[str]:
    """The differences from known signatures, in words; new benches are not compared."""
    return [
        f"{r.name}: signature {r.signature}, was {known[r.name]}"
        for r in results
        if r.name in known and known[r.name] != r.signature
    ]


@frozen
class Speeds:
    """Seconds of benches by commit, the newest last: a file that ``tricktake bench --speeds`` keeps.

    There may be none yet. Times are of one machine and of what else it did; two commits are best compared in runs next
    to each other.
    """

    by_commit: Mapping[str, Mapping[str, float]] = field(factory=dict)

    @classmethod
    def read(cls, file: Path) -> Speeds:
        """What a file holds, nothing if there is none. Raises InputError."""
        if not file.is_file():
            return cls()
        found = json_of(file)
        try:
            return cls({
                str(commit): {str(name): float(seconds) for name, seconds in each.items()}
                for commit, each in found["seconds"].items()
            })  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(file, None, "seconds", f"cannot be read ({error})") from error

    def before(self, commit: str) -> str | None:
        """The newest other commit."""
        return next((other for other in reversed(list(self.by_commit)) if other != commit), None)

    def gains(self, commit: str, results: list[Result]) -> dict[str, float]:
        """How many times as fast as at the newest other commit, by bench; those it does not know are left out."""
        old = self.by_commit.get(self.before(commit) or "", {})
        return {r.name: old[r.name] / r.seconds for r in results if old.get(r.name) and r.seconds}

    def with_results(self, commit: str, results: list[Result]) -> Speeds:
        """The same with a commit as the newest; benches not run now keep their times."""
        mine = {**self.by_commit.get(commit, {}), **{r.name: round(r.seconds, 6) for r in results}}
        others = {other: each for other, each in self.by_commit.items() if other != commit}
        return Speeds(dict(list({**others, commit: mine}.items())[-MOST_COMMITS:]))

    def write(self, file: Path) -> None:
        """Write the file, as ``read`` reads it. Raises InputError."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"seconds": self.by_commit}, indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(file, None, None, error.strerror or str(error)) from error
