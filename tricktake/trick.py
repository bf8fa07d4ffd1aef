"""The play of the cards: whose turn, what is legal, who wins a trick and what it costs."""

from __future__ import annotations

from attrs import frozen

from tricktake.cards import bits
from tricktake.errors import IllegalAction
from tricktake.rules import TrickRules


@frozen
class Trick:
    """A finished or running trick: the cards in order of play, the leader, and once finished winner and cost."""

    leader: int
    cards: tuple[int, ...]
    winner: int = -1
    cost: int = 0


class TrickState:
    """A position in the play of the cards, with all hands open. Cards are deck indices, sets are masks over them.

    hands: mask of each seat. taken: cost credited to each seat so far; ``credit`` gives a start value (the skat).
    An incomplete position is allowed: seats that have played to the trick on the table hold one card less.

    ``play`` is the unchecked fast path, ``play_checked`` raises IllegalAction.
    """

    __slots__ = ("_undo", "broken", "hands", "leader", "rules", "table", "taken", "tricks", "won")

    def __init__(
        self,
        rules: TrickRules,
        hands: tuple[int, ...] | list[int],
        leader: int = 0,
        *,
        credit: tuple[int, ...] | None = None,
        table: tuple[int, ...] = (),
        broken: bool = False,
        first: bool = True,
    ) -> None:
        """``table``: cards already on the table, first played first. ``first``: no trick was finished before."""
        if len(hands) != rules.seats:
            raise ValueError(f"{len(hands)} hands for {rules.seats} seats")
        self.rules = rules
        self.hands = list(hands)
        self.leader = leader
        self.table: list[int] = list(table)
        self.taken = list(credit) if credit else [0] * rules.seats
        self.won = [0] * rules.seats  # tricks of each seat
        self.broken = broken
        self.tricks: list[Trick | None] = [] if first else [None]  # finished tricks; None: unknown earlier ones
        self._undo: list[tuple[int, bool]] = []
        size = max(h.bit_count() for h in self.hands)
        for k in range(rules.seats):
            seat = (leader + k) % rules.seats
            if self.hands[seat].bit_count() != size - (k < len(self.table)):
                raise ValueError("the hands do not fit the cards on the table")

    @property
    def turn(self) -> int:
        return (self.leader + len(self.table)) % self.rules.seats

    @property
    def over(self) -> bool:
        return not self.table and not any(self.hands)

    def legal_mask(self) -> int:
        """The cards the seat in turn may play."""
        return legal_mask(self.rules, self.hands[self.turn], self.table, broken=self.broken, first=not self.tricks)

    def legal(self) -> list[int]:
        return list(bits(self.legal_mask()))

    def best(self) -> int:
        """The card that wins the trick on the table so far."""
        return best_card(self.rules, self.table)

    def play(self, card: int) -> Trick | None:
        """Play a card of the seat in turn, unchecked; the trick if this finished one."""
        rules = self.rules
        self.hands[self.turn] &= ~(1 << card)
        self._undo.append((card, self.broken))
        self.table.append(card)
        self.broken = self.broken or bool(rules.breakers >> card & 1)
        if len(self.table) < rules.seats:
            return None
        best = self.best()
        winner = (self.leader + self.table.index(best)) % rules.seats
        last = not any(self.hands)
        cost = sum(rules.card_cost[c] for c in self.table) + rules.trick_cost + last * rules.last_trick_bonus
        trick = Trick(self.leader, tuple(self.table), winner, cost)
        self.tricks.append(trick)
        self.taken[winner] += cost
        self.won[winner] += 1
        self.table = []
        self.leader = winner
        return trick

    def play_checked(self, card: int) -> Trick | None:
        if not self.legal_mask() >> card & 1:
            name = self.rules.deck[card].name
            held = self.hands[self.turn] >> card & 1
            reason = "is not allowed here" if held else "is not in the hand"
            raise IllegalAction(f"seat {self.turn}: {name} {reason}")
        return self.play(card)

    def undo(self) -> int:
        """Take the last card back and return it."""
        card, broken = self._undo.pop()
        if not self.table:
            trick = self.tricks.pop()
            assert trick is not None
            self.table = list(trick.cards)
            self.leader = trick.leader
            self.taken[trick.winner] -= trick.cost
            self.won[trick.winner] -= 1
        self.table.pop()
        self.hands[self.turn] |= 1 << card
        self.broken = broken
        return card

    def side_taken(self, side: int) -> int:
        """What the seats of the mask ``side`` have been credited with."""
        return sum(self.taken[s] for s in bits(side))

    def copy(self) -> TrickState:
        """The same position without its history of undos."""
        other = TrickState.__new__(TrickState)
        other.rules, other.hands, other.leader = self.rules, list(self.hands), self.leader
        other.table, other.taken, other.won = list(self.table), list(self.taken), list(self.won)
        other.broken, other.tricks, other._undo = self.broken, list(self.tricks), []
        return other


def best_card(rules: TrickRules, table: list[int] | tuple[int, ...]) -> int:
    """The winning card of the cards on the table, first played first."""
    best = table[0]
    for card in table[1:]:
        if rules.beats(card, best):
            best = card
    return best


def legal_mask(rules: TrickRules, hand: int, table: list[int] | tuple[int, ...], *, broken: bool, first: bool) -> int:
    """The cards of ``hand`` that may be played to ``table``. ``first``: this is the first trick."""
    if not table:
        if first and hand & rules.first_lead:
            return hand & rules.first_lead
        free = hand if broken else hand & ~rules.lead_limit
        return free if free & ~rules.lead_excuse else hand
    allowed = hand
    if rules.follow:
        following = hand & rules.class_mask(table[0])
        if following:
            allowed = following
        elif rules.trump_when_void and rules.trump is not None:
            allowed = hand & rules.suit_mask(rules.trump) or hand
    if rules.overtake:
        allowed = allowed & rules.beaters_mask(best_card(rules, table)) or allowed
    if first:
        allowed = allowed & ~rules.first_ban or allowed
    return allowed


def excluded_mask(
    rules: TrickRules, card: int, table: list[int] | tuple[int, ...], *, broken: bool, first: bool
) -> int:
    """The cards a hand cannot hold if ``card`` is legal from it: the dual of ``legal_mask``.

    ``card`` of a hand is legal exactly if the hand holds none of these (SPEC 2.8, rule a, for every obligation).
    """
    everything = rules.deck.full_mask
    bit = 1 << card
    if not table:
        if first and bit & rules.first_lead:
            return 0
        out = rules.first_lead if first else 0
        if not broken and bit & rules.lead_limit:
            out |= everything & ~rules.lead_limit & ~rules.lead_excuse
        return out
    out, allowed = 0, everything
    if rules.follow:
        led = rules.class_mask(table[0])
        trumps = rules.suit_mask(rules.trump) if rules.trump is not None else 0
        if bit & led:
            allowed = led
        else:
            out = led
            if rules.trump_when_void and trumps & bit:
                allowed = trumps
            elif rules.trump_when_void:
                out |= trumps
    if rules.overtake:
        beaters = rules.beaters_mask(best_card(rules, table))
        if bit & beaters:
            allowed &= beaters
        else:
            out |= allowed & beaters
    if first and bit & rules.first_ban:
        out |= allowed & ~rules.first_ban
    return out
