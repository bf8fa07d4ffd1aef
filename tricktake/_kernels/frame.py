"""The state of an open-card search in the work array, behind the rules: words of the search, then a stack of frames."""

from tricktake._kernels.layout import MAX_SUITS
from tricktake._kernels.play import W_FREE

SEATS = 8
WORDS = 4  # of a pattern, see patterns.py
CHUNKS = 16  # bytes of the deck, counted suit by suit
CHUNK = 256 * 3
# Weights of the ordering, see order.py: tables of rows by columns.
ROWS, FEATURES = 9, 10
TRICK_ROWS, TRICK_FEATURES = 8, 12

S_HANDS = W_FREE
S_SIDE = S_HANDS + SEATS  # seats whose cost is counted
S_MAX = S_SIDE + 1  # seats that want the side to get cost
S_REST = S_MAX + 1  # all cards in the hands
S_NODES = S_REST + 1
S_LIMIT = S_NODES + 1
S_STOPPED = S_LIMIT + 1  # 1: the node limit was reached, results are void
S_VALUE = S_STOPPED + 1  # what the last position was worth,
S_REL = S_VALUE + 1  # and the cards whose rank that rests on
S_HOME = S_REL + 1  # hands of the deal the table is about
S_PATTERNS = S_HOME + SEATS  # 1: positions may be kept as patterns
S_BOUNDS = S_PATTERNS + 1  # 1: the rules allow static bounds
S_UNIT = S_BOUNDS + 1  # weight of a unit of cost, so that a trick counts alike in every game
S_STYLE = S_UNIT + 1  # what kind of cost is at stake, for the ordering and the bounds, see order.py
S_ROLE = S_STYLE + 1  # of each seat, see order.py
S_OWNER_BITS = S_ROLE + SEATS
S_WORDS = S_OWNER_BITS + 1
S_ENTRY = S_WORDS + 1  # size of an entry
S_WORD = S_ENTRY + 1  # which word of a pattern a suit is in,
S_FIELD = S_WORD + MAX_SUITS  # from which bit on,
S_SIZE = S_FIELD + MAX_SUITS  # how many cards the deal has of it,
S_LOWEST = S_SIZE + MAX_SUITS  # which is the lowest,
S_CHUNK = S_LOWEST + MAX_SUITS  # and its first chunk
S_CHUNKS = S_CHUNK + MAX_SUITS + 1
S_ROUNDS = S_CHUNKS + CHUNKS * CHUNK  # scratch: how often the leader can cash each suit
S_WEIGHTS = S_ROUNDS + MAX_SUITS  # two tables, for a side that wants cost and one that avoids it,
S_TRICK_WEIGHTS = S_WEIGHTS + 2 * ROWS * FEATURES  # and one for tricks alone
S_FRAMES = S_TRICK_WEIGHTS + TRICK_ROWS * TRICK_FEATURES

# A frame of the stack: one position on the way to the current one.
F_SEAT = 0
F_PLAYED = 1  # cards on the table
F_LED = 2  # the card led
F_BEST = 3  # the card that wins the trick so far
F_WINNER = 4  # whose it is
F_COST = 5  # cost on the table
F_PLUS = 6  # the positive part of it
F_NEED = 7  # the question: does the side still get this much?
F_UP = 8  # all positive cost not yet credited
F_DOWN = 9  # all negative cost not yet credited
F_BROKEN = 10
F_FIRST = 11
F_GAIN = 12  # what the trick finished just before brought
F_CARD = 13  # the card that led here
F_MOVES = 14  # how many cards to try
F_NEXT = 15
F_VALUE = 16  # best bound so far
F_CUT = 17  # the card that cut
F_LOW = 18  # what is known without a search
F_HIGH = 19
F_ENTRY = 20  # of the table of positions
F_TAG = 21
F_TABLE = 22  # the cards on the table
F_WON = 23  # the winner of the trick finished just before, if its rank decided
F_REL = 24  # the cards whose rank the value rests on
F_REL_LOW = 25  # the same for F_LOW and F_HIGH
F_REL_HIGH = 26
F_HEAD = 27  # of the table of patterns, 0: not kept there
F_SAME_LOW = 28  # entries of just this position there
F_SAME_HIGH = 29
F_FORCED = 30  # only one card is legal
F_GROUPS = 31  # how many groups of more than one card
F_GROUP = 32
F_WORDS = F_GROUP + 32
F_LIST = F_WORDS + WORDS  # the cards to try: score, group and card in one word
F_SEEN = F_LIST + 32  # their bounds, once tried
FRAME = F_SEEN + 32
