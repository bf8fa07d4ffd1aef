"""What the score of three equal bidders is made of, and what it would be if one thing alone were otherwise.

All on the same deals, bid and declared by ``skat:bidder``: which deals count, which contracts are played, who plays the
cards, who gets the contract. Points are those of a player in 36 games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.choice import Bids
from tricktake_skat.bidding.style import Style
from tricktake_skat.contract import BIDS, GAME_NAMES
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import RULE_PLAYER, Player, bid_rows, play_contracts, rows_of_deals, unplayed
from tricktake_skat.kernels import NULL
from tricktake_skat.policy_match import gains
from tricktake_skat.policy_rows import play_by
from tricktake_skat.practice import by_family, contracts_of
from tricktake_skat.rows import RowArray, contract_in
from tricktake_skat.rows_play import open_card, open_eyes
from tricktake_skat.rules import ALL_TRICKS
from tricktake_skat.scoring import OTHERS_BONUS
from tricktake_skat.strategies.expert import Expert
from tricktake_skat.value import settle

from tricktake.arrays import BoolArray, FloatArray
from tricktake.policy.policy import Policy
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.bidding import CARDS, KINDS, SKATS, kinds_of
from tricktake_lab.skat.replayed import bid_by, recorded_rows, series_points

EXPERTS: dict[str, Expert | None] = {"skat:expert": Expert(), "skat:rule": None}
UNHEARD: Bids = (0, 0, 0)
BLOCK = 1000  # deals whose contracts are all tried at a time


# -- what the score is made of ----------------------------------------------------------------------------------------


def parts_of(rows: RowArray) -> Sheet:
    """By kind of contract: how often, how often won, mean value of won and lost games, and the points it brings."""
    points, value = series_points(rows), rows["value"]
    kinds = np.where(rows["declarer"] >= 0, 2 * kinds_of(rows["game"], rows["ouvert"]) + (rows["hand"] == 1), -1)
    which: list[tuple[str, BoolArray]] = [("all", kinds > -2), ("passed in", kinds < 0), ("played", kinds >= 0)]
    which += [
        (f"{kind}{how}", kinds == 2 * n + h) for n, kind in enumerate(KINDS) for h, how in enumerate(("", " Hand"))
    ]
    lines: list[tuple[Cell, ...]] = []
    for name, some in which:
        if some.any():
            won, lost = some & (value > 0), some & (value < 0)
            values = [mean_of(v, digits=1) for v in (value[won], -value[lost] / 2)]
            wins, each = share_of(value[some & (value != 0)] > 0), mean_of(points[some], digits=0)
            lines.append((name, share_of(some), wins, *values, each, float(points[some].sum() / len(rows))))
    columns = ("contract", "share", "won", "value if won", "value if lost", "points in 36 such", "of the score")
    return Sheet.of("What the score is made of", columns, lines)


def worths(rows: RowArray) -> dict[str, float]:
    """What the score would gain if one deal of a hundred were won instead of lost, and played instead of passed in."""
    points, value = series_points(rows), rows["value"]
    won, lost = (float(points[some].mean()) for some in (value > 0, value < 0))
    return {"one in a hundred won, not lost": (won - lost) / 100, "played, not passed": points[value != 0].mean() / 100}


def counted(rows: RowArray) -> Sheet:
    """The score by which deals count as games."""
    points, played = series_points(rows), rows["declarer"] >= 0
    rule = bid_by(RULE_PLAYER, rows["deal"])["declarer"] >= 0
    which = {
        "all deals": np.ones(len(rows), np.bool_),
        "deals that somebody plays": played,
        "deals that three rule players do not pass in": rule,
        "of these, those that somebody plays": rule & played,
    }
    lines = [
        (name, int(some.sum()), share_of(~played[some]), mean_of(points[some], digits=0))
        for name, some in which.items()
    ]
    return Sheet.of("What counts as a game", ("games", "n", "passed in", "points"), lines)


# -- the same contracts, other cards ----------------------------------------------------------------------------------


def mixed(rows: RowArray, policy: Policy | None, declares: bool, other: Expert | None) -> FloatArray:
    """Points of contracts, one side by a policy (None: by the expert). declares: whether that is the declarer's.

    other: plays the other side, None for the rule player.
    """
    found, at = np.zeros(len(rows)), np.arange(len(rows))
    played = rows["declarer"] >= 0
    for family, numbers in by_family(rows[played], at[played]).items():
        if len(numbers):
            some = rows[numbers]
            inside = np.arange(SEATS) == some["declarer"][:, None]
            net = None if policy is None else policy.families[family]
            gain = gains(net, contracts_of(some), inside == declares, other)
            # what is lost to each opponent; the table as a whole loses less, by the bonus of all three
            found[numbers] = np.where(gain < 0, gain + SEATS * OTHERS_BONUS[SEATS], gain)
    return np.asarray(12 * found)


def opened(rows: RowArray) -> RowArray:
    """The same contracts as they end if all cards are open and everybody plays the best."""
    rows = unplayed(rows)
    seen = rows.copy()
    play_by(None, seen)  # hands and matadors
    null = rows["game"] == NULL
    eyes, wins = open_eyes(seen), np.zeros(len(rows), np.int64)
    wins[null] = open_card(seen[null])
    for i in np.flatnonzero(rows["declarer"] >= 0).tolist():
        contract = contract_in(rows[i])
        assert contract is not None
        if null[i]:
            taken, tricks = 60, 1 - int(wins[i])
        else:
            taken = int(eyes[i])
            tricks = 0 if taken == 0 else ALL_TRICKS - (taken < 120)
        rows["value"][i] = settle(contract, int(seen["matadors"][i]), taken, tricks).points
    return rows


def by_cards(rows: RowArray, cards: str, solved: int) -> Sheet:
    """The score of the same contracts by who plays the cards; differences are paired by deal.

    solved: of the first deals, what open cards give.
    """
    policy = find_policy(cards)
    start = unplayed(rows)
    play_by(policy, start)
    base = series_points(start)
    lines: list[tuple[Cell, ...]] = []

    def add(declarer: str, defenders: str, points: FloatArray) -> None:
        n = len(points)
        won = points[rows["declarer"][:n] >= 0] > 0
        lines.append(
            (declarer, defenders, n, share_of(won), mean_of(points, digits=0), mean_of(points - base[:n], digits=1))
        )

    add(cards, cards, base)
    for name, expert in EXPERTS.items():
        add(name, name, series_points(play_contracts(rows, expert, expert).rows))
        add(name, cards, mixed(rows, policy, False, expert))
        add(cards, name, mixed(rows, policy, True, expert))
    if solved:
        add("open cards", "open cards", series_points(opened(rows[:solved])))
    columns = ("declarer", "defenders", "deals", "won", "points", "over the first")
    return Sheet.of("The same contracts, other cards", columns, lines)


# -- the same deals, other contracts ----------------------------------------------------------------------------------


@frozen
class Candidate:
    """A contract a seat may have. expected: points by its chances, at the lowest bid."""

    seat: int
    choice: int
    put: int
    by_hand: bool
    announced: bool
    expected: float

    def fill(self, row: np.void) -> None:
        """Write the contract down, at the lowest bid."""
        row["declarer"], row["bid"], row["bids"] = self.seat, BIDS[0], 0
        row["bids"][self.seat] = BIDS[0]
        row["game"], row["ouvert"] = min(self.choice, NULL), self.choice > NULL
        row["hand"], row["announced"], row["put"] = self.by_hand, self.announced, self.put


def candidates(deal: NDArray[np.int64], style: Style) -> Iterator[Candidate]:
    """The contracts of a deal at the lowest bid: for each seat every game with its best discard, and its best from the
    hand if that promises more than the skat.
    """
    model, skat = evaluator(), int(deal[3])
    for seat in range(SEATS):
        hand = int(deal[seat])
        offer = model.offer(hand, seat, UNHEARD, BIDS[0], style)
        name = offer.by_hand.name
        choice = GAME_NAMES.index(name[0]) + ("O" in name[1:])
        yield Candidate(seat, choice, skat, True, "S" in name[1:], offer.hand)
        for n, option in enumerate(model.options(hand | skat, seat, UNHEARD, BIDS[0], style)):
            # what the seat expects before it sees the skat, for the game it would then declare
            expected = offer.take if n == 0 else -np.inf
            yield Candidate(seat, GAME_NAMES.index(option.name), option.discard_mask, False, False, expected)


def by_contract(rows: RowArray, policy: Policy) -> Sheet:
    """The score if contracts were given to seats instead of bid for, at 18."""
    style, points = Style(), {name: np.zeros(len(rows)) for name in CHOICES}
    for first in range(0, len(rows), BLOCK):
        deals = rows["deal"][first : first + BLOCK]
        found = [list(candidates(deal, style)) for deal in deals]
        tried = rows_of_deals(np.repeat(deals, [len(each) for each in found], axis=0))
        for row, one in zip(tried, (one for each in found for one in each), strict=True):
            one.fill(row)
        play_by(policy, tried)
        scores = np.split(series_points(tried), np.cumsum([len(each) for each in found])[:-1])
        for n, (each, score) in enumerate(zip(found, scores, strict=True), first):
            for name, choose in CHOICES.items():
                points[name][n] = choose(each, score, int(rows["declarer"][n]))
    base = series_points(rows)
    lines: list[tuple[Cell, ...]] = [("as bid", share_of(rows["declarer"] < 0), mean_of(base, digits=0), "")]
    for name, made in points.items():
        lines.append((name, share_of(made == 0), mean_of(made, digits=0), mean_of(made - base, digits=0)))
    return Sheet.of(
        "The same deals, other contracts", ("the contract goes to", "passed in", "points", "over as bid"), lines
    )


def most_expected(found: list[Candidate], scores: FloatArray, _: int) -> float:
    """Who expects most, if that is anything at all, declares what it expects most of."""
    best = max(range(len(found)), key=lambda n: found[n].expected)
    return float(scores[best]) if found[best].expected > 0 else 0.0


def expected_by_declarer(found: list[Candidate], scores: FloatArray, declarer: int) -> float:
    """Who won the auction declares what it would have if nobody else had bid."""
    some = [n for n, one in enumerate(found) if one.seat == declarer]
    return float(scores[max(some, key=lambda n: found[n].expected)]) if some else 0.0


def best_of_declarer(found: list[Candidate], scores: FloatArray, declarer: int) -> float:
    """Who won the auction declares what brings most in this deal."""
    return max((float(s) for one, s in zip(found, scores, strict=True) if one.seat == declarer), default=0.0)


def best_of_all(_: list[Candidate], scores: FloatArray, __: int) -> float:
    """Whoever makes most in this deal."""
    return max(0.0, float(scores.max()))


CHOICES: dict[str, Callable[[list[Candidate], FloatArray, int], float]] = {
    "who bid most, as if the others had passed": expected_by_declarer,
    "who expects most, as if the others had passed": most_expected,
    "who bid most, in the game that turns out best": best_of_declarer,
    "the seat and the game that turn out best": best_of_all,
}


@experiment(
    "bidding.equals",
    item="docs/results.md, bidding: what the score of three equals is made of",
    seed=9111,
    smoke={"deals": 12, "skats": 9, "tried": 6, "solved": 12, "log": "sample", "recorded": 60},
    small={"deals": 1000, "tried": 200, "solved": 200, "log": "sample", "recorded": 500},
    paper={"deals": 10_000, "tried": 20_000, "solved": 4000, "log": "xskat:906:85000", "recorded": 30_000},
)
def equals(
    seed: int, deals: int, tried: int, solved: int, log: str, recorded: int, cards: str = CARDS, skats: int = SKATS
) -> Outcome:
    """What the score of three equal bidders is made of: games that count, contracts, cards, who declares.

    deals: of each of two seeds. skats: of the 231, with which hands are weighed. tried: of these deals, those in which
    every contract is tried; solved: those whose contracts are played with open cards. log: recorded games, ``recorded``
    of them, to be taken apart in the same way.
    """
    rows = rows_of_deals(np.concatenate([dealt(each, 0, deals) for each in (seed, seed + 1)]))
    bid_rows([Player()], rows, np.zeros((len(rows), SEATS), np.int64), skats)
    policy = find_policy(cards)
    play_by(policy, rows)
    games, whose = recorded_rows(log, recorded)
    theirs = parts_of(games)
    sheets = (
        counted(rows),
        parts_of(rows),
        Sheet.of(f"{len(games)} recorded games of {whose}", theirs.columns, theirs.rows),
        by_cards(rows, cards, solved),
        by_contract(rows[:tried], policy),
    )
    return Outcome(sheets, worths(rows))
