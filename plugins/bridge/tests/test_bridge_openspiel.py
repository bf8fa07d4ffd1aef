"""OpenSpiel's bridge in lock-step: who is to act, legal calls and cards, declarer, points."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tricktake_bridge.auction import BIDS, DOUBLE, PASS, REDOUBLE
from tricktake_bridge.deck import BRIDGE, dealer, vulnerable

from plugins.bridge.tests.bridge_tables import GAME, random_deal
from tricktake.action import Action, play
from tricktake.table import Table

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

GAMES = 400
FIRST_CALL = 52
CALLS = [PASS, DOUBLE, REDOUBLE, *BIDS]


def their_card(card: int) -> int:
    """Cards are numbered rank by rank, clubs first."""
    return BRIDGE.ranks.index(BRIDGE[card].rank) * 4 + "CDHS".index(BRIDGE[card].suit)


def likely(rng: random.Random, calls: list[Action]) -> Action:
    """A call that keeps auctions of all lengths going: mostly passes, low bids, doubles."""
    if rng.random() < 0.45:
        return PASS
    others = [c for c in calls if c in (DOUBLE, REDOUBLE)]
    if others and rng.random() < 0.5:
        return others[0]
    return rng.choice(calls[1:8]) if len(calls) > 1 else PASS


@pytest.mark.oracle
def test_auction_play_and_score_agree_with_openspiel() -> None:
    rng = random.Random(17)
    seen: Counter[str] = Counter()
    for number in range(GAMES):
        board = number % 16
        deal = random_deal(rng)
        first = dealer(board)
        options = {
            "dealer": first,
            "dealer_vul": vulnerable(board, first),
            "non_dealer_vul": vulnerable(board, first + 1),
            "use_double_dummy_result": False,
        }
        theirs = pyspiel.load_game("bridge", options).new_initial_state()
        hands = [[c.index for c in deal.hand(seat)] for seat in range(4)]
        for n in range(52):
            theirs.apply_action(their_card(hands[n % 4].pop()))
        table = Table.start(GAME, deal, board)
        while table.phase is not None and table.phase.name == "auction":
            assert theirs.current_player() == table.turn
            legal = table.legal()
            assert {FIRST_CALL + CALLS.index(a) for a in legal} == set(theirs.legal_actions())
            call = likely(rng, legal)
            table.apply(call)
            theirs.apply_action(FIRST_CALL + CALLS.index(call))
        seen["passed"] += table.over
        while not table.over:
            assert theirs.current_player() == table.actor
            cards = table.tricks.legal()
            assert {their_card(c) for c in cards} == set(theirs.legal_actions())
            card = rng.choice(cards)
            table.apply(play(card))
            theirs.apply_action(their_card(card))
        assert theirs.is_terminal()
        score = table.score()
        assert tuple(theirs.returns()) == score.points
        if table.contract is not None:
            seen[f"doubled {table.contract.doubled} {'made' if score.won else 'down'}"] += 1
            seen[f"{table.contract.strain} by {table.contract.declarer}"] += 1
    assert seen["passed"] > 0
    for doubled in range(3):
        assert seen[f"doubled {doubled} down"] > 0
    assert seen["doubled 0 made"] > 0
