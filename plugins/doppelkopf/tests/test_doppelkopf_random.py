"""Random games: against a slow twin that knows only the names of cards, what views know of the teams, conformance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_doppelkopf.game import DoppelkopfGame
from tricktake_doppelkopf.rule import Rule, solo, strength

from tricktake import worlds
from tricktake.cards import bits, unsigned
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.knowledge import Knowledge
from tricktake.table import Table
from tricktake.testing import check_game, check_strategy

TENS = ("first", "second", "second-not-last")
TRUMPS = ["HT", "CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ"]
FEW = 4000


# -- the twin: cards are names, "CQ" ------------------------------------------------------------------------------


def trumps_of(kind: str) -> list[str]:
    """Strongest first."""
    if kind in ("queens", "jacks"):
        return [s + kind[0].upper() for s in "CSHD"]
    if kind == "meatless":
        return []
    suit = {"hearts": "H", "spades": "S", "clubs": "C"}.get(kind, "D")
    return TRUMPS + [suit + r for r in "ATK9" if suit + r != "HT"]


def suit_of(card: str, trumps: list[str]) -> str:
    return "trump" if card in trumps else card[0]


def legal_twin(hand: list[str], table: list[str], trumps: list[str]) -> set[str]:
    if not table:
        return set(hand)
    led = suit_of(table[0], trumps)
    return {card for card in hand if suit_of(card, trumps) == led} or set(hand)


def winner_twin(table: list[str], trumps: list[str], tens: str, last: bool) -> int:
    """The place of the winner: the best card beats all before it and is not beaten by one after it."""
    best = 0
    for place in range(1, 4):
        card, top = table[place], table[best]
        if card == top == "HT" and "HT" in trumps:
            takes = tens == "second" or (tens == "second-not-last" and not last)
        elif card in trumps and top in trumps:
            takes = trumps.index(card) < trumps.index(top)
        elif card in trumps or top in trumps:
            takes = card in trumps
        else:
            takes = card[0] == top[0] and "ATKQJ9".index(card[1]) < "ATKQJ9".index(top[1])
        best = place if takes else best
    return best


def score_twin(
    re: set[int], tricks: list[tuple[int, int, list[str]]], said: list[tuple[int, str]], solo: bool
) -> list[int]:
    """tricks: (winner, leader, cards). said: (seat, what), e.g. (2, "no90"). Points by the book, for Re first."""
    eyes = [0, 0]
    count = [0, 0]
    value = dict(zip("9JQKTA", (0, 2, 3, 4, 10, 11), strict=True))
    special = 0
    for number, (won, leader, cards) in enumerate(tricks):
        side = 0 if won in re else 1
        total = sum(value[c[1]] for c in cards)
        eyes[side] += total
        count[side] += 1
        sign = 1 - 2 * side
        special += sign * (total >= 40)
        for k, card in enumerate(cards):
            seat = (leader + k) % 4
            special += sign * (card == "DA" and (seat in re) != (won in re))
            special += sign * (card == "CJ" and seat == won and number == len(tricks) - 1)
    announced = [{w for s, w in said if (s in re) == (side == 0)} for side in (0, 1)]
    steps = [("no90", 90), ("no60", 60), ("no30", 30), ("black", 0)]

    def keeps(side: int) -> bool:
        """Whether a side has kept all it has announced itself."""
        other = 1 - side
        if "black" in announced[side] and count[other]:
            return False
        return all(eyes[other] < n for word, n in steps[:3] if word in announced[side])

    def refutes(side: int) -> bool:
        other = 1 - side
        return bool(announced[other] & {w for w, _ in steps}) and not keeps(other)

    absolute = [bool(a & {w for w, _ in steps}) for a in announced]
    wins = [False, False]
    for side in (0, 1):
        if absolute[side]:
            wins[side] = keeps(side)
        elif absolute[1 - side]:
            wins[side] = refutes(side)
        else:
            alone = announced[1] and not announced[0]
            wins[side] = eyes[side] >= (120 if (side == 0) == bool(alone) else 121)
    points = 0
    for side in (0, 1):
        if any(wins) and not wins[side]:
            continue
        other, sign = 1 - side, 1 - 2 * side
        points += sign * sum(eyes[other] < n for n in (90, 60, 30))
        points += sign * (count[other] == 0)
        points += sign * sum(w in announced[other] and eyes[side] >= n + 30 for w, n in steps)
        if wins[side]:
            points += sign * (1 + sum(2 * bool(a) + sum(w in a for w, _ in steps) for a in announced))
    if not solo and len(re) == 2:
        points += special - wins[1]
    return [(points * (3 if len(re) == 1 else 1)) if s in re else -points for s in range(4)]


def random_game(game: DoppelkopfGame, number: int, reserve: float, talk: float) -> Table:
    """A random game in which seats reserve and announce with these probabilities."""
    rng = np.random.default_rng([7, number])
    table = Table.start(game, deal(game.layout, 7, number))
    while not table.over:
        if table.tricks is not None:
            for seat in range(4):
                offers = table.view(seat).interruptions
                if offers and rng.random() < talk:
                    table.apply(offers[0], seat)
        legal = table.legal()
        if table.phase is not None and table.phase.name == "reservations":
            table.apply(legal[int(rng.random() < reserve)])
        else:
            table.apply(legal[int(rng.integers(len(legal)))])
    return table


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(TENS), st.booleans(), st.sampled_from((0.0, 0.3)))
def test_games_agree_with_the_twin(number: int, tens: str, nines: bool, reserve: float) -> None:
    game = find_game("doppelkopf", tens=tens, nines=nines)
    assert isinstance(game, DoppelkopfGame)
    finished = random_game(game, number, reserve, 0.15)
    deck = game.layout.deck
    again = Table.start(game, finished.deal)
    hands = [[deck[c].kind for c in bits(mask)] for mask in finished.deal.masks]
    re = {s for s, hand in enumerate(hands) if "CQ" in hand}
    on_table: list[str] = []
    tricks: list[tuple[int, int, list[str]]] = []
    leader = 0
    kind, declarer = "", -1
    said: list[tuple[int, str]] = []
    for event in finished.events:
        action = event.action
        if action.verb == "play":
            if not kind:
                text = str(finished.contract)
                declarer, kind = (int(text[0]), text[2:]) if ":" in text else (-1, text)
                re = re if declarer < 0 else {declarer}
            trumps = trumps_of(kind)
            seat = (leader + len(on_table)) % 4
            legal = {deck[c].kind for a in again.legal() for c in a.cards}
            assert legal == legal_twin(hands[seat], on_table, trumps)
            card = deck[action.cards[0]].kind
            hands[seat].remove(card)
            on_table.append(card)
            if len(on_table) == 4:
                won = (leader + winner_twin(on_table, trumps, tens, not any(hands))) % 4
                tricks.append((won, leader, on_table))
                if kind == "wedding" and len(re) == 1 and len(tricks) <= 3 and won != declarer:
                    re.add(won)
                leader, on_table = won, []
        elif action.verb in ("re", "kontra"):
            said.append((event.seat, action.value or action.verb))
        again.apply(action, event.seat)
    assert finished.score().points == tuple(score_twin(re, tricks, said, kind not in ("normal", "wedding")))


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_views_know_the_teams_that_all_their_worlds_have(number: int) -> None:
    """Late in normal games: the teams of a view are what all worlds agree on, announcements included."""
    game = DoppelkopfGame()
    finished = random_game(game, number, 0.0, 0.3)
    cards = 0
    table = Table.start(game, finished.deal)
    for event in finished.events:
        table.apply(event.action, event.seat)
        cards += event.action.verb == "play"
        if event.action.verb != "play" or cards < 36 or cards % 3 or table.tricks is None or table.over:
            continue
        for seat in range(4):
            view = table.view(seat)
            knowledge = Knowledge.from_view(view)
            if worlds.count(knowledge) > FEW:
                continue
            assert view.rules is not None
            assert view.rules.teams is not None
            queens = game.pack.queens
            seen = []
            for world in worlds.enumerate(knowledge):
                dealt = [unsigned(m) | gone for m, gone in zip(world, view.played, strict=True)]
                seen.append([0 if mask & queens else 1 for mask in dealt])
            for other, team in enumerate(view.rules.teams):
                found = {teams[other] for teams in seen}
                assert {team} == found if len(found) == 1 else team == -1
            assert [0 if mask & queens else 1 for mask in finished.deal.masks] in seen


def test_who_announces_is_known_at_once() -> None:
    game = DoppelkopfGame()
    table = Table.start(game, deal(game.layout, 7, 0))
    while table.tricks is None:
        table.apply(table.legal()[0])
    assert table.tricks.rules.teams == (0, 0, 1, 1)

    def known(seat: int) -> tuple[int, ...] | None:
        rules = table.view(seat).rules
        return None if rules is None else rules.teams

    def announce(seat: int) -> None:
        table.apply(table.view(seat).interruptions[0], seat)

    assert known(2) == (-1, -1, 1, -1)
    announce(0)
    assert known(2) == (0, -1, 1, -1)
    assert known(0) == (0, -1, -1, -1)
    announce(3)
    assert known(2) == (0, -1, 1, 1)  # seat 0 may have both queens
    assert known(0) == (0, -1, -1, 1)
    announce(1)
    assert known(0) == known(1) == known(2) == known(3) == (0, 0, 1, 1)


@pytest.mark.parametrize("spec", ["doppelkopf", "doppelkopf(nines=false,tens=second-not-last)"])
def test_it_conforms(spec: str) -> None:
    report = check_game(find_game(spec), 4, seed=2)
    assert report.ok, str(report)


def test_the_rule_player_conforms() -> None:
    report = check_strategy(Rule("core:random"), DoppelkopfGame(), 6, seed=1)
    assert report.ok, str(report)


def test_the_rule_player_declares_and_announces_rarely_but_does() -> None:
    game = DoppelkopfGame()
    hands = [[game.layout.deck[c].kind for c in bits(m)] for n in range(500) for m in deal(game.layout, 3, n).masks]
    solos = sum(solo(hand) is not None for hand in hands)
    assert 0 < solos < len(hands) / 20
    assert solo(["CA", "CA", "SA", "SA", "HA", "HA", "DA", "DA", "CT", "CT", "ST", "ST"]) == "meatless"
    assert solo(["CQ", "CQ", "SQ", "SQ", "HQ", "CA", "CA", "SA", "SA", "HA", "D9", "C9"]) == "queens"
    assert solo(["HT", "CQ", "CQ", "SQ", "SQ", "HQ", "DQ", "DJ", "C9", "CK", "CA", "HA"]) is None
    assert strength(["HT", "HT", "CQ", "SQ", "SQ", "CJ", "CJ", "DA", "DT", "CA", "CA", "HA"]) > strength(hands[0])
