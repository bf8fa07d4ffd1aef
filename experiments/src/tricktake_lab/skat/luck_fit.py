"""The experiment behind ``luck.json``: what games of rule players are worth on average, and by the cards dealt."""

from __future__ import annotations

import json

import numpy as np
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import play_deals
from tricktake_skat.kernels import luck as kernel
from tricktake_skat.luck import FILE, KINDS, KNOTS, Declared, SkatLuck, deal_basis

from tricktake.deal import STREAM
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Outcome, Sheet

NULLS = ((2, 3), (4, 5))  # Null and Null Hand are taken together, and the ouvert ones: nobody plays them from the hand


@experiment(
    "luck.constants",
    item="luck.json, ELO-11 to 16",
    seed=20261201,
    smoke={"games": 600},
    small={"games": 20_000},
    paper={"games": 200_000},
)
def constants(seed: int, games: int, stream: str = STREAM) -> Outcome:
    """Mean value and strength by kind of game in self-play by rule, and points by the best game of ten cards."""
    played = play_deals(dealt(seed, 0, games, stream))
    found = Declared.of_games(played)
    there = found.seat >= 0
    kinds = [found.kind == k for k in range(2)] + [np.isin(found.kind, pair) for pair in NULLS for _ in pair]
    won = found.value > 0

    def means(strength: np.ndarray, count: int) -> list[float]:
        some = [strength[there & kind & ~np.isnan(strength)] for kind in kinds[:count]]
        return [round(float(each.mean()), 2) if len(each) else 0.0 for each in some]

    estimated = means(found.strength(kernel.WIN), len(KINDS))
    stored = {
        "value": round(float(np.abs(found.value[there]).mean()), 1),
        "win": estimated,
        "table": means(found.by_table(), len(KINDS)),
        "stegen": means(found.strength(kernel.STEGEN), 2),
        "kinback": means(found.strength(kernel.KINBACK), 2),
        "knots": list(KNOTS),
        "deal": _by_deal(found),
    }
    lines = [
        (kind, int((there & is_kind).sum()), round(100 * float(won[there & is_kind].mean()), 1), estimated[k])
        for k, (kind, is_kind) in enumerate(zip(KINDS, kinds, strict=True))
        if (there & is_kind).any()
    ]
    sheet = Sheet.of("Games of three rule players", ("kind", "games", "won, percent", "estimated"), lines)
    made = learned("luck.constants", seed, games=games, stream=stream)
    text = json.dumps({"learned": made, **stored}, indent=1) + "\n"
    return Outcome((sheet,), ships={shipped_path(FILE): text.encode()})


def _by_deal(found: Declared) -> list[list[float]]:
    """For each seat the regression of its points, less their mean, on the log odds of its best game."""
    scores, hands = SkatLuck().corrected(found)[0], np.ascontiguousarray(found.rows["deal"][:, :SEATS])
    weights = []
    for seat in range(SEATS):
        odds = np.zeros(len(found))
        kernel.best_odds(np.ascontiguousarray(hands[:, seat]), np.full(len(found), seat), odds)
        points = scores[:, seat] - scores[:, seat].mean()
        weights.append([round(float(w), 2) for w in np.linalg.lstsq(deal_basis(odds), points, rcond=None)[0]])
    return weights
