"""The Laws: boards, auction, dummy, scores and their comparison."""

from __future__ import annotations

import random

import pytest
from tricktake_bridge.auction import DOUBLE, PASS, REDOUBLE
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import SEAT_NAMES, board_of, dealer, vulnerable, vulnerable_sides
from tricktake_bridge.scoring import IMP_SCALE, butler, contract_points, cross_imps, imps, matchpoints

from plugins.bridge.tests.bridge_tables import GAME, RECORDS, random_deal
from tricktake.action import Action, play
from tricktake.errors import IllegalAction, InputError
from tricktake.records.record import GameRecord, record_of
from tricktake.table import Table
from tricktake.testing import check_game


def auction(calls: str, board: int = 0, seed: int = 1) -> Table:
    """The table after calls written as in a diagram."""
    table = Table.start(GAME, random_deal(random.Random(seed)), board)
    names = {"-": PASS, "X": DOUBLE, "XX": REDOUBLE}
    for call in calls.split():
        table.apply(names.get(call) or Action("bid", call))
    return table


def test_a_contract_pastes_back() -> None:
    contract = BridgeContract.from_text("S:3NTX")
    assert eval(repr(contract)) == contract


# -- boards (Law 2) ---------------------------------------------------------------------------------------------------


def test_dealer_and_vulnerability_of_the_sixteen_boards() -> None:
    printed = ["-", "NS", "EW", "All", "NS", "EW", "All", "-", "EW", "All", "-", "NS", "All", "-", "NS", "EW"]
    words = {(): "-", (0,): "NS", (1,): "EW", (0, 1): "All"}
    assert [words[vulnerable_sides(board)] for board in range(16)] == printed
    assert "".join(SEAT_NAMES[dealer(board)] for board in range(16)) == "NESW" * 4
    assert vulnerable_sides(16) == vulnerable_sides(0)
    assert vulnerable(1, 0)
    assert not vulnerable(1, 3)
    assert [board_of(dealer(b), vulnerable_sides(b)) for b in range(16)] == list(range(16))


# -- auction (Laws 17 to 22) ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ("1NT - 3NT - - -", "N:3NT"),
        ("1H - 2S - 4H - - -", "N:4H"),
        ("1H - 2C - 3H - 4C - - -", "S:4C"),  # who named clubs first
        ("1S 2D 2H 4D - - -", "E:4D"),  # the same strain bid by the other side counts for nothing
        ("- - - 1C 1H - 2H 3C - 4C - - -", "W:4C"),
        ("1D 1H 1S 2H 2S - - 3H - - -", "E:3H"),
        ("1S X - - -", "N:1SX"),
        ("1S X XX - - -", "N:1SXX"),
        ("1S X XX 2C - - -", "W:2C"),  # a further bid ends the double
        ("1S - - X - - -", "N:1SX"),
    ],
)
def test_declarer_and_contract(calls: str, contract: str) -> None:
    table = auction(calls)
    assert str(table.contract) == contract
    assert table.tricks is not None
    assert table.turn == (table.contract.declarer + 1) % 4


def test_four_passes_end_the_board() -> None:
    table = auction("- - - -")
    assert table.over
    assert table.score().points == (0, 0, 0, 0)
    assert not auction("- - -").over
    assert auction("- - - 1C - -").phase.name == "auction"


@pytest.mark.parametrize(
    ("calls", "next_call"),
    [
        ("", "X"), ("1H", "XX"), ("1H -", "X"), ("1H X", "X"), ("1H X -", "X"), ("1H X XX", "XX"), ("1H X XX", "X"),
        ("2H", "2D"), ("2H", "2H"), ("2H", "1NT"), ("7NT", "7S"), ("1H X 2H", "XX"),
    ],
)  # fmt: skip
def test_calls_out_of_order(calls: str, next_call: str) -> None:
    with pytest.raises(IllegalAction):
        auction(f"{calls} {next_call}")


def test_contracts_are_read_as_they_are_written() -> None:
    for text in ("N:1C", "S:3NTX", "W:7HXX"):
        assert str(BridgeContract.from_text(text)) == text
    for text in ("N:8C", "X:1C", "1C", "N:1CXXX", "N:"):
        with pytest.raises(InputError):
            BridgeContract.from_text(text)


# -- the dummy (Law 41) -----------------------------------------------------------------------------------------------


def test_the_dummy_lies_open_after_the_lead_and_the_declarer_plays_it() -> None:
    table = auction("1NT - 3NT - - -")  # North declares, East leads, South is dummy
    hands = table.deal.masks
    for seat in range(4):
        view = table.view(seat)
        assert [p for p in range(4) if view.known[p]] == [seat]  # nobody sees more than his own hand
    lead = table.tricks.legal()[0]
    table.apply(play(lead))
    for seat in range(4):
        view = table.view(seat)
        assert view.known[2] == hands[2]
        assert [p for p in range(4) if view.known[p]] == sorted({seat, 2})
        assert view.to_decide == (seat == 0)
        assert bool(view.legal) == (seat == 0)
    assert (table.turn, table.actor) == (2, 0)
    card = table.tricks.legal()[0]
    table.apply(play(card))
    assert table.view(1).known[2] == hands[2] & ~(1 << card)
    assert (table.turn, table.actor) == (3, 3)


def test_bridge_passes_the_checks_of_a_game() -> None:
    check_game(GAME, deals=8).require()


