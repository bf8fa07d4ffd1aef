"""What a seat knows in the play of the cards, and for whom it plays: what a paranoia search starts from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from tricktake.alliance import UNKNOWN
from tricktake.cards import CardSet, bits
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.trick import best_card, excluded_mask, legal_mask, suit_card
from tricktake.view import View


@frozen
class InfoSet:
    """A position of the play as one seat knows it.

    mine: mask over the seats it decides for, whose hands it knows. team: mask over the seats whose cost counts for it.
    taken: what these have been credited with, with what is known to lie in places credited to them. Where teams are
    hidden the team is who surely belongs to it, or if it avoids cost, who may.
    """

    rules: TrickRules
    knowledge: Knowledge
    mine: int
    team: int
    leader: int
    table: tuple[int, ...] = ()
    broken: bool = False
    first: bool = False
    taken: int = 0
    released: bool = False

    @classmethod
    def from_view(cls, view: View, rules: TrickRules | None = None, knowledge: Knowledge | None = None) -> InfoSet:
        """The information set of a view. rules: other costs and goals for the same play (tricks instead of points).

        Raises ValueError outside the play of the cards.
        """
        rules = rules or view.rules
        if rules is None:
            raise ValueError("there are no tricks yet")
        # Conditions are left out: more worlds are thought possible then, and what is sure in these is sure.
        knowledge = evolve(knowledge or Knowledge.from_view(view), conditions=())
        team = rules.side_mask(view.seat)
        if rules.alliance is not None and rules.goal(view.seat).sense < 0:
            team |= sum(1 << seat for seat in range(rules.seats) if rules.team(seat) == UNKNOWN)
        taken = 0
        for trick in view.tricks:
            if team >> trick.winner & 1:
                taken += rules.trick_cost + sum(rules.card_cost[c] for c in trick.cards if not rules.stays >> c & 1)
            taken += sum(cost for seat, cost in rules.kept(trick.cards, trick.leader) if team >> seat & 1)
        for name, seat in rules.credits:
            if team >> seat & 1:
                taken += rules.cost_of(knowledge.known[knowledge.layout.names.index(name)])
        mine = view.decides | 1 << view.seat
        first, released = not view.tricks, view.released
        return cls(rules, knowledge, mine, team, view.leader, view.table, view.broken, first, taken, released)

    @property
    def turn(self) -> int:
        return (self.leader + len(self.table)) % self.rules.seats

    @property
    def my_turn(self) -> bool:
        return bool(self.mine >> self.turn & 1)

    def size(self, seat: int) -> int:
        """How many cards a seat holds."""
        hidden = sum(place.size for place in self.knowledge.hidden if place.index == seat)
        return self.knowledge.known[seat].bit_count() + hidden

    @property
    def left(self) -> int:
        """Tricks not yet finished."""
        return max(self.size(seat) for seat in range(self.rules.seats))

    @property
    def credited(self) -> int:
        """The places of the layout, as a mask, whose cards count for the team."""
        names = self.knowledge.layout.names
        return sum(1 << names.index(name) for name, seat in self.rules.credits if self.team >> seat & 1)

    @property
    def bounds(self) -> tuple[int, int]:
        """The final cost of the team if it gets the worst, or the best, of all that is left, wherever that lies."""
        rules, known = self.rules, self.knowledge
        cards = known.unseen | sum(1 << card for card in self.table)
        for seat in range(rules.seats):
            cards |= known.known[seat]
        costs = [rules.card_cost[card] for card in bits(cards)] + [rules.trick_cost] * self.left
        costs += [rules.last_trick_bonus] if self.left else []
        return self.taken + sum(min(c, 0) for c in costs), self.taken + sum(max(c, 0) for c in costs)

    def can_meet(self, goal: Goal) -> bool:
        """Whether a goal with a number is not yet out of reach for the team."""
        least, most = self.bounds
        if goal.kind is GoalKind.EXACTLY:
            return least <= goal.n <= most
        return bool(goal.met(most if goal.sense > 0 else least))

    @property
    def _moment(self) -> dict[str, Any]:
        """What legality depends on besides the hand and the table."""
        return {"broken": self.broken, "first": self.first, "released": self.released, "leader": self.leader}

    def choices(self) -> CardSet:
        """``choices_mask`` with names."""
        return CardSet(self.rules.deck, self.choices_mask())

    def choices_mask(self) -> int:
        """The cards the seat to move can play in some world."""
        if self.my_turn:
            held = self.knowledge.known[self.turn]
            return legal_mask(self.rules, held, self.table, **self._moment)
        return sum(
            1 << card for card in bits(self.knowledge.may_hold_mask(self.turn)) if self._learned(card) is not None
        )

    def _learned(self, card: int) -> Knowledge | None:
        """What is known once the seat to move, another's, has shown this card; None if it cannot play it."""
        seat, knowledge = self.turn, self.knowledge
        excluded = excluded_mask(self.rules, card, self.table, **self._moment)
        if knowledge.known[seat] & excluded:
            return None
        if excluded & knowledge.may_hold_mask(seat):
            knowledge = knowledge.with_cannot(seat, excluded)
            if not knowledge.feasible() or not knowledge.may_hold_mask(seat) >> card & 1:
                return None
        return knowledge if knowledge.known[seat] >> card & 1 else knowledge.with_card(seat, card)

    def after(self, card: int) -> InfoSet:
        """What is known after a card of the seat to move. Raises ValueError if it can be played in no world."""
        if self.my_turn:
            learned = self.knowledge if self.choices_mask() >> card & 1 else None
        else:
            learned = self._learned(card)
        if learned is None:
            raise ValueError(f"seat {self.turn} cannot play {self.rules.deck[card].name} in any world")
        return self._played(card, learned)

    def answers(self) -> Iterator[tuple[int, InfoSet]]:
        """Every card the seat to move can play in some world, and what is known then."""
        for card in bits(self.choices_mask() if self.my_turn else self.knowledge.may_hold_mask(self.turn)):
            learned = self.knowledge if self.my_turn else self._learned(card)
            if learned is not None:
                yield card, self._played(card, learned)

    def _played(self, card: int, learned: Knowledge) -> InfoSet:
        rules = self.rules
        knowledge = evolve(learned, known=tuple(mask & ~(1 << card) for mask in learned.known))
        table = (*self.table, card)
        broken = self.broken or bool(rules.breakers >> card & 1)
        after = evolve(self, knowledge=knowledge, table=table, broken=broken)
        if len(table) < rules.seats:
            return after
        winner = (self.leader + table.index(best_card(rules, table, last=after.left == 0))) % rules.seats
        taken = self.taken
        if self.team >> winner & 1:
            taken += sum(rules.card_cost[c] for c in table if not rules.stays >> c & 1) + rules.trick_cost
            taken += rules.last_trick_bonus if after.left == 0 else 0
        taken += sum(cost for seat, cost in rules.kept(table, self.leader) if self.team >> seat & 1)
        released = self.released or bool(rules.duty_suit_mask >> suit_card(rules, table) & 1)
        return evolve(after, leader=winner, table=(), first=False, taken=taken, released=released)
