"""Where the numbers of a policy lie: the plan of its inputs, the state of a game, the rows games start from.

All of it stands in one flat work array behind the rules (``play.pack``). Inputs are numbered in blocks; a block of
cards
has a place for each compiled card, one of suits for each play suit. Seats are counted from the seat to play: 0 is it.
"""

from tricktake._kernels.layout import MAX_SUITS
from tricktake._kernels.play import CARDS, W_FREE

VERSION = 1  # of the encoding: a policy is bound to it

SEATS = 8
# Levels of the inputs that are amounts.
FINE, COARSE, OWN, POT, COUNTS, NEEDS = 64, 8, 16, 16, 16, 64
NO_GOAL = -(1 << 40)  # instead of a number, where a goal has none
NO_STOP = 1 << 40
SOUGHT, NOBODY = -1, -2  # instead of the seat of a partner: he may still be found; there is none to be found

# ---- the plan: sizes, then the first input of each block ---------------------------------------------------------
E_SEATS = 0
E_CARDS = 1
E_SUITS = 2
E_LOW = 3  # the least cost a side can have
E_SPAN = 4  # how many costs from there on there are
E_POT_SPAN = 5  # the same of one trick, from E_POT_LOW on
E_POT_LOW = 6
E_STEP = 7  # costs that share an input of what is needed
E_INPUTS = 8  # how many inputs there are
E_HAND = 9  # cards in hand
E_PLAYED = 10  # by seat: cards played to finished tricks
E_TABLE = 11  # by seat but the own: its card on the table
E_ASIDE = 12  # cards known to lie aside
E_KNOWN = 13  # by seat but the own: cards it surely holds
E_WINS = 14  # cards in hand that take the lead of the trick
E_MASTER = 15  # cards in hand that no unseen card of their suit beats
E_VOID = 16  # by seat but the own: suits it did not follow
E_LED = 17  # suit led
E_POSITION = 18  # cards on the table
E_BEST = 19  # by seat: who has the best card so far
E_COUNT = 20  # by suit: cards in hand
E_UNSEEN = 21  # by suit: cards unseen
E_TAKEN = 22  # by seat: what it has taken
E_MINE = 23  # what the own side has, finely, then coarsely
E_OTHERS = 24  # what all others have, the same
E_NEED = 25  # how far the goal is
E_POT = 26  # what lies on the table
E_LEFT = 27  # cards in hand, as a number
E_NO_TRICK = 28  # the own side has no trick, the others have none
E_ALLY = 29  # by seat but the own: surely an ally
E_MAYBE = 30  # by seat but the own: possibly one
E_FLAGS = 31  # first trick, limits broken
E_LIKE = 32  # for each suit: the number of its class of like suits
E_ALLIED_BY = E_LIKE + MAX_SUITS  # cards whose holders play together, 0: none
E_FOUND_BY = E_ALLIED_BY + 1  # tricks within which a partner is found, 0: none is
E_FOUND_LED = E_FOUND_BY + 1  # cards one of which must be led to that trick, 0: any
E_THEIR_NEED = E_FOUND_LED + 1  # by seat but the own: how far its goal is; 0 if the game has no such inputs
E_SIZE = E_THEIR_NEED + 1

# ---- the work array ----------------------------------------------------------------------------------------------
W_PLAN = W_FREE
W_SUIT = W_PLAN + E_SIZE  # play suit of each card
W_LOWEST = W_SUIT + CARDS  # lowest card of each suit
W_TO_CARD = W_LOWEST + MAX_SUITS  # by seat: where its inputs show each card
W_TO_SUIT = W_TO_CARD + SEATS * CARDS  # the same for suits
# What stays the same during a game:
T_ASIDE = W_TO_SUIT + SEATS * MAX_SUITS  # by observer
T_OPEN = T_ASIDE + SEATS  # by observer and seat: cards known to be dealt there
T_SIDE = T_OPEN + SEATS * SEATS  # by seat: its sure allies and itself, where teams are not hidden
T_MAYBE = T_SIDE + SEATS  # those that can be allies
T_MINE = T_MAYBE + SEATS  # by seat: what it knows to be credited to its side
T_OTHERS = T_MINE + SEATS  # and to the others
T_GOAL = T_OTHERS + SEATS  # by seat: the cost at which its goal is decided, or NO_GOAL
T_ACTOR = T_GOAL + SEATS  # by seat: who decides for it
T_SHOWN = T_ACTOR + SEATS  # seats whose hands lie open once a card is played
T_CALLER = T_SHOWN + 1  # see R_CALLER
T_ALLIED = T_CALLER + 1
T_APART = T_ALLIED + 1
# What changes:
T_HANDS = T_APART + 1
T_PLAYED = T_HANDS + SEATS
T_TABLE = T_PLAYED + SEATS  # cards on the table in order
T_VOID = T_TABLE + SEATS  # by seat, as a mask of suits
T_TAKEN = T_VOID + SEATS  # by seat, in the play
T_WON = T_TAKEN + SEATS
T_COUNT = T_WON + SEATS  # cards on the table
T_LEADER = T_COUNT + 1
T_TURN = T_LEADER + 1
T_BEST = T_TURN + 1  # card
T_WINNER = T_BEST + 1
T_COST = T_WINNER + 1  # of the cards on the table
T_LED = T_COST + 1  # the card that set the suit to follow
T_FLAGS = T_LED + 1  # BROKEN, PENDING of ``layout``
T_FIRST = T_FLAGS + 1  # whether this is the first trick
T_LEFT = T_FIRST + 1  # cards in all hands
T_GONE = T_LEFT + 1
T_PARTNER = T_GONE + 1  # the seat that became a partner by a trick, SOUGHT or NOBODY
T_END = T_PARTNER + 1
CHANGING = T_END - T_HANDS
SAVED = T_END  # room for a copy of it
WORK = SAVED + CHANGING

# ---- rows: how a game starts, for n seats ------------------------------------------------------------------------
R_LEADER = 0
R_DECLARER = 1  # -1: none
R_SHOWN = 2
R_FLAGS = 3  # BROKEN, PENDING
R_FIRST = 4
R_STOP = 5  # cost of the declarer's side from which on the play changes nothing more, or NO_STOP
# Where teams are hidden, and only there:
R_CALLER = 6  # who is on the declarer's side whatever he holds, -1: nobody
R_ALLIED = 7  # seats that said for sure that they are on it
R_APART = 8  # seats that said for sure that they hold none of the cards which decide
R_SEATS = 9  # then blocks of n numbers, in this order:
B_HANDS, B_ASIDE, B_SIDE, B_MAYBE, B_TRUE, B_MINE, B_OTHERS, B_CREDIT, B_GOAL, B_ACTOR, B_WORTH = range(11)
BLOCKS = 11  # and n * n: cards known to each observer in each hand
