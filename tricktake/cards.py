"""Cards, decks and sets of cards.

A *kind* is the label of a card ("QS"); an *instance* is one physical card. A deck of two copies has two instances of
each kind, and they are distinguished, because two hands can hold one each. Instances are the bits of a mask, in
kernels of 64 bits. As in python-chess every set comes as a pair: the fast ``x_mask() -> int`` and the readable ``x() ->
CardSet``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import field, frozen

from tricktake import html
from tricktake.errors import AmbiguousName, InvalidCard

WORD = 64  # cards of a deck that kernels take: a set is one machine word
MAX_CARDS = 128


def bits(mask: int) -> Iterator[int]:
    """The indices of the set bits of ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def signed(mask: int) -> int:
    """``mask`` as the int64 the kernels use (bit 63 is the sign). Raises OverflowError for more than ``WORD`` bits."""
    if mask >> WORD > 0:
        raise OverflowError(f"a set of cards beyond card {WORD - 1}: kernels hold one in a word")
    return mask - (1 << WORD) if mask >> (WORD - 1) else mask


def unsigned(mask: int) -> int:
    """The reverse of ``signed``, for a mask from a kernel (a Python or numpy integer); larger masks stay."""
    mask = int(mask)
    return mask + (1 << WORD) if mask < 0 else mask


@frozen(order=True)
class Card:
    """One card instance of a deck. ``kind`` is the label shared by its copies, ``name`` is unique in the deck."""

    index: int
    kind: str
    suit: str
    rank: str
    copy: int = 0

    @property
    def name(self) -> str:
        """The label, followed by a prime for each further copy: ``"QC"``, ``"QC'"``."""
        return self.kind + "'" * self.copy

    @property
    def mask(self) -> int:
        return 1 << self.index

    def __str__(self) -> str:
        return self.name


@frozen
class Deck:
    """The card instances of a game, suit by suit from the weakest rank to the strongest.

    ``suits`` and ``ranks`` are one-character labels. A card is written suit first ("SA"), or rank first ("AS") if
    ``rank_first``; both forms are read unless that is ambiguous. Cards that do not fit the suits x ranks
    grid (jokers, tarock trumps) are given by ``extra`` as (kind, suit, rank).

    Decks of more than 64 instances can be dealt, played, seen and known; kernels, and so the solver, refuse them.

    Raises ValueError if the deck has more than 128 instances or two kinds of one name.
    """

    suits: str
    ranks: str
    copies: int = 1
    rank_first: bool = False
    extra: tuple[tuple[str, str, str], ...] = ()
    cards: tuple[Card, ...] = field(init=False, eq=False, repr=False)

    @cards.default
    def _make_cards(self) -> tuple[Card, ...]:
        kinds = [(r + s if self.rank_first else s + r, s, r) for s in self.suits for r in self.ranks]
        kinds += self.extra
        if len({k.upper() for k, _, _ in kinds}) < len(kinds):
            raise ValueError("two kinds of cards have the same name")
        cards = tuple(
            Card(i * self.copies + c, kind, suit, rank, c)
            for i, (kind, suit, rank) in enumerate(kinds)
            for c in range(self.copies)
        )
        if len(cards) > MAX_CARDS:
            raise ValueError(f"a deck holds at most {MAX_CARDS} cards, not {len(cards)}")
        return cards

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, index: int) -> Card:
        return self.cards[index]

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    @property
    def full_mask(self) -> int:
        return (1 << len(self.cards)) - 1

    def full(self) -> CardSet:
        return CardSet(self, self.full_mask)

    @cached_property
    def _by_name(self) -> dict[str, Card]:
        return {card.name.upper(): card for card in self.cards}

    def card(self, text: str) -> Card:
        """The card of this name, in either order of suit and rank, upper or lower case.

        Raises InvalidCard if there is none, AmbiguousName if the two readings are different cards.
        """
        name = text.strip().upper()
        found = {self._by_name[n] for n in (name, name[1::-1] + name[2:]) if n in self._by_name}
        exact = self._by_name.get(name)
        if exact is not None and len(found) == 1:
            return exact
        if len(found) == 1:
            return found.pop()
        if found:
            raise AmbiguousName(f"card {text!r} can be read as {' or '.join(sorted(c.name for c in found))}")
        raise InvalidCard(f"no card {text!r} in this deck")

    def parse_mask(self, text: str) -> int:
        """A set of cards separated by blanks, dots, commas or bars. Raises InvalidCard on duplicates."""
        mask = 0
        for word in text.replace(",", " ").replace(".", " ").replace("|", " ").split():
            card = self.card(word)
            while mask & card.mask and card.copy + 1 < self.copies:
                card = self.cards[card.index + 1]
            if mask & card.mask:
                raise InvalidCard(f"card {word!r} is there twice")
            mask |= card.mask
        return mask

    def parse(self, text: str) -> CardSet:
        return CardSet(self, self.parse_mask(text))

    def names(self, mask: int) -> str:
        """The cards of ``mask`` by name, strongest of each suit first, separated by blanks."""
        return " ".join(c.name for c in sorted((self.cards[i] for i in bits(mask)), key=self._display))

    def html(self, mask: int) -> html.Html:
        """The cards of ``mask`` for a notebook, in one line, suit by suit, strongest first."""
        found = [self.cards[card] for card in bits(mask)]
        parts = []
        for label in dict.fromkeys([*self.suits, *(card.suit for card in found)]):
            ranks = [html.text(card.rank + "'" * card.copy) for card in reversed(found) if card.suit == label]
            if ranks:
                parts.append("&thinsp;".join([html.suit(label), *ranks]))
        return html.Html("&ensp;".join(parts))

    def _display(self, card: Card) -> tuple[int, int]:
        suit = self.suits.find(card.suit)
        return (suit if suit >= 0 else len(self.suits), -card.index)

    def of_suit_mask(self, suit: str) -> int:
        return sum(c.mask for c in self.cards if c.suit == suit)

    def of_suit(self, suit: str) -> CardSet:
        return CardSet(self, self.of_suit_mask(suit))

    def of_rank(self, rank: str) -> CardSet:
        return CardSet(self, self.of_rank_mask(rank))

    def of_rank_mask(self, rank: str) -> int:
        return sum(c.mask for c in self.cards if c.rank == rank)


@frozen
class CardSet:
    """A set of cards with names: a readable wrapper of the mask that the engine uses."""

    deck: Deck
    mask: int = 0

    @classmethod
    def of(cls, deck: Deck, cards: Iterable[Card]) -> CardSet:
        mask = 0
        for card in cards:
            mask |= card.mask
        return cls(deck, mask)

    def __iter__(self) -> Iterator[Card]:
        return (self.deck.cards[i] for i in bits(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __contains__(self, card: object) -> bool:
        if isinstance(card, str):
            card = self.deck.card(card)
        return isinstance(card, Card) and bool(self.mask & card.mask)

    def _mask_of(self, other: CardSet) -> int:
        if other.deck != self.deck:
            raise ValueError("sets of cards of different decks")
        return other.mask

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask | self._mask_of(other))

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask & self._mask_of(other))

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask & ~self._mask_of(other))

    def __xor__(self, other: CardSet) -> CardSet:
        return CardSet(self.deck, self.mask ^ self._mask_of(other))

    def __le__(self, other: CardSet) -> bool:
        return not self.mask & ~self._mask_of(other)

    def __str__(self) -> str:
        return self.deck.names(self.mask)

    def _repr_html_(self) -> str:
        return self.deck.html(self.mask)
