"""Hand strength by counting: von Stegen and Kinback. Cards and games are numbered as in ``cards``."""

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import ACE, ACES, GRAND, JACK, JACKS, KING, PLAIN, SUIT, TEN, TENS, TRUMPS

HIGH_JACKS = 0x8080  # clubs and spades
THREE_JACKS = 0x808080  # and hearts
GUARDED = 3  # cards in a suit that make its ten or king worth something


@njit
def von_stegen(game, hand, bid, grand_jacks):
    """Points of a suit or grand hand (SKAT-14). grand_jacks: what a jack counts in a grand, 1 as printed or 2."""
    jacks = popcount(hand & JACKS)
    points = 1.0 * popcount(hand & (ACES | TENS))
    if game < GRAND:
        points += jacks + popcount(hand & TRUMPS[game])
        if jacks > 2 and not hand >> JACK & 1:
            points += 0.5
    else:
        points += grand_jacks * jacks
    if hand & HIGH_JACKS == HIGH_JACKS:
        points += 0.5
    if hand & THREE_JACKS == THREE_JACKS:
        points += 1.0
    if jacks == 4:
        points += 0.5
    if bid == 0:
        points += 0.5
    return points


@njit
def standing_trumps(game, hand, gone):
    """How many trumps of a suit game take a trick however the others lie: those at the top, or all (GAP-6)."""
    own = hand & TRUMPS[game]
    there = TRUMPS[game] & ~gone
    top = 0
    for step in range(11):
        card = 1 << (8 * step + JACK if step < 4 else 8 * game + 10 - step)
        if card & own:
            top += 1
        elif card & there:
            break
    return popcount(own) if top >= popcount(there & ~own) else top


@njit
def kinback(game, hand, forehand, gone):
    """Points of a suit or grand hand (SKAT-15); the classes of a side suit exclude each other."""
    if game == GRAND:
        return forehand + 1.0 * popcount(hand & (ACES | JACKS))
    points = 0.5 * forehand + standing_trumps(game, hand, gone)
    for suit in range(4):
        if suit == game:
            continue
        cards = (hand >> (8 * suit)) & SUIT & PLAIN
        ace, ten, king = cards >> ACE & 1, cards >> TEN & 1, cards >> KING & 1
        if ace:
            points += 2.0 if ten else 1.5 if king else 1.0
        elif ten and king:
            points += 1.0
        elif (ten or king) and popcount(cards) >= GUARDED:
            points += 0.5
    return points
