"""PBN and the list of DDS: what is read, what is written, and what is said of broken files."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from tricktake_bridge.auction import BIDS, PASS
from tricktake_bridge.deck import SEAT_NAMES, TABLE_STRAINS
from tricktake_bridge.formats.common import deal_text, read_deal

from plugins.bridge.tests.bridge_tables import GAME, RECORDS, random_deal
from tricktake.action import Action, Event, play
from tricktake.errors import InputError
from tricktake.records.formats import RecordFault, get_format, read
from tricktake.records.record import GameRecord, record_of
from tricktake.records.verify import AGREE, verify
from tricktake.table import Table

SAMPLE = Path(__file__).parent / "data" / "dds-10.dds"
PBN, DDS = get_format("pbn"), get_format("dds")

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
GAME_TEXT = f"""% PBN 2.1
[Event "Club night"]
[Site ""]
[Date "2025.11.21"]
[Board "1"]
[West "Will"]
[North "Nora"]
[East "Eve"]
[South "?"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Scoring "MP"]
[Declarer "W"]
[Contract "2SX"]
[Result "6"]
[Score "NS 300"]
{{A comment over
two lines; with a [Tag "x"]

and a blank one}}
[Auction "N"]
Pass Pass 1C =1= 1S
1NT! 2D X 2S ; to play
X AP
[Note "1:could be short"]
[Play "N"]
CT C4 CA CJ
HK $1 H9 H8 H4
*
"""


def read_one(text: str) -> GameRecord:
    (record,) = PBN.loads(text)
    return record


def plain(record: GameRecord) -> GameRecord:
    return evolve(record, source="")


# -- reading PBN ------------------------------------------------------------------------------------------------------


def test_a_whole_game_is_read() -> None:
    record = read_one(GAME_TEXT)
    assert (record.id, record.board, record.players) == ("1", 0, ("Nora", "Eve", "", "Will"))
    assert str(record.contract) == "W:2SX"
    assert [e.action.value or e.action.verb for e in record.before or ()] == [
        *("pass", "pass", "1C", "1S", "1NT", "2D", "double", "2S", "double", "pass", "pass", "pass")
    ]
    assert [(e.seat, deck_name(e)) for e in record.plays[3:6]] == [(3, "CJ"), (2, "H8"), (3, "H4")]
    assert record.result == {"tricks": 6, "points": [300, -300, 300, -300]}
    assert record.notes["tags"] == {"Event": "Club night", "Date": "2025.11.21", "Scoring": "MP"}
    assert record.notes["texts"] == ["1:could be short"]
    assert record.notes["comments"] == ['A comment over\ntwo lines; with a [Tag "x"]\n\nand a blank one', "to play"]
    assert record.notes["marks"] == {"auction": {"2": ["=1="], "4": ["!"]}, "play": {"4": ["$1"]}}
    assert plain(read_one(PBN.dumps([record]))) == plain(record)


def test_columns_of_the_play_stand_whoever_leads() -> None:
    """South wins the first trick with the ace of clubs and leads the second, in the third column."""
    plays = read_one(GAME_TEXT.replace("HK $1 H9 H8 H4", "S6 S3 SK SA")).plays
    assert [(e.seat, deck_name(e)) for e in plays[4:]] == [(2, "SK"), (3, "SA"), (0, "S6"), (1, "S3")]
    unfinished = read_one(GAME_TEXT.replace("HK $1 H9 H8 H4\n*", "- - SK SA +")).plays
    assert [(e.seat, deck_name(e)) for e in unfinished[4:]] == [(2, "SK"), (3, "SA")]


def deck_name(event: Event) -> str:
    return GAME.layout.deck[event.action.cards[0]].name


def test_partial_records() -> None:
    bare = read_one(f'[Deal "{DEAL}"]\n')
    assert (bare.contract, bare.before, bare.passed, bare.board) == (None, None, False, 0)
    assert read_one(f'[Deal "{DEAL}"]\n[Contract "?"]\n[Declarer ""]\n').passed is False
    passed = read_one(f'[Board "2"]\n[Deal "{DEAL}"]\n[Contract "Pass"]\n')
    assert (passed.passed, passed.board, RECORDS.verify(passed)) == (True, 1, [])
    said = read_one(f'[Deal "{DEAL}"]\n[Auction "N"]\nAP\n')
    assert (said.passed, len(said.before or ()), said.contract) == (True, 4, None)
    unfinished = read_one(f'[Deal "{DEAL}"]\n[Auction "N"]\n1H Pass +\n')
    assert (unfinished.passed, len(unfinished.before or ()), unfinished.contract) == (False, 2, None)
    closed = read_one(f'[Deal "{DEAL}"]\n[Auction "N"]\n1H Pass Pass Pass\n')
    assert str(closed.contract) == "N:1H"
    told = read_one(f'[Deal "{DEAL}"]\n[Contract "4H"]\n[Declarer "N"]\n[Auction "N"]\n1H *\n')
    assert (str(told.contract), told.before) == ("N:4H", None)
    for record in (bare, passed, said, unfinished, closed, told):
        assert plain(read_one(PBN.dumps([record]))) == plain(record)


def test_three_hands_tell_the_fourth() -> None:
    head, *hands = DEAL.split(" ")
    assert read_deal(f"{head} - {hands[1]} {hands[2]}", "Deal") == read_deal(DEAL, "Deal")
    rotated = f"E:{hands[0]} {hands[1]} {hands[2]} {head[2:]}"
    assert read_deal(rotated, "Deal") == read_deal(DEAL, "Deal")


@pytest.mark.parametrize(
    ("dealer", "vulnerable", "board"),
    [
        ("N", "None", 0),
        ("N", "Love", 0),
        ("N", "All", 12),
        ("E", "Both", 9),
        ("S", "EW", 2),
        ("W", "-", 7),
        ("W", "EW", 15),
    ],
)
def test_dealer_and_vulnerability_decide_the_board(dealer: str, vulnerable: str, board: int) -> None:
    tags = f'[Deal "{DEAL}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vulnerable}"]\n'
    assert read_one(tags).board == board
    assert read_one(tags + f'[Board "{board + 17}"]\n').board == board + 16
    odd = read_one(tags + f'[Board "{board + 2}"]\n')
    assert (odd.board, odd.id) == (board, str(board + 2))
    assert plain(read_one(PBN.dumps([odd]))) == plain(odd)


def test_values_are_inherited() -> None:
    text = f"""[Event "##Cup"]
