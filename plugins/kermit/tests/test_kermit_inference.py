"""Inference: the toy example of the formula, frequencies from bids, the contract's weight, and the switches by role."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tricktake_kermit._kernels import infer as kernel
from tricktake_kermit.evaluation import evaluation
from tricktake_kermit.inference import LEVELS, NAMES, Bids, KermitBelief, features_of, product, shipped_bids
from tricktake_skat.contract import BIDS, GAME_NAMES, contract_of
from tricktake_skat.deck import LAYOUT

from tricktake import worlds
from tricktake.belief import find_belief
from tricktake.cards import bits
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.knowledge import Knowledge
from tricktake.policy.practice import at_first_trick
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table

BIDDER = "bid=kermit:bidder,exchange=kermit:bidder,play=core:random"


# -- the formula ------------------------------------------------------------------------------------------------------


def test_the_toy_example() -> None:
    """KERMIT-16. A hand of two of four cards, aces 0 and 1, kings 2 and 3: six worlds. A player who opens holds no ace,
    one, or two in 1 of 10, 3 of 10 and 6 of 10 cases. Divided by how many worlds have each number (1, 4, 1 of 6), the
    weights give just these shares; multiplied, as printed, they give 1, 48 and 6 of 55.
    """
    hands = list(combinations(range(4), 2))
    aces = np.array([[sum(card < 2 for card in hand)] for hand in hands])
    prior, given = [np.array([1, 4, 1]) / 6], [np.array([0.1, 0.3, 0.6])]
    for reading, wanted in (
        ("divided", [0.1, 0.3, 0.6]),
        ("worlds", [0.1, 0.3, 0.6]),
        ("printed", [1 / 55, 48 / 55, 6 / 55]),
    ):
        weights = product(aces, given, prior, reading)  # type: ignore[arg-type]
        shares = np.bincount(aces[:, 0], weights) / weights.sum()
        assert shares == pytest.approx(wanted), reading
    assert sorted(product(aces, given, prior)) == pytest.approx(sorted([0.6, 0.45, 0.45, 0.45, 0.45, 3.6]))


def test_independent_features_multiply() -> None:
    """Two features that are independent among the worlds: after weighing both have the frequencies looked up."""
    values = np.array([[a, b] for a in (0, 0, 1) for b in (0, 1)])
    given = [np.array([0.2, 0.8]), np.array([0.7, 0.3])]
    prior = [np.array([2, 1]) / 3, np.array([1, 1]) / 2]
    weights = product(values, given, prior)
    for column, wanted in zip(values.T, given, strict=True):
        assert np.bincount(column, weights) / weights.sum() == pytest.approx(wanted)
    never = product(values, given, [np.array([1.0, 0.0]), prior[1]])
    assert (never[values[:, 0] == 1] == 0).all()


# -- bids -------------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
def test_features_are_those_of_the_twin() -> None:
    rng = np.random.default_rng(2)
    hands = [rng.permutation(32)[:10].tolist() for _ in range(50)]
    found = features_of(np.array([sum(1 << c for c in hand) for hand in hands]))
    for hand, row in zip(hands, found.tolist(), strict=True):
        plain = [c for c in hand if c % 8 != 7]
        lengths = sorted((sum(c // 8 == suit for c in plain) for suit in range(4)), reverse=True)
        jacks = sum(1 << 3 - c // 8 for c in hand if c % 8 == 7)
        high = [sum(c % 8 == rank for c in hand) for rank in (6, 5)]
        assert row == [8 * lengths[0] + lengths[1], lengths.count(0), jacks, *high]
        assert all(value < size for value, size in zip(row, kernel.SIZES, strict=True))


def test_frequencies_of_bids_are_counted() -> None:
    """Of hands that bid 20 but not 23: those whose limit is 20 or 22; smoothed towards all hands."""
    rng = np.random.default_rng(3)
    hands = np.array([sum(1 << int(c) for c in rng.permutation(32)[:10]) for _ in range(3000)])
    limits = np.where(rng.random(3000) < 0.5, 0, rng.choice(BIDS[:6], 3000))
    found, values = Bids.of(hands, limits), features_of(hands)
    for made, declined, some in (
        (20, 23, (limits == 20) | (limits == 22)),
        (0, 18, limits == 0),
        (22, 0, limits >= 22),
    ):
        for k, given in enumerate(found.given(made, declined)):
            before = np.bincount(values[:, k], minlength=kernel.SIZES[k]) / 3000
            counted = np.bincount(values[some, k], minlength=kernel.SIZES[k])
            assert given == pytest.approx((counted + 20 * before) / (some.sum() + 20))
            assert given.sum() == pytest.approx(1)
    assert found.prior[2].sum() == pytest.approx(1)


def test_what_ships_knows_that_bidders_hold_jacks() -> None:
    known = shipped_bids()
    assert all(each.shape[1] == LEVELS for each in known.counts)
    ratio = known.given(24, 0)[2] / known.prior[2]
    assert ratio[0b1111] > 1 > ratio[0]
    passed = known.given(0, 18)[3] / known.prior[3]
    assert passed[0] > 1 > passed[3]


def test_broken_counts_are_named(tmp_path: Path) -> None:
    file = tmp_path / "bids.json"
    counts = {name: each.tolist() for name, each in zip(NAMES, shipped_bids().counts, strict=True)}
    for broken, said in (({}, "counts"), ({"counts": {**counts, "aces": [[1]]}}, "aces")):
        file.write_text(json.dumps(broken))
        with pytest.raises(InputError, match=said):
            Bids.load(file)
    with pytest.raises(InputError, match="none"):
        Bids.load(tmp_path / "none.json")


# -- contracts --------------------------------------------------------------------------------------------------------


def naive_chosen(choice: int, own: int, put: int, seat: int, sharpness: float) -> float:
    """Softmax over all discards of suit games and grand, and the best of each Null."""
    evaluated = evaluation()
    twelve = own | put
    pairs = [1 << a | 1 << b for a, b in combinations(bits(twelve), 2)]

    def odds(game: int, pair: int) -> float:
        chance = min(max(evaluated.chance(twelve & ~pair, pair, GAME_NAMES[game], seat=seat), 1e-9), 1 - 1e-9)
        return math.log(chance / (1 - chance))

    among = [odds(game, pair) for game in range(5) for pair in pairs]
    for game in (5, 6):
        best = max(odds(game, pair) for pair in pairs)
        if game != choice:
            among.append(best)
        elif best > odds(game, put) + 1e-12:
            among += [best, odds(game, put)]
        else:
            among.append(best)
    return math.exp(sharpness * odds(choice, put)) / sum(math.exp(sharpness * each) for each in among)


@pytest.mark.parametrize("choice", [0, 3, 4, 5])
def test_the_choice_of_game_and_discard_is_that_of_the_twin(choice: int) -> None:
    rng = np.random.default_rng(choice)
    evaluated = evaluation()
    for _ in range(3):
        drawn = rng.permutation(32)[:12].tolist()
        own, put = sum(1 << c for c in drawn[:10]), sum(1 << c for c in drawn[10:])
        found = kernel.chosen(evaluated.tables, evaluated.nulls[0], choice, own, put, 1, 0.7)
        assert found == pytest.approx(naive_chosen(choice, own, put, 1, 0.7), rel=1e-3, abs=1e-9)


# -- the belief -------------------------------------------------------------------------------------------------------


def first_trick(number: int) -> Table:
    table = at_first_trick(find_game("skat"), Player.from_spec(BIDDER), 91, number)
    assert table is not None
    return table


def test_roles_and_sources_can_be_switched_off() -> None:
    """NI is uniform in every seat, S infers as the declarer only, D as a defender only, SD as both."""
    table = first_trick(0)
    assert table.actor is not None
    declarer = contract_of(table).declarer
    for seat in range(3):
        view = table.view(seat)
        rows = worlds.sample(Knowledge.from_view(view), 50, np.random.default_rng(0))
        both, none, as_declarer, as_defender = (
            KermitBelief(declarer=s, defender=d).weigh(view, rows)
            for s, d in ((True, True), (False, False), (True, False), (False, True))
        )
        assert (none == 1).all()
        assert both.std() > 0
        assert np.array_equal(as_declarer, both if seat == declarer else none)
        assert np.array_equal(as_defender, none if seat == declarer else both)
        quiet = KermitBelief(bids=False).weigh(view, rows)
        assert quiet.std() == 0 if seat == declarer else quiet.std() > 0
        printed = KermitBelief(contract=False, reading="printed").weigh(view, rows)
        assert np.isfinite(printed).all()


def test_weights_depend_on_hands_as_dealt() -> None:
    """A card played still counts as one of the ten its player bid on."""
    table = first_trick(1)
    rng, player = np.random.default_rng(0), Player.from_spec(BIDDER)
    before = table.view(contract_of(table).declarer)
    true = np.array([table.places])
    first = KermitBelief().weigh(before, true)
    for _ in range(7):
        assert table.actor is not None
        table.apply(player.decide(table.view(table.actor), Limit(), rng).action)
    after = table.view(before.seat)
    assert KermitBelief().weigh(after, np.array([table.places])) == pytest.approx(first)


def test_by_name() -> None:
    assert find_belief("kermit:belief(defender=false,reading=printed)") == KermitBelief(
        defender=False, reading="printed"
    )
    with pytest.raises(InputError, match="reading"):
        find_belief("kermit:belief(reading=x)")
    game = find_game("skat")
    with pytest.raises(ValueError, match="play of Skat"):
        KermitBelief().weigh(Table.start(game, deal(LAYOUT, 1, 0)).view(0), np.zeros((1, 4), np.int64))
