"""Learning a policy by playing: at random decisions every promising card is played out by the policy itself, with the
same random numbers, and the softmax moves towards what was worth more.

A round is some games, the decisions they gave (kept in a ring and learned from several times), and a new set of whole
numbers to play with. In some of the games one side is a policy of an earlier round. With one job everything follows
from the seed; where time decides when to stop, the number of rounds does not.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict, astuple, fields, frozen
from numpy.typing import NDArray

from tricktake import pool
from tricktake._kernels import policy_play as play_kernel
from tricktake._kernels import policy_train as train_kernel
from tricktake._kernels.policy_layout import B_TRUE, R_DECLARER
from tricktake.arrays import IntArray
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.policy import checkpoint, games
from tricktake.policy.actors import Actor, Decisions, Turn
from tricktake.policy.policy import Family, Net, Packed, aligned, padded
from tricktake.policy.positions import Batch
from tricktake.policy.practice import Practice, practice_for
from tricktake.policy.ring import PARTS, Ring
from tricktake.pool import Jobs

FloatArray = NDArray[np.float32]

SHOW, SAVE = 20.0, 30.0  # seconds between lines of progress, and between checkpoints
POINTS = 10  # at least so many has the curve of a given time
TEST, TESTED = 1_000_003, 2000  # positions that measure strength: of a seed so much higher, so many


@frozen
class Settings:
    """How a policy learns. hidden, inner: widths of its layers. games: played in a round. stops: decisions of a game at
    which cards are played out. reuse: how often a decision is learned from. ring: decisions kept, of all roles.
    window: of those seen so far the share of the latest ones that are learned from; older ones were played out by
    weaker play. batch: decisions of a step. rate, last_rate and entropy, last_entropy: at the beginning and at the end.
    even: how far advantages are weighed evenly instead of by chance (``softmax_gradient``). heat: temperature of play.
    sober: of playouts. floor, tried: cards of a smaller chance are played out that rarely.
    league: past policies kept, one every ``era`` rounds. share: of games with one of them.
    """

    hidden: int = 128
    inner: int = 32
    games: int = 4096
    stops: int = 3
    reuse: float = 6.0
    ring: int = 300_000
    batch: int = 256
    rate: float = 1e-3
    last_rate: float = 1e-4
    entropy: float = 0.02
    last_entropy: float = 0.002
    even: float = 0.0
    heat: float = 1.0
    sober: float = 0.5
    floor: float = 0.02
    tried: float = 0.1
    window: float = 0.25
    league: int = 8
    era: int = 20
    share: float = 0.25


@frozen(eq=False)
class Learned:
    """What changes while learning: weights and moments of each role, the league, and how far it is."""

    weights: FloatArray
    first: FloatArray
    second: FloatArray
    steps: IntArray
    league: list[tuple[Net, ...]]
    counts: dict[str, float]


def fresh(shape: IntArray, roles: int, seed: int) -> FloatArray:
    """Small random weights for each role: about 1 at every sum of some 45 inputs."""
    rng = np.random.default_rng([seed, 1])
    inputs, hidden, inner, outputs = (int(x) for x in shape[:4])
    found = []
    for _ in range(roles):
        second = np.concatenate([rng.normal(0, (2 / hidden) ** 0.5, (hidden, inner)), np.zeros((1, inner))])
        third = np.concatenate([rng.normal(0, 0.3 * inner**-0.5, (inner, outputs)), np.zeros((1, outputs))])
        parts = [rng.normal(0, 0.15, inputs * hidden), second.ravel(), third.ravel()]
        found.append(np.concatenate(parts).astype(np.float32))
    return np.stack(found)


def widened(net: Net, shape: IntArray, seed: int) -> FloatArray:
    """Its weights in a shape; where that is twice as wide every hidden unit becomes two that share, unevenly so that
    they part in learning, what it was worth (Net2WiderNet, Chen, Goodfellow and Shlens 2016). Raises ValueError.
    """
    floats = net.floats()
    inputs, hidden = net.first.shape
    if int(shape[1]) != 2 * hidden:
        return floats
    first, second, third = np.split(floats, np.cumsum([net.first.size, net.second.size]))
    first, second = first.reshape(inputs, hidden), second.reshape(net.second.shape)
    part = np.random.default_rng([seed, 3]).uniform(0.25, 0.75, (hidden, 1)).astype(np.float32)
    parts = [np.concatenate([first, first], axis=1), second[:-1] * part, second[:-1] * (1 - part), second[-1:]]
    return np.concatenate([each.ravel() for each in (*parts, third)])


class Trainer:
    """Learns the policy of one family from its positions. ``start``: networks to go on from, None for nothing.

    jobs: a crew plays the games of a round; what is learned does not depend on it. Else this process does.
    """

    def __init__(
        self, batch: Batch, settings: Settings, seed: int, start: Family | None = None, jobs: Jobs = 1
    ) -> None:
        """Networks of half the hidden width are widened.

        Raises InputError if ``start`` was made for other rules or with other widths.
        """
        self.batch, self.settings, self.seed, self.jobs = batch, settings, seed, jobs
        encoding = batch.encoding
        self.roles = batch.roles()
        self.number = int(self.roles.max()) + 1
        if encoding.inputs > np.iinfo(np.uint16).max:
            raise InputError(None, None, "game", f"{encoding.inputs} inputs are too many")
        self.shape = np.array([encoding.inputs, settings.hidden, settings.inner, padded(encoding.cards)], np.int64)
        weights = fresh(self.shape, self.number, seed)
        if start is not None:
            if start.key != encoding.key or len(start.nets) != self.number:
                raise InputError(None, None, "from", f"family {start.name} was learned for other rules")
            try:
                weights = np.stack([widened(net, self.shape, seed) for net in start.nets]).reshape(weights.shape)
            except ValueError:
                raise InputError(None, None, "from", "its networks have other widths") from None
        self.gradient = aligned(weights.shape[1], np.float32)
        first, second, kept = (aligned(weights.size, np.float32).reshape(weights.shape) for _ in range(3))
        kept[:] = weights
        counts = {"rounds": 0.0, "games": 0.0, "decisions": 0.0, "seconds": 0.0, "clock": 0.0}
        self.state = Learned(kept, first, second, np.ones(self.number, np.int64), [], counts)
        most = most_inputs(batch)
        self.rings = [Ring.make(settings.ring // self.number, int(self.shape[3]), most) for _ in range(self.number)]
        self.seen = np.zeros(self.number)
        self.unit = self._unit()
        self.nets = self._nets()

    def _unit(self) -> float:
        """Gains are learned in units of their spread when everybody plays at random."""
        some = self.batch.chosen(np.arange(min(len(self.batch), 4096)))
        played = games.play(some, np.full((len(some), self.batch.encoding.seats), games.RANDOM), seed=self.seed)
        spread = float(played.gains.std())
        return 1 / spread if spread else 1.0

    def _nets(self) -> tuple[Net, ...]:
        return tuple(Net.of_floats(self.shape, weights) for weights in self.state.weights)

    # -- one round ----------------------------------------------------------------------------------------------------

    def round(self, progress: float) -> float:
        """Play and learn once. progress: 0 to 1, where rates and entropy are. The mean value of what was learned
        from.
        """
        begun, settings, state = time.process_time(), self.settings, self.state
        number = int(state.counts["rounds"])
        rng = np.random.default_rng([self.seed, 2, number])
        which = rng.integers(0, len(self.batch), settings.games)
        batch = self.batch.chosen(which)
        players = self._players(batch, self.roles[which], rng)
        found = self._practise(batch, players, rng)
        value = 0.0
        entropy = mixed(settings.entropy, settings.last_entropy, progress)
        rate = mixed(settings.rate, settings.last_rate, progress)
        for role, ring in enumerate(self.rings):
            value += self._learn(role, ring, int(found[role]), rate, entropy, rng) / self.number
        self.nets = self._nets()
        if settings.league and number % settings.era == settings.era - 1:
            state.league.append(self.nets)
            if len(state.league) > settings.league:
                # Keep the newest and thin out the old ones.
                del state.league[int(rng.integers(0, len(state.league) - 1))]
        state.counts["rounds"] += 1
        state.counts["games"] += len(batch)
        state.counts["decisions"] += int(found.sum())
        state.counts["seconds"] += time.process_time() - begun
        return value / self.unit

    def _players(self, batch: Batch, roles: IntArray, rng: np.random.Generator) -> IntArray:
        """Networks by number: the learner's roles, and in some games a past policy's on one side."""
        players = roles.copy()
        past = len(self.state.league)
        if not past:
            return players
        n, seats = len(batch), self.batch.encoding.seats
        turned = rng.random(n) < self.settings.share
        old = rng.integers(0, past, n)
        seat = np.where(rng.random(n) < 0.5, np.maximum(batch.rows[:, R_DECLARER], 0), rng.integers(0, seats, n))
        side = batch.block(B_TRUE)[np.arange(n), seat]
        inside = (side[:, None] >> np.arange(seats) & 1).astype(bool)
        other = np.where(rng.random(n)[:, None] < 0.5, inside, ~inside)
        found: IntArray = np.where(turned[:, None] & other, self.number * (1 + old[:, None]) + roles, players)
        return found

    def _practise(self, batch: Batch, players: IntArray, rng: np.random.Generator) -> IntArray:
        """Play, and put the decisions into the rings; how many of each role."""
        settings = self.settings
        room = len(batch) * settings.stops
        turn = Turn(batch, players, games.seeds_of(rng, len(batch)), self.nets, room)
        league = tuple(net for nets in self.state.league for net in nets)
        actor = functools.partial(
            Actor, self.number, league, self.unit, settings.stops, settings.heat, settings.sober, settings.floor,
            settings.tried,
        )  # fmt: skip
        if isinstance(self.jobs, int):
            found = actor()(turn)
        else:
            parts = list(pool.run(actor, turn.parts(settings.stops), self.jobs, ordered=True))
            found = Decisions.joined(parts).upto(room)
            self.state.counts["seconds"] += found.seconds
        numbers = np.zeros(self.number, np.int64)
        for role, ring in enumerate(self.rings):
            mine = np.flatnonzero(found.which == role)
            ring.add(found.seen[mine], found.counts[mine], found.legals[mine], found.gains[mine])
            numbers[role] = len(mine)
        return numbers

    def _learn(
        self, role: int, ring: Ring, fresh_ones: int, rate: float, entropy: float, rng: np.random.Generator
    ) -> float:
        state, batch = self.state, self.settings.batch
        wanted = int(fresh_ones * self.settings.reuse) // batch * batch
        if not wanted or ring.used < batch:
            return 0.0
        self.seen[role] += fresh_ones
        window = min(ring.used, max(4 * fresh_ones, int(self.settings.window * self.seen[role])))
        order = ring.latest(rng.integers(0, window, wanted))
        value: float = train_kernel.learn(
            self.shape, state.weights[role], state.first[role], state.second[role], self.gradient, ring.seen,
            ring.counts, ring.legals, ring.gains, order, batch, rate, entropy,
            self.settings.even, int(state.steps[role]),
        )  # fmt: skip
        state.steps[role] += wanted // batch
        return value

    # -- looking at it ------------------------------------------------------------------------------------------------

    def family(self, name: str) -> Family:
        """The policy as it is now."""
        return Family(name, self.batch.encoding.key, self.nets)

    def strength(self, batch: Batch, baseline: IntArray, seed: int) -> tuple[float, float]:
        """How much more it gains a game than a plain player in its place, and the standard error."""
        return games.strength(batch, batch.roles(), baseline, Packed.of(self.nets), seed=seed)

    # -- keeping it ---------------------------------------------------------------------------------------------------

    def save(self, path: Path, curve: Sequence[Point] = ()) -> None:
        """Write all that the next round follows from; put in place when complete. Raises InputError."""
        state = self.state
        arrays: checkpoint.Arrays = {
            "weights": state.weights, "first": state.first, "second": state.second, "steps": state.steps,
            "counts": np.array(list(state.counts.values())), "seen": self.seen,
            "curve": np.array([astuple(point) for point in curve], np.float64).reshape(-1, len(fields(Point))),
        }  # fmt: skip
        for role, ring in enumerate(self.rings):
            arrays |= {f"ring.{role}.{name}": array for name, array in ring.packed().items()}
        for number, nets in enumerate(state.league):
            for role, net in enumerate(nets):
                arrays |= {f"league.{number}.{role}.{name}": array for name, array in net.arrays().items()}
        checkpoint.save(path, self._words(), arrays)

    def restore(self, path: Path) -> list[list[float]]:
        """Go on from what ``save`` wrote as if nothing had happened; the points of its curve. Raises InputError if it
        is damaged, or belongs to other rules, another seed or settings.
        """
        found = checkpoint.load(path, self._words())
        try:
            return self._take(found)
        except (KeyError, ValueError, OverflowError) as error:
            raise InputError(path, None, None, f"damaged checkpoint: {type(error).__name__}: {error}") from error

    def _words(self) -> dict[str, str]:
        """Whose a checkpoint is."""
        return {"key": self.batch.encoding.key, "seed": str(self.seed), "settings": repr(asdict(self.settings))}

    def _take(self, found: checkpoint.Arrays) -> list[list[float]]:
        state, counts = self.state, np.zeros(len(self.state.counts))
        for name in ("weights", "first", "second", "steps"):
            checkpoint.copy_to(getattr(state, name), found[name], name)
        checkpoint.copy_to(counts, found["counts"], "counts")
        checkpoint.copy_to(self.seen, found["seen"], "seen")
        checkpoint.require(int(state.steps.min()) > 0 and float(counts.min()) >= 0, "counts below zero")
        state.counts.update(zip(state.counts, counts.tolist(), strict=True))
        for role, ring in enumerate(self.rings):
            ring.unpack({name: found[f"ring.{role}.{name}"] for name in PARTS}, int(self.shape[0]))
        state.league[:] = [
            tuple(self._past(found, f"league.{number}.{role}") for role in range(self.number))
            for number in range(self.settings.league)
            if f"league.{number}.0.first" in found
        ]
        self.nets = self._nets()
        points: list[list[float]] = found["curve"].astype(np.float64).tolist()
        checkpoint.require(all(len(point) == len(fields(Point)) for point in points), "curve: another shape")
        return points

    def _past(self, found: checkpoint.Arrays, name: str) -> Net:
        like = self.nets[0]
        net = Net.of_arrays({part: found[f"{name}.{part}"] for part in like.arrays()}).check()
        checkpoint.require(
            all(getattr(net, layer).shape == getattr(like, layer).shape for layer in ("first", "second", "third")),
            f"{name}: another shape",
        )
        return net


def most_inputs(batch: Batch) -> int:
    """Room for the inputs of a decision: cards are seen once, or twice in hand, and the rest is bounded by the plan."""
    encoding = batch.encoding
    suits = int((encoding.compiled.suits != 0).sum())
    return min(play_kernel.MOST_INPUTS, 3 * encoding.cards + (suits + 4) * (encoding.seats + 3) + 32)


def mixed(start: float, end: float, progress: float) -> float:
    """Between two numbers above 0, evenly by factor."""
    return float(start * (end / start) ** min(1.0, max(0.0, progress))) if start > 0 and end > 0 else start


@frozen
class Task:
    """One family to learn: everything a worker process needs. until: seconds of the clock, or games.

    positions: how many the pool holds. checkpoint: file it goes on from, and writes every ``SAVE`` seconds.
    """

    game: str
    family: str
    bidder: str
    seed: int
    positions: int
    settings: Settings
    start: Family | None
    seconds: float | None
    games: float | None
    checkpoint: Path


@frozen
class Point:
    """A point of the learning curve: what was played so far, and the strength against the plain player, with its
    error.
    """

    games: float
    decisions: float
    seconds: float
    value: float
    strength: float
    error: float


@frozen(eq=False)
class Result:
    """A learned family, what is to be said of how it was made, and its curve."""

    family: Family
    made: Mapping[str, Any]
    curve: tuple[Point, ...]


def learn(
    task: Task,
    report: Callable[[str], None] = lambda line: None,
    practice: Practice | None = None,
    jobs: Jobs = 1,
) -> Result:
    """Learn one family. practice: where positions come from, if not what the game provides. jobs: as for ``Trainer``.
    Raises InputError if there is nothing to practise, or ``start`` does not fit.
    """
    practice = practice or practice_for(find_game(task.game), task.bidder)
    positions = practice.positions(task.family, task.seed, task.positions)
    test = practice.positions(task.family, task.seed + TEST, min(task.positions, TESTED))
    trainer = Trainer(positions, task.settings, task.seed, task.start, jobs)
    counts = trainer.state.counts
    curve: list[Point] = []
    if task.checkpoint.is_file():
        curve += [Point(*point) for point in trainer.restore(task.checkpoint)]
        report(f"{task.family}: goes on from {task.checkpoint} after {counts['games']:.0f} games")
    baseline = games.manners(test)

    def measure(value: float, tell: bool = True) -> None:
        strength, error = trainer.strength(test, baseline, task.seed)
        curve.append(Point(counts["games"], counts["decisions"], counts["seconds"], value, strength, error))
        if not tell:
            return
        speed = counts["decisions"] / counts["seconds"] if counts["seconds"] else 0.0
        report(
            f"{task.family}: {counts['games']:.0f} games, {counts['decisions']:.0f} decisions ({speed:.0f} a second), "
            f"{strength:+.4g} +- {error:.2g} a game over simple manners"
        )

    begun = shown = measured = saved = time.monotonic()
    apart = min(SHOW, task.seconds / POINTS) if task.seconds else SHOW
    before = counts["clock"]
    while True:
        now = time.monotonic()
        counts["clock"] = before + now - begun
        progress = counts["clock"] / task.seconds if task.seconds else counts["games"] / (task.games or 1)
        if progress >= 1:
            break
        value = trainer.round(progress)
        if now - measured > apart or not curve:
            tell = now - shown > SHOW or not curve
            measure(value, tell)
            measured, shown = now, now if tell else shown
        if now - saved > SAVE:
            trainer.save(task.checkpoint, curve)
            saved = now
    last = curve[-1].value if curve else 0.0
    if curve and curve[-1].games == counts["games"]:
        curve.pop()  # measured again, and told
    measure(last)
    return Result(trainer.family(task.family), described(trainer, task, curve[-1]), tuple(curve))


def described(trainer: Trainer, task: Task, last: Point) -> dict[str, Any]:
    """What a manifest says of how a family was made."""
    return {
        "seed": task.seed,
        "positions": task.positions,
        "bidder": task.bidder,
        "from": "zero" if task.start is None else task.start.name,
        "settings": asdict(trainer.settings),
        "over simple manners": [round(last.strength, 4), round(last.error, 4)],
        **{name: round(value, 1) for name, value in trainer.state.counts.items()},
    }
