"""The shelf of phases: each in a small game that must conform, and what it decides, told by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import frozen

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import Deck, bits
from tricktake.deal import Deal, Layout, deal
from tricktake.errors import IllegalAction
from tricktake.game import Game, Score
from tricktake.phase import Phase, Tricks
from tricktake.phases import PASS
from tricktake.phases.auction import DOUBLE, REDOUBLE
from tricktake.phases.partner import ALONE
from tricktake.phases.trumps import PUSH
from tricktake.records.record import record_of
from tricktake.records.recording import Recording
from tricktake.records.solving import analyse
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake.testing import check_game

DECK = Deck(suits="CDHS", ranks="9TJQKA")
LAYOUT = Layout(DECK, (5, 5, 5, 5), (("turned", 1), ("left", 1), ("right", 1), ("rest", 1)))
SEATS = 4


@frozen
class Named:
    declarer: int
    kind: str

    def __str__(self) -> str:
        return f"{self.declarer}:{self.kind}"


class Toy(Game):
    """Four seats, five cards; a trick is worth a point."""

    name = "toy"
    layout = LAYOUT
    teams = (0, 1, 0, 1)
    boards = 4

    def __init__(self, *before: type[Phase], tricks: type[Tricks] = Tricks) -> None:
        self.phases = (*before, tricks)

    def rules(self, table: Table) -> TrickRules:
        kind = table.contract.kind if table.contract is not None else table.facts.get("trump", "")
        trump = kind[-1:] if kind[-1:] in tuple(DECK.suits) else None
        return TrickRules.plain(DECK, SEATS, trump, trick_cost=1)

    def contract(self, text: str) -> Named:
        declarer, _, kind = text.partition(":")
        return Named(int(declarer), kind)

    def score(self, table: Table) -> Score:
        return Score(tuple(table.tricks.won) if table.tricks else (0,) * SEATS)


class Contracting:
    """The bid is the contract."""

    def close(self) -> None:
        facts = self.table.facts  # type: ignore[attr-defined]
        self.table.contract = Named(facts["declarer"], facts["bid"])  # type: ignore[attr-defined]


class Climbing(Contracting, phases.Auction):
    bids = ("1C", ("2D", "2H"), "3S")


class Forced(Climbing):
    forced = "1C"


class BackAndForth(Contracting, phases.Auction):
    bids = ("1C", "1D", "1H", "1S")
    out = False
    doubles = 2

    def opener(self) -> int:
        return self.table.board


class Coinche(BackAndForth):
    closing = True


class Elder(Climbing):
    """An elder seat may hold a bid."""

    def beats(self, seat: int, bid: str, last: str) -> bool:
        return self.rank(bid) > self.rank(last) or (bid == last and seat < self.bidder)


class Tricky(phases.Bids):
    def values(self, seat: int) -> Sequence[str]:
        return ["nil", *map(str, range(1, 6))] if seat % 2 else ["0", "1", "2"]


class Three(phases.Passing):
    count = 2
    steps = (1, 0, 3)


class Across(phases.Passing):
    count = 1

    def pairs(self) -> Sequence[tuple[int, int]]:
        return [(0, 2), (2, 0)]


class Trumps(phases.NameTrumps):
    values = ("C", "D", "H", "S", "none")
    pushes = True

    def chooser(self) -> int:
        return 1


class Euchre(phases.TurnedUp):
    alone = True
    takes = "dealer"


class Stuck(phases.TurnedUp):
    stuck = True
    takes = "maker"


class Taker(phases.Discard):
    place = "turned"

    def chooser(self) -> int | None:
        taker: int | None = self.table.facts["taker"]
        return taker


class Second:
    """The second seat declares."""

    def chooser(self) -> int:
        return 1


class Packets(Second, phases.TakeTalon):
    places = ("left", "right")
    open = True


class OnlyOne(Second, phases.TakeTalon):
    places = ("rest",)


class BackCardByCard(Second, phases.Discard):
    at_once = False
    place = "rest"

    def cards_to_put(self, table: Table) -> int:
        return 1 + ("left" in table.facts)

    def allowed(self, seat: int) -> int:
        """No ace, if there is something else."""
        hand = self.table.places[seat]
        return hand & ~DECK.of_rank_mask("A") or hand


class Maybe(Second, phases.PickUp):
    place = "left"
    leave = Action("hand")
    shown = True


class BackToLeft(Second, phases.Discard):
    place = "left"

    def chooser(self) -> int | None:
        return None if self.table.facts["left"] else 1


class Called(Second, phases.CallPartner):
    callable = ("CA", "DA", "HA")

    def may_call(self, seat: int, card: int) -> bool:
        return bool(self.table.places[seat] & DECK.of_suit_mask(DECK[card].suit))


class Tasks(phases.Draft):
    passing = True

    def items(self) -> Sequence[str]:
        return ["C9", "D9", "C9"]


class Melds(phases.Announcements):
    once = False

    def offers(self, seat: int) -> Sequence[Action]:
        made = [text for who, text in self.made if who == seat]
        hand = self.table.places[seat]
        pairs = {suit: DECK.of_suit_mask(suit) & DECK.parse_mask(" ".join(f"{s}{r}" for s in "CDHS" for r in "KQ"))
                 for suit in DECK.suits}  # fmt: skip
        return [
            Action("meld", suit, tuple(bits(mask)))
            for suit, mask in pairs.items()
            if mask & ~hand == 0 and suit not in made
        ]


class Kontra(phases.Announcements):
    def asked(self, seat: int) -> bool:
        return seat % 2 == 1

    def offers(self, seat: int) -> Sequence[Action]:
        return [Action("kontra")]


class Token(phases.Announcing):
    """Before a trick each seat may show its highest card of a suit, once."""

    def offers(self, seat: int) -> Sequence[Action]:
        if self.state.table or any(who == seat for who, _, _ in self.made):
            return ()
        hand = self.table.places[seat]
        tops = [max(bits(hand & DECK.of_suit_mask(s))) for s in DECK.suits if hand & DECK.of_suit_mask(s)]
        return [Action("tell", "highest", (card,)) for card in tops]


GAMES = {
    "climbing": Toy(Climbing),
    "forced": Toy(Forced),
    "back and forth": Toy(BackAndForth),
    "coinche": Toy(Coinche),
    "elder": Toy(Elder),
    "bids": Toy(phases.TurnedCard, Tricky),
    "passing": Toy(Three),
    "across": Toy(Across),
    "naming": Toy(Trumps),
    "euchre": Toy(Euchre, Taker),
    "stuck": Toy(Stuck, Taker),
    "packets": Toy(Packets, BackCardByCard),
    "bought packets": Toy(Climbing, Packets, BackCardByCard),
    "widow": Toy(OnlyOne, BackCardByCard),
    "pick up": Toy(Maybe, BackToLeft),
    "partner": Toy(Called),
    "draft": Toy(Tasks),
    "melds": Toy(Melds),
    "kontra": Toy(Kontra),
    "token": Toy(tricks=Token),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_phase_conforms(name: str) -> None:
    report = check_game(GAMES[name], 12, seed=3)
    assert report.ok, str(report)


TEXT = "C9 CT CJ CQ CK | D9 DT DJ DQ DK | H9 HT HJ HQ HK | S9 ST SJ SQ SK | CA | DA | HA | SA"
ORDERED = Deal.from_text(LAYOUT, TEXT)


def table_of(game: Game, *said: str, board: int = 0) -> Table:
    """A table after these actions by whoever was to move; seat 0 holds clubs, 1 diamonds, 2 hearts, 3 spades."""
    table = Table.start(game, ORDERED, board)
    for text in said:
        table.apply(Action.from_text(text, DECK))
    return table


def legal(table: Table) -> set[str]:
    return {action.to_text(DECK) for action in table.legal()}


def test_an_auction_climbs_until_one_is_left() -> None:
    table = table_of(GAMES["climbing"], "bid:1C", "pass", "bid:2D")
    assert (table.turn, legal(table)) == (3, {"pass", "bid:3S"})  # 2H is of the same rank
    table.apply(PASS)
    assert table.turn == 0  # seat 1 is out
    table.apply(PASS)
    assert table.facts["declarer"] == 2
    assert str(table.contract) == "2:2D"


def test_all_pass_in_or_the_last_is_forced() -> None:
    passed = table_of(GAMES["climbing"], *["pass"] * 4)
    assert passed.over
    assert (passed.contract, passed.facts["bid"]) == (None, None)
    assert legal(table_of(GAMES["forced"], *["pass"] * 3)) == {"bid:1C"}


def test_who_passed_may_come_back_and_doubles_belong_to_a_bid() -> None:
    table = table_of(GAMES["back and forth"], "pass", "bid:1C", board=2)
    assert table.turn == 0
    assert DOUBLE in table.legal()
    for text in ("double", "redouble"):
        table.apply(Action(text))
    assert table.turn == 2  # who had passed
    assert legal(table) == {"pass", "bid:1D", "bid:1H", "bid:1S"}
    table.apply(Action("bid", "1S"))
    assert DOUBLE in table.legal()
    for _ in range(3):
        table.apply(PASS)
    assert table.facts["doubled"] == 0
    assert str(table.contract) == "2:1S"


def test_a_double_ends_coinche_but_for_redoubling() -> None:
    table = table_of(GAMES["coinche"], "bid:1C", "double")
    assert (table.turn, set(table.legal())) == (2, {PASS, REDOUBLE})
    table.apply(PASS)
    assert table.turn == 0
    table.apply(REDOUBLE)
    assert table.tricks is not None
    assert table.facts["doubled"] == 2


def test_an_elder_seat_holds_the_bid() -> None:
    table = table_of(GAMES["elder"], "pass", "bid:1C", "bid:2D", "pass")
    assert (table.turn, "bid:2D" in legal(table)) == (1, True)
    table.apply(Action("bid", "2D"))
    assert "bid:2D" not in legal(table)


def test_bids_are_kept_by_seat() -> None:
    table = table_of(GAMES["bids"], "bid:2", "bid:nil", "bid:0", "bid:4")
    assert table.facts["bids"] == ("2", "nil", "0", "4")
    assert table.facts["trump"] == "C"
    assert all(view.known[SEATS] == DECK.parse_mask("CA") for view in map(table.view, range(SEATS)))


def test_passed_cards_arrive_together_and_the_taker_knows_them() -> None:
    table = table_of(GAMES["passing"], "pass C9 CT")
    assert table.places[1] == ORDERED.masks[1]
    assert table.view(1).events[-1].action == Action("pass", hidden=2)
    for text in ("pass D9 DT", "pass H9 HT", "pass S9 ST"):
        table.apply(Action.from_text(text, DECK))
    view = table.view(1)
    assert view.picked_up == DECK.parse_mask("C9 CT")
    assert view.known[2] == DECK.parse_mask("D9 DT")
    assert table_of(GAMES["passing"], board=1).tricks is not None  # the hold


def test_only_partners_exchange() -> None:
    table = table_of(GAMES["across"], "pass CK")
    assert table.turn == 2
    table.apply(Action.from_text("pass H9", DECK))
    assert table.places[0] == DECK.parse_mask("C9 CT CJ CQ H9")


def test_trumps_may_be_left_to_the_partner_once() -> None:
    table = table_of(GAMES["naming"])
    assert (table.turn, PUSH in table.legal()) == (1, True)
    table.apply(PUSH)
    assert (table.turn, PUSH in table.legal()) == (3, False)
    table.apply(Action("name", "H"))
    assert (table.facts["trump"], table.facts["pushed"]) == ("H", True)


def test_the_dealer_picks_up_what_is_ordered() -> None:
    table = table_of(GAMES["euchre"], "pass")
    assert legal(table) == {"pass", "name:C", "alone:C"}
    table.apply(Action("alone", "C"))
    assert (table.turn, table.facts["declarer"], table.facts["alone"]) == (3, 1, True)
    assert table.view(3).picked_up == table.view(0).known[3] == DECK.parse_mask("CA")
    table.apply(Action.from_text("discard S9", DECK))
    assert table.view(0).known[SEATS] == 0
    assert table.tricks is not None


def test_another_suit_in_the_second_round_and_the_last_must() -> None:
    table = table_of(GAMES["stuck"], *["pass"] * 4)
    assert legal(table) == {"pass", "name:D", "name:H", "name:S"}
    for _ in range(3):
        table.apply(PASS)
    assert PASS not in table.legal()
    table.apply(Action("name", "S"))
    assert (table.facts["declarer"], table.facts["taker"]) == (3, None)
    passed = table_of(GAMES["euchre"], *["pass"] * 8)
    assert passed.over
    assert passed.facts["declarer"] is None


def test_one_of_the_packets_and_two_cards_back() -> None:
    table = table_of(GAMES["packets"])
    assert table.view(3).known[SEATS + 1] == DECK.parse_mask("DA")  # open to all
    assert legal(table) == {"take:left", "take:right"}
    table.apply(Action("take", "right"))
    assert table.view(0).known[1] == table.view(1).picked_up == DECK.parse_mask("HA")
    assert "discard HA" not in legal(table)  # aces stay
    table.apply(Action.from_text("discard D9", DECK))
    assert table.view(0).events[-1].action == Action("discard", hidden=1)
    assert table.view(1).known[SEATS + 3] == DECK.parse_mask("D9 SA") & table.view(1).known[SEATS + 3]
    assert table.tricks is not None


@pytest.mark.parametrize("name", ["packets", "bought packets", "widow", "climbing"])
def test_a_record_is_played_with_the_cards_the_exchange_left(name: str) -> None:
    game = GAMES[name]
    for number in range(6):
        table = Table.start(game, deal(LAYOUT, 5, number))
        while table.tricks is None and not table.over:
            table.apply(table.legal()[-1])
        if table.tricks is None:
            continue
        hands, first = list(table.hands), record_of(table, "first trick")
        while not table.over:
            table.apply(table.legal()[0])
        for record in (first, record_of(table, "whole")):
            assert record.table_at_play(game).hands == hands
            assert Recording.of(game).problem(record).state.hands == hands
        assert len(analyse(game, record)) == len(record.cards) == sum(map(int.bit_count, hands))


def test_the_only_packet_needs_no_word() -> None:
    table = table_of(GAMES["widow"])
    assert table.view(1).picked_up == DECK.parse_mask("SA")
    assert table.view(0).known[1] == 0
    assert table.phase is not None
    assert table.phase.name == "discard"


def test_cards_may_be_left() -> None:
    left = table_of(GAMES["pick up"], "hand")
    assert left.facts["left"] is True
    assert left.tricks is not None
    taken = table_of(GAMES["pick up"], "take")
    assert taken.turn == 1
    assert taken.view(2).known[1] == DECK.parse_mask("DA")


def test_a_partner_is_called_by_a_card_not_held() -> None:
    assert set(table_of(GAMES["partner"]).legal()) == {Action("call", "DA")}
    held = ORDERED.to_text().replace("D9", "??").replace("DA", "D9").replace("??", "DA")
    table = Table.start(GAMES["partner"], Deal.from_text(LAYOUT, held))
    assert table.legal() == [ALONE]
    table.apply(ALONE)
    assert table.facts["called"] == ""


def test_things_are_taken_in_turn() -> None:
    table = table_of(GAMES["draft"], "take:C9", "pass", "pass", "pass")
    assert legal(table) == {"take:C9", "take:D9"}  # the last may not pass
    for item in ("D9", "C9"):
        table.apply(Action("take", item))
    assert table.facts["tasks"] == (("C9", "D9"), ("C9",), (), ())


def test_melds_are_shown_and_the_round_goes_on_until_all_pass() -> None:
    table = table_of(GAMES["melds"], "meld:C CQ CK")
    assert table.view(2).known[0] == DECK.parse_mask("CQ CK")
    for text in ("pass", "pass", "meld:S SQ SK", "pass", "pass", "pass"):
        table.apply(Action.from_text(text, DECK))
    assert table.turn == 3
    assert table.legal() == [PASS]
    table.apply(PASS)
    assert table.facts["announced"] == ((0, "C"), (3, "S"))
    assert table.tricks is not None


def test_only_those_are_asked_who_may_speak() -> None:
    table = table_of(GAMES["kontra"])
    assert table.turn == 1
    table.apply(Action("kontra"))
    assert table.turn == 3
    table.apply(PASS)
    assert table.facts["announced"] == ((1, "kontra"),)


def test_a_token_is_shown_between_tricks() -> None:
    table = table_of(GAMES["token"])
    tell = Action.from_text("tell:highest HK", DECK)
    assert tell in table.view(2).interruptions
    table.apply(tell, 2)
    assert table.view(0).known[2] == DECK.parse_mask("HK")
    assert table.facts["announced"] == ((2, "highest", 0),)
    with pytest.raises(IllegalAction):
        table.apply(tell, 2)
    table.apply(table.legal()[0])
    with pytest.raises(IllegalAction):
        table.apply(Action.from_text("tell:highest SK", DECK), 3)  # within a trick


def test_what_was_picked_up_stays_known_after_it_was_played() -> None:
    game = GAMES["packets"]
    for number in range(3):
        table = Table.start(game, deal(LAYOUT, 1, number))
        while not table.over:
            table.apply(table.legal()[0])
        assert table.view(1).picked_up == table.deal.place_mask("left")
        assert table.view(0).picked_up == 0
