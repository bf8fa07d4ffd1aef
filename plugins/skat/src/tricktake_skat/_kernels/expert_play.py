"""The expert's card: the rule player's, unless a rule that knows better overrules it.

Each overruling came out of one-step deviations: for every card the rule player could have played in 20,000 of XSkat's
contracts the game was played on, and the situations in which another kind of card wins more often were made rules.
"""

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels import whys as W
from tricktake_skat._kernels.cards import (
    ACES,
    ALL,
    CLASS,
    EYES,
    GRAND,
    JACKS,
    KINGS,
    NULL,
    PLAIN,
    QUEENS,
    TENS,
    TRUMPS,
    eyes_of,
)
from tricktake_skat._kernels.discard_rules import standing_cards
from tricktake_skat._kernels.factor import project, standing
from tricktake_skat._kernels.picks import fattest, lowest, masters_of, strongest, winners_of
from tricktake_skat._kernels.rule_play import choose as rule_choose
from tricktake_skat._kernels.rule_play import side_suit

# Thresholds found with the rules, in cards.
FEW_OUT = 4  # trumps the others hold, up to which the declarer goes on drawing them
LAST_TRUMPS = 2  # trumps the others hold when side cards that stand are cashed before the last ones are forced
SHORT_TRUMPS = 5  # own trumps up to which the declarer ruffs with ace and ten first
MANY_OUT = 6  # trumps not seen by a defender above which the ace waits
LONE_TRUMPS = 2  # own trumps of a defender for whom it waits
GUARDS_OUT = 3  # outstanding cards of the suit up to which a defender leads away from his ace
ABOVE_LOST = 2  # tricks a grand still loses up to which it is played from above (SKAT-29)
LONG = 3  # cards of a long suit

HONOURS = KINGS | QUEENS


@njit
def on(p, rule):
    return p[P.DATA] >> (rule - W.FIRST) & 1 != 0


@njit
def trumps_out(p, out):
    """Trumps the others may hold; none if both have shown that they have none."""
    trumps = TRUMPS[p[P.GAME]]
    seat = p[P.SEAT]
    left, right = (seat + 1) % 3, (seat + 2) % 3
    if p[P.VOID + left] & trumps == trumps and p[P.VOID + right] & trumps == trumps:
        return 0 * out
    return out & trumps


@njit
def short_master(game, hand, out):
    """A side card that stands, below ace and ten, with at most one of its suit outstanding; -1 if there is none."""
    tall = masters_of(game, hand & ~TRUMPS[game] & HONOURS, out)
    while tall:
        card = lowbit_index(tall)
        tall &= tall - 1
        if popcount(out & CLASS[game, card]) <= 1:
            return card
    return -1


@njit
def small_from_ten(p, out):
    """A small card of the longest side suit with the ten whose ace is out; -1 if there is none."""
    game, hand = p[P.GAME], p[P.HAND]
    choice, most = -1, 0
    for suit in range(4):
        group = side_suit(game, suit)
        own = hand & group
        low = own & ~(ACES | TENS | HONOURS)
        if own & TENS and out & ACES & group and low and popcount(own) > most:
            choice, most = lowest(game, low), popcount(own)
    return choice


@njit
def by_the_paper(p, out, card, rule, own, others):
    """The lead of a grand by the paper's rules of play (SKAT-29); -1 if none applies."""
    game, hand = p[P.GAME], p[P.HAND]
    stands = standing_cards(game, hand, ALL & ~(hand | out))
    cashes = rule == W.CASH_ACE or rule == W.CASH_WINNER
    if on(p, W.FROM_ABOVE) and p[P.SEAT] == 0 and others and (cashes or rule == W.DRAW_TRUMPS):
        top = standing(project(game, JACKS, own), project(game, JACKS, others))
        if popcount(hand) - popcount(stands) - top <= ABOVE_LOST:
            return card, W.FROM_ABOVE
    if on(p, W.STANDING_FIRST) and others == 0 and cashes and ACES >> card & 1:
        best, most = -1, popcount(stands & CLASS[game, card])
        for suit in range(4):
            some = stands & PLAIN << 8 * suit
            if popcount(some) > most:
                best, most = strongest(game, some), popcount(some)
        if best >= 0:
            return best, W.STANDING_FIRST
    return -1, -1


@njit
def two_long_suits(hand):
    """Whether the side cards are two long suits."""
    suits, short = 0, 0
    for suit in range(4):
        some = popcount(hand & PLAIN << 8 * suit)
        suits += some > 0
        short += 0 < some < LONG
    return suits == 2 and short == 0


