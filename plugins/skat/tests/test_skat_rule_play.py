"""Cards the rule player plays in clear positions, and by which rule."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_skat._kernels import position, rule_play, whys
from tricktake_skat._kernels.cards import CLASS
from tricktake_skat.contract import GAMES
from tricktake_skat.deck import SKAT
from tricktake_skat.rows import game_rules
from tricktake_skat.strategies.rule import RULES

from tricktake.kernels import batch

pytestmark = pytest.mark.kernel

DECLARER, FIRST, SECOND = 0, 1, 2  # the seat after the declarer is the first defender


def choose(game, seat, hand, table="", gone="", skat="", void=(), led=(), shown=""):
    """The card and the rule. gone: cards of finished tricks; void, led: (seat, a card of the class)."""
    p = np.zeros(position.SIZE, np.int64)
    number = GAMES.index(game)
    on_table = [SKAT.card(name).index for name in table.split()]
    cards = np.array(on_table, np.int64)
    batch.rebuild(game_rules()[number], (seat - len(on_table)) % 3, cards, SKAT.parse_mask(hand), p)
    p[position.GAME], p[position.DECLARER] = number, DECLARER
    p[position.GONE] |= SKAT.parse_mask(gone)
    p[position.SKAT] = SKAT.parse_mask(skat)
    p[position.VOID : position.VOID + 3] = p[position.LED : position.LED + 3] = 0
    for field, marks in ((position.VOID, void), (position.LED, led)):
        for who, name in marks:
            p[field + who] |= CLASS[number, SKAT.card(name).index]
    p[position.OPEN + DECLARER] = SKAT.parse_mask(shown)
    card, rule = rule_play.choose(p)
    return SKAT[int(card)].name, int(rule)


TRUMPS_OUT = "CJ SJ HJ DJ CT CK CQ C8 C7"  # all trumps of clubs but the ace and nine

CASES = {
    # -- the declarer leads
    "trumps are drawn from the top": (
        ("C", DECLARER, "CJ SJ CA C9 HA H7 DA D8 S9 S7"),
        ("SJ", whys.DRAW_TRUMPS),
    ),
    "without the top, small trumps force it out": (
        ("C", DECLARER, "SJ HJ CA C9 C8 HA H7 DA D8 S9"),
        ("C8", whys.FORCE_TRUMPS),
    ),
    "with no trump out, a sure winner is cashed": (
        ("C", DECLARER, "CA HA H7 D8", "", TRUMPS_OUT + " C9"),
        ("HA", whys.CASH_WINNER),
    ),
    "a grand without jacks starts with its ace": (
        ("G", DECLARER, "DA DT D9 S9 S8 S7 HT H8 H7 C7"),
        ("DA", whys.CASH_ACE),
    ),
    "an ace is not led to a void that can ruff": (
        ("G", DECLARER, "DA D9 S8 S7", "", "", "", [(FIRST, "D7"), (FIRST, "D8")]),
        ("S7", whys.LEAD_LOSER),
    ),
    "a long suit is set up once trumps are gone": (
        ("C", DECLARER, "CA HT HQ H7", "", TRUMPS_OUT + " C9"),
        ("H7", whys.ESTABLISH),
    ),
    # -- the declarer follows
    "last to play, the ten wins and the ace stays": (
        ("C", DECLARER, "HA HT CJ S7", "H8 HQ"),
        ("HT", whys.TAKE_LAST),
    ),
    "last to play, the ace takes eyes": (
        ("C", DECLARER, "HA H7 CJ S7", "HT HQ"),
        ("HA", whys.TAKE_LAST),
    ),
    "a rich trick is ruffed with the ten while jacks are out": (
        ("C", DECLARER, "CT C8 CJ DA D7", "HA H7"),
        ("CT", whys.RUFF),
    ),
    "a poor trick takes a loser instead of a trump": (
        ("C", DECLARER, "CJ C9 D7 DA", "H8 H7"),
        ("D7", whys.DISCARD_LOSER),
    ),
    "in the middle the ace goes up": (
        ("C", DECLARER, "HA H8 CJ D7", "H7"),
        ("HA", whys.TAKE_MASTER),
    ),
    "in the middle nothing is wasted under an ace": (
        ("C", DECLARER, "HT H8 CJ D7", "HA"),
        ("H8", whys.DISCARD_LOSER),
    ),
    "an ace led is ruffed in the middle": (
        ("C", DECLARER, "CJ C9 CA D7", "HA"),
        ("C9", whys.RUFF),
    ),
    # -- the defenders
    "the partner's trick gets the ten whose ace is out": (
        ("C", SECOND, "ST SA DT D7", "H7 HA"),
        ("DT", whys.SMEAR),
    ),
    "the partner's small card that holds gets a ten": (
        ("C", FIRST, "HT HQ S7", "D7 HA"),
        ("HT", whys.SMEAR),
    ),
    "last to play, the declarer's trick is taken with most eyes": (
        ("C", SECOND, "HA HK H7 S7", "HQ H8"),
        ("HA", whys.TAKE_LAST),
    ),
    "last to play and beaten, the lowest card goes": (
        ("C", SECOND, "HT HK H7 S7", "HA HQ"),
        ("H7", whys.PLAY_LOW),
    ),
    "an ace is cashed": (
        ("C", FIRST, "HA H7 ST S9 S8 D9 D8 C7"),
        ("HA", whys.CASH_ACE),
    ),
    "the declarer in the middle is made to ruff": (
        ("C", SECOND, "H7 HQ ST S9 C7", "", "", "", [(DECLARER, "H8")]),
        ("H7", whys.FORCE_DECLARER),
    ),
    "a short suit if the declarer plays last": (
        ("C", FIRST, "H7 SQ S9 S8 C7"),
        ("H7", whys.SHORT_SUIT),
    ),
    "a long suit if the declarer plays next": (
        ("C", SECOND, "H7 SQ S9 S8 C7"),
        ("S8", whys.LONG_SUIT),
    ),
    "a low card for the partner where the declarer is void, not the ace": (
        ("G", SECOND, "CA C8 D9 D8 D7", "", "", "", [(DECLARER, "C7")]),
        ("C8", whys.FORCE_DECLARER),
    ),
    "a defender stays under a Null declarer who is taking the trick": (
        ("N", SECOND, "HK H8 H7 S7", "H9 S8"),
        ("H8", whys.NULL_UNDER),
    ),
    "an ace takes the declarer's small card": (
        ("C", FIRST, "HA HT H8 S7", "H7"),
        ("HA", whys.TAKE_MASTER),
    ),
    "a trump led below the top is the partner's to take": (
        ("C", FIRST, "HT H8 S7 S9", "HJ"),
        ("HT", whys.SMEAR),
    ),
    "the partner's ace gets nothing while the declarer may ruff": (
        ("C", SECOND, "HT H8 S7 S9", "HA"),
        ("H8", whys.PLAY_LOW),
    ),
    "the partner's ace gets the ten once the declarer is out of trumps": (
        ("C", SECOND, "HT H8 S7 S9", "HA", "", "", [(DECLARER, "C7")]),
        ("HT", whys.SMEAR),
    ),
    "the last card": (("C", FIRST, "HT"), ("HT", whys.ONLY_CARD)),
    # -- Null
    "the declarer stays as high under it as he can": (
        ("N", DECLARER, "H9 H7 HA S7", "HT"),
        ("H9", whys.NULL_UNDER),
    ),
    "the declarer throws what threatens most": (
        ("N", DECLARER, "SA S7 D8 D7", "HT"),
        ("SA", whys.NULL_DANGER),
    ),
    "the declarer cannot stay under": (
        ("N", DECLARER, "HA HK S7", "H7 H8"),
        ("HA", whys.NULL_FORCED),
    ),
    "the declarer leads what must be beaten": (
        ("N", DECLARER, "H7 SA DA"),
        ("H7", whys.NULL_SAFE_LEAD),
    ),
    "who cannot leave the trick to the declarer throws a high card": (
        ("N", SECOND, "HK H8 H7 S7", "H9 HT"),
        ("HK", whys.NULL_THROW_HIGH),
    ),
    "a defender attacks where nothing lower lies": (
        ("N", FIRST, "H7 SA SK", "", "", "", (), (), "H8 H9 DA"),
        ("H7", whys.NULL_ATTACK_HOLE),
    ),
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_card_and_its_reason(case):
    arguments, (card, rule) = CASES[case]
    played, why = choose(*arguments)
    assert (played, RULES[why]) == (card, RULES[rule])
