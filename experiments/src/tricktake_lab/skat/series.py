"""What it is worth to bid for the first place in a series instead of for points."""

from __future__ import annotations

import numpy as np
from tricktake_skat.bidding.model import learned
from tricktake_skat.bidding.series import style_at
from tricktake_skat.bidding.style import Style
from tricktake_skat.deals import dealt
from tricktake_skat.games import Games, Player, bid_rows, rows_of_deals
from tricktake_skat.policy_rows import play_by
from tricktake_skat.scoring import GAMES_OF_SERIES
from tricktake_skat.series import seating

from tricktake.arrays import FloatArray, IntArray
from tricktake.standings import Standings
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of

CARDS = "skat:cards"
SKATS = 33  # with which a hand is weighed: as in self-play
POINTS, LEADS, SERIES = "points: the default", "leads: B 90, threshold -20", "the series"
BIDS = (POINTS, LEADS, SERIES)
RIVALS = Style(90.0, -20.0)  # what ``style_at`` comes to if no lead decides anything


def played(
    kind: str, seed: int, series: int, cards: str = CARDS, last: int = GAMES_OF_SERIES, base: FloatArray | None = None
) -> FloatArray:
    """The score of each player after each deal of so many series, (series, deals + 1, players). Player 0 bids by
    ``kind`` in the last deals, before them as in ``base``, the others by default; the deals depend on the seed alone.
    """
    model = learned()
    policy = find_policy(cards)
    scores = np.zeros((series, GAMES_OF_SERIES + 1, 3)) if base is None else base.copy()
    players = [Player(Style(), model)]
    numbers: dict[Style, int] = {Style(): 0}
    for deal in range(GAMES_OF_SERIES - last, GAMES_OF_SERIES):
        order = seating(deal)
        seat = order.index(0)
        sits: IntArray = np.zeros((series, 3), np.int64)
        for n in range(series):
            style = RIVALS if kind == LEADS else Style()
            if kind == SERIES:
                so_far = Standings([scores[n, deal, player] for player in order], GAMES_OF_SERIES - deal)
                style = style_at(style, so_far, seat)
            if style not in numbers:
                numbers[style] = len(players)
                players.append(Player(style, model))
            sits[n, seat] = numbers[style]
        rows = rows_of_deals(dealt(seed, deal * series, series))
        bid_rows(players, rows, sits, SKATS)
        play_by(policy, rows)
        games = Games(rows, np.tile(order, (series, 1)), np.zeros((series, 0), np.int64))
        scores[:, deal + 1] = scores[:, deal] + games.scores(3)
    return scores


def firsts(scores: FloatArray) -> FloatArray:
    """For each series 1 if player 0 has the best score, the half or third of 1 if it shares it: (series,)."""
    last = scores[:, -1]
    best = last == last.max(axis=1, keepdims=True)
    return np.asarray(best[:, 0] / best.sum(axis=1))


@experiment(
    "bidding.series",
    item="docs/results.md, bidding",
    seed=9151,
    smoke={"series": 2},
    small={"series": 200},
    paper={"series": 3000},
)
def series_won(seed: int, series: int, last: int = 12, cards: str = CARDS) -> Outcome:
    """How often one of three is first of a series, if it bids for points, for leads, or as the series stands.

    That is how it bids in the last of 36 deals. The same deals each time, so that the differences are paired by series.
    """
    rows = []
    base = played(POINTS, seed, series, cards)
    first = firsts(base)
    for kind in BIDS:
        scores = base if kind == POINTS else played(kind, seed, series, cards, last, base)
        won = firsts(scores)
        end = scores[:, -1]
        gain = mean_of(won - first, "%")
        rows.append((kind, mean_of(won, "%"), gain, mean_of(end[:, 0]), mean_of(end[:, 1:].mean(axis=1))))
    columns = ("player 0 bids by", "first", "more than by points", "its points", "points of a rival")
    leads = np.diff(base[:, :, 0] - base[:, :, 1], axis=1)
    spread = Sheet.of("What one deal adds to a lead", ("standard deviation",), [(float(leads.std()),)])
    said = f"{series} series of {GAMES_OF_SERIES} deals, the last {last} bid in three ways"
    return Outcome((Sheet.of(said, columns, rows), spread))
