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
DASH = 45


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
    if at < end and text[at] == DASH:
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


@njit
def numbers(text, at, end, fields, count):
    """Fill ``fields`` from number ``count`` on with the whole numbers up to ``end``: (how many there are, the place
    behind the last, -1 if something else stands there); what is beyond the last field is left.
    """
    while 0 <= at < end and count < len(fields):
        value, at = number(text, at, end)
        if at >= 0:
            fields[count] = value
            count += 1
    return count, at


@njit
def ident(text, at, end):
    """A word of digits, or of two numbers with a dash between, as one number (``records.scan.number_of``), and the
    place behind it; -1 for the place if it is none.
    """
    stop = at
    while stop < end and text[stop] != BLANK:
        stop += 1
    dash = at + 1
    while dash < stop and text[dash] != DASH:
        dash += 1
    if dash >= stop:
        value, after = number(text, at, stop)
        return value, after if value >= 0 and text[at] != DASH else -1
    first, after = number(text, at, dash)
    if after != dash:
        return 0, -1
    second, after = number(text, dash + 1, stop)
    return paired(first, second), after


@njit
def paired(first, second):
    """Two numbers, such as a seed and the number of a deal, as one."""
    return (first & 0x7FFFFFFF) << 32 | (second & 0xFFFFFFFF)


@njit
def lines_to(text, at, line, last, begins, ends):
    """The lines of a record, up to the one that begins with ``last``; empty lines before it are passed over.

    Fills begins and ends, as far as they go; the answer is (lines, next byte, next line, first byte, first line). No
    lines if the text ends within the record.
    """
    first, first_line, count = at, line, 0
    while True:
        end = line_end(text, at)
        if end >= len(text):
            return 0, first, first_line, first, first_line
        stop = end - 1 if end > at and text[end - 1] == 13 else end
        closed = False
        if count > 0 or stop > at:
            if count < len(begins):
                begins[count] = at
                ends[count] = stop
            count += 1
            closed = starts(text, at, stop, last)
        else:
            first, first_line = end + 1, line + 1
        at, line = end + 1, line + 1
        if closed:
            return count, at, line, first, first_line
