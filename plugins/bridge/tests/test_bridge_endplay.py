"""endplay reads the PBN we write, and sees the same game."""

from __future__ import annotations

import random

import pytest
from tricktake_bridge.deck import BRIDGE, SEAT_NAMES, dealer, vulnerable_sides

from plugins.bridge.tests.bridge_tables import random_record
from tricktake.records.formats import get_format

parsers = pytest.importorskip("endplay.parsers.pbn", reason="endplay is not installed")

GAMES = 16


@pytest.mark.oracle
def test_endplay_reads_our_games() -> None:
    rng = random.Random(9)
    records = [random_record(rng, number) for number in range(GAMES)]
    boards = parsers.loads(get_format("pbn").dumps(records))
    assert len(boards) == GAMES
    sides = {(): "NONE", (0,): "NS", (1,): "EW", (0, 1): "BOTH"}
    for record, board in zip(records, boards, strict=True):
        assert board.board_num == record.board + 1
        assert board.dealer.abbr == SEAT_NAMES[dealer(record.board)]
        assert board.vul.name.upper() == sides[vulnerable_sides(record.board)]
        for seat, name in enumerate(SEAT_NAMES):
            theirs = {BRIDGE.suits[int(c.suit)] + c.rank.abbr for c in board.deal[type(board.dealer).find(name)]}
            assert theirs == {card.name for card in record.deal.hand(seat)}
        if record.contract is None:
            assert board.contract.is_passout()
            continue
        assert board.contract.declarer.abbr == SEAT_NAMES[record.contract.declarer]
        assert (board.contract.level, int(board.contract.penalty)) == (
            record.contract.level,
            record.contract.doubled + 1,
        )
        assert [BRIDGE.suits[int(c.suit)] + c.rank.abbr for c in board.play] == [
            BRIDGE[e.action.cards[0]].name for e in record.plays
        ]
        assert len(board.auction) == len(record.before or ())
        tricks = board.contract.level + 6 + board.contract.result
        assert tricks == record.result["tricks"]
