"""Whole games worked out by hand with the tournament rules (Turnierspielregeln) of the DDV, sections 6 and 7."""

from __future__ import annotations

from pathlib import Path

import pytest
from tricktake_doppelkopf.contract import RESERVED, DoppelkopfContract
from tricktake_doppelkopf.game import DoppelkopfGame
from tricktake_doppelkopf.pack import pack
from tricktake_doppelkopf.phases import ANNOUNCED
from tricktake_doppelkopf.rules import play_rules
from tricktake_doppelkopf.scoring import game_points, winner

from tricktake.action import play
from tricktake.deal import Deal
from tricktake.errors import IllegalAction, InputError
from tricktake.game import find_game
from tricktake.learning import selfplay
from tricktake.records.formats import read, write
from tricktake.records.recording import Recording
from tricktake.table import Table

GAME = DoppelkopfGame()
DECK = GAME.layout.deck

# The cards of each trick in the order of play, and who leads. Seats 0 and 2 hold a queen of clubs each.
NORMAL = """
0 CK C9 CK' C9'
0 SA SK S9 SK'
0 CQ HT DA DT
1 CA' CT CT' CA
1 HA HK HA' HK'
1 SQ DK HT' D9
3 S9' SA' ST ST'
0 SQ' DA' CQ' D9'
2 HQ DQ HQ' DQ'
2 SJ DT' SJ' DJ
2 HJ HJ' DK' DJ'
2 H9 CJ H9' CJ'
"""
# The same with both in the hand of seat 0, which keeps the lead longer.
BOTH = """
0 CK C9 CK' C9'
0 SA SK S9 SK'
0 CQ HT DA DT
1 CA' CT CT' CA
1 HA HK HA' HK'
1 SQ DK HT' D9
3 S9' SA' ST ST'
0 CQ' DA' SQ' D9'
0 HQ' DQ' HQ DQ
0 SJ' DJ SJ DT'
0 DK' DJ' HJ HJ'
2 H9 CJ H9' CJ'
"""


def deal_of(tricks: str) -> Deal:
    hands = [0] * 4
    for line in tricks.strip().splitlines():
        leader, *cards = line.split()
        for k, name in enumerate(cards):
            hands[(int(leader) + k) % 4] |= DECK.card(name).mask
    return Deal(GAME.layout, tuple(hands))


def started(tricks: str, *said: str) -> Table:
    """A table before the first trick; ``said`` by the seats in turn, healthy if nothing is left to say."""
    table = Table.start(GAME, deal_of(tricks))
    for text in said:
        table.apply(GAME.parse(text, table))
    while table.tricks is None:
        table.apply(GAME.parse("healthy", table))
    return table


def announce(table: Table, seat: int, text: str) -> None:
    (found,) = (a for a in table.view(seat).interruptions if a.to_text(DECK) == text)
    table.apply(found, seat)


def play_tricks(table: Table, tricks: str, first: int = 0, last: int = 12) -> None:
    for line in tricks.strip().splitlines()[first:last]:
        leader, *cards = line.split()
        assert table.turn == int(leader), line
        for name in cards:
            table.apply(play(DECK.card(name).index))


def points_for(table: Table) -> dict[str, int]:
    out: dict[str, int] = {}
    for text in table.score().detail["points_for"]:
        what, n = text.split(": ")
        out[what] = out.get(what, 0) + int(n)
    return out


def test_a_normal_game() -> None:
    table = started(NORMAL)
    play_tricks(table, NORMAL)
    score = table.score()
    assert score.detail["re"] == (0, 2)
    assert score.detail["eyes"] == (113, 127)
    assert score.won is None  # no declarer
    assert score.detail["winner"] == "kontra"
    # each side caught a fox
    assert points_for(table) == {"won": -1, "against the old ladies": -1, "doppelkopf": -1, "fox": 0, "charlie": -1}
    assert score.points == (-4, 4, -4, 4)


def test_announcements_add_points() -> None:
    table = started(NORMAL)
    announce(table, 0, "re")
    announce(table, 3, "kontra")
    play_tricks(table, NORMAL)
    assert table.score().points == (-8, 8, -8, 8)


def test_an_announcement_that_fails() -> None:
    """127 eyes are 120 against no 90."""
    table = started(NORMAL)
    announce(table, 0, "re")
    announce(table, 2, "re:no90")
    assert [goal.n for goal in table.open_cards().rules.goals] == [151, 90]
    play_tricks(table, NORMAL)
    assert {"re": -2, "re no 90": -1, "120 against no 90": -1}.items() <= points_for(table).items()
    assert table.score().points == (-8, 8, -8, 8)


