"""Wizard: hands worked out by the rules of the game (K. Fisher; Amigo's booklet), and a slow twin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.oh_hell import Exact
from tricktake_parlour.players.wizard import Bidder
from tricktake_parlour.wizard import DECK, Wizard

from plugins.parlour.tests.parlour_tables import Twin, play_along, scripted
from tricktake.deal import Deal
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy


def hands(text: str, turned: str) -> str:
    """The deal of these hands and this card turned up."""
    dealt = text.replace("|", " ").split()
    rest = " ".join(card.name for card in DECK if card.name not in [*dealt, turned])
    return f"{text} | {turned} | {rest}"


@pytest.mark.parametrize(
    ("cards", "turned", "tricks", "winners"),
    [
        # The first wizard wins, even over a trump ace and a later wizard.
        ("CA | W1 | W2", "H2", 1, (1,)),
        # A jester loses to a two; the suit led is that of the two, the ace of another suit does not count.
        ("J1 | C2 | DA", "H2", 1, (1,)),
        # Only jesters: the first wins.
        ("J3 | J1 | J2", "H2", 1, (0,)),
        # A trump beats the ace led; a jester turned up means that there are no trumps.
        ("CA | H3 | C5", "H2", 1, (1,)),
        ("CA | H3 | C5", "J1", 1, (0,)),
        # A jester led, then a wizard.
        ("J1 | HA | W1", "H2", 1, (2,)),
    ],
)
def test_tricks(cards: str, turned: str, tricks: int, winners: tuple[int, ...]) -> None:
    table = scripted(Wizard(3, tricks), hands(cards, turned), "0", "0", "0")
    assert table.tricks is not None
    assert tuple(trick.winner for trick in table.tricks.tricks) == winners


def test_what_may_be_played() -> None:
    """Suit must be followed, but wizards and jesters may always be played; after a wizard anything."""
    text = hands("CA J1 W1 | C2 D3 W2 | CK D5 J2", "H2")
    for led, second, third in (
        ("CA", {"C2", "W2"}, {"CK", "J2"}),
        ("W1", {"C2", "D3", "W2"}, {"CK", "D5", "J2"}),
        ("J1", {"C2", "D3", "W2"}, {"CK", "J2"}),
    ):
        table = Table.start(Wizard(3, 3), Deal.from_text(Wizard(3, 3).layout, text))
        for action in ("0", "0", "0", led):
            table.apply(table.game.parse(action, table))
        assert {DECK[action.cards[0]].name for action in table.legal()} == second
        table.apply(table.game.parse("C2", table))
        assert {DECK[action.cards[0]].name for action in table.legal()} == third


@pytest.mark.parametrize(
    ("bids", "points"),
    [(("2", "0", "0"), (40, 20, 20)), (("0", "1", "2"), (-20, -10, -20)), (("1", "0", "1"), (-10, 20, -10))],
)
def test_scores(bids: tuple[str, ...], points: tuple[int, ...]) -> None:
    text = hands("W1 W2 | CA DA | CK DK", "H2")
    table = scripted(Wizard(3, 2), text, *bids)
    assert table.score().points == points


def test_a_wizard_turned_up_lets_the_dealer_name_trumps() -> None:
    game = Wizard(3, 1)
    table = Table.start(game, Deal.from_text(game.layout, hands("CA | D3 | D5", "W4")))
    assert (table.turn, table.view(2).phase) == (2, "trumps")
    for action in ("name:D", "0", "0", "0"):
        table.apply(game.parse(action, table))
    assert str(table.contract) == "D:0,0,0"
    assert table.turn == 0


def test_without_a_card_left_there_are_no_trumps() -> None:
    game = Wizard(6, 10)
    table = Table.start(game, Deal.from_cards(game.layout, range(60)))
    for _ in range(6):
        table.apply(game.parse("2", table))
    assert str(table.contract) == "none:2,2,2,2,2,2"
    hooked = Wizard(3, 2, hook=True)
    table = Table.start(hooked, Deal.from_text(hooked.layout, hands("W1 W2 | CA DA | CK DK", "H2")))
    for bid in ("1", "0"):
        table.apply(hooked.parse(bid, table))
    assert [action.value for action in table.legal()] == ["0", "2"]


class WizardTwin(Twin):
    """As the booklet says it."""

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        real = [card for card in self.table if card[0] != "J"]
        if not real or real[0][0] == "W":
            return hand
        same = [card for card in hand if card[0] == real[0][0]]
        return same + [card for card in hand if card[0] in "WJ"] if same else hand

    def winner(self) -> int:
        for place, card in enumerate(self.table):
            if card[0] == "W":
                return place
        real = [card for card in self.table if card[0] != "J"]
        if not real:
            return 0
        trumps = [card for card in real if card[0] == self.trump]
        return self.table.index(max(trumps or [c for c in real if c[0] == real[0][0]], key=self.rank))


@given(st.integers(0, 1 << 30), st.integers(3, 6), st.integers(1, 10))
def test_a_slow_twin_agrees(number: int, players: int, tricks: int) -> None:
    table, twin = play_along(
        Wizard(players, tricks), number, lambda table, hands: WizardTwin(hands, 0, str(table.contract).split(":")[0])
    )
    assert twin is not None
    trump, _, bids = str(table.contract).partition(":")
    if players * tricks < 60:
        turned = str(table.deal.place("turned"))[0]
        assert trump == {"J": "none", "W": trump}.get(turned, turned)
    expected = []
    for seat, bid in enumerate(map(int, bids.split(","))):
        won = twin.won(seat)
        expected.append(20 + 10 * bid if won == bid else -10 * max(won - bid, bid - won))
    assert table.score().points == tuple(expected)


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert Wizard(3, 4).contract("none:1,0,4") == Exact((1, 0, 4), "none")
    with pytest.raises(ValueError, match="a bid of each seat"):
        Wizard(3, 4).contract("W:1,0,4")
    with pytest.raises(ValueError, match="60 cards"):
        Wizard(6, 11)


def test_conformance() -> None:
    check_game(Wizard(3, 2), deals=12).require()
    check_game(Wizard(5, 5, hook=True), deals=1).require()
    check_strategy(Bidder(), Wizard(3, 2), deals=12).require()


def test_the_bidder_counts_wizards() -> None:
    table = Table.start(
        Wizard(3, 3), Deal.from_text(Wizard(3, 3).layout, hands("W1 W2 J1 | C2 D3 D4 | C5 C6 C7", "H2"))
    )
    assert Bidder().choose(table.view(0)).action.value == "2"
