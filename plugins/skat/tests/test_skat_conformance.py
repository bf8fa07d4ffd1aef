"""The checks every game must pass."""

from __future__ import annotations

from tricktake_skat.deck import SKAT, SKAT_PLACE
from tricktake_skat.game import SkatGame

from plugins.skat.tests.skat_tables import GAME
from tricktake.action import Action
from tricktake.deal import Deal, deal
from tricktake.table import Table
from tricktake.testing import check_game


def test_skat_passes_the_checks_of_a_game() -> None:
    check_game(GAME, deals=20).require()


def test_the_declarer_knows_which_cards_were_the_skat() -> None:
    """Also after the discard, and where a record starts at its contract; nobody else learns it."""
    game = SkatGame()
    for number in range(3):
        table = Table.start(game, deal(game.layout, 5, number))
        for text in ("bid:18", "pass", "pass", "take"):
            table.apply(Action.from_text(text, SKAT))
        skat = table.deal.masks[SKAT_PLACE]
        assert table.view(1).picked_up == skat
        table.apply(table.legal()[0])
        table.apply(Action("declare", "G"))
        assert [table.view(seat).picked_up for seat in range(3)] == [0, skat, 0]
        assert table.contract is not None
        later = Table.at_contract(game, table.deal, table.contract, Deal(game.layout, tuple(table.places)))
        assert later.view(1).picked_up == skat
