"""Deals: which card lies where before anything is played, drawn uniformly, under conditions, or by number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from tricktake import html
from tricktake._kernels import deal as kernel
from tricktake.cards import WORD, CardSet, Deck, bits, signed, unsigned
from tricktake.errors import InputError, TooManyCards, TricktakeError
from tricktake.jit import interpreted

STREAM = "chacha8"  # the name of the deals below, for manifests of what was learned from them
SEEDS = 1 << 64  # seeds, and deals of each
ATTEMPTS = 100_000  # deals tried for a predicate before giving up: a fraction of a second to some seconds

BY_HAND = 10_000  # attempts in Python: half a second, where compiling the shuffle takes two


@frozen
class Layout:
    """The places a deck is dealt to: a hand a seat, then places no seat holds (skat, talon).

    hand_sizes: cards of each seat. extra: (name, size) of each further place. Sizes add up to the deck, or to less
    if cards stay out of play (``unused``).
    aside: so many cards, the last of the deck, are never dealt: they make up the last place, as everybody knows (the
        blanks that stand for the cards of a seat that sits out).
    later: cards of each place when the tricks begin, if they are others than the dealt ones (Belote: five cards a seat,
        after the bidding eight).
    """

    deck: Deck
    hand_sizes: tuple[int, ...]
    extra: tuple[tuple[str, int], ...] = ()
    aside: int = 0
    later: tuple[int, ...] = ()

    def __attrs_post_init__(self) -> None:
        if self.later and (len(self.later) != len(self.sizes) or sum(self.later) != sum(self.sizes)):
            raise ValueError("the sizes at the first trick must be those of the same places and cards")
        if sum(self.sizes) > len(self.deck):
            raise ValueError(f"{sum(self.sizes)} cards to deal from a deck of {len(self.deck)}")
        if self.aside and (not self.extra or self.extra[-1][1] != self.aside):
            raise ValueError(f"the last place must hold the {self.aside} cards that lie aside")

    @property
    def seats(self) -> int:
        return len(self.hand_sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cards of each place: the seats, then the extra places."""
        return self.hand_sizes + tuple(size for _, size in self.extra)

    @property
    def dealt(self) -> tuple[int, ...]:
        """``sizes`` without the place of the cards that lie aside."""
        return self.sizes[:-1] if self.aside else self.sizes

    @property
    def aside_cards_mask(self) -> int:
        """The cards that are not dealt but lie aside."""
        return self.deck.full_mask & ~((1 << len(self.deck) - self.aside) - 1)

    def aside_cards(self) -> CardSet:
        """``aside_cards_mask`` as a set."""
        return CardSet(self.deck, self.aside_cards_mask)

    @property
    def sizes_at_play(self) -> tuple[int, ...]:
        """Cards of each place when the tricks begin."""
        return self.later or self.sizes

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(s) for s in range(self.seats)) + tuple(name for name, _ in self.extra)

    def sets(self, masks: Iterable[int]) -> tuple[CardSet, ...]:
        """A mask for each place as sets of cards: a deal, ``View.known``, a row of ``worlds.sample``."""
        return tuple(CardSet(self.deck, unsigned(mask)) for mask in masks)

    @property
    def unused(self) -> int:
        return len(self.deck) - sum(self.sizes)


