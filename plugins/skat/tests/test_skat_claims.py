"""Claims near the end of random games, judged again by minimax without any pruning."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tricktake_skat.contract import DECLARATIONS, SkatContract
from tricktake_skat.value import settle

from plugins.skat.tests.skat_tables import GAME
from plugins.skat.tests.test_skat_random import random_game
from tricktake.action import Action
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.errors import IllegalAction
from tricktake.table import Table
from tricktake.trick import TrickState


def best_for_declarer(state: TrickState, declarer: int, tricks: bool) -> int:
    """The declarer's cost (or tricks) at the end, both sides playing for it with open cards."""
    if state.over:
        return state.won[declarer] if tricks else state.taken[declarer]
    values = []
    for card in bits(state.legal_cards_mask()):
        state.play(card)
        values.append(best_for_declarer(state, declarer, tricks))
        state.undo()
    null = state.rules.goal(declarer).sense < 0
    return max(values) if (state.turn == declarer) != null else min(values)


@given(st.integers(0, 2**32), st.sampled_from(DECLARATIONS), st.integers(0, 2), st.integers(21, 29), st.integers(0, 2))
@settings(max_examples=60)
def test_a_claim_is_granted_exactly_if_minimax_says_so(
    seed: int, name: str, declarer: int, played: int, seat: int
) -> None:
    dealt, _ = random_game(seed, check=False)
    contract = SkatContract.declared(declarer, name)
    table = Table.at_contract(GAME, Deal(GAME.layout, dealt.deal.masks), contract)
    while table.turn is not None and len(table.events) < played:
        table.apply(Action("play", cards=(min(table.tricks.legal(), key=lambda c: c * seed % 37),)))
    assume(not table.over)
    state, rules = table.tricks.copy(), table.tricks.rules
    value = best_for_declarer(state, declarer, tricks=False)
    by_tricks = contract.is_null or contract.schwarz
    wins = bool(rules.goal(declarer).met(value))
    if wins != (seat == declarer):
        with pytest.raises(IllegalAction, match="do not prove"):
            table.apply(Action("claim"), seat)
        assert not table.over
        return
    table.apply(Action("claim"), seat)
    detail = table.score().detail
    assert detail["won"] == wins
    if not by_tricks:
        assert detail["eyes"] == value
        tricks = best_for_declarer(state, declarer, tricks=True)
        if seat == declarer:
            assert (detail["tricks"] == 10) == (tricks == 10)
        else:
            assert (detail["tricks"] == 0) == (tricks == 0)
        assert detail["value"] == settle(contract, detail["matadors"], value, detail["tricks"]).value
