"""Playing a card by rules of thumb: the first rule that fits the position decides.

A position is an int64 array with the fields of ``position``: what one seat knows. ``choose`` returns the card and the
number of the rule, which ``tricktake_skat.strategies.rule`` names.
"""

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels import whys as W
from tricktake_skat._kernels.cards import (
    ABOVE,
    ACES,
    ALL,
    CLASS,
    EYES,
    GRAND,
    JACKS,
    NULL,
    PLAIN,
    POWER,
    TENS,
    TRUMPS,
)
from tricktake_skat._kernels.picks import fattest, lowest, masters_of, strongest, winners_of
from tricktake_skat._kernels.rule_null import null_card

# Thresholds, in eyes; chosen by self-play (see docs/strategies.md, "The rule player").
RUFF_LAST = 4
RUFF_MIDDLE = 7
OVERJACK = 8  # a defender's jack takes a trick of a suit game from here
FORCING = 4  # trumps to go on leading them with when the others hold more
FOLLOWERS = 4  # outstanding cards of a suit with which both others probably follow once more


@njit
def loser(game, hand, mask, out):
    """The card to throw on a lost trick: few eyes, not a standing card, no guard of a ten, rather a short suit."""
    best, least = -1, 1 << 30
    while mask:
        card = lowbit_index(mask)
        mask &= mask - 1
        cost = 8 * EYES[card] + POWER[game, card]
        if TRUMPS[game] >> card & 1:
            cost += 60
        else:
            own = hand & CLASS[game, card]
            others = out & CLASS[game, card]
            if ABOVE[game, card] & out == 0 and others:
                cost += 24
            length = popcount(own)
            cost += 2 * length
            if own & TENS and popcount(own & ~TENS) == 1 and others & ACES and not TENS >> card & 1:
                cost += 20
        if cost < least:
            best, least = card, cost
    return best


@njit
def smear(game, mask, out, hand):
    """The card to give a partner who wins the trick: many eyes, a ten before an ace that may still win."""
    best, most = -1, -(1 << 30)
    while mask:
        card = lowbit_index(mask)
        mask &= mask - 1
        worth = 8 * EYES[card] - POWER[game, card]
        if TENS >> card & 1 and not TRUMPS[game] >> card & 1:
            ace = CLASS[game, card] & ACES
            worth += 16 if ace & out else -4 if ace & hand else 0
        if TRUMPS[game] >> card & 1:
            worth -= 200 if JACKS >> card & 1 else 24
        if worth > most:
            best, most = card, worth
    return best


@njit
def side_suit(game, suit):
    """The cards of a side suit, 0 if it is trump."""
    return 0 if suit == game else PLAIN << (8 * suit)


# ---- the declarer -------------------------------------------------------------------------------------------------


