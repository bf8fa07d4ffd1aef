"""What the Skat notations have in common.

``GameRecord.result`` of a Skat record holds what the record claims, each key only if the notation says it. The keys
of ``Score.detail``: ``won``, ``matadors`` (signed: with or without; 0 for Null), ``eyes`` (of the declarer with the
skat), ``tricks`` (of the declarer), ``schneider`` and ``schwarz`` (of either side), ``overbid`` and ``passed`` (true
for a passed-in deal). Further ``points`` (plain points of each seat: value, losses doubled), ``winners`` (seat that
won each finished trick), ``penalised`` (seats), ``left`` and ``timeout`` (a seat) and ``resigned``.

``plays`` holds the cards and, where a side gave up, ``concede``. ``notes["moves"]`` keeps the other moves (cards
shown, somebody left) as ``[number of plays before, who, move]``; ``notes["bids"]`` the highest bid of each seat (-1:
not recorded) where the auction itself is unknown.
"""

from __future__ import annotations

from typing import Any

from tricktake.action import Event
from tricktake.deal import Deal
from tricktake.records.reading import Pack, contract_as, fault
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import LAYOUT, SKAT, SKAT_PLACE
from tricktake_skat.game import SkatGame

PACK = Pack(LAYOUT)
PLAYED = PACK.played


def exchanged(deal: Deal, declarer: int, discard: int) -> Deal:
    """The deal after the declarer took the skat and discarded; with the skat as dealt, the deal before that.

    Raises RecordFault for cards that cannot be.
    """
    held = deal.masks[declarer] | deal.masks[SKAT_PLACE]
    if discard & ~held or discard.bit_count() != deal.masks[SKAT_PLACE].bit_count():
        raise fault("discards", f"seat {declarer} cannot put {SKAT.names(discard) or 'nothing'} away")
    masks = list(deal.masks)
    masks[declarer], masks[SKAT_PLACE] = held & ~discard, discard
    return Deal(LAYOUT, tuple(masks))


def auction_of(record: GameRecord) -> tuple[Event, ...] | None:
    """The bids of a record without exchange and declaration, None if they were not recorded."""
    if record.before is None:
        return None
    return tuple(e for e in record.before if e.action.verb in ("bid", "yes", "pass"))


def skat_contract(record: GameRecord) -> SkatContract | None:
    """The contract of a record. Raises InputError for one of another game."""
    return contract_as(record, SkatContract, "Skat")


def by_rules(record: GameRecord) -> dict[str, Any]:
    """What the rules say of a record: the detail of its score, and ``points``."""
    score = Recording.of(SkatGame()).score(record)
    return {**score.detail, "points": score.points}
