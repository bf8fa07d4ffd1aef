"""A frame of the stack of an open-card search: one position on the way to the current one."""

from tricktake._kernels.frame import *  # noqa: F403
from tricktake._kernels.frame import OWN

LOW = OWN  # what is known without a search
HIGH = OWN + 1
ENTRY = OWN + 2  # of the table of positions
TAG = OWN + 3
TABLE = OWN + 4  # the cards on the table
WON = OWN + 5  # the winner of the trick finished just before, if its rank decided
REL = OWN + 6  # the cards whose rank the value rests on
REL_LOW = OWN + 7  # the same for LOW and HIGH
REL_HIGH = OWN + 8
HEAD = OWN + 9  # of the table of patterns, 0: not kept there
FORCED = OWN + 10  # only one card is legal
EXCHANGE = OWN + 11  # 1: ranks are known on which results rest, so cards below them are alike
LEGAL = OWN + 12  # the cards that may be played
HINT = OWN + 13  # the card to try before any is listed, -1: none
NOTE = OWN + 14  # where the note is, see notes.py, and its tag
NOTE_TAG = OWN + 15
COUNTS = OWN + 16  # the shape of the position, see shape.py
COUNTS_MORE = OWN + 17
PLANE = OWN + 18
GROUPS = PLANE + 3  # how many groups of more than one card
GROUP = GROUPS + 1
LIST = GROUP + 32  # the cards to try: score, group and card in one word
SEEN = LIST + 33  # their bounds, once tried,
SEEN_REL = SEEN + 33  # and the cards whose rank these rest on
SEEN_TALLY = SEEN_REL + 33  # what they count, two words each, see tally.py
TALLY = SEEN_TALLY + 2 * 33  # the same for the value, and for LOW and HIGH
TALLY_LOW = TALLY + 2
TALLY_HIGH = TALLY_LOW + 2
TOOK = TALLY_HIGH + 2  # the cards of the trick finished just before, if the side took it
# Of a relaxed search, see relaxed.py and relations.py:
FREE = TOOK + 1  # 1: any opponent of the lone seat may lead
ROW = FREE + 1  # about which relation the trick finished just before was
ASKED = ROW + 1  # what is kept of the relations, three words for the least and three for the most
ROWS = 13
RESTS = ASKED + 6  # what the result rests on: for each card of the lone seat what must beat it, then what it must beat
SIZE = RESTS + 2 * ROWS
