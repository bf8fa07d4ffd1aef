"""Slow and obvious twins of the fast code, written another way on purpose. Each part of the project has its section."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from tricktake.cards import bits
from tricktake.knowledge import Knowledge
from tricktake.rules import Overtake, Tie, TrickRules
from tricktake.trick import TrickState

# ---- core: the play of the cards, with lists of cards instead of masks -------------------------------------------


def naive_winner(rules: TrickRules, table: list[int], last: bool = False) -> int:
    """The place on the table (0: led) of the winning card: look for the strongest of the ruling suit."""
    supreme = [place for place, c in enumerate(table) if rules.always_wins >> c & 1]
    if supreme:
        return supreme[0]
    real = [c for c in table if not rules.never_wins >> c & 1]
    if not real:
        return 0
    ruling = rules.suit_of[real[0]]
    if rules.trump is not None and any(rules.suit_of[c] == rules.trump for c in real):
        ruling = rules.trump
    strongest = max(rules.power[c] for c in real if rules.suit_of[c] == ruling)
    equal = [c for c in real if rules.suit_of[c] == ruling and rules.power[c] == strongest]
    first = rules.ties == Tie.FIRST
    if rules.other_ties >> equal[0] & 1 and not (last and rules.last_ties):
        first = not first
    return table.index(equal[0] if first else equal[-1])


def naive_legal(
    rules: TrickRules,
    hand: list[int],
    table: list[int],
    broken: bool,
    first: bool,
    released: bool = False,
    leader: int = 0,
) -> list[int]:
    """The playable cards, by narrowing a list while something is left of it."""

    def prefer(cards: list[int], wanted) -> list[int]:
        return [c for c in cards if wanted(c)] or cards

    def named(mask: int, c: int) -> bool:
        return bool(mask >> c & 1)

    called, called_suit = 0, None
    if rules.duty is not None and not released:
        called = rules.duty.cards
        called_suit = next(rules.suit_of[c] for c in range(len(rules.deck)) if named(called, c))
    if not table:
        suit = [c for c in hand if rules.suit_of[c] == called_suit]
        if any(named(called, c) for c in hand) and (not rules.duty.length or len(suit) < rules.duty.length):
            hand = [c for c in hand if c not in suit or named(called, c)]
        if first and any(named(rules.first_lead, c) for c in hand):
            return [c for c in hand if named(rules.first_lead, c)]
        if broken or not any(not named(rules.lead_limit | rules.lead_excuse, c) for c in hand):
            return hand
        return [c for c in hand if not named(rules.lead_limit, c)]
    cards = list(hand)
    real = [c for c in table if not named(rules.never_wins, c)]
    led = rules.suit_of[real[0]] if real else None
    winning = naive_winner(rules, table)
    if rules.follow and led is not None:
        if any(rules.suit_of[c] == led and not named(rules.need_not_follow, c) for c in hand):
            cards = [c for c in hand if rules.suit_of[c] == led]
        elif rules.trump_when_void and rules.trump is not None and led != rules.trump:
            partner = rules.teams is not None and (
                rules.teams[(leader + len(table)) % rules.seats] == rules.teams[(leader + winning) % rules.seats]
            )
            if not (rules.spare_partner and partner):
                cards = prefer(hand, lambda c: rules.suit_of[c] == rules.trump)
    if called and led == called_suit:
        cards = [c for c in hand if named(called, c)] or cards
    elif called:
        cards = prefer(cards, lambda c: not named(called, c))

    def over(c: int) -> bool:
        return naive_winner(rules, [*table, c]) == len(table)

    def low_trump(c: int) -> bool:
        return rules.suit_of[c] == rules.trump and not over(c)

    if rules.overtake == Overtake.ALWAYS:
        cards = prefer(cards, over)
    elif rules.overtake == Overtake.TRUMPS and any(rules.suit_of[c] == rules.trump and over(c) for c in cards):
        cards = [c for c in cards if not low_trump(c)]
    cards += [c for c in hand if named(rules.always_legal, c) and c not in cards]
    ruffed = rules.trump is not None and led != rules.trump and rules.suit_of[table[winning]] == rules.trump
    if rules.no_undertrump and ruffed and any(rules.suit_of[c] != rules.trump for c in cards):
        cards = [c for c in cards if not low_trump(c)]
    cards = prefer(cards, lambda c: not named(rules.last_resort, c))
    if first:
        cards = prefer(cards, lambda c: not named(rules.first_ban, c))
    return cards


class NaiveTricks:
    """A position as lists: hands, the cards on the table, and what each seat has taken."""

    def __init__(self, rules, hands, leader=0, table=(), broken=False, first=True, taken=None, released=False):
        self.rules = rules
        self.hands = [list(h) for h in hands]
        self.leader = leader
        self.table = list(table)
        self.broken = broken
        self.first = first
        self.released = released
        self.taken = list(taken) if taken else [0] * rules.seats

    @classmethod
    def of(cls, state) -> NaiveTricks:
        """The same position as a TrickState's."""
        return cls(
            state.rules,
            [[c for c in range(64) if h >> c & 1] for h in state.hands],
            state.leader,
            state.table,
            state.broken,
            not state.tricks,
            state.taken,
            state.released,
        )

    @property
    def turn(self) -> int:
        return (self.leader + len(self.table)) % self.rules.seats

    @property
    def over(self) -> bool:
        return not self.table and all(not h for h in self.hands)

    def legal(self) -> list[int]:
        hand = self.hands[self.turn]
        return sorted(naive_legal(self.rules, hand, self.table, self.broken, self.first, self.released, self.leader))

    def after(self, card: int) -> NaiveTricks:
        """A new position after a card."""
        rules = self.rules
        hands = [[c for c in h if c != card] for h in self.hands]
        broken = self.broken or bool(rules.breakers >> card & 1)
        table = [*self.table, card]
        if len(table) < rules.seats:
            return NaiveTricks(rules, hands, self.leader, table, broken, self.first, self.taken, self.released)
        winner = (self.leader + naive_winner(rules, table, last=not any(hands))) % rules.seats
        taken = list(self.taken)
        taken[winner] += rules.trick_cost + (0 if any(hands) else rules.last_trick_bonus)
        for place, c in enumerate(table):
            taken[(self.leader + place) % rules.seats if rules.stays >> c & 1 else winner] += rules.card_cost[c]
        released = self.released
        if rules.duty is not None:
            real = [c for c in table if not rules.never_wins >> c & 1] or table
            suits = {rules.suit_of[c] for c in bits(rules.duty.cards)}
            released = released or rules.suit_of[real[0]] in suits
        return NaiveTricks(rules, hands, winner, [], broken, False, taken, released)


