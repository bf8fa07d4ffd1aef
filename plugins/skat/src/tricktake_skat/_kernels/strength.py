"""Hand strength by counting: von Stegen and Kinback. Cards and games are numbered as in ``cards``."""

from tricktake.jit import njit, popcount
from tricktake_skat._kernels.cards import ACE, ACES, GRAND, JACK, JACKS, KING, PLAIN, SUIT, TEN, TENS, TRUMPS

HIGH_JACKS = 0x8080  # clubs and spades
THREE_JACKS = 0x808080  # and hearts
GUARDED = 3  # cards in a suit that make its ten or king worth something


@njit
def von_stegen(game, hand, bid, grand_jacks):
    """Points of a suit or grand hand (SKAT-14): every jack, ace and ten counts 1, in suit games every trump 1 more.

    Added are 0.5 for the jacks of clubs and spades, 1 more with that of hearts, 0.5 more for all four; in suit games
    0.5 for three jacks without that of clubs; 0.5 if the others have not bid (``bid`` 0). grand_jacks: what a jack
    counts in a grand: the printed program counts 1, its text says 2.
    """
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
    """Points of a suit or grand hand, which are about tricks (SKAT-15). gone: cards known to be out of play.

    Grand: aces, jacks, and 1 for the lead. Suit game: trumps that stand in the worst case, 0.5 for the lead, and for
    each side suit one of: A T 2; A K 1.5; A 1; T K 1; T or K among three cards or more 0.5. The printed masks test two
    cards where they mean that others are absent, so that A T K would count 4.5; ours are exclusive. Printed are exactly
    three cards for the last class; ours are at least three, since one more small card does not unguard a ten.
    ``safetricks`` is not defined there: ours is GAP-6.
    """
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
