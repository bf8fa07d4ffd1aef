"""Deals: which card lies where before anything is played."""

from __future__ import annotations

from attrs import frozen

from tricktake.cards import CardSet, Deck, bits


@frozen
class Layout:
    """The places a deck is dealt to: a hand a seat, then places no seat holds (skat, talon).

    hand_sizes: cards of each seat. extra: (name, size) of each further place. Sizes add up to the deck, or to less
    if cards stay out of play (``unused``).
    """

    deck: Deck
    hand_sizes: tuple[int, ...]
    extra: tuple[tuple[str, int], ...] = ()

    def __attrs_post_init__(self) -> None:
        if sum(self.sizes) > len(self.deck):
            raise ValueError(f"{sum(self.sizes)} cards to deal from a deck of {len(self.deck)}")

    @property
    def seats(self) -> int:
        return len(self.hand_sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cards of each place: the seats, then the extra places."""
        return self.hand_sizes + tuple(size for _, size in self.extra)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(s) for s in range(self.seats)) + tuple(name for name, _ in self.extra)

    @property
    def unused(self) -> int:
        return len(self.deck) - sum(self.sizes)


@frozen
class Deal:
    """One deal: the mask of each place of the layout, in deck order of bits.

    Raises ValueError if a card is dealt twice or a place has the wrong number of cards.
    """

    layout: Layout
    masks: tuple[int, ...]

    def __attrs_post_init__(self) -> None:
        names, sizes = self.layout.names, self.layout.sizes
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

    def hand(self, seat: int) -> CardSet:
        return CardSet(self.layout.deck, self.masks[seat])

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