@njit
def declarer_leads(p, out):
    game, hand = p[P.GAME], p[P.HAND]
    seat = p[P.SEAT]
    left, right = (seat + 1) % 3, (seat + 2) % 3
    trumps = TRUMPS[game]
    own, others = hand & trumps, out & trumps
    if p[P.VOID + left] & trumps == trumps and p[P.VOID + right] & trumps == trumps:
        others = 0  # what is out lies in the skat
    masters = masters_of(game, own, others)
    n_own, n_out = popcount(own), popcount(others)
    if others and own:
        if masters:
            return lowest(game, masters), W.DRAW_TRUMPS
        elif game < GRAND and (n_own >= FORCING or n_own >= n_out):
            low = own & ~(ACES | TENS)
            return lowest(game, low if low else own), W.FORCE_TRUMPS
    # Side suits: sure winners first, then aces that will probably hold, then long suits to be set up.
    side = hand & ~trumps
    sure = masters_of(game, side, out)
    if sure:
        best, most = -1, -(1 << 30)
        mask = sure
        while mask:
            card = lowbit_index(mask)
            mask &= mask - 1
            group = CLASS[game, card]
            follow = popcount(out & group)
            ruffed = others != 0 and (
                (p[P.VOID + left] & group == group and p[P.VOID + left] & trumps != trumps)
                or (p[P.VOID + right] & group == group and p[P.VOID + right] & trumps != trumps)
            )
            worth = EYES[card] + 2 * follow - (40 if ruffed else 0)
            if worth > most:
                best, most = card, worth
        if others == 0 or most > 0:
            return best, W.CASH_WINNER if others == 0 else W.CASH_ACE
    best, most = -1, -(1 << 30)
    for suit in range(4):
        group = hand & side_suit(game, suit)
        if group == 0:
            continue
        card = lowest(game, group)
        length, follow = popcount(group), popcount(out & side_suit(game, suit))
        # a long suit is set up, a short one is got rid of while trumps are left to ruff it
        worth = 3 * length if others == 0 or length >= 3 else 4 - length
        worth -= 2 * EYES[card]
        if group & TENS and length == 2:
            worth -= 6
        if follow == 0:
            worth -= 8
        if worth > most:
            best, most = card, worth
    if best >= 0 and (own == 0 or n_out <= 1 or n_own < FORCING):
        return best, W.ESTABLISH if popcount(hand & CLASS[game, best]) >= 3 else W.LEAD_LOSER
    if own:
        return lowest(game, own), W.LEAD_TRUMP
    return best, W.LEAD_LOSER


@njit
def declarer_follows(p, legal, out, best):
    game, hand = p[P.GAME], p[P.HAND]
    trumps = TRUMPS[game]
    led = p[P.TABLE]
    last = p[P.TABLE + 1] >= 0
    eyes = EYES[led] + (EYES[p[P.TABLE + 1]] if last else 0)
    winners = winners_of(game, legal, best)
    following = legal & CLASS[game, led]
    third = (p[P.SEAT] + 1) % 3  # who plays after the declarer in the middle
    if winners == 0:
        return loser(game, hand, legal, out), W.DISCARD_LOSER
    if following:
        if last:
            cheap = winners & ~JACKS
            if cheap:
                # with ace and ten the ten takes the trick, because the ace stands again
                if cheap & TENS and not trumps >> led & 1:
                    return lowbit_index(cheap & TENS), W.TAKE_LAST
                return fattest(game, cheap), W.TAKE_LAST
            if eyes >= RUFF_LAST or popcount(legal & ~JACKS) == 0:
                return lowest(game, winners), W.TAKE_LAST
            return loser(game, hand, legal, out), W.DISCARD_LOSER
        masters = masters_of(game, winners, out)
        if trumps >> led & 1:
            if masters and (eyes >= RUFF_MIDDLE or popcount(out & trumps) >= 2):
                return lowest(game, masters), W.TAKE_MASTER
            return loser(game, hand, legal, out), W.PLAY_LOW
        ruffs = p[P.VOID + third] & CLASS[game, led] == CLASS[game, led] and p[P.VOID + third] & trumps != trumps
        if masters and not (ruffs and out & trumps):
            return fattest(game, masters), W.TAKE_MASTER
        return loser(game, hand, legal, out), W.PLAY_LOW
    # void: ruff what is worth it, otherwise throw a loser
    if last:
        if eyes >= RUFF_LAST or legal & ~trumps == 0:
            higher = out & JACKS
            rich = winners & (ACES | TENS)
            if rich and higher and popcount(hand & trumps) > 1:
                return fattest(game, rich), W.RUFF
            return lowest(game, winners), W.RUFF
        card = loser(game, hand, legal, out)
        if EYES[card] <= 4:
            return card, W.DISCARD_LOSER
        return lowest(game, winners), W.RUFF
    void = p[P.VOID + third] & CLASS[game, led] == CLASS[game, led]
    if eyes >= RUFF_MIDDLE or legal & ~trumps == 0:
        if void and out & trumps:
            masters = masters_of(game, winners, out)
            if masters:
                return lowest(game, masters), W.RUFF
        low = winners & ~(ACES | TENS)
        return lowest(game, low if low else winners), W.RUFF
    card = loser(game, hand, legal, out)
    if EYES[card] <= 4 and ABOVE[game, card] & out:
        return card, W.DISCARD_LOSER
    low = winners & ~(ACES | TENS)
    return lowest(game, low if low else winners), W.RUFF


