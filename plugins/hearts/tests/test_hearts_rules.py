"""The rules of hearts one by one, by hands dealt for them, and the rule player."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from tricktake_hearts.game import HEARTS, LAYOUT, HeartsGame
from tricktake_hearts.rule import Rule

from tricktake.action import Action, play
from tricktake.deal import Deal, deal
from tricktake.errors import IllegalAction
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy


def suits_deal(order: str = "SHDC") -> Deal:
    """A whole suit for each seat."""
    return Deal(LAYOUT, tuple(HEARTS.of_suit_mask(suit) for suit in order))


def table_of(text: str, **options: bool) -> Table:
    return Table.start(HeartsGame(pass_cards=False, **options), Deal.from_text(LAYOUT, text))


def run(table: Table, cards: str) -> None:
    for name in cards.split():
        table.apply(play(HEARTS.card(name).index))


def lowest_always(table: Table) -> Table:
    while not table.over:
        table.apply(table.legal()[0])
    return table


def names(table: Table) -> set[str]:
    return {HEARTS[action.cards[0]].name for action in table.legal()}


MIXED = (
    "C2 C5 C9 D2 D5 D9 DK S2 S5 S9 SK H2 H6"
    "| C3 C6 CT D3 D6 DT DA S3 S6 ST SA H3 H7"
    "| C4 C7 CJ D4 D7 DJ CQ S4 S7 SJ CK H4 H8"
    "| H5 H9 HT HJ HQ HK HA SQ S8 D8 DQ C8 CA"
)


def test_the_two_of_clubs_leads() -> None:
    table = table_of(MIXED)
    assert table.turn == 0
    assert names(table) == {"C2"}
    assert names(table_of(MIXED, can_lead_any_club=True)) == {"C2", "C5", "C9"}


def test_no_points_on_the_first_trick_if_avoidable() -> None:
    text = (
        "C2 C5 C9 D2 D5 D9 DK S2 S5 S9 SK H2 H6 | C3 C6 CT C8 D6 DT DA S3 S6 ST SA CA H7"
        "| C4 C7 CJ D4 D7 DJ CQ S4 S7 SJ CK H4 H8 | H5 H9 HT HJ HQ HK HA SQ S8 D8 DQ D3 H3"
    )
    table = table_of(text)
    run(table, "C2 C3 C4")
    assert names(table) == {"S8", "D8", "DQ", "D3"}
    free = table_of(text, no_pts_on_first_trick=False)
    run(free, "C2 C3 C4")
    assert {"SQ", "HA"} < names(free)


def test_who_holds_nothing_but_points_plays_points() -> None:
    table = table_of(
        "C2 C5 C9 D2 D5 D9 DK S2 S5 S9 SK CA D8 | C3 C6 CT C8 D6 DT DA S3 S6 ST SA D3 S8"
        "| C4 C7 CJ D4 D7 DJ CQ S4 S7 SJ CK DQ SQ | H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA"
    )
    run(table, "C2 C3 C4")
    assert len(names(table)) == 13
    run(table, "HA")
    assert table.tricks is not None
    assert table.tricks.broken


def test_hearts_are_not_led_before_they_are_broken() -> None:
    table = table_of(MIXED)
    run(table, "C2 C3 C4 CA")
    assert names(table) == {"SQ", "S8", "D8", "DQ", "C8"}
    run(table, "SQ SK SA S4")  # the queen breaks hearts
    assert table.turn == 1
    assert {"H3", "H7"} < names(table)
    strict = table_of(MIXED, qs_breaks_hearts=False)
    run(strict, "C2 C3 C4 CA SQ SK SA S4")
    assert not names(strict) & {"H3", "H7"}
    loose = table_of(MIXED, must_break_hearts=False)
    run(loose, "C2 C3 C4 CA")
    assert "H5" in names(loose)
    with pytest.raises(IllegalAction):
        run(table_of(MIXED), "C2 C3 C4 CA H5")


def test_the_moon() -> None:
    """Who takes all thirteen hearts and the queen takes nothing, and everybody else 26."""
    table = lowest_always(table_of(suits_text("CHDS")))
    score = table.score()
    assert score.detail["moon"] == 0  # clubs take every trick: nobody can follow
    assert score.points == (0, -26, -26, -26)
    assert score.detail["tricks"] == (13, 0, 0, 0)


def test_the_moon_with_the_jack() -> None:
    """The jack's ten are taken off besides; and a moon leaves no bonus for avoiding tricks."""
    score = lowest_always(table_of(suits_text("CHDS"), jd_bonus=True)).score()
    assert score.points == (10, -26, -26, -26)
    score = lowest_always(table_of(suits_text("CHDS"), avoid_all_tricks_bonus=True)).score()
    assert score.points == (0, -26, -26, -26)


