"""The papers' series notation as bytes to rows (``tricktake_skat.formats.pgn`` numbers the fields)."""

import numpy as np

from tricktake.jit import njit
from tricktake.kernels import scan as T
from tricktake_skat._kernels.cards import EYES, GRAND, NULL
from tricktake_skat._kernels.rows import SOUND, clear, complete

FIELDS = 103
CARDS = 53  # fields before the tricks
EXTENSION = T.word("[More: ")
# What an extension may say that changes a row.
WON = T.word('"won"')
EYES_SAID = T.word('"eyes"')
BROKEN = T.word('"broken"')


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
def game_of(fields, count, packed, row):
    """Fill a row from the numbers of a line; False if it is strange."""
    clear(row)
    row["id"] = fields[0]
    for seat in range(3):
        row["deal"][seat] = cards_of(fields, 19 + 10 * seat, 10)
    row["deal"][3] = cards_of(fields, 49, 2)
    for seat in range(3):
        row["bids"][seat] = fields[3 + seat]
    code, declarer = fields[1], fields[2]
    if code == -1:
        return CARDS - 2 <= count <= CARDS and complete(packed, row) == SOUND
    if count < CARDS or not 0 <= code <= 8 or not 0 <= declarer <= 2:
        return False
    row["declarer"] = declarer
    row["game"] = code if code <= GRAND else NULL
    row["hand"] = fields[6] != 0 if code <= GRAND else code >= 7
    row["ouvert"] = fields[11] != 0 if code <= GRAND else code == 6 or code == 8
    row["announced"] = 2 if fields[10] != 0 or (code <= GRAND and fields[11] != 0) else 1 if fields[8] != 0 else 0
    if row["announced"] != 0 and (row["hand"] == 0 or code > GRAND):
        return False  # only hand games of a suit or grand are announced
    bid = fields[3 + declarer]
    for seat in range(3):
        if fields[3 + seat] > bid:
            bid = fields[3 + seat]
    row["bid"] = bid
    row["won"] = fields[12] != 0
    row["eyes"] = fields[15]
    row["put"] = cards_of(fields, 51, 2)
    tricks = (count - CARDS) // 5
    rest = (count - CARDS) % 5
    if rest > 2 or bid < 18 or (rest > 0 and tricks == 10):
        return False
    for trick in range(tricks + (rest > 0)):
        for k in range(3 if trick < tricks else rest):
            card = fields[CARDS + 5 * trick + k]
            if not 0 <= card < 32:
                return False
            row["cards"][3 * trick + k] = card
    if complete(packed, row) != SOUND:
        return False
    for trick in range(tricks):
        winner = fields[CARDS + 5 * trick + 3]
        eyes = fields[CARDS + 5 * trick + 4]
        for k in range(3):
            points = EYES[row["cards"][3 * trick + k]]
            eyes += points if winner != declarer else -points
        if winner != row["winners"][trick] or eyes != 0:
            return False
    return True


@njit
def scan(text, at, line, rows, filled, packed):
    """Rows from ``filled`` on; see ``tricktake.kernels.scan``."""
    fields = np.zeros(FIELDS, np.int64)
    size = len(text)
    first, first_line, plain = at, line, True  # of the extensions before a game
    while filled < len(rows):
        end = T.line_end(text, at)
        if end >= size:
            return filled, first, first_line, T.MORE, first, first_line
        begin, stop = at, end
        at, line = end + 1, line + 1
        while stop > begin and (text[stop - 1] == 13 or text[stop - 1] == 32):
            stop -= 1
        if stop == begin:
            continue
        if text[begin] == 91:  # an opening bracket
            if T.starts(text, begin, stop, EXTENSION) and (
                T.contains(text, begin, stop, WON)
                or T.contains(text, begin, stop, BROKEN)
                or T.contains(text, begin, stop, EYES_SAID)
            ):
                plain = False
            continue
        fields[0], begin = T.ident(text, begin, stop)
        count, begin = T.numbers(text, begin, stop, fields, 1)
        if not plain or begin != stop or count < CARDS - 2 or not game_of(fields, count, packed, rows[filled]):
            return filled, at, line, T.STRANGE, first, first_line
        filled += 1
        first, first_line, plain = at, line, True
    return filled, at, line, T.FULL, at, line
