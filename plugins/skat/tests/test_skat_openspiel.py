"""OpenSpiel's Skat as an oracle for the play of the cards: legal cards, trick winners, eyes.

Its auction is a simplification (the first who does not pass names the game), and there are no hand games and no
values, so only the play is compared.
"""

from __future__ import annotations

import random

import pytest
from tricktake_skat.deck import LAYOUT, SKAT
from tricktake_skat.game import SkatGame

from tricktake.action import Action, play
from tricktake.deal import Deal
from tricktake.table import Table

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

GAMES = 2000
DEAL_ORDER = [0] * 3 + [1] * 3 + [2] * 3 + [3] * 2 + [0] * 4 + [1] * 4 + [2] * 4 + [0] * 3 + [1] * 3 + [2] * 3
GAME_ACTIONS = {"D": 33, "H": 34, "S": 35, "C": 36, "G": 37, "N": 38}
PASS = 32


def their_card(card: int) -> int:
    return "DHSC".index(SKAT[card].suit) * 8 + "789QKTAJ".index(SKAT[card].rank)


def our_mask(cards: list[int]) -> int:
    return sum(SKAT.card("DHSC"[c // 8] + "789QKTAJ"[c % 8]).mask for c in cards)


def start_theirs(game, deal: Deal, declarer: int, trump: str, put: tuple[int, int]):
    state = game.new_initial_state()
    places = [[c.index for c in deal.hand(s)] for s in range(3)] + [[c.index for c in deal.place("skat")]]
    for place in DEAL_ORDER:
        state.apply_action(their_card(places[place].pop()))
    for seat in range(declarer + 1):
        assert state.current_player() == seat
        state.apply_action(GAME_ACTIONS[trump] if seat == declarer else PASS)
    while not state.is_terminal() and any(a >= PASS for a in state.legal_actions()):
        state.apply_action(PASS)
    for card in put:
        assert state.current_player() == declarer
        state.apply_action(their_card(card))
    return state


def start_ours(game: SkatGame, deal: Deal, declarer: int, trump: str, put: tuple[int, int]):
    table = Table.start(game, deal)
    while table.phase.name == "auction":
        bid = table.turn == declarer and table.legal()[0].verb != "pass"
        table.apply(table.legal()[0] if bid else Action("pass"))
    assert table.turn == declarer
    for action in (Action("take"), Action("discard", cards=tuple(sorted(put))), Action("declare", trump)):
        table.apply(action)
    return table


@pytest.mark.oracle
@pytest.mark.slow
def test_play_agrees_with_openspiel() -> None:
    theirs_game, ours_game, rng = pyspiel.load_game("skat"), SkatGame(), random.Random(20)
    nulls = [0, 0]  # lost, won
    for number in range(GAMES):
        deal = Deal.from_cards(LAYOUT, rng.sample(range(32), 32))
        declarer, trump = rng.randrange(3), "CSHDGN"[number % 6]
        twelve = [i for i in range(32) if (deal.masks[declarer] | deal.masks[3]) >> i & 1]
        put = tuple(rng.sample(twelve, 2))
        theirs = start_theirs(theirs_game, deal, declarer, trump, put)
        table = start_ours(ours_game, deal, declarer, trump, put)
        while table.turn is not None:
            assert theirs.current_player() == table.turn  # who leads is who has won the trick
            legal = table.tricks.legal_cards_mask()
            assert legal == our_mask(theirs.legal_actions())
            card = rng.choice(table.tricks.legal())
            theirs.apply_action(their_card(card))
            table.apply(play(card))
        detail = table.score().detail
        assert theirs.is_terminal()  # a Null game at the declarer's first trick, there too
        if trump == "N":
            nulls[detail["won"]] += 1
            assert (theirs.returns()[declarer] > 0) == detail["won"]
        else:
            assert round(theirs.returns()[declarer] * 120) == detail["eyes"] - 60
    assert min(nulls) > 0
