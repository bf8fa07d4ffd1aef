"""Playing a card in Null by rules of thumb. See ``rule_play`` for the position array."""

from tricktake.jit import lowbit_index, njit, popcount
from tricktake_skat._kernels import position as P
from tricktake_skat._kernels import whys as W
from tricktake_skat._kernels.cards import ABOVE, CLASS, NULL, POWER, SUIT
from tricktake_skat._kernels.picks import strongest, under_of, weakest


@njit
def danger(hand, out, card):
    """How much a card threatens to win: outstanding cards below it against own cards below it, which duck first."""
    group = CLASS[NULL, card]
    below = group & ~ABOVE[NULL, card] & ~(1 << card)
    gap = popcount(out & below) - popcount(hand & below)
    return gap if popcount(out & group) > 0 else -1


@njit
def declarer_card(p, legal, out, best):
    hand = p[P.HAND]
    if best < 0:  # the lead: a card that somebody must beat, rather a dangerous one
        choice, most = -1, -(1 << 30)
        mask = legal
        while mask:
            card = lowbit_index(mask)
            mask &= mask - 1
            above = popcount(out & ABOVE[NULL, card])
            below = popcount(out & CLASS[NULL, card]) - above
            worth = 4 * above - 10 * below - (100 if above == 0 else 0) + POWER[NULL, card]
            if worth > most:
                choice, most = card, worth
        return choice, W.NULL_SAFE_LEAD
    under = under_of(legal, best)
    if under == 0:
        return weakest(NULL, legal) if p[P.TABLE + 1] < 0 else strongest(NULL, legal), W.NULL_FORCED
    if under & CLASS[NULL, p[P.TABLE]]:
        return strongest(NULL, under), W.NULL_UNDER
    choice, most = -1, -(1 << 30)
    mask = under
    while mask:  # void: away with what threatens most
        card = lowbit_index(mask)
        mask &= mask - 1
        worth = 16 * danger(hand, out, card) + POWER[NULL, card]
        if worth > most:
            choice, most = card, worth
    return choice, W.NULL_DANGER


@njit
def defender_card(p, legal, out, best, winner):
    hand, seat, declarer = p[P.HAND], p[P.SEAT], p[P.DECLARER]
    partner = 3 - seat - declarer
    if best < 0:
        choice, most, rule = -1, -(1 << 30), W.NULL_ATTACK
        for suit in range(4):
            group = SUIT << (8 * suit)
            own = hand & group
            if own == 0 or p[P.VOID + declarer] & group == group:
                continue
            card = weakest(NULL, own)
            others = out & group
            below = popcount(others) - popcount(others & ABOVE[NULL, card])
            length = popcount(own)
            worth = 2 * popcount(others & ABOVE[NULL, card]) - 4 * below - 2 * length
            if p[P.VOID + partner] & group == group:
                worth += 6
            reason = W.NULL_ATTACK
            if p[P.OPEN + declarer]:
                target = p[P.OPEN + declarer] & group
                if target == 0:
                    continue
                # the declarer must take if all his cards beat this one and the partner cannot go above
                if target & ~ABOVE[NULL, card] == 0:
                    worth += 30
                    reason = W.NULL_ATTACK_HOLE
            if worth > most:
                choice, most, rule = card, worth, reason
        if choice >= 0:
            return choice, rule
        return strongest(NULL, hand), W.NULL_THROW_HIGH
    group = CLASS[NULL, p[P.TABLE]]
    if legal & group == 0:
        # void: throw the high cards of the suit that is soonest gone
        choice, most = -1, -(1 << 30)
        mask = legal
        while mask:
            card = lowbit_index(mask)
            mask &= mask - 1
            worth = 3 * POWER[NULL, card] - 4 * popcount(hand & CLASS[NULL, card])
            if p[P.VOID + declarer] & CLASS[NULL, card] == CLASS[NULL, card]:
                worth -= 30
            if worth > most:
                choice, most = card, worth
        return choice, W.NULL_THROW_HIGH
    after = (seat + 1) % 3
    declarer_to_play = p[P.TABLE + 1] < 0 and after == declarer
    if winner == declarer:
        under = under_of(legal, best)
        if under:
            return strongest(NULL, under), W.NULL_UNDER  # the declarer keeps the trick
        # beaten anyway: the highest card goes, the low ones attack later
        return strongest(NULL, legal), W.NULL_THROW_HIGH
    if declarer_to_play:
        under = under_of(legal, best)
        if under:
            return strongest(NULL, under), W.NULL_UNDER  # the trick stays as low as the partner left it
        return weakest(NULL, legal), W.NULL_LOW
    return strongest(NULL, legal), W.NULL_THROW_HIGH


@njit
def null_card(p, legal, out, best, winner):
    """The card to play in Null and the number of its rule. best, winner: of the cards on the table, or -1."""
    if p[P.SEAT] == p[P.DECLARER]:
        return declarer_card(p, legal, out, best)
    return defender_card(p, legal, out, best, winner)
