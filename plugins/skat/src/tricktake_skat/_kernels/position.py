"""What one seat knows, as the rules of play read it: the frame of the core's loop, cards numbered as in the deck."""

from tricktake.kernels import batch

SEAT = batch.SEAT
HAND = batch.HAND
LEGAL = batch.LEGAL
LEADER = batch.LEADER
TABLE = batch.TABLE
BEST = batch.BEST
WINNER = batch.WINNER
GONE = batch.GONE
SKAT = batch.KNOWN  # if this seat knows it
COUNT = batch.COUNT
VOID = batch.VOID
LED = batch.LED
OPEN = batch.OPEN
TAKEN = batch.TAKEN  # eyes
DATA = batch.DATA  # of the expert: the rules switched on
WHY = batch.WHY
GAME = batch.FACTS  # 0 to 3 suits, 4 grand, 5 Null
DECLARER = batch.FACTS + 1
KEY = batch.FACTS + 2  # a number of the game, for policies that draw by lot
SIZE = batch.FRAME
