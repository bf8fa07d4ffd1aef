"""The second game of the tutorial: its partner is hidden, and everybody plays with him all the same."""

from __future__ import annotations

import pytest

from tests.examples import SECRET_ACE, load
from tricktake.alliance import UNKNOWN
from tricktake.deal import Deal
from tricktake.records.record import record_of
from tricktake.records.recording import Recording
from tricktake.table import Table
from tricktake.testing import check_game

HANDS = "SA SK HA HK HQ DK C8 C7|ST SJ SQ H9 HT D9 DT C9|S7 S8 S9 HJ DA DQ DJ CT|CA CK CQ CJ H8 H7 D8 D7"


@pytest.fixture
def game():
    return load(SECRET_ACE).SecretAce()


def test_it_conforms(game) -> None:
    check_game(game, deals=2).require()


def played(game, contract: str, cards: str) -> Table:
    table = Table.at_contract(game, Deal.from_text(game.layout, HANDS), game.contract(contract))
    for card in cards.split():
        table.apply(game.parse(card, table))
    return table


def test_the_partner_is_known_to_himself_and_to_all_once_the_ace_falls(game) -> None:
    table = played(game, "0:5:CA", "")
    assert [table.view(seat).rules.teams for seat in range(4)] == [
        (0, UNKNOWN, UNKNOWN, UNKNOWN), (0, 1, UNKNOWN, UNKNOWN), (0, UNKNOWN, 1, UNKNOWN), (0, 1, 1, 0),
    ]  # fmt: skip
    table = played(game, "0:5:CA", "C7 C9 CT")
    assert [action.to_text(game.layout.deck) for action in table.legal()] == ["play CA"]  # its duty
    table.apply(table.legal()[0])
    assert {table.view(seat).rules.teams for seat in range(4)} == {(0, 1, 1, 0)}


def test_the_score_counts_the_tricks_of_both(game) -> None:
    tricks = (
        "C7 C9 CT CA",  # the ace has to be played: the partner takes it
        "CK C8 H9 HJ",
        "DA D7 DK D9",
        "DQ D8 HA DT",
        "SA ST S7 CJ",
        "SK SJ S8 CQ",
        "HK HT S9 H7",
        "HQ SQ DJ H8",
    )
    table = played(game, "0:5:CA", " ".join(tricks))
    assert table.tricks is not None
    assert table.tricks.won == [5, 0, 2, 1]
    score = table.score()
    assert (score.points, score.won, score.value) == ((5, -5, -5, 5), True, 6)
    assert record_of(table, "1").result["points"] == [5, -5, -5, 5]
    assert Recording.of(game).claims(table)["points"] == (5, -5, -5, 5)
    alone = played(game, "0:6:", " ".join(tricks)).score()
    assert (alone.points, alone.won, alone.value) == ((-18, 6, 6, 6), False, 5)
