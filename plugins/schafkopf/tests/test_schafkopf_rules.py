"""Schafkopf by the rules of the Bayerischer Schafkopf-Verein (BSKV) and of sauspiel.de: games worked out by hand, and
random games against a naive twin.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_schafkopf.game import SchafkopfGame

from plugins.schafkopf.tests.naive_schafkopf import Naive
from tricktake.action import Action
from tricktake.deal import Deal, deal
from tricktake.errors import IllegalAction, InputError
from tricktake.game import find_game
from tricktake.knowledge import Knowledge
from tricktake.records.record import record_of
from tricktake.records.recording import Recording
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

LONG = find_game("schafkopf")
SHORT = find_game("schafkopf(cards=24)")


def table_of(hands: list[str], contract: str, game=LONG) -> Table:
    cards = Deal(game.layout, tuple(game.layout.deck.parse_mask(hand) for hand in hands))
    return Table.at_contract(game, cards, game.contract(contract))


def play(table: Table, text: str) -> Table:
    for name in text.split():
        table.apply(table.game.parse(name, table))
    return table


def legal(table: Table) -> str:
    return " ".join(sorted(a.to_text(table.game.layout.deck).removeprefix("play ") for a in table.legal()))


# Seat 0 calls Eichel, seat 2 has the ace and three more of the suit.
RUF = [
    "EO HU HA H8 EZ GZ G7 SZ",
    "GO SU HZ H9 GA GK S9 S8",
    "HO GU H7 EA EK E9 E8 SK",
    "SO EU HK E7 G9 G8 SA S7",
]


def test_the_called_ace_must_be_played_when_its_suit_is_led() -> None:
    table = play(table_of(RUF, "0:ruf:E"), "EZ GK")
    assert legal(table) == "EA"
    with pytest.raises(IllegalAction):
        play(table, "EK")


def test_the_called_ace_may_not_be_thrown_away_but_the_suit_run_from_with_four() -> None:
    table = play(table_of(RUF, "0:ruf:E"), "SZ S8")
    assert legal(table) == "SK"
    table = play(table, "SK SA S7 HA S9")
    assert legal(table) == "E8 E9 EK GU H7 HO"  # void in Schelln: anything but the ace
    table = play(table, "HO")
    assert table.tricks.leader == 2
    assert legal(table) == "E8 E9 EA EK GU H7"  # with four of the suit the holder may run away
    table = play(table, "E8 E7 EZ HZ")
    assert table.tricks.leader == 1
    assert table.tricks.released
    table = play(table, "GA")
    assert legal(table) == "E9 EA EK GU H7"  # and is free from then on


def test_with_three_of_the_suit_only_the_ace_is_led() -> None:
    hands = [RUF[0].replace("H8", "E8"), RUF[1], RUF[2].replace("E8", "H8"), RUF[3]]
    table = play(table_of(hands, "0:ruf:E"), "G7 GK SK G8")
    table = play(table, "S9 HO S7 SZ")
    assert legal(table) == "EA GU H7 H8"


def test_a_ruf_with_schneider_and_runners() -> None:
    """The declarer's side holds the six highest trumps and takes all tricks: 20, twice 10 for Schwarz, six runners."""
    hands = [
        "EO GO EU GU HA HZ GZ EK",
        "HU HK H9 GK G9 SZ S9 E7",
        "HO SO SU EA EZ GA SA SK",
        "H8 H7 E9 E8 G8 G7 S8 S7",
    ]
    # the called ace is that of Eichel; seat 0 holds the king
    table = table_of(hands, "0:ruf:E")
    play(table, "EO HU SU H8  GO HK SO H7  EU H9 HO E8")
    assert table.tricks.leader == 2
    play(table, "EA E9 EK E7  GA G8 GZ G9  SA S8 GU S9  HA GK EZ G7  HZ SZ SK S7")
    score = table.score()
    assert score.detail["runners"] == 6  # EO GO HO SO EU GU, but HU is with the others
    assert score.detail["schwarz"]
    assert score.value == 120
    assert score.points == (100, -100, 100, -100)


