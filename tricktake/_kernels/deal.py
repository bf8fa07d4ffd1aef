"""Dealing: the one shuffle behind every seed, compiled in batches and as Python for a single deal.

The random numbers are the words of ChaCha with 8 rounds (Bernstein 2008; J.-P. Aumasson, Too Much Crypto, 2019), its
key made of the seed and its nonce of the number of the deal: no two pairs of them share a block, and who knows some
cards of a deal cannot compute the others without knowing the seed.
"""

from tricktake._kernels._jit import njit

M32 = 0xFFFFFFFF
DOUBLE_ROUNDS = 4  # eight rounds
WORDS = 16  # of 32 bits in a block
SIGMA = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
# The rest of the key names this stream, so that another use of the seed draws other numbers: "tricktake deals, rev. 1."
NAME = (0x63697274, 0x6B61746B, 0x65642065, 0x2C736C61, 0x76657220, 0x2E31202E)


@njit
def quarter(a, b, c, d):
    """The quarter round of ChaCha."""
    a = (a + b) & M32
    d ^= a
    d = (d << 16 | d >> 16) & M32
    c = (c + d) & M32
    b ^= c
    b = (b << 12 | b >> 20) & M32
    a = (a + b) & M32
    d ^= a
    d = (d << 8 | d >> 24) & M32
    c = (c + d) & M32
    b ^= c
    b = (b << 7 | b >> 25) & M32
    return a, b, c, d


@njit
def block(key, counter, nonce, double_rounds):
    """The 16 words of a block of ChaCha. key: 8 words; counter, nonce: 2 words each."""
    s0, s1, s2, s3 = SIGMA
    s4, s5, s6, s7, s8, s9, s10, s11 = key
    s12, s13 = counter
    s14, s15 = nonce
    a0, a1, a2, a3, a4, a5, a6, a7 = s0, s1, s2, s3, s4, s5, s6, s7
    a8, a9, a10, a11, a12, a13, a14, a15 = s8, s9, s10, s11, s12, s13, s14, s15
    for _ in range(double_rounds):
        a0, a4, a8, a12 = quarter(a0, a4, a8, a12)
        a1, a5, a9, a13 = quarter(a1, a5, a9, a13)
        a2, a6, a10, a14 = quarter(a2, a6, a10, a14)
        a3, a7, a11, a15 = quarter(a3, a7, a11, a15)
        a0, a5, a10, a15 = quarter(a0, a5, a10, a15)
        a1, a6, a11, a12 = quarter(a1, a6, a11, a12)
        a2, a7, a8, a13 = quarter(a2, a7, a8, a13)
        a3, a4, a9, a14 = quarter(a3, a4, a9, a14)
    return (
        (a0 + s0) & M32,
        (a1 + s1) & M32,
        (a2 + s2) & M32,
        (a3 + s3) & M32,
        (a4 + s4) & M32,
        (a5 + s5) & M32,
        (a6 + s6) & M32,
        (a7 + s7) & M32,
        (a8 + s8) & M32,
        (a9 + s9) & M32,
        (a10 + s10) & M32,
        (a11 + s11) & M32,
        (a12 + s12) & M32,
        (a13 + s13) & M32,
        (a14 + s14) & M32,
        (a15 + s15) & M32,
    )


@njit
def shuffle(seed, number, attempt, order):
    """Put ``order``, a list or an array of cards, into the order in which deal ``number`` of ``seed`` deals them.

    seed, number: 64 bits each, whether read with a sign or without. attempt: below 2**32, for deals that are dealt
    again until they meet a condition. Every order is equally likely (Fisher and Yates; draws without bias by the
    method of D. Lemire, Fast Random Integer Generation in an Interval, 2019).
    """
    key = (seed & M32, (seed >> 32) & M32, NAME[0], NAME[1], NAME[2], NAME[3], NAME[4], NAME[5])
    nonce = (number & M32, (number >> 32) & M32)
    n = len(order)
    used, blocks = WORDS, 0
    words = block(key, (0, 0), nonce, 0)  # replaced by the first block before it is read
    for i in range(n - 1):
        left = n - i
        low = -1
        while low < 0:
            if used == WORDS:
                words = block(key, (blocks, attempt & M32), nonce, DOUBLE_ROUNDS)
                used, blocks = 0, blocks + 1
            scaled = words[used] * left
            used += 1
            low = scaled & M32
            if low < left and low < ((1 << 32) - left) % left:
                low = -1  # this word would favour some cards
        j = i + (scaled >> 32)
        card = order[j]
        order[j] = order[i]
        order[i] = card


@njit
def deal(seed, number, sizes, order, places):
    """Deal ``number`` of ``seed``: the mask of each place into ``places``. ``order`` gets the order of the pack.

    sizes: cards of each place; the rest of the pack stays out of play. order: as long as the pack has cards.
    """
    for i in range(len(order)):
        order[i] = i
    shuffle(seed, number, 0, order)
    start = 0
    for place in range(len(sizes)):
        mask = 0
        for i in range(start, start + sizes[place]):
            mask |= 1 << order[i]
        places[place] = mask
        start += sizes[place]


@njit
def deals(seed, first, sizes, order, places):
    """The deals numbered from ``first`` into (n, places) masks; sizes and order as in ``deal``."""
    for i in range(len(places)):
        deal(seed, first + i, sizes, order, places[i])
