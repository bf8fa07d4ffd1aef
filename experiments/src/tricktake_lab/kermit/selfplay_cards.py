"""Kermit's open question for the play of the cards: policies of self-play and policies that imitate recorded games."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from tricktake_skat.games import RULE_PLAYER
from tricktake_skat.policy_match import match
from tricktake_skat.practice import SkatPractice, bid, by_family
from tricktake_skat.rows import RowArray
from tricktake_skat.strategies.expert import Expert

from tricktake.game import find_game
from tricktake.policy.policy import Family
from tricktake.policy.train import Settings, Task, learn
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.kermit.bidding import CARDS
from tricktake_lab.kermit.selfplay import crossing
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.imitated import agreement, imitated
from tricktake_lab.skat.policy_fit import EVEN, TESTED
from tricktake_lab.skat.replayed import recorded_rows

MOST_POSITIONS, LEAST_POSITIONS = 100_000, 500
ROUNDS, MOST_GAMES, LEAST_GAMES = 40, 4096, 64  # how often networks change in a learning, games between
RATES, ENTROPIES = (1e-3, 3e-5), (0.02, 0.002)
OTHERS = {"skat:expert": Expert(), "skat:rule": None}


def played_by_itself(family: str, games: int, seed: int, folder: Path) -> Family:
    """A family learned from nothing in so many games."""
    settings = Settings(
        games=int(np.clip(games // ROUNDS, LEAST_GAMES, MOST_GAMES)),
        rate=RATES[0], last_rate=RATES[1], entropy=ENTROPIES[0], last_entropy=ENTROPIES[1], even=EVEN,
    )  # fmt: skip
    positions = int(np.clip(games, LEAST_POSITIONS, MOST_POSITIONS))
    task = Task("skat", family, "", seed, positions, settings, None, None, games, folder / f"{games}.checkpoint")
    return learn(task, practice=SkatPractice(find_game("skat"), "", (RULE_PLAYER,))).family


def games_of(log: str, games: int, family: str) -> tuple[RowArray, str]:
    """The first games of a family in a log that were played to the end, and whose they are."""
    rows, whose = recorded_rows(log, games)
    found = by_family(rows[rows["declarer"] >= 0])[family]
    return found, whose


@experiment(
    "kermit.selfplay-cards",
    item="KERMIT-23, docs/self-play.md",
    seed=830,
    smoke={"log": "sample", "recorded": (100,), "kept": 50, "games": (150,), "tested": 200},
    small={"log": "xskat:906:85000", "recorded": (1000, 10_000), "kept": 500, "games": (1000, 10_000), "tested": 4000},
    paper={"log": "xskat:906:85000", "recorded": (1000, 10_000, 55_000), "kept": 1000,
           "games": (1000, 10_000, 100_000, 1_000_000), "tested": 20_000},
)  # fmt: skip
def selfplay_cards(
    seed: int, log: str, recorded: tuple[int, ...], kept: int, games: tuple[int, ...], tested: int,
    family: str = "suit",
) -> Outcome:  # fmt: skip
    """Policies of cards by the number of games of self-play, and of recorded games they imitate, against fixed players.

    family: of contracts. recorded, games: of that family. kept: recorded games on which imitators are compared with
    what was played. tested: deals bid by rule whose contracts judge all, roles swapped.
    """
    rows, whose = games_of(log, 2 * (max(recorded) + kept), family)
    contracts = bid(seed + TESTED, 0, tested)[family]
    settings = Settings(rate=RATES[0], last_rate=RATES[1])
    players: dict[str, Family] = {}
    for n in recorded:
        players[f"{n} of {whose}"] = imitated(rows[kept : kept + n], family, seed, settings)
    most = f"{recorded[-1]} of {whose}"
    with tempfile.TemporaryDirectory() as folder:
        for n in games:
            players[f"{n} of self-play"] = played_by_itself(family, n, seed, Path(folder))
    players["skat:cards, as shipped"] = find_policy(CARDS).families[family]
    each = {
        name: [match(found, contracts, other).each() for other in OTHERS.values()] for name, found in players.items()
    }
    lines: list[tuple[Cell, ...]] = []
    for name, found in players.items():
        points = [mean_of(part, digits=0) for part in each[name]]
        lines.append((name, *points, share_of(agreement(found, rows[:kept]))))
    facts = _facts(games, each, most)
    title = f"{len(contracts)} {family} contracts, points of the policy over others, a player and 36 games"
    columns = ("learned from", *(f"over {name}" for name in OTHERS), f"plays as {whose}")
    return Outcome((Sheet.of(title, columns, lines),), facts)


def _facts(games: tuple[int, ...], each: Mapping[str, list[np.ndarray]], most: str) -> dict[str, Cell]:
    facts: dict[str, Cell] = {}
    for number, other in enumerate(OTHERS):
        gains = {n: mean_of(each[f"{n} of self-play"][number] - each[most][number], digits=0) for n in games}
        facts |= {f"{n} of self-play less all recorded: points over {other}": gain for n, gain in gains.items()}
        facts[f"most self-play less all recorded: points over {other}"] = gains[games[-1]]
        facts[f"games of self-play that play better than all recorded, over {other}"] = crossing(gains)
    return facts
