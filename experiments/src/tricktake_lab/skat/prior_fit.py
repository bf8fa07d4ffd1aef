"""The experiment behind ``bidding/prior.json``."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.bidding.model import FLOOR, PRIOR, QUESTIONS, Weights
from tricktake_skat.rows_play import Exploration, explored

from tricktake.deal import STREAM
from tricktake.learning import Question
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Outcome, Sheet
from tricktake_lab.skat.rule_fit import logistic

DEALS = 50_000  # dealt at a time
MET = 200  # games without which a value was hardly met
JUDGED = 5  # one game in so many is kept to judge the fit by


def fit(question: Question, values: NDArray[np.int64], won: NDArray[np.int64]) -> tuple[Weights, float]:
    """Weights, and the mean log loss on the games that were not fitted."""
    columns = [np.eye(domain)[values[:, i]] for i, domain in enumerate(question.form.domains)]
    x = np.concatenate([np.ones((len(values), 1)), *columns], axis=1)
    judged = np.arange(len(won)) % JUDGED == 0
    found = logistic(x[~judged], won[~judged].astype(float), 8)
    p = 1 / (1 + np.exp(-x[judged] @ found))
    y = won[judged]
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
    ends = np.cumsum((1, *question.form.domains))
    parts = np.split(found, ends[:-1])
    for w, column in zip(parts[1:], columns, strict=True):
        _continue_line(w, column.sum(axis=0) >= MET)
    return dict(zip(("one", *question.form.names), parts, strict=True)), float(loss)


def _continue_line(w: NDArray[np.float64], met: NDArray[np.bool_]) -> None:
    """Values that were hardly met go on as the two nearest ones that were; nobody plays a suit with two trumps."""
    known = np.flatnonzero(met)
    low, high = int(known[0]), int(known[-1])
    for v in range(low - 1, -1, -1):
        w[v] = 2 * w[v + 1] - w[v + 2]
    for v in range(high + 1, len(w)):
        w[v] = 2 * w[v - 1] - w[v - 2]


@experiment(
    "bidding.prior",
    item="bidding/prior.json, KERMIT-1",
    seed=711,
    smoke={"deals": 3000},
    small={"deals": 30_000},
    paper={"deals": 300_000},
)
def prior(seed: int, deals: int, stream: str = STREAM, policy: str = "skat:cards") -> Outcome:
    """What is believed of a hand before games of it are counted: a logistic regression on forced games.

    policy: plays the cards, "" for the rule player.
    """
    plays = find_policy(policy) if policy else None
    stored: dict[str, dict[str, list[float]]] = {}
    rows = []
    for name, question in QUESTIONS.items():
        values, won = [], []
        for first in range(0, deals, DEALS):
            played = explored(seed, first, min(DEALS, deals - first), Exploration((name,), FLOOR), stream, plays)
            vectors, results, _ = question.found(played[played["declarer"] >= 0])
            values.append(vectors)
            won.append(results)
        found, loss = fit(question, np.concatenate(values), np.concatenate(won))
        rows.append((name, sum(map(len, won)), loss))
        stored[name] = {feature: np.round(w, 4).tolist() for feature, w in found.items()}
    made = learned("bidding.prior", seed, deals=deals, stream=stream, policy=policy)
    text = json.dumps({"learned": made, "floor": FLOOR, "weights": stored}, indent=1)
    sheet = Sheet.of("Games that were not fitted", ("game", "games", "log loss"), rows)
    return Outcome((sheet,), ships={shipped_path(PRIOR): (text + "\n").encode()})
