"""The papers' series notation, a "portable game notation" (OUTER-12 to 16; the outer-learning paper, table 6).

A header of lines in brackets, then one line of numbers a game, separated by blanks (fields counted from 1):

1 id; 2 game (-1 folded, 0 to 3 clubs, spades, hearts, diamonds, 4 grand, 5 Null, 6 Null ouvert, 7 Null Hand, 8 Null
ouvert Hand); 3 declarer (0 forehand, 1 middlehand, 2 rearhand); 4-6 highest bid or hold of each seat; 7 hand;
8 Schneider, 9 announced; 10 Schwarz, 11 announced; 12 ouvert; 13 declarer won; 14 folded; 15 matadors, signed;
16 eyes of the declarer; 17-19 strength of the hands, 0 to 10; 20-29, 30-39, 40-49 the hands as dealt; 50-51 the skat
as dealt; 52-53 the discard; then five numbers a trick: its cards in the order they were played, the seat that
won it, and its eyes, positive if the declarer won it.

Decisions where the paper is silent (OUTER-15):

* Cards are numbered suit * 8 + rank with suits clubs, spades, hearts, diamonds and ranks 7, 8, 9, Q, K, 10, A, J.
* -1 stands for what is not known: bids that were not recorded, strengths that nobody computed, the declarer, the
  matadors' sign of a folded deal being 0.
* In a hand game and in a folded deal 52-53 repeat the skat as dealt.
* A game that broke off in the middle of a trick ends with the cards of that trick, without winner and eyes.
* Ids hold no blanks; blanks and ``%`` in an id are written ``%20`` and ``%25``.
* A file may hold several series, each with its header; a new one begins after 36 games or when other players sit
  down. ``[Result: ...]`` is the extended Seeger score, left out if a game of the series has no value.

Extensions are lines in brackets too, which a reader of numbers passes over. They precede the game they speak of:
``[Auction: 1 18, 0 yes, ...]`` is what was said, ``[More: {...}]`` is JSON for what has no field (the players if they
sit in another order than in the header, concessions, claims of the record, notes of another format).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve

from tricktake.action import Action, Event
from tricktake.cards import bits
from tricktake.game import Game
from tricktake.records.formats import Chunk, Format, OnError, attempted
from tricktake.records.jsonl import event_text, read_event
from tricktake.records.lines import Line
from tricktake.records.reading import fault, wrong
from tricktake.records.record import GameRecord
from tricktake.trick import TrickState
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import CODES, PASSED_CODE, SUITS, SkatContract
from tricktake_skat.deck import EYES, LAYOUT, SEATS, SKAT, SKAT_PLACE
from tricktake_skat.exchange import exchange_events
from tricktake_skat.formats.common import PACK, PLAYED, auction_of, by_rules, exchanged, skat_contract
from tricktake_skat.rules import skat_rules
from tricktake_skat.scoring import GAMES_OF_SERIES, seeger

UNKNOWN = -1
HEAD_FIELDS = 19  # before the cards
CARDS = slice(HEAD_FIELDS, HEAD_FIELDS + 34)
TRICK_FIELDS = 5
_HEADER = re.compile(r"\[([A-Za-z]+\d*): (.*)\]\s*$")
_SEAT = re.compile(r"\[Seat(\d): (.*?)\](?=\s*(?:\[Seat\d|$))")
_NULL_NAMES = {code: name for name, code in CODES.items() if name.startswith("N")}
_TRUMPS = {CODES[t]: t for t in SUITS + "G"}
_BIDDING = {"yes": Action("yes"), "pass": Action("pass")}
# Claims that have a field of their own.
_CLAIMS = ("won", "matadors", "eyes", "schneider", "schwarz", "winners")
_FIELDED = {*_CLAIMS, "passed"}


class SeriesNotation(Format):
    """The papers' notation of Skat series."""

    name = "pgn"
    summary = "the papers' series notation: a header, then one line of numbers a game"
    suffixes = (".pgn",)
    game = "skat"

    def sniff(self, head: str) -> bool:
        for row in head.splitlines():
            if row.strip():
                return row.startswith(("[Event: ", "[Seat1: ", "[Auction: ", "[More: ")) or _is_game(row)
        return False

    def chunks(self, lines: Iterator[Line]) -> Iterator[Chunk]:
        """One a line of numbers; its context is the players and the extension lines before it."""
        players: dict[int, str] = {}
        extensions: dict[str, str] = {}
        for line in lines:
            text = line.text.strip()
            if not text:
                continue
            if not text.startswith("["):
                yield Chunk(line.number, text, (dict(players), extensions))
                extensions = {}
                continue
            seats = _SEAT.findall(text) if text.endswith("]") else []  # else each start is looked for to the end
            match = _HEADER.match(text)
            if seats:
                players.update((int(seat), name) for seat, name in seats)
            elif match and match[1] in ("Auction", "More"):
                extensions[match[1]] = match[2]
            elif text.startswith("[Event"):
                players = {}

    def parse(self, chunk: Chunk, game: Game | None = None) -> GameRecord:
        players: dict[int, str]
        extensions: dict[str, str]
        players, extensions = chunk.context if chunk.context is not None else ({}, {})
        words = chunk.text.split()
        folded = words[1:2] == [str(PASSED_CODE)]
        least = CARDS.stop - 2 if folded else CARDS.stop  # a folded deal may leave out the discard
        if len(words) < least:
            raise wrong("game", f"cut off: {len(words)} fields, and a game has at least {least}")
        try:
            numbers = [0, *(int(word) for word in words[1:])]
        except ValueError as error:
            raise wrong("game", str(error)) from error
        more = _more(extensions.get("More"))
        auction = _read_auction(extensions.get("Auction"))
        names = tuple(more.get("players") or (players.get(s + 1, "") for s in range(SEATS)))
        notes: dict[str, Any] = dict(more.get("notes", {}))
        if any(strength != UNKNOWN for strength in numbers[16:19]):
            notes["strength"] = numbers[16:19]
        masks = [_mask(numbers[19 + 10 * seat : 29 + 10 * seat], "hands") for seat in range(SEATS)]
        record = GameRecord(
            game="skat",
            id=_read_id(words[0]),
            deal=PACK.deal([*masks, _mask(numbers[49:51], "skat")], "deal"),
            board=int(more.get("board", 0)),
            players=names if any(names) else (),
            notes=notes,
        )
        if folded and len(words) > CARDS.stop:
            raise fault("game", "a folded deal with cards played")
        return _folded(record, auction, more) if folded else _played(record, numbers, auction, more)

    def ident(self, chunk: Chunk) -> str:
        return _read_id(chunk.text.split()[0])

    def text(self, record: GameRecord) -> str:
        return "".join(_game_lines(record, ()))

    def texts(self, records: Iterable[GameRecord], on_error: OnError | None = None) -> Iterator[str]:
        series: list[tuple[GameRecord, str]] = []
        for record in records:
            if series:
                first = series[0][0].players
                if len(series) == GAMES_OF_SERIES or set(record.players) != set(first):
                    yield from _series(series)
                    series = []
            players = series[0][0].players if series else record.players
            text = attempted(lambda r, p=players: "".join(_game_lines(r, p)), record, on_error)  # type: ignore[misc]
            if text is not None:
                series.append((record, text))
        if series:
            yield from _series(series)


