"""XSkat's log as bytes to rows (``tricktake_skat.formats.xskat`` says what it looks like)."""

import numpy as np

from tricktake.jit import njit, popcount
from tricktake.kernels import scan as T
from tricktake_skat._kernels.cards import GRAND, NULL
from tricktake_skat._kernels.rows import SOUND, clear, complete

LONGEST = 64  # lines of a record
LED, WON = 1, 2  # marks of a cell
EMPTY, WRONG = -1, -2  # cards of a cell that holds none
WIDTH = 12

_GAMES = ("club", "spade", "heart", "diamond", "grand", "null")
NAMES = np.zeros((6, 8), np.uint8)
LENGTHS = np.array([len(name) for name in _GAMES], np.int64)
for _i, _name in enumerate(_GAMES):
    NAMES[_i, : len(_name)] = T.word(_name)
RANKS = T.word("789QK1AJ")  # in the order of the deck; the ten has a second digit

END = T.word("========")
RULE = T.word("----")
SEED = T.word("---- random_seed ")
PASS = T.word("Pass")
SKAT_IS = T.word("Skat is: ")
SKAT_WAS = T.word("Skat was: ")
LAST_BID = T.word("Last bid: ")
PLAYED = T.word(" played ")
HAND = T.word("Played Hand")
OUVERT = T.word("Played ouvert")
OUVERT_HAND = T.word("Played ouvert Hand")
SCHNEIDER = T.word("Schneider announced")
SCHWARZ = T.word("Schwarz announced")
WON_WITH = T.word("Won with: ")
LOST_WITH = T.word("Lost with: ")
WON_NULL = T.word("Won")
LOST_NULL = T.word("Lost")
POINTS = T.word(" points")


@njit
def name_at(text, at, end, names):
    """Which of the first ``names`` suits and games stands here in letters of any case, -1 for none."""
    for i in range(names):
        size = LENGTHS[i]
        if end - at < size:
            continue
        same = True
        for k in range(size):
            same = same and text[at + k] | T.BLANK == NAMES[i, k]
        if same:
            return i
    return -1


@njit
def cell(text, at, end):
    """The card (``EMPTY``, ``WRONG``) and the mark of the text up to ``end``, which blanks may fill."""
    if at >= end or text[at] == T.BLANK:
        for i in range(at, end):
            if text[i] != T.BLANK:
                return WRONG, 0
        return EMPTY, 0
    suit = name_at(text, at, end, 4)
    if suit < 0:
        return WRONG, 0
    upper = text[at + 1] & T.BLANK == 0
    at += LENGTHS[suit]
    if at + 1 >= end:
        return WRONG, 0
    under = text[at] == 95
    if not under and text[at] != T.BLANK:
        return WRONG, 0
    at += 1
    for rank in range(8):
        if text[at] == RANKS[rank]:
            at += 1
            if rank == 5:
                if at >= end or text[at] != 48:
                    return WRONG, 0
                at += 1
            for i in range(at, end):
                if text[i] != T.BLANK:
                    return WRONG, 0
            return 8 * suit + rank, WON if upper else LED if under else 0
    return WRONG, 0


@njit
def two_cards(text, at, end):
    """The mask of ``Heart A,Spade 7``; 0 if that is not what stands there."""
    comma = at
    while comma < end and text[comma] != 44:
        comma += 1
    first, _ = cell(text, at, comma)
    second, _ = cell(text, comma + 1, end)
    return (1 << first) | (1 << second) if first >= 0 and second >= 0 else 0


@njit
def declares(text, header, header_end, column, at, end):
    """The game if this line says that the player of the column played it, else -1."""
    first = header + 1 + WIDTH * column
    last = first + WIDTH
    if last > header_end:
        last = header_end
    while last > first and text[last - 1] == T.BLANK:
        last -= 1
    while first < last and text[first] == T.BLANK:
        first += 1
    size = last - first
    if size == 0 or not T.starts(text, at, end, text[first:last]) or not T.starts(text, at + size, end, PLAYED):
        return -1
    at += size + len(PLAYED)
    game = name_at(text, at, end, 6)
    return game if game >= 0 and at + LENGTHS[game] == end else -1


@njit
def trick_line(text, at, end, forehand, row, n):
    """Read the cards of a trick into the row from the n-th on; (cards, seat that won), (-1, -1) if it is strange."""
    lead, winner, here = -1, -1, 0
    cells = np.zeros(3, np.int64)
    for column in range(3):
        first = at + 2 + WIDTH * column
        last = first + WIDTH
        card, mark = cell(text, first, last if last < end else end)
        if card == WRONG or (mark == LED and lead >= 0) or (mark == WON and winner >= 0):
            return -1, -1
        seat = (column - forehand) % 3
        cells[seat] = card
        here += card >= 0
        if mark == LED:
            lead = seat
        elif mark == WON:
            winner = seat
    if lead < 0:
        lead = winner
    if lead < 0 or (here == 3) != (winner >= 0):
        return -1, -1
    for k in range(here):
        card = cells[(lead + k) % 3]
        if card < 0:
            return -1, -1
        row["cards"][n + k] = card
    return here, winner


