"""Skat by the book: the points of the rules one after the other, numbered as in docs/skat.md."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from tricktake_skat.contract import BASE, BIDS, CODES, DECLARATIONS, SkatContract
from tricktake_skat.deck import ALL_EYES, EYES, LAYOUT, SKAT, eyes
from tricktake_skat.game import SkatGame
from tricktake_skat.rules import matadors, skat_rules, trumps, trumps_mask
from tricktake_skat.scoring import extended_seeger, score36, seeger
from tricktake_skat.series import Series, seating
from tricktake_skat.value import game_value, level, needed_eyes, overbid_value, settle

from plugins.skat.tests.skat_tables import CLUBS, GAME, act, at_contract, deal_of, play_out, random_deal
from tricktake.action import Action
from tricktake.errors import IllegalAction, InputError
from tricktake.table import Table

ALL_BIDS = [
    *(18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 46, 48, 50, 54, 55, 59, 60, 63, 66, 70, 72, 77, 80, 81, 84),
    *(88, 90, 96, 99, 100, 108, 110, 117, 120, 121, 126, 130, 132, 135, 140, 143, 144, 150, 153, 154, 156, 160, 162),
    *(165, 168, 170, 176, 180, 187, 192, 198, 204, 216, 240, 264),
]


def contract(name: str, bid: int = 18, declarer: int = 0) -> SkatContract:
    return SkatContract.declared(declarer, name, bid)


def auction(*actions: str) -> Table:
    return act(Table.start(GAME, CLUBS), *actions)


def verbs(table: Table) -> set[str]:
    return {action.verb for action in table.legal()}


# -- 1, 2: cards and deal -----------------------------------------------------------------------------------------


def test_1_eyes() -> None:
    assert ALL_EYES == 120
    for suit in "CSHD":
        assert eyes(SKAT.of_suit_mask(suit)) == 30
    assert [EYES[SKAT.card("C" + rank).index] for rank in "ATKQJ987"] == [11, 10, 4, 3, 2, 0, 0, 0]


def test_2_ten_cards_each_and_two_in_the_skat_and_the_dealer_of_four_sits_out() -> None:
    assert LAYOUT.sizes == (10, 10, 10, 2)
    assert [seating(n, 3) for n in range(4)] == [(1, 2, 0), (2, 0, 1), (0, 1, 2), (1, 2, 0)]
    assert [seating(n, 4) for n in range(4)] == [(1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2)]


# -- 3: the games -------------------------------------------------------------------------------------------------


def order_of(name: str, suit_mask: int) -> str:
    rules = skat_rules(contract(name))
    cards = [c for c in range(32) if suit_mask >> c & 1]
    return " ".join(SKAT[c].name for c in sorted(cards, key=lambda c: -rules.power[c]))


def test_3_order_of_trumps_and_suits() -> None:
    assert len(trumps("H")) == 11
    assert order_of("H", trumps_mask("H")) == "CJ SJ HJ DJ HA HT HK HQ H9 H8 H7"
    assert order_of("G", trumps_mask("G")) == "CJ SJ HJ DJ"
    assert order_of("N", SKAT.of_suit_mask("S")) == "SA SK SQ SJ ST S9 S8 S7"
    assert order_of("G", SKAT.of_suit_mask("S") & ~trumps_mask("G")) == "SA ST SK SQ S9 S8 S7"
    for name in "CSHDGN":
        rules = skat_rules(contract(name))
        suits = {rules.suit_of[c] for c in range(32) if trumps_mask(name) >> c & 1}
        assert suits == (set() if name == "N" else {rules.trump})
        assert (rules.trump is None) == (name == "N")


# -- 4, 5: bidding ------------------------------------------------------------------------------------------------


def test_4_middlehand_bids_to_forehand_then_rearhand_to_the_survivor() -> None:
    table = auction()
    assert table.turn == 1
    act(table, "bid:18")
    assert table.turn == 0
    assert verbs(table) == {"yes", "pass"}
    act(table, "yes", "bid:33")  # a jump
    assert table.turn == 0
    act(table, "pass")
    assert table.turn == 2
    assert [a.value for a in table.legal()][:2] == ["35", "36"]  # bids stand: only higher ones
    act(table, "bid:35")
    assert table.turn == 1
    act(table, "yes", "pass")
    assert table.facts["declarer"] == 1
    assert table.facts["bid"] == 35
    assert table.facts["bids"] == (18, 35, 35)
    assert table.phase is not None
    assert (table.turn, table.phase.name) == (1, "skat")


@pytest.mark.parametrize(
    ("actions", "declarer", "bid"),
    [
        (["bid:18", "pass", "pass"], 1, 18),
        (["bid:18", "yes", "pass", "pass"], 0, 18),
        (["pass", "bid:20", "yes", "pass"], 0, 20),
        (["pass", "bid:20", "pass"], 2, 20),
        (["bid:18", "pass", "bid:20", "pass"], 2, 20),
        (["pass", "pass", "bid:18"], 0, 18),
        (["bid:264", "yes", "pass", "pass"], 0, 264),
    ],
)
def test_4_who_wins_the_auction(actions: list[str], declarer: int, bid: int) -> None:
    facts = auction(*actions).facts
    assert (facts["declarer"], facts["bid"]) == (declarer, bid)


def test_4_forehand_may_play_at_18_or_pass_the_deal_in() -> None:
    table = auction("pass", "pass")
    assert table.turn == 0
    assert [a.to_text(SKAT) for a in table.legal()] == ["bid:18", "pass"]
    act(table, "pass")
    assert table.over
    score = table.score()
    assert score.points == (0, 0, 0)
    assert score.won is None
    assert score.detail["passed"]
    assert GAME.series_points(score) == (0, 0, 0)


def test_4_nobody_takes_a_bid_back_or_bids_below() -> None:
    for wrong in ("bid:18", "bid:20", "bid:19", "bid:265", "yes"):
        with pytest.raises(IllegalAction, match="seat 1"):
            act(auction("bid:20", "yes"), wrong)
    with pytest.raises(IllegalAction, match="seat 2 acts"):
        auction().apply(Action("pass"), 2)


def test_4_nothing_above_264() -> None:
    assert verbs(auction("bid:264", "yes")) == {"pass"}


def test_5_the_63_bids() -> None:
    assert len(ALL_BIDS) == 63
    assert list(BIDS) == ALL_BIDS
    assert [a.value for a in auction().legal()[:-1]] == [str(bid) for bid in ALL_BIDS]


# -- 6: skat, hand, announcements ---------------------------------------------------------------------------------


def test_6_the_skat_is_taken_and_any_two_cards_are_put() -> None:
    table = auction("pass", "pass", "bid:18", "take")
    assert table.hands[0].bit_count() == 12
    assert len(table.legal()) == 66
    act(table, "discard C7 D7")  # the cards just taken
    assert {a.value for a in table.legal()} == {"C", "S", "H", "D", "G", "N", "NO"}
    act(table, "declare:NO")
    assert table.contract == contract("NO")
    table = auction("pass", "pass", "bid:18", "take", "discard D7 CJ")
    assert table.places[3] == SKAT.parse_mask("CJ D7")


def test_6_only_a_hand_game_is_announced_and_its_skat_is_nobody_s() -> None:
    table = auction("pass", "pass", "bid:18", "hand")
    names = {a.value for a in table.legal()}
    assert names == {t + a for t in "CSHDG" for a in ("H", "HS", "HSZ", "HSZO")} | {"NH", "NHO"}
    act(table, "declare:CHS")
    assert all(table.view(seat).known[3] == 0 for seat in range(3))
    assert table.contract == contract("CHS")


def test_6_what_the_announcements_imply() -> None:
    assert contract("GO").name == "GHSZO"
    assert contract("CHZ").name == "CHSZ"
    assert len(DECLARATIONS) == 5 * 5 + 4
    for wrong in ("GS", "GZ", "NS", "NHSZ", "X", "", "GHH", "CHQ"):
        with pytest.raises(InputError):
            contract(wrong)
    for text in ("3:G@18", "0:G@19", "0:G", "G@18", ""):
        with pytest.raises(InputError):
            SkatContract.from_text(text)
    for name in DECLARATIONS:
        assert SkatContract.from_text(str(contract(name, 59, 2))) == contract(name, 59, 2)


@pytest.mark.parametrize("name", ["GHSZO", "NO", "NHO"])
def test_6_ouvert_lies_open_before_the_first_lead(name: str) -> None:
    hand = ["hand"] if "H" in name else ["take", "discard C7 D7"]
    table = auction("bid:18", "pass", "pass", *hand, f"declare:{name}")
    assert table.turn == 0
    for seat in (0, 2):
        assert table.view(seat).known[1] == CLUBS.masks[1]
    act(table, "CJ")
    for seat in (0, 2):
        assert table.view(seat).known[1] == table.hands[1]


def test_6_nobody_but_the_declarer_learns_of_skat_and_discards() -> None:
    table = auction("bid:18", "pass", "pass", "take", "discard SA C7", "declare:S")
    assert table.view(1).known[3] == SKAT.parse_mask("SA C7")
    for seat in (0, 2):
        view = table.view(seat)
        assert view.known[3] == 0
        assert view.known[1] == 0
        assert view.unseen_mask & SKAT.parse_mask("SA C7 D7") == SKAT.parse_mask("SA C7 D7")
        assert "discard ?? ??" in [e.action.to_text(SKAT) for e in view.events]
    dealt = deal_of(CLUBS.to_text())
    after = act(Table.at_contract(GAME, dealt, contract("S", 18, 1), table_deal(table)))
    assert after.view(1).known[3] == SKAT.parse_mask("SA C7")
    assert after.view(0).known[3] == 0
    assert at_contract(CLUBS, "0:CH@18").view(0).known[3] == 0


def table_deal(table: Table):
    from tricktake.deal import Deal

    return Deal(LAYOUT, tuple(table.places))


def test_6_a_contract_with_an_impossible_exchange_is_refused() -> None:
    put = table_deal(auction("bid:18", "pass", "pass", "take", "discard SA C7"))
    with pytest.raises(InputError, match="place 1"):
        Table.at_contract(GAME, CLUBS, contract("S", 18, 0), put)
    with pytest.raises(InputError, match="hand game"):
        Table.at_contract(GAME, CLUBS, contract("SH", 18, 1), put)


# -- 7, 8: matadors and values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "game", "expected"),
    [
        ("CJ SJ HJ DJ HA HT HK HQ H9 H8 H7", "H", 11),
        ("CJ SJ HJ DJ HA HT HK HQ H9 H8 H7", "G", 4),
        ("CJ SJ HJ DJ HA HT HK HQ H9 H8 H7", "S", 4),
        ("CJ SJ HJ DJ HA HT HK HQ H9 H8 H7", "N", 0),
        ("CJ HJ DJ HA", "H", 1),
        ("CJ SJ DJ HA", "G", 2),
        ("SJ HJ DJ HA", "H", -1),
        ("DJ HA", "G", -3),
        ("HA", "G", -4),
        ("HA", "H", -4),
        ("HT H7", "H", -5),
        ("SA ST", "H", -11),
    ],
)
def test_7_matadors(cards: str, game: str, expected: int) -> None:
    assert matadors(SKAT.parse_mask(cards), game) == expected


def test_7_the_skat_counts_for_matadors_put_or_unseen() -> None:
    deal = deal_of(
        "CJ HJ DJ C9 C8 C7 CQ CK HA HK | SA ST SK SQ S9 S8 S7 DA DT H7 | HT HQ H9 H8 DK DQ D9 D8 D7 CA | SJ CT"
    )
    for name, bid in (("CH", 18), ("C", 18)):
        score = play_out(at_contract(deal, f"0:{name}@{bid}")).score()
        assert score.detail["matadors"] == 4  # the jack of spades lies in the skat


def test_8_values() -> None:
    assert game_value(contract("CO"), 2) == 108
    assert game_value(contract("GO"), 4) == 264
    assert [game_value(contract(n), 0) for n in ("N", "NH", "NO", "NHO")] == [23, 35, 46, 59]
    assert [game_value(contract(s), -1) for s in "DHSCG"] == [18, 20, 22, 24, 48]
    assert game_value(contract("GH"), 1, schneider=True) == 24 * 4
    assert level(contract("CHSZ"), 1) == 7  # with 1: game, hand, schneider and schwarz, both announced and made
    assert level(contract("CH"), -1, schwarz=True) == 5
    assert level(contract("CO"), 3) == 3 + 7
    assert max(game_value(contract(g + "O"), 4 if g == "G" else 11) for g in BASE) == 264


# -- 9, 10: won and lost ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "eyes", "tricks", "won", "schneider", "schwarz", "level"),
    [
        ("C", 61, 5, True, False, False, 2),
        ("C", 60, 5, False, False, False, 2),
        ("C", 89, 8, True, False, False, 2),
        ("C", 90, 8, True, True, False, 3),
        ("C", 120, 9, True, True, False, 3),  # a trick without eyes was lost: no Schwarz
        ("C", 120, 10, True, True, True, 4),
        ("C", 31, 3, False, False, False, 2),
        ("C", 30, 3, False, True, False, 3),
        ("C", 0, 1, False, True, False, 3),
        ("C", 22, 0, False, True, True, 4),
        ("CH", 90, 9, True, True, False, 4),
        ("CHS", 90, 9, True, True, False, 5),
        ("CHS", 89, 9, False, False, False, 5),  # lost at the announced level
        ("CHS", 30, 3, False, True, False, 5),  # and that is not charged twice
        ("CHS", 22, 0, False, True, True, 6),
        ("CHS", 120, 10, True, True, True, 6),
        ("CHSZ", 120, 10, True, True, True, 7),
        ("CHSZ", 120, 9, False, True, False, 7),
        ("CO", 120, 10, True, True, True, 8),
        ("CO", 50, 5, False, False, False, 8),
    ],
)
def test_9_10_who_wins_at_which_level(
    name: str, eyes: int, tricks: int, won: bool, schneider: bool, schwarz: bool, level: int
) -> None:
    settled = settle(contract(name), 1, eyes, tricks)
    assert (settled.won, settled.schneider, settled.schwarz, settled.level) == (won, schneider, schwarz, level)
    assert settled.value == 12 * level
    assert settled.points == (12 * level if won else -24 * level)


@pytest.mark.parametrize(("name", "value"), [("N", 23), ("NH", 35), ("NO", 46), ("NHO", 59)])
def test_9_10_null(name: str, value: int) -> None:
    assert settle(contract(name), 0, 22, 0).points == value
    assert settle(contract(name), 0, 0, 1).points == -2 * value


def test_9_null_ends_with_the_declarers_first_trick() -> None:
    table = act(at_contract(CLUBS, "0:N@18"), "CJ", "S7", "D8")
    assert table.over
    score = table.score()
    assert (score.points, score.won, score.value) == ((-46, 0, 0), False, 1)
    won = play_out(at_contract(deal_of(rotated(CLUBS.to_text(), 1)), "2:N@18"))  # nobody reaches seat 2's low cards
    assert won.tricks is not None
    assert won.score().won == (len(won.tricks.tricks) == 10)


def rotated(text: str, by: int) -> str:
    places = [p.strip() for p in text.split("|")]
    return " | ".join(places[by:3] + places[:by] + places[3:])


@pytest.mark.parametrize(
    ("name", "declarer_wins", "defenders_win"),
    [
        ("C", range(61, 121), range(60, 121)),
        ("GHS", range(90, 121), range(31, 121)),
        ("GHSZ", [10], range(1, 11)),
        ("N", [0], range(10)),  # at most nine tricks for the defenders
    ],
)
def test_9_goals(name: str, declarer_wins: Sequence[int], defenders_win: Sequence[int]) -> None:
    rules = skat_rules(contract(name, declarer=1))
    total = 10 if name in ("GHSZ", "N") else 120
    for seat, wins in ((1, declarer_wins), (0, defenders_win), (2, defenders_win)):
        assert [n for n in range(total + 1) if rules.goal(seat).met(n)] == list(wins)


# -- 11: overbid --------------------------------------------------------------------------------------------------


def test_11_the_example_of_the_book() -> None:
    settled = settle(contract("D", 22), 1, 75, 7)
    assert settled.overbid
    assert not settled.won
    assert settled.points == -54


@pytest.mark.parametrize(
    ("name", "bid", "matadors", "eyes", "tricks", "points"),
    [
        ("D", 36, 1, 41, 4, -72),
        ("D", 36, -1, 75, 7, -72),
        ("D", 27, 1, 75, 7, -54),
        ("D", 27, 1, 90, 8, 27),  # Schneider lifts 18 to 27
        ("D", 36, 1, 90, 8, -72),
        ("D", 36, 1, 120, 10, 36),  # Schwarz lifts it to 36
        ("D", 40, 1, 120, 10, -90),
        ("D", 27, 1, 30, 3, -54),  # lost in Schneider is 27, too
        ("C", 48, -4, 61, 6, 60),
        ("G", 264, 1, 120, 10, -528),
        ("DH", 30, 1, 61, 6, -72),  # the skat held a matador: 27 < 30, charged as 36
    ],
)
def test_11_overbid_and_rescued(name: str, bid: int, matadors: int, eyes: int, tricks: int, points: int) -> None:
    assert settle(contract(name, bid), matadors, eyes, tricks).points == points


def test_11_eyes_needed() -> None:
    assert needed_eyes(contract("D", 18), 1) == 61
    assert needed_eyes(contract("D", 27), 1) == 90
    assert needed_eyes(contract("D", 36), 1) == 121
    assert needed_eyes(contract("DHS", 36), 1) == 90
    assert needed_eyes(contract("DHSZ", 36), 1) == 121
    for bid in (18, 27, 30, 36, 45):
        for m in (1, 2, 3):
            need = needed_eyes(contract("D", bid), m)
            for e in range(121):
                assert settle(contract("D", bid), m, e, 9).won == (e >= need)


def test_11_a_null_below_the_bid_is_not_offered_but_can_be_scored() -> None:
    table = auction("bid:24", "pass", "pass", "take", "discard C7 D7")
    assert {a.value for a in table.legal()} == {"C", "S", "H", "D", "G", "NO"}
    table = auction("bid:46", "pass", "pass", "hand")
    assert {a.value for a in table.legal() if a.value[0] == "N"} == {"NHO"}
    table = auction("bid:60", "pass", "pass", "take", "discard C7 D7")
    assert {a.value for a in table.legal()} == set("CSHDG")
    assert settle(contract("N", 24), 0, 0, 0).points == -70
    assert settle(contract("NO", 48), 0, 0, 0).points == -118
    assert overbid_value(contract("NHO", 264)) == 264


def test_11_the_declarer_may_overbid_with_a_suit() -> None:
    table = auction("pass", "bid:264", "pass", "take", "discard C7 D7", "declare:D")
    assert play_out(table).score().points == (0, 0, -2 * 270)


# -- 12, 13: play, hand games -------------------------------------------------------------------------------------


def test_12_forehand_leads_and_the_jacks_are_trumps() -> None:
    deal = deal_of(
        "CJ SJ CA CT CK CQ C9 C8 SA ST | HJ DJ C7 SK S9 S8 HA HT HK HQ | SQ S7 H9 H8 H7 DA DT DK DQ D9 | D8 D7"
    )
    for declarer in range(3):
        assert at_contract(deal, f"{declarer}:C@18").turn == 0
    table = act(at_contract(deal, "1:C@18"), "CA")
    assert {SKAT[c].name for c in table.tricks.legal()} == {"HJ", "DJ", "C7"}
    act(table, "HJ")
    assert table.tricks.legal_cards_mask() == deal.masks[2]  # void: anything goes
    act(table, "H7")
    assert table.turn == 1
    table = act(at_contract(deal, "1:H@18"), "CA")
    assert {SKAT[c].name for c in table.tricks.legal()} == {"C7"}  # jacks are no clubs now
    act(table, "C7", "H7")
    assert table.turn == 2  # trumped
    with pytest.raises(IllegalAction, match="SJ is not in the hand"):
        act(table, "SJ")


def test_13_the_unseen_skat_counts_for_a_hand_game() -> None:
    deal = deal_of(
        "CJ SJ HJ DJ CA CT CK CQ C9 C8 | SK SQ S9 S8 S7 HA HT HK D9 D8 | HQ H9 H8 H7 DA DT DK DQ D7 C7 | SA ST"
    )
    score = play_out(at_contract(deal, "0:CH@18")).score()
    assert score.value == 120
    assert score.detail["schwarz"]
    assert score.points == (12 * (10 + 1 + 1 + 2), 0, 0)  # with ten


# -- 14: early ends -----------------------------------------------------------------------------------------------


def test_14_the_declarer_concedes_at_once_with_the_eyes_so_far() -> None:
    table = act(at_contract(CLUBS, "0:G@18"), "CA", "SA", "DA", "0:concede")
    score = table.score()
    assert not score.won
    assert (score.value, score.detail["tricks"]) == (33, 1)
    assert score.points == (-2 * 24 * 5, 0, 0)
    table = act(at_contract(CLUBS, "0:N@18"), "0:concede")
    assert table.score().points == (-46, 0, 0)


def test_14_both_defenders_concede_the_rest() -> None:
    table = act(at_contract(CLUBS, "1:S@18"), "CA", "S7", "2:concede")
    assert not table.over  # one alone does not end the game
    assert "concede" not in {a.verb for a in table.view(2).interruptions}
    act(table, "D8", "0:concede")
    assert table.over
    score = table.score()
    assert score.won
    assert score.value == 120
    assert score.detail["schwarz"]
    lost = act(at_contract(CLUBS, "1:S@18"), "CJ", "SA", "D8", "2:concede", "CA", "0:concede")
    assert lost.score().value == 120 - 13
    assert lost.score().detail["tricks"] == 9
    null = act(at_contract(CLUBS, "1:N@18"), "CJ", "0:concede", "2:concede")
    assert null.score().points == (0, 23, 0)
    assert null.score().detail["tricks"] == 0


def test_14_a_concession_cannot_lose_what_is_won_already() -> None:
    deal = deal_of(
        "CJ SJ HJ DJ CA CT CK CQ C9 C8 | SK SQ S9 S8 S7 HA HT HK D9 D8 | HQ H9 H8 H7 DA DT DK DQ D7 C7 | SA ST"
    )
    table = act(at_contract(deal, "0:C@18"), "CJ", "HA", "C7", "SJ", "HT", "DA", "HJ", "HK", "DT")
    act(table, "0:concede")
    assert table.score().won
    assert table.score().value == 21 + 2 + 11 + 2 + 10 + 11 + 2 + 4 + 10


@pytest.mark.parametrize(
    ("name", "plays"),
    [
        ("1:CHSZ@18", ["CJ", "S7", "D8"]),
        ("1:CO@18", ["CJ", "S7", "D8"]),
        ("1:SHS@18", ["CJ", "SA", "DA", "SJ", "ST", "DT"]),  # 13 + 11 and 12 + 10 eyes: 46
    ],
)
def test_14_an_announcement_that_cannot_be_kept_ends_the_game(name: str, plays: list[str]) -> None:
    table = at_contract(CLUBS, name)
    for play in plays:
        assert not table.over
        act(table, play)
    assert table.over
    score = table.score()
    assert not score.won
    mine = [t for t in table.tricks.tricks if t.winner == score.detail["declarer"]]
    skat = table.deal.place_mask("skat")
    assert score.value == sum(EYES[c] for t in mine for c in t.cards) + eyes(skat)
    assert score.detail["tricks"] == len(mine)
    assert not score.detail["schneider"]
    assert not score.detail["schwarz"]


def test_14_nothing_is_claimed_before_the_play_or_after_the_end() -> None:
    for table in (auction(), play_out(at_contract(CLUBS, "0:C@18"))):
        assert table.view(0).interruptions == ()
        with pytest.raises(IllegalAction):
            table.apply(Action("concede"), 0)


def test_14_a_claim_is_granted_only_if_proven() -> None:
    pytest.importorskip("tricktake.search.opencard")
    table = act(at_contract(CLUBS, "0:C@18"), "0:claim")
    score = table.score()
    assert score.won
    assert score.detail["schwarz"]  # all ten tricks are trumps
    assert score.value == 120
    with pytest.raises(IllegalAction, match="do not prove"):
        act(at_contract(CLUBS, "0:C@18"), "1:claim")
    table = act(at_contract(CLUBS, "1:D@18"), "2:claim")  # ten trumps on the other side
    assert not table.score().won
    assert play_out(at_contract(CLUBS, "1:N@18")).over
    null = act(at_contract(deal_of(rotated(CLUBS.to_text(), 0)), "0:N@18"))
    with pytest.raises(IllegalAction, match="do not prove"):
        act(null, "0:claim")
    act(null, "2:claim")
    assert null.score().points == (-46, 0, 0)


# -- 15 to 18 -----------------------------------------------------------------------------------------------------


def test_15_no_house_games() -> None:
    for trump in ("R", "K", "B"):
        with pytest.raises(InputError):
            contract(trump)
    assert "ramsch" not in " ".join(str(a.value) for a in auction().legal())


def test_16_series() -> None:
    assert Series(3).length == 36
    assert Series(4).length == 48
    for players in (3, 4):
        forehands = [seating(n, players)[0] for n in range(Series(players).length)]
        assert all(forehands.count(p) == 12 for p in range(players))
    with pytest.raises(InputError, match="series"):
        Series(3, ((0, 18),) * 37)


def test_17_examples_of_the_paper() -> None:
    assert extended_seeger(273, 8, 1, 4) == 783
    assert extended_seeger(152, 12, 4, 1) == 592
    assert extended_seeger(495, 11, 0, 5) == 1245
    assert extended_seeger(495, 11, 0, 5, players=4) == 495 + 550 + 150


def test_17_one_game() -> None:
    assert seeger(1, 48) == (0, 98, 0)
    assert seeger(1, -96) == (40, -146, 40)
    assert seeger(3, -96, players=4) == (30, 30, 30, -146)
    assert seeger(0, 0) == (0, 0, 0)


@pytest.mark.parametrize("players", [3, 4])
def test_17_a_series_adds_up(players: int) -> None:
    rng = random.Random(players)
    series, total = Series(players), [0] * players
    while not series.complete:
        if rng.random() < 0.1:
            series = series.with_game(None)
            continue
        seat, value = rng.randrange(3), rng.choice(BIDS)
        points = value if rng.random() < 0.8 else -2 * value
        player = seating(len(series.games), players)[seat]
        total = [a + b for a, b in zip(total, seeger(player, points, players), strict=True)]
        series = series.with_game(seat, points)
    assert [s.score for s in series.standings()] == total
    ranking = series.ranking()
    assert [s.score for s in ranking] == sorted(total, reverse=True)
    if players == 3:
        points = [0 if g is None else g[1] for g in series.games]
        assert score36(points) == pytest.approx(sum(total) / 3)


def test_17_the_game_at_a_table_of_four() -> None:
    game = SkatGame(players=4)
    table = act(Table.at_contract(game, CLUBS, contract("S", 18, 1)), "1:concede")
    score = table.score()
    assert score.detail["seeger"] == (30, score.points[1] - 50, 30, 30)
    assert game.series_points(score) == (30, score.points[1] - 50, 30)
    with pytest.raises(InputError, match="tables of 3 or 4"):
        SkatGame(players=5)


def test_17_ties_go_to_more_games_won() -> None:
    # player 1 wins one game of 90, player 2 two of 20: 140 each
    series = Series(3, ((0, 90), (0, 20), (2, 20)))
    assert [(s.player, s.score) for s in series.ranking()] == [(2, 140), (1, 140), (0, 0)]


def test_17_score36() -> None:
    assert score36([]) == 0.0
    assert score36([24, -48]) == 36 / 6 * (74 - 98 + 80)
    assert score36([24, -48, 0]) == 36 / 9 * (74 - 98 + 80)


def test_18_codes_and_base_values() -> None:
    names = ["C", "S", "H", "D", "G", "N", "NO", "NH", "NHO"]
    assert [CODES[n] for n in names] == list(range(9))
    assert [contract(n).code for n in names] == list(range(9))
    assert contract("CHSZ").code == 0
    assert [contract(n).base for n in names] == [12, 11, 10, 9, 24, 23, 46, 35, 59]


def test_kinds() -> None:
    assert [contract(n).kind for n in ("C", "DH", "G", "N", "NH", "NO", "NHO")] == [
        *("suit", "suit", "grand", "null", "null", "null-ouvert", "null-ouvert")
    ]


def test_random_deals_differ() -> None:
    assert random_deal(random.Random(1)) != random_deal(random.Random(2))


def test_a_contract_pastes_back() -> None:
    made = contract("GHZ", 24, 1)
    assert eval(repr(made)) == made