# ---- the defenders ------------------------------------------------------------------------------------------------


@njit
def defender_leads(p, out):
    game, hand, seat, declarer = p[P.GAME], p[P.HAND], p[P.SEAT], p[P.DECLARER]
    partner = 3 - seat - declarer
    trumps = TRUMPS[game]
    middle = (seat + 1) % 3 == declarer
    declarer_trumps = p[P.VOID + declarer] & trumps != trumps and out & trumps != 0
    best, most, rule = -1, -(1 << 30), W.SHORT_SUIT
    for suit in range(4):
        group = side_suit(game, suit)
        own = hand & group
        if own == 0:
            continue
        length, follow = popcount(own), popcount(out & group)
        void = p[P.VOID + declarer] & group == group
        partner_void = p[P.VOID + partner] & group == group
        masters = masters_of(game, own, out)
        ruff = declarer_trumps and void
        if masters and not ruff:
            card = fattest(game, masters)
            worth = 40 + EYES[card] + 2 * follow - 2 * length
            reason = W.CASH_ACE
        elif void and declarer_trumps and not partner_void:
            card = lowest(game, own)
            worth = (22 if middle else 10) - 2 * EYES[card]
            reason = W.FORCE_DECLARER
        elif p[P.LED + partner] & group and not void:
            card = lowest(game, own & ~ACES if own & ~ACES else own)
            worth = 12 - 2 * EYES[card]
            reason = W.PARTNERS_SUIT
        elif middle or game == GRAND:
            card = lowest(game, own)
            worth = 10 + 2 * length - 2 * EYES[card]
            reason = W.LONG_SUIT
        else:
            card = lowest(game, own)
            worth = 18 - 3 * length - 2 * EYES[card]
            reason = W.SHORT_SUIT
        if reason == W.LONG_SUIT or reason == W.SHORT_SUIT:
            if own & ACES and out & TENS & group:
                worth -= 12  # not under the ace
            if own & TENS and out & ACES & group:
                worth -= 8
        if worth > most:
            best, most, rule = card, worth, reason
    if best >= 0:
        return best, rule
    return lowest(game, hand), W.LEAD_TRUMP


@njit
def defender_is_last(p, legal, out, winners):
    """The third card of a trick."""
    game, hand, led = p[P.GAME], p[P.HAND], p[P.TABLE]
    eyes = EYES[led] + EYES[p[P.TABLE + 1]]
    if p[P.WINNER] != p[P.DECLARER]:
        return smear(game, legal, out, hand), W.SMEAR
    if winners == 0:
        return loser(game, hand, legal, out), W.PLAY_LOW
    if legal & CLASS[game, led] and not TRUMPS[game] >> led & 1:
        return fattest(game, winners), W.TAKE_LAST
    cheap = winners & ~JACKS
    if cheap:
        return fattest(game, cheap), W.TAKE_LAST
    if eyes >= (OVERJACK if game < GRAND else RUFF_LAST):
        return lowest(game, winners), W.TAKE_LAST
    return loser(game, hand, legal, out), W.PLAY_LOW