def test_a_lost_wenz_without_runners_by_hand() -> None:
    """Unter alone are trumps. Seat 1 has three of them but not that of Eichel: one runner lacking, unpaid."""
    hands = [
        "EU EA EZ EK EO E9 E8 E7",
        "GU HU SU GA GZ GK GO G9",
        "HA HZ HK HO H9 H8 G8 G7",
        "SA SZ SK SO S9 S8 S7 H7",
    ]
    table = table_of(hands, "1:wenz")
    # seat 0 leads aces; seat 1 trumps and leads trumps, then the Gras
    play(table, "EA SU H8 H7  GU G8 S7 EU")
    assert table.tricks.leader == 0
    play(table, "EZ G9 HA SA  EK GO HZ SZ  EO GK HK SK  E9 GZ HO SO  E8 GA H9 S9  E7 HU G7 S8")
    score = table.score()
    # seat 1 took EA SU (13) and the last trick with HU (2)
    assert score.value == 11 + 2 + 2
    assert (score.won, score.detail["schneider"], score.detail["schwarz"], score.detail["runners"]) == (
        False,
        True,
        False,
        1,
    )
    assert score.points == (60, -180, 60, 60)  # 50 and 10 for Schneider


def test_tout_and_sie_by_hand() -> None:
    hands = [
        "EO GO HO SO EU GU HU SU",
        "EA EZ EK E9 E8 E7 GA GZ",
        "GK G9 G8 G7 HA HZ HK H9",
        "H8 H7 SA SZ SK S9 S8 S7",
    ]
    order = "EO E7 G7 S7 GO E8 G8 S8 HO E9 G9 S9 SO EK GK SK EU EZ H9 SZ GU EA HK SA HU GZ HZ H7 SU GA HA H8"
    sie = play(table_of(hands, "0:solo-sie"), order).score()
    assert sie.points == (3 * 4 * (50 + 8 * 10), *(-4 * 130,) * 3)
    table = table_of(hands, "0:solo-tout:H*13")
    while not table.over:
        table.apply(table.legal()[0])
    tout = table.score()
    assert tout.detail["runners"] == 8
    assert tout.points == (3 * 2 * 130 * 4, *(-2 * 130 * 4,) * 3)  # two have doubled


def test_a_tout_is_lost_with_a_trick() -> None:
    hands = [
        "EO GO HO SO EU GU HU S7",
        "EA EZ EK E9 E8 E7 GA GZ",
        "GK G9 G8 G7 HA HZ HK H9",
        "H8 H7 SA SZ SK S9 S8 SU",
    ]
    table = play(table_of(hands, "0:solo-tout:E"), "S7 GA GK SA")
    assert table.tricks.leader == 3
    while not table.over:
        table.apply(table.legal()[0])
    assert table.score().points == (-3 * 240, 240, 240, 240)  # 50 and seven runners, twice


def test_schneider_is_thirty_for_the_declarer_and_twenty_nine_for_the_others() -> None:
    from tricktake_schafkopf.scoring import result

    contract, deck = LONG.contract("0:solo:E"), LONG.layout.deck
    assert [result(contract, deck, 0, eyes, 3).schneider for eyes in (30, 31, 60, 61, 90, 91)] == [
        True,
        False,
        False,
        False,
        False,
        True,
    ]
    assert [result(contract, deck, 0, eyes, 3).won for eyes in (60, 61)] == [False, True]
    assert result(contract, deck, 0, 0, 0).schwarz
    assert not result(contract, deck, 0, 0, 1).schwarz


def test_kontra_and_re_double_in_the_first_trick_only() -> None:
    kontra = Action("kontra")
    table = table_of(RUF, "0:ruf:E")
    assert not table.phase.interruptions(0)
    assert not table.phase.interruptions(2)  # the partner knows himself
    assert table.phase.interruptions(3) == (kontra,)
    play(table, "EZ GK")
    assert not table.phase.interruptions(1)  # has played
    table.apply(kontra, 3)
    ace = LONG.layout.deck.card("EA").mask
    assert table.view(1).excluded == ((0, ace), (3, ace))
    assert not table.phase.interruptions(1)
    assert table.phase.interruptions(2) == (kontra,)
    table.apply(kontra, 2)  # Re by the partner, who is known then
    assert dict(table.view(1).excluded) == {0: ace, 1: ace, 3: ace}
    assert table.view(1).rules.teams == (0, 1, 0, 1)
    play(table, "EA E7")
    assert not any(table.phase.interruptions(seat) for seat in range(4))
    while not table.over:
        table.apply(table.legal()[0])
    assert table.score().detail["doubled"] == 2


