"""Where the numbers of a compiled ``TrickRules`` lie in its arrays."""

MAX_SEATS = 7
MAX_SUITS = 8

# Positions in the header array of ``tricktake.rules.CompiledRules``.
H_SEATS = 0
H_CARDS = 1
H_SUITS = 2
H_TRUMP = 3  # play suit number, -1: no trump
H_FOLLOW = 4
H_TRUMP_WHEN_VOID = 5
H_OVERTAKE = 6
H_TIE = 7
H_TRICK_COST = 8
H_LAST_BONUS = 9
H_LEAD_LIMIT = 10  # mask of cards that may not be led until broken (unless nothing else is held)
H_BREAKERS = 11  # mask of cards whose play lifts the limit
H_FIRST_LEAD = 12  # mask: who holds one of these leads it to the first trick
H_FIRST_BAN = 13  # mask of cards not played to the first trick if avoidable
H_COPIES = 14  # 1 if there are two cards of equal power
H_LEAD_EXCUSE = 15  # mask of cards that nobody has to lead instead of a limited one
HEADER_SIZE = 16

# Rows of ``tricktake.rules.CompiledRules``.cards.
C_SUIT = 0
C_POWER = 1
C_COST = 2
CARD_ROWS = 3
