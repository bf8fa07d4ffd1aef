"""Ratings once more, slow and plain: one series of one list, by the formulas of the paper."""

from __future__ import annotations

import math


def expected(mine: float, other: float, scale: float = 400.0) -> float:
    return 1 / (1 + 10 ** ((other - mine) / scale))


def against(a: float, b: float) -> float:
    return 1.0 if a > b else 0.5 if a == b else 0.0


def shares(scores: list[float], places: bool) -> list[float]:
    n = len(scores)
    if places:
        beaten = [sum(against(s, t) for j, t in enumerate(scores) if j != i) for i, s in enumerate(scores)]
        return [b / (n * (n - 1) / 2) for b in beaten]
    winners = scores.count(max(scores))
    return [1 / winners if s == max(scores) else 0.0 for s in scores]


def update(name: str, ratings: list[float], scores: list[float], k: float, **options: float) -> list[float]:
    """The ratings after one series; ``share``, ``places``, ``memory``, ``root``, ``skip`` as the systems have them."""
    n, share = len(ratings), options.get("share", 1.0)
    total = sum(scores)
    others = [(sum(ratings) - r) / (n - 1) for r in ratings]
    if name == "proportional":
        if total <= 0 and options.get("skip"):
            return list(ratings)
        weights = [max(r, 1.0) for r in ratings]
        parts = [w / sum(weights) if total > 0 else 1 / n for w in weights]
        return [r + k * (s - part * total) for r, s, part in zip(ratings, scores, parts, strict=True)]
    if name == "quotient":
        out = []
        for i in range(n):
            mine, theirs = scores[i], (total - scores[i]) / (n - 1)
            y = 1.0
            if mine > 0 and theirs > 0:
                y = (mine / theirs) / (max(ratings[i], 1.0) / max(others[i], 1.0))
            if options.get("root", True):
                y = math.sqrt(y)
            f = options["memory"]
            new = (ratings[i] * f + scores[i] / share * y) / (f + 1)
            out.append(ratings[i] + share * (new - ratings[i]))
        return out
    points = shares(scores, bool(options.get("places")))
    if name == "softmax":
        powers = [10 ** (r / 400) for r in ratings]
        return [r + k * share * (p - w / sum(powers)) for r, p, w in zip(ratings, points, powers, strict=True)]
    if name in ("elo-average", "elo-pool"):
        worth = n / 2 if name == "elo-pool" or options.get("places") else 1.0
        return [ratings[i] + k * share * (worth * points[i] - expected(ratings[i], others[i])) for i in range(n)]
    out = list(ratings)
    for i in range(n):
        for j in range(n):
            if name == "elo-repeated" and i != j:
                out[i] += k * share * (against(scores[i], scores[j]) - expected(out[i], others[i]))
            if name == "elo-pairs" and i < j:
                gain = k * share * (against(scores[i], scores[j]) - expected(out[i], out[j]))
                out[i], out[j] = out[i] + gain, out[j] - gain
    return out
