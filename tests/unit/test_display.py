"""How values are written: a repr that can be pasted back, and HTML for notebooks."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import tricktake.rules
from tests.toygame import ToyGame
from tricktake import html
from tricktake.action import Action, Event, play
from tricktake.bench import eyes_rules, hearts_rules
from tricktake.cards import Card, CardSet, Deck
from tricktake.deal import Deal, Layout, deal
from tricktake.game import Score
from tricktake.knowledge import Knowledge
from tricktake.records.record import GameRecord
from tricktake.rules import Aim, Goal, GoalKind, TrickRules
from tricktake.search.infoset import InfoSet
from tricktake.table import Table
from tricktake.tournament.replay import Replayed, Tally
from tricktake.trick import Trick, TrickState
from tricktake.view import View

PACK = Deck("CSHD", "789QKTAJ")
SKAT = Layout(PACK, (10, 10, 10), (("skat", 2),))
DEAL = deal(SKAT, 1, 1)
RECORD = GameRecord("toy", "g<1>", DEAL, players=("a", "b & c", "d"), plays=(Event(1, play(3)),), result={"won": True})
NAMES = {**vars(tricktake.rules), **{c.__name__: c for c in (
    Action, Aim, Card, CardSet, Deal, Deck, Event, GameRecord, Goal, Layout, Score, Trick
)}}  # fmt: skip

VALUES = [
    PACK,
    PACK[3],
    PACK.parse("CA H7"),
    SKAT,
    DEAL,
    eyes_rules(),
    hearts_rules(),
    Goal(GoalKind.AT_LEAST, 61),
    Action("discard", cards=(1, 2)),
    Event(1, play(3)),
    Trick(0, (1, 2, 3), 1, 14),
    Score((1, 2, 3)),
    RECORD,
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_repr_pastes_back(value: Any) -> None:
    assert eval(repr(value), NAMES) == value


class Tags(HTMLParser):
    """Checks that all tags are closed in order, and collects the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_cards_are_shown_with_coloured_suits() -> None:
    page = PACK.parse("CA C7 HT")._repr_html_()
    assert re.sub(r"\s", "", Tags(page).text) == "♣A7♥T"
    assert page.index("#222") < page.index("♣") < page.index("#c00") < page.index("♥")


def test_a_deal_shows_every_place() -> None:
    words = Tags(DEAL._repr_html_()).text
    assert "skat" in words
    assert sum(words.count(rank) for rank in "789QKTAJ") == 32


def test_a_game_shows_in_every_state() -> None:
    game = ToyGame()
    table = Table.start(game, deal(game.layout, 1, 1))
    while not table.over:
        view = table.view(table.actor if table.actor is not None else 0)
        assert f"seat {view.seat}" in Tags(view._repr_html_()).text
        assert game.name in Tags(table._repr_html_()).text
        table.apply(view.legal[0])
    assert "over" in Tags(table._repr_html_()).text


def test_results_are_tables() -> None:
    tally = Tally(ToyGame())
    tally.add(Replayed("a", "passed"))
    assert "passed1" in Tags(tally._repr_html_()).text


def test_everything_is_escaped() -> None:
    page = RECORD._repr_html_()
    assert "g&lt;1&gt;" in page
    assert "b &amp; c" in page
    assert "<1>" not in page
    table = html.table(("<b>",), [("<i>", "x")], title="<script>")
    assert Tags(table).text == "<script><b><i>"
    assert "<script>" not in table


def test_masks_and_sets_go_together() -> None:
    """Every public mask of cards has a set beside it, under the same name without ``_mask``."""
    seats = {"side_mask", "partners_mask"}  # masks over seats
    for kind in (Deck, Layout, Deal, TrickRules, TrickState, View, Knowledge, InfoSet, Table):
        masks = {name for name in dir(kind) if name.endswith("_mask") and not name.startswith("_")}
        for name in masks - seats - {"mask_of"}:
            assert callable(getattr(kind, name.removesuffix("_mask"), None)), (kind, name)


def test_sets_hold_the_cards_of_their_masks() -> None:
    state = TrickState(eyes_rules(), DEAL.hands)
    assert state.legal_cards() == CardSet(PACK, state.legal_cards_mask())
    assert state.hand(1).mask == state.hands[1] == DEAL.hand_mask(1)
    rules = state.rules
    assert rules.beaters(3).mask == rules.beaters_mask(3)
    assert rules.suit(1) == rules.same_suit(next(iter(rules.suit(1))).index)
    assert not rules.duty_suit()
    assert str(PACK.of_suit("C") & PACK.of_rank("A")) == "CA"
    game = ToyGame()
    table = Table.start(game, deal(game.layout, 1, 1))
    while table.tricks is None or not table.gone:
        table.apply(table.legal()[-1])
    view = table.view(table.turn)
    assert view.legal_cards().mask == view.legal_cards_mask()
    assert [held.mask for held in view.known_cards()] == list(view.known)
    assert view.gone_cards() in view.played_cards()
    assert not view.picked_up_cards()
    assert table.hand(view.seat) == table.place(str(view.seat)) == view.hand()
    info = InfoSet.from_view(view)
    assert info.choices() == view.legal_cards()
    knowledge = info.knowledge
    assert knowledge.may_hold(2).mask == knowledge.may_hold_mask(2)
    assert knowledge.surely(2).mask == knowledge.surely_mask(2)
