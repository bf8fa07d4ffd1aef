"""Numbers of the paper on skat selection that can be computed: deals, ace and ten together, the high-card theorem."""

from __future__ import annotations

import math
from math import comb

import numpy as np
from tricktake_skat.discard.features import Declarers, prepare
from tricktake_skat.discard.selection import Selector
from tricktake_skat.discard.weights import load
from tricktake_skat.games import play_contracts
from tricktake_skat.kernels import GRAND, discard
from tricktake_skat.rows import RowArray
from tricktake_skat.rows_play import Exploration, explored, open_card
from tricktake_skat.rules import WIN

from tricktake.arrays import BoolArray, IntArray
from tricktake.deal import number_of_deals
from tricktake.game import find_game
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, share_of

OUT = 5  # cards of a side suit outstanding when the declarer holds ace and ten
UNKNOWN = 20  # cards of both defenders
HAND = 10
JACKS = sum(1 << 8 * suit + 7 for suit in range(4))
MANY_JACKS = 3


def repeat_chance(deals: int, kinds: int) -> float:
    """The chance that two of so many deals are equal, of so many kinds."""
    return -math.expm1(-deals * (deals - 1) / 2 / kinds)


@experiment("skat.birthday", item="SKAT-1", seed=1, smoke={"tries": 50}, small={"tries": 2000}, paper={"tries": 20_000})
def birthday(seed: int, tries: int, kinds: int = 20_000) -> Outcome:
    """From how many deals on a repetition is as likely as not.

    tries: samples of a small game of so many kinds, on which the formula is checked.
    """
    deals = number_of_deals(find_game("skat").layout)
    needed = math.sqrt(2 * math.log(2) * deals)
    small = round(math.sqrt(2 * math.log(2) * kinds))
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.integers(0, kinds, (tries, small)), axis=1)
    repeated = share_of((np.diff(drawn, axis=1) == 0).any(axis=1))
    facts = {
        "deals": deals,
        "deals for a repetition in half of all samples": needed,
        "chance of a repetition in 40 million": 100 * repeat_chance(40_000_000, deals),
        "small game: by the formula": repeat_chance(small, kinds),
        "small game: drawn": repeated,
    }
    return Outcome((), facts)


def follows_twice(seed: int, deals: int) -> BoolArray:
    """Whether both defenders hold at least two of five cards, drawn with fifteen others; (deals,)."""
    rng = np.random.default_rng(seed)
    first = rng.hypergeometric(OUT, UNKNOWN - OUT, HAND, deals)
    return (first >= 2) & (first <= OUT - 2)


@experiment(
    "skat.twin",
    item="SKAT-31",
    seed=2,
    smoke={"deals": 400, "hands": 40},
    small={"deals": 40_000, "hands": 2000},
    paper={"deals": 1_000_000, "hands": 200_000},
)
def twin(seed: int, deals: int, hands: int) -> Outcome:
    """How often ace and ten of a side suit take both tricks: counted, drawn, and in deals of the grands that are bid.

    hands: deals of self-play, of whose grands those count in which the declarer has ace and ten alone in a suit and
    both defenders two or more of it.
    """
    exact = sum(comb(OUT, k) * comb(UNKNOWN - OUT, HAND - k) for k in (2, 3)) / comb(UNKNOWN, HAND)
    rows = explored(seed, 0, hands, Exploration(("grand",), -1.0, 0))
    rows = rows[rows["declarer"] >= 0]
    seen = []
    for suit in range(4):
        plain = 0x7F << 8 * suit
        top = 0x60 << 8 * suit  # ten and ace
        gone = np.bitwise_count(rows["put"] & plain)
        holds = ((rows["own"] & plain) == top) & (gone == 0)
        held = np.bitwise_count(rows["hands"][holds] & plain)
        others = np.arange(3) != rows["declarer"][holds][:, None]
        seen.append(np.where(others, held, 9).min(axis=1) >= 2)
    facts = {
        "both follow twice, exact": exact,
        "both follow twice, drawn": share_of(follows_twice(seed, deals)),
        "both follow twice, grands of self-play": share_of(np.concatenate(seen)),
    }
    return Outcome((), facts)


@experiment(
    "discard.theorem",
    item="SKAT-9, KERMIT-9",
    seed=4,
    smoke={"hands": 300},
    small={"hands": 8000},
    paper={"hands": 100_000},
)
def theorem(seed: int, hands: int) -> Outcome:
    """The high-card theorem: how often a discard keeps it, and whether such grands are won.

    Grands are forced on hands of some strength; they are won with open cards, or when all play by rule.
    """
    rows = explored(seed, 0, hands, Exploration(("grand",), -1.0, 0))
    rows = rows[rows["declarer"] >= 0]
    n = np.arange(len(rows))
    twelve = rows["deal"][n, rows["declarer"]] | rows["deal"][:, 3]
    given = Declarers(np.full(len(rows), GRAND), twelve, np.ascontiguousarray(rows["declarer"]), rows["bids"].copy())
    prepared = prepare(given, load("default").limits)
    counts = (discard.T_LOST, discard.T_SECURED, discard.T_GIVEN, discard.T_BOUND)
    lost, secured, given_away, bound = (prepared.counted[:, :, k] for k in counts)
    holds = (secured >= lost) & (given_away == 0) & (bound < WIN - 1)
    more = (secured + 1 >= lost) & (given_away == 0) & ~holds.any(axis=1)[:, None]  # KERMIT-9
    strong = (np.bitwise_count(twelve & JACKS) >= MANY_JACKS) & (rows["declarer"] == 0)
    lines = []
    facts = {"hands with such a discard": share_of(holds.any(axis=1))}
    for name, fits in (("k tricks lost", holds), ("k + 1 tricks lost", more)):
        there = fits.any(axis=1)
        put = np.take_along_axis(prepared.pairs, fits.argmax(axis=1)[:, None], axis=1)[:, 0]
        open_won, played_won = _results(rows, np.where(there, put, rows["put"]))
        for group, some in (("forehand, three jacks", strong), ("others", ~strong)):
            which = there & some
            line = (int(which.sum()), share_of(open_won[which]), share_of(played_won[which]))
            lines.append((f"{name}, {group}", *line))
            facts[f"{name}, {group}: won with open cards"] = line[1]
    none = ~(holds | more).any(axis=1)
    open_won, played_won = _results(rows, Selector("proposed").select(given).discards)
    lines.append(("neither, proposed", int(none.sum()), share_of(open_won[none]), share_of(played_won[none])))
    columns = ("high cards secured: k", "hands", "won with open cards", "won by rule")
    return Outcome((Sheet.of(f"{len(rows)} grands", columns, lines),), facts)


def _results(rows: RowArray, puts: IntArray) -> tuple[BoolArray, BoolArray]:
    again = rows.copy()
    again["put"] = puts
    played = play_contracts(again).rows
    return open_card(played) == 1, played["eyes"] >= WIN