def suits_text(order: str) -> str:
    return suits_deal(order).to_text()


@pytest.mark.parametrize(("jack", "bonus"), [(False, False), (True, False), (False, True), (True, True)])
def test_points_add_up(jack: bool, bonus: bool) -> None:
    game = HeartsGame(pass_cards=False, jd_bonus=jack, avoid_all_tricks_bonus=bonus)
    for number in range(10):
        score = lowest_always(Table.start(game, deal(LAYOUT, 1, number))).score()
        assert score.detail["moon"] is None
        avoided = score.detail["tricks"].count(0)
        assert sum(score.points) == -26 + 10 * jack + 5 * bonus * avoided


@pytest.mark.parametrize(("board", "giver"), [(0, 3), (1, 1), (2, 2)])
def test_passing(board: int, giver: int) -> None:
    """To the left, to the right, across: ``giver`` is who passes to seat 0."""
    table = Table.start(HeartsGame(), suits_deal("SHDC"), board)
    passed = []
    for _ in range(4):
        passed.append(table.legal()[-1].mask)
        table.apply(table.legal()[-1])
    assert table.places[0] & passed[giver] == passed[giver]
    assert table.places[0] & passed[0] == 0
    taker = next(seat for seat in range(4) if table.places[seat] & passed[0])
    assert table.view(0).known[taker] == passed[0]  # one knows where one's own cards went


def test_the_fourth_board_passes_nothing() -> None:
    assert Table.start(HeartsGame(), suits_deal("SHDC"), 3).tricks is not None


def test_nobody_is_told_what_others_pass() -> None:
    table = Table.start(HeartsGame(), suits_deal("SHDC"), 0)
    table.apply(table.legal()[0])
    (event,) = table.view(1).events
    assert event.action == Action("pass", hidden=3)


@pytest.mark.parametrize("option", ["jd_bonus", "can_lead_any_club", "can_lead_hearts_instead_of_qs"])
def test_conformance_with_options(option: str) -> None:
    check_game(HeartsGame(**{option: True}), deals=3).require()


# -- the rule player -------------------------------------------------------------------------------------------------


def decide(table: Table) -> tuple[str, str]:
    view = table.view(table.turn)
    decision = Rule().decide(view, Limit(), np.random.default_rng(0))
    return decision.action.to_text(HEARTS), decision.reason


def test_the_rule_player_conforms() -> None:
    assert "hearts:rule" in manager().strategies.names()
    check_strategy(Rule(), HeartsGame(), deals=4).require()


def test_it_passes_the_unguarded_queen_and_keeps_the_guarded_one() -> None:
    bare = "SQ SA S2 H2 H3 H4 D2 D3 D4 D5 C3 C4 C5"
    guarded = "SQ S2 S3 S4 S5 H2 HA HK D2 D3 D4 C3 C4"
    rest = [card.name for card in HEARTS]
    for hand, text in ((bare, "SA SQ"), (guarded, "")):
        left = [name for name in rest if name not in hand.split()]
        others = " | ".join(" ".join(left[i : i + 13]) for i in (0, 13, 26))
        action, _ = decide(Table.start(HeartsGame(), Deal.from_text(LAYOUT, f"{hand} | {others}")))
        cards = action.split()[1:]
        assert set(text.split()) <= set(cards)
        assert ("SQ" in cards) == bool(text)


def test_it_ducks_and_gives_the_queen_away() -> None:
    table = table_of(MIXED)
    run(table, "C2")
    assert decide(table)[0] == "play C3"  # must win; somebody may beat it
    run(table, "C3 C4 CA D8 DK DA D4")
    assert table.turn == 1
    run(table, "SA S4")
    assert decide(table)[0] == "play SQ"
    assert "queen" in decide(table)[1]


def test_it_plays_nothing_else() -> None:
    view = Table.start(HeartsGame(), suits_deal("SHDC"), 0).view(0)
    with pytest.raises(ValueError, match="plays hearts, not whist"):
        Rule().decide(evolve(view, game="whist"), Limit(), np.random.default_rng(0))
