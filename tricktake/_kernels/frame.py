"""How a frame begins in every search: one position on the way to the current one. What follows is the search's own."""

SEAT = 0
PLAYED = 1  # cards on the table
LED = 2  # the card led
BEST = 3  # the card that wins the trick so far
WINNER = 4  # whose it is
COST = 5  # cost on the table
PLUS = 6  # the positive part of it
NEED = 7  # the question: does the side still get this much?
UP = 8  # all positive cost not yet credited
DOWN = 9  # all negative cost not yet credited
BROKEN = 10
FIRST = 11
GAIN = 12  # what the trick finished just before brought
CARD = 13  # the card that led here
MOVES = 14  # how many cards to try
NEXT = 15
VALUE = 16  # best bound so far
CUT = 17  # the card that cut
OWN = 18  # where the search's own words begin