def _folded(record: GameRecord, auction: tuple[Event, ...] | None, more: dict[str, Any]) -> GameRecord:
    """The record of a deal that was passed in or whose auction broke off."""
    passed = {} if more.get("broken") else {"passed": True}
    if passed:
        auction = auction or tuple(Event(seat, _BIDDING["pass"]) for seat in (1, 2, 0))
    before = (auction or ()) + tuple(read_event(text, SKAT, SEATS) for text in more.get("exchange", ()))
    return evolve(record, before=before, result=passed | more.get("result", {}))


def _played(
    record: GameRecord, numbers: Sequence[int], auction: tuple[Event, ...] | None, more: dict[str, Any]
) -> GameRecord:
    """The record of a game from its numbers."""
    contract, notes = _contract(numbers, auction), record.notes
    discard = _mask(numbers[51:53], "discards")
    played = exchanged(record.deal, contract.declarer, discard)
    if contract.hand and played != record.deal:
        raise fault("discards", "a hand game in which cards were put")
    plays, winners = _read_tricks(numbers[CARDS.stop :], contract.declarer)
    claims = (bool(numbers[12]), *numbers[14:16], bool(numbers[7]), bool(numbers[9]), winners)
    result = {key: claim for key, claim in zip(_CLAIMS, claims, strict=True) if key not in more.get("unclaimed", ())}
    for n, text in more.get("interruptions", ()):
        plays.insert(int(n), read_event(text, SKAT, SEATS))
    before: tuple[Event, ...] | None = None
    if auction is not None:
        before = (*auction, *exchange_events(contract, discard))
        if tuple(numbers[3:6]) != highest_bids(auction):
            raise fault("bids", f"{numbers[3:6]} are not those of the auction")
    elif max(numbers[3 + s] for s in range(SEATS) if s != contract.declarer) != UNKNOWN:
        notes = {**notes, "bids": numbers[3:6]}
    return evolve(
        record,
        before=before,
        contract=contract,
        played=None if played == record.deal else played,
        plays=tuple(plays),
        result=result | more.get("result", {}),
        notes=notes,
    )


