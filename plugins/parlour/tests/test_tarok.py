"""Slovenian Tarok: scores by the rules at pagat.com (J. McLeod, Slovenian Tarok), a slow twin, and OpenSpiel."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_parlour.players.tarok import Bidder
from tricktake_parlour.tarok.cards import DECK, KINGS, MOND, PAGAT, SKIS, TALON, TRULA, card_points
from tricktake_parlour.tarok.contract import VALUES, Contract
from tricktake_parlour.tarok.game import Tarok
from tricktake_parlour.tarok.phases import Bidding, Discard, King, Play, Take
from tricktake_parlour.tarok.scoring import king_brings_talon, klop_points

from plugins.parlour.tests.parlour_tables import Twin, play_along
from tricktake.action import Action
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

GAMES = 2000
NEGATIVE = ("klop", "beggar", "open-beggar")


def only(kind: str, players: int) -> Tarok:
    """A game in which nothing but this can be bid."""

    class Only(Bidding):
        def values(self, seat: int) -> list[str]:
            return [bid for bid in super().values(seat) if bid == kind]

    class Game(Tarok):
        phases = (Only, King, Take, Discard, Play)

    return Game(players)


def kinds(players: int) -> list[str]:
    return [kind for kind in VALUES if players == 4 or not kind.startswith("solo-")]


class TarokTwin(Twin):
    """The rule book's words, with lists of names."""

    def __init__(self, hands: list[list[str]], leader: int, kind: str) -> None:
        super().__init__(hands, leader, None if kind == "colour-valat" else "T")
        self.kind = kind

    def rank(self, card: str) -> int:
        return int(card[1:]) if card[0] == "T" else ("4321JNQK" if card[0] in "HD" else "789TJNQK").index(card[1])

    def legal(self) -> list[str]:
        hand, late = self.hands[self.turn], self.kind in NEGATIVE
        if not self.table:
            cards = hand
        else:
            cards = [c for c in hand if c[0] == self.table[0][0]] or [c for c in hand if c[0] == self.trump] or hand
            if late:
                best = self.table[self.winner()]
                higher = [
                    c for c in cards if (c[0] == best[0] and self.rank(c) > self.rank(best)) or c[0] != best[0] == c
                ]
                ruff = [c for c in cards if c[0] == "T" != best[0]]
                cards = higher + ruff or cards
        return [c for c in cards if c != "T1"] or cards if late else cards


@settings(max_examples=60)
@given(st.integers(0, 1 << 30), st.sampled_from([3, 4]), st.data())
def test_a_slow_twin_agrees(number: int, players: int, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(kinds(players)))
    game = only(kind, players)
    table, twin = play_along(
        game, number, lambda table, hands: TarokTwin(hands, game.first_leader(table), table.contract.kind)
    )
    assert twin is not None
    assert table.contract.kind == kind
    if kind in ("beggar", "open-beggar", "valat", "colour-valat"):
        worth, tricks = VALUES[kind][0], twin.won(table.contract.declarer)
        made = tricks == 0 if "beggar" in kind else tricks == 48 // players
        expected = [0] * players
        expected[table.contract.declarer] = worth if made else -worth
        assert table.score().points == tuple(expected)
    elif kind == "klop":
        gifts = [game.layout.deck[c].name for n in TALON for c in bits(table.deal.place_mask(n))]
        piles = [sum(3 * points(c) - 2 for w, t in twin.tricks if w == s for c in t) for s in range(players)]
        for gift, (winner, _) in zip(gifts, twin.tricks, strict=False):
            piles[winner] += 3 * points(gift) - 2
        rounded = [round(pile / 3) for pile in piles]
        ends = [-70 if n > 35 else 70 if n == 0 else 0 for n in rounded]
        assert list(table.score().points) == (ends if any(ends) else [-n for n in rounded])


def points(card: str) -> int:
    if card[0] == "T":
        return 5 if card in ("T1", "T21", "T22") else 1
    return {"K": 5, "Q": 4, "N": 3, "J": 2}.get(card[1], 1)


def start(hands: str, talon: str, *said: str) -> Table:
    game = Tarok(len(hands.split("|")))
    cards = " | ".join([hands, *talon.split()])
    table = Table.start(game, Deal.from_text(game.layout, cards))
    for text in said:
        table.apply(game.parse(text, table))
    return table


HANDS = (
    "T22 T21 T20 T19 T18 T17 T16 T15 T14 T13 HK H4 | T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 |"
    "H3 H2 H1 HJ HN HQ D4 D3 D2 D1 DJ DN | DQ DK S7 S8 S9 ST SJ SN SQ SK C7 C8"
)
REST = "C9 CT CJ CN CQ CK"