@frozen
class Deal:
    """One deal, or the cards at the first trick: the mask of each place of the layout, in deck order of bits.

    Raises ValueError if a card is dealt twice or a place has the wrong number of cards.
    """

    layout: Layout
    masks: tuple[int, ...]

    def __attrs_post_init__(self) -> None:
        names, sizes = self.layout.names, self.layout.sizes
        if self.layout.later and tuple(mask.bit_count() for mask in self.masks) == self.layout.later:
            sizes = self.layout.later
        if len(self.masks) != len(sizes):
            raise ValueError(f"{len(self.masks)} places in the deal, {len(sizes)} in the layout")
        seen = 0
        for name, size, mask in zip(names, sizes, self.masks, strict=True):
            if mask & ~self.layout.deck.full_mask or mask.bit_count() != size:
                raise ValueError(f"place {name} must hold {size} cards, not {mask.bit_count()}")
            if seen & mask:
                raise ValueError(f"dealt twice: {self.layout.deck.names(seen & mask)}")
            seen |= mask

    @property
    def hands(self) -> tuple[int, ...]:
        return self.masks[: self.layout.seats]

    def hand_mask(self, seat: int) -> int:
        return self.hands[seat]

    def hand(self, seat: int) -> CardSet:
        return CardSet(self.layout.deck, self.hand_mask(seat))

    def place_mask(self, name: str) -> int:
        return self.masks[self.layout.names.index(name)]

    def place(self, name: str) -> CardSet:
        return CardSet(self.layout.deck, self.place_mask(name))

    @classmethod
    def from_cards(cls, layout: Layout, order: list[int] | tuple[int, ...]) -> Deal:
        """Deal the deck indices of ``order`` to the places one place after the other."""
        masks, start = [], 0
        for size in layout.sizes:
            masks.append(sum(1 << i for i in order[start : start + size]))
            start += size
        return cls(layout, tuple(masks))

    def to_text(self) -> str:
        """Places separated by ``|``, cards of a place by blanks."""
        return " | ".join(self.layout.deck.names(mask) for mask in self.masks)

    def _repr_html_(self) -> str:
        deck = self.layout.deck
        return html.facts("", [(n, deck.html(m)) for n, m in zip(self.layout.names, self.masks, strict=True)])

    @classmethod
    def from_text(cls, layout: Layout, text: str) -> Deal:
        return cls(layout, tuple(layout.deck.parse_mask(part) for part in text.split("|")))

    def owners(self) -> tuple[int, ...]:
        """Place number of each card of the deck, -1 for unused cards."""
        out = [-1] * len(self.layout.deck)
        for place, mask in enumerate(self.masks):
            for i in bits(mask):
                out[i] = place
        return tuple(out)


# -- dealing ------------------------------------------------------------------------------------------------------


class DealNotFound(TricktakeError):
    """No deal that meets the conditions was found in the given number of attempts."""

    def __init__(self, attempts: int, reason: str = "") -> None:
        super().__init__(attempts, reason)
        self.attempts, self.reason = attempts, reason

    def __str__(self) -> str:
        return self.reason or f"no deal in {self.attempts:,} attempts meets the conditions"


_deal, _shuffle = interpreted(kernel.deal), interpreted(kernel.shuffle)


def deal(layout: Layout, seed: int, id: int) -> Deal:  # noqa: A002
    """Deal number ``id`` of the series ``seed``: uniform among all deals, independent of the others.

    Both are numbers below 2**64; any deal can be made alone, in any order, on any worker. Batches of deals
    (``deals``, kernels) are the same ones. Raises InputError for other numbers.
    """
    _check(seed, id)
    places = [0] * len(layout.dealt)
    _deal(seed, id, layout.dealt, [0] * (len(layout.deck) - layout.aside), places)
    return Deal(layout, (*places, *_aside(layout)))


def deals(layout: Layout, seed: int, first: int, n: int) -> NDArray[np.int64]:
    """The deals ``first`` to ``first + n - 1`` of a series as (n, places) masks, compiled.

    Raises InputError, TooManyCards for a deck that kernels do not take.
    """
    if len(layout.deck) > WORD:
        raise TooManyCards(len(layout.deck))
    _check(seed, first)
    _check(seed, first + max(n, 1) - 1)
    order, sizes = np.empty(len(layout.deck) - layout.aside, np.int64), np.array(layout.dealt, np.int64)
    places = np.zeros((n, len(sizes)), np.int64)
    kernel.deals(signed(seed), signed(first), sizes, order, places)
    return np.hstack([places, np.full((n, 1), signed(layout.aside_cards_mask))]) if layout.aside else places


def _aside(layout: Layout) -> tuple[int, ...]:
    """The mask of the place of the cards that lie aside, if there is one."""
    return (layout.aside_cards_mask,) if layout.aside else ()


def _check(seed: int, number: int) -> None:
    for name, value in (("seed", seed), ("id", number)):
        if not 0 <= value < SEEDS:
            raise InputError(None, None, name, f"must be a whole number from 0 to 2**64 - 1, not {value}")


def deal_where(
    layout: Layout,
    seed: int,
    id: int,  # noqa: A002
    predeal: Mapping[str | int, int] | None = None,
    predicate: Callable[[Deal], bool] | None = None,
    attempts: int = ATTEMPTS,
) -> Deal:
    """Deal number ``id`` of the series ``seed`` among those that meet conditions, uniformly.

    predeal: for some places (number, or name in the layout) a mask of cards that lie there.
    predicate: which deals to accept; others are thrown away and dealt again, at most ``attempts`` times.

    Raises InputError if the predealt cards do not fit, DealNotFound if no accepted deal was found.
    """
    _check(seed, id)
    fixed = _predealt(layout, predeal or {})
    used = 0
    for mask in fixed:
        used |= mask
    rest = [i for i in range(len(layout.deck)) if not used >> i & 1]
    for attempt in range(attempts):
        order = iter(_shuffled(rest, seed, id, attempt))
        masks = []
        for mask, size in zip(fixed, layout.sizes, strict=True):
            missing = size - mask.bit_count()
            masks.append(mask | sum(1 << next(order) for _ in range(missing)))
        found = Deal(layout, tuple(masks))
        if predicate is None or predicate(found):
            return found
    raise DealNotFound(attempts)


