"""A natural bidder by the rules of beginners' books: points and length, raises by what the pair holds, sane doubles.

Every call says something of the hand (``meanings``): the least points and the least length of suits. A seat adds what
its partner has said to its own cards and bids what the pair can make by the points textbooks ask for a level. No call
is artificial: neither Stayman, nor transfers, nor asking for aces.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np
from attrs import Factory, define, frozen

from tricktake.action import Action, Event
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View
from tricktake_bridge.auction import BIDS, DOUBLE, PASS
from tricktake_bridge.deck import BRIDGE, STRAINS

NT = "NT"
MAJORS, SUITS = ("S", "H"), ("S", "H", "D", "C")
HONOURS = "JQKA"  # 1 to 4 points (Milton Work)
OPENING, OVERCALL, STRONG = 12, 8, 17  # points of an opening, of an overcall at level 1, of a double with any hand
ONE_NT, TWO_NT = (15, 17), (20, 22)
WEAK = (6, 10)  # points of a preempt: six cards at level 2, seven at level 3
RESPONSE = 6
FIT = 8  # cards of a suit that make it trumps
LONG = 5  # cards of a suit for an overcall, or for a major as opening
# points of a pair for each level: with trumps or the partner's suit, in no trumps, in a new suit; index 0 is no level
WITH_FIT = (0, 18, 18, 22, 25, 28, 33, 37)
NO_TRUMPS = (0, 18, 22, 25, 28, 30, 33, 37)
NEW_SUIT = (0, 18, 22, 25, 99, 99, 99, 99)
GAME = 25
SHORT = (5, 3, 1)  # points of a void, a singleton, a doubleton with support
ALL_POINTS = 40
REMEMBERED = 4096  # hands and auctions; in sampled worlds they come again and again
LACKING = 6  # points the other side lacks for its level, so that it is doubled

_CARDS = {suit: BRIDGE.of_suit_mask(suit) for suit in SUITS}
_HONOURS = tuple(sum(1 << card.index for card in BRIDGE if card.rank == rank) for rank in HONOURS)


def _stops(cards: int, length: int) -> bool:
    """Whether cards of one suit stop it: the ace, a king with one card, a queen with two, or five cards."""
    _, queens, kings, aces = (bool(cards & honour) for honour in _HONOURS)
    return aces or (kings and length > 1) or (queens and length > 2) or length > 4


@frozen
class Hand:
    """Thirteen cards, counted."""

    points: int
    lengths: dict[str, int]
    stopped: frozenset[str]

    @property
    def long_points(self) -> int:
        """With a point for each card of a suit beyond four."""
        return self.points + sum(max(0, n - 4) for n in self.lengths.values())

    def support_points(self, trumps: str) -> int:
        """With points for short suits, if there are three trumps to ruff with."""
        if self.lengths[trumps] < 3:
            return self.points
        return self.points + sum(SHORT[n] for s, n in self.lengths.items() if s != trumps and n < len(SHORT))

    @property
    def balanced(self) -> bool:
        shape = sorted(self.lengths.values())
        return shape[0] >= 2 and shape[1] >= 3

    def longest(self, among: Sequence[str]) -> str:
        """The longest of some suits, of equal ones the higher."""
        return max(among, key=lambda suit: (self.lengths[suit], -SUITS.index(suit)))


@lru_cache(maxsize=REMEMBERED)
def counted(mask: int) -> Hand:
    """The hand of these cards."""
    points = sum((n + 1) * (mask & honour).bit_count() for n, honour in enumerate(_HONOURS))
    held = {suit: mask & cards for suit, cards in _CARDS.items()}
    lengths = {suit: cards.bit_count() for suit, cards in held.items()}
    return Hand(points, lengths, frozenset(suit for suit, cards in held.items() if _stops(cards, lengths[suit])))


@define
class Shown:
    """What the calls of a seat say of its hand: the least points and cards of each suit; and the suits it has bid."""

    points: int = 0
    lengths: dict[str, int] = Factory(lambda: dict.fromkeys(SUITS, 0))
    called: list[str] = Factory(list)
    forcing: bool = False  # its last call was a new suit without upper limit
    asks: str = ""  # the suit its last call doubled for takeout

    def length(self, suit: str, n: int) -> None:
        self.lengths[suit] = max(self.lengths[suit], n)


@lru_cache(maxsize=REMEMBERED)
def meanings(events: tuple[Event, ...]) -> tuple[Shown, ...]:
    """What the calls of each seat say. To be read only: the answers are kept."""
    shown = [Shown() for _ in range(4)]
    last: Event | None = None
    for event in events:
        me, partner = shown[event.seat], shown[(event.seat + 2) % 4]
        me.forcing, me.asks = False, ""
        if event.action.verb == "bid":
            level, strain = int(event.action.value[0]), event.action.value[1:]
            if me.called or partner.called or me.points or partner.points:
                _continued(me, partner, level, strain)
            else:
                lowest = _lowest(last, strain)
                _first(me, level, strain, opening=last is None, jump=level > lowest)
            me.called.append(strain)
            last = event
        elif event.action == DOUBLE and last is not None and _takeout(shown, event.seat, last):
            me.points = OPENING
            me.asks = last.action.value[1:]
            for suit in SUITS:
                me.length(suit, 3 if suit != me.asks else 0)
    return tuple(shown)


def _takeout(shown: Sequence[Shown], seat: int, last: Event) -> bool:
    """Whether a double asks for a suit: of a suit below game, by a side that has not bid."""
    ours = (shown[seat], shown[(seat + 2) % 4])
    below = int(last.action.value[0]) <= 3 and last.action.value[1:] != NT
    return below and not any(one.called or one.asks for one in ours)


def _lowest(last: Event | None, strain: str) -> int:
    """The lowest level at which a strain can be bid."""
    if last is None:
        return 1
    return int(last.action.value[0]) + (STRAINS.index(strain) <= STRAINS.index(last.action.value[1:]))


def _first(me: Shown, level: int, strain: str, opening: bool, jump: bool) -> None:
    """The first bid of a side."""
    if strain == NT:
        me.points = (ONE_NT[0], TWO_NT[0], 25)[min(level, 3) - 1]
        for suit in SUITS:
            me.length(suit, 2)
    elif (opening and level > 1) or jump:
        me.points = WEAK[0]
        me.length(strain, 5 if level == 1 else 4 + min(level, 3))
    elif opening:
        me.points = OPENING
        me.length(strain, LONG if strain in MAJORS else 3)
    else:
        me.points = OVERCALL if level == 1 else OVERCALL + 3
        me.length(strain, LONG)


def _continued(me: Shown, partner: Shown, level: int, strain: str) -> None:
    """A later bid: the points that the pair needs for it, less those that the partner has said."""
    if strain == NT:
        needed = NO_TRUMPS[level]
    elif partner.lengths[strain] + me.lengths[strain] >= 3 and (strain in partner.called or strain in me.called):
        needed = WITH_FIT[level]
        if strain in me.called and strain not in partner.called:
            me.length(strain, me.lengths[strain] + 1)
        else:
            me.length(strain, FIT - partner.lengths[strain])
    else:
        needed = min(NEW_SUIT[level], GAME)
        me.length(strain, LONG if level > 1 and strain in MAJORS and not me.called else 4)
        me.forcing = level < 4 and not partner.asks and bool(partner.called) and not me.points
    if not partner.asks:  # who answers a takeout double may have nothing
        me.points = max(me.points, needed - partner.points)


class Rule:
    """Opens with twelve points, answers with six, overcalls with a suit of five, bids game with 25 of the pair."""

    roles: ClassVar[tuple[str, ...]] = ("bid",)

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        """Raises ValueError for another game or role than its own."""
        if view.game != "bridge" or view.role not in self.roles:
            raise ValueError(f"the rule bidder bids in bridge, not in {view.game}, phase {view.phase}")
        call, reason = Call(view).choose()
        return Decision(call, reason) if call in view.legal else Decision(PASS, "nothing that can be bid")


@define
class Call:
    """One call to be made."""

    view: View
    hand: Hand = Factory(lambda self: counted(self.view.hand_mask), takes_self=True)
    shown: tuple[Shown, ...] = Factory(lambda self: meanings(self.view.events), takes_self=True)

    @property
    def me(self) -> Shown:
        return self.shown[self.view.seat]

    @property
    def partner(self) -> Shown:
        return self.shown[(self.view.seat + 2) % 4]

    @property
    def theirs(self) -> set[str]:
        """The suits of the other side."""
        return {strain for seat in (1, 3) for strain in self.shown[(self.view.seat + seat) % 4].called} - {NT}

    @property
    def last(self) -> Event | None:
        """The last bid."""
        return next((event for event in reversed(self.view.events) if event.action.verb == "bid"), None)

    def choose(self) -> tuple[Action, str]:
        last = self.last
        if not (self.me.points or self.partner.points):
            return self._open() if last is None else self._overcall(last)
        if self.partner.asks and last is not None:
            return self._answer(last)
        return self._major(last, FIT + 1) or self._double(last) or self._continue(last) or (PASS, "enough is bid")

    # -- the first call of a side ----------------------------------------------------------------------------------

    def _open(self) -> tuple[Action, str]:
        hand = self.hand
        points, best = hand.long_points, hand.longest(SUITS)
        said = f"{hand.points} points"
        if hand.balanced and ONE_NT[0] <= hand.points <= ONE_NT[1]:
            return _bid(1, NT), f"balanced, {said}"
        if hand.balanced and TWO_NT[0] <= hand.points <= TWO_NT[1]:
            return _bid(2, NT), f"balanced, {said}"
        if points >= OPENING:
            major = [suit for suit in MAJORS if hand.lengths[suit] >= LONG]
            suit = hand.longest(major or ("D", "C"))
            if hand.lengths[best] > hand.lengths[suit]:
                suit = best if best not in MAJORS or hand.lengths[best] >= LONG else suit
            return _bid(1, suit), f"{said}, {hand.lengths[suit]} cards"
        if WEAK[0] <= hand.points <= WEAK[1] and hand.lengths[best] >= 6 and (best != "C" or hand.lengths[best] > 6):
            return _bid(min(hand.lengths[best] - 4, 3), best), f"{said}, but {hand.lengths[best]} cards"
        return PASS, said

    def _overcall(self, last: Event) -> tuple[Action, str]:
        """A suit of five cards, no trumps with a stopper, or a double for takeout."""
        hand, theirs = self.hand, self.theirs
        said = f"{hand.points} points"
        stopped = theirs <= hand.stopped
        if hand.balanced and stopped and ONE_NT[0] <= hand.points <= ONE_NT[1] + 1 and _lowest(last, NT) == 1:
            return _bid(1, NT), f"balanced, {said}, their suit stopped"
        free = [suit for suit in SUITS if suit not in theirs]
        support = all(hand.lengths[suit] >= 3 for suit in free)
        if _takeout(self.shown, self.view.seat, last) and (
            hand.points >= STRONG or (hand.points >= OPENING and support and len(theirs) == 1)
        ):
            return DOUBLE, f"for takeout, {said}"
        suit = hand.longest(free) if free else ""
        if suit and hand.lengths[suit] >= LONG:
            level = _lowest(last, suit)
            if hand.long_points >= (OVERCALL if level == 1 else OVERCALL + 3 * level - 3) and level <= 3:
                return _bid(level, suit), f"{said}, {hand.lengths[suit]} cards"
        return PASS, said

    def _answer(self, last: Event) -> tuple[Action, str]:
        """To a double for takeout: the longest other suit, the higher the stronger; nothing if somebody has bid."""
        hand, asked = self.hand, self.partner.asks
        said = f"partner asks, {hand.points} points"
        free = last.seat % 2 != self.view.seat % 2 and last.action.value[1:] == asked
        majors = [suit for suit in MAJORS if suit not in self.theirs and hand.lengths[suit] >= 4]
        suit = hand.longest(majors or [suit for suit in SUITS if suit not in self.theirs] or SUITS)
        pair = hand.support_points(suit) + self.partner.points
        if not free and pair < WITH_FIT[2]:
            return PASS, said
        if hand.lengths[asked] >= LONG and hand.lengths[asked] > hand.lengths[suit]:
            return PASS, f"{hand.lengths[asked]} of their trumps"
        lowest = _lowest(last, suit)
        if hand.balanced and asked in hand.stopped and pair >= GAME and suit not in MAJORS:
            return _bid(3, NT), f"{said}, their suit stopped"
        wanted = 4 if pair >= GAME else lowest + (pair >= NEW_SUIT[2] - 1)
        return _bid(max(lowest, wanted), suit), said

    # -- later calls -----------------------------------------------------------------------------------------------

    def _double(self, last: Event | None) -> tuple[Action, str] | None:
        """For penalty, if the other side cannot have the points for its level."""
        if last is None or last.seat % 2 == self.view.seat % 2 or self.partner.forcing:
            return None
        level, strain = int(last.action.value[0]), last.action.value[1:]
        ours = self.hand.points + self.partner.points
        needed = (NO_TRUMPS if strain == NT else WITH_FIT)[level]
        enough = strain == NT or self.hand.lengths[strain] >= 2
        if enough and ALL_POINTS - ours <= needed - LACKING and DOUBLE in self.view.legal:
            return DOUBLE, f"the pair has {ours} points"
        return None

    def _continue(self, last: Event | None) -> tuple[Action, str] | None:
        """What the pair can make by its points, None to pass."""
        return (
            self._major(last)
            or self._game(last)
            or self._new_suit(last)
            or self._no_trumps(last)
            or self._minor(last)
            or self._forced(last)
        )

    def _fit(self, suit: str) -> int:
        return self.hand.lengths[suit] + self.partner.lengths[suit]

    def _raised(self, suit: str, last: Event | None) -> tuple[Action, str] | None:
        """A suit with a fit, as high as the points allow; in competition as high as the pair has trumps beyond six."""
        fit = self._fit(suit)
        pair = self.hand.support_points(suit) + self.partner.points
        wanted = max(level for level in range(8) if WITH_FIT[level] <= pair)
        if suit not in MAJORS and wanted == 4:
            wanted = 3
        elif suit in MAJORS and wanted == 5:
            wanted = 4
        if self.theirs and pair >= WITH_FIT[1]:
            wanted = max(wanted, min(fit - 6, 3))
        lowest = _lowest(last, suit)
        if wanted < lowest:
            return None
        return _bid(wanted, suit), f"{fit} trumps and {pair} points of the pair"

    def _major(self, last: Event | None, least: int = FIT) -> tuple[Action, str] | None:
        fits = [suit for suit in MAJORS if self._fit(suit) >= least and self._said(suit)]
        return self._raised(max(fits, key=self._fit), last) if fits else None

    def _game(self, last: Event | None) -> tuple[Action, str] | None:
        """No trumps once every suit worth naming is named."""
        ready = len(self.me.called) > 0 or self.hand.balanced
        majors = [suit for suit in MAJORS if self.hand.lengths[suit] >= 4 and suit not in self.me.called]
        if not ready or (majors and not self.me.called) or self.hand.points + self.partner.points < GAME:
            return None
        return self._no_trumps(last)

    def _minor(self, last: Event | None) -> tuple[Action, str] | None:
        fits = [suit for suit in ("D", "C") if self._fit(suit) >= FIT and self._said(suit)]
        content = NT in self.partner.called[-1:] and self.hand.points + self.partner.points < NO_TRUMPS[4]
        return self._raised(max(fits, key=self._fit), last) if fits and not content else None

    def _said(self, suit: str) -> bool:
        """Whether somebody of the pair has bid the suit, or it is long enough opposite no trumps."""
        return suit in self.partner.called or suit in self.me.called or self.hand.lengths[suit] >= 6

    def _new_suit(self, last: Event | None) -> tuple[Action, str] | None:
        """A suit not yet bid, or the own one with six cards, once each."""
        if any(self._fit(suit) >= FIT for suit in MAJORS if self._said(suit)) or not self.partner.points:
            return None
        pair = self.hand.long_points + self.partner.points
        for suit in sorted(SUITS, key=lambda s: (-self.hand.lengths[s], SUITS.index(s))):
            level = max(_lowest(last, suit), 3 if NT in self.partner.called else 1)
            if self._worth_naming(suit, level) and pair >= self._needed(suit, level):
                return _bid(level, suit), f"{self.hand.lengths[suit]} cards, {pair} points of the pair"
        return None

    def _worth_naming(self, suit: str, level: int) -> bool:
        """Whether a suit is long enough and new: four cards, five for a major at level 2, six to name it again."""
        again = self.me.called.count(suit)
        length = self.hand.lengths[suit]
        if level > 3 or again > 1 or suit in self.theirs or suit in self.partner.called:
            return False
        if NT in self.partner.called and suit not in MAJORS:
            return False
        fresh = suit in MAJORS and level > 1 and (not self.me.called or NT in self.partner.called)
        return length >= max(4 + 2 * again, LONG if fresh else 0)

    def _needed(self, suit: str, level: int) -> int:
        """Points of the pair; fewer for a suit after which the partner can go back to the first one at this level."""
        first = self.me.called[0] if self.me.called else ""
        below = suit in self.me.called or (first in SUITS and SUITS.index(suit) > SUITS.index(first))
        return (WITH_FIT if below and level < 3 else NEW_SUIT)[level]

    def _no_trumps(self, last: Event | None) -> tuple[Action, str] | None:
        """No trumps, if the other side's suits are stopped, at the level of the points; game is not passed by."""
        if not self.partner.points or not self.theirs <= self.hand.stopped:
            return None
        if any(self._fit(suit) >= FIT for suit in MAJORS if self._said(suit)):
            return None
        pair = self.hand.points + self.partner.points
        wanted = max(level for level in range(8) if NO_TRUMPS[level] <= pair)
        wanted = 3 if wanted in (4, 5) else wanted
        if wanted < _lowest(last, NT):
            return None
        ours = last is not None and last.seat % 2 == self.view.seat % 2
        if ours and self.me.called and not self.partner.forcing and wanted < 2 + (NT in self.partner.called):
            return None
        return _bid(wanted, NT), f"{pair} points of the pair"

    def _forced(self, last: Event | None) -> tuple[Action, str] | None:
        """Something, if the partner's last call must not be passed and nobody has bid since."""
        if last is None or not self.partner.forcing or last.seat % 2 != self.view.seat % 2:
            return None
        known = [suit for suit in SUITS if suit in self.me.called] or list(SUITS)
        suit = self.hand.longest(known)
        return _bid(_lowest(last, suit), suit), "partner has not limited his hand"


def _bid(level: int, strain: str) -> Action:
    return BIDS[(min(level, 7) - 1) * len(STRAINS) + STRAINS.index(strain)]
