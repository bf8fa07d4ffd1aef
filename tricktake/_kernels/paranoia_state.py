"""The words of a paranoia search in the work array, behind the rules; then comes its stack of frames."""

from tricktake._kernels.play import CARDS, W_FREE

MAX_PLACES = 12
MAX_HIDDEN = 8  # Hall's condition is tested for every set of hidden places

PLACES = W_FREE
HIDDEN = PLACES + 1  # how many hidden places there are, and which
HIDE = HIDDEN + 1
MINE = HIDE + MAX_HIDDEN  # seats the searcher plays
TEAM = MINE + 1  # places whose cost counts for it: seats and credited places
EXACT = TEAM + 1  # 1: results above the need fail, too
CAPPED = EXACT + 1  # 1: the caps of the frames bind
EQUALS = CAPPED + 1  # 1: equivalent cards are tried once
TABLE = EQUALS + 1  # 1: the table is used
BOUNDS = TABLE + 1  # 1: the rules allow static bounds
UNIT = BOUNDS + 1  # weight of a unit of cost in the ordering
NODES = UNIT + 1
AT = NODES + 1  # where an interrupted search goes on
DOWN = AT + 1
VALUE = DOWN + 1  # what the last position was worth
ROOT = VALUE + 1  # cards tried at the root
HISTORY = ROOT + 1  # how often each card settled a position, for the others and for the searcher
FRAMES = HISTORY + 2 * CARDS
