"""The questions of Skat, what is learned from them, and the winning probabilities made of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tricktake_skat._kernels import winning as kernel
from tricktake_skat._kernels.features import UNKNOWN_BID
from tricktake_skat.deck import SKAT
from tricktake_skat.questions.declarer import GRAND_GAME, SUIT
from tricktake_skat.questions.lead import LEAD_GRAND, LEAD_SUIT
from tricktake_skat.rows import GAMES, RowArray
from tricktake_skat.rows_play import play
from tricktake_skat.winning import made_of

from tricktake.learning import LearnedTable, find_question, learn
from tricktake.learning.counts import Counts
from tricktake.learning.smooth import smoothed, with_unknown


def mask(text: str) -> int:
    return sum(SKAT.card(name).mask for name in text.split())


def asked(rows: RowArray) -> np.ndarray:
    """What ``Winning.chances`` takes."""
    bids = rows["bids"].copy()
    bids[np.arange(len(rows)), rows["declarer"]] = 0
    strongest = np.where((bids < 0).any(axis=1), -1, bids.max(axis=1))
    columns = (rows["game"], rows["hand"], rows["ouvert"], rows["own"], rows["put"], rows["declarer"], strongest)
    return np.stack(columns, axis=1)


@pytest.fixture(scope="module")
def rows() -> RowArray:
    return play(77, 0, 1500)


@pytest.fixture(scope="module")
def tables(rows: RowArray) -> tuple[LearnedTable, LearnedTable]:
    return learn(SUIT, rows), learn(GRAND_GAME, rows)


def test_registered() -> None:
    for name, question in (("suit", SUIT), ("grand", GRAND_GAME), ("lead-suit", LEAD_SUIT), ("lead-grand", LEAD_GRAND)):
        assert find_question(f"skat:{name}") is question
    assert (len(SUIT.features), len(GRAND_GAME.features)) == (9, 7)  # OUTER-17


def test_questions_take_their_games(rows: RowArray, tables: tuple[LearnedTable, LearnedTable]) -> None:
    plain = (rows["hand"] == 0) & (rows["ouvert"] == 0) & (rows["announced"] == 0)
    suit, grand = plain & (rows["game"] >= 0) & (rows["game"] < 4), plain & (rows["game"] == 4)
    for table, chosen in zip(tables, (suit, grand), strict=True):
        assert table.games == chosen.sum() > 100
        assert table.won == (rows["eyes"][chosen] >= 61).sum()


def test_kernel_fills_the_vectors_of_the_questions(rows: RowArray, tables: tuple[LearnedTable, LearnedTable]) -> None:
    arrays = made_of(*tables).arrays
    vector = np.zeros(kernel.LONGEST, np.int64)
    for question in (SUIT, GRAND_GAME):
        values, _, _ = question.found(rows)
        numbers = range(5) if question is GRAND_GAME else range(4)
        kept = rows[(rows["hand"] == 0) & np.isin(rows["game"], [4] if question is GRAND_GAME else list(numbers))]
        assert len(kept) == len(values)
        for line, wanted in zip(asked(kept)[:100], values[:100], strict=True):
            game, _, _, own, put, seat, bid = line
            kernel.fill(arrays, game, own, put, seat, bid, vector)
            assert vector[: len(wanted)].tolist() == wanted.tolist()


def lead_row(**changes: object) -> RowArray:
    """Forehand opens spades against a clubs game of rearhand."""
    row = GAMES.row(game=0, declarer=2, won=0, trumps=mask("CJ SJ HJ DJ CA CT CK CQ C9 C8 C7"))
    row["hands"][0, 0] = mask("CJ C7 SA ST S7 H7 H8 H9 D7 D8")
    row["cards"][0] = -1
    row["cards"][0, 0] = SKAT.card("S7").index
    row["bids"][0] = (0, 22, 24)
    for name, value in changes.items():
        row[name] = value
    return row


def test_opening_lead_vectors() -> None:
    names = [feature.name for feature in LEAD_SUIT.features]
    vector = dict(zip(names, LEAD_SUIT.vectors(lead_row())[0].tolist(), strict=True))
    assert vector == {
        "strength": 1, "length": 3, "ace": 1, "ten": 1, "declarer_last": 1, "partner_bid": 1, "ace_played": 0,
    }  # fmt: skip
    with_ace = lead_row()
    with_ace["cards"][0, 0] = SKAT.card("SA").index
    one, two = LEAD_SUIT.vectors(lead_row())[0], LEAD_SUIT.vectors(with_ace)[0]
    assert (one != two).tolist() == [False] * (len(names) - 1) + [True]  # the two buckets that are compared


def test_opening_leads_that_count() -> None:
    assert len(LEAD_SUIT.found(lead_row())[0]) == 1
    assert LEAD_SUIT.found(lead_row())[1].tolist() == [1]  # won means that the declarer lost
    assert len(LEAD_SUIT.found(lead_row(declarer=0))[0]) == 0
    trump = lead_row()
    trump["cards"][0, 0] = SKAT.card("C7").index
    assert len(LEAD_SUIT.found(trump)[0]) == 0
    jack = lead_row(game=4)
    jack["cards"][0, 0] = SKAT.card("CJ").index
    names = [feature.name for feature in LEAD_GRAND.features]
    assert dict(zip(names, LEAD_GRAND.vectors(jack)[0].tolist(), strict=True))["length"] == 0  # OUTER-18


def test_smoothing_draws_towards_the_background(tables: tuple[LearnedTable, LearnedTable]) -> None:
    table, kappa = tables[0], 20.0
    soft = smoothed(table, kappa)
    plain = {(layer, values): (won, games) for layer, values, won, games in table}
    found = {(layer, values): won / games for layer, values, won, games in soft}
    assert plain.keys() == found.keys()
    names, background = table.form.names, table.form.layers[1][1]
    last = table.form.layers[2][1]
    for (layer, values), (won, games) in plain.items():
        if layer == "last":
            parent = table.won / table.games
        elif layer == "background":
            parent = found["last", tuple(v for v, n in zip(values, background, strict=True) if n in last)]
        else:
            parent = found["background", tuple(v for v, n in zip(values, names, strict=True) if n in background)]
        assert found[layer, values] == pytest.approx((won + kappa * parent) / (games + kappa), abs=2e-3)


def test_unknown_bids_are_all_bids(tables: tuple[LearnedTable, LearnedTable]) -> None:
    table = tables[1]
    at = table.form.names.index("bid")
    together = with_unknown(table, "bid", UNKNOWN_BID)
    sums: dict[tuple[int, ...], int] = {}
    for layer, values, _, games in table:
        if layer == "foreground":
            key = (*values[:at], UNKNOWN_BID, *values[at + 1 :])
            sums[key] = sums.get(key, 0) + games
    found = {values: games for layer, values, _, games in together if layer == "foreground" and values[at] == 4}
    assert found == sums
    known = [bucket for bucket in together if bucket[0] == "foreground" and bucket[1][at] != 4]
    assert known == [bucket for bucket in table if bucket[0] == "foreground" and bucket[1][at] != 4]
    assert all(np.all(np.diff(counts.keys) > 0) for counts in together.layers)


def test_chance_one_by_one_and_many(rows: RowArray, tables: tuple[LearnedTable, LearnedTable]) -> None:
    made = made_of(*tables)
    trump = rows[(rows["game"] >= 0) & (rows["game"] < 5) & (rows["hand"] == 0)]
    lines = asked(trump)[:50]
    many = made.chances(lines)
    for line, chance in zip(lines.tolist(), many, strict=True):
        game, hand, ouvert, own, put, seat, bid = line
        one = made.chance(own, put, "CSHDG"[game], seat=seat, hand=bool(hand), ouvert=bool(ouvert), bid=bid)
        assert one == chance
        assert 0 < one < 1
    assert made.chance(lines[0, 3], lines[0, 4], "N", seat=0) == -1.0  # nothing was said of Null


@pytest.mark.parametrize("wrong", [{"own": 7}, {"put": 1}, {"game": "X"}, {"seat": 3}, {"bid": -2}])
def test_wrong_questions_are_refused(wrong: dict[str, object], tables: tuple[LearnedTable, LearnedTable]) -> None:
    fine = {"own": (1 << 10) - 1, "put": 3 << 10, "game": "C", "seat": 0, "bid": 0}
    made_of(*tables).chance(**fine)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"are not ten cards|no game"):
        made_of(*tables).chance(**{**fine, **wrong})  # type: ignore[arg-type]


def test_counts_of_a_toy_table_are_summed() -> None:
    """Merging bids adds buckets that fall together, and only those."""
    form = GRAND_GAME.form
    vectors = [(10, 4, 3, 1, bid, 0, 2) for bid in range(4)] + [(9, 4, 3, 1, 0, 0, 2)]
    keys = form.hash(0).rank(vectors)
    order = np.argsort(keys)
    counts = Counts(keys[order], np.arange(1, 6)[order], np.full(5, 10))
    empty = Counts(*(np.zeros(0, np.int64) for _ in range(3)))
    table = LearnedTable(form, GRAND_GAME.code, (counts, empty, empty), (), GRAND_GAME)
    table = with_unknown(table, "bid", UNKNOWN_BID)
    found = {values: (won, games) for _, values, won, games in table}
    assert found[10, 4, 3, 1, 4, 0, 2] == (1 + 2 + 3 + 4, 40)
    assert found[9, 4, 3, 1, 4, 0, 2] == (5, 10)
    assert len(found) == len(vectors) + 2
    assert all(pair in found for pair in itertools.chain(vectors))
