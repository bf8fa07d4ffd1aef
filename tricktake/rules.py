"""What a contract means for the play of the cards, as data.

A ``TrickRules`` value holds everything the kernels know of a game. ``compile()`` renumbers the card instances so
that within a play suit a higher bit is stronger, and returns int64 arrays; numba compiles once for all games.
"""

from __future__ import annotations

import enum
from functools import lru_cache
from typing import Any

import numpy as np
from attrs import evolve, field, frozen, validators
from numpy.typing import NDArray

from tricktake._kernels.layout import (
    C_COST,
    C_POWER,
    C_SUIT,
    CARD_ROWS,
    H_BREAKERS,
    H_CARDS,
    H_COPIES,
    H_FIRST_BAN,
    H_FIRST_LEAD,
    H_FOLLOW,
    H_LAST_BONUS,
    H_LEAD_EXCUSE,
    H_LEAD_LIMIT,
    H_OVERTAKE,
    H_SEATS,
    H_SUITS,
    H_TIE,
    H_TRICK_COST,
    H_TRUMP,
    H_TRUMP_WHEN_VOID,
    HEADER_SIZE,
    MAX_SEATS,
    MAX_SUITS,
)
from tricktake.cards import Deck, bits, signed

IntArray = NDArray[np.int64]


class Tie(enum.IntEnum):
    """Which of two equal cards (copies of a kind) wins a trick."""

    FIRST = 0
    LAST = 1


