"""What one seat knows, as an int64 array: the input of the rules of play."""

P_GAME = 0
P_SEAT = 1
P_DECLARER = 2
P_HAND = 3
P_LEADER = 4
P_TABLE = 5  # and 6: the cards on the table, -1 if there are none
P_GONE = 7  # cards played, those on the table included
P_SKAT = 8  # the skat if this seat knows it
P_VOID = 9  # and 10, 11: cards a seat has shown it does not hold
P_LED = 12  # and 13, 14: the cards of the classes a seat has led
P_OPEN = 15  # the declarer's hand if it lies open
P_SIZE = 16