def test_forehand_speaks_last_and_elder_seats_hold() -> None:
    table = start(HANDS, REST)
    assert table.turn == 1
    assert not {"klop", "three"} & {action.value for action in table.legal()}
    table.apply(Action("bid", "two"))
    table.apply(Action("pass"))
    assert "two" not in {action.value for action in table.legal()}  # seat 3 is younger
    table.apply(Action("pass"))
    assert "two" in {action.value for action in table.legal()}  # seat 0 is elder
    table.apply(Action("bid", "two"))
    assert (table.turn, {"two", "one"} & {a.value for a in table.legal()}) == (1, {"one"})
    table.apply(Action("pass"))
    assert Action("pass") not in table.legal()  # names what is played, or raises
    table.apply(Action("bid", "one"))
    assert table.contract == Contract(0, "one")
    klop = start(HANDS, REST, "pass", "pass", "pass")
    assert [action.value for action in klop.legal()][:3] == ["klop", "three", "two"]


def test_talon_and_discards() -> None:
    table = start(HANDS, REST, "pass", "pass", "pass", "bid:three", "call:DK")
    assert table.view(2).known[4:] == tuple(DECK.parse_mask(card) for card in REST.split())
    assert [action.value for action in table.legal()] == ["0", "1"]
    table.apply(Action("take", "1"))
    assert table.view(2).known[0] == DECK.parse_mask("CN CQ CK")
    assert {action.cards[0] for action in table.legal()} == set(bits(DECK.parse_mask("H4 CN CQ")))
    for card in ("H4", "CN", "CQ"):
        table.apply(table.game.parse(f"discard {card}", table))
    assert str(table.contract) == "0:three:DK:1"
    assert table.tricks.taken[0] == 3 * (1 + 3 + 4) - 6
    assert table.view(3).rules.teams == (0, 1, 1, 0)  # who holds the king knows
    assert table.view(1).rules.teams == (0, 1, -1, -1)
    assert table.view(1).excluded[0][1] & KINGS == KINGS
    while not table.over:
        table.apply(max(table.legal(), key=lambda action: action.cards))
    score = table.score()
    # All tricks but the last, in which the hand of seat 1 has a tarok left and seat 0 the king of clubs.
    assert score.points[0] == score.points[3] == sum(score.detail["parts"].values())
    assert score.detail["parts"]["trula"] == 10
    assert score.points[1] == score.points[2] == 0


def test_taroks_are_put_away_only_if_there_is_nothing_else_and_seen() -> None:
    hands = (
        "T22 T21 T20 T19 T18 T17 T16 T15 T14 T13 HK DK | T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 H4 H3 |"
        "H2 H1 HJ HN HQ D4 D3 D2 D1 DJ DN DQ | S7 S8 S9 ST SJ SN SQ C7 C8 C9 CT CJ"
    )
    table = start(hands, "T11 T12 SK CK CN CQ", "pass", "pass", "pass", "bid:two", "call:SK", "take:0")
    allowed = {DECK[action.cards[0]].name for action in table.legal()}
    assert allowed == {f"T{n}" for n in (11, 12, *range(13, 21))}
    table.apply(table.game.parse("discard T11", table))
    assert table.view(2).events[-1].action.cards == (DECK.card("T11").index,)
    assert DECK.card("T11").mask in table.view(2).known[4:]


def test_the_pagat_comes_last_in_klop_and_every_card_must_be_beaten() -> None:
    table = start(HANDS, REST, "pass", "pass", "pass", "bid:klop")
    assert table.contract == Contract(-1, "klop")
    table.apply(table.game.parse("H4", table))
    assert table.tricks.legal_cards_mask() == table.hands[1] & ~PAGAT
    table.apply(table.game.parse("T2", table))
    assert table.tricks.legal_cards_mask() == DECK.parse_mask("H3 H2 H1 HJ HN HQ")  # hearts cannot beat the tarok
    table.apply(table.game.parse("HQ", table))
    table.apply(table.game.parse("DK", table))
    assert table.view(3).known[4] == DECK.parse_mask("C9")  # the gift
    assert table.turn == 1


def test_a_beggar_is_lost_with_its_first_trick() -> None:
    table = start(HANDS, REST, "bid:open-beggar", "pass", "pass", "pass", "bid:open-beggar")
    assert table.turn == 1  # the declarer leads
    assert table.view(3).known[1] == table.hands[1]
    while not table.over:
        table.apply(table.legal()[0])
    assert table.score().points == (0, 0 if table.tricks.won[1] == 0 else -90, 0, 0) or table.score().points[1] == 90


def test_klop_and_card_points() -> None:
    assert klop_points([10, 20, 15, 25]) == [-10, -20, -15, -25]
    assert klop_points([0, 20, 15, 35]) == [70, 0, 0, 0]
    assert klop_points([0, 36, 34, 0]) == [70, -70, 0, 70]
    assert card_points(DECK.full_mask) == 70
    assert card_points(DECK.parse_mask("HK H4 H3")) == 5
    assert [card_points(DECK.parse_mask(cards)) for cards in ("HK", "HK DK", "H4", "")] == [4, 9, 0, 0]


