"""What the bidder is worth: ``python -m tricktake_lab.skat.bidding WHAT SEED DEALS``.

styles [STYLE...]: all seats alike, one line a style. match: one against two rule players, and two against one, every
deal three times with the seats moved on. learned: the same with the learned tables against their prior alone.
chances: how well tables, prior and both foretell games that hands were made to play.
records [PUTTING]: the contracts of an XSkat log (SEED is its file) and ours on the same deals, auction kept.
All cards are played by rule.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tricktake_skat._kernels.bidding import cell_of, code_with
from tricktake_skat._kernels.cards import GRAND, NULL
from tricktake_skat._kernels.rule_bid import best_put
from tricktake_skat._kernels.skat import MIN_BID
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.calibration import calibrated
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import GROUPS, KAPPA, learned, raw
from tricktake_skat.bidding.prior import FLOOR
from tricktake_skat.bidding.style import BEST, RULE, Style
from tricktake_skat.deals import dealt
from tricktake_skat.games import Games, Player, play_bidders, play_contracts, rotated, score36
from tricktake_skat.putting.features import Declarers
from tricktake_skat.putting.selection import Selector
from tricktake_skat.putting.worth import GAME_NAMES
from tricktake_skat.questions.cuts import BID_CUTS
from tricktake_skat.rows import RowArray
from tricktake_skat.rules import WIN
from tricktake_skat.scoring import BONUS, GAMES_OF_SERIES, OTHERS_BONUS

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

STYLES: dict[str, Style | None] = {
    "rule player": None,
    **{f"B {b:.0f}, threshold {t:.0f}": Style(b, t) for b in (50.0, 70.0, 90.0) for t in (0.0, 10.0, 20.0, 30.0)},
    "default, likeliest put": Style(putting="best"),
    "default, rule player's put": Style(putting="rule"),
    "default, trumps put": Style(putting="best", trumps=True),
    "default, no hand games": Style(hands=False),
}
UNHEARD = 1e6  # the prior counts so much more that no game in the tables is heard
KINDS = ("suit", "grand", "Null", "Null ouvert")


def kinds_of(game: IntArray, ouvert: IntArray) -> IntArray:
    """0 suit, 1 grand, 2 Null, 3 Null ouvert."""
    return np.where(game < GRAND, 0, np.where(game == GRAND, 1, 2 + (ouvert > 0)))


def line(name: str, games: Games) -> str:
    """One row of a table: score, passed in, won, and share and wins of each kind of game."""
    score, error = score36(games)
    rows = games.rows
    played = rows["declarer"] >= 0
    kinds = kinds_of(rows["game"], rows["ouvert"])
    cells = [name, f"{score:.0f} ± {error:.0f}", f"{1 - played.mean():.2%}", f"{games.rows['won'][played].mean():.1%}"]
    for kind in range(len(KINDS)):
        some = played & (kinds == kind)
        cells.append(f"{some.sum() / played.sum():.1%} ({games.rows['won'][some].mean() if some.any() else 0:.1%})")
    cells.append(f"{games.rows['hand'][played].mean():.1%}")
    return "| " + " | ".join(cells) + " |"


def styles(seed: int, deals: int, names: Sequence[str]) -> None:
    """All seats in one style."""
    places = dealt(seed, 0, deals)
    for name in names:
        print(line(name, play_bidders([Player(STYLES[name])], places, np.zeros((deals, 3), np.int64))), flush=True)  # noqa: T201


def match(seed: int, deals: int, ours: Player, other: Player) -> None:
    """One against two and two against one, with the same deals on every seat: points per player and 36 games."""
    for teams in ((0, 1, 1), (0, 0, 1)):
        places, seats = rotated(dealt(seed, 0, deals), teams)
        games = play_bidders([ours, other], places, seats)
        scores = games.scores(2) * GAMES_OF_SERIES / np.array([teams.count(0), teams.count(1)])
        each = scores.reshape(deals, 3, 2).mean(axis=1)
        gain = each[:, 0] - each[:, 1]
        won = [games.seats[np.arange(len(games)), games.rows["declarer"]] == number for number in (0, 1)]
        declared = [int((games.rows["declarer"] >= 0)[w].sum()) for w in won]
        print(  # noqa: T201
            f"| {teams.count(0)} : {teams.count(1)} | {each[:, 0].mean():.0f} | {each[:, 1].mean():.0f} "
            f"| {gain.mean():+.0f} ± {gain.std() / np.sqrt(deals):.0f} | {declared} |",
            flush=True,
        )


def records(path: str, deals: int, style: Style) -> None:
    """XSkat's contracts and ours on the same deals: its auction kept, game and skat ours; all cards by rule."""
    from tricktake_skat.rows import read_rows

    rows = np.concatenate([part for _, part in zip(range(-(-deals // (1 << 15))), read_rows(path), strict=False)])
    rows = rows[:deals]
    folded = int((rows["declarer"] < 0).sum())
    rows = rows[rows["declarer"] >= 0]
    n = len(rows)
    theirs, ours = (play_contracts(each).rows for each in (rows, _chosen(rows, style)))
    won = rows["won"]
    print(f"{len(rows)} contracts, {folded} passed in")  # noqa: T201
    for name, played in (("XSkat's contract and skat", theirs), ("ours", ours)):
        score, error = _score36(played["value"])
        print(f"{name}: {score:.0f} ± {error:.0f}, won {played['won'].mean():.1%}")  # noqa: T201
    gain = 12 * (_points(ours["value"]) - _points(theirs["value"]))
    print(f"difference {gain.mean():+.0f} ± {gain.std() / np.sqrt(n):.0f}; XSkat's own play won {won.mean():.1%}")  # noqa: T201
    before, after = (kinds_of(each["game"], each["ouvert"]) for each in (rows, ours))
    for a, first in enumerate(KINDS):
        for b, then in enumerate(KINDS):
            some = (before == a) & (after == b)
            if some.any():
                wins = [t["won"][some].mean() for t in (theirs, ours)]
                points = [12 * _points(t["value"][some]).mean() for t in (theirs, ours)]
                cells = [first, then, some.sum(), *(f"{w:.1%}" for w in wins), *(f"{p:.0f}" for p in points)]
                print(f"| {' | '.join(map(str, cells))} |")  # noqa: T201


def _points(value: IntArray) -> FloatArray:
    lost = OTHERS_BONUS[3] * 2 - BONUS
    return np.where(value > 0, value + BONUS, np.where(value < 0, value + lost, 0)).astype(float)


def _score36(value: IntArray) -> tuple[float, float]:
    each = _points(value) * GAMES_OF_SERIES / 3
    return float(each.mean()), float(each.std() / np.sqrt(len(each)))


def _chosen(rows: RowArray, style: Style) -> RowArray:
    """Our game and skat. XSkat logs the last bid only: the others are taken to have bid it too, from 20 on."""
    ours, choices = rows.copy(), np.zeros(len(rows), np.int64)
    for i, row in enumerate(ours):
        seat, bid = int(row["declarer"]), int(row["bid"])
        row["bids"] = bid if bid > MIN_BID else 0
        row["bids"][seat] = bid
        first, second, third = row["bids"].tolist()
        hand, skat = int(row["deal"][seat]), int(row["deal"][3])
        offer = evaluator().offer(hand, seat, (first, second, third), bid, style)
        row["hand"], row["announced"] = offer.from_hand, 0
        if offer.from_hand:
            name = offer.by_hand.name
            row["announced"] = "S" in name[1:]
            choices[i] = GAME_NAMES.index(name[0]) + ("O" in name[1:])
            row["put"] = skat
        else:
            option = evaluator().options(hand | skat, seat, (first, second, third), bid, style)[0]
            choices[i], row["put"] = GAME_NAMES.index(option.name), option.put
    ours["game"], ours["ouvert"] = np.minimum(choices, NULL), choices > NULL
    free = np.flatnonzero(ours["hand"] == 0)
    seats = ours["declarer"][free]
    together = ours["deal"][free, seats] | ours["deal"][free, 3]
    if style.putting == RULE:
        for k, cards in zip(free.tolist(), together.tolist(), strict=True):
            ours["put"][k] = best_put(cards, ours["declarer"][k], ours["bid"][k], choices[k])[1]
    elif style.putting != BEST:
        asked = Declarers(choices[free], together, seats, ours["bids"][free])
        ours["put"][free] = Selector(style.putting).select(asked, np.random.default_rng(0)).puts
    return ours


def chances(seed: int, deals: int) -> None:
    """Log loss of the tables as they answer by themselves, of the prior alone, and of both."""
    from tricktake_skat.rows_play import Exploration, explored
    from tricktake_skat.winning import winning

    for name, grand in (("suit", False), ("grand", True)):
        for how, floor in (("hands worth playing", -1.0), ("any hands", FLOOR)):
            rows = explored(seed, 0, deals, Exploration((name,), floor))
            rows = rows[rows["declarer"] >= 0]
            won = rows["eyes"] >= WIN
            others = np.array([max(b for seat, b in enumerate(r["bids"]) if seat != r["declarer"]) for r in rows])
            columns = (rows["game"], rows["hand"], rows["ouvert"], rows["own"], rows["put"], rows["declarer"], others)
            answers = {"tables": winning().chances(np.column_stack(columns))}
            groups = np.searchsorted(BID_CUTS, others, side="right")
            codes = [code_with(sums(), *c) for c in zip(rows["game"], rows["own"], rows["put"], strict=True)]
            cells = np.array([cell_of(code, GROUPS) for code in codes])
            for which, model in (("prior", raw(KAPPA * UNHEARD)), ("both", raw())):
                seats = rows["declarer"] if grand else np.zeros(len(rows), np.int64)
                answers[which] = (model.grand if grand else model.suit)[seats, groups, cells].astype(float)
            losses = [_loss(answer, won) for answer in answers.values()]
            print(f"| {name} | {how} | {len(won)} | {' | '.join(f'{loss:.4f}' for loss in losses)} |", flush=True)  # noqa: T201


def _loss(chance: FloatArray, won: NDArray[np.bool_]) -> float:
    inside = np.clip(np.where(chance < 0, 0.5, chance), 1e-3, 1 - 1e-3)
    return float(-np.log(np.where(won, inside, 1 - inside)).mean())


def main() -> None:
    """See above."""
    what, seed, deals = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if what == "styles":
        styles(int(seed), deals, sys.argv[4:] or list(STYLES))
    elif what == "match":
        match(int(seed), deals, Player(Style()), Player(None))
    elif what == "chances":
        chances(int(seed), deals)
    elif what == "learned":
        unlearned = calibrated(raw(KAPPA * UNHEARD))
        match(int(seed), deals, Player(Style(), learned()), Player(Style(), unlearned))
    else:
        records(seed, deals, Style(putting=sys.argv[4]) if len(sys.argv) > 4 else Style())


if __name__ == "__main__":
    main()
