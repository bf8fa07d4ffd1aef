"""The words of an open-card search in the work array, behind the rules; then comes its stack of frames."""

from tricktake._kernels.layout import MAX_SUITS
from tricktake._kernels.play import CARDS, W_FREE

SEATS = 8
NAMES = 12  # cards with a name of their own, see shape.py
# Weights of the ordering, see order.py: tables of rows by columns.
ROWS, FEATURES = 9, 10
TRICK_ROWS, TRICK_FEATURES = 8, 12
PAIR_ROWS = 4

HANDS = W_FREE
SIDE = HANDS + SEATS  # seats whose cost is counted
MAX = SIDE + 1  # seats that want the side to get cost
REST = MAX + 1  # all cards in the hands
NODES = REST + 1
LIMIT = NODES + 1
STOPPED = LIMIT + 1  # 1: the node limit was reached, results are void
VALUE = STOPPED + 1  # what the last position was worth,
REL = VALUE + 1  # the cards whose rank that rests on,
TALLY = REL + 1  # and what it counts, two words, see tally.py
HOME = TALLY + 2  # hands of the deal the table is about
PATTERNS = HOME + SEATS  # with which flags positions are kept as patterns, a bit each
BOUNDS = PATTERNS + 1  # 1: the rules allow static bounds
UNIT = BOUNDS + 1  # weight of a unit of cost, so that a trick counts alike in every game
STYLE = UNIT + 1  # what kind of cost is at stake, for the ordering and the bounds, see order.py
ROLE = STYLE + 1  # of each seat, see order.py
PLANES = ROLE + SEATS  # how many bits the number of a seat has
ENTRY = PLANES + 1  # size of an entry of the table of patterns
ADD = ENTRY + 1  # what each card adds to the counts of a shape, see shape.py,
ADD_MORE = ADD + CARDS  # and to the second word of them
BEFORE = ADD_MORE + CARDS  # the cards that come before each card in the order of places
NAMED = BEFORE + CARDS  # how many cards have a name, these cards,
NAMED_CARD = NAMED + 1
NAMED_BELOW = NAMED_CARD + NAMES  # and what else their hands held below them
ROUNDS = NAMED_BELOW + NAMES  # scratch: how often the leader can cash each suit
LOOSE = ROUNDS + MAX_SUITS  # what opponents may still play to the trick on the table, see taking.py
LONE = LOOSE + 1  # the seat whose opponents may lead as they like in a relaxed search, -1: none
GUESSES = LONE + 1  # 1: asked is what the relaxed search alone says, for a first guess
LAID = GUESSES + 1  # scratch: hands laid aside
GUARDED = LAID + SEATS  # scratch: how many suits each seat guards, see later.py
WEIGHTS = GUARDED + SEATS  # two tables, for a side that wants cost and one that avoids it,
TRICK_WEIGHTS = WEIGHTS + 2 * ROWS * FEATURES  # and one for tricks alone
PAIR_WEIGHTS = TRICK_WEIGHTS + TRICK_ROWS * TRICK_FEATURES  # and one for pairs that want cost
FRAMES = PAIR_WEIGHTS + PAIR_ROWS * FEATURES