def _is_game(row: str) -> bool:
    words = row.split()
    return len(words) >= CARDS.stop and all(re.fullmatch(r"-?\d+", word) for word in words[1:])


def _read_id(word: str) -> str:
    return word.replace("%20", " ").replace("%25", "%")


def _more(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        more = json.loads(text)
    except json.JSONDecodeError as error:
        raise wrong("More", f"not JSON: {error}") from error
    if not isinstance(more, dict):
        raise wrong("More", "not a JSON object")
    return more


def _mask(numbers: Sequence[int], field: str) -> int:
    for n in numbers:
        if not 0 <= n < len(SKAT):
            raise wrong(field, f"{n} is no card; cards are numbered 0 to {len(SKAT) - 1}")
    return PACK.mask(numbers, field)


def _contract(numbers: Sequence[int], auction: Sequence[Event] | None) -> SkatContract:
    code, declarer = numbers[1], numbers[2]
    if declarer not in range(SEATS):
        raise wrong("declarer", f"{declarer} is none of 0, 1, 2")
    bid = max(highest_bids(auction or ()), default=0) or max(numbers[3 + declarer], *numbers[3:6])
    if code in _NULL_NAMES:
        return SkatContract.declared(declarer, _NULL_NAMES[code], bid)
    if code not in _TRUMPS:
        raise wrong("game", f"{code} is no game; known: -1 to {max(CODES.values())}")
    flags = "".join(letter for letter, at in (("H", 6), ("S", 8), ("Z", 10), ("O", 11)) if numbers[at])
    return SkatContract.declared(declarer, _TRUMPS[code] + flags, bid)


def _read_tricks(numbers: Sequence[int], declarer: int) -> tuple[list[Event], list[int]]:
    plays: list[Event] = []
    winners: list[int] = []
    leader = 0
    for start in range(0, len(numbers), TRICK_FIELDS):
        trick = numbers[start : start + TRICK_FIELDS]
        cards = trick[:SEATS]
        _mask(cards, f"trick {len(winners) + 1}")
        plays += [PLAYED[(leader + k) % SEATS][c] for k, c in enumerate(cards)]
        if len(trick) < TRICK_FIELDS:
            if len(trick) >= SEATS:
                raise wrong(f"trick {len(winners) + 1}", "cut off: no winner or no eyes")
            break
        leader, eyes = trick[SEATS], trick[SEATS + 1]
        if leader not in range(SEATS):
            raise wrong(f"trick {len(winners) + 1}", f"winner {leader} is none of 0, 1, 2")
        if abs(eyes) != sum(EYES[c] for c in cards) or (eyes and (eyes > 0) != (leader == declarer)):
            raise fault(f"trick {len(winners) + 1}", f"its eyes are not {eyes}")
        winners.append(leader)
    return plays, winners


def _read_auction(text: str | None) -> tuple[Event, ...] | None:
    if text is None:
        return None
    events = []
    for part in text.split(","):
        words = part.split()
        if len(words) != 2 or words[0] not in ("0", "1", "2"):
            raise wrong("Auction", f"cannot read {part!r}")
        action = Action("bid", words[1]) if words[1].isdecimal() else _BIDDING.get(words[1])
        if action is None:
            raise wrong("Auction", f"cannot read {part!r}")
        events.append(Event(int(words[0]), action))
    return tuple(events)


# -- writing ----------------------------------------------------------------------------------------------------------


def _series(games: Sequence[tuple[GameRecord, str]]) -> Iterator[str]:
    """Header and games of one series. Seats of the header are numbered from 1, in the order of the first game."""
    records = [record for record, _ in games]
    first = records[0]
    if "DT" in first.notes:
        yield f"[Event: tricktake] [Date: {first.notes['DT']}]\n"
    else:
        yield "[Event: tricktake]\n"
    if first.players:
        yield " ".join(f"[Seat{s + 1}: {_header_name(name)}]" for s, name in enumerate(first.players)) + "\n"
    yield f"[Number of games: {len(records)}]\n"
    scores = _scores(records)
    if scores:
        yield "[Result: " + " ".join(f"Seat{s + 1}: {text}" for s, text in enumerate(scores)) + "]\n"
    yield "\n"
    yield from (text for _, text in games)
    yield "\n"


def _header_name(name: str) -> str:
    return " ".join(name.split())


def _scores(records: Sequence[GameRecord]) -> list[str]:
    """``score (won:lost)`` of each seat of the header; nothing if a record does not say what a game was worth."""
    players = records[0].players
    if len(set(players)) < SEATS:
        return []
    score, won, lost = dict.fromkeys(players, 0), dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    for record in records:
        contract = skat_contract(record)
        if contract is None:
            continue
        points = record.result.get("points")
        if points is None:
            return []
        value = points[contract.declarer]
        for seat, added in enumerate(seeger(contract.declarer, value)):
            score[record.players[seat]] += added
        if value:
            (won if value > 0 else lost)[record.players[contract.declarer]] += 1
    return [f"{score[name]} ({won[name]}:{lost[name]})" for name in players]


def _game_lines(record: GameRecord, players: tuple[str, ...]) -> Iterator[str]:
    contract = skat_contract(record)
    auction = auction_of(record)
    more = _extension(record, contract, players)
    if auction is not None and not (contract is None and record.result.get("passed")):
        said = (f"{e.seat} {e.action.value or e.action.verb}" for e in auction)
        if auction:
            yield f"[Auction: {', '.join(said)}]\n"
    if more:
        yield f"[More: {json.dumps(more, separators=(',', ':'))}]\n"
    ident = record.id.replace("%", "%25").replace(" ", "%20") or "0"
    yield " ".join([ident, *(str(int(n)) for n in _numbers(record, contract, auction))]) + "\n"


def _extension(record: GameRecord, contract: SkatContract | None, players: tuple[str, ...]) -> dict[str, Any]:
    """What has no field."""
    more: dict[str, Any] = {}
    if record.players != tuple(map(_header_name, players)):
        more["players"] = list(record.players)
    if record.board:
        more["board"] = record.board
    result = {k: v for k, v in record.result.items() if k not in _FIELDED or (k == "passed" and contract is not None)}
    if contract is None and not record.result.get("passed"):
        more["broken"] = True
        result = dict(record.result)
    if contract is None and record.before:
        other = [e for e in record.before if e.action.verb not in ("bid", "yes", "pass")]
        if other:
            more["exchange"] = [event_text(e, SKAT) for e in other]
    if contract is not None:
        unclaimed = [key for key in _CLAIMS if key not in record.result]
        if unclaimed:
            more["unclaimed"] = unclaimed
    if result:
        more["result"] = result
    notes = {k: v for k, v in record.notes.items() if k not in ("bids", "strength")}
    if notes:
        more["notes"] = notes
    interruptions = [[n, event_text(e, SKAT)] for n, e in enumerate(record.plays) if e.action.verb != "play"]
    if interruptions:
        more["interruptions"] = interruptions
    return more


def _numbers(record: GameRecord, contract: SkatContract | None, auction: Sequence[Event] | None) -> Iterator[int]:
    """The fields from the second on."""
    claims = record.result
    deal, played = record.deal, record.deal_at_play
    if contract is None:
        yield from (PASSED_CODE, UNKNOWN)
    else:
        yield from (contract.code, contract.declarer)
    if auction is not None:
        yield from highest_bids(auction)
    else:
        assert contract is not None
        own = [contract.bid if seat == contract.declarer else UNKNOWN for seat in range(SEATS)]
        yield from record.notes.get("bids", own)
    if contract is None:
        yield from (0,) * 7
        yield from (int(bool(claims.get("passed"))), 0, 0)
    else:
        computed = {} if set(_CLAIMS[:5]) <= set(claims) else by_rules(record)
        facts = {**computed, **claims}
        yield from (contract.hand, facts["schneider"], contract.schneider, facts["schwarz"], contract.schwarz)
        yield from (contract.ouvert, facts["won"], 0, facts["matadors"], facts["eyes"])
    yield from record.notes.get("strength", (UNKNOWN,) * SEATS)
    for seat in range(SEATS):
        yield from bits(deal.masks[seat])
    yield from bits(deal.masks[SKAT_PLACE])
    yield from bits(played.masks[SKAT_PLACE])
    if contract is not None:
        yield from _trick_numbers(record, contract)


def _trick_numbers(record: GameRecord, contract: SkatContract) -> Iterator[int]:
    played = record.deal_at_play
    state = TrickState(skat_rules(contract), played.hands)
    for event in record.plays:
        if event.action.verb != "play":
            continue
        (index,) = event.action.cards
        yield index
        trick = state.play_checked(index)
        if trick is not None:
            eyes = sum(EYES[c] for c in trick.cards)
            yield from (trick.winner, eyes if trick.winner == contract.declarer else -eyes)


assert LAYOUT.sizes == (10, 10, 10, 2)  # what the fields are made for

FORMAT = SeriesNotation()