[Board "1"]
[North "Nora"]
[Deal "{DEAL}"]

[Board "2"]
[North "#"]
[Deal "#"]
[Board "3"]
[North "#"]
[Event "Other"]
[Deal "#"]
"""
    records = PBN.loads(text)
    assert [r.id for r in records] == ["1", "2", "3"]  # also without the blank line
    assert {r.players[0] for r in records} == {"Nora"}
    assert len({r.deal for r in records}) == 1
    assert [r.notes["tags"]["Event"] for r in records] == ["Cup", "Cup", "Other"]


def test_the_table_of_tricks_is_read_and_written() -> None:
    record = next(iter(read(SAMPLE)))
    text = PBN.dumps([record])
    assert r'[OptimumResultTable "Declarer;Denomination\2R;Result\2R"]' in text
    assert plain(read_one(text)) == plain(record)
    assert read_one(text).result["table"]["NT"] == {"N": 6, "E": 6, "S": 6, "W": 6}


@pytest.mark.parametrize(
    ("change", "line", "field"),
    [
        (("[Contract \"2SX\"]", "[Contract \"8S\"]"), 15, "Contract"),
        (("[Declarer \"W\"]", "[Declarer \"Q\"]"), 14, "Declarer"),
        (("[Declarer \"W\"]", "[Declarer \"?\"]"), 15, "Declarer"),
        (("[Dealer \"N\"]", "[Dealer \"NN\"]"), 10, "Dealer"),
        (("[Vulnerable \"None\"]", "[Vulnerable \"some\"]"), 11, "Vulnerable"),
        (("QJ6.K652", "QJ6.K65"), 12, "Deal"),
        (("QJ6.K652", "QQ6.K652"), 12, "Deal"),
        (("QJ6.K652", "Q16.K652"), 12, "Deal"),
        (("Pass Pass 1C", "Pass Pass 8C"), 23, "Auction"),
        (("[Auction \"N\"]", "[Auction \"E\"]"), 22, "Auction"),
        (("CT C4 CA CJ", "CT C4 XX CJ"), 28, "Play"),
        (("CT C4 CA CJ", "CT C4 - CJ"), 28, "Play"),
        (("[Score \"NS 300\"]", "[Score \"NS 300 EW 300\"]"), 17, "Score"),
    ],
)  # fmt: skip
def test_a_fault_is_found_by_file_line_and_field(change: tuple[str, str], line: int, field: str) -> None:
    text = GAME_TEXT.replace(*change)
    assert text != GAME_TEXT
    stream = io.StringIO(text + "\n" + GAME_TEXT)
    stream.name = "club.pbn"
    errors: list[InputError] = []
    good = list(read(stream, "bridge", "pbn", on_error=errors.append))
    (error,) = errors
    assert (error.file, error.line, error.field) == ("club.pbn", line, field), str(error)
    assert len(good) == 1  # a broken game costs only itself


@pytest.mark.parametrize(
    "text",
    [
        '[Board "1"]\n',
        f'[Deal "{DEAL}"]\n[Play "N"]\nCT C4 CA CJ\n',
        "hello\n",
        '[Deal "#"]\n',
        "[Deal x]\n",
        '{\n[Deal ""]\n',
    ],
)
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        PBN.loads(text)


def test_hidden_hands_are_the_record_s_own_fault() -> None:
    with pytest.raises(RecordFault, match="E and W are hidden"):
        read_one('[Deal "N:QJ6.K652.J85.T98 - K5.T83.KQ9.A7652 -"]\n')


# -- verify -----------------------------------------------------------------------------------------------------------


def comparison(tmp_path: Path, text: str) -> Any:
    path = tmp_path / "one.pbn"
    path.write_text(text)
    (found,) = verify(path, GAME)
    return found


def test_records_are_verified(tmp_path: Path) -> None:
    whole = GAME_TEXT.replace("HK $1 H9 H8 H4\n", "")
    found = comparison(tmp_path, whole)
    assert found.status == AGREE, found.reason  # two down doubled, not vulnerable
    assert "points" in comparison(tmp_path, whole.replace("NS 300", "NS 500")).reason
    assert "contract" in comparison(tmp_path, whole.replace("2SX", "2S")).reason
    assert "not in the hand" in comparison(tmp_path, GAME_TEXT.replace("H4\n", "HQ\n").replace("H8", "H4")).reason
    assert "cannot" in comparison(tmp_path, GAME_TEXT.replace("HK $1", "D8 $1")).reason  # North holds hearts
    assert comparison(tmp_path, whole.replace('[Result "6"]', '[Result "?"]')).status == "refused"


# -- round trips ------------------------------------------------------------------------------------------------------


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """Games at random: passed in, claimed early, without auction, only a deal."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    board = draw(st.integers(0, 40))
    table = Table.start(GAME, random_deal(rng), board)
    while table.phase is not None and table.phase.name == "auction":
        calls = table.legal()
        table.apply(PASS if rng.random() < 0.6 else rng.choice(calls[-4:] + calls[1:4]))
    while not table.over:
        table.apply(play(rng.choice(table.tricks.legal())))
    names = st.text(st.characters(exclude_categories=("C", "Z")), max_size=8).filter(lambda n: n not in ("?", "-"))
    record = record_of(table, str(board + 1))
    result = {key: record.result[key] for key in ("tricks", "points") if key in record.result}
    if record.passed:
        result["passed"] = True
    players = tuple(draw(st.tuples(*[names.filter(lambda n: n[:1] != "#")] * 4)))
    record = evolve(record, players=players if any(players) else (), result=result)
    kind = draw(st.sampled_from(["whole", "claimed", "no auction", "deal"]))
    if kind == "claimed":
        record = evolve(record, plays=record.plays[: draw(st.integers(0, 52))])
    elif kind == "no auction":
        record = evolve(record, before=None)
    elif kind == "deal":
        record = evolve(record, before=None, contract=None, plays=(), result={})
    return record