def test_deadlines_by_cards_in_the_hand() -> None:
    table = started(NORMAL)
    play_tricks(table, NORMAL, 0, 1)
    announce(table, 0, "re")  # 11 cards
    play_tricks(table, NORMAL, 1, 2)
    assert [[a.to_text(DECK) for a in table.view(s).interruptions] for s in range(4)] == [
        ["re:no90"],
        ["kontra"],
        ["re:no90"],
        ["kontra"],
    ]  # 10 cards: no 90, and one less than Re took for a reply
    announce(table, 0, "re:no90")
    play_tricks(table, NORMAL, 2, 3)  # 9 cards: no 60, and one less than no 90 took for a reply
    announce(table, 0, "re:no60")
    play_tricks(table, NORMAL, 3, 4)
    assert [a.to_text(DECK) for a in table.view(1).interruptions] == ["kontra"]
    announce(table, 1, "kontra")  # 8 cards
    assert not table.view(1).interruptions  # too late for no 90
    announce(table, 2, "re:no30")
    with pytest.raises(IllegalAction):
        table.apply(ANNOUNCED[0][0], 0)  # Re a second time
    play_tricks(table, NORMAL, 4, 6)
    assert not any(table.view(seat).interruptions for seat in range(4))  # black took 7 cards


def test_kontra_after_two_cards_is_too_late() -> None:
    table = started(NORMAL)
    play_tricks(table, NORMAL, 0, 2)
    assert not any(table.view(seat).interruptions for seat in range(4))


def test_a_wedding() -> None:
    """The third trick is the first a stranger takes: seat 1 is the partner."""
    table = started(BOTH, "reserve", "healthy", "healthy", "healthy", "declare:wedding")
    assert str(table.contract) == "0:wedding"
    assert table.view(3).known[0] == pack().queens
    play_tricks(table, BOTH, 0, 2)
    assert not any(table.view(seat).interruptions for seat in range(4))
    play_tricks(table, BOTH, 2, 3)
    announce(table, 1, "re")  # 9 cards: two less, by the trick that found the partner
    play_tricks(table, BOTH, 3)
    assert table.score().won is True
    assert table.score().detail["re"] == (0, 1)
    assert table.score().detail["eyes"] == (209, 31)
    expected = {"won": 1, "under 90": 1, "under 60": 1, "re": 2, "fox": 1, "doppelkopf": 1, "charlie": -1}
    assert points_for(table) == expected
    assert table.score().points == (6, 6, -6, -6)


def test_a_silent_solo() -> None:
    """Nobody knows that seat 0 plays alone; it counts threefold, without special points."""
    table = started(BOTH)
    assert str(table.contract) == "normal"
    own, other = table.view(0).rules, table.view(1).rules
    assert own is not None
    assert other is not None
    assert own.teams == (0, 1, 1, 1)
    assert other.teams == (-1, 1, -1, -1)
    play_tricks(table, BOTH)
    assert table.score().detail["eyes"] == (103, 137)
    assert table.score().points == (-3, 1, 1, 1)


def test_a_wedding_without_a_partner() -> None:
    """Seat 0 takes the first three tricks and goes on alone."""
    line = BOTH.strip().splitlines()
    tricks = "\n".join([*line[:2], line[7], line[2], *line[3:7], *line[8:]])
    table = started(tricks, "reserve", "healthy", "healthy", "healthy", "declare:wedding")
    play_tricks(table, tricks, 0, 3)
    announce(table, 0, "re")
    play_tricks(table, tricks, 3)
    assert table.score().detail["re"] == (0,)
    assert table.score().points == (-9, 3, 3, 3)  # won, and Re


def test_a_solo_goes_before_a_wedding() -> None:
    table = Table.start(GAME, deal_of(BOTH))
    for text in ("reserve", "healthy", "reserve", "healthy", "declare:wedding", "declare:jacks"):
        table.apply(GAME.parse(text, table))
    assert str(table.contract) == "2:jacks"
    assert table.turn == 0
    assert table.tricks is not None
    assert table.tricks.rules.teams == (1, 1, 0, 1)


def test_a_meatless_solo_to_the_last_trick() -> None:
    mine = DECK.parse_mask("CA CA SA SA HA HA DA DA CT CT ST ST")
    rest = [c for c in range(48) if not mine >> c & 1]
    hands = [sum(1 << c for c in rest[k::3]) for k in range(3)]
    table = Table.start(GAME, Deal(GAME.layout, (mine, *hands)))
    for text in ("reserve", "healthy", "healthy", "healthy", "declare:meatless"):
        table.apply(GAME.parse(text, table))
    for text in ("re", "re:no90", "re:no60", "re:no30", "re:black"):
        announce(table, 0, text)
    while not table.over:
        table.apply(table.legal()[-1])  # aces before tens of a suit
    assert table.score().detail["tricks"] == (12, 0)
    assert table.score().points == (33, -11, -11, -11)


