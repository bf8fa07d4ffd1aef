"""Bidding for the first place in a series: what is risked when behind and kept when ahead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_skat.bidding.bidder import bidder
from tricktake_skat.bidding.series import BOUNDS, LIMITS, first_place, style_at
from tricktake_skat.bidding.style import DEFAULT
from tricktake_skat.deck import SKAT

from tricktake.deal import Deal, deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.standings import Standings
from tricktake.table import Table

LEADS = st.floats(-2000, 2000)


@given(LEADS, LEADS, st.floats(0, 500), st.integers(0, 36))
def test_the_first_place_is_likelier_with_a_larger_lead(one: float, other: float, more: float, left: int) -> None:
    chance = first_place((one, other), left)
    assert 0 <= chance <= first_place((one + more, other), left) <= 1
    assert chance == first_place((other, one), left)


def test_at_the_end_it_is_known() -> None:
    assert [first_place(leads, 0) for leads in ((1, 2), (1, -1), (0, 5), (0, 0))] == [1.0, 0.0, 0.5, 0.25]
    assert first_place((0, 0), 9) == pytest.approx(0.25)
    assert first_place((97, 1e6), 1) == pytest.approx(0.8413, abs=1e-4)  # one standard deviation


def test_far_from_the_end_a_lead_is_worth_what_it_counts() -> None:
    """A loss gives 40 to each rival, so it weighs 90 and not 50; a rival that plays instead gains on the seat."""
    style = style_at(DEFAULT, Standings((0, 0, 0), 10_000), 0)
    assert (style.aggressiveness, style.threshold) == (90, -20)


@given(st.tuples(LEADS, LEADS, LEADS), st.integers(1, 36), st.integers(0, 2))
def test_styles_are_those_a_bidder_takes(scores: tuple[float, float, float], left: int, seat: int) -> None:
    style = style_at(DEFAULT, Standings(scores, left), seat)
    assert style.hands == DEFAULT.hands
    if style != DEFAULT:
        assert BOUNDS[0] <= style.aggressiveness <= BOUNDS[1]
        assert LIMITS[0] <= style.threshold <= LIMITS[1]


def test_it_risks_more_behind_and_less_ahead() -> None:
    behind, ahead = (style_at(DEFAULT, Standings((own, 0, 0), 2), 0) for own in (-150, 150))
    assert behind.aggressiveness < 90 < ahead.aggressiveness


def call(own: float | None, **options: bool) -> tuple[str, str]:
    """What middlehand says of a weak hand in the last deal with this score; the others have none."""
    hand = SKAT.parse_mask("CJ HJ CA CT C9 SK S9 HT DK D7")
    rest = [card.index for card in SKAT if not hand >> card.index & 1]
    masks = [sum(1 << card for card in rest[a:b]) for a, b in ((0, 10), (10, 20), (20, 22))]
    game = find_game("skat")
    standings = None if own is None else Standings((0, own, 0), 1)
    table = Table.start(game, Deal(game.layout, (masks[0], hand, masks[1], masks[2])), standings=standings)
    found = bidder(**options).decide(table.view(1), Limit(), np.random.default_rng(0))
    return found.action.verb, found.reason


def test_the_last_deal() -> None:
    """Ahead it passes, behind it bids; without the option, or without standings, it does neither more nor less."""
    assert call(100, series=True)[0] == "pass"  # first, whoever plays
    assert call(-70, series=True)[0] == "bid"
    assert "ahead of the others with 1 deals left" in call(-70, series=True)[1]
    assert call(-70) == call(100) == call(None, series=True) == call(None)


def test_standings_are_checked() -> None:
    with pytest.raises(InputError, match="0 deals left"):
        Standings((0, 0, 0), 0)
    game = find_game("skat")
    with pytest.raises(ValueError, match="standings of 2 seats"):
        Table.start(game, deal(game.layout, 1, 0), standings=Standings((0, 0), 1))
    with pytest.raises(InputError, match="series"):
        bidder(series="yes")  # type: ignore[arg-type]
