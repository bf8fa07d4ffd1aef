"""Sentences of the table manager protocol, version 18 (1 August 2005), and a board put together from them.

The protocol is described at www.bluechipbridge.co.uk/protocol.htm; where that leaves something open, sentences are as
other programs read and send them: OpenSpiel's manager for WBridge5 (``bluechip_bridge``), the client and the host of
RoboBridge (``Sodes.Bridge.Networking``), and Ben (github.com/lorserker/ben, ``table_manager_client``). Upper and lower
case, full stops at the end and the number of blanks do not matter in what is read.
"""

from __future__ import annotations

import re

from attrs import define, field, frozen

from tricktake.action import Action, Event, play
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.records.reading import wrong
from tricktake.table import Table
from tricktake.trick import best_card
from tricktake_bridge.auction import BIDS, DOUBLE, PASS, REDOUBLE, closed, contract_of_calls
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE, LAYOUT, board_of, dealer, vulnerable_sides
from tricktake_bridge.formats.common import PACK, SEATS, SUITS
from tricktake_bridge.game import BridgeGame
from tricktake_bridge.rules import strain_rules

VERSION = 18
NAMES = ("North", "East", "South", "West")
DUMMY = "Dummy"
VULNERABLE = {(): "Neither", (0,): "N/S", (1,): "E/W", (0, 1): "Both"}
START, END = "Start of board", "End of session"
MAX_CALLS = 319  # of the longest auction
GAME = BridgeGame()

_ANY = "north|east|south|west|dummy"
_CALL = re.compile(
    rf"({_ANY}) (?:(passes|doubles|redoubles)|bids ([1-7])(C|D|H|S|NT?))\.?( (alert|infos)\.?(.*))?", re.I
)
_PLAY = re.compile(rf"({_ANY}) plays ([2-9TJQKA]|10)([CDHS])\.?", re.I)
_BOARD = re.compile(
    r"board number (\d{1,9})\. ?dealer (north|east|south|west)\. ?(neither|n/s|e/w|both) vulnerable\.?", re.I
)
_CARDS = re.compile(rf"({_ANY})'s cards ?: ?(.*)", re.I)
_SUIT = re.compile(r"([SHDC])((?: (?:[2-9TJQKA]|10))+| ?-|)", re.I)  # a void is a dash, or nothing
_VERBS = {"passes": PASS, "doubles": DOUBLE, "redoubles": REDOUBLE}
_BID = {bid.value: bid for bid in BIDS}


def plain(line: str) -> str:
    """A sentence with single blanks and without a full stop at its end."""
    return " ".join(line.split()).removesuffix(".")


def is_ready(line: str, seat: int, *things: str) -> bool:
    """Whether a line says that a seat is ready for one of these."""
    said = plain(line).lower()
    return any(said == f"{NAMES[seat]} ready {thing}".lower() for thing in things)


def board_text(board: int) -> str:
    sides = VULNERABLE[vulnerable_sides(board)]
    return f"Board number {board + 1}. Dealer {NAMES[dealer(board)]}. {sides} vulnerable."


def read_board(line: str) -> int:
    """The board of ``board_text``: by its number, or one with this dealer and vulnerability. Raises InputError."""
    match = _BOARD.fullmatch(" ".join(line.split()))
    if match is None:
        raise wrong("board", f"cannot read {line[:60]!r}")
    number, seat = int(match[1]) - 1, NAMES.index(match[2].capitalize())
    sides = next(sides for sides, name in VULNERABLE.items() if name.lower() == match[3].lower())
    return number if (dealer(number), vulnerable_sides(number)) == (seat, sides) else board_of(seat, sides)


def cards_text(name: str, mask: int) -> str:
    """``North's cards : S A K 3. H -. D Q J. C T 9.``"""
    suits = []
    for suit in SUITS:
        ranks = [BRIDGE[card].rank for card in sorted(bits(mask), reverse=True) if BRIDGE[card].suit == suit]
        suits.append(f"{suit} {' '.join(ranks) or '-'}.")
    return f"{name}'s cards : {' '.join(suits)}"


def read_cards(line: str, name: str) -> int:
    """The hand of ``cards_text``. Raises InputError."""
    match = _CARDS.fullmatch(" ".join(line.split()))
    if match is None or match[1].lower() != name.lower():
        raise wrong("cards", f"cannot read {line[:60]!r} as the cards of {name}")
    cards = []
    for part in match[2].strip(" .").split("."):
        suit = _SUIT.fullmatch(part.strip())
        if suit is None:
            raise wrong("cards", f"cannot read {part.strip()[:40]!r}")
        ranks = suit[2].replace("-", "").replace("10", "T").split()
        cards += [PACK.card(suit[1] + rank, "cards") for rank in ranks]
    mask = PACK.mask(cards, "cards")
    if mask.bit_count() != LAYOUT.hand_sizes[0]:
        raise wrong("cards", f"{mask.bit_count()} cards, not {LAYOUT.hand_sizes[0]}")
    return mask