@given(st.lists(records(), min_size=1, max_size=3), st.sampled_from(["pbn", "jsonl"]))
def test_pbn_keeps_what_was_played(found: list[GameRecord], way: str) -> None:
    again = PBN.loads(PBN.dumps(get_format(way).loads(get_format(way).dumps(found))))
    assert [plain(record) for record in again] == found
    for record in again:
        if record.contract is not None or record.before is not None:
            assert RECORDS.verify(record) == []


@given(st.integers(0, 10**6), st.integers(0, 3))
def test_deals_are_read_as_they_are_written(seed: int, first: int) -> None:
    deal = random_deal(random.Random(seed))
    assert read_deal(deal_text(deal, first), "Deal") == deal


@given(st.text(alphabet='[]"{};%\n NSEWDealPlayAuction:.AKQJT98-*+1#', max_size=120))
def test_nonsense_is_refused_not_a_fault_of_ours(text: str) -> None:
    errors: list[InputError] = []
    list(read(io.StringIO(text), "bridge", "pbn", on_error=errors.append))
    list(read(io.StringIO(text), "bridge", "dds", on_error=errors.append))
    assert not [error for error in errors if "cannot be read (" in error.reason]


# -- the list of DDS --------------------------------------------------------------------------------------------------


def test_the_sample_is_read() -> None:
    found = list(read(SAMPLE, strict=True))
    assert [r.id for r in found] == [str(n) for n in range(1, 11)]
    first = found[0]
    assert (first.contract, first.before, first.passed) == (None, None, False)
    assert (first.notes["strain"], first.notes["leader"], first.board) == ("S", "N", 0)
    assert first.result["table"]["S"] == {"N": 5, "E": 8, "S": 5, "W": 8}
    assert first.result["leads"]["H5"] == 4  # equal to the six
    assert len(first.result["leads"]) == 13
    assert len(first.result["trace"]) == len(first.plays) + 1
    assert all(v.status == AGREE for v in verify(SAMPLE, GAME))