# ---- core: worlds, by trying every assignment of every card ------------------------------------------------------


def naive_worlds(k: Knowledge) -> Iterator[dict[int, int]]:
    """Every world as {card: number of the hidden place}; exponential, for small knowledge only."""
    cards = [c for c in range(len(k.layout.deck)) if k.unseen >> c & 1]
    for places in itertools.product(range(len(k.hidden)), repeat=len(cards)):
        if [places.count(p) for p in range(len(k.hidden))] != [h.size for h in k.hidden]:
            continue
        if any(k.cannot[p] >> c & 1 for c, p in zip(cards, places, strict=True)):
            continue
        yield dict(zip(cards, places, strict=True))


def grouped_count(k: Knowledge) -> int:
    """How many worlds fit: cards that may lie in the same places are shared among these by number, not one by one."""
    ways = {tuple(place.size for place in k.hidden): 1}
    for allowed, cards in k.groups().items():
        after: dict[tuple[int, ...], int] = {}
        places = [i for i in range(len(k.hidden)) if allowed >> i & 1]
        for left, number in ways.items():
            for taken in itertools.product(*(range(left[p] + 1) for p in places)):
                if sum(taken) == cards.bit_count():
                    rest = list(left)
                    choices = math.factorial(sum(taken))
                    for p, n in zip(places, taken, strict=True):
                        rest[p] -= n
                        choices //= math.factorial(n)
                    after[tuple(rest)] = after.get(tuple(rest), 0) + number * choices
        ways = after
    return sum(ways.values())


