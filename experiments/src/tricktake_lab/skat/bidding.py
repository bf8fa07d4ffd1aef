"""What the bidder is worth. Points are those of a player in 36 games; all seats play their cards alike, by the policy
named or, for "", by rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.choice import Evaluator
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import FLOOR, GROUPS, KAPPA, SHIPPED, learned, raw
from tricktake_skat.bidding.style import BEST, RULE, Style
from tricktake_skat.bidding.value import DEFAULT as VALUES
from tricktake_skat.bidding.value import find_values
from tricktake_skat.contract import BIDS, GAME_NAMES
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import Selector
from tricktake_skat.games import ROTATIONS, Games, Player, bid_rows, rotated, rows_of_deals, score36, unplayed
from tricktake_skat.kernels import GRAND, NULL, bidding, rule_bid
from tricktake_skat.policy_rows import play_by
from tricktake_skat.questions.cuts import BID_CUTS
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.rows_play import Exploration, explored
from tricktake_skat.rules import WIN
from tricktake_skat.scoring import BONUS, GAMES_OF_SERIES, OTHERS_BONUS
from tricktake_skat.winning import winning

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import UnknownName
from tricktake.policy.policy import Family
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, log_file
from tricktake_lab.outcome import Z95, Cell, Estimate, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.value_fit import results_of
from tricktake_lab.skat.value_fit import told as chances_told

CARDS = "skat:cards"
STYLES: dict[str, Style | None] = {
    "rule player": None,
    **{f"B {b:.0f}, threshold {t:.0f}": Style(b, t) for b in (50.0, 70.0, 90.0) for t in (0.0, 10.0, 20.0)},
    "default, refined selection": Style(putting="learned"),
    "default, rule player's put": Style(putting="rule"),
    "default, trumps put": Style(trumps=True),
    "default, no hand games": Style(hands=False),
}
SKATS = bidding.SKATS
TABLES = "tables alone"  # the default without value networks
UNHEARD = 1e6  # the prior counts so much more that no game in the tables is heard
KINDS = ("suit", "grand", "Null", "Null ouvert")


def kinds_of(game: IntArray, ouvert: IntArray) -> IntArray:
    """0 suit, 1 grand, 2 Null, 3 Null ouvert."""
    return np.where(game < GRAND, 0, np.where(game == GRAND, 1, 2 + (ouvert > 0)))


def columns_of_rows() -> tuple[str, ...]:
    """Of ``row_of``."""
    return "style", "score", "passed in", "won", *(c for k in KINDS for c in (k, f"{k} won")), "from the hand"


def row_of(name: str, games: Games) -> tuple[Cell, ...]:
    """One row of a table: score, passed in, won, and share and wins of each kind of game."""
    score, error = score36(games)
    rows = games.rows
    played = rows["declarer"] >= 0
    kinds = kinds_of(rows["game"], rows["ouvert"])
    cells: list[Cell] = [name, Estimate(score, Z95 * error, len(games), digits=0)]
    cells += [share_of(~played), share_of(rows["won"][played])]
    for kind in range(len(KINDS)):
        some = kinds[played] == kind
        cells += [share_of(some), share_of(rows["won"][played][some])]
    return (*cells, share_of(rows["hand"][played]))


@experiment(
    "bidding.styles",
    item="docs/results.md, bidding",
    seed=9101,
    smoke={"deals": 30, "names": ("B 50, threshold 0", "B 90, threshold 0")},
    small={"deals": 2000},
    paper={"deals": 20_000},
)
def styles(
    seed: int,
    deals: int,
    names: tuple[str, ...] = (*STYLES, TABLES),
    cards: str = CARDS,
    values: str = VALUES,
    skats: int = SKATS,
) -> Outcome:
    """All seats bid in one style; points of a player in 36 games, and what its networks say of the games declared.

    names: of styles (``style_of``), with networks other than ``values`` after an at sign. skats: of the 231, with which
    hands are weighed.
    """
    places, seats = dealt(seed, 0, deals), np.zeros((deals, SEATS), np.int64)
    rows, told, more = [], [], []
    first: FloatArray | None = None
    for name in names:
        word, _, file = name.partition("@")
        style = Style() if word == TABLES else style_of(word)
        networks = "" if word == TABLES else file or values
        games = games_of([Player(style, learned(value=networks))], places, seats, cards, skats)
        rows.append(row_of(name, games))
        points = games.scores(1)[:, 0] * GAMES_OF_SERIES / SEATS
        if first is None:
            first = points
        else:
            more.append((name, mean_of(points - first, digits=1)))
        if style is not None and networks:
            told += [(name, *cells) for cells in said_and_won(find_values(networks), games.rows)]
    columns = columns_of_rows()
    sheets = [Sheet.of(f"{deals} deals each, cards by {cards or 'rule'}", columns, rows)]
    if more:
        sheets.append(Sheet.of(f"More than {names[0]}, paired by deal", ("style", "points in 36 games"), more))
    if told:
        of_told = ("style", "game", "skat", "games", "said", "won", "said - won")
        sheets.append(Sheet.of("What the networks say of the games that were declared", of_told, told))
    return Outcome(tuple(sheets))


def style_of(name: str) -> Style | None:
    """One of ``STYLES``, or any ``B 50, threshold 15``. Raises UnknownName."""
    if name in STYLES:
        return STYLES[name]
    numbers = re.fullmatch(r"B (\d+), threshold (-?\d+)", name)
    if numbers is None:
        raise UnknownName("style", name, (*STYLES, TABLES))
    loss, threshold = map(float, numbers.groups())
    return Style(loss, threshold)


def said_and_won(values: Family, rows: RowArray) -> list[tuple[Cell, ...]]:
    """By kind of game and with or without the skat: how often networks say it is won, and how often it was."""
    rows = rows[(rows["declarer"] >= 0) & (rows["announced"] == 0)]
    kinds = kinds_of(rows["game"], rows["ouvert"])
    cells: list[tuple[Cell, ...]] = []
    for number, kind in enumerate(KINDS):
        for hand, skat in enumerate(("seen", "not seen")):
            some = rows[(kinds == number) & (rows["hand"] == hand)]
            if len(some):
                games = results_of(some)
                said, won = chances_told(values.nets[number], games)[:, 0], games.results[:, 0]
                cells.append((kind, skat, len(some), mean_of(said, "%"), share_of(won > 0), mean_of(said - won, "%")))
    return cells


def games_of(players: Sequence[Player], deals: IntArray, seats: IntArray, cards: str, skats: int = SKATS) -> Games:
    """Games of bidders, every card by one policy ("": by rule). deals: (n, 4). seats: (n, 3) number of the player.
    skats: as in ``bid_rows``.
    """
    rows = rows_of_deals(deals)
    bid_rows(players, rows, seats, skats)
    play_by(find_policy(cards) if cards else None, rows)
    return Games(rows, seats, np.zeros((len(rows), 0), np.int64))


def sides(games: Games, teams: Sequence[int]) -> FloatArray:
    """Points of both players, a player and 36 games, in each deal of games that ``rotated`` seats: (deals, 2)."""
    scores = games.scores(2) * GAMES_OF_SERIES / np.array([teams.count(0), teams.count(1)])
    return scores.reshape(-1, ROTATIONS, 2).mean(axis=1)


def matched(seed: int, deals: int, ours: Player, other: Player, cards: str = CARDS) -> Outcome:
    """One against two and two against one, with the same deals on every seat: points per player and 36 games."""
    rows = []
    for teams in ((0, 1, 1), (0, 0, 1)):
        places, seats = rotated(dealt(seed, 0, deals), teams)
        games = games_of([ours, other], places, seats, cards)
        each = sides(games, teams)
        declarer = games.rows["declarer"]
        played = declarer >= 0
        won = [games.seats[np.arange(len(games)), declarer] == number for number in (0, 1)]
        declared = [int((played & w).sum()) for w in won]
        gain = mean_of(each[:, 0] - each[:, 1], digits=1)
        wins = [share_of(games.rows["won"][played & w]) for w in won]
        rows.append((f"{teams.count(0)} : {teams.count(1)}", *each.mean(axis=0).tolist(), gain, *declared, *wins))
    columns = ("ours : others", "ours", "others", "difference", "we declare", "they declare", "we win", "they win")
    return Outcome((Sheet.of(f"{deals} deals, each three times with the seats moved on", columns, rows),))


@experiment(
    "bidding.match",
    item="docs/results.md, bidding",
    seed=9102,
    smoke={"deals": 20},
    small={"deals": 2000},
    paper={"deals": 20_000},
)
def match(seed: int, deals: int, cards: str = CARDS) -> Outcome:
    """The bidder against the rule player, one against two and two against one."""
    return matched(seed, deals, Player(Style()), Player(None), cards)


BEFORE = Style(90.0, 10.0, "learned")


@experiment(
    "bidding.networks",
    item="docs/results.md, bidding",
    seed=9105,
    smoke={"deals": 20},
    small={"deals": 2000},
    paper={"deals": 10_000},
)
def networks(seed: int, deals: int, cards: str = CARDS, values: str = VALUES, other: str = "") -> Outcome:
    """The bidder with value networks against one with others, for "" the tables alone as it was before (``BEFORE``)."""
    ours, style = Player(Style(), learned(value=values)), Style() if other else BEFORE
    return matched(seed, deals, ours, Player(style, learned(value=other)), cards)


@experiment(
    "bidding.learned",
    item="docs/results.md, bidding",
    seed=9103,
    smoke={"deals": 20},
    small={"deals": 2000},
    paper={"deals": 20_000},
)
def with_and_without_tables(seed: int, deals: int) -> Outcome:
    """The bidder with the learned tables against the bidder with their prior alone."""
    unlearned = raw(KAPPA * UNHEARD).calibrated()
    return matched(seed, deals, Player(Style(), learned(value="")), Player(Style(), unlearned))


@experiment(
    "bidding.records",
    item="docs/results.md, bidding",
    seed=0,
    smoke={"log": "sample", "deals": 60},
    small={"log": "sample", "deals": 500},
    paper={"log": "x901.log.gz", "deals": 60_000},
)
def records(
    seed: int, log: str, deals: int, putting: str = Style().putting, cards: str = CARDS, values: str = VALUES
) -> Outcome:
    """XSkat's contracts and ours on the same deals: its auction kept, game and skat ours; all cards by one policy.

    Deals that XSkat passed in are bid by three of ours.
    """
    style, file = Style(putting=putting), log_file(log)
    parts = [part for _, part in zip(range(-(-deals // (1 << 15))), read_rows(file), strict=False)]
    rows = np.concatenate(parts)[:deals]
    passed, rows = rows[rows["declarer"] < 0], rows[rows["declarer"] >= 0]
    n, model = len(rows), evaluator(*SHIPPED[:3], values)
    theirs, ours = unplayed(rows), unplayed(_chosen(rows, style, model, seed))
    for each in (theirs, ours):
        play_by(find_policy(cards) if cards else None, each)
    points = [12 * _points(games["value"]) for games in (theirs, ours)]
    wins = [games["won"] for games in (theirs, ours)]
    whole: list[tuple[Cell, ...]] = [
        (name, mean_of(p, digits=0), share_of(w))
        for name, p, w in zip(("XSkat's contract and skat", "ours"), points, wins, strict=True)
    ]
    whole.append(("difference", mean_of(points[1] - points[0], digits=0), "-"))
    before, after = (kinds_of(each["game"], each["ouvert"]) for each in (rows, ours))
    changes = []
    for a, first in enumerate(KINDS):
        for b, then in enumerate(KINDS):
            some = (before == a) & (after == b)
            if some.any():
                cells = [mean_of(p[some], digits=0) for p in points] + [share_of(w[some]) for w in wins]
                changes.append((first, then, int(some.sum()), *cells))
    columns = ("XSkat's", "ours", "games", "points of XSkat's", "of ours", "XSkat's won", "ours won")
    sheets = [
        Sheet.of(f"{n} contracts, cards by {cards or 'rule'}", ("contract", "points in 36 games", "won"), whole),
        Sheet.of("By contract", columns, changes),
    ]
    if len(passed):
        seats = np.zeros((len(passed), 3), np.int64)
        again = games_of([Player(style, learned(value=values))], passed["deal"], seats, cards)
        title = "Deals that XSkat passed in, bid by three of ours"
        sheets.append(Sheet.of(title, columns_of_rows(), [row_of("ours", again)]))
    return Outcome(tuple(sheets), {"won by XSkat's own play": share_of(rows["won"])})


def _points(value: IntArray) -> FloatArray:
    lost = OTHERS_BONUS[3] * 2 - BONUS
    return np.where(value > 0, value + BONUS, np.where(value < 0, value + lost, 0)).astype(float)


def _chosen(rows: RowArray, style: Style, model: Evaluator, seed: int) -> RowArray:
    """Our game and skat. XSkat logs the last bid only: the others are taken to have bid it too, from 20 on."""
    ours, choices = rows.copy(), np.zeros(len(rows), np.int64)
    for i, row in enumerate(ours):
        seat, bid = int(row["declarer"]), int(row["bid"])
        row["bids"] = bid if bid > BIDS[0] else 0
        row["bids"][seat] = bid
        first, second, third = row["bids"].tolist()
        hand, skat = int(row["deal"][seat]), int(row["deal"][3])
        offer = model.offer(hand, seat, (first, second, third), bid, style)
        row["hand"], row["announced"] = offer.from_hand, 0
        if offer.from_hand:
            name = offer.by_hand.name
            row["announced"] = "S" in name[1:]
            choices[i] = GAME_NAMES.index(name[0]) + ("O" in name[1:])
            row["put"] = skat
        else:
            option = model.options(hand | skat, seat, (first, second, third), bid, style)[0]
            choices[i], row["put"] = GAME_NAMES.index(option.name), option.discard_mask
    ours["game"], ours["ouvert"] = np.minimum(choices, NULL), choices > NULL
    free = np.flatnonzero(ours["hand"] == 0)
    seats = ours["declarer"][free]
    together = ours["deal"][free, seats] | ours["deal"][free, 3]
    if style.putting == RULE:
        for k, cards in zip(free.tolist(), together.tolist(), strict=True):
            ours["put"][k] = rule_bid.best_discard(cards, ours["declarer"][k], ours["bid"][k], choices[k])[1]
    elif style.putting != BEST:
        asked = Declarers(choices[free], together, seats, ours["bids"][free])
        ours["put"][free] = Selector(style.putting).select(asked, np.random.default_rng(seed)).discards
    return ours


@experiment(
    "bidding.chances",
    item="docs/results.md, bidding",
    seed=9104,
    smoke={"deals": 100},
    small={"deals": 2000},
    paper={"deals": 20_000},
)
def chances(seed: int, deals: int, cards: str = CARDS) -> Outcome:
    """Log loss of the tables as they answer by themselves, of the prior alone, and of both, on forced games."""
    lines, policy = [], find_policy(cards) if cards else None
    for name, grand in (("suit", False), ("grand", True)):
        for how, floor in (("hands worth playing", -1.0), ("any hands", FLOOR)):
            rows = explored(seed, 0, deals, Exploration((name,), floor), policy=policy)
            rows = rows[rows["declarer"] >= 0]
            won = rows["eyes"] >= WIN
            others = np.array([max(b for seat, b in enumerate(r["bids"]) if seat != r["declarer"]) for r in rows])
            columns = (rows["game"], rows["hand"], rows["ouvert"], rows["own"], rows["put"], rows["declarer"], others)
            answers = {"tables": winning().chances(np.column_stack(columns))}
            groups = np.searchsorted(BID_CUTS, others, side="right")
            codes = [bidding.code_with(sums(), *c) for c in zip(rows["game"], rows["own"], rows["put"], strict=True)]
            cells = np.array([bidding.cell_of(code, GROUPS) for code in codes])
            for which, model in (("prior", raw(KAPPA * UNHEARD)), ("both", raw())):
                seats = rows["declarer"] if grand else np.zeros(len(rows), np.int64)
                answers[which] = (model.grand if grand else model.suit)[seats, groups, cells].astype(float)
            losses = [mean_of(_losses(answer, won), digits=4) for answer in answers.values()]
            lines.append((name, how, len(won), *losses))
    columns_of = ("game", "hands", "games", "tables", "prior", "both")
    return Outcome((Sheet.of("Log loss", columns_of, lines),))


def _losses(chance: FloatArray, won: NDArray[np.bool_]) -> FloatArray:
    inside = np.clip(np.where(chance < 0, 0.5, chance), 1e-3, 1 - 1e-3)
    return np.asarray(-np.log(np.where(won, inside, 1 - inside)))