def test_who_plays_together_is_known_by_each_as_far_as_it_can_be() -> None:
    table = table_of(RUF, "0:ruf:E")
    assert table.view(2).rules.teams == (0, 1, 0, 1)  # the partner knows all
    assert table.view(0).rules.teams == (0, -1, -1, -1)
    assert table.view(1).rules.teams == (0, 1, -1, -1)
    deck = LONG.layout.deck
    plain = deck.parse_mask("EZ EK E9 E8 E7")
    (promise,) = LONG.promised(table.view(1))
    assert (promise.place, promise.mask) == (0, plain)
    knowledge = Knowledge.from_view(table.view(1))
    assert not knowledge.may_hold_mask(0) & deck.card("EA").mask


def test_the_auction_lets_an_elder_hand_hold_and_asks_for_a_suit() -> None:
    table = Table.start(LONG, Deal(LONG.layout, tuple(LONG.layout.deck.parse_mask(hand) for hand in RUF)))
    play(table, "ruf")
    assert "bid:ruf" not in legal(table)
    play(table, "pass solo pass")
    assert table.turn == 0
    play(table, "solo")  # as high, but elder
    assert table.turn == 2
    assert "bid:solo" not in legal(table).split()
    play(table, "pass")
    assert legal(table) == "name:E name:G name:H name:S"
    table.apply(Action("name", "H"))
    assert str(table.contract) == "0:solo:H"


def test_who_cannot_call_cannot_bid_ruf() -> None:
    hands = ["EA GA SA HA HZ HK H9 H8", "EO GO HO SO EU GU HU SU", "EZ EK E9 E8 E7 GZ GK G9", "G8 G7 SZ SK S9 S8 S7 H7"]
    cards = Deal(LONG.layout, tuple(LONG.layout.deck.parse_mask(hand) for hand in hands))
    table = Table.start(LONG, cards)
    assert "bid:ruf" not in legal(table)
    play(table, "pass")
    assert "bid:ruf" not in legal(table)
    assert "bid:solo-sie" in legal(table)
    play(table, "pass ruf pass")
    assert legal(table) == "call:EA call:GA"
    with pytest.raises(InputError, match="seat 0 cannot call EA: it holds it"):
        Table.at_contract(LONG, cards, LONG.contract("0:ruf:E"))
    with pytest.raises(InputError, match="seat 1 cannot call EA: it has no plain card of its suit"):
        Table.at_contract(LONG, cards, LONG.contract("1:ruf:E"))


def test_options_take_games_away_and_doubling_comes_first() -> None:
    game = find_game("schafkopf(geier=false,farb=false,tout=false,doubling=true,equal=true)")
    table = Table.start(game, deal(game.layout, 3, 1))
    play(table, "double pass double pass")
    bids = {a.value for a in table.legal() if a.verb == "bid"}
    assert bids <= {"ruf", "wenz", "solo", "solo-sie"}
    play(table, "wenz")
    assert "bid:solo" not in legal(table)  # ranks alike
    play(table, "pass pass pass")
    assert str(table.contract) == "0:wenz*02"
    with pytest.raises(InputError, match="cards: 36, but a pack has 32 or 24"):
        find_game("schafkopf(cards=36)")
    with pytest.raises(InputError, match="stoss: -1"):
        find_game("schafkopf(stoss=-1)")


def test_the_last_seat_may_have_to_bid() -> None:
    game = find_game("schafkopf(pass_in=false)")
    table = play(Table.start(game, deal(game.layout, 1, 0)), "pass pass pass")
    assert "pass" not in legal(table).split()
    assert "bid:solo" in legal(table).split()


