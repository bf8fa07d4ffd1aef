"""A frame of the stack of an open-card search: one position on the way to the current one."""

from tricktake._kernels.frame import *  # noqa: F403
from tricktake._kernels.frame import OWN
from tricktake._kernels.opencard_state import PATTERN_WORDS

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
SAME_LOW = OWN + 10  # entries of just this position there
SAME_HIGH = OWN + 11
FORCED = OWN + 12  # only one card is legal
EXCHANGE = OWN + 13  # 1: ranks are known on which results rest, so cards below them are alike
GROUPS = OWN + 14  # how many groups of more than one card
GROUP = OWN + 15
WORDS = GROUP + 32
LIST = WORDS + PATTERN_WORDS  # the cards to try: score, group and card in one word
SEEN = LIST + 32  # their bounds, once tried,
SEEN_REL = SEEN + 32  # and the cards whose rank these rest on
SIZE = SEEN_REL + 32