@njit
def heading(text, begins, ends, count, rule, row):
    """Fill ``rule`` (3,) with the lines of dashes, and the id; the column of forehand, -1 if something is strange."""
    rules = 0
    for i in range(count):
        if T.starts(text, begins[i], ends[i], RULE):
            if rules < 3:
                rule[rules] = i
            rules += 1
    at, end = begins[rule[1]], ends[rule[1]]
    if rules != 3 or rule[0] != 2 or rule[2] - rule[1] != 11 or not T.starts(text, at, end, SEED):
        return -1
    seed, at = T.number(text, at + len(SEED), end)
    if at < 0:
        return -1
    game_number, at = T.number(text, at, end)
    if at < 0:
        return -1
    dealer, at = T.number(text, at, end)
    if at < 0 or not 0 <= dealer <= 3:
        return -1
    row["id"] = T.paired(seed, game_number)
    return dealer % 3


@njit
def hands(text, begins, ends, first, last, forehand, row):
    """Read the hands as they were played from these lines; False if something is strange."""
    for i in range(first, last):
        for column in range(3):
            at = begins[i] + 2 + WIDTH * column
            card, _ = cell(text, at, min(at + WIDTH, ends[i]))
            if card < 0:
                return False
            row["deal"][(column - forehand) % 3] |= 1 << card
    return True


@njit
def facts(text, begins, ends, first, last, forehand, row):
    """Read what stands below the hands: the skat as it was dealt, -1 if something is strange."""
    was = 0
    for i in range(first, last):
        at, end = begins[i], ends[i]
        if T.starts(text, at, end, SKAT_IS):
            row["deal"][3] = two_cards(text, at + len(SKAT_IS), end)
        elif T.starts(text, at, end, SKAT_WAS):
            was = two_cards(text, at + len(SKAT_WAS), end)
        elif T.starts(text, at, end, LAST_BID):
            row["bid"], at = T.number(text, at + len(LAST_BID), end)
            if at != end:
                return -1
        elif T.starts(text, at, end, HAND):
            row["hand"] = 1
        elif T.starts(text, at, end, OUVERT):
            row["ouvert"] = 1
            row["hand"] |= T.starts(text, at, end, OUVERT_HAND)
        elif T.starts(text, at, end, SCHNEIDER):
            row["announced"], row["hand"] = 1, 1
        elif T.starts(text, at, end, SCHWARZ):
            row["announced"], row["hand"] = 2, 1
        elif T.starts(text, at, end, WON_WITH) or T.starts(text, at, end, LOST_WITH):
            won = T.starts(text, at, end, WON_WITH)
            row["won"] = won
            row["eyes"], at = T.number(text, at + (len(WON_WITH) if won else len(LOST_WITH)), end)
            if at < 0 or not T.starts(text, at, end, POINTS):
                return -1
        elif end - at <= 4 and (T.starts(text, at, end, WON_NULL) or T.starts(text, at, end, LOST_NULL)):
            row["won"] = T.starts(text, at, end, WON_NULL)
        else:
            for column in range(3):
                game = declares(text, begins[0], ends[0], column, at, end)
                if game >= 0:
                    row["game"] = game
                    row["declarer"] = (column - forehand) % 3
            if row["declarer"] < 0:
                return -1
    return was


@njit
def before_exchange(was, row):
    """Give the declarer back what was discarded for the skat as it was dealt; False if that cannot be."""
    declarer, put = row["declarer"], row["deal"][3]
    own = row["deal"][declarer] | put
    if popcount(own) != 12 or popcount(was) != 2 or was & ~own != 0 or row["bid"] < 18:
        return False
    row["put"] = put
    row["deal"][declarer] = own & ~was
    row["deal"][3] = was
    row["bids"][declarer] = row["bid"]
    if row["ouvert"] != 0 and row["game"] <= GRAND:
        row["announced"], row["hand"] = 2, 1
    return True


@njit
def record(text, begins, ends, count, packed, row):
    """Fill a row from the lines of a record; False if it is strange."""
    clear(row)
    rule = np.zeros(3, np.int64)
    forehand = heading(text, begins, ends, count, rule, row)
    if forehand < 0 or not hands(text, begins, ends, rule[1] + 1, rule[2], forehand, row):
        return False
    was = facts(text, begins, ends, rule[2] + 1, count - 1, forehand, row)
    if was < 0:
        return False
    if row["declarer"] < 0:
        for seat in range(3):
            row["bids"][seat] = 0
        folded = rule[1] - rule[0] == 2 and T.contains(text, begins[3], ends[3], PASS)
        return folded and complete(packed, row) == SOUND
    if not before_exchange(was, row):
        return False
    n = 0
    winners = np.full(10, -1)
    for i in range(rule[0] + 1, rule[1]):
        if i - rule[0] > 10 or n % 3 != 0:
            return False
        here, winner = trick_line(text, begins[i], ends[i], forehand, row, n)
        if here < 0:
            return False
        winners[i - rule[0] - 1] = winner
        n += here
    if complete(packed, row) != SOUND or (n < 30 and row["game"] != NULL and row["eyes"] < 0):
        return False
    for trick in range(10):
        if winners[trick] != row["winners"][trick]:
            return False
    return True


@njit
def scan(text, at, line, rows, filled, packed):
    """Rows from ``filled`` on; see ``tricktake.kernels.scan``."""
    begins, ends = np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.int64)
    while filled < len(rows):
        count, at, line, first, first_line = T.lines_to(text, at, line, END, begins, ends)
        if count == 0:
            return filled, at, line, T.MORE, first, first_line
        if count > LONGEST or not record(text, begins, ends, count, packed, rows[filled]):
            return filled, at, line, T.STRANGE, first, first_line
        filled += 1
    return filled, at, line, T.FULL, at, line
