"""The slow and obvious twin of the paranoia search: AND/OR over an explicit set of worlds, as lists of hands.

Nothing is concluded from a card but that the worlds are left in which the seat held it and might play it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tests.naive import naive_legal, naive_winner
from tricktake import worlds
from tricktake.cards import bits, unsigned
from tricktake.search.infoset import InfoSet

World = tuple[int, ...]


class WorldSet:
    """An information set as all its worlds; a set of them is a mask over their numbers.

    caps: worlds that hold more cards of a play suit in a hand than (hidden place, suit) allows are left out.
    """

    def __init__(self, info: InfoSet, caps: dict[tuple[int, int], int] | None = None) -> None:
        self.info, self.rules = info, info.rules
        rows = [tuple(unsigned(int(m)) for m in row) for row in worlds.enumerate(info.knowledge)]
        self.worlds: list[World] = [world for world in rows if self._allowed(world, caps or {})]
        self.all = (1 << len(self.worlds)) - 1
        self.credit = [
            sum(self.rules.cost_of(world[p] & ~known) for p, known in enumerate(info.knowledge.known)
                if info.credited >> p & 1)
            for world in self.worlds
        ]  # fmt: skip
        self.legal: Callable[..., int] = cache(self._legal)

    def _allowed(self, world: World, caps: dict[tuple[int, int], int]) -> bool:
        k = self.info.knowledge
        return all(
            (world[k.hidden[i].index] & k.unseen & self.rules.suit_mask(suit)).bit_count() <= most
            for (i, suit), most in caps.items()
        )

    def _legal(self, hand: int, table: tuple[int, ...], broken: bool, first: bool) -> int:
        return sum(1 << c for c in naive_legal(self.rules, list(bits(hand)), list(table), broken, first))

    def held(self, alive: int, seat: int, gone: int) -> dict[int, int]:
        """The worlds of a set by the hand a seat has in them."""
        hands: dict[int, int] = {}
        for i in bits(alive):
            hand = self.worlds[i][seat] & ~gone
            hands[hand] = hands.get(hand, 0) | 1 << i
        return hands

    def value(self) -> int:
        """The worst case over all worlds, as the team values it."""
        info, rules = self.info, self.rules
        sense = rules.goal(next(bits(info.team))).sense
        memo: dict[object, int] = {}

        def search(alive: int, gone: int, leader: int, table: tuple[int, ...], broken: bool, first: bool) -> int:
            key = (alive, gone, leader, table, broken, first)
            if key in memo:
                return memo[key]
            seat = (leader + len(table)) % rules.seats
            mine = info.mine >> seat & 1
            hands = self.held(alive, seat, gone)
            if not any(hands):
                best = min(sense * self.credit[i] for i in bits(alive))
            else:
                answers: dict[int, int] = {}
                for hand, where in hands.items():
                    for card in bits(self.legal(hand, table, broken, first)):
                        answers[card] = answers.get(card, 0) | where
                values = [after(left, gone, leader, table, broken, first, card) for card, left in answers.items()]
                best = max(values) if mine else min(values)
            memo[key] = best
            return best

        def after(
            alive: int, gone: int, leader: int, table: tuple[int, ...], broken: bool, first: bool, card: int
        ) -> int:
            table, gone, broken = (*table, card), gone | 1 << card, broken or bool(rules.breakers >> card & 1)
            if len(table) < rules.seats:
                return search(alive, gone, leader, table, broken, first)
            winner = (leader + naive_winner(rules, list(table))) % rules.seats
            gain = sense * self.gain(winner, table, alive, gone)
            return gain + search(alive, gone, winner, (), broken, False)

        return sense * info.taken + search(self.all, 0, info.leader, info.table, info.broken, info.first)

    def gain(self, winner: int, table: tuple[int, ...], alive: int, gone: int) -> int:
        """What a finished trick brings the team."""
        if not self.info.team >> winner & 1:
            return 0
        some = self.worlds[next(bits(alive))]
        last = not any(some[s] & ~gone for s in range(self.rules.seats))
        return sum(self.rules.card_cost[c] for c in table) + self.rules.trick_cost + last * self.rules.last_trick_bonus

    def exactly(self, n: int) -> bool:
        """Whether one plan ends with exactly n in all worlds."""
        info, rules = self.info, self.rules
        memo: dict[object, bool] = {}

        def search(
            alive: int, gone: int, leader: int, table: tuple[int, ...], broken: bool, first: bool, taken: int
        ) -> bool:
            key = (alive, gone, leader, table, broken, first, taken)
            if key not in memo:
                seat = (leader + len(table)) % rules.seats
                hands = self.held(alive, seat, gone)
                if not any(hands):
                    memo[key] = all(taken + self.credit[i] == n for i in bits(alive))
                else:
                    answers: dict[int, int] = {}
                    for hand, where in hands.items():
                        for card in bits(self.legal(hand, table, broken, first)):
                            answers[card] = answers.get(card, 0) | where
                    found = (
                        after(left, gone, leader, table, broken, first, taken, card) for card, left in answers.items()
                    )
                    memo[key] = any(found) if info.mine >> seat & 1 else all(found)
            return memo[key]

        def after(
            alive: int, gone: int, leader: int, table: tuple[int, ...], broken: bool, first: bool, taken: int, card: int
        ) -> bool:
            table, gone, broken = (*table, card), gone | 1 << card, broken or bool(rules.breakers >> card & 1)
            if len(table) < rules.seats:
                return search(alive, gone, leader, table, broken, first, taken)
            winner = (leader + naive_winner(rules, list(table))) % rules.seats
            taken += self.gain(winner, table, alive, gone)
            return search(alive, gone, winner, (), broken, False, taken)

        return search(self.all, 0, info.leader, info.table, info.broken, info.first, info.taken)