def _shuffled(cards: list[int], seed: int, id: int, attempt: int) -> list[int]:  # noqa: A002
    """The cards in the order in which they are dealt."""
    if attempt < BY_HAND:
        order = list(cards)
        _shuffle(seed, id, attempt, order)
        return order
    many = np.array(cards, np.int64)
    kernel.shuffle(signed(seed), signed(id), attempt, many)
    return many.tolist()


def _predealt(layout: Layout, predeal: Mapping[str | int, int]) -> list[int]:
    """The predealt cards of each place. Raises InputError if they do not fit."""
    fixed = [*(0 for _ in layout.dealt), *_aside(layout)]
    seen = layout.aside_cards_mask
    for key, mask in predeal.items():
        name = str(key)
        if name not in layout.names:
            if not name.isdigit() or int(name) >= len(fixed):
                raise InputError(None, None, f"place {name}", f"there is none; places: {', '.join(layout.names)}")
            name = layout.names[int(name)]
        place = layout.names.index(name)
        if mask & ~layout.deck.full_mask:
            raise InputError(None, None, f"place {name}", "cards that are not in the deck")
        if seen & mask:
            raise InputError(None, None, f"place {name}", f"dealt twice: {layout.deck.names(seen & mask)}")
        seen |= mask
        fixed[place] |= mask
        if fixed[place].bit_count() > layout.sizes[place]:
            raise InputError(
                None, None, f"place {name}", f"{fixed[place].bit_count()} cards, but it holds {layout.sizes[place]}"
            )
    return fixed


# -- deals by number ----------------------------------------------------------------------------------------------


def number_of_deals(layout: Layout) -> int:
    """How many deals there are: a multinomial coefficient (Skat: 2,753,294,408,504,640, SKAT-1)."""
    total, left = 1, len(layout.deck) - layout.aside
    for size in layout.dealt:
        total *= math.comb(left, size)
        left -= size
    return total


def rank_deal(deal: Deal) -> int:
    """The number of a deal in [0, number_of_deals): place by place the rank of the combination it holds."""
    layout = deal.layout
    rest = list(range(len(layout.deck) - layout.aside))
    rank = 0
    for mask, size in zip(deal.masks, layout.dealt, strict=False):
        places = [i for i, card in enumerate(rest) if mask >> card & 1]
        rank = rank * math.comb(len(rest), size) + _rank_combination(places)
        rest = [card for card in rest if not mask >> card & 1]
    return rank


def unrank_deal(layout: Layout, rank: int) -> Deal:
    """The deal with this number. Raises ValueError outside [0, number_of_deals)."""
    if not 0 <= rank < number_of_deals(layout):
        raise ValueError(f"deal {rank} is not in [0, {number_of_deals(layout)})")
    counts, left = [], len(layout.deck) - layout.aside
    for size in layout.dealt:
        counts.append(math.comb(left, size))
        left -= size
    digits = []
    for count in reversed(counts):
        rank, digit = divmod(rank, count)
        digits.append(digit)
    rest, masks = list(range(len(layout.deck) - layout.aside)), []
    for size, digit in zip(layout.dealt, reversed(digits), strict=True):
        chosen = set(_unrank_combination(digit, size))
        masks.append(sum(1 << card for i, card in enumerate(rest) if i in chosen))
        rest = [card for i, card in enumerate(rest) if i not in chosen]
    return Deal(layout, (*masks, *_aside(layout)))


def _rank_combination(ascending: Sequence[int]) -> int:
    """The combinatorial number system: k positions c1 < c2 < ... have rank C(c1,1) + C(c2,2) + ..."""
    return sum(math.comb(c, k) for k, c in enumerate(ascending, 1))


def _unrank_combination(rank: int, size: int) -> list[int]:
    out = []
    for k in range(size, 0, -1):
        c = k - 1
        while math.comb(c + 1, k) <= rank:
            c += 1
        rank -= math.comb(c, k)
        out.append(c)
    return out
