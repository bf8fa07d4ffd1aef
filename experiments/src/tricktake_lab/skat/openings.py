"""The games behind the opening questions, and the tables learned from them.

Neither the rule player nor XSkat ever leads under an ace, so their games cannot say what that is worth. Deals are bid
as usual here, but a defender in forehand opens with any card of his hand, all equally likely; then rules play the
rest, or a policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from attrs import evolve
from tricktake_skat.deals import dealt
from tricktake_skat.deck import SEATS
from tricktake_skat.games import (
    RULE_PLAYER,
    Player,
    bid_rows,
    dealt_rows,
    play_contracts,
    play_deals,
    play_rows,
    unplayed,
)
from tricktake_skat.kernels import GRAND, cards, features
from tricktake_skat.kernels import games as game_kernel
from tricktake_skat.policy_rows import play_by
from tricktake_skat.questions.lead import LEAD_GRAND, LEAD_SUIT
from tricktake_skat.scoring import BONUS, OTHERS_BONUS
from tricktake_skat.strategies.expert import Expert
from tricktake_skat.strategies.opening import Choose, chosen, opens

from tricktake.arrays import BoolArray, FloatArray, IntArray
from tricktake.cards import bits
from tricktake.deal import STREAM
from tricktake.learning import LearnedTable, Question, learn, merge
from tricktake.learning.rows import RowArray
from tricktake.policy.policy import Policy
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, learned, stored
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.replayed import series_points

BLOCK = 50_000
POLICY = "skat:cards"
SALT = 0x1EAD  # what makes the draw of the opening another one than that of the deal
QUESTIONS: dict[str, Question] = {"lead-suit": LEAD_SUIT, "lead-grand": LEAD_GRAND}


def openings(
    seed: int, first: int, n: int, stream: str = STREAM, policy: str = "", bidder: Player = RULE_PLAYER
) -> RowArray:
    """The suit games and grands with a defender in forehand among the deals ``first`` to ``first + n - 1`` of a seed;
    he opens with any card. policy: plays the others, "" for the rule player.
    """
    rows = dealt_rows(seed, first, n, stream)
    bid_rows([bidder], rows, np.zeros((n, SEATS), np.int64))
    rows = rows[opens(rows)]
    key = cards.mix(seed & 0xFFFFFFFF, SALT)
    for row in rows:
        hand = list(bits(int(row["deal"][0])))
        row["cards"][0] = hand[cards.mix(key, int(row["id"]) & 0xFFFFFFFF) % len(hand)]
    play_by(find_policy(policy) if policy else None, rows)
    return rows


def blocks(seed: int, deals: int, stream: str = STREAM, policy: str = "") -> Iterator[RowArray]:
    """``openings`` of the deals 0 to ``deals - 1``, block by block."""
    for first in range(0, deals, BLOCK):
        yield openings(seed, first, min(BLOCK, deals - first), stream, policy)


@experiment(
    "learning.openings",
    item="tables/skat/lead-suit.table, lead-grand.table; OUTER-18",
    seed=4001,
    smoke={"deals": 400},
    small={"deals": 50_000},
    paper={"deals": 3_000_000},
)
def lead_tables(seed: int, deals: int, stream: str = STREAM, policy: str = "") -> Outcome:
    """The tables of the opening lead, learned from self-play whose openings are drawn from the hand.

    stream: of the deals. policy: plays all other cards, "" for the rule player.
    """
    parts: dict[str, list[LearnedTable]] = {name: [] for name in QUESTIONS}
    for rows in blocks(seed, deals, stream, policy):
        for name, question in QUESTIONS.items():
            parts[name] = [merge([*parts[name], learn(question, rows)])]
    player = f"{policy or 'skat:rule'}, the opening drawn from the hand"
    made = learned("learning.openings", seed, deals=deals, stream=stream, policy=policy)
    ships, lines = {}, []
    for name, (table,) in parts.items():
        source = {"kind": "self-play", "player": player, **made, "first": 0, "games": deals, "used": table.games}
        ships[Path("tables", "skat", f"{name}.table")] = stored(evolve(table, sources=(source,)))
        lines.append((name, table.games, table.won / max(1, table.games)))
    return Outcome((Sheet.of(f"{deals} deals", ("table", "games", "lost"), lines),), ships=ships)


@experiment(
    "openings.match",
    item="OUTER-18; docs/results.md, learning",
    seed=4002,
    smoke={"deals": 100},
    small={"deals": 20_000},
    paper={"deals": 200_000},
)
def opened(seed: int, deals: int) -> Outcome:
    """What the tables of the opening lead are worth to defenders: experts play, the first card by table.

    Shares and scores are those of the declarer; deals are bid by rule.
    """
    rows = play_deals(dealt(seed, 0, deals)).rows
    rows = unplayed(rows[opens(rows)])
    usual = play_contracts(rows, Expert(), Expert()).rows
    ways: dict[str, Choose] = {"with the ace or under it": "ace", "also which suit": "suit"}
    lines: list[tuple[Cell, ...]] = []
    facts: dict[str, Cell] = {}
    for name, choose in ways.items():
        again = _opened(rows, chosen(usual, usual["cards"][:, 0], choose))
        other = again["cards"][:, 0] != usual["cards"][:, 0]
        for kind, some in (("suit", rows["game"] < GRAND), ("grand", rows["game"] == GRAND)):
            gap = (again["won"] - usual["won"])[some]
            points = (series_points(again) - series_points(usual))[some]
            before, after = (share_of(each["won"][some] == 1, 4) for each in (usual, again))
            cells = (share_of(other[some]), before, after, mean_of(gap, "%", 4), mean_of(points, digits=1))
            lines.append((name, kind, int(some.sum()), *cells))
            facts[f"{name}, {kind}: declarer's wins"] = mean_of(gap, "%", 4)
    columns = ("tables say", "games", "n", "another card", "won", "won by the tables' opening", "difference", "points")
    return Outcome((Sheet.of("Openings of a defender in forehand, cards by skat:expert", columns, lines),), facts)


CARDS = ("lowest", "highest")
SKATS = 33  # of 231, with which hands are weighed here (as in ``value_own``)


@experiment(
    "openings.partner",
    item="docs/results.md, the partner's suit as a lead",
    seed=4003,
    smoke={"deals": 200},
    small={"deals": 4000},
    paper={"deals": 40_000},
)
def partner(seed: int, deals: int, policy: str = POLICY) -> Outcome:
    """What it is worth to open with a suit the partner bid on, instead of what the policy leads; bid by networks.

    Points that each defender gains on the declarer. Beside it the same of side suits the partner did not bid on, in the
    same games: what such a change costs by itself.
    """
    plays = find_policy(policy)
    rows = dealt_rows(seed, 0, deals)
    bid_rows([Player()], rows, np.zeros((deals, SEATS), np.int64), SKATS)
    rows = rows[opens(rows)]
    usual = unplayed(rows)
    play_by(plays, usual)
    others = rows["bids"][np.arange(len(rows)), SEATS - rows["declarer"]]
    named = np.array([[features.bid_on(bid, suit) == 1 for suit in range(4)] for bid in others.tolist()])
    named &= np.arange(4) != rows["game"][:, None]
    spoke = named.any(axis=1)
    lines: list[tuple[Cell, ...]] = []
    for kind, of_kind in (("suit", rows["game"] < GRAND), ("grand", rows["game"] == GRAND)):
        for title, card in product(("bid on", "not bid on"), CARDS):
            parts = [
                _instead(rows, usual, spoke & of_kind & (named[:, suit] == (title == "bid on")), suit, card, plays)
                for suit in range(4)
            ]
            points, won = (np.concatenate(column) for column in zip(*parts, strict=True))
            lines.append((kind, title, card, len(points), mean_of(points, digits=2), mean_of(won, "%")))
    own = usual["cards"][:, 0]
    follows = named[np.arange(len(rows)), own >> 3] & (cards.PLAIN >> (own & 7) & 1 != 0)
    facts: dict[str, Cell] = {
        "partner bid on a side suit": share_of(spoke),
        "the policy opens with it": share_of(follows[spoke]),
    }
    columns = ("game", "suit the partner", "card of it", "n", "points gained", "more games the declarer lost")
    title = f"{len(rows)} contracts with a defender in forehand; where the policy led another suit"
    return Outcome((Sheet.of(title, columns, lines),), facts)


def _instead(
    rows: RowArray, usual: RowArray, some: BoolArray, suit: int, card: str, policy: Policy
) -> tuple[FloatArray, FloatArray]:
    """Where forehand holds cards of a side suit and led none of them: points and games more that it gains with one."""
    own, led = rows["hands"][:, 0] | rows["deal"][:, 0], usual["cards"][:, 0]
    held = np.where(rows["game"] == suit, 0, own & cards.PLAIN << 8 * suit)
    at = np.flatnonzero(some & (held != 0) & ~((led >> 3 == suit) & (cards.PLAIN >> (led & 7) & 1 != 0)))
    again = unplayed(rows[at])
    order = [list(bits(int(mask))) for mask in held[at]]
    again["cards"][:, 0] = [each[0] if card == "lowest" else each[-1] for each in order]
    play_by(policy, again)
    return _ahead(usual[at]) - _ahead(again), (usual["won"][at] - again["won"]).astype(float)


def _ahead(rows: RowArray) -> FloatArray:
    """Seeger points that the declarer gains on each defender."""
    value = rows["value"].astype(float)
    return np.asarray(np.where(value > 0, value + BONUS, value - BONUS - OTHERS_BONUS[SEATS]))


def _opened(rows: RowArray, first: IntArray) -> RowArray:
    """The contracts played by experts with this first card."""
    again = unplayed(rows)
    again["cards"][:, 0] = first
    on = np.full((1, SEATS), Expert().on)
    play_rows(again, np.full((1, SEATS), game_kernel.expert.address), on)
    return again