# -- the score (Law 77) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "tricks", "plain", "exposed"),
    [
        ("1C", 7, 70, 70), ("2D", 8, 90, 90), ("1NT", 7, 90, 90), ("1NT", 9, 150, 150), ("2S", 9, 140, 140),
        ("3NT", 9, 400, 600), ("3NT", 11, 460, 660), ("4H", 10, 420, 620), ("5C", 11, 400, 600), ("4H", 12, 480, 680),
        ("6D", 12, 920, 1370), ("6NT", 12, 990, 1440), ("7C", 13, 1440, 2140), ("7NT", 13, 1520, 2220),
        ("1CX", 7, 140, 140), ("2CX", 8, 180, 180), ("2DX", 9, 280, 380), ("2HX", 8, 470, 670), ("1NTX", 8, 280, 380),
        ("3NTX", 9, 550, 750), ("4SX", 11, 690, 990), ("1CXX", 7, 230, 230), ("1NTXX", 7, 560, 760),
        ("2CXX", 9, 760, 1160), ("7NTXX", 13, 2280, 2980),
        ("4S", 9, -50, -100), ("4S", 7, -150, -300), ("4SX", 9, -100, -200), ("4SX", 8, -300, -500),
        ("4SX", 7, -500, -800), ("4SX", 6, -800, -1100), ("4SX", 5, -1100, -1400), ("4SXX", 9, -200, -400),
        ("4SXX", 6, -1600, -2200), ("7NTXX", 0, -7000, -7600),
    ],
)  # fmt: skip
def test_scores_of_the_law(contract: str, tricks: int, plain: int, exposed: int) -> None:
    found = BridgeContract.from_text(f"N:{contract}")
    assert contract_points(found, tricks, False) == plain
    assert contract_points(found, tricks, True) == exposed


def test_partners_score_alike_and_by_the_vulnerability_of_the_declarer() -> None:
    table = auction("- 1NT - - -", board=1)  # East deals, South declares, North-South are vulnerable
    rng = random.Random(5)
    while not table.over:
        table.apply(play(rng.choice(table.tricks.legal())))
    score = table.score()
    tricks = score.value
    assert tricks == table.tricks.won[0] + table.tricks.won[2]
    points = contract_points(BridgeContract.from_text("S:1NT"), tricks, True)
    assert score.points == (points, -points, points, -points)
    assert score.won == (tricks >= 7)
    assert score.detail["over"] == tricks - 7


# -- comparison (Law 78) ----------------------------------------------------------------------------------------------


def test_imps() -> None:
    assert len(IMP_SCALE) == 24
    steps = [(0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (430, 10), (490, 10), (500, 11), (600, 12), (3990, 23)]
    for difference, count in [*steps, (4000, 24), (15200, 24)]:
        assert imps(difference) == count
        assert imps(-difference) == -count


def test_matchpoints_and_datum() -> None:
    assert matchpoints([420, 420, -50, 450]) == (1.5, 1.5, 0.0, 3.0)
    assert sum(matchpoints([1, 1, 1, 1, 1])) == 10
    assert cross_imps([420, -50]) == (10, -10)
    assert cross_imps([100]) == (0,)
    assert cross_imps([420, 170, 170]) == (6, -3, -3)
    assert butler([420, 170, 170]) == (5, -2, -2)  # the datum is 250
    assert GAME.compared([(420, -420, 420, -420), (-50, 50, -50, 50)]) == [(10, -10, 10, -10), (-10, 10, -10, 10)]


# -- records ----------------------------------------------------------------------------------------------------------


def played(record: GameRecord, **changes: object) -> GameRecord:
    from attrs import evolve

    return evolve(record, **changes)


def test_a_claimed_rest_and_the_shortest_auction() -> None:
    table = auction("1NT - - -")
    rng = random.Random(5)
    while not table.over:
        table.apply(play(rng.choice(table.tricks.legal())))
    record = record_of(table, "1")
    assert RECORDS.verify(record) == []
    claimed = played(record, plays=record.plays[:20])
    assert RECORDS.verify(claimed) == []
    assert list(RECORDS.score(claimed).points) == record.result["points"]
    wrong = played(claimed, result={**record.result, "points": [0, 0, 0, 0]})
    assert any("points" in reason for reason in RECORDS.verify(wrong))
    with pytest.raises(InputError, match="tricks"):
        RECORDS.verify(played(claimed, plays=record.plays[:48], result={"tricks": (record.result["tricks"] + 7) % 14}))
    with pytest.raises(InputError, match="broke off"):
        RECORDS.verify(played(claimed, result={}))
    for contract in ("N:1C", "E:4SX", "S:7NTXX", "W:2D"):
        wanted = BridgeContract.from_text(contract)
        for board in range(4):
            bare = GameRecord("bridge", "2", record.deal, board, contract=wanted)
            assert Table.replay(GAME, record.deal, RECORDS.presumed(bare), board).contract == wanted


def test_a_bare_deal_is_not_passed_in() -> None:
    deal = random_deal(random.Random(3))
    bare, passed = GameRecord("bridge", "1", deal), GameRecord("bridge", "2", deal, result={"passed": True})
    assert (bare.passed, passed.passed) == (False, True)
    assert len(RECORDS.problems(bare)) == 20
    assert RECORDS.problems(passed) == ()
    assert RECORDS.verify(bare) == RECORDS.verify(passed) == []
    assert RECORDS.score(passed).points == (0, 0, 0, 0)