# ---- open-card play (solver) ----------------------------------------------------------------------------------------


def wants_more(state: TrickState, side: int) -> bool:
    """Whether the seat to move wants the side to get cost."""
    sense = state.rules.goal(next(bits(side))).sense
    return (sense > 0) == bool(side >> state.turn & 1)


def minimax(state: TrickState, side: int) -> int:
    """What the side has at the end if everybody plays best."""
    if state.over:
        return state.side_taken(side)
    return (max if wants_more(state, side) else min)(card_values(state, side).values())


def relaxed(state: TrickState, lone: int) -> int:
    """What a lone seat that avoids cost has at the end if any of its opponents may lead whenever one of them is to."""
    if state.over:
        return state.taken[lone]
    starts = [state]
    if not state.table and state.turn != lone:
        starts = [
            TrickState(state.rules, state.hands, seat, credit=tuple(state.taken), broken=state.broken, first=False)
            for seat in range(state.rules.seats)
            if seat != lone
        ]
    values = []
    for start in starts:
        for card in start.legal():
            start.play(card)
            values.append(relaxed(start, lone))
            start.undo()
    return (min if state.turn == lone else max)(values)


def card_values(state: TrickState, side: int) -> dict[int, int]:
    """``minimax`` after each legal card."""
    values = {}
    for card in state.legal():
        state.play(card)
        values[card] = minimax(state, side)
        state.undo()
    return values


def can_force(state: TrickState, side: int, total: int) -> bool:
    """Whether the side can force its final cost to be exactly ``total``."""
    if state.over:
        return state.side_taken(side) == total
    answers = []
    for card in state.legal():
        state.play(card)
        answers.append(can_force(state, side, total))
        state.undo()
    return any(answers) if side >> state.turn & 1 else all(answers)


def play_out(state: TrickState, x: int, manners: bool = False) -> tuple[list[int], int]:
    """What each seat takes if every card is drawn at random, and the next random number (xorshift 13, 7, 17).

    Cards are drawn in the order of the compiled rules. manners: 14 of 16 cards are those of ``mannerly``.
    """
    start = list(state.taken)
    order = [int(c) for c in state.rules.compile().to_deck]
    while not state.over:
        x = (x ^ x << 13) % 2**64
        x = x ^ x >> 7
        x = (x ^ x << 17) % 2**64
        choices = [c for c in order if c in naive_legal_of(state)]
        card = choices[(x // 2**32 % 2**31) * len(choices) // 2**31]
        state.play(mannerly(state, choices, card) if manners and x % 16 >= 2 else card)
    return [after - before for after, before in zip(state.taken, start, strict=True)], x


def mannerly(state: TrickState, choices: list[int], drawn: int) -> int:
    """The card of a player who knows that it wants cost or avoids it."""
    rules, seat, cost, power = state.rules, state.turn, state.rules.card_cost, state.rules.power
    wants = rules.goal(seat).sense > 0
    if not state.table:
        return drawn if wants else next(c for c in choices if rules.suit_of[c] == rules.suit_of[drawn])
    place = state.table.index(state.best())
    partner = rules.team((state.leader + place) % rules.seats) == rules.team(seat)
    last = len(state.table) == rules.seats - 1
    winning = [c for c in choices if rules.beats(c, state.best())]
    losing = [c for c in choices if c not in winning]
    if not wants and losing:
        return max(losing, key=lambda c: (cost[c], power[c]))
    if not wants:
        return min(winning, key=lambda c: (cost[c], -power[c] if last else power[c]))
    if partner and losing:
        return min(losing, key=lambda c: (-cost[c], power[c]))
    if partner:
        return min(winning, key=lambda c: power[c])
    if winning and last:
        return min(winning, key=lambda c: (-cost[c], power[c]))
    if winning:
        return max(winning, key=lambda c: power[c])
    return min(losing, key=lambda c: (cost[c], power[c]))


def naive_legal_of(state: TrickState) -> list[int]:
    """``naive_legal`` for the seat to move."""
    hand = list(bits(state.hands[state.turn]))
    return naive_legal(
        state.rules, hand, list(state.table), state.broken, not state.tricks, state.released, state.leader
    )