def test_contracts_read_back_and_wrong_ones_are_refused() -> None:
    assert Tarok().contract("2:three:HK:1") == Contract(2, "three", "HK", 1)
    for text in ("2:four::0", "2:three:T1:0", "7:three:HK:0", "three"):
        with pytest.raises(ValueError, match=r"no contract|unpack"):
            Tarok().contract(text)
    with pytest.raises(ValueError, match="3 or 4"):
        Tarok(5)


@pytest.mark.parametrize("players", [3, 4])
def test_conformance_of_every_contract(players: int) -> None:
    for number, kind in enumerate(kinds(players)):
        check_game(only(kind, players), ids=[number]).require()


def test_the_bidder_conforms() -> None:
    check_strategy(Bidder(), Tarok(), deals=3).require()
    check_strategy(Bidder(), Tarok(3), deals=2).require()


@pytest.mark.oracle
@pytest.mark.parametrize("players", [3, 4])
def test_lock_step(players: int) -> None:
    """Differences: OpenSpiel knows the emperor's trick (such games end here), and in colour valat who is void must play
    a tarok there. Its bonus for all kings goes to who has exactly four cards, that for the trula to nobody, and all
    tricks mean 48 cards, discards included; here they are what the rules at pagat.com say.
    """
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs_game = pyspiel.load_game(f"tarok(players={players},rng_seed={players})")
    rng, seen = random.Random(players), Counter()
    for _ in range(GAMES // 2):
        seen[_lock_step(theirs_game, Tarok(players), rng)] += 1
    assert set(seen) >= set(kinds(players)), seen
    assert seen["emperor"] < GAMES // 50


def _lock_step(theirs_game, game: Tarok, rng: random.Random) -> str:
    theirs = theirs_game.new_initial_state()
    theirs.apply_action(0)
    hands = [sum(1 << card for card in theirs.player_cards(seat)) for seat in range(game.seats)]
    table = Table.start(game, Deal(game.layout, (*hands, *(1 << card for card in theirs.talon()))))
    wanted = rng.choice(list(VALUES))
    while table.turn is not None:
        assert theirs.current_player() == table.turn
        assert table.phase is not None
        actions = table.legal()
        numbers = [_number(action) for action in actions]
        if table.tricks is None:
            assert sorted(numbers) == sorted(theirs.legal_actions())
            low = [n for n, a in enumerate(actions) if a.value == wanted] or [0]
            choice = rng.choice(low) if table.phase.name == "auction" else rng.randrange(len(actions))
        else:
            if table.told:
                table.silence()
            on_table = sum(1 << card for card in table.tricks.table)
            if on_table & (MOND | SKIS) == MOND | SKIS and table.hands[table.turn] & PAGAT:
                return "emperor"
            legal = set(theirs.legal_actions())
            assert legal <= set(numbers) if table.contract.kind == "colour-valat" else legal == set(numbers)
            choice = numbers.index(rng.choice(sorted(legal)))
        theirs.apply_action(numbers[choice])
        table.apply_unchecked(actions[choice])
        last = table.tricks.tricks[-1] if table.tricks is not None and table.tricks.tricks else None
        if last is not None and sum(1 << card for card in last.cards) & TRULA == TRULA:
            return "emperor"
    assert theirs.is_terminal()
    assert theirs.returns() == _as_they_count(game, table), (str(table.contract), table.score())
    return table.contract.kind


def _number(action: Action) -> int:
    if action.verb == "pass":
        return 0
    if action.verb == "bid":
        return 1 + list(VALUES).index(action.value)
    if action.verb == "call":
        return DECK.card(action.value).index
    return int(action.value) if action.verb == "take" else action.cards[0]


def _as_they_count(game: Tarok, table: Table) -> list[float]:
    """Our score with OpenSpiel's counting of kings, trula and all tricks."""
    score, contract, play = table.score(), table.contract, table.tricks
    result = list(score.points)
    if contract.taken:
        side = play.rules.side_mask(contract.declarer)
        tricks = sum(play.won[seat] for seat in bits(side))
        brought = king_brings_talon(table)
        ours = tricks * game.seats + (6 if brought else len(contract.taken))
        theirs = 48 - tricks * game.seats
        last = play.tricks[-1]
        played, sign = sum(1 << card for card in last.cards), 1 if side >> last.winner & 1 else -1
        king = DECK.card(contract.king).mask if contract.king else 0
        if brought and 1 << last.cards[(last.winner - last.leader) % game.seats] == king:
            played = 0  # the cards of the talon count as the last ones
        total = score.value - 35 + VALUES[contract.kind][0] * (1 if score.value > 35 else -1)
        total += sign * (10 if played & king else 25 if played & PAGAT else 0)
        total += 10 if ours == 4 else -10 if theirs == 4 else 0
        total = 250 if ours == 48 else -250 if theirs == 48 else total
        result = [total * (side >> seat & 1) for seat in range(game.seats)]
        if score.detail["mond"] is not None:
            result[score.detail["mond"]] -= 20
    return [float(points) for points in result]
