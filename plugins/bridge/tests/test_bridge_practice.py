"""What card players of bridge practise: contracts that fit the cards, in two families."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_bridge.practice import FIT, BridgePractice, likely_contract

from tricktake.deal import deal
from tricktake.errors import UnknownName
from tricktake.game import find_game
from tricktake.policy.practice import practice_for


def test_contracts_fit_the_cards() -> None:
    game = find_game("bridge")
    seen = set()
    for number in range(60):
        masks = deal(game.layout, 1, number).masks
        contract = likely_contract(masks)
        both = masks[contract.declarer] | masks[contract.dummy]
        lengths = {suit: (both & game.layout.deck.of_suit_mask(suit)).bit_count() for suit in game.layout.deck.suits}
        seen.add(contract.strain)
        if contract.strain == "NT":
            assert max(lengths.values()) < FIT
        else:
            assert lengths[contract.strain] == max(lengths.values()) >= FIT
    assert seen == {"S", "H", "D", "C", "NT"}


def test_suits_are_one_family() -> None:
    practice = practice_for(find_game("bridge"))
    assert isinstance(practice, BridgePractice)
    batches = {family: practice.positions(family, 1, 12) for family in practice.families}
    assert batches["suit"].encoding.key != batches["notrump"].encoding.key
    assert all(len(batch) == 12 for batch in batches.values())
    again = practice.positions("suit", 1, 12)
    assert np.array_equal(again.rows, batches["suit"].rows)
    with pytest.raises(UnknownName, match="spades"):
        practice.positions("spades", 1, 1)
