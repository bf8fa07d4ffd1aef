"""What readers of notations have in common."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.whist import Whist
from tricktake.deal import deal
from tricktake.records.formats import RecordFault
from tricktake.records.reading import Pack

LAYOUT = Whist.layout
PACK = Pack(LAYOUT)


@given(st.integers(0, 10**6), st.lists(st.integers(0, LAYOUT.deck.full_mask), min_size=5, max_size=5))
def test_hidden_cards_lie_in_any_way(seed: int, known: list[int]) -> None:
    masks = deal(LAYOUT, seed, 0).masks
    held = [mask & some for mask, some in zip(masks, known, strict=True)]
    found = PACK.completed(held, "deal").masks
    assert [mask & known for mask, known in zip(found, held, strict=True)] == held
    hidden = [mask & ~known for mask, known in zip(found, held, strict=True)]
    for lower, higher in pairwise(hidden):
        assert not higher or lower < higher & -higher  # in the order of the deck, place by place


def test_cards_that_cannot_lie_so() -> None:
    with pytest.raises(RecordFault, match="deal: in two places: "):
        PACK.completed([1, 1, 0, 0, 0], "deal")
    with pytest.raises(RecordFault, match="deal: 6 cards in place 1, which has 5"):
        PACK.completed([0, 0b111111, 0, 0, 0], "deal")
