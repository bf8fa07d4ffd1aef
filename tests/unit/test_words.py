"""What people are told that an action promises or means: in the words of the game, or of its phases."""

from __future__ import annotations

import random

import pytest

from tricktake.action import Action
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.phase import Phase
from tricktake.phases import Auction
from tricktake.table import Table
from tricktake.view import View

OWN = ("skat", "bridge", "schafkopf(doubling=true)", "doppelkopf")  # with words of their own
READY = ("spades", "oh_hell", "wizard", "euchre", "jass", "belote", "five_hundred", "pinochle", "tarok")


def spoken(name: str, deals: int) -> dict[str, tuple[Action, View]]:
    """What was said or could have been said without cards in some random games, by its text, and to whom."""
    game, rng = find_game(name), random.Random(name)
    found = {}
    for number in range(deals):
        table = Table.start(game, deal(game.layout, 5, number), number % game.boards)
        while not table.over:
            view = table.view(table.actor or 0)
            for action in (*view.legal, *view.interruptions):
                if not action.cards and not action.hidden:
                    found[action.to_text(game.layout.deck)] = action, view
            table.apply(rng.choice(view.legal))
    return found


@pytest.mark.parametrize("name", OWN)
def test_a_game_has_words_for_all_that_is_said(name: str) -> None:
    game, found = find_game(name), spoken(name, 12)
    assert len(found) > 8
    for text, (action, view) in found.items():
        (label, meaning), (german, bedeutung) = (game.said(action, view, language) for language in ("en", "de"))
        assert label, text
        assert german, text
        assert meaning, text
        assert bedeutung, text
        assert meaning != bedeutung, text
        assert game.said(action, view, "fr")[0] == label


@pytest.mark.parametrize("name", READY)
def test_ready_phases_say_what_they_mean(name: str) -> None:
    game, found = find_game(name), spoken(name, 3)
    known = [text for text, (action, view) in found.items() if game.said(action, view, "de")[1]]
    assert any(text.startswith(("bid:", "name:")) for text in known)
    for text in known:
        action, view = found[text]
        assert game.said(action, view, "en")[1] != game.said(action, view, "de")[1]


def test_contracts_have_names() -> None:
    for name, contract, english, german in (
        ("bridge", "S:3NTX", "3NT, doubled", "3SA im Kontra"),
        ("schafkopf", "0:ruf:G", "Called ace (ace of Leaves)", "Rufspiel (Gras-Sau)"),
        ("schafkopf", "3:farbwenz-tout:H", "Farbwenz Tout (Hearts)", "Farbwenz Tout (Herz)"),
        ("doppelkopf", "0:queens", "Queens solo", "Damensolo"),
    ):
        game = find_game(name)
        found = [game.called(game.contract(contract), language) for language in ("en", "de")]
        assert found == [english, german]


@pytest.mark.parametrize(
    ("calls", "asked", "facts"),
    [
        ("", "bid:1NT", "15 points or more, no short suit"),
        ("", "bid:1S", "12 points or more, 5 ♠ or more"),
        ("", "bid:2H", "6 points or more, 6 ♥ or more"),
        ("bid:1D", "double", "12 points or more, 3 ♠ or more, 3 ♥ or more, 3 ♣ or more, partner should name a suit"),
        ("bid:1H pass", "bid:2H", "6 points or more, 3 ♥ or more"),
        ("bid:7NT", "double", "they will not make it"),
    ],
)
def test_what_a_call_tells_the_natural_bidder(calls: str, asked: str, facts: str) -> None:
    """Before it is made, and of a partner or opponent who has made it."""
    game = find_game("bridge")
    table = Table.start(game, deal(game.layout, 1, 0))
    for call in calls.split():
        table.apply(game.parse(call, table))
    action = game.parse(asked, table)
    assert facts in game.said(action, table.view(table.actor or 0), "en")[1]
    table.apply(action)
    table.apply(game.parse("pass", table))
    assert facts in game.said(action, table.view(table.actor or 0), "en")[1]


def test_a_phase_adds_to_the_meanings_of_its_class() -> None:
    class Mine(Auction):
        meanings = {"en": {"bid": "mine"}}  # noqa: RUF012

    assert Mine.meaning(Action("bid", "1"), "en") == "mine"
    assert Mine.meaning(Action("pass"), "en") == Auction.meaning(Action("pass"), "en") != ""
    assert Mine.meaning(Action("bid", "1"), "de") == Auction.meaning(Action("bid", "1"), "de") != ""
    assert Phase.meaning(Action("bid"), "en") == Mine.meaning(Action("bow"), "en") == ""
