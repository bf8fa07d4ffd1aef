"""Spades: hands worked out by the rules at pagat.com (J. McLeod, Spades), a slow twin, and OpenSpiel in lock-step."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tricktake_parlour.players.spades import Bidder
from tricktake_parlour.spades import DECK, Bids, Spades

from plugins.parlour.tests.parlour_tables import Twin, names, play_along, run, scripted
from tricktake.action import play
from tricktake.deal import Deal
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

GAMES = 2000
ALL = "AKQJT98765432"
SUITS = " | ".join(run(suit, ALL) for suit in "CSHD")  # seat 1 takes all tricks


@pytest.mark.parametrize(
    ("bids", "points"),
    [
        (("4", "8", "3", "5"), (-70, 130)),  # 13 bid and made; seven set
        (("nil", "10", "3", "blind-nil"), (70, 303)),  # nil +100, 3 set -30; 10 made, 3 bags, blind nil +200
        (("nil", "nil", "nil", "4"), (200, -51)),  # two nils; nil lost -100, 4 made by its tricks, 9 bags
        (("1", "2", "blind-nil", "1"), (190, -60)),  # 3 made, ten bags -100
        (("1", "blind-nil", "1", "5"), (-20, -142)),  # 5 made, 8 bags, blind nil lost
    ],
)
def test_scores(bids: Sequence[str], points: tuple[int, int]) -> None:
    table = scripted(Spades(), SUITS, *bids)
    assert table.score().detail["tricks"] == (0, 13, 0, 0)
    assert table.score().points == points * 2


def test_bags_of_earlier_games() -> None:
    for bags, points in ((0, 103), (6, 103), (7, 3)):
        assert scripted(Spades(bags_13=bags), SUITS, "1", "10", "1", "nil").score().points[1] == points + 100


def test_partners_bid_thirteen_at_most() -> None:
    table = Table.start(Spades(), Deal.from_text(Spades().layout, SUITS))
    for bid in ("9", "nil"):
        table.apply(Spades().parse(bid, table))
    assert [action.value for action in table.legal()] == ["nil", "blind-nil", "1", "2", "3", "4"]
    table.apply(Spades().parse("4", table))
    assert len(table.legal()) == 15


MIXED = (
    f"{run('S', '2345')} {run('C', 'AKQJT9876')} | {run('C', '5432')} {run('S', '6')} {run('D', '23456789')}"
    f"| {run('D', 'AKQJT')} {run('H', '23456789')} | {run('H', 'AKQJT')} {run('S', 'AKQJT987')}"
)


def test_spades_are_broken_by_a_ruff() -> None:
    """The third hand is void in clubs, the fourth ruffs; from then on spades may be led."""
    table = Table.start(Spades(), Deal.from_text(Spades().layout, MIXED))
    for action in ("4", "1", "1", "5"):
        table.apply(Spades().parse(action, table))
    assert not any(name[0] == "S" for name in legal(table))
    for card in ("CA", "C5", "H2", "S7"):
        table.apply(play(DECK.card(card).index))
    assert table.turn == 3
    assert sum(name[0] == "S" for name in legal(table)) == 7
    strict = Table.start(Spades(lead="last"), Deal.from_text(Spades().layout, MIXED))
    free = Table.start(Spades(lead="free"), Deal.from_text(Spades().layout, MIXED))
    for table in (strict, free):
        for action in ("4", "1", "1", "5"):
            table.apply(Spades().parse(action, table))
    assert any(name[0] == "S" for name in legal(free))
    for card in ("CA", "C5", "H2", "S7"):
        strict.apply(play(DECK.card(card).index))
    assert not any(name[0] == "S" for name in legal(strict))


def legal(table: Table) -> list[str]:
    return [name for action in table.legal() for name in names(table.game, action.mask)]


class SpadesTwin(Twin):
    def leads(self, hand: list[str]) -> list[str]:
        broken = any(card[0] == "S" for _, trick in self.tricks for card in trick)
        return hand if broken else [card for card in hand if card[0] != "S"] or hand


@given(st.integers(0, 1 << 30))
def test_a_slow_twin_agrees(number: int) -> None:
    table, twin = play_along(Spades(), number, lambda table, hands: SpadesTwin(hands, 0, "S"))
    assert twin is not None
    bids = str(table.contract).split(",")
    for pair in ((0, 2), (1, 3)):
        contract = sum(int(bids[seat]) for seat in pair if "nil" not in bids[seat])
        over = twin.won(*pair) - contract
        points = -10 * contract if over < 0 else 10 * contract + over - (100 if over >= 10 else 0)
        for seat in pair:
            if "nil" in bids[seat]:
                points += (200 if "blind" in bids[seat] else 100) * (-1 if twin.won(seat) else 1)
        assert table.score().points[pair[0]] == table.score().points[pair[1]] == points


@pytest.mark.oracle
def test_lock_step() -> None:
    """OpenSpiel never notes that spades are broken, which is our lead="last"; it has no blind nil."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs_game = pyspiel.load_game("spades")
    game = Spades(blind=False, lead="last")
    first_bid = 52
    rng = random.Random(3)
    nils = bagged = 0
    for _ in range(GAMES):
        deal = Deal.from_cards(game.layout, rng.sample(range(52), 52))
        theirs, table = theirs_game.new_initial_state(), Table.start(game, deal)
        piles = [[card.index for card in deal.hand(seat)] for seat in range(4)]
        for number in range(52):
            theirs.apply_action(piles[number % 4].pop())
        low = rng.random() < 0.5  # low bids, so that nils and bags come up
        while table.turn is not None:
            if table.tricks is not None and table.told:
                table.silence()
            assert theirs.current_player() == table.turn
            actions = table.legal()
            if table.tricks is None:
                numbers = [first_bid + (0 if a.value == "nil" else int(a.value)) for a in actions]
            else:
                numbers = [a.cards[0] for a in actions]
            assert sorted(numbers) == theirs.legal_actions()
            choice = rng.randrange(min(len(actions), 3 if low and table.tricks is None else 13))
            theirs.apply_action(numbers[choice])
            table.apply_unchecked(actions[choice])
        assert list(table.score().points) == theirs.returns()
        nils += "nil" in str(table.contract)
        bagged += max(table.score().detail["bags"]) >= 10
    assert min(nils, bagged) > 10


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert Spades().contract("3,nil,4,blind-nil") == Bids(("3", "nil", "4", "blind-nil"))
    for text in ("3,nil,4", "3,nil,4,14", "3,nil,4,0", "a,b,c,d"):
        with pytest.raises(ValueError, match="four bids"):
            Spades().contract(text)
    for options in ({"lead": "never"}, {"bags_02": 10}):
        with pytest.raises(ValueError, match=r"lead is|bags"):
            Spades(**options)


def test_conformance() -> None:
    check_game(Spades(), deals=3).require()
    check_game(Spades(blind=False, lead="free"), deals=1).require()
    check_strategy(Bidder(), Spades(), deals=2).require()


def test_the_bidder_bids_aces_and_nil() -> None:
    weak = f"{run('C', '5432')} {run('S', '32')} {run('D', '5432')} {run('H', '432')}"
    strong = f"{run('C', 'AK')} {run('S', 'AKQ')} {run('D', 'A5432')} {run('H', 'A32')}"
    for hand, bid in ((weak, "nil"), (strong, "7")):
        rest = [card.name for card in DECK if card.name not in hand.split()]
        cards = " | ".join([hand, *(" ".join(rest[i : i + 13]) for i in (0, 13, 26))])
        table = Table.start(Spades(), Deal.from_text(Spades().layout, cards))
        assert Bidder().choose(table.view(0)).action.value == bid
