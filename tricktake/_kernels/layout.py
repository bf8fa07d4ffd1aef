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
H_OVERTAKE = 6  # 0: never, 1: always, 2: trumps only
H_TIE = 7
H_TRICK_COST = 8
H_LAST_BONUS = 9
H_LEAD_LIMIT = 10  # mask of cards that may not be led until broken (unless nothing else is held)
H_BREAKERS = 11  # mask of cards whose play lifts the limit
H_FIRST_LEAD = 12  # mask: who holds one of these leads it to the first trick
H_FIRST_BAN = 13  # mask of cards not played to the first trick if avoidable
H_COPIES = 14  # 1 if there are two cards of equal power
H_LEAD_EXCUSE = 15  # mask of cards that nobody has to lead instead of a limited one
H_RARE = 16  # which of the rules below are in force, 0 for most games: asked once where speed counts
H_ALWAYS_LEGAL = 17  # masks of cards
H_NEED_NOT_FOLLOW = 18
H_ALWAYS_WINS = 19
H_NEVER_WINS = 20
H_STAYS = 21
H_OTHER_TIES = 22
H_LAST_TIES = 23  # 1: these are decided as all others in the last trick
H_NO_UNDERTRUMP = 24
H_SPARE_PARTNER = 25
H_PARTNERS = 26  # for each seat the mask of the seats it spares
# A duty is not among the rare rules: it is in force until its suit has been led, which is part of a position.
H_DUTY = H_PARTNERS + MAX_SEATS  # mask of the cards
H_DUTY_SUIT = H_DUTY + 1  # all cards of their suit
H_DUTY_LENGTH = H_DUTY + 2  # cards of the suit with which it may be led under them, 0: never
H_LAST_RESORT = H_DUTY_LENGTH + 1  # mask of cards not played to a trick if avoidable
HEADER_SIZE = H_LAST_RESORT + 1

RARE_REPLIES = 1  # what may be played to a trick is more than ``reply_cards`` says
RARE_WINNER = 2  # which card takes a trick is more than a table of pairs says
RARE_STAYS = 4  # costs stay with who played them

# Bits of the word that says what has changed since the first trick.
BROKEN = 1  # lead limits are lifted
PENDING = 2  # a duty is still in force

# Rows of ``tricktake.rules.CompiledRules``.cards.
C_SUIT = 0
C_POWER = 1
C_COST = 2
CARD_ROWS = 3
