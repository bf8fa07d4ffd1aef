"""The deals behind the tables shipped so far, kept so that their manifests can be followed (``tricktake_skat.deals``).

Seed and number are hashed to 32 bits here, so that among some ten thousand deals two are the same.
"""

from tricktake.jit import lowbit_index, njit
from tricktake_skat._kernels.cards import ALL, mix


@njit
def deal(seed, number, places):
    """Deal 10, 10, 10 and 2 cards: the masks of forehand, middlehand, rearhand and skat into ``places``."""
    key = mix(mix(mix(seed & 0xFFFFFFFF, 1), (seed >> 32) & 0x7FFFFFFF), number & 0xFFFFFFFF)
    key2 = mix(mix(number >> 32 & 0x7FFFFFFF, 2), key)
    left = ALL
    for i in range(32):
        # Scaling 32 random bits misses uniformity by less than 2**-27 a card.
        pick = (mix(key ^ (i * 0x9E3779B), key2 + i) * (32 - i)) >> 32
        rest = left
        for _ in range(pick):
            rest &= rest - 1
        card = lowbit_index(rest)
        left ^= 1 << card
        if (i % 10 == 0 and i < 30) or i == 30:
            places[min(i // 10, 3)] = 0
        places[min(i // 10, 3)] |= 1 << card


@njit
def deals(seed, first, places):
    """Deal ``len(places)`` numbered deals into (n, 4) masks."""
    for i in range(len(places)):
        deal(seed, first + i, places[i])