@pytest.mark.parametrize("way", ["pbn", "jsonl", "dds"])
def test_the_list_comes_back_as_it_was(way: str) -> None:
    form = get_format(way)
    assert DDS.dumps(form.loads(form.dumps(read(SAMPLE, strict=True)))) == SAMPLE.read_text()


def test_the_list_needs_a_strain() -> None:
    bare = GameRecord("bridge", "1", random_deal(random.Random(1)))
    with pytest.raises(InputError, match="strain"):
        DDS.dumps([bare])
    with_contract = evolve(bare, contract=GAME.contract("S:3NT"))
    (again,) = DDS.loads(DDS.dumps([with_contract]))
    assert (again.notes, again.deal) == ({"strain": "NT", "leader": "W"}, bare.deal)


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("PBN 0 0 0 0", "PBN 0 0 0 4", 2, "PBN first"),
        ("PBN 0 0 0 0", "PBN 0 9 0 0", 2, "PBN vul"),
        ("PBN 0 0 0 0", "PBN 0 0 0", 2, "PBN"),
        ("QJ6.K652", "QJ6.K65", 2, "PBN deal"),
        ("FUT 9", "FUT 8", 3, "FUT"),
        ("TABLE 5 8", "TABLE 8", 4, "TABLE"),
        ("TABLE 5 8", "TABLE 5 18", 4, "TABLE"),
        ("PLAY 45", "PLAY 44", 7, "PLAY"),
        ("CTC4", "CTC5", 7, "PLAY"),
        ("TRACE 46", "TRACE 47", 8, "TRACE"),
        ("TABLE 5", "STABLE 5", 4, "STABLE"),
        ("NUMBER 10", "NUMBER 11", 71, "NUMBER"),
    ],
)
def test_a_fault_in_the_list(old: str, new: str, line: int, field: str) -> None:
    errors: list[InputError] = []
    text = SAMPLE.read_text().replace(old, new, 1)
    good = list(read(io.StringIO(text), "bridge", "dds", on_error=errors.append))
    (error,) = errors
    assert (error.line, error.field) == (line, field), str(error)
    assert len(good) == (10 if field == "NUMBER" else 9)


def test_an_illegal_card_is_found_by_verify() -> None:
    """West discards on the first club, although he holds clubs."""
    record = next(iter(read(SAMPLE)))
    wrong = evolve(
        record, plays=(*record.plays[:3], Event(3, Action("play", cards=(GAME.layout.deck.card("SA").index,))))
    )
    with pytest.raises(ValueError, match="not allowed"):
        RECORDS.verify(wrong)


def test_names_of_bids_and_strains_are_the_standard_ones() -> None:
    assert (BIDS[0].value, BIDS[-1].value, len(BIDS)) == ("1C", "7NT", 35)
    assert SEAT_NAMES == "NESW"
    assert TABLE_STRAINS == ("S", "H", "D", "C", "NT")
