"""Recorded games as bytes to rows: what scanners need. A scanner reads what it knows; the rest is left to a parser.

A scanner fills rows from ``at`` on and answers (rows filled, next byte, next line, status, first byte, first line):
``MORE`` if the buffer ends within a record (which begins at the next byte), ``FULL`` if the rows are full, ``STRANGE``
if the record from the first byte to the next byte is not as expected. Lines are counted from 1.
"""

import numpy as np

from tricktake._kernels._jit import njit

MORE = 0
FULL = 1
STRANGE = 2

NEWLINE = 10
BLANK = 32


def word(letters):
    """A word as the scanners compare it."""
    return np.frombuffer(letters.encode(), np.uint8)


@njit
def line_end(text, at):
    """The place of the next newline, the length if there is none."""
    size = len(text)
    while at < size and text[at] != NEWLINE:
        at += 1
    return at


@njit
def starts(text, at, end, letters):
    """Whether the line from ``at`` to ``end`` begins with these letters."""
    if end - at < len(letters):
        return False
    for i in range(len(letters)):
        if text[at + i] != letters[i]:
            return False
    return True


@njit
def contains(text, at, end, letters):
    """Whether these letters stand between ``at`` and ``end``."""
    for start in range(at, end - len(letters) + 1):
        if text[start] == letters[0] and starts(text, start, end, letters):
            return True
    return False


@njit
def number(text, at, end):
    """A whole number after blanks and the place behind it; -1 for the place if there is none."""
    while at < end and text[at] == BLANK:
        at += 1
    sign = 1
    if at < end and text[at] == 45:
        sign = -1
        at += 1
    first, value = at, 0
    while at < end and 48 <= text[at] <= 57:
        value = value * 10 + (np.int64(text[at]) - 48)
        at += 1
        if at - first > 18:
            return 0, -1
    if at == first or (at < end and text[at] != BLANK and text[at] != NEWLINE and text[at] != 13):
        return 0, -1
    return sign * value, at