@njit
def defender_after_partner(p, legal, out, winners):
    """The partner led, the declarer plays last."""
    game, hand, led, declarer = p[P.GAME], p[P.HAND], p[P.TABLE], p[P.DECLARER]
    trumps, group = TRUMPS[game], CLASS[game, led]
    void = p[P.VOID + declarer] & group == group
    ruff = void and p[P.VOID + declarer] & trumps != trumps and out & trumps != 0 and not trumps >> led & 1
    beaten = out & ABOVE[game, led] & ~p[P.VOID + declarer]
    if beaten == 0 and not ruff:
        others = popcount(out & group)
        safe = void or out & trumps & ~p[P.VOID + declarer] == 0
        if trumps >> led & 1 or others > FOLLOWERS or safe:
            return smear(game, legal, out, hand), W.SMEAR
        return loser(game, hand, legal, out), W.PLAY_LOW
    if legal & group:
        masters = masters_of(game, winners, out)
        if masters and not ruff and not trumps >> led & 1:
            return fattest(game, masters), W.TAKE_MASTER
        return loser(game, hand, legal, out), W.PLAY_LOW
    masters = masters_of(game, winners, out)
    if masters and ruff:
        return lowest(game, masters), W.RUFF
    return loser(game, hand, legal, out), W.DISCARD_LOSER


@njit
def defender_after_declarer(p, legal, out, winners):
    """The declarer led, the partner plays last."""
    game, hand, led = p[P.GAME], p[P.HAND], p[P.TABLE]
    trumps = TRUMPS[game]
    eyes = EYES[led]
    if legal & CLASS[game, led]:
        if winners == 0:
            return loser(game, hand, legal, out), W.PLAY_LOW
        masters = masters_of(game, winners, out)
        if trumps >> led & 1:
            rich = winners & (ACES | TENS)
            if masters & (ACES | TENS):
                return fattest(game, masters), W.TAKE_MASTER
            if masters and (eyes >= 10 or popcount(legal) <= 2):
                return lowest(game, masters), W.TAKE_MASTER
            if rich and out & ABOVE[game, strongest(game, rich)] == 0:
                return fattest(game, rich), W.TAKE_MASTER
            if masters == 0 and game < GRAND and legal & (ACES | TENS):
                return fattest(game, legal), W.SMEAR
            low = winners & ~(ACES | TENS)
            if low and eyes >= 10:
                return lowest(game, low), W.BEAT_LOW
            return loser(game, hand, legal, out), W.PLAY_LOW
        if masters:
            return fattest(game, masters), W.TAKE_MASTER
        low = winners & ~TENS
        if low and out & ABOVE[game, led]:
            return lowest(game, low), W.BEAT_LOW
        return loser(game, hand, legal, out), W.PLAY_LOW
    if winners and (eyes >= 10 or (ABOVE[game, led] & out == 0 and not trumps >> led & 1)):
        cheap = winners & ~JACKS
        return lowest(game, cheap if cheap else winners), W.RUFF
    higher = out & ABOVE[game, led] & ~p[P.VOID + 3 - p[P.SEAT] - p[P.DECLARER]]
    if higher and game < GRAND:  # the partner probably gets it
        return smear(game, legal, out, hand), W.SMEAR
    return loser(game, hand, legal, out), W.DISCARD_LOSER


@njit
def defender_follows(p, legal, out, best):
    winners = winners_of(p[P.GAME], legal, best)
    if p[P.TABLE + 1] >= 0:
        return defender_is_last(p, legal, out, winners)
    if p[P.LEADER] != p[P.DECLARER]:
        return defender_after_partner(p, legal, out, winners)
    return defender_after_declarer(p, legal, out, winners)


@njit
def choose(p):
    """The card to play and the number of the rule that chose it."""
    game, hand = p[P.GAME], p[P.HAND]
    led, best, legal = p[P.TABLE], p[P.BEST], p[P.LEGAL]
    if legal & (legal - 1) == 0:
        return lowbit_index(legal), W.ONLY_CARD
    out = ALL & ~(hand | p[P.GONE] | p[P.SKAT])
    if game == NULL:
        return null_card(p, legal, out, best, p[P.WINNER])
    if p[P.SEAT] == p[P.DECLARER]:
        if led < 0:
            return declarer_leads(p, out)
        return declarer_follows(p, legal, out, best)
    if led < 0:
        return defender_leads(p, out)
    return defender_follows(p, legal, out, best)
