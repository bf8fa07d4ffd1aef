"""What the tests of parlour games share: games beside a slow twin that knows cards by name, scripted games."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tricktake.cards import bits
from tricktake.deal import Deal, deal
from tricktake.game import Game
from tricktake.table import Table


class Twin:
    """The play of the cards with lists of names, as a rule book tells it: follow suit, trump, the highest card wins.

    A game with other rules overrides ``suit``, ``rank``, ``legal`` or ``winner``.
    """

    ranks = "23456789TJQKA"

    def __init__(self, hands: Sequence[Sequence[str]], leader: int, trump: str | None = None) -> None:
        self.hands = [list(hand) for hand in hands]
        self.turn = self.leader = leader
        self.trump = trump
        self.table: list[str] = []
        self.tricks: list[tuple[int, list[str]]] = []  # winner, cards in order

    def suit(self, card: str) -> str:
        return card[0]

    def rank(self, card: str) -> int:
        return self.ranks.index(card[1])

    def legal(self) -> list[str]:
        hand = self.hands[self.turn]
        if not self.table:
            return self.leads(hand)
        led = self.suit(self.table[0])
        return [card for card in hand if self.suit(card) == led] or hand

    def leads(self, hand: list[str]) -> list[str]:
        return hand

    def winner(self) -> int:
        """The place on the table of the winning card."""
        suits = [self.suit(card) for card in self.table]
        ruling = self.trump if self.trump in suits else suits[0]
        return max((self.rank(card), place) for place, card in enumerate(self.table) if suits[place] == ruling)[1]

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.table.append(card)
        self.turn = (self.turn + 1) % len(self.hands)
        if len(self.table) == len(self.hands):
            self.turn = self.leader = (self.leader + self.winner()) % len(self.hands)
            self.tricks.append((self.leader, self.table))
            self.table = []

    def won(self, *seats: int) -> int:
        return sum(winner in seats for winner, _ in self.tricks)


def names(game: Game, mask: int) -> list[str]:
    return [game.layout.deck[card].name for card in bits(mask)]


def play_along(
    game: Game, number: int, twin_of: Callable[[Table, list[list[str]]], Twin], board: int = 0
) -> tuple[Table, Twin | None]:
    """A random game, compared with its twin before every card; the twin is None if it ended before the play."""
    rng = random.Random(number)
    table = Table.start(game, deal(game.layout, 5, number), board)
    twin = None
    while table.turn is not None:
        legal = table.legal()
        action = legal[rng.randrange(len(legal))]
        if table.tricks is not None:
            if twin is None:
                twin = twin_of(table, [names(game, hand) for hand in table.hands])
            assert twin.turn == table.turn
            assert sorted(twin.legal()) == sorted(game.layout.deck[a.cards[0]].name for a in legal if a.verb == "play")
            if action.verb == "play":
                twin.play(game.layout.deck[action.cards[0]].name)
        table.apply(action)
    if twin is not None:
        assert table.tricks is not None
        assert [trick.winner for trick in table.tricks.tricks if trick] == [winner for winner, _ in twin.tricks]
    return table, twin


def scripted(game: Game, cards: str, *actions: str, board: int = 0) -> Table:
    """A game of a deal told place by place, with these actions, then with the strongest legal card every time."""
    table = Table.start(game, Deal.from_text(game.layout, cards), board)
    for action in actions:
        table.apply(game.parse(action, table))
    while not table.over:
        assert table.tricks is not None
        rules = table.tricks.rules
        table.apply(
            max(table.legal(), key=lambda a: (rules.suit_of[a.cards[0]] == rules.trump, rules.power[a.cards[0]]))
        )
    return table


def run(suit: str, ranks: str) -> str:
    """Cards of a suit: ``run("H", "AKQ")`` is "HA HK HQ"."""
    return " ".join(suit + rank for rank in ranks)
