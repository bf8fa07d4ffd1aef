"""The reference pages name everything they are about, and what they say of the games is true."""

from __future__ import annotations

import re
from collections import defaultdict

import attrs
import pytest

from tests.conftest import ROOT
from tricktake import phases
from tricktake.action import Action, Event
from tricktake.cli.rulescard import example
from tricktake.deal import deal
from tricktake.game import Contract, Game, find_game
from tricktake.phase import Phase
from tricktake.plugins import manager
from tricktake.records.formats import Format
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake.view import View

WITH_OPTIONS = (
    "belote(bidding=coinche)",
    "hearts(can_lead_hearts_instead_of_qs=true)",
    "doppelkopf(tens=second-not-last)",
)


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """The cells of the rows of all tables."""
    lines = (line for line in text.splitlines() if line.startswith("| ") and not line.startswith("|---"))
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]


def named(text: str) -> set[str]:
    """What stands in the first column in code, without brackets and arguments."""
    return {word for cells in rows(text) for word in re.findall(r"`(\w+)[(`]", cells[0])}


def members(kind: type) -> set[str]:
    """The public methods, properties and class attributes a class defines, and what it is given when it is made."""
    own = {name for name in vars(kind) if not name.startswith("_")}
    return own | {name for name in getattr(kind, "__annotations__", {}) if not name.startswith("_")}


def test_every_field_of_the_rules_has_a_row() -> None:
    assert named(page("rules")) >= {field.name for field in attrs.fields(TrickRules)}


def test_the_rules_page_names_the_games_that_use_a_field() -> None:
    used = defaultdict(set)
    for name in (*manager().games.names(), *WITH_OPTIONS):
        game = find_game(name)
        for kind in game.kinds or ("*",):
            table = example(game, kind)
            assert table is not None
            rules = game.rules(table)
            for field in attrs.fields(TrickRules):
                value = getattr(rules, field.name)
                said = any(value) if field.name == "card_cost" else value != field.default
                if said and field.default is not attrs.NOTHING:
                    used[field.name].add(game.name)
    for field in attrs.fields(TrickRules):
        (cells,) = (cells for cells in rows(page("rules")) if cells[0] == f"`{field.name}`")
        told = set(filter(None, cells[3].split(", "))) if len(cells) == 4 else set()
        assert told == ({"all"} if field.default is attrs.NOTHING else used[field.name]), field.name


def test_every_phase_of_the_shelf_and_every_member_of_a_phase_has_a_row() -> None:
    shelf = {name for name in phases.__all__ if isinstance(getattr(phases, name), type)}
    assert named(page("phases")) >= shelf | (members(Phase) | {"table"})


@pytest.mark.parametrize(
    ("name", "kind"), [("table", Table), ("table", View), ("contracts", Contract), ("formats", Format)]
)
def test_every_member_has_a_row(name: str, kind: type) -> None:
    assert named(page(name)) >= members(kind)


def test_what_a_table_holds_has_a_row() -> None:
    game = find_game("whist")
    table = Table.start(game, deal(game.layout, 0, 0))
    assert named(page("table")) >= {name for name in vars(table) if not name.startswith("_")}


def test_the_texts_of_contracts_are_read() -> None:
    told = {
        cells[0]: re.findall(r"`(.*?)`", cells[1]) for cells in rows(page("contracts")) if cells[0] in manager().games
    }
    assert set(told) == {name for name in manager().games.names() if name != "hearts"}
    for name, texts in told.items():
        for text in texts:
            game: Game = find_game("belote(bidding=coinche)" if name == "belote" and text.count(":") > 1 else name)
            assert str(game.contract(text)) == text


def test_actions_are_written_as_the_pages_say() -> None:
    deck = find_game("skat").layout.deck
    assert Action("bid", "18").to_text(deck) == "bid:18"
    assert Event(0, Action("pass")).action.to_text(deck) == "pass"