@pytest.mark.parametrize(
    ("eyes", "levels", "side", "total"),
    [
        ((120, 120), (-1, -1), 1, -1),
        ((121, 119), (-1, -1), 0, 1),
        ((120, 120), (-1, 0), 0, 3),  # only Kontra was announced
        ((120, 120), (0, 0), 1, -5),
        ((151, 89), (1, 0), 0, 1 + 1 + 2 + 2 + 1),
        ((150, 90), (1, 0), 1, -(1 + 2 + 2 + 1)),
        ((130, 110), (2, -1), 1, -(1 + 2 + 2 + 1)),  # 90 against no 60
        ((80, 160), (-1, 0), 1, -(1 + 2 + 1)),
        ((155, 85), (-1, 3), 0, 1 + 1 + 2 + 3 + 3),  # 120, 90 and 60 against no 30
        ((130, 110), (1, 1), None, 1),  # nobody won; Re has 120 against no 90
        ((240, 0), (-1, -1), 0, 4),  # under 90, 60 and 30, but not without a trick
    ],
)
def test_who_wins_and_what_it_is_worth(
    eyes: tuple[int, int], levels: tuple[int, int], side: int | None, total: int
) -> None:
    assert winner(eyes, (6, 6), levels) == side
    assert sum(n for _, n in game_points(eyes, (6, 6), levels)) == total


def test_black_is_counted_in_tricks() -> None:
    assert winner((240, 0), (11, 1), (4, -1)) == 1
    assert winner((240, 0), (12, 0), (4, -1)) == 0
    assert sum(n for _, n in game_points((240, 0), (12, 0), (4, -1))) == 1 + 4 + 2 + 4


def test_the_published_example() -> None:
    """baum24.net/Doppelkopf/Spielwert.php: Kontra announced and 160 eyes are 5; Re, no 90 and no 60 with 130 eyes 7;
    both with the point against the old ladies.
    """
    assert sum(n for _, n in game_points((80, 160), (6, 6), (-1, 0))) == -(5 - 1)
    assert sum(n for _, n in game_points((130, 110), (6, 6), (2, -1))) == -(7 - 1)


def test_the_tens_of_hearts() -> None:
    first, second = (DECK.card(name).index for name in ("HT", "HT'"))
    normal, meatless = DoppelkopfContract("normal"), DoppelkopfContract("meatless", 1)
    for tens, early, late in (("first", False, False), ("second", True, True), ("second-not-last", True, False)):
        game = find_game(f"doppelkopf(tens={tens})")
        assert isinstance(game, DoppelkopfGame)
        rules = play_rules(game.pack, normal, game.tens)
        assert (rules.beats(second, first), rules.beats(second, first, last=True)) == (early, late)
        queens = [DECK.card(name).index for name in ("CQ", "CQ'")]
        assert not rules.beats(queens[1], queens[0])
        assert not play_rules(game.pack, meatless, game.tens).beats(second, first)


def test_without_nines() -> None:
    game = find_game("doppelkopf(nines=false)")
    assert len(game.layout.deck) == 40
    assert game.layout.hand_sizes == (10,) * 4


def test_records_are_verified(tmp_path: Path) -> None:
    records = selfplay.records_of("doppelkopf", "bid=core:random,play=doppelkopf:rule(cards=core:random)", 5, 0, 8)
    assert any(event.action.verb in ("re", "kontra") for record in records for event in record.plays)
    write(records, tmp_path / "games.jsonl")
    for record in read(tmp_path / "games.jsonl", GAME):
        assert Recording.of(GAME).verify(record) == []


def test_contracts_read_back() -> None:
    for contract in (DoppelkopfContract("normal"), *(DoppelkopfContract(kind, 3) for kind in RESERVED)):
        assert GAME.contract(str(contract)) == contract
    for text in ("", "wedding", "0:normal", "4:queens", "x:queens", "1:grand"):
        with pytest.raises(InputError):
            GAME.contract(text)


def test_a_wedding_needs_both_queens() -> None:
    with pytest.raises(InputError, match="lacks a queen of clubs"):
        Table.at_contract(GAME, deal_of(NORMAL), DoppelkopfContract("wedding", 0))
    table = Table.at_contract(GAME, deal_of(BOTH), DoppelkopfContract("wedding", 0))
    assert table.view(2).known[0] == pack().queens
