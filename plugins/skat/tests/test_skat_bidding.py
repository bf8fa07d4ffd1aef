"""The evaluation of hands against the questions' own features, and what its chances are worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import bidding as kernel
from tricktake_skat._kernels import bidding_worth, features
from tricktake_skat._kernels.cards import BASES
from tricktake_skat._kernels.skat import matadors
from tricktake_skat.bidding.evaluation import blocks, sums_of
from tricktake_skat.bidding.value import packed_values
from tricktake_skat.questions.cuts import BID_CUTS, SKAT_CUTS

from plugins.skat.tests import naive_bidding as naive
from tricktake.kernels import factor

pytestmark = pytest.mark.kernel

JITTED = hasattr(kernel.weigh, "signatures")
EXAMPLES = 25 if JITTED else 2
SHOWN = 12 if JITTED else 1  # skats of a hand that are compared

orders = st.randoms(use_true_random=False).map(lambda r: r.sample(range(32), 32))


def mask(cards):
    return sum(1 << c for c in cards)


@pytest.fixture(scope="module")
def expected():
    """The tricks the questions expect; any others without the JIT, since solving the suits takes a minute then."""
    if JITTED:
        from tricktake_skat.questions.declarer import EXPECTED

        return EXPECTED
    own = np.array([max(0, n.bit_count() - 1) for n in range(factor.SEQUENCES)])
    return np.rint(1000 * own * np.random.default_rng(8).random((factor.QUESTIONS, factor.SEQUENCES))).astype(np.int64)


@pytest.fixture(scope="module")
def sums(expected):
    return sums_of(expected)


@pytest.fixture(scope="module")
def chances():
    """Chances without rhyme or reason, so that a wrong cell shows."""
    rng = np.random.default_rng(7)
    cells = len(blocks()[1]) * kernel.CELLS
    return kernel.Chances(
        rng.random((1, 1, 2, cells), np.float32),
        rng.random((1, 3, 2, 11 * kernel.CELLS), np.float32),
        rng.random((1, 4, 2, 3, 256)),
        rng.random((1, 2, 11)),
        rng.random((1, 2)),
        packed_values([None]),
        np.searchsorted(SKAT_CUTS, np.arange(32), side="right").astype(np.int64),
        BID_CUTS,
    )


def weighed(chances, sums, hand, seat, group, trumps):
    found = kernel.weighed()
    kernel.weigh(sums, kernel.nulls_of(chances.nulls[0]), chances, 0, hand, seat, group, trumps, found)
    return found


@settings(max_examples=EXAMPLES)
@given(order=orders, seat=st.integers(0, 2), group=st.integers(0, 1), trumps=st.booleans(), data=st.data())
def test_every_skat_is_weighed_as_the_features_say(chances, expected, sums, order, seat, group, trumps, data):
    """Chance of the best discard, Schneider, value, and the hand game, for skats drawn from the 231."""
    hand = mask(order[:10])
    found = weighed(chances, sums, hand, seat, group, trumps)
    assert sorted(found.skats) == sorted(naive.pairs(0xFFFFFFFF & ~hand))
    for s in data.draw(st.lists(st.integers(0, 230), min_size=SHOWN, max_size=SHOWN)):
        skat = int(found.skats[s])
        cards = hand | skat
        for game in range(7):
            most, puts = naive.best(chances, expected, game, cards, seat, group, trumps)
            if game < naive.NULL:
                assert found.wins[game, s] == most
                lost = {naive.win_of(chances, expected, game, cards & ~put, put, seat, group)[1] for put in puts}
                assert found.ups[game, s] in {chances.schneider[0, int(game == 4), n] for n in lost}
                win, n = naive.win_of(chances, expected, game, hand, skat, seat, group)
                assert found.hand_wins[game, s] == pytest.approx(float(win) * chances.by_hand[0, int(game == 4)])
                assert found.hand_ups[game, s] == chances.schneider[0, int(game == 4), n]
                assert found.values[game, s] == BASES[game] * (abs(matadors(game, cards)) + 1)
            else:
                assert found.wins[game, s] == pytest.approx(most, rel=1e-12)
                assert found.values[game, s] == (46 if game == naive.OUVERT else 23)
    for game, kind in ((naive.NULL, 1), (naive.OUVERT, 3)):
        suits = [hand >> 8 * suit & 255 for suit in range(4)]
        win = np.prod([chances.nulls[0, kind, int(seat == 0), 0, suit] for suit in suits])
        assert found.hand_wins[game] == pytest.approx(win)


@settings(max_examples=2)
@given(order=orders, seat=st.integers(0, 2))
def test_some_of_the_skats_are_weighed_as_among_all(chances, sums, order, seat):
    hand, nulls = mask(order[:10]), kernel.nulls_of(chances.nulls[0])
    every, some = weighed(chances, sums, hand, seat, 0, False), kernel.weighed(33)
    kernel.weigh(sums, nulls, chances, 0, hand, seat, 0, False, some)
    for name in ("wins", "ups", "values", "hand_wins", "hand_ups", "puts"):
        assert (getattr(some, name) == getattr(every, name)[:, ::7]).all()
    assert (some.skats == every.skats[::7]).all()
    shares, wins = np.zeros(7), np.zeros(7)
    taken = bidding_worth.take_worth(some, 18, 50.0, shares, wins)
    each = [
        max(bidding_worth.game_worth(g, some.values[g, s], some.wins[g, s], some.ups[g, s], 18, 50.0) for g in range(7))
        for s in range(33)
    ]
    assert taken == pytest.approx(np.mean(each))


@settings(max_examples=2 * EXAMPLES)
@given(
    order=orders,
    seat=st.integers(0, 2),
    trumps=st.booleans(),
    bid=st.sampled_from([18, 23, 24, 36, 48, 59, 60, 264]),
    loss=st.sampled_from([50.0, 90.0]),
)
def test_the_best_discard_of_each_game(chances, expected, sums, order, seat, trumps, bid, loss):
    cards = mask(order[:12])
    wins, puts, scores = np.zeros(7), np.zeros(7, np.int64), np.zeros(7)
    nulls = kernel.nulls_of(chances.nulls[0])
    bidding_worth.weigh_discards(sums, nulls, chances, 0, cards, seat, 1, trumps, bid, loss, wins, puts, scores)
    for game in range(7):
        most, allowed = naive.best(chances, expected, game, cards, seat, 1, trumps)
        assert wins[game] == pytest.approx(most, rel=1e-12)
        assert int(puts[game]) in allowed or game >= naive.NULL
        _, lost = naive.win_of(chances, expected, game, cards & ~int(puts[game]), int(puts[game]), seat, 1)
        up = chances.schneider[0, int(game == 4), lost] if game < naive.NULL else 0.0
        points = naive.worth(game, False, matadors(min(game, 5), cards), wins[game], up, bid, loss)
        assert scores[game] < -1e5 if points is None else scores[game] == pytest.approx(points)


@settings(max_examples=EXAMPLES)
@given(
    order=orders, seat=st.integers(0, 2), bid=st.sampled_from([18, 24, 36, 48, 72]), loss=st.sampled_from([50.0, 90.0])
)
def test_taking_the_skat_is_a_mean_of_the_best_games(chances, expected, sums, order, seat, bid, loss):
    """Mean over skats of the best game (KERMIT-11); from the hand the best of the means."""
    hand = mask(order[:10])
    found = weighed(chances, sums, hand, seat, 0, False)
    shares, wins = np.zeros(7), np.zeros(7)
    total = bidding_worth.take_worth(found, bid, loss, shares, wins)
    scores = np.full((7, 231), -np.inf)
    by_hand = np.full((7, 231), -np.inf)
    for game in range(7):
        for s, skat in enumerate(found.skats):
            run = matadors(min(game, 5), hand | int(skat))
            score = naive.worth(game, False, run, found.wins[game, s], found.ups[game, s], bid, loss)
            scores[game, s] = -np.inf if score is None else score
            score = naive.worth(game, True, run, found.hand_wins[game, s], found.hand_ups[game, s], bid, loss)
            by_hand[game, s] = -np.inf if score is None else score
    assert total == pytest.approx(scores.max(axis=0).mean())
    chosen = scores.argmax(axis=0)
    assert shares == pytest.approx(np.bincount(chosen, minlength=7) / 231)
    game = int(chosen[0])
    assert wins[game] == pytest.approx(found.wins[game, chosen == game].mean())
    score, choice, announced, win = bidding_worth.hand_worth(found, bid, loss)
    means = by_hand.mean(axis=1)
    if announced:
        assert score > means.max() - 1e-9
        assert win == pytest.approx((found.hand_wins[choice] * found.hand_ups[choice]).mean())
    else:
        assert score == pytest.approx(means.max())
        assert choice == means.argmax()


def test_more_at_stake_is_worth_less():
    """A higher bid and a dearer loss never raise the expected score, a higher chance never lowers it."""
    rng = np.random.default_rng(3)
    for game in range(7):
        value = 46 if game == 6 else 23 if game == 5 else int(BASES[game]) * 3
        for win, up in rng.random((20, 2)):
            scores = [bidding_worth.game_worth(game, value, win, up, bid, 50.0) for bid in (18, 23, 24, 46, 48, 72, 96)]
            assert scores == sorted(scores, reverse=True)
            assert bidding_worth.game_worth(game, value, win, up, 18, 90.0) <= scores[0]
            assert bidding_worth.game_worth(game, value, min(1.0, win + 0.1), up, 18, 50.0) >= scores[0]


@pytest.mark.parametrize(
    ("win", "value", "loss", "score"), [(1.0, 48, 50, 98), (0.0, 48, 50, -146), (0.0, 48, 90, -186)]
)
def test_the_expected_score_of_the_paper(win, value, loss, score):
    assert bidding_worth.worth(value, win, loss) == score


def test_codes_add_up_to_the_features(expected, sums):
    """Tricks lost are rounded as the questions round them, also where a sum ends in a half."""
    rng = np.random.default_rng(5)
    for _ in range(300 if JITTED else 5):
        order = rng.permutation(32).tolist()
        hand, put = mask(order[:10]), mask(order[10:12])
        for game in range(5):
            code = int(kernel.code_with(sums, game, hand, put))
            assert code >> kernel.WHOLE_AT & 15 == features.lost(expected, game, hand, put)
