"""Tables for the tests of Skat."""

from __future__ import annotations

import random
from collections.abc import Callable

from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import LAYOUT
from tricktake_skat.game import SkatGame

from tricktake.action import Action
from tricktake.deal import Deal
from tricktake.table import Table

GAME = SkatGame()


def deal_of(text: str) -> Deal:
    return Deal.from_text(LAYOUT, text)


def random_deal(rng: random.Random) -> Deal:
    return Deal.from_cards(LAYOUT, rng.sample(range(32), 32))


def act(table: Table, *actions: str) -> Table:
    """Apply actions written as text, ``seat:`` in front naming who interrupts: ``"1:concede"``."""
    for text in actions:
        seat, colon, rest = text.partition(":")
        if colon and seat.isdigit():
            table.apply(Action.from_text(rest, LAYOUT.deck), int(seat))
        else:
            table.apply(GAME.parse(text, table))
    return table


def at_contract(deal: Deal, contract: str) -> Table:
    """The play of ``contract``, the deal lying as it is after the exchange."""
    return Table.at_contract(GAME, deal, SkatContract.from_text(contract))


def play_out(table: Table, choose: Callable[[list[int]], int] = min) -> Table:
    """Play to the end, each card chosen from the legal ones."""
    while table.turn is not None:
        assert table.tricks is not None
        table.apply(Action("play", cards=(choose(table.tricks.legal()),)))
    return table


# Forehand has the four jacks and six clubs, middlehand all spades and three hearts, rearhand the rest.
CLUBS = deal_of("CJ SJ HJ DJ CA CT CK CQ C9 C8 | SA ST SK SQ S9 S8 S7 HA HT HK | HQ H9 H8 H7 DA DT DK DQ D9 D8 | C7 D7")
