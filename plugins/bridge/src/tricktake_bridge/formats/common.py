"""Common parts of the notations of bridge.

``GameRecord.result`` of a bridge record holds its claims, each key only if the notation has it: ``passed`` (true
for a passed-in deal, false for an auction that was not finished), ``tricks`` of the declarer's side, ``points`` of the
four seats; of a deal solved with open cards ``table`` (strain -> declarer -> tricks), ``leads`` (card -> tricks of the
leader's side) and ``trace`` (tricks of the declarer's side before the first card and after each one).

A deal without contract may have the strain, ``notes["strain"]``, and the opening leader, ``notes["leader"]``; ``plays``
are its cards.
"""

from __future__ import annotations

from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.records.reading import Pack, contract_as, fault, wrong
from tricktake.records.record import GameRecord
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE, LAYOUT, SEAT_NAMES, STRAINS

SUITS = BRIDGE.suits  # spades first, as in every notation
SEATS = 4
PACK = Pack(LAYOUT)
PLAYED = PACK.played


def deal_text(deal: Deal, first: int = 0) -> str:
    """``N:QJ6.K652.J85.T98 873.J97.AT764.Q4 ...``: the hands from seat ``first`` on, spades to clubs."""
    hands = (deal.masks[(first + k) % SEATS] for k in range(SEATS))
    return f"{SEAT_NAMES[first]}:" + " ".join(hand_text(mask) for mask in hands)


def hand_text(mask: int) -> str:
    held = [BRIDGE[i] for i in sorted(bits(mask), reverse=True)]
    return ".".join("".join(card.rank for card in held if card.suit == suit) for suit in SUITS)


def read_deal(text: str, field: str, line: int | None = None) -> Deal:
    """The reverse of ``deal_text``; one hand may be left out as ``-``. Raises RecordFault naming the hand."""
    head, colon, rest = text.strip().partition(":")
    hands = rest.split()
    if not colon or head.upper() not in SEAT_NAMES or not head:
        raise fault(field, f"does not begin with a seat and a colon: {text[:12]!r}", line)
    if len(hands) != SEATS:
        raise fault(field, f"{len(hands)} hands, not {SEATS}", line)
    masks, hidden = [0] * SEATS, []
    first = SEAT_NAMES.index(head.upper())
    for k, hand in enumerate(hands):
        seat = (first + k) % SEATS
        if hand == "-":
            hidden.append(seat)
            continue
        masks[seat] = read_hand(hand, field, SEAT_NAMES[seat], line)
    if len(hidden) > 1:
        names = " and ".join(SEAT_NAMES[seat] for seat in hidden)
        raise fault(field, f"the hands of {names} are hidden", line)
    for seat in hidden:
        masks[seat] = BRIDGE.full_mask & ~(masks[0] | masks[1] | masks[2] | masks[3])
    try:
        return Deal(LAYOUT, tuple(masks))
    except ValueError as error:
        reason = str(error)
        for seat, name in enumerate(SEAT_NAMES):
            reason = reason.replace(f"place {seat} ", f"{name} ")
        raise fault(field, reason, line) from error


def read_hand(text: str, field: str, seat: str, line: int | None = None) -> int:
    """The mask of ``QJ6.K652.J85.T98``. Raises RecordFault."""
    suits = text.upper().replace("10", "T").split(".")
    if len(suits) != len(SUITS):
        raise fault(field, f"{seat} has {len(suits)} suits: {text!r}", line)
    mask = 0
    for suit, ranks in zip(SUITS, suits, strict=True):
        for rank in ranks.replace("-", ""):
            card = PACK.index.get(suit + rank)
            if card is None:
                raise fault(field, f"{seat} holds {rank!r}, which is no rank", line)
            if mask >> card & 1:
                raise fault(field, f"{seat} holds {suit}{rank} twice", line)
            mask |= 1 << card
    return mask


def read_seat(text: str, field: str, line: int | None = None) -> int:
    """0 to 3 of N, E, S, W. Raises InputError."""
    name = text.strip().upper()
    if len(name) != 1 or name not in SEAT_NAMES:
        raise wrong(field, f"{text!r} is no seat; seats are N, E, S, W", line)
    return SEAT_NAMES.index(name)


def bridge_contract(record: GameRecord) -> BridgeContract | None:
    """The contract of a record. Raises InputError for one of another game."""
    return contract_as(record, BridgeContract, "bridge")


def opening(record: GameRecord) -> tuple[str, int] | None:
    """Strain and opening leader of a record, by its contract or its notes; None if neither has them."""
    contract = bridge_contract(record)
    if contract is not None:
        return contract.strain, (contract.declarer + 1) % SEATS
    strain, leader = record.notes.get("strain"), record.notes.get("leader")
    if strain is None or leader is None:
        return None
    if strain not in STRAINS:
        raise wrong("notes strain", f"{strain!r} is none of {', '.join(STRAINS)}")
    return strain, read_seat(str(leader), "notes leader")
