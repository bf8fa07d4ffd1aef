"""The papers' series notation as bytes to rows (``tricktake_skat.formats.pgn`` numbers the fields)."""

import numpy as np

from tricktake.jit import njit
from tricktake_skat._kernels.cards import EYES, GRAND, NULL
from tricktake_skat._kernels.logscan import BLANK, FULL, MORE, STRANGE, contains, line_end, number, starts, word
from tricktake_skat._kernels.rows import (
    R_ANNOUNCED,
    R_BID,
    R_BIDS,
    R_CARDS,
    R_DEAL,
    R_DECLARER,
    R_EYES,
    R_GAME,
    R_HAND,
    R_ID,
    R_OUVERT,
    R_PUT,
    R_WINNERS,
    R_WON,
    SOUND,
    clear,
    complete,
)

FIELDS = 103
DASH = 45
CARDS = 53  # fields before the tricks
EXTENSION = word("[More: ")
# What an extension may say that changes a row.
WON = word('"won"')
EYES_SAID = word('"eyes"')
BROKEN = word('"broken"')


@njit
def ident(text, at, end):
    """The id as a number, as ``rows`` numbers ids, and the place behind it; -1 for the place if it is none."""
    stop = at
    while stop < end and text[stop] != BLANK:
        stop += 1
    dash = at + 1
    while dash < stop and text[dash] != DASH:
        dash += 1
    if dash >= stop:
        value, after = number(text, at, stop)
        return value, after if value >= 0 and text[at] != DASH else -1
    seed, after = number(text, at, dash)
    if after != dash:
        return 0, -1
    value, after = number(text, dash + 1, stop)
    return (seed & 0x7FFFFFFF) << 32 | (value & 0xFFFFFFFF), after


@njit
def cards_of(fields, first, count):
    """The mask of some fields; 0 if one is no card."""
    mask = 0
    for i in range(first, first + count):
        if not 0 <= fields[i] < 32:
            return 0
        mask |= 1 << fields[i]
    return mask


@njit
def game_of(fields, count, row):
    """Fill a row from the numbers of a line; False if it is strange."""
    clear(row)
    row[R_ID] = fields[0]
    for seat in range(3):
        row[R_DEAL + seat] = cards_of(fields, 19 + 10 * seat, 10)
    row[R_DEAL + 3] = cards_of(fields, 49, 2)
    row[R_BIDS : R_BIDS + 3] = fields[3:6]
    code, declarer = fields[1], fields[2]
    if code == -1:
        return CARDS - 2 <= count <= CARDS and complete(row) == SOUND
    if count < CARDS or not 0 <= code <= 8 or not 0 <= declarer <= 2:
        return False
    row[R_DECLARER] = declarer
    row[R_GAME] = code if code <= GRAND else NULL
    row[R_HAND] = fields[6] != 0 if code <= GRAND else code >= 7
    row[R_OUVERT] = fields[11] != 0 if code <= GRAND else code == 6 or code == 8
    row[R_ANNOUNCED] = 2 if fields[10] != 0 or (code <= GRAND and fields[11] != 0) else 1 if fields[8] != 0 else 0
    if row[R_ANNOUNCED] != 0 and (row[R_HAND] == 0 or code > GRAND):
        return False  # only hand games of a suit or grand are announced
    bid = fields[3 + declarer]
    for seat in range(3):
        if fields[3 + seat] > bid:
            bid = fields[3 + seat]
    row[R_BID] = bid
    row[R_WON] = fields[12] != 0
    row[R_EYES] = fields[15]
    row[R_PUT] = cards_of(fields, 51, 2)
    tricks = (count - CARDS) // 5
    rest = (count - CARDS) % 5
    if rest > 2 or bid < 18 or (rest > 0 and tricks == 10):
        return False
    for trick in range(tricks + (rest > 0)):
        for k in range(3 if trick < tricks else rest):
            card = fields[CARDS + 5 * trick + k]
            if not 0 <= card < 32:
                return False
            row[R_CARDS + 3 * trick + k] = card
    if complete(row) != SOUND:
        return False
    for trick in range(tricks):
        winner = fields[CARDS + 5 * trick + 3]
        eyes = fields[CARDS + 5 * trick + 4]
        for k in range(3):
            points = EYES[row[R_CARDS + 3 * trick + k]]
            eyes += points if winner != declarer else -points
        if winner != row[R_WINNERS + trick] or eyes != 0:
            return False
    return True


@njit
def scan_pgn(text, at, line, rows, filled):
    """Rows (n, R_SIZE) from ``filled`` on; see ``logscan``."""
    fields = np.zeros(FIELDS, np.int64)
    size = len(text)
    first, first_line, plain = at, line, True  # of the extensions before a game
    while filled < len(rows):
        end = line_end(text, at)
        if end >= size:
            return filled, first, first_line, MORE, first, first_line
        begin, stop = at, end
        at, line = end + 1, line + 1
        while stop > begin and (text[stop - 1] == 13 or text[stop - 1] == 32):
            stop -= 1
        if stop == begin:
            continue
        if text[begin] == 91:  # an opening bracket
            if starts(text, begin, stop, EXTENSION) and (
                contains(text, begin, stop, WON)
                or contains(text, begin, stop, BROKEN)
                or contains(text, begin, stop, EYES_SAID)
            ):
                plain = False
            continue
        fields[0], begin = ident(text, begin, stop)
        count = 1
        while 0 <= begin < stop and count < FIELDS:
            value, begin = number(text, begin, stop)
            if begin < 0:
                break
            fields[count] = value
            count += 1
        if not plain or begin != stop or count < CARDS - 2 or not game_of(fields, count, rows[filled]):
            return filled, at, line, STRANGE, first, first_line
        filled += 1
        first, first_line, plain = at, line, True
    return filled, at, line, FULL, at, line
