"""What a contract means for the play of the cards, as data.

A ``TrickRules`` value holds everything the kernels know of a game. ``compile()`` renumbers the card instances so
that within a play suit a higher bit is stronger, and returns int64 arrays; numba compiles once for all games.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import evolve, field, frozen, validators

from tricktake._kernels import layout as at
from tricktake.alliance import UNKNOWN, Alliance
from tricktake.arrays import IntArray
from tricktake.cards import WORD, CardSet, Deck, bits, signed
from tricktake.errors import TooManyCards


class _Named(enum.IntEnum):
    """Written as it is typed: ``GoalKind.AT_LEAST``."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Tie(_Named):
    """Which of two equal cards (copies of a kind) wins a trick."""

    FIRST = 0
    LAST = 1


class Overtake(_Named):
    """When a card that beats the best so far must be played, if that is possible within what else is demanded."""

    NEVER = 0
    ALWAYS = 1
    TRUMPS = 2  # who plays a trump plays one that beats the best card so far, if he holds one


class GoalKind(_Named):
    """What a side wants of the cost it captures."""

    MOST = 0  # as much as possible
    LEAST = 1  # as little as possible
    AT_LEAST = 2  # at least n
    AT_MOST = 3  # at most n; n = 0 is "take none"
    EXACTLY = 4  # exactly n


@frozen
class Goal:
    """The aim of one team: ``kind`` and, where it has one, the number ``n``, in units of cost."""

    kind: GoalKind = GoalKind.MOST
    n: int = 0

    @property
    def sense(self) -> int:
        """+1 if the team wants cost, -1 if it avoids it."""
        return -1 if self.kind in (GoalKind.LEAST, GoalKind.AT_MOST) else 1

    def met(self, cost: int) -> bool | None:
        """Whether ``cost`` meets the goal; None for goals without a threshold."""
        match self.kind:
            case GoalKind.AT_LEAST:
                return cost >= self.n
            case GoalKind.AT_MOST:
                return cost <= self.n
            case GoalKind.EXACTLY:
                return cost == self.n
            case _:
                return None


@frozen
class Duty:
    """What the holder of one of ``cards`` (all of one play suit) has to do until their suit was led once.

    He plays one of them when their suit is led, throws none of them away on another suit if anything else is legal,
    and leads no other card of the suit, unless he holds at least ``length`` cards of it (0: never). Then, and
    after the first trick in which the suit was led, he is free.
    """

    cards: int
    length: int = 0


@frozen
class Aim:
    """Something a side can try for in the play, besides or beyond the goal of its rules (Schneider, an overtrick).

    goal: in units of the cost of the rules, or with ``tricks`` in tricks. name: as shown to people ("Schneider").
    """

    name: str
    goal: Goal
    tricks: bool = False


@frozen(eq=False)
class CompiledRules:
    """``TrickRules`` as the kernels take them: int64 arrays over compiled card bits.

    header: shape (HEADER_SIZE,), see the ``H_`` constants.
    cards: shape (CARD_ROWS, n), play suit, power and cost of each compiled bit. Bits of a suit are contiguous and
        ascend in power, so within a suit a higher bit is stronger or, if the powers are equal, a copy.
    suits: shape (MAX_SUITS,), the mask of each play suit, 0 beyond the last.
    to_deck, from_deck: shape (n,), compiled bit -> deck index and back.
    """

    header: IntArray
    cards: IntArray
    suits: IntArray
    to_deck: IntArray
    from_deck: IntArray

    def mask_from_deck(self, mask: int) -> int:
        """A mask over deck indices as an int64 over compiled bits."""
        out = 0
        for i in bits(mask):
            out |= 1 << int(self.from_deck[i])
        return signed(out)

    def mask_to_deck(self, mask: int) -> int:
        """The reverse of ``mask_from_deck``; never negative."""
        out = 0
        for i in bits(mask & ((1 << 64) - 1)):
            out |= 1 << int(self.to_deck[i])
        return out


