"""Moves as the Skat server writes them, and a game put together from what one seat is told.

Who moves is ``0`` to ``2`` from forehand on, or ``w``, the server. Moves are bids (``18``, ``y``, ``p``), ``s`` (takes
the skat), a declaration with the discards (``G.C7.H8``, ``NO.C7.H8.`` and ten open cards), cards, ``RE`` (gives up),
``SC`` (shows the cards: claims), and of the server the deal, the skat, ``TI.n`` and ``LE.n`` (seat n ran out of time,
has left). Cards that a seat may not see are ``??``. Known from the sources of the JSkat client
(github.com/b0n541/jskat, ``MessageParser`` and ``MessageGenerator``) and the records of the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from tricktake.action import Action, Event, play
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.errors import IllegalAction, InputError
from tricktake.records.reading import wrong
from tricktake.table import Table
from tricktake.view import View
from tricktake_skat.auction import PASS, YES
from tricktake_skat.claims import CLAIM, CONCEDE
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import LAYOUT, SEATS, SKAT, SKAT_PLACE
from tricktake_skat.exchange import HAND, TAKE
from tricktake_skat.formats.common import PACK
from tricktake_skat.formats.iss import declared_name, dot_cards
from tricktake_skat.game import SkatGame

WORLD = "w"
HIDDEN = "??"
PUBLIC = -1  # in the place of a seat: the view of whoever does not play
DECLARATION = re.compile(r"([GCSHDN][OHSZ]*)((?:\.[^.\s]+)*)")
GONE = re.compile(r"(LE|TI)\.([0-2])")


def hidden(number: int) -> str:
    """So many cards that are not shown."""
    return ".".join([HIDDEN] * number)


def deal_word(deal: Deal, seat: int) -> str:
    """The deal as a seat is told it, or as everybody is (``PUBLIC``)."""
    return "|".join(
        dot_cards(bits(mask)) if place == seat else hidden(mask.bit_count()) for place, mask in enumerate(deal.masks)
    )


# -- the referee's side -----------------------------------------------------------------------------------------------


def read_move(table: Table, seat: int, word: str) -> list[Action]:
    """The actions of a move of ``seat``; their legality is for the table to see.

    Raises InputError for what is no move, IllegalAction for one of another phase.
    """
    phase = "over" if table.phase is None else table.phase.name
    if word == "RE":
        return [CONCEDE]
    if word == "SC" or word.startswith("SC."):
        return [CLAIM]
    if phase == "auction":
        if word in ("p", "y"):
            return [PASS if word == "p" else YES]
        if word.isdecimal() and len(word) <= 3:
            return [Action("bid", str(int(word)))]
    elif phase == "skat" and word == "s":
        return [TAKE]
    elif phase in ("skat", "discard"):
        match = DECLARATION.fullmatch(word)
        if match is not None:
            taken, cards = phase == "discard", match[2].split(".")[1:]
            name = match[1] if taken or "H" in match[1][1:] else match[1] + "H"
            declare = Action("declare", SkatContract.declared(seat, name, table.facts["bid"]).name)
            if not taken:
                return [HAND, declare]
            if len(cards) < 2:
                raise wrong("move", f"{word!r} names no two cards to put away")
            return [Action("discard", cards=tuple(PACK.card(card, "move") for card in cards[:2])), declare]
    elif phase == "tricks" and word.upper() in PACK.index:
        return [play(PACK.index[word.upper()])]
    raise IllegalAction(f"{word[:20]!r} is no move in the phase {phase}")


def told(table: Table, actions: Sequence[Action], seat: int, observer: int) -> Iterator[tuple[str, str]]:
    """(who, move) as an observer is told of actions that ``seat`` has just taken at this table."""
    mine = seat == observer
    for action in actions:
        match action.verb:
            case "bid":
                yield str(seat), action.value
            case "yes" | "pass":
                yield str(seat), action.verb[0]
            case "take":
                yield str(seat), "s"
                yield WORLD, dot_cards(bits(table.deal.masks[SKAT_PLACE])) if mine else hidden(2)
            case "declare":
                contract = SkatContract.declared(seat, action.value, table.facts["bid"])
                words = [declared_name(contract)]
                if not contract.hand:
                    words.append(dot_cards(bits(table.places[SKAT_PLACE])) if mine else hidden(2))
                if contract.ouvert:
                    words.append(dot_cards(bits(table.places[seat])))
                yield str(seat), ".".join(words)
            case "play":
                yield str(seat), dot_cards(action.cards)
            case "concede":
                yield str(seat), "RE"
            case "claim":
                yield str(seat), f"SC.{dot_cards(bits(table.places[seat]))}" if table.places[seat] else "SC"


# -- one seat's side --------------------------------------------------------------------------------------------------


@define
class Seen:
    """A game as one seat is told it, move by move.

    ``view`` is that of a table at which the cards this seat has not seen lie in any way that agrees with the moves: a
    view does not depend on them.
    """

    seat: int
    hand: int = 0
    skat: int = 0
    shown: int = 0
    events: list[Event] = field(factory=list)
    gone: str = ""
    claimed: bool = False

    @classmethod
    def dealt(cls, word: str) -> Seen:
        """From the deal as a seat is told it. Raises InputError."""
        hands = word.split("|")
        if len(hands) != SEATS + 1:
            raise wrong("deal", f"{len(hands)} places, not {SEATS + 1}")
        open_hands = [n for n, hand in enumerate(hands[:SEATS]) if HIDDEN not in hand]
        if len(open_hands) != 1:
            raise wrong("deal", f"{len(open_hands)} hands are shown, not one's own")
        (seat,) = open_hands
        mask = _mask(hands[seat].split("."), "deal")
        if mask.bit_count() != LAYOUT.hand_sizes[seat]:
            raise wrong("deal", f"{mask.bit_count()} cards, not {LAYOUT.hand_sizes[seat]}")
        return cls(seat, mask)

    @property
    def declarer(self) -> int:
        return next((event.seat for event in self.events if event.action in (TAKE, HAND)), -1)

    @property
    def awaits_skat(self) -> bool:
        """Whether this seat has taken the skat and not yet been told its cards."""
        return not self.skat and Event(self.seat, TAKE) in self.events

    def take(self, who: str, word: str) -> None:
        """A move that was told. Raises InputError."""
        if who == WORLD:
            if GONE.fullmatch(word):
                self.gone = word
            elif HIDDEN not in word:
                self.skat = _mask(word.split("."), "skat")
            return
        if who not in ("0", "1", "2"):
            raise wrong("move", f"{who[:20]!r} is neither a seat nor w")
        seat = int(who)
        match = DECLARATION.fullmatch(word)
        if word in ("p", "y"):
            self._add(seat, PASS if word == "p" else YES)
        elif word.isdecimal():
            self._add(seat, Action("bid", str(int(word[:4]))))
        elif word == "s":
            self._add(seat, TAKE)
        elif word == "RE":
            self._add(seat, CONCEDE)
        elif word == "SC" or word.startswith("SC."):
            self.claimed = True
        elif word.upper() in PACK.index:
            self._add(seat, play(PACK.index[word.upper()]))
        elif match is not None:
            self._declared(seat, match[1], match[2].split(".")[1:])
        else:
            raise wrong("move", f"cannot read {word[:40]!r}")

    def _declared(self, seat: int, name: str, cards: list[str]) -> None:
        taken = TAKE in (event.action for event in self.events)
        bid = max((int(event.action.value) for event in self.events if event.action.verb == "bid"), default=18)
        contract = SkatContract.declared(seat, name if taken or "H" in name[1:] else name + "H", bid)
        if taken:
            put = [card for card in cards[:2] if card != HIDDEN]
            self._add(seat, Action("discard", cards=tuple(PACK.card(card, "discards") for card in put)))
        else:
            self._add(seat, HAND)
        self.shown = _mask(cards[2:] if taken else cards, "ouvert")
        self._add(seat, Action("declare", contract.name))

    def _add(self, seat: int, action: Action) -> None:
        if len(self.events) > 500:
            raise wrong("move", "more moves than a game has")
        self.events.append(Event(seat, action))

    def table(self, more: Iterable[Action] = ()) -> Table:
        """A table at which all this has happened, and then ``more`` by this seat. Raises InputError if it cannot be."""
        deal = self._deal()
        table = Table.start(_GAME, deal)
        for event in (*self.events, *(Event(self.seat, action) for action in more)):
            action = event.action
            if action.verb == "discard" and not action.cards:
                action = Action("discard", cards=tuple(bits(deal.masks[SKAT_PLACE])))
            try:
                if action == CONCEDE:
                    table.apply(action, event.seat)
                elif table.turn != event.seat or not _possible(table, action):
                    raise wrong("move", f"seat {event.seat} cannot {action.to_text(SKAT)!r} here")
                else:
                    table.apply_unchecked(action)
            except IllegalAction as error:
                raise wrong("move", str(error)) from None
        return table

    def view(self, more: Iterable[Action] = ()) -> View:
        """What this seat sees."""
        return self.table(more).view(self.seat)

    def _deal(self) -> Deal:
        """Hidden cards in any way: the others hold what they have played, and the rest in the order of the deck."""
        held = [0] * (SEATS + 1)
        held[self.seat], held[SKAT_PLACE] = self.hand, self.skat
        for event in self.events:
            if event.action.verb == "play" and event.seat != self.seat:
                held[event.seat] |= event.action.mask
        if self.shown and self.declarer not in (-1, self.seat):
            held[self.declarer] |= self.shown
        return PACK.completed(held, "deal")


def _possible(table: Table, action: Action) -> bool:
    """Whether an action can be carried out at all; cards of others need not follow suit, since theirs are made up."""
    assert table.phase is not None
    assert table.turn is not None
    if action.verb == "play":
        return table.phase.name == "tricks" and not action.mask & ~table.hands[table.turn]
    return table.phase.allows(action)


def _mask(names: Iterable[str], where: str) -> int:
    return PACK.mask([PACK.card(name, where) for name in names if name], where)


def own_word(actions: Sequence[Action]) -> str:
    """What a client sends for its actions: one, or the two that make a declaration."""
    last = actions[-1]
    match last.verb:
        case "bid":
            return last.value
        case "yes" | "pass":
            return last.verb[0]
        case "take":
            return "s"
        case "declare":
            name = declared_name(SkatContract.declared(0, last.value))
            return ".".join([name, *(dot_cards(action.cards) for action in actions[:-1] if action.cards)])
        case "play":
            return dot_cards(last.cards)
        case "concede":
            return "RE"
        case "claim":
            return "SC"
    raise InputError(None, None, "action", f"the server has no word for {last.to_text(SKAT)!r}")


_GAME = SkatGame()