@njit
def declarer_leads(p, out, card, rule):
    game, hand = p[P.GAME], p[P.HAND]
    trumps = TRUMPS[game]
    own, others = hand & trumps, trumps_out(p, out)
    n_others = popcount(others)
    jacks = own & JACKS & ~masters_of(game, own, others)
    if game == GRAND:
        decided, why = by_the_paper(p, out, card, rule, own, others)
        if decided >= 0:
            return decided, why
        early = popcount(hand) >= 8
        if on(p, W.GRAND_JACK) and rule == W.CASH_ACE and jacks and own & (own - 1) and early:
            return lowest(game, jacks), W.GRAND_JACK
        if on(p, W.GRAND_SETUP) and (rule == W.CASH_WINNER or (rule == W.DRAW_TRUMPS and n_others <= 1)):
            small = small_from_ten(p, out)
            if small >= 0 and popcount(out & CLASS[game, small]) >= 2:
                return small, W.GRAND_SETUP
        return card, rule
    if rule == W.FORCE_TRUMPS and on(p, W.CASH_FIRST) and n_others <= LAST_TRUMPS:
        tall = short_master(game, hand, out)
        if tall >= 0:
            return tall, W.CASH_FIRST
    if on(p, W.FORCE_JACK) and jacks and (rule == W.FORCE_TRUMPS or (rule == W.DRAW_TRUMPS and n_others > FEW_OUT)):
        return lowest(game, jacks), W.FORCE_JACK
    if on(p, W.TRUMPS_ON) and (rule == W.CASH_ACE or rule == W.LEAD_LOSER) and 0 < n_others <= FEW_OUT and own:
        low = own & ~(ACES | TENS | JACKS)
        return lowest(game, low if low else own), W.TRUMPS_ON
    return card, rule


@njit
def declarer_follows(p, legal, out, best, card, rule):
    game, hand = p[P.GAME], p[P.HAND]
    trumps = TRUMPS[game]
    led = p[P.TABLE]
    last = p[P.TABLE + 1] >= 0
    eyes = EYES[led] + (EYES[p[P.TABLE + 1]] if last else 0)
    own, others = hand & trumps, trumps_out(p, out)
    winners = winners_of(game, legal, best)
    following = legal & CLASS[game, led]
    if following:
        if rule == W.TAKE_LAST and ACES >> card & 1 and not trumps >> led & 1:
            cheap = winners & HONOURS
            if on(p, W.KEEP_ACE) and cheap:
                return fattest(game, cheap), W.KEEP_ACE
            low = following & ~(ACES | TENS)
            if on(p, W.DUCK) and popcount(following) == 2 and eyes <= 4 and low:
                return lowest(game, low), W.DUCK
        return card, rule
    if game == GRAND:
        stands = standing_cards(game, hand, ALL & ~(hand | out))
        forced = rule == W.DISCARD_LOSER and ((stands | TENS) >> card & 1) != 0  # nothing else can be thrown
        jumps = on(p, W.JACK_JUMPER) and forced and own & (own - 1) and popcount(others) == 2
        if jumps and winners and masters_of(game, own, others) and two_long_suits(hand):
            return lowest(game, winners), W.JACK_JUMPER
        return card, rule
    honours = winners & trumps & HONOURS
    full = winners & trumps & (ACES | TENS)
    if on(p, W.RUFF_RICH) and rule == W.RUFF and trumps >> card & 1:
        third = (p[P.SEAT] + 1) % 3
        danger = not last and p[P.VOID + third] & CLASS[game, led] == CLASS[game, led] and others != 0
        if not danger:
            if full and popcount(own) <= SHORT_TRUMPS:
                return fattest(game, full), W.RUFF_RICH
            if honours:
                return fattest(game, honours), W.RUFF_RICH
            if full and others & JACKS:
                return fattest(game, full), W.RUFF_RICH
    if on(p, W.RUFF_MORE) and rule == W.DISCARD_LOSER and eyes > 0:
        if popcount(own) <= 3 and full:
            return fattest(game, full), W.RUFF_MORE
        if honours and (popcount(hand) < 10 or popcount(others) <= FEW_OUT):
            return fattest(game, honours), W.RUFF_MORE
    return card, rule


@njit
def away_from_aces(p):
    """A low card of a short side suit without the ace which the declarer may hold; -1 if there is none below a ten."""
    game, hand, declarer = p[P.GAME], p[P.HAND], p[P.DECLARER]
    choice, most = -1, -(1 << 30)
    for suit in range(4):
        group = side_suit(game, suit)
        own = hand & group
        if own == 0 or own & ACES or p[P.VOID + declarer] & group == group:
            continue
        low = lowest(game, own)
        worth = -3 * popcount(own) - 2 * EYES[low]
        if worth > most:
            choice, most = low, worth
    return choice if choice >= 0 and EYES[choice] < 10 else -1