@frozen
class Note:
    """What a player says of its call, to the opponents: an alert or, as WBridge5 and Ben do for any call, infos."""

    text: str
    alert: bool = True


def call_text(seat: int, call: Action, note: Note | None = None) -> str:
    """A call as it is said. An alert without a text is left out: WBridge5 would wait for the text."""
    verb = next((word for word, action in _VERBS.items() if action == call), None) or f"bids {call.value}"
    said = "" if note is None or not note.text else f" {'Alert' if note.alert else 'Infos'}. {note.text}"
    return f"{NAMES[seat]} {verb}{said}"


def read_call(line: str) -> tuple[str, Action, Note | None]:
    """Who calls what, and what is said of it. Raises InputError."""
    match = _CALL.fullmatch(" ".join(line.split()))
    if match is None:
        raise wrong("call", f"cannot read {line[:60]!r}")
    strain = "NT" if match[4] and match[4][0] in "Nn" else (match[4] or "").upper()
    call = _VERBS[match[2].lower()] if match[2] else _BID[match[3] + strain]
    note = None if match[5] is None else Note(match[7].strip(), match[6].lower() == "alert")
    return match[1].capitalize(), call, note


def play_text(seat: int, card: int) -> str:
    """Cards are said rank first: ``North plays 3C``."""
    return f"{NAMES[seat]} plays {BRIDGE[card].rank}{BRIDGE[card].suit}"


def read_play(line: str) -> tuple[str, int]:
    """Who plays which card. Raises InputError."""
    match = _PLAY.fullmatch(plain(line))
    if match is None:
        raise wrong("card", f"cannot read {line[:60]!r}")
    return match[1].capitalize(), PACK.card(match[3] + match[2].replace("10", "T"), "card")


@define
class Seen:
    """A board as one seat is told it; hidden cards lie in any way that agrees with it, which views do not depend on."""

    seat: int
    board: int
    hand: int
    dummy: int = 0
    events: list[Event] = field(factory=list)
    contract: BridgeContract | None = None
    over: bool = False
    tricks: int = 0
    trick: list[int] = field(factory=list)
    _leader: int = -1

    @property
    def turn(self) -> int:
        """Whose call or card comes next."""
        if self.contract is None:
            return (dealer(self.board) + len(self.events)) % SEATS
        return (self._leader + len(self.trick)) % SEATS

    @property
    def actor(self) -> int:
        """Who decides: the declarer for the dummy."""
        contract = self.contract
        return contract.declarer if contract is not None and self.turn == contract.dummy else self.turn

    def called(self, call: Action) -> None:
        """The seat whose turn it is calls."""
        self.events.append(Event(self.turn, call))
        if len(self.events) > MAX_CALLS:
            raise wrong("call", "more calls than an auction has")
        if closed([event.action for event in self.events]):
            self.contract = contract_of_calls([(event.seat, event.action) for event in self.events])
            self.over = self.contract is None
            self._leader = -1 if self.contract is None else (self.contract.declarer + 1) % SEATS

    def played(self, card: int) -> None:
        """The seat whose turn it is plays."""
        assert self.contract is not None
        self.events.append(Event(self.turn, play(card)))
        self.trick.append(card)
        if len(self.trick) == SEATS:
            rules = strain_rules(self.contract.strain)
            self._leader = (self._leader + self.trick.index(best_card(rules, self.trick))) % SEATS
            self.trick, self.tricks = [], self.tricks + 1
            self.over = self.tricks == LAYOUT.hand_sizes[0]

    def table(self) -> Table:
        """A table at which all this has happened. Raises InputError if it cannot be."""
        table = Table.start(GAME, self._deal(-1 if self.contract is None else self.contract.dummy), self.board)
        for event in self.events:
            self._apply(table, event)
        return table

    def _apply(self, table: Table, event: Event) -> None:
        action, phase = event.action, table.phase
        if phase is None or table.turn != event.seat:
            raise wrong("turn", f"{NAMES[event.seat]} is not to act")
        held = action.verb == "play" and table.tricks is not None and not action.mask & ~table.hands[event.seat]
        if not (held or (action.verb != "play" and phase.allows(action))):
            raise wrong("turn", f"{NAMES[event.seat]} cannot {action.to_text(BRIDGE)!r} here")
        table.apply_unchecked(action)

    def _deal(self, dummy: int) -> Deal:
        held = [0] * SEATS
        held[self.seat] = self.hand
        if dummy >= 0 and self.dummy and dummy != self.seat:
            held[dummy] |= self.dummy
        for event in self.events:
            if event.action.verb == "play" and event.seat != self.seat:
                held[event.seat] |= event.action.mask
        return PACK.completed(held, "cards")


def seat_named(name: str) -> int:
    """A seat by its name or its first letter, in any case. Raises InputError."""
    for seat, known in enumerate(NAMES):
        if name.strip().lower() in (known.lower(), known[0].lower()):
            return seat
    raise InputError(None, None, "seat", f"{name!r} is none of {', '.join(NAMES)}")
