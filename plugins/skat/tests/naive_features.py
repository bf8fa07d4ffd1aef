"""Features of Skat games by names of cards, slow and obvious."""

from __future__ import annotations

from tricktake_skat.deck import SKAT

from tricktake.factor import FROM_TOP, RETAKING, expected

SUITS = "CSHD"
TRUMP_RANKS = "J"


def names(mask: int) -> set[str]:
    return {f"{card.suit}{card.rank}" for i, card in enumerate(SKAT) if mask >> i & 1}


def mask_of(text: str) -> int:
    return sum(SKAT.card(name).mask for name in text.split())


def trumps_high_to_low(game: str) -> list[str]:
    jacks = [suit + "J" for suit in SUITS]
    return jacks + ([game + rank for rank in "ATKQ987"] if game in SUITS else [])


def jack_group(own: set[str]) -> int:
    jacks = "".join(sorted(card[0] for card in own if card[1] == "J"))
    groups = [
        ("",),
        ("H", "D"),
        ("S",),
        ("C",),
        ("DH",),
        ("HS", "DS"),
        ("CH", "CD"),
        ("CS",),
        ("DHS", "CDH"),
        ("CHS", "CDS"),
        ("CDHS",),
    ]
    return next(number for number, group in enumerate(groups) if jacks in group)


def tenaces(game: str, own: set[str], put: set[str]) -> int:
    line = [card in own for card in trumps_high_to_low(game) if card not in put][:7]
    return min(3, sum(a and not b and c for a, b, c in zip(line, line[1:], line[2:], strict=False)))


def side(game: str, own: set[str]) -> list[set[str]]:
    """The side suits, jacks left out."""
    return [{c for c in own if c[0] == suit and c[1] != "J"} for suit in SUITS if suit != game]


def places(line: list[str], cards: set[str]) -> int:
    """The cards of one suit as a mask in order of strength; line: the suit from the highest card down."""
    return sum(1 << at for at, card in enumerate(reversed(line)) if card in cards)


def lost(game: str, own: set[str], put: set[str]) -> float:
    """Tricks the hand is expected to lose against two hands of ten, not rounded; not of the jacks in a grand (2.5)."""
    out = {f"{card.suit}{card.rank}" for card in SKAT} - own - put
    lines = [([suit + rank for rank in "ATKQ987"], RETAKING) for suit in SUITS if suit != game]
    if game in SUITS:
        lines.append((trumps_high_to_low(game), FROM_TOP))
    held = [(places(line, own), places(line, out), question) for line, question in lines]
    return sum(mine.bit_count() - expected(mine, others, 10, question) for mine, others, question in held)


def free_suits(game: str, own: set[str]) -> int:
    return sum(not suit for suit in side(game, own))


def count(game: str, own: set[str], rank: str) -> int:
    return sum(card[1] == rank for suit in side(game, own) for card in suit)


def gap(cards: str) -> int:
    """How far the worst card of a Null suit is above what two lower cards a trick draw out."""
    order = "789TJQKA"
    return max((max(0, order.index(rank) - 2 * i) for i, rank in enumerate(sorted(cards, key=order.index))), default=0)
