"""The play of the cards: whose turn, what is legal, who wins a trick and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tricktake.cards import CardSet, bits
from tricktake.errors import IllegalAction
from tricktake.rules import Duty, Overtake, TrickRules


@frozen
class Trick:
    """A finished or running trick: the cards in order of play, the leader, and once finished winner and cost.

    cost: what the winner gets; cards whose cost stays with who played them are not in it.
    """

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

    __slots__ = ("_undo", "broken", "hands", "leader", "released", "rules", "table", "taken", "tricks", "won")

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
        released: bool = False,
    ) -> None:
        """``table``: cards already on the table, first played first. ``first``: no trick was finished before.

        broken: the lead limits are lifted. released: the suit of the duty was led in an earlier trick.
        """
        if len(hands) != rules.seats:
            raise ValueError(f"{len(hands)} hands for {rules.seats} seats")
        self.rules = rules
        self.hands = list(hands)
        self.leader = leader
        self.table: list[int] = list(table)
        self.taken = list(credit) if credit else [0] * rules.seats
        self.won = [0] * rules.seats  # tricks of each seat
        self.broken = broken
        self.released = released
        self.tricks: list[Trick | None] = [] if first else [None]  # finished tricks; None: unknown earlier ones
        self._undo: list[tuple[int, bool, bool, TrickRules]] = []
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

    def hand(self, seat: int) -> CardSet:
        """The cards a seat holds now."""
        return CardSet(self.rules.deck, self.hands[seat])

    def legal_cards_mask(self) -> int:
        """The cards the seat to move may play."""
        return legal_mask(
            self.rules,
            self.hands[self.turn],
            self.table,
            broken=self.broken,
            first=not self.tricks,
            released=self.released,
            leader=self.leader,
        )

    def legal_cards(self) -> CardSet:
        """``legal_cards_mask`` with names."""
        return CardSet(self.rules.deck, self.legal_cards_mask())

    def legal(self) -> list[int]:
        return list(bits(self.legal_cards_mask()))

    def best(self) -> int:
        """The card that wins the trick on the table so far."""
        return best_card(self.rules, self.table, last=not self.hands[self.leader])

    def play(self, card: int) -> Trick | None:
        """Play a card of the seat to move, unchecked; the trick if this finished one."""
        rules = self.rules
        self.hands[self.turn] &= ~(1 << card)
        self._undo.append((card, self.broken, self.released, rules))
        self.table.append(card)
        self.broken = self.broken or bool(rules.breakers >> card & 1)
        if len(self.table) < rules.seats:
            return None
        best = self.best()
        winner = (self.leader + self.table.index(best)) % rules.seats
        last = not any(self.hands)
        cost = rules.trick_cost + last * rules.last_trick_bonus
        cost += sum(rules.card_cost[c] for c in self.table if not rules.stays >> c & 1)
        trick = Trick(self.leader, tuple(self.table), winner, cost)
        for seat, kept in rules.kept(trick.cards, trick.leader):
            self.taken[seat] += kept
        self.released = self.released or bool(rules.duty_suit_mask >> suit_card(rules, self.table) & 1)
        self.tricks.append(trick)
        self.taken[winner] += cost
        self.won[winner] += 1
        self.table = []
        self.leader = winner
        if rules.alliance is not None and rules.alliance.fixed_by_trick and rules.teams is not None:
            found = rules.alliance.found(rules.teams, len(self.tricks), trick.cards[0], winner)
            if found is not None:
                self.rules = rules.with_teams(found)
        return trick

    def play_checked(self, card: int) -> Trick | None:
        if not self.legal_cards_mask() >> card & 1:
            name = self.rules.deck[card].name
            held = self.hands[self.turn] >> card & 1
            reason = "is not allowed here" if held else "is not in the hand"
            raise IllegalAction(f"seat {self.turn}: {name} {reason}")
        return self.play(card)

    def undo(self) -> int:
        """Take the last card back and return it."""
        card, broken, released, rules = self._undo.pop()
        if not self.table:
            trick = self.tricks.pop()
            assert trick is not None
            self.table = list(trick.cards)
            self.leader = trick.leader
            self.taken[trick.winner] -= trick.cost
            self.won[trick.winner] -= 1
            for seat, kept in rules.kept(trick.cards, trick.leader):
                self.taken[seat] -= kept
        self.table.pop()
        self.hands[self.turn] |= 1 << card
        self.broken, self.released, self.rules = broken, released, rules
        return card

    def side_taken(self, side: int) -> int:
        """What the seats of the mask ``side`` have been credited with."""
        return sum(self.taken[s] for s in bits(side))

    def copy(self) -> TrickState:
        """The same position without its history of undos."""
        other = TrickState.__new__(TrickState)
        other.rules, other.hands, other.leader = self.rules, list(self.hands), self.leader
        other.table, other.taken, other.won = list(self.table), list(self.taken), list(self.won)
        other.broken, other.released = self.broken, self.released
        other.tricks, other._undo = list(self.tricks), []
        return other


def best_card(rules: TrickRules, table: Sequence[int], last: bool = False) -> int:
    """The winning card of the cards on the table, first played first. last: in the last trick of the deal."""
    best = table[0]
    for card in table[1:]:
        if rules.beats(card, best, last):
            best = card
    return best


def suit_card(rules: TrickRules, table: Sequence[int]) -> int:
    """The card on the table whose suit is to be followed: the first that is not one of ``never_wins``, else the first
    of all, which sets no suit.
    """
    for card in table:
        if not rules.never_wins >> card & 1:
            return card
    return table[0]


def legal_mask(
    rules: TrickRules,
    hand: int,
    table: Sequence[int],
    *,
    broken: bool,
    first: bool,
    released: bool = False,
    leader: int = 0,
) -> int:
    """The cards of ``hand`` that may be played to ``table``. ``first``: this is the first trick.

    released: the suit of the duty was led in an earlier trick. leader: of this trick, where partners are spared.
    """
    duty = None if released else rules.duty
    if not table:
        return _leads(rules, hand, duty, broken, first)
    led, best = suit_card(rules, table), best_card(rules, table)
    trumps = rules.suit_mask(rules.trump) if rules.trump is not None else 0
    suit = 0 if rules.never_wins >> led & 1 else rules.same_suit_mask(led)
    beaters = rules.beaters_mask(best)
    allowed = hand
    if rules.follow and suit:
        if hand & suit & ~rules.need_not_follow:
            allowed = hand & suit
        elif rules.trump_when_void and suit != trumps and not _spared(rules, table, best, leader):
            allowed = hand & trumps or hand
    if duty is not None:
        allowed = hand & duty.cards or allowed if suit & duty.cards else allowed & ~duty.cards or allowed
    if rules.overtake is Overtake.ALWAYS:
        allowed = allowed & beaters or allowed
    elif rules.overtake is Overtake.TRUMPS and allowed & trumps & beaters:
        allowed &= ~trumps | beaters
    allowed |= hand & rules.always_legal
    if rules.no_undertrump and suit != trumps and trumps >> best & 1 and allowed & ~trumps:
        allowed &= ~trumps | beaters
    allowed = allowed & ~rules.last_resort or allowed
    if first:
        allowed = allowed & ~rules.first_ban or allowed
    return allowed


def _leads(rules: TrickRules, hand: int, duty: Duty | None, broken: bool, first: bool) -> int:
    if duty is not None and hand & duty.cards:
        suit = hand & rules.duty_suit_mask
        if not 0 < duty.length <= suit.bit_count():
            hand &= ~suit | duty.cards
    if first and hand & rules.first_lead:
        return hand & rules.first_lead
    free = hand if broken else hand & ~rules.lead_limit
    return free if free & ~rules.lead_excuse else hand


def _spared(rules: TrickRules, table: Sequence[int], best: int, leader: int) -> bool:
    """Whether a partner of the seat to move is winning the trick, and that frees it from trumping."""
    if not rules.spare_partner:
        return False
    seat, winner = (leader + len(table)) % rules.seats, (leader + list(table).index(best)) % rules.seats
    return bool(rules.partners_mask(seat) >> winner & 1)


def excluded_mask(
    rules: TrickRules,
    card: int,
    table: Sequence[int],
    *,
    broken: bool,
    first: bool,
    released: bool = False,
    leader: int = 0,
) -> int:
    """The cards a hand cannot hold if ``card`` is legal from it: the dual of ``legal_mask`` (GAP-8a).

    ``card`` of a hand is legal exactly if the hand holds none of these, wherever a rule can be said card by card. Not
    so: whether enough cards of the suit of a duty are held to lead another one; and, of cards that are always legal or
    need not be played, what narrows the choice of all others. There it says what is sure.
    """
    bit = 1 << card
    duty = None if released else rules.duty
    if not table:
        return _excluded_by_lead(rules, bit, duty, broken, first)
    led, best = suit_card(rules, table), best_card(rules, table)
    trumps = rules.suit_mask(rules.trump) if rules.trump is not None else 0
    suit = 0 if rules.never_wins >> led & 1 else rules.same_suit_mask(led)
    beaters = rules.beaters_mask(best)
    must_trump = rules.trump_when_void and suit != trumps and not _spared(rules, table, best, leader)
    # out: cannot be held; allowed: what would be legal for sure besides the card if it were held.
    out, allowed = _excluded_by_suit(rules, bit, suit, trumps, must_trump)
    if duty is not None:
        more, allowed = _excluded_by_duty(bit, duty, suit, allowed)
        out |= more
    if rules.overtake is not Overtake.NEVER:
        among = trumps if rules.overtake is Overtake.TRUMPS else rules.deck.full_mask
        if bit & (beaters | ~among):
            allowed &= beaters | ~among
        else:
            out |= allowed & among & beaters
    allowed |= rules.always_legal
    plain = allowed & ~trumps
    if bit & rules.always_legal:  # it was legal whatever narrowed the choice of others
        out, allowed = 0, rules.always_legal
        narrow = rules.trump_when_void or rules.overtake is Overtake.ALWAYS or duty is not None or not rules.follow
        plain = (allowed if narrow else rules.deck.full_mask) & ~trumps
    if rules.no_undertrump and suit != trumps and trumps >> best & 1:
        if bit & trumps & ~beaters:
            out |= plain
        else:
            allowed &= ~trumps | beaters
    if bit & rules.last_resort:
        out |= allowed & ~rules.last_resort
    else:
        allowed &= ~rules.last_resort
    if first and bit & rules.first_ban:
        out |= allowed & ~rules.first_ban
    return out


def _excluded_by_suit(rules: TrickRules, bit: int, suit: int, trumps: int, must_trump: bool) -> tuple[int, int]:
    """What following suit and trumping exclude, and what they would allow."""
    if not (rules.follow and suit):
        return 0, rules.deck.full_mask
    if bit & suit:
        return 0, suit & ~rules.need_not_follow if must_trump and bit & rules.need_not_follow else suit
    out = suit & ~rules.need_not_follow
    if must_trump and bit & trumps:
        return out, trumps
    return out | trumps if must_trump else out, rules.deck.full_mask


def _excluded_by_duty(bit: int, duty: Duty, suit: int, allowed: int) -> tuple[int, int]:
    """What a duty excludes, and what it leaves of the ``allowed`` cards."""
    if suit & duty.cards:
        return (0, duty.cards) if bit & duty.cards else (duty.cards, allowed)
    return (allowed & ~duty.cards, allowed) if bit & duty.cards else (0, allowed & ~duty.cards)


def _excluded_by_lead(rules: TrickRules, bit: int, duty: Duty | None, broken: bool, first: bool) -> int:
    out, allowed = 0, rules.deck.full_mask
    if duty is not None:
        suit = rules.duty_suit_mask
        if bit & suit & ~duty.cards and duty.length == 0:
            out |= duty.cards
        else:
            allowed &= ~suit | duty.cards  # of the others it depends on the hand whether they are legal
    if first and bit & rules.first_lead:
        return out
    out |= allowed & rules.first_lead if first else 0
    if not broken and bit & rules.lead_limit:
        out |= allowed & ~rules.lead_limit & ~rules.lead_excuse
    return out