@frozen(cache_hash=True)
class TrickRules:
    """What a contract means for play. Tuples over cards are in deck order, costs are integers of any sign.

    suit_of, power: play suit (0..7) and strength of each card instance; equal power in a suit marks copies.
    trump: the play suit that beats all others, or None.
    card_cost, trick_cost, last_trick_bonus: what the winner of a trick is credited with.
    ties: who wins between copies. other_ties: copies of these are decided the other way, with ``last_ties`` not in the
        last trick (Doppelkopf: the second ten of hearts beats the first).
    teams: team number of each seat; None if every seat is on its own. ``goals`` gives the aim of each team.
    alliance: teams that depend on the cards. ``teams`` is None then, or says which teams are true or known.
    seat_goals: aims of single seats besides the team's (nil), None where a seat has none.
    follow: the led suit must be followed. trump_when_void: a seat void in it must trump, with ``spare_partner`` only
        if the best card so far is not a partner's. overtake: a card that beats the best so far must be played if that
        is possible within what else is demanded (a card of the led suit need not beat a trump), see ``Overtake``.
    no_undertrump: a trump lower than the one that wins a trick of another suit may not be played while another
        card than a trump is legal. last_resort: cards that may not be played to a trick while another is legal.
    always_legal: cards that may be played to any trick. need_not_follow: cards that need not be played when their
        suit is led: who holds no other card of it counts as void.
    always_wins: the first of these takes the trick. never_wins: they lose to any other card, of several the first
        wins; the led suit is that of the first card that is not one of them.
    stays: their cost goes to who plays them, not to who wins the trick.
    duty: what the holder of a called card must do.
    lead_limit, breakers: cards that may not be led, unless nothing else is held, until a breaker was played.
    lead_excuse: cards nobody has to lead because of the limit: who holds but these besides limited ones leads any.
    first_lead: the holder of one of these leads it to the first trick. first_ban: cards that may not be played to
        the first trick by a follower who has another legal choice.
    credits: (place, seat) pairs: the card costs that lie in that extra place of the deal go to that seat (the skat
        to the declarer).
    unsaid: what decides the game and is not said here ("tasks: who takes which card"); the open-card solver
        refuses such rules with these words.

    docs/rules.md says of each field what it can and cannot say.

    Raises ValueError on shapes that do not fit.
    """

    deck: Deck
    seats: int = field(validator=[validators.ge(2), validators.le(at.MAX_SEATS)])
    suit_of: tuple[int, ...]
    power: tuple[int, ...]
    trump: int | None = None
    card_cost: tuple[int, ...] = ()
    trick_cost: int = 0
    last_trick_bonus: int = 0
    ties: Tie = Tie.FIRST
    teams: tuple[int, ...] | None = None
    goals: tuple[Goal, ...] = ()
    follow: bool = True
    trump_when_void: bool = False
    overtake: Overtake = field(default=Overtake.NEVER, converter=Overtake)
    lead_limit: int = 0
    lead_excuse: int = 0
    breakers: int = 0
    first_lead: int = 0
    first_ban: int = 0
    credits: tuple[tuple[str, int], ...] = ()
    alliance: Alliance | None = None
    seat_goals: tuple[Goal | None, ...] = ()
    spare_partner: bool = False
    no_undertrump: bool = False
    last_resort: int = 0
    always_legal: int = 0
    need_not_follow: int = 0
    always_wins: int = 0
    never_wins: int = 0
    stays: int = 0
    other_ties: int = 0
    last_ties: bool = False
    duty: Duty | None = None
    unsaid: str = ""

    def __attrs_post_init__(self) -> None:
        n = len(self.deck)
        if not self.card_cost:
            object.__setattr__(self, "card_cost", (0,) * n)
        for name in ("suit_of", "power", "card_cost"):
            if len(getattr(self, name)) != n:
                raise ValueError(f"{name} has {len(getattr(self, name))} entries for a deck of {n} cards")
        if not all(0 <= s < at.MAX_SUITS for s in self.suit_of):
            raise ValueError(f"play suits are numbered 0 to {at.MAX_SUITS - 1}")
        if self.trump is not None and not 0 <= self.trump < at.MAX_SUITS:
            raise ValueError(f"trump suit {self.trump} does not exist")
        if self.teams is not None and len(self.teams) != self.seats:
            raise ValueError(f"teams has {len(self.teams)} entries for {self.seats} seats")
        if self.seat_goals and len(self.seat_goals) != self.seats:
            raise ValueError(f"seat_goals has {len(self.seat_goals)} entries for {self.seats} seats")
        if self.spare_partner and (self.teams is None or self.alliance is not None):
            raise ValueError("partners that are spared must be known: spare_partner needs fixed teams")
        if self.always_wins & self.never_wins:
            raise ValueError("a card cannot both always and never win")
        equal = {(self.suit_of[c], self.power[c]) for c in bits(self.other_ties)}
        if any(
            (s, p) in equal and not self.other_ties >> c & 1
            for c, (s, p) in enumerate(zip(self.suit_of, self.power, strict=True))
        ):
            raise ValueError("other_ties must name all copies of a card")
        if self.duty is not None and len({self.suit_of[c] for c in bits(self.duty.cards)}) != 1:
            raise ValueError("the cards of a duty must be of one play suit")

    @classmethod
    def plain(cls, deck: Deck, seats: int, trump: str | None = None, **more: Any) -> TrickRules:
        """Rules in which suits and ranks are what is printed on the cards, as in whist.

        trump: label of the trump suit. more: any other field. Raises ValueError for a suit the deck has not.
        """
        if trump is not None and trump not in deck.suits:
            raise ValueError(f"no suit {trump!r} in this deck")
        return cls(
            deck,
            seats,
            suit_of=tuple(deck.suits.index(c.suit) for c in deck),
            power=tuple(deck.ranks.index(c.rank) for c in deck),
            trump=None if trump is None else deck.suits.index(trump),
            **more,
        )

    # -- what the cards are ---------------------------------------------------------------------------------------

    def suit_mask(self, suit: int) -> int:
        """All card instances of a play suit."""
        return _suit_masks(self)[suit]

    def suit(self, suit: int) -> CardSet:
        """``suit_mask`` with names."""
        return CardSet(self.deck, self.suit_mask(suit))

    def same_suit_mask(self, card: int) -> int:
        """All card instances of the play suit of ``card``."""
        return _suit_masks(self)[self.suit_of[card]]

    def same_suit(self, card: int) -> CardSet:
        """``same_suit_mask`` with names."""
        return CardSet(self.deck, self.same_suit_mask(card))

    def cost_of(self, mask: int) -> int:
        """Sum of the card costs of a set."""
        return sum(self.card_cost[i] for i in bits(mask))

    def beats(self, card: int, best: int, last: bool = False) -> bool:
        """Whether ``card``, played after ``best``, takes the lead of the trick from it. last: in the last trick."""
        if self.never_wins >> card & 1 or self.always_wins >> best & 1:
            return False
        if self.always_wins >> card & 1 or self.never_wins >> best & 1:
            return True
        s, b = self.suit_of[card], self.suit_of[best]
        if s != b:
            return s == self.trump
        if self.power[card] != self.power[best]:
            return self.power[card] > self.power[best]
        other = self.other_ties >> best & 1 and not (last and self.last_ties)
        return (self.ties is Tie.LAST) != bool(other)

    def beaters_mask(self, best: int) -> int:
        """All card instances that would take the lead from ``best``, before the last trick."""
        return _beaters(self)[best]

    def beaters(self, best: int) -> CardSet:
        """``beaters_mask`` with names."""
        return CardSet(self.deck, self.beaters_mask(best))

    @property
    def duty_suit_mask(self) -> int:
        """All cards of the suit of a duty; 0 if there is none."""
        return 0 if self.duty is None else self.same_suit_mask(next(bits(self.duty.cards)))

    def duty_suit(self) -> CardSet:
        """``duty_suit_mask`` with names."""
        return CardSet(self.deck, self.duty_suit_mask)

    # -- who plays together ---------------------------------------------------------------------------------------

    def team(self, seat: int) -> int:
        """The team of a seat, -1 if it cannot be known."""
        if self.teams is None:
            return seat if self.alliance is None else UNKNOWN
        return self.teams[seat]

    def side_mask(self, seat: int) -> int:
        """The seats that surely play together with ``seat``, and it, as a bit mask over seats.

        A seat with a goal of its own is alone, and none of its team's goal.
        """
        team = self.team(seat)
        if team == UNKNOWN or self.own_goal(seat) is not None:
            return 1 << seat
        return sum(1 << s for s in range(self.seats) if self.team(s) == team and self.own_goal(s) is None)

    def partners_mask(self, seat: int) -> int:
        """The other seats of the team of ``seat``, whatever the goals of single seats are."""
        return sum(1 << s for s in range(self.seats) if s != seat and self.team(s) == self.team(seat) != UNKNOWN)

    def own_goal(self, seat: int) -> Goal | None:
        """The aim of a single seat besides its team's, if it has one."""
        return self.seat_goals[seat] if self.seat_goals else None

    def goal(self, seat: int) -> Goal:
        """The own aim of ``seat``, else that of its team; as much as possible if none is given."""
        return self.own_goal(seat) or self.team_goal(self.team(seat))

    def team_goal(self, team: int) -> Goal:
        """The aim of a team; as much as possible if none is given."""
        return self.goals[team] if 0 <= team < len(self.goals) else Goal()

    def in_world(self, dealt: Sequence[int]) -> TrickRules:
        """The rules with the teams of a world (cached). dealt: the cards of each seat at the first trick."""
        if self.alliance is None:
            return self
        return _allied(self, self.alliance.teams(dealt))

    def without_teams(self) -> TrickRules:
        """The same play to somebody who does not know yet how the cards of the alliance lie (cached)."""
        if self.alliance is None or not self.alliance.cards:
            return self
        return _allied(self, (UNKNOWN,) * self.seats)

    def same_play(self, other: TrickRules) -> bool:
        """Whether two rules differ in nothing but who is allied with whom."""
        return self is other or self == other or (self.alliance is not None and _allied(other, self.teams) == self)

    @property
    def rare(self) -> bool:
        """Whether rules are in force that only plain search takes in: no bounds, no patterns, no paranoia search."""
        return bool(self.compile().header[at.H_RARE])

    def kept(self, cards: Sequence[int], leader: int) -> list[tuple[int, int]]:
        """(seat, cost) for the cards of a trick whose cost stays with who played them."""
        if not self.stays:
            return []
        return [((leader + k) % self.seats, self.card_cost[c]) for k, c in enumerate(cards) if self.stays >> c & 1]

    def with_teams(self, teams: tuple[int, ...], goals: tuple[Goal, ...] = ()) -> TrickRules:
        """The same play with other teams: a hypothesis about hidden partners, or a coalition."""
        return evolve(self, teams=teams, goals=goals or self.goals)

    def counting_tricks(self) -> TrickRules:
        """The same play with a cost of one a trick and nothing else (cached): for aims at tricks."""
        return _counting_tricks(self)

    def compile(self, *, deck_order: bool = False) -> CompiledRules:
        """The arrays for the kernels (cached).

        deck_order: bits are deck indices, which is enough for ``tricktake.batch`` and needs no translation.

        Raises TooManyCards for a deck that kernels do not take.
        """
        if len(self.deck) > WORD:
            raise TooManyCards(len(self.deck))
        return _compile(self, deck_order)