@njit
def defender_leads(p, out, card, rule):
    game, hand, seat, declarer = p[P.GAME], p[P.HAND], p[P.SEAT], p[P.DECLARER]
    partner = 3 - seat - declarer
    trumps = TRUMPS[game]
    middle = (seat + 1) % 3 == declarer
    n_out, n_own = popcount(out & trumps), popcount(hand & trumps)
    group = CLASS[game, card]
    honours = hand & group & HONOURS
    later = popcount(hand) < 10
    if game == GRAND:
        if on(p, W.CATCH_TEN) and middle and rule == W.CASH_ACE and ACES >> card & 1 and out & group & TENS:
            small = honours if honours else hand & group & ~ACES
            if small:
                return lowest(game, small), W.CATCH_TEN
        if on(p, W.GRAND_HOLD) and not middle and rule == W.CASH_ACE and later:
            cards = hand & ~trumps & HONOURS
            while cards:
                high = lowbit_index(cards)
                cards &= cards - 1
                if (
                    hand & CLASS[game, high] & ACES == 0
                    and p[P.VOID + partner] & CLASS[game, high] != CLASS[game, high]
                ):
                    return high, W.GRAND_HOLD
        return card, rule
    if on(p, W.HOLD_ACE) and not middle and rule == W.CASH_ACE and n_out > MANY_OUT and n_own <= LONE_TRUMPS:
        choice = away_from_aces(p)
        if choice >= 0:
            return choice, W.HOLD_ACE
    if middle and rule == W.LONG_SUIT:
        choice = small_from_ten(p, out)
        if on(p, W.TEN_SUIT) and n_out <= 9 and choice >= 0:
            return choice, W.TEN_SUIT
        poor = n_own <= LONE_TRUMPS and out & group & ACES != 0
        if on(p, W.LEAD_HONOUR) and later and n_out > 4 and honours and not poor:
            return lowest(game, honours), W.LEAD_HONOUR
    if on(p, W.UNDER_ACE) and rule == W.CASH_ACE and ACES >> card & 1 and honours:
        if popcount(out & group) <= GUARDS_OUT or (middle and popcount(hand & group) > 2):
            return lowest(game, honours), W.UNDER_ACE
    return card, rule


@njit
def defender_follows(p, legal, out, best, card, rule):
    game = p[P.GAME]
    led = p[P.TABLE]
    if on(p, W.GRAND_CATCH) and game == GRAND and rule == W.TAKE_MASTER and p[P.TABLE + 1] < 0 and ACES >> card & 1:
        suit = CLASS[game, card]
        cheap = winners_of(game, legal, best) & suit & ~ACES
        if p[P.LEADER] == p[P.DECLARER] and cheap and out & suit & TENS:
            return fattest(game, cheap), W.GRAND_CATCH
    if game == GRAND or p[P.LEADER] != p[P.DECLARER] or not TRUMPS[game] >> led & 1 or not legal & CLASS[game, led]:
        return card, rule
    rich = winners_of(game, legal, best) & (HONOURS | TENS)
    if on(p, W.BEAT_TRUMP) and rich and (rule == W.PLAY_LOW or rule == W.TAKE_MASTER or rule == W.BEAT_LOW):
        return fattest(game, rich), W.BEAT_TRUMP
    return card, rule


@njit
def settles(p, legal, best, planned):
    """The last to play: the card that takes the trick which decides the game; -1 if ``planned`` may do."""
    game, seat, declarer = p[P.GAME], p[P.SEAT], p[P.DECLARER]
    led, second = p[P.TABLE], p[P.TABLE + 1]
    eyes = EYES[led] + EYES[second]
    won = p[P.TAKEN + declarer] + eyes_of(p[P.SKAT])
    lost = p[P.TAKEN + (declarer + 1) % 3] + p[P.TAKEN + (declarer + 2) % 3]
    ours, theirs = (won, lost) if seat == declarer else (lost, won)
    need, enough = (61, 60) if seat == declarer else (60, 61)
    mine = p[P.WINNER] != declarer and seat != declarer
    good = legal if mine else winners_of(game, legal, best)
    if good == 0:
        return -1, -1
    card = fattest(game, good)
    if ours + eyes + EYES[card] >= need and on(p, W.SETTLE) and ours < need:
        return card, W.SETTLE
    if not mine and not good >> planned & 1 and theirs < enough and on(p, W.DENY):
        least = 1 << 30
        mask = legal & ~good
        while mask:
            least = min(least, EYES[lowbit_index(mask)])
            mask &= mask - 1
        if theirs + eyes + least >= enough and mask != legal:
            return lowest(game, good), W.DENY
    return -1, -1


@njit
def choose(p):
    """The card to play and the number of the rule that chose it, of this module or of ``rule_play``."""
    game, hand = p[P.GAME], p[P.HAND]
    card, rule = rule_choose(p)
    if rule == W.ONLY_CARD or game == NULL:
        return card, rule
    led, best, legal = p[P.TABLE], p[P.BEST], p[P.LEGAL]
    out = ALL & ~(hand | p[P.GONE] | p[P.SKAT])
    if p[P.TABLE + 1] >= 0:
        decisive, why = settles(p, legal, best, card)
        if decisive >= 0:
            return decisive, why
    if p[P.SEAT] == p[P.DECLARER]:
        if led < 0:
            return declarer_leads(p, out, card, rule)
        return declarer_follows(p, legal, out, best, card, rule)
    if led < 0:
        return defender_leads(p, out, card, rule)
    return defender_follows(p, legal, out, best, card, rule)
