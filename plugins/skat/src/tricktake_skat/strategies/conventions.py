"""Playing conventions by name, and a belief that reads them: what a card says of the others (KBPS-4, GAP-8).

Four routines for the second and third seat of a trick: *obey* (a defender follows) and *drop* (he does not), each on a
suit and on trump. A defender gives his lowest card to the declarer's trick and his highest to the partner's; so if he
gave another he does not hold it. What follows surely from a card (not following) is in ``Knowledge`` already.

``skat:conventions`` weighs worlds by these marks alone. ``skat:belief`` does not use them: its learned choices say the
same in degrees (docs/results.md).
"""

from __future__ import annotations

import numpy as np
from attrs import field, frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.cards import bits
from tricktake.strategies.options import check_count, check_flag, check_share
from tricktake.trick import best_card
from tricktake.view import View
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import EYES, JACKS

CARDS = 10  # played cards that are looked at (GAP-8)
DOUBT = 0.02  # of the cards that are ruled out 0 to 0.9 % were held, 31 % by chance (experiment ``belief.conventions``)


@frozen
class Mark:
    """``seat`` should not hold ``cards`` (a mask, unseen or played later) after its card to trick ``trick`` (from 0).

    convention: its name, such as "obey suit, third seat, partner's trick".
    """

    convention: str
    seat: int
    trick: int
    cards: int


def marks(view: View, cards: int = CARDS, drop_second: bool = False) -> list[Mark]:
    """What the defenders' cards say by convention; nothing of Null.

    cards: how many played cards are looked at. drop_second: whether a discard of the second seat to the declarer's
    trick rules out higher cards of its suit, as the engine of 2022 has it (GAP-8), against the principle.
    Raises ValueError before the play.
    """
    contract, rules = view.contract, view.rules
    if not isinstance(contract, SkatContract) or rules is None:
        raise ValueError(f"conventions are about the play of Skat, not {view.game} in phase {view.phase}")
    found: list[Mark] = []
    if contract.is_null:
        return found
    gone = 0
    running = [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.table)]
    for number, (leader, trick) in enumerate(running):
        for k, card in enumerate(trick):
            seat = (leader + k) % rules.seats
            gone |= 1 << card
            if k == 0 or seat == contract.declarer or 3 * number + k >= cards:
                continue
            table = trick[:k]
            best = best_card(rules, table)
            if rules.beats(card, best):
                continue  # the seat took it itself
            declarers = (leader + table.index(best)) % rules.seats == contract.declarer
            followed = bool(rules.same_suit_mask(table[0]) >> card & 1)
            if k == 1 and not (declarers and leader == contract.declarer and (followed or drop_second)):
                continue
            lower = declarers and (followed or k == 2)
            group = rules.same_suit_mask(card) & ~JACKS  # which have few eyes, but are no small cards
            ruled_out = sum(
                1 << c for c in bits(group & ~gone) if (EYES[c] < EYES[card] if lower else EYES[c] > EYES[card])
            )
            trump = rules.trump is not None and bool(rules.suit_mask(rules.trump) >> table[0] & 1)
            name = f"{'obey' if followed else 'drop'} {'trump' if trump else 'suit'}, {('second', 'third')[k - 1]} seat"
            name += ", declarer's trick" if declarers else ", partner's trick"
            if ruled_out:
                found.append(Mark(name, seat, number, ruled_out))
    return found


@frozen
class ConventionBelief:
    """Worlds in which a defender holds what a convention rules out weigh ``doubt`` for each card that says so (KBPS-4).

    cards, drop_second: see ``marks``. doubt: 0 takes conventions for knowledge, as the paper does. Raises InputError.
    """

    doubt: float = field(default=DOUBT, validator=check_share)
    cards: int = field(default=CARDS, validator=check_count)
    drop_second: bool = field(default=False, validator=check_flag)

    def weigh(self, view: View, worlds: IntArray) -> FloatArray:
        """Weights of worlds, shape (n,). Raises ValueError outside the play of Skat."""
        found = np.ones(len(worlds))
        for mark in marks(view, self.cards, self.drop_second):
            if mark.seat != view.seat:
                found[worlds[:, mark.seat] & mark.cards != 0] *= self.doubt
        return found