def test_passed_in_and_presumed_auctions() -> None:
    table = play(Table.start(LONG, deal(LONG.layout, 1, 0)), "pass pass pass pass")
    assert table.score().points == (0, 0, 0, 0)
    table = table_of(RUF, "0:ruf:E")
    while not table.over:
        table.apply(table.legal()[0])
    record = record_of(table, "1")
    events = Recording.of(LONG).presumed(record)
    assert [e.action.value for e in events] == ["ruf", "", "", "", "EA"]
    doubled = record_of(table_of(RUF, "0:ruf:E*1"), "1")
    with pytest.raises(InputError, match="cannot be reached"):
        Recording.of(LONG).presumed(doubled)


@given(seed=st.integers(0, 2**32 - 1), short=st.booleans())
@settings(max_examples=60)
def test_random_games_like_the_naive_twin(seed: int, short: bool) -> None:
    game = SHORT if short else LONG
    rng = np.random.default_rng(seed)
    table = Table.start(game, deal(game.layout, seed, 0))
    while table.tricks is None and not table.over:
        choices = table.legal()
        weights = np.array([4.0 if "ruf" in a.value else 1.0 for a in choices])
        table.apply(choices[rng.choice(len(choices), p=weights / weights.sum())])
    if table.contract is None:
        return
    contract, deck = table.contract, game.layout.deck
    hands = [deck.names(mask).split() for mask in table.deal.masks]
    naive = Naive(hands, contract.declarer, contract.game, contract.suit, contract.level)
    while not table.over:
        assert table.turn == naive.turn
        assert {deck[a.cards[0]].name for a in table.legal()} == naive.legal()
        for seat in range(4):
            if rng.random() < 0.02 and table.phase.interruptions(seat):
                table.apply(Action("kontra"), seat)
        action = table.legal()[rng.integers(len(table.legal()))]
        table.apply(action)
        naive.play(deck[action.cards[0]].name)
    doubled = len(table.facts.get("stoss", ()))
    base = 20 if contract.game == "ruf" else 50
    least = 2 if contract.game in ("wenz", "geier") and not contract.suit else 3
    assert list(table.score().points) == naive.payout(base, 10, 10, least, doubled)
    assert [t.winner for t in table.tricks.tricks] == [winner for _, _, winner in naive.tricks]


@pytest.mark.parametrize("spec", ["schafkopf", "schafkopf(cards=24)", "schafkopf(doubling=true,equal=true)"])
def test_it_conforms(spec) -> None:
    check_game(find_game(spec), deals=8).require()


@pytest.mark.parametrize(("bid", "deals"), [("ruf", 5), ("geier", 2), ("farbwenz", 2), ("solo", 2), ("wenz-tout", 2)])
@pytest.mark.parametrize("cards", [32, 24])
def test_it_conforms_in_every_kind_of_game(bid: str, deals: int, cards: int) -> None:
    """Nobody can bid anything else; who bids at random hardly ever ends with a called ace."""

    class Only(SchafkopfGame):
        def offers(self, other: str) -> bool:
            return other == bid

    kinds = set()
    for number in range(deals):
        table = Table.start(Only(cards), deal(Only(cards).layout, 0, number))
        while table.contract is None and not table.over:
            table.apply(table.legal()[-1])
        kinds.add(table.contract.name if table.contract else "passed")
    assert bid in kinds
    check_game(Only(cards), deals=deals).require()


@pytest.mark.parametrize("game", [LONG, find_game("schafkopf(cards=24,doubling=true)")], ids=["long", "short"])
def test_the_rule_bidder_conforms_and_bids(game) -> None:
    part = Player.from_spec("bid=schafkopf:rule, play=core:random")
    check_strategy(part, game, deals=4).require()
    kinds = set()
    for number in range(60):
        table = Table.start(game, deal(game.layout, 5, number))
        while table.tricks is None and not table.over:
            view = table.view(table.turn)
            table.apply(part.decide(view, None, np.random.default_rng(0)).action)
        kinds.add(table.contract.kind if table.contract else "passed")
    assert {"ruf", "passed"} <= kinds
    assert kinds & {"solo", "wenz", "farbwenz"}
