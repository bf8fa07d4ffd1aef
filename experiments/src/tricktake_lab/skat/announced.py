"""How often Schwarz announced and ouvert (suit games and grands) would pay, and what they could bring at most."""

from __future__ import annotations

import numpy as np
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.kernels import GRAND
from tricktake_skat.rules import ALL_TRICKS, matadors, skat_rules
from tricktake_skat.scoring import BONUS, GAMES_OF_SERIES

from tricktake.arrays import FloatArray, IntArray
from tricktake.search.opencard import Solver
from tricktake.search.positions import Positions
from tricktake.trick import TrickState
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Estimate, Outcome, Sheet

LEAST = 0.7  # chance of Schneider from the hand by the networks below which nobody would announce Schwarz
LEVELS = {"Schwarz announced": 4, "ouvert": 5}  # times the base value above the hand game; 2 for Schneider announced
GAMES_WITH_TRUMPS = GRAND + 1


def worth(value: FloatArray, won: FloatArray) -> FloatArray:
    """Seeger-Fabian points of games of this value (SKAT-17, B 50)."""
    return np.asarray((BONUS + value) * won - (BONUS + 2 * value) * (1 - won))


def worlds_of(hand: int, n: int, rng: np.random.Generator) -> IntArray:
    """(n, 3): two hands of ten and the skat, of the cards that ``hand`` does not hold."""
    rest = np.array([1 << card for card in range(32) if not hand >> card & 1], np.int64)
    drawn = rng.permuted(np.tile(rest, (n, 1)), axis=1)
    return np.stack([drawn[:, :10].sum(1), drawn[:, 10:20].sum(1), drawn[:, 20:].sum(1)], axis=1)


def schwarz(solver: Solver, hand: int, seat: int, game: int, rest: IntArray) -> FloatArray:
    """For each world 1 if the declarer can take every trick with all cards open."""
    rules = skat_rules(SkatContract(seat, GAMES[game], hand=True, schneider=True, schwarz=True))
    states = []
    for left, right, _ in rest.tolist():
        hands = [0, 0, 0]
        hands[seat], hands[(seat + 1) % SEATS], hands[(seat + 2) % SEATS] = hand, left, right
        states.append(TrickState(rules, tuple(hands)))
    found = solver.batch(Positions.from_states(states, 1 << seat), "win", threshold=ALL_TRICKS)
    return np.asarray(found.at_least(ALL_TRICKS), np.float64)


@experiment(
    "bidding.announced",
    item="docs/results.md, bidding",
    seed=9161,
    smoke={"deals": 200, "worlds": 4},
    small={"deals": 10_000, "worlds": 16},
    paper={"deals": 100_000, "worlds": 64},
)
def announced(seed: int, deals: int, worlds: int) -> Outcome:
    """Hands from the hand that win more by announcing Schwarz or by playing ouvert than by Schneider alone.

    All cards are open; with them the points of a player in 36 games if every such hand of all seats were allowed to.
    Who plays with closed cards wins less, and who can be outbid or better picks up the skat plays less of them.
    """
    hands = dealt(seed, 0, deals)[:, :SEATS]
    rng, solver, judge = np.random.default_rng(seed), Solver(), evaluator()
    flat, seats = hands.ravel(), np.tile(np.arange(SEATS), deals)
    bids = np.zeros((len(flat), SEATS), np.int64)
    gains: dict[tuple[str, str], list[float]] = {(k, name): [] for k in ("suit", "grand") for name in LEVELS}
    likely: dict[str, int] = {"suit": 0, "grand": 0}
    for game in range(GAMES_WITH_TRUMPS):
        chances = judge.judged(np.full(len(flat), game), flat, np.zeros_like(flat), seats, bids, by_hand=True)
        schneider = chances[:, 0] * chances[:, 1]
        for i in np.flatnonzero(schneider >= LEAST):
            kind = "grand" if game == GRAND else "suit"
            likely[kind] += 1
            hand, seat = int(flat[i]), int(seats[i])
            rest = worlds_of(hand, worlds, rng)
            all_tricks = schwarz(solver, hand, seat, game, rest)
            base = SkatContract(seat, GAMES[game]).base
            value = np.array([base * (abs(matadors(hand | skat, GAMES[game])) + 2.0) for skat in rest[:, 2].tolist()])
            unannounced = value + 2 * base + base * all_tricks
            without = worth(unannounced, np.maximum(schneider[i], all_tricks)).mean()
            for name, levels in LEVELS.items():
                gain = float(worth(value + levels * base, all_tricks).mean() - without)
                if gain > 0:
                    gains[kind, name].append(gain)
    rows = []
    for (kind, name), found in gains.items():
        each = np.zeros(deals)
        each[: len(found)] = found
        error = 1.96 * each.std() / np.sqrt(deals)
        scale = GAMES_OF_SERIES / SEATS
        mean = Estimate(float(each.mean()) * scale, float(error) * scale, deals, digits=3)
        rows.append((kind, name, likely[kind], len(found), 1e5 * len(found) / deals, mean))
    columns = (
        "game",
        "announced",
        "hands with Schneider likely",
        "hands it pays",
        "in 100,000 deals",
        "points, at most",
    )
    return Outcome((Sheet.of(f"{deals} deals, {worlds} worlds a hand", columns, rows),))