@lru_cache(maxsize=4096)
def _counting_tricks(rules: TrickRules) -> TrickRules:
    return evolve(rules, card_cost=(), trick_cost=1, last_trick_bonus=0, credits=())


@lru_cache(maxsize=4096)
def _allied(rules: TrickRules, teams: tuple[int, ...] | None) -> TrickRules:
    return evolve(rules, teams=teams)


@lru_cache(maxsize=4096)
def _suit_masks(rules: TrickRules) -> tuple[int, ...]:
    masks = [0] * at.MAX_SUITS
    for i, s in enumerate(rules.suit_of):
        masks[s] |= 1 << i
    return tuple(masks)


@lru_cache(maxsize=4096)
def _beaters(rules: TrickRules) -> tuple[int, ...]:
    n = len(rules.deck)
    return tuple(sum(1 << c for c in range(n) if c != b and rules.beats(c, b)) for b in range(n))


@lru_cache(maxsize=4096)
def _compile(rules: TrickRules, deck_order: bool = False) -> CompiledRules:
    n = len(rules.deck)
    to_deck = list(range(n))
    if not deck_order:
        to_deck.sort(key=lambda i: (rules.suit_of[i], rules.power[i], i))
    from_deck = [0] * n
    for bit, i in enumerate(to_deck):
        from_deck[i] = bit
    cards = np.zeros((at.CARD_ROWS, n), np.int64)
    suits = [0] * at.MAX_SUITS
    for bit, i in enumerate(to_deck):
        cards[at.C_SUIT, bit], cards[at.C_POWER, bit], cards[at.C_COST, bit] = (
            rules.suit_of[i],
            rules.power[i],
            rules.card_cost[i],
        )
        suits[rules.suit_of[i]] |= 1 << bit

    def moved(mask: int) -> int:
        return signed(sum(1 << from_deck[i] for i in bits(mask)))

    header = np.zeros(at.HEADER_SIZE, np.int64)
    header[at.H_SEATS] = rules.seats
    header[at.H_CARDS] = n
    header[at.H_SUITS] = max(rules.suit_of) + 1
    header[at.H_TRUMP] = -1 if rules.trump is None else rules.trump
    header[at.H_FOLLOW] = rules.follow
    header[at.H_TRUMP_WHEN_VOID] = rules.trump_when_void
    header[at.H_OVERTAKE] = rules.overtake
    header[at.H_TIE] = rules.ties
    header[at.H_TRICK_COST] = rules.trick_cost
    header[at.H_LAST_BONUS] = rules.last_trick_bonus
    header[at.H_LEAD_LIMIT] = moved(rules.lead_limit)
    header[at.H_LEAD_EXCUSE] = moved(rules.lead_excuse)
    header[at.H_BREAKERS] = moved(rules.breakers)
    header[at.H_FIRST_LEAD] = moved(rules.first_lead)
    header[at.H_FIRST_BAN] = moved(rules.first_ban)
    _rare(header, rules, moved)
    header[at.H_COPIES] = len({(rules.suit_of[i], rules.power[i]) for i in range(n)}) < n
    return CompiledRules(  # not read-only: numba would compile every kernel again for read-only arrays
        header,
        cards,
        np.array([signed(s) for s in suits], np.int64),
        np.array(to_deck, np.int64),
        np.array(from_deck, np.int64),
    )


