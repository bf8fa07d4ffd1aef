"""The experiments behind ``skat:belief``: how players choose cards, and how much each piece of evidence is worth.

``belief.choices`` learns ``belief_choices.txt`` from games of XSkat and as many of the rule player (choices among
changing sets, Hunter's minorization-maximization). ``belief.temper`` fits the powers ``belief.TEMPER``: at a random
moment of a game worlds are drawn uniformly from what a seat surely knows; the powers maximize the mean log weight of
the true world against the mean of all (a conditional logit). ``belief.judge`` measures the belief on other games by
TSSR (docs/papers.md), the probability of the true world times the number of worlds, as a geometric mean.
``belief.conventions`` counts how often the named conventions hold: of the cards one rules out, the share the seat held
all the same, next to the share it would hold if they lay by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.contract import GAMES
from tricktake_skat.deck import LAYOUT, SEATS
from tricktake_skat.game import SkatGame
from tricktake_skat.games import Games, play_games
from tricktake_skat.kernels import belief as kernel
from tricktake_skat.strategies import belief
from tricktake_skat.strategies.conventions import marks

from tricktake import worlds
from tricktake.action import play
from tricktake.deal import Deal
from tricktake.knowledge import Knowledge
from tricktake.records import formats
from tricktake.table import Table
from tricktake.view import View
from tricktake_lab.experiment import experiment, learned, log_file, shipped_path
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of
from tricktake_lab.skat._kernels.choices import learn

SEED = 20_261_122
PRIOR = 5.0  # choices of weight 1 that each kind of card is given beforehand
WORLDS = 200
RIDGE = 2.0  # in moments; keeps powers that say nothing near zero

Array = NDArray[np.float64]
SKAT_GAME = SkatGame()


def xskat(path: Path, n: int) -> Iterator[tuple[Table, list[int]]]:
    """Tables at the first trick and the cards played, of the first n contracts of a log."""
    records = formats.read(path, SKAT_GAME, on_error=lambda error: None)
    for record in islice((r for r in records if r.contract is not None), n):
        yield record.table_at_play(SKAT_GAME), [e.action.cards[0] for e in record.plays if e.action.verb == "play"]


def ruled(first: int, n: int, seed: int = SEED) -> Iterator[tuple[Table, list[int]]]:
    """The same of n deals played by rule, with their auctions."""
    from tricktake.search.limit import Limit
    from tricktake.strategies.player import Player

    games = play_games(seed, first, n)
    player, rng = Player.from_spec("skat:rule"), np.random.default_rng(0)
    for i in np.flatnonzero(games.rows["declarer"] >= 0):
        table = Table.start(SKAT_GAME, Deal(LAYOUT, tuple(games.rows["deal"][i].tolist())))
        while table.tricks is None:
            assert table.actor is not None
            table.apply(player.decide(table.view(table.actor), Limit(), rng).action)
        yield table, [c for c in games.rows["cards"][i].tolist() if c >= 0]


# -- choices --------------------------------------------------------------------------------------------------------


def learn_choices(path: Path, seed: int, games_of: int, passes: int) -> tuple[Array, float]:
    """The log weights and the log likelihood a choice."""
    columns = [_columns(xskat(path, games_of)), _rule_columns(play_games(seed, 0, games_of))]
    games, hands, cards, declarers = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    logs = np.zeros((kernel.CONTEXTS, kernel.CATEGORIES))
    score = 0.0
    for _ in range(passes):
        chosen, exposed = np.zeros_like(logs), np.zeros_like(logs)
        score = learn(games, hands, cards, declarers, logs, chosen, exposed)
        logs = np.log((chosen + PRIOR) / (exposed + PRIOR))
    return logs, score


def _columns(tables: Iterable[tuple[Table, list[int]]]) -> tuple[NDArray[np.int64], ...]:
    games, hands, cards, declarers = [], [], [], []
    for table, played in tables:
        contract = SKAT_GAME.contract(str(table.contract))
        games.append(GAMES.index(contract.trump))
        hands.append(table.places[:SEATS])
        cards.append(played + [-1] * (30 - len(played)))
        declarers.append(contract.declarer)
    return np.array(games), np.array(hands), np.array(cards), np.array(declarers)


def _rule_columns(games: Games) -> tuple[NDArray[np.int64], ...]:
    rows = games.rows[games.rows["declarer"] >= 0]
    return rows["game"], rows["hands"].copy(), rows["cards"].copy(), rows["declarer"]


@experiment(
    "belief.choices",
    item="strategies/belief_choices.txt",
    seed=SEED,
    smoke={"log": "sample", "games": 100, "passes": 2},
    small={"log": "sample", "games": 500, "passes": 12},
    paper={"log": "x103.log.gz", "games": 30_000, "passes": 12},
)
def choices(seed: int, log: str, games: int, passes: int) -> Outcome:
    """Log weights of kinds of cards by situation, from games of XSkat and as many of the rule player."""
    logs, score = learn_choices(log_file(log), seed, games, passes)
    made = learned("belief.choices", seed, log=log, games=games, passes=passes)
    head = "# Log weights of kinds of cards (columns) by situation (rows).\n"
    head += "".join(f"# {key}: {value}\n" for key, value in made.items())
    rows = "".join(" ".join(f"{v:.2f}" for v in row) + "\n" for row in logs)
    file = shipped_path(Path(belief.__file__).with_name(belief.TABLE))
    return Outcome(facts={"log likelihood a choice": score}, ships={file: (head + rows).encode()})


# -- evidence at random moments -------------------------------------------------------------------------------------


def moments(
    tables: Iterable[tuple[Table, list[int]]], rng: np.random.Generator, n: int = WORLDS
) -> Iterator[tuple[View, NDArray[np.int64], int]]:
    """A view of a random seat to move after a random number of cards; n worlds that fit, the true one first; how many
    fit in all.
    """
    for table, cards in tables:
        stop = int(rng.integers(0, len(cards)))
        for card in cards[:stop]:
            table.apply(play(card))
        if table.actor is None:
            continue
        view = table.view(table.actor)
        knowledge = Knowledge.from_view(view)
        true = np.array([table.places], np.int64)
        total = worlds.count(knowledge)
        if total > 1:
            yield view, np.concatenate([true, worlds.sample(knowledge, n, rng)]), total


def cell(view: View) -> tuple[str, str]:
    contract = SKAT_GAME.contract(str(view.contract))
    kind = "null" if contract.is_null else contract.kind
    return kind, "declarer" if view.seat == contract.declarer else "defender"


def gain(x: Array, temper: Array) -> Array:
    """Of each moment, log of (weight of the true world / mean weight): log TSSR. x: (moments, 1 + worlds, sources)."""
    return over_others(x @ temper)


def over_others(logs: Array) -> Array:
    """The log weight of the first world less that of the mean of the others. logs: (moments, 1 + worlds)."""
    rest = logs[:, 1:]
    most = rest.max(axis=1)
    return np.asarray(logs[:, 0] - most - np.log(np.mean(np.exp(rest - most[:, None]), axis=1)))


def tssr(logs: Array) -> Estimate:
    """TSSR of moments: the geometric mean of what the logs are of."""
    found = mean_of(logs)
    mean = float(np.exp(found.mean))
    return Estimate(mean, mean * found.error, len(logs), digits=2)


def fit(x: Array, steps: int = 40) -> Array:
    """The powers of a conditional logit of the true world among the others, not negative; ridge towards 0."""
    temper = np.full(x.shape[2], 0.3)
    for _ in range(steps):
        w = x @ temper
        p = np.exp(w - w.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        mean = np.einsum("mw,mwk->mk", p, x)
        gradient = (x[:, 0] - mean).sum(axis=0) - RIDGE * temper
        second = np.einsum("mw,mwk,mwl->kl", p, x, x) - mean.T @ mean + RIDGE * np.eye(len(temper))
        temper = np.maximum(0.0, temper + 0.7 * np.linalg.solve(second, gradient))
    return temper


def collect(path: Path, seed: int, first: int, moments_of: int) -> dict[tuple[str, str, str], Array]:
    """Evidence at random moments by source of the games, kind of contract and role."""
    rng = np.random.default_rng(seed + first)
    model = belief.SkatBelief()
    found: dict[tuple[str, str, str], list[Array]] = {}
    for source, tables in (("xskat", xskat(path, moments_of)), ("rule", ruled(10_000_000 + first, moments_of, seed))):
        for view, rows, _ in moments(tables, rng):
            evidence = np.maximum(model.evidence(view, rows), -kernel.HARD)
            found.setdefault((source, *cell(view)), []).append(evidence)
    return {key: np.array(parts) for key, parts in found.items()}


@experiment(
    "belief.temper",
    item="TEMPER in strategies/belief.py",
    seed=SEED,
    smoke={"log": "sample", "moments": 30},
    small={"log": "sample", "moments": 500},
    paper={"log": "x103.log.gz", "moments": 4000},
)
def temper(seed: int, log: str, moments: int) -> Outcome:
    """The powers for each kind of game and role, fitted to XSkat and the rule player together."""
    found = collect(log_file(log), seed, 0, moments)
    rows = []
    for key in belief.TEMPER:
        parts = [found[source, *key] for source in ("xskat", "rule") if (source, *key) in found]
        if parts:
            x = np.concatenate(parts)
            rows.append((*key, len(x), *np.round(fit(x), 2).tolist()))
    return Outcome((Sheet.of("Powers", ("kind", "role", "moments", *belief.SOURCES), rows),))


@experiment(
    "belief.judge",
    item="docs/results.md, belief",
    seed=SEED,
    smoke={"log": "sample", "moments": 30},
    small={"log": "sample", "moments": 500},
    paper={"log": "x104.log.gz", "moments": 4000},
)
def evaluate(seed: int, log: str, moments: int) -> Outcome:
    """TSSR of the belief for each kind of game and role, and with each source of evidence switched off."""
    found = collect(log_file(log), seed, 2_000_000, moments)
    rows, roles = [], dict[str, list[Array]]()
    for key in sorted(found):
        x, powers = found[key], np.array(belief.TEMPER[key[1:]])
        roles.setdefault(key[2], []).append(gain(x, powers))
        off = [gain(x, np.where(np.arange(len(powers)) == k, 0, powers)).mean() for k in range(len(powers))]
        rows.append((*key, len(x), tssr(roles[key[2]][-1]), *(round(float(np.exp(g)), 2) for g in off)))
    columns = ("games", "kind", "role", "moments", "TSSR", *(f"without {name}" for name in belief.SOURCES))
    facts = {f"TSSR as {role}": tssr(np.concatenate(parts)) for role, parts in roles.items()}
    return Outcome((Sheet.of("TSSR", columns, rows),), facts)


@experiment(
    "belief.conventions",
    item="KBPS-4; docs/results.md, belief",
    seed=SEED,
    smoke={"log": "sample", "games": 30},
    small={"log": "sample", "games": 500},
    paper={"log": "x103.log.gz", "games": 4000},
)
def conventions(seed: int, log: str, games: int) -> Outcome:
    """For each convention how many cards it ruled out, what share of them was held nevertheless, and by chance."""
    rows = []
    for source, tables in (("xskat", xskat(log_file(log), games)), ("rule", ruled(20_000_000, games, seed))):
        counts: dict[str, list[float]] = {}
        for table, cards in tables:
            places = list(table.places)
            for card in cards:
                table.apply(play(card))
            if table.tricks is None or not table.told:
                continue
            for mark in marks(table.view(0), drop_second=True):
                gone = sum(1 << c for c in cards[: 3 * (mark.trick + 1)])
                count = counts.setdefault(mark.convention, [0.0, 0.0, 0.0])
                ruled_out = mark.cards & ~gone
                count[0] += ruled_out.bit_count()
                count[1] += (ruled_out & places[mark.seat]).bit_count()
                out = sum((mask & ~gone).bit_count() for mask in places)
                count[2] += ruled_out.bit_count() * (places[mark.seat] & ~gone).bit_count() / max(out, 1)
        rows += [
            (source, name, int(n), held / n, chance / n) for name, (n, held, chance) in sorted(counts.items()) if n
        ]
    return Outcome((Sheet.of("Conventions", ("games", "convention", "cards", "held", "by chance"), rows),))
