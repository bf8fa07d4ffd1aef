"""Records of the International Skat Server: one game a line, in the manner of SGF.

``(;GM[Skat]PC[server]CO[]SE[session]ID[n]DT[time]P0[]P1[]P2[]R0[]R1[]R2[]MV[moves]R[result] ;)``

``MV`` is pairs of who (``w`` the server, ``0`` forehand, ``1``, ``2``) and what: the deal, bids (number, ``y``,
``p``), ``s`` for the skat and the server's answer, the declaration with the discards (in one move or two; ouvert
cards may follow), cards, ``SC`` (shows his cards), ``RE`` (resigns), ``w LE.n`` and ``w TI.n`` (seat n left, or ran
out of time). ``R`` claims the result. Read from 46 games; facts on the notation are those of the server's clients.

Writing: a record without its auction gets no bids, and the final bid as ``bid:N`` in the comment ``CO``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tricktake.action import Action, Event
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import LAYOUT, SEATS, SKAT, SKAT_PLACE
from tricktake_skat.exchange import exchange_events
from tricktake_skat.formats.common import PACK, PLAYED, by_rules, exchanged, skat_contract

WORLD = "w"
NAME_OF = tuple(card.name for card in SKAT)
_FIELD = re.compile(r"([A-Z][A-Z0-9]?)\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_DECLARATION = re.compile(r"([GCSHDN][OHSZ]*)((?:\.[^.]+)*)")
_GONE = re.compile(r"(LE|TI)\.([0-2])")
_BID_NOTE = re.compile(r"bid:(\d+)")
_NOTES = ("PC", "CO", "SE", "DT", "R0", "R1", "R2")
_CLAIMS = {  # of a declared game
    "m": ("matadors", int),
    "p": ("eyes", int),
    "t": ("tricks", int),
    "s": ("schneider", bool),
    "z": ("schwarz", bool),
}
_PASS, _YES, _CONCEDE, _CLAIM = Action("pass"), Action("yes"), Action("concede"), Action("claim")
_ALL_PLAYS = sum(LAYOUT.hand_sizes)


class IssRecord(Format):
    """Records of the International Skat Server."""

    name = "iss"
    summary = "records of the International Skat Server, one game a line"
    suffixes = (".sgf", ".iss")
    game = "skat"

    def sniff(self, head: str) -> bool:
        return head.lstrip().startswith(("(;GM[Skat]", ";GM[Skat]"))

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        text = chunk.text.strip()
        if not text.startswith(("(;", ";GM")):  # messages of the server lack the bracket
            raise wrong("record", "does not begin with (;")
        if not text.endswith(";)"):
            raise wrong("record", "cut off: does not end with ;)")
        fields = {key: value.replace("\\]", "]").replace("\\\\", "\\") for key, value in _FIELD.findall(text)}
        if fields.get("GM") != "Skat":
            raise wrong("GM", f"is {fields.get('GM')!r}, not Skat")
        for key in ("ID", "MV", "R"):
            if key not in fields:
                raise wrong(key, "is missing")
        moves = _Moves(fields["MV"], fields.get("CO", ""))
        result = _result(fields["R"])
        notes: dict[str, Any] = {key: fields[key] for key in _NOTES if key in fields}
        if moves.asides:
            notes["moves"] = moves.asides
        declarer = result.pop("declarer")
        contract = moves.contract
        claimed = -1 if contract is None else contract.declarer
        if declarer != claimed:
            if contract is None and moves.gone:
                raise fault("R", f"seat {moves.gone[1]} was gone before a game was declared, yet one is scored")
            raise fault("R", f"names {declarer} as declarer, but the moves make it {claimed}")
        if contract is None and not moves.passed:
            if not moves.gone:
                raise wrong("MV", "ends before a game was declared, and nobody left or ran out of time")
            if any(result.get("points", ())):
                raise fault("R", "scores a game that was not declared")
        if result.get("passed", False) != moves.passed:
            raise fault("R", "and the moves disagree whether the deal was passed in")
        players = tuple(fields.get(f"P{seat}", "") for seat in range(SEATS))
        return GameRecord(
            game="skat",
            id=fields["ID"],
            deal=moves.deal,
            players=players if any(players) else (),
            before=moves.before,
            contract=contract,
            played=moves.played,
            plays=tuple(moves.plays),
            result=result,
            notes=notes,
        )

    def ident(self, chunk: Chunk) -> str:
        match = re.search(r"ID\[([^\]]*)\]", chunk.text)
        return match[1] if match else ""

    def text(self, record: GameRecord) -> str:
        return _text(record)


class _Moves:
    """The moves of a record, read one after the other."""

    def __init__(self, text: str, comment: str) -> None:
        words = text.split()
        if len(words) % 2:
            raise wrong("MV", "cut off: a seat without a move")
        pairs = list(zip(words[::2], words[1::2], strict=True))
        for who, _ in pairs:
            if who not in ("w", "0", "1", "2"):
                raise wrong("MV", f"{who!r} is neither a seat nor w")
        if not pairs or pairs[0][0] != WORLD:
            raise wrong("MV", "does not begin with the deal")
        self.deal = _deal(pairs[0][1])
        self.asides: list[list[Any]] = []  # moves that are no actions: [number of plays before, who, move]
        self.gone: tuple[str, int] | None = None
        self.auction: list[Event] = []
        self.contract: SkatContract | None = None
        self.played: Deal | None = None
        self.plays: list[Event] = []
        self._moves = iter(pairs[1:])
        self._next = next(self._moves, None)
        self._read_auction()
        taken = self._read_skat()
        put = self._read_declaration(taken, _BID_NOTE.search(comment))
        self._read_plays()
        self.passed = [e.action for e in self.auction] == [_PASS] * SEATS
        self.before: tuple[Event, ...] | None = tuple(self.auction)
        if self.contract is not None:
            self.before = (*self.auction, *exchange_events(self.contract, put)) if self.auction else None

    def _advance(self) -> tuple[str, str]:
        assert self._next is not None
        move, self._next = self._next, next(self._moves, None)
        return move

    def _aside(self) -> bool:
        """Take a move that is no action of the rules, if one comes next."""
        if self._next is None:
            return False
        who, move = self._next
        gone = _GONE.fullmatch(move) if who == WORLD else None
        if gone:
            self.gone = gone[1], int(gone[2])
        elif who == WORLD or not (move == "SC" or move.startswith("SC.")):
            return False
        self.asides.append([len(self.plays), *self._advance()])
        return True

    def _read_auction(self) -> None:
        while self._next is not None:
            if self._aside():
                continue
            who, move = self._next
            if who == WORLD:
                break
            if move == "p":
                action = _PASS
            elif move == "y":
                action = _YES
            elif move.isdecimal():
                action = Action("bid", str(int(move)))
            else:
                break
            self._advance()
            self.auction.append(Event(int(who), action))

    def _read_skat(self) -> bool:
        """Whether the skat was taken."""
        while self._aside():
            pass
        if self._next is None or self._next[1] != "s":
            return False
        self._declarer = int(self._advance()[0])
        while self._aside():
            pass
        if self._next is not None and self._next[0] == WORLD:
            cards = [PACK.card(name, "skat") for name in self._advance()[1].split(".")]
            if PACK.mask(cards, "skat") != self.deal.masks[SKAT_PLACE]:
                raise fault("MV", f"the skat taken, {dot_cards(cards)}, is not the one dealt")
        return True

    def _read_declaration(self, taken: bool, note: re.Match[str] | None) -> int:
        """Set contract and cards of the play; the mask of what lies in the skat then."""
        while self._aside():
            pass
        if self._next is None:
            return 0
        who, move = self._advance()
        match = _DECLARATION.fullmatch(move)
        if match is None or who == WORLD:
            raise wrong("MV", f"{who} {move!r} is no declaration")
        declarer, name = int(who), match[1]
        if taken and declarer != self._declarer:
            raise fault("MV", f"seat {self._declarer} took the skat, seat {declarer} declares")
        names = match[2].split(".")[1:]
        if taken and not names and self._next is not None and self._next[0] == who:
            names = self._advance()[1].split(".")  # the discards as a move of their own
        cards = [PACK.card(text, "MV") for text in names]
        if taken and not cards and self._aside() and self.gone:
            raise fault("MV", f"seat {self.gone[1]} was gone before two cards were put, so that nothing was played")
        if not taken and "H" not in name[1:]:
            name += "H"  # implied by an ouvert suit or grand game, and by the skat left alone
        elif taken and "H" in name[1:]:
            raise fault("MV", f"{name} is a hand game, but the skat was taken")
        bid = int(note[1]) if note and not self.auction else max(highest_bids(self.auction), default=0)
        self.contract = SkatContract.declared(declarer, name, bid)
        put = PACK.mask(cards[:2], "discards") if taken else self.deal.masks[SKAT_PLACE]
        if taken:
            self.played = exchanged(self.deal, declarer, put)
            if self.played == self.deal:
                self.played = None
        shown = cards[2:] if taken else cards
        if shown and PACK.mask(shown, "ouvert") != (self.played or self.deal).masks[declarer]:
            raise fault("MV", "the cards shown for ouvert are not the declarer's hand")
        return put

    def _read_plays(self) -> None:
        while self._next is not None:
            if self._aside():
                continue
            who, move = self._advance()
            if who == WORLD:
                raise wrong("MV", f"cannot read {who} {move!r}")
            seat = int(who)
            self.plays.append(Event(seat, _CONCEDE) if move == "RE" else PLAYED[seat][PACK.card(move, "MV")])
        # Cards shown and nothing after it: that must have ended the game, as a claim does.
        cards = sum(1 for event in self.plays if event.action is not _CONCEDE)
        if self.asides and self.asides[-1][0] == len(self.plays) and cards < _ALL_PLAYS:
            _, who, move = self.asides[-1]
            if move == "SC":
                self.plays.append(Event(int(who), _CLAIM))
                self.asides.pop()


def _deal(text: str) -> Deal:
    names = text.replace("|", ".").split(".")
    cards = [PACK.card(name, "deal") for name in names if name]
    PACK.mask(cards, "deal")
    if len(cards) != len(SKAT):
        raise fault("deal", f"{len(cards)} cards instead of {len(SKAT)}")
    masks, start = [], 0
    for size in LAYOUT.sizes:
        masks.append(sum(1 << i for i in cards[start : start + size]))
        start += size
    return PACK.deal(masks, "deal")


def _result(text: str) -> dict[str, Any]:
    """The claims of ``R``."""
    words = text.split()
    if words == ["passed"]:
        return {"declarer": -1, "passed": True}
    numbers: dict[str, int] = {}
    flags = set()
    for word in words:
        key, colon, value = word.partition(":")
        if not colon:
            flags.add(key)
        elif re.fullmatch(r"-?\d+", value):
            numbers[key] = int(value)
        else:
            raise wrong("R", f"cannot read {word!r}")
    unknown = flags - {"win", "loss", "penalty", "bidok", "overbid"}
    if unknown or "d" not in numbers or "v" not in numbers:
        raise wrong("R", f"cannot read {text!r}")
    declarer = numbers["d"]
    result: dict[str, Any] = {"declarer": declarer}
    if declarer >= 0:
        if not flags & {"win", "loss"}:
            raise wrong("R", "says neither win nor loss")
        result["won"] = "win" in flags
    result["points"] = [numbers["v"] if seat == declarer else 0 for seat in range(SEATS)]
    if declarer < 0 and numbers["v"]:
        raise fault("R", f"a value of {numbers['v']} without a declarer")
    if declarer >= 0:
        result |= {name: kind(numbers[key]) for key, (name, kind) in _CLAIMS.items() if key in numbers}
        result["overbid"] = "overbid" in flags
    penalised = [seat for seat in range(SEATS) if numbers.get(f"p{seat}")]
    if penalised or "penalty" in flags:
        result["penalised"] = penalised
    for key, name in (("l", "left"), ("to", "timeout")):
        if numbers.get(key, -1) >= 0:
            result[name] = numbers[key]
    if "r" in numbers:
        result["resigned"] = bool(numbers["r"])
    return result


# -- writing ----------------------------------------------------------------------------------------------------------


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]").replace("\n", " ")


def _text(record: GameRecord) -> str:
    notes = dict(record.notes)
    contract = skat_contract(record)
    if contract is not None and record.before is None:
        comment = str(notes.get("CO", ""))
        if not _BID_NOTE.search(comment):
            notes["CO"] = f"{comment} bid:{contract.bid}".strip()
    fields = [("GM", "Skat"), ("PC", notes.get("PC", "tricktake"))]
    fields += [(key, notes[key]) for key in ("CO", "SE") if key in notes]
    fields.append(("ID", record.id))
    if "DT" in notes:
        fields.append(("DT", notes["DT"]))
    fields += [(f"P{seat}", name) for seat, name in enumerate(record.players)]
    fields += [(key, notes[key]) for key in ("R0", "R1", "R2") if key in notes]
    fields += [("MV", " ".join(_move_words(record, contract)) + " "), ("R", _result_text(record, contract))]
    return "(;" + "".join(f"{key}[{_escaped(str(value))}]" for key, value in fields) + " ;)\n"


def _move_words(record: GameRecord, contract: SkatContract | None) -> Iterator[str]:
    yield from (WORLD, dot_cards(i for mask in record.deal.masks for i in bits(mask)))
    for event in record.before or ():
        action = event.action
        if action.verb in ("bid", "yes", "pass"):
            yield from (str(event.seat), action.value or action.verb[0])
    skat = list(bits(record.deal.masks[SKAT_PLACE]))
    verbs = {e.action.verb for e in record.before or ()}
    if contract is None and "take" in verbs:
        (seat,) = (e.seat for e in record.before or () if e.action.verb == "take")
        yield from (str(seat), "s", WORLD, dot_cards(skat))
    if contract is not None:
        seat, name = contract.declarer, declared_name(contract)
        if not contract.hand:
            yield from (str(seat), "s", WORLD, dot_cards(skat))
            name += "." + dot_cards(bits(record.deal_at_play.masks[SKAT_PLACE]))
        yield from (str(seat), name)
    asides = [list(aside) for aside in record.notes.get("moves", ())]
    for n, event in enumerate(record.plays):
        while asides and asides[0][0] <= n:
            yield from map(str, asides.pop(0)[1:])
        verb = event.action.verb
        yield from (str(event.seat), "RE" if verb == "concede" else "SC" if verb == "claim" else _card_name(event))
    for aside in asides:
        yield from map(str, aside[1:])


def declared_name(contract: SkatContract) -> str:
    """A declaration as the server writes it: without what ouvert and Schwarz imply."""
    if contract.ouvert and not contract.is_null:
        return contract.trump + "O"
    return contract.trump + (contract.name[1:].replace("S", "") if contract.schwarz else contract.name[1:])


def dot_cards(cards: Iterable[int]) -> str:
    """Cards as the server writes them."""
    return ".".join(NAME_OF[i] for i in cards)


def _card_name(event: Event) -> str:
    (index,) = event.action.cards
    return NAME_OF[index]


def _result_text(record: GameRecord, contract: SkatContract | None) -> str:
    claims = record.result
    if claims.get("passed"):
        return "passed"
    seat = -1 if contract is None else contract.declarer
    words = [f"d:{seat}"]
    if "penalised" in claims and contract is None:
        words.append("penalty")
    if "won" in claims:
        words.append("win" if claims["won"] else "loss")
    points = claims.get("points")
    if points is None:
        points = by_rules(record)["points"] if contract is not None else (0,) * SEATS  # the record does not say them
    words.append(f"v:{points[seat] if seat >= 0 else 0}")
    words.append(f"m:{claims.get('matadors', 0)}" if "matadors" in claims or contract is None else "")
    words.append("overbid" if claims.get("overbid") else "bidok" if "overbid" in claims or contract is None else "")
    for letter, (key, _) in _CLAIMS.items():
        if letter != "m" and (key in claims or contract is None):
            words.append(f"{letter}:{int(claims.get(key, 0))}")
    words += [f"p{s}:{int(s in claims.get('penalised', ()))}" for s in range(SEATS)]
    words += [f"l:{claims.get('left', -1)}", f"to:{claims.get('timeout', -1)}"]
    if "resigned" in claims:
        words.append(f"r:{int(claims['resigned'])}")
    return " ".join(word for word in words if word)


assert not PACK.index.keys() & {"SC", "RE"}  # moves and cards cannot be confused

FORMAT = IssRecord()
