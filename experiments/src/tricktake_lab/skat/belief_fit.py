"""The experiment behind ``skat:belief``: how players choose cards, and how much each piece of evidence is worth.

``python -m tricktake_lab.skat.belief_fit choices XSKAT_LOG`` learns ``belief_choices.txt`` from games of XSkat
and as many of the rule player (choices among changing sets, Hunter's minorization-maximization).

``python -m tricktake_lab.skat.belief_fit temper XSKAT_LOG`` fits the powers ``belief.TEMPER``: at a random
moment of a game, ``WORLDS`` worlds are drawn uniformly from what a seat surely knows; the powers maximize the mean log
weight of the true world against the mean of all (a conditional logit).

``python -m tricktake_lab.skat.belief_fit judge XSKAT_LOG`` measures the belief on other games: TSSR (SPEC 2.12),
the probability of the true world times the number of worlds, as a geometric mean.

``python -m tricktake_lab.skat.belief_fit conventions XSKAT_LOG`` counts how often the named conventions of
``belief_conventions`` hold: of the cards one rules out, the share the seat held all the same, next to the share it
would hold if they lay by chance.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tricktake_skat._kernels import belief as kernel
from tricktake_skat.contract import GAMES
from tricktake_skat.deck import LAYOUT, SEATS
from tricktake_skat.game import SkatGame
from tricktake_skat.games import Games, play_games
from tricktake_skat.strategies import belief
from tricktake_skat.strategies.belief_conventions import marks

from tricktake import worlds
from tricktake.action import play
from tricktake.deal import Deal
from tricktake.knowledge import Knowledge
from tricktake.records import formats
from tricktake.table import Table
from tricktake.view import View

SEED = 20_261_122
CHOICE_GAMES = 30_000  # of each player, for the choices
PASSES = 12  # over them
PRIOR = 5.0  # choices of weight 1 that each kind of card is given beforehand
MOMENTS = 4_000  # of each player, for powers and for judging
WORLDS = 200
RIDGE = 2.0  # in moments; keeps powers that say nothing near zero

Array = NDArray[np.float64]
SKAT_GAME = SkatGame()


def xskat(path: Path, n: int) -> Iterator[tuple[Table, list[int]]]:
    """Tables at the first trick and the cards played, of the first n contracts of a log."""
    records = formats.read(path, SKAT_GAME, on_error=lambda error: None)
    for record in islice((r for r in records if r.contract is not None), n):
        yield record.table_at_play(SKAT_GAME), [e.action.cards[0] for e in record.plays if e.action.verb == "play"]


def ruled(first: int, n: int) -> Iterator[tuple[Table, list[int]]]:
    """The same of n deals played by rule, with their auctions."""
    from tricktake.search.limit import Limit
    from tricktake.strategies.player import Player

    games = play_games(SEED, first, n)
    player, rng = Player.from_spec("skat:rule"), np.random.default_rng(0)
    for i in np.flatnonzero(games.rows["declarer"] >= 0):
        table = Table.start(SKAT_GAME, Deal(LAYOUT, tuple(games.rows["deal"][i].tolist())))
        while table.tricks is None:
            assert table.actor is not None
            table.apply(player.decide(table.view(table.actor), Limit(), rng).action)
        yield table, [c for c in games.rows["cards"][i].tolist() if c >= 0]


# -- choices --------------------------------------------------------------------------------------------------------


def learn_choices(path: Path) -> tuple[Array, float]:
    """The log weights and the log likelihood a choice."""
    columns = [_columns(xskat(path, CHOICE_GAMES)), _rule_columns(play_games(SEED, 0, CHOICE_GAMES))]
    games, hands, cards, declarers = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    logs = np.zeros((kernel.CONTEXTS, kernel.CATEGORIES))
    score = 0.0
    for _ in range(PASSES):
        chosen, exposed = np.zeros_like(logs), np.zeros_like(logs)
        score = kernel.learn(games, hands, cards, declarers, logs, chosen, exposed)
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


HEAD = """# Log weights of kinds of cards (columns) by situation (rows); see tricktake_lab/skat/belief_fit.py.
"""


def write_choices(path: Path) -> None:
    logs, score = learn_choices(path)
    print(f"log likelihood a choice {score:.4f}")  # noqa: T201
    rows = "".join(" ".join(f"{v:.2f}" for v in row) + "\n" for row in logs)
    Path(belief.__file__).with_name(belief.TABLE).write_text(HEAD + rows)


# -- evidence at random moments -------------------------------------------------------------------------------------


def moments(
    tables: Iterable[tuple[Table, list[int]]], rng: np.random.Generator, n: int = WORLDS
) -> Iterator[tuple[View, NDArray[np.int64], int]]:
    """A view of a random seat in turn after a random number of cards; n worlds that fit, the true one first; how many
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
    w = x @ temper
    rest = w[:, 1:]
    most = rest.max(axis=1)
    return np.asarray(w[:, 0] - most - np.log(np.mean(np.exp(rest - most[:, None]), axis=1)))


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


def collect(path: Path, first: int) -> dict[tuple[str, str, str], Array]:
    """Evidence at random moments by source of the games, kind of contract and role."""
    rng = np.random.default_rng(SEED + first)
    model = belief.SkatBelief()
    found: dict[tuple[str, str, str], list[Array]] = {}
    for source, tables in (("xskat", xskat(path, MOMENTS)), ("rule", ruled(10_000_000 + first, MOMENTS))):
        for view, rows, _ in moments(tables, rng):
            evidence = np.maximum(model.evidence(view, rows), -kernel.HARD)
            found.setdefault((source, *cell(view)), []).append(evidence)
    return {key: np.array(parts) for key, parts in found.items()}


def fit_temper(path: Path) -> None:
    """Print the powers for each kind and role, fitted to both players together."""
    found = collect(path, 0)
    for key in belief.TEMPER:
        x = np.concatenate([found[source, *key] for source in ("xskat", "rule")])
        temper = fit(x)
        print(f"    {key}: ({', '.join(f'{v:.2f}' for v in temper)}),  # {len(x)} moments")  # noqa: T201


def judge(path: Path) -> None:
    """Print TSSR with its error for each kind of game, role and source switched off."""
    found = collect(path, 2_000_000)
    print("games  kind  role  moments  TSSR  " + "  ".join(f"-{name}" for name in belief.SOURCES))  # noqa: T201
    for key in sorted(found):
        x, temper = found[key], np.array(belief.TEMPER[key[1:]])
        whole = gain(x, temper)
        error = whole.std() / np.sqrt(len(x))
        rest = [f"{np.exp(gain(x, np.where(np.arange(len(temper)) == k, 0, temper)).mean()):.2f}"
                for k in range(len(temper))]  # fmt: skip
        mean = np.exp(whole.mean())
        print(*key, len(x), f"{mean:.2f} ± {mean * error:.2f}", *rest, sep="  ")  # noqa: T201


def judge_conventions(path: Path) -> None:
    """Print for each convention how many cards it ruled out, and what share of them was held nevertheless."""
    for source, tables in (("xskat", xskat(path, MOMENTS)), ("rule", ruled(20_000_000, MOMENTS))):
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
        for name, (n, held, chance) in sorted(counts.items()):
            print(f"{source:<6} {name:<45} {int(n):>7} {held / n:8.3f} {chance / n:8.3f}")  # noqa: T201


def main() -> None:
    task, path = sys.argv[1], Path(sys.argv[2])
    tasks = {"choices": write_choices, "temper": fit_temper, "judge": judge, "conventions": judge_conventions}
    tasks[task](path)


if __name__ == "__main__":
    main()
