"""The question of Null, the builder, and the shipped table beside common sense."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_null_tables.builder import (
    NullTable,
    build,
    config_name,
    config_named,
    lower_neighbours,
    monotone,
)
from tricktake_null_tables.question import SUIT
from tricktake_null_tables.shipped import COUNTS, skat_null
from tricktake_skat.deck import SKAT
from tricktake_skat.kernels import CONFIGS, GAP
from tricktake_skat.rows import GAMES
from tricktake_skat.winning import null_array, winning

from tricktake.errors import InputError
from tricktake.learning import LearnedTable, find_question, find_table
from tricktake.learning.counts import Counts
from tricktake.plugins import manager

RANKS = "789TJQKA"


def mask(text: str) -> int:
    return sum(SKAT.card(name).mask for name in text.split())


def null_row(own: str, **changes: object) -> np.ndarray:
    row = GAMES.row(game=5, declarer=1, own=mask(own), won=1, hand=1)
    row["cards"][0] = -1
    for name, value in changes.items():
        row[name] = value
    return row


WEAK_SPADES = "C7 C8 C9 S7 SQ H7 H8 H9 D7 D8"


@pytest.fixture(scope="module")
def shipped() -> NullTable:
    table = manager().tables.get("null_tables:skat-null")
    assert isinstance(table, NullTable)
    return table


# -- the question -----------------------------------------------------------------------------------------------------


def test_one_weak_suit() -> None:
    assert find_question("null_tables:suit") is SUIT
    row = null_row(WEAK_SPADES, hand=0, ouvert=1, put=mask("S8 CA"))
    values, won, _ = SUIT.found(row)
    assert values.tolist() == [[2, 0, 1, config_named("7Q")]]
    assert won.tolist() == [1]
    by_hand = null_row(WEAK_SPADES, put=mask("S8 CA"))
    assert SUIT.found(by_hand)[0].tolist() == [[1, 0, 0, config_named("7Q")]]  # nobody has seen the skat


def test_what_says_nothing() -> None:
    def counted(row: np.ndarray) -> int:
        return len(SUIT.found(row)[0])

    assert counted(null_row("C7 C8 C9 S7 S8 H7 H8 H9 D7 D8")) == 0  # nothing is weak
    assert counted(null_row("C7 C8 CA S7 SQ H7 H8 H9 D7 D8")) == 0  # two suits are
    assert counted(null_row(WEAK_SPADES, game=4)) == 0
    assert counted(null_row(WEAK_SPADES, won=0)) == 1  # a result that was computed
    lost = null_row(WEAK_SPADES, won=0, tricks=1)
    lost["cards"][0, :3] = [SKAT.card(name).index for name in ("S8", "SQ", "S9")]
    assert counted(lost) == 1
    lost["cards"][0, :3] = [SKAT.card(name).index for name in ("C8", "C9", "SA")]
    assert counted(lost) == 0  # hit elsewhere
    assert counted(null_row(WEAK_SPADES, won=0, tricks=0, cards=1)) == 0  # given up


# -- the builder ------------------------------------------------------------------------------------------------------


def toy(buckets: dict[tuple[int, int, int, int], tuple[int, int]]) -> LearnedTable:
    """A table of these (won, games)."""
    form = SUIT.form
    layers = []
    for number in range(len(form.layers)):
        columns = form.columns(number)
        sums: dict[int, np.ndarray] = {}
        for vector, counts in buckets.items():
            (key,) = form.hash(number).rank([[vector[c] for c in columns]]).tolist()
            sums[key] = sums.get(key, np.zeros(2, np.int64)) + counts
        keys = np.array(sorted(sums), np.int64)
        pairs = np.array([sums[key] for key in sorted(sums)]).reshape(-1, 2)
        layers.append(Counts(keys, pairs[:, 0].copy(), pairs[:, 1].copy()))
    return LearnedTable(form, SUIT.code, tuple(layers), (), SUIT)


def naive_cell(table: LearnedTable, kind: int, leads: int, puts: int, config: int, kappa: float) -> float:
    """2.7 word for word, before cells are made monotone."""
    buckets = {v: (w, n) for layer, v, w, n in table if layer == "foreground"}

    def sums(fits: list[int | None]) -> tuple[int, int]:
        found = [
            wn for v, wn in buckets.items() if all(f is None or f == x for f, x in zip([*fits, config], v, strict=True))
        ]
        return sum(w for w, _ in found), sum(n for _, n in found)

    won, games = sum(w for w, _ in buckets.values()), sum(n for _, n in buckets.values())
    rate = (won + 1) / (games + 2)
    by_gap = []
    for gap in range(int(GAP.max()) + 1):
        pairs = [wn for v, wn in buckets.items() if GAP[v[3]] == gap]
        by_gap.append((sum(w for w, _ in pairs) + kappa * rate) / (sum(n for _, n in pairs) + kappa))
    by_gap[0] = 1.0
    p = min(by_gap[: int(GAP[config]) + 1])
    chain: list[list[int | None]] = [
        [None, None, None], [kind, None, None], [kind, leads, None], [kind, leads, puts],
    ]  # fmt: skip
    for fits in chain:
        w, n = sums(fits)
        p = (w + kappa * p) / (n + kappa)
    return 1.0 if GAP[config] == 0 else p


def test_cells_are_drawn_towards_their_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    import tricktake_null_tables.builder as builder

    monkeypatch.setattr(builder, "monotone", lambda chance: chance)
    names = ["8", "A", "7Q", "7T", "89A"]
    rng = np.random.default_rng(1)
    buckets = {}
    for kind, leads, puts, name in itertools.product(range(4), range(2), range(3), names):
        n = int(rng.integers(1, 60))
        buckets[kind, leads, puts, config_named(name)] = (int(rng.integers(0, n + 1)), n)
    table = toy(buckets)
    array = builder.build(table, 20.0).array
    for kind, leads, puts in itertools.product(range(4), range(2), range(3)):
        for name in [*names, "K", "789"]:
            config = config_named(name)
            assert array[kind, leads, puts, config] == pytest.approx(naive_cell(table, kind, leads, puts, config, 20.0))


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_monotone(seed: int) -> None:
    """Never better with a higher card; what is so already stays."""
    chance = np.random.default_rng(seed).random((2, CONFIGS))
    once = monotone(chance)
    for config, better in lower_neighbours():
        assert (once[:, config] <= once[:, better] + 1e-12).all()
    assert np.allclose(monotone(once), once)
    assert ((once >= chance.min() - 1e-12) & (once <= chance.max() + 1e-12)).all()


def test_lower_neighbours_are_one_step() -> None:
    pairs = {(config_name(a), config_name(b)) for a, b in lower_neighbours()}
    assert {("8", "7"), ("7T", "79"), ("78A", "78K")} <= pairs
    assert not any(len(a) != len(b) for a, b in pairs)


@pytest.mark.parametrize("wrong", ["X", "77", "7 8"])
def test_wrong_names(wrong: str) -> None:
    with pytest.raises(ValueError, match="no set of the ranks"):
        config_named(wrong)


# -- the shipped table ------------------------------------------------------------------------------------------------


def test_shipped_counts_fit_the_question() -> None:
    table = find_table("null_tables:suit", SUIT)
    assert table.games > 10_000
    assert all("seed" in source for source in table.sources)
    array = build(table).array
    assert array.shape == (4, 2, 3, CONFIGS)
    assert array.min() >= 0
    assert array.max() <= 1


@pytest.mark.parametrize("safe", ["", "7", "789", "78", "79J", "79JK", "78T"])
@pytest.mark.parametrize("leads", [False, True])
def test_what_is_safe(shipped: NullTable, safe: str, leads: bool) -> None:
    assert shipped.suit(safe, leads=leads) == 1.0  # KERMIT-3
    assert shipped.suit(safe, leads=leads, ouvert=True, by_hand=True) == 1.0


def test_common_sense(shipped: NullTable) -> None:
    def suit(cards: str, **how: object) -> float:
        return shipped.suit(cards, leads=False, **how)  # type: ignore[arg-type]

    assert suit("8") > suit("9") > suit("J") > suit("A")
    assert suit("7T") > suit("7Q") > suit("7A")
    assert suit("A") < 0.5
    assert suit("8") > 0.9
    assert suit("7A", ouvert=True) < suit("7A")  # with open cards the hole is seen


def test_product_over_suits(shipped: NullTable) -> None:
    one = shipped.chance(mask(WEAK_SPADES), leads=False, by_hand=True)
    assert one == pytest.approx(shipped.suit("7Q", leads=False, by_hand=True))
    two = shipped.chance(mask("C7 C8 CA S7 SQ H7 H8 H9 D7 D8"), leads=False, by_hand=True)
    assert two == pytest.approx(one * shipped.suit("78A", leads=False, by_hand=True))


def test_the_skat_bidder_asks_it(shipped: NullTable) -> None:
    own, put = mask(WEAK_SPADES), mask("S8 CA")
    asked = winning().chance(own, put, "N", seat=0, ouvert=True)
    assert asked == shipped.chance(own, put, ouvert=True, leads=True)
    assert winning().chance(own, put, "N", seat=0, hand=True) == shipped.chance(own, put, by_hand=True, leads=True)


def test_a_table_of_counts_in_a_file_answers_the_bidder(tmp_path):
    assert (null_array(str(COUNTS)) == skat_null().array).all()
    with pytest.raises(InputError, match="none"):
        null_array(str(tmp_path / "none.table"))
