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

from collections.abc import Sequence

from tricktake.action import Action, Event, play
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.game import Contract
from tricktake.records.formats import RecordFault
from tricktake.records.record import GameRecord
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import LAYOUT, SEATS, SKAT, SKAT_PLACE

CARD_OF = {card.name: card.index for card in SKAT}
NAME_OF = tuple(card.name for card in SKAT)
# One object a card, and a card and seat: records are many.
PLAY = tuple(play(i) for i in range(len(SKAT)))
PLAYED = tuple(tuple(Event(seat, action) for action in PLAY) for seat in range(SEATS))


def wrong(field: str, reason: str) -> InputError:
    return InputError(None, None, field, reason)


def fault(field: str, reason: str) -> RecordFault:
    return RecordFault(None, None, field, reason)


def card(name: str, field: str) -> int:
    """The deck index of a card name. Raises RecordFault for a hidden card, InputError for an unknown one."""
    index = CARD_OF.get(name.upper())
    if index is None:
        if "?" in name:
            raise fault(field, f"holds a hidden card {name!r}")
        raise wrong(field, f"no card {name!r}")
    return index


def mask_of(cards: Sequence[int], field: str) -> int:
    """The set of these cards. Raises RecordFault if one is there twice."""
    mask = 0
    for index in cards:
        if mask >> index & 1:
            raise fault(field, f"card {NAME_OF[index]} is there twice")
        mask |= 1 << index
    return mask


def deal_of(masks: Sequence[int], field: str) -> Deal:
    """A deal from the masks of the three hands and the skat. Raises RecordFault if it is none."""
    try:
        return Deal(LAYOUT, tuple(masks))
    except ValueError as error:
        raise fault(field, str(error)) from error


def exchanged(deal: Deal, declarer: int, discard: int) -> Deal:
    """The deal after the declarer took the skat and discarded. Raises RecordFault for cards that cannot be."""
    held = deal.masks[declarer] | deal.masks[SKAT_PLACE]
    if discard & ~held or discard.bit_count() != deal.masks[SKAT_PLACE].bit_count():
        raise fault("discards", f"seat {declarer} cannot put {SKAT.names(discard) or 'nothing'} away")
    masks = list(deal.masks)
    masks[declarer], masks[SKAT_PLACE] = held & ~discard, discard
    return Deal(LAYOUT, tuple(masks))


def dealt(played: Deal, declarer: int, taken: int) -> Deal:
    """The reverse: the deal before the exchange, from the one after it and the skat as it was dealt."""
    return exchanged(played, declarer, taken)


def exchange_events(contract: SkatContract, discard: int) -> tuple[Event, ...]:
    """The actions between auction and play."""
    seat = contract.declarer
    declaration = Event(seat, Action("declare", contract.name))
    if contract.hand:
        return (Event(seat, Action("hand")), declaration)
    return (Event(seat, Action("take")), Event(seat, Action("discard", cards=tuple(bits(discard)))), declaration)


def auction_of(record: GameRecord) -> tuple[Event, ...] | None:
    """The bids of a record without exchange and declaration, None if they were not recorded."""
    if record.before is None:
        return None
    return tuple(e for e in record.before if e.action.verb in ("bid", "yes", "pass"))


def skat_contract(contract: Contract | None) -> SkatContract | None:
    """The contract of a record. Raises InputError for one of another game."""
    if contract is not None and not isinstance(contract, SkatContract):
        raise wrong("contract", f"{contract} is no Skat contract")
    return contract


def played_deal(record: GameRecord) -> Deal:
    """The deal as it lay during the play."""
    return record.played or record.deal


def dot_cards(cards: Sequence[int]) -> str:
    """Cards as the server writes them."""
    return ".".join(NAME_OF[i] for i in cards)