class GoalKind(enum.IntEnum):
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
    ties: who wins between copies.
    teams: team number of each seat; None if every seat is on its own. ``goals`` gives the aim of each team.
    follow: the led suit must be followed. trump_when_void: a seat void in it must trump. overtake: a card that
        beats the best so far must be played if that is possible within what else is demanded (a card of the led
        suit need not beat a trump).
    lead_limit, breakers: cards that may not be led, unless nothing else is held, until a breaker was played.
    lead_excuse: cards nobody has to lead because of the limit: who holds but these besides limited ones leads any.
    first_lead: the holder of one of these leads it to the first trick. first_ban: cards that may not be played to
        the first trick by a follower who has another legal choice.
    credits: (place, seat) pairs: the card costs that lie in that extra place of the deal go to that seat (the skat
        to the declarer).

    Raises ValueError on shapes that do not fit.
    """

    deck: Deck
    seats: int = field(validator=[validators.ge(2), validators.le(MAX_SEATS)])
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
    overtake: bool = False
    lead_limit: int = 0
    lead_excuse: int = 0
    breakers: int = 0
    first_lead: int = 0
    first_ban: int = 0
    credits: tuple[tuple[str, int], ...] = ()

    def __attrs_post_init__(self) -> None:
        n = len(self.deck)
        if not self.card_cost:
            object.__setattr__(self, "card_cost", (0,) * n)
        for name in ("suit_of", "power", "card_cost"):
            if len(getattr(self, name)) != n:
                raise ValueError(f"{name} has {len(getattr(self, name))} entries for a deck of {n} cards")
        if not all(0 <= s < MAX_SUITS for s in self.suit_of):
            raise ValueError(f"play suits are numbered 0 to {MAX_SUITS - 1}")
        if self.trump is not None and not 0 <= self.trump < MAX_SUITS:
            raise ValueError(f"trump suit {self.trump} does not exist")
        if self.teams is not None and len(self.teams) != self.seats:
            raise ValueError(f"teams has {len(self.teams)} entries for {self.seats} seats")

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

    def class_mask(self, card: int) -> int:
        """All card instances of the play suit of ``card``."""
        return _suit_masks(self)[self.suit_of[card]]

    def cost_of(self, mask: int) -> int:
        """Sum of the card costs of a set."""
        return sum(self.card_cost[i] for i in bits(mask))

    def beats(self, card: int, best: int) -> bool:
        """Whether ``card``, played after ``best``, takes the lead of the trick from it."""
        s, b = self.suit_of[card], self.suit_of[best]
        if s == b:
            return self.power[card] > self.power[best] or (
                self.ties is Tie.LAST and self.power[card] == self.power[best]
            )
        return s == self.trump

    def beaters_mask(self, best: int) -> int:
        """All card instances that would take the lead from ``best``."""
        return _beaters(self)[best]

    # -- who plays together ---------------------------------------------------------------------------------------

    def team(self, seat: int) -> int:
        return seat if self.teams is None else self.teams[seat]

    def side_mask(self, seat: int) -> int:
        """The seats of the team of ``seat``, as a bit mask over seats."""
        return sum(1 << s for s in range(self.seats) if self.team(s) == self.team(seat))

    def goal(self, seat: int) -> Goal:
        """The aim of the team of ``seat``; as much as possible if none is given."""
        team = self.team(seat)
        return self.goals[team] if team < len(self.goals) else Goal()

    def with_teams(self, teams: tuple[int, ...], goals: tuple[Goal, ...] = ()) -> TrickRules:
        """The same play with other teams: a hypothesis about hidden partners, or a coalition."""
        return evolve(self, teams=teams, goals=goals or self.goals)

    def counting_tricks(self) -> TrickRules:
        """The same play with a cost of one a trick and nothing else (cached): for aims at tricks."""
        return _counting_tricks(self)

    def compile(self) -> CompiledRules:
        """The arrays for the kernels (cached)."""
        return _compile(self)


@lru_cache(maxsize=4096)
def _counting_tricks(rules: TrickRules) -> TrickRules:
    return evolve(rules, card_cost=(), trick_cost=1, last_trick_bonus=0, credits=())


@lru_cache(maxsize=4096)
def _suit_masks(rules: TrickRules) -> tuple[int, ...]:
    masks = [0] * MAX_SUITS
    for i, s in enumerate(rules.suit_of):
        masks[s] |= 1 << i
    return tuple(masks)


@lru_cache(maxsize=4096)
def _beaters(rules: TrickRules) -> tuple[int, ...]:
    n = len(rules.deck)
    return tuple(sum(1 << c for c in range(n) if c != b and rules.beats(c, b)) for b in range(n))


@lru_cache(maxsize=4096)
def _compile(rules: TrickRules) -> CompiledRules:
    n = len(rules.deck)
    to_deck = sorted(range(n), key=lambda i: (rules.suit_of[i], rules.power[i], i))
    from_deck = [0] * n
    for bit, i in enumerate(to_deck):
        from_deck[i] = bit
    cards = np.zeros((CARD_ROWS, n), np.int64)
    suits = [0] * MAX_SUITS
    for bit, i in enumerate(to_deck):
        cards[C_SUIT, bit], cards[C_POWER, bit], cards[C_COST, bit] = (
            rules.suit_of[i],
            rules.power[i],
            rules.card_cost[i],
        )
        suits[rules.suit_of[i]] |= 1 << bit

    def moved(mask: int) -> int:
        return signed(sum(1 << from_deck[i] for i in bits(mask)))

    header = np.zeros(HEADER_SIZE, np.int64)
    header[H_SEATS] = rules.seats
    header[H_CARDS] = n
    header[H_SUITS] = max(rules.suit_of) + 1
    header[H_TRUMP] = -1 if rules.trump is None else rules.trump
    header[H_FOLLOW] = rules.follow
    header[H_TRUMP_WHEN_VOID] = rules.trump_when_void
    header[H_OVERTAKE] = rules.overtake
    header[H_TIE] = rules.ties
    header[H_TRICK_COST] = rules.trick_cost
    header[H_LAST_BONUS] = rules.last_trick_bonus
    header[H_LEAD_LIMIT] = moved(rules.lead_limit)
    header[H_LEAD_EXCUSE] = moved(rules.lead_excuse)
    header[H_BREAKERS] = moved(rules.breakers)
    header[H_FIRST_LEAD] = moved(rules.first_lead)
    header[H_FIRST_BAN] = moved(rules.first_ban)
    header[H_COPIES] = len({(rules.suit_of[i], rules.power[i]) for i in range(n)}) < n
    return CompiledRules(  # not read-only: numba would compile every kernel again for read-only arrays
        header,
        cards,
        np.array([signed(s) for s in suits], np.int64),
        np.array(to_deck, np.int64),
        np.array(from_deck, np.int64),
    )
