"""The deals of a seed, slow and by the letter: ChaCha as RFC 8439 prints it, then Fisher and Yates."""

from __future__ import annotations

import struct

ROUNDS = 8
REFUSE = True  # the words that would make some cards likelier
NAME = b"tricktake deals, rev. 1."


def rotate(x: int, n: int) -> int:
    return ((x << n) | (x >> (32 - n))) % 2**32


def quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for to, by, other, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[to] = (state[to] + state[by]) % 2**32
        state[other] = rotate(state[other] ^ state[to], n)


def chacha(key: bytes, last_row: bytes, rounds: int) -> list[int]:
    """The words of a block. last_row: counter and nonce, however they share its 16 bytes."""
    start = list(struct.unpack("<16I", b"expand 32-byte k" + key + last_row))
    state = list(start)
    for _ in range(rounds // 2):
        for column in range(4):
            quarter_round(state, column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter_round(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return [(x + y) % 2**32 for x, y in zip(state, start, strict=True)]


def shuffled(cards: list[int], seed: int, number: int, attempt: int = 0) -> list[int]:
    words: list[int] = []
    used = 0
    order = list(cards)
    for i in range(len(order) - 1):
        left = len(order) - i
        while True:
            if used == len(words):
                last_row = struct.pack("<IIQ", used // 16, attempt, number)
                words += chacha(struct.pack("<Q", seed) + NAME, last_row, ROUNDS)
            word = words[used]
            used += 1
            # Each number below ``left`` owns as many words as the others; the first few of its share are not used.
            if not REFUSE or word * left % 2**32 >= 2**32 % left:
                break
        j = i + word * left // 2**32
        order[i], order[j] = order[j], order[i]
    return order