def _rare(header: IntArray, rules: TrickRules, moved: Callable[[int], int]) -> None:
    """Put into the header what few games need."""
    replies = rules.always_legal or rules.need_not_follow or rules.never_wins or rules.no_undertrump
    if replies or rules.last_resort or rules.spare_partner or rules.overtake is Overtake.TRUMPS:
        header[at.H_RARE] |= at.RARE_REPLIES
    if rules.always_wins or rules.never_wins or rules.other_ties:
        header[at.H_RARE] |= at.RARE_WINNER
    if rules.stays:
        header[at.H_RARE] |= at.RARE_STAYS
    header[at.H_ALWAYS_LEGAL] = moved(rules.always_legal)
    header[at.H_NEED_NOT_FOLLOW] = moved(rules.need_not_follow)
    header[at.H_ALWAYS_WINS] = moved(rules.always_wins)
    header[at.H_NEVER_WINS] = moved(rules.never_wins)
    header[at.H_STAYS] = moved(rules.stays)
    header[at.H_OTHER_TIES] = moved(rules.other_ties)
    header[at.H_LAST_TIES] = rules.last_ties
    header[at.H_NO_UNDERTRUMP] = rules.no_undertrump
    header[at.H_LAST_RESORT] = moved(rules.last_resort)
    header[at.H_SPARE_PARTNER] = rules.spare_partner
    if rules.spare_partner:
        for seat in range(rules.seats):
            header[at.H_PARTNERS + seat] = rules.partners_mask(seat)
    if rules.duty is not None:
        header[at.H_DUTY] = moved(rules.duty.cards)
        header[at.H_DUTY_SUIT] = moved(rules.duty_suit_mask)
        header[at.H_DUTY_LENGTH] = rules.duty.length
