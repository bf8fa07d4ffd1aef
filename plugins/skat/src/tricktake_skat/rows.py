"""A game of Skat as one row of numbers: what features are functions of, and where rows come from.

Rows are made of game records in any format (``rows_of_records``), of self-play (``tricktake_skat.games``), and read
from files (``read_rows``): the papers' notation and XSkat's log by byte scanners, everything else through the formats.
A row never holds what the rules forbid: hands that are no deal, a card not held or not followed.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tricktake import batch
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.learning import Rows
from tricktake.records import scan
from tricktake.records.formats import OnError, RecordFault, warn
from tricktake.records.lines import Source
from tricktake.records.record import GameRecord
from tricktake.records.recording import Recording
from tricktake.records.scan import Scanner
from tricktake_skat._kernels import rows
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import GAMES as TRUMPS
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SEATS, SKAT_PLACE
from tricktake_skat.rules import skat_rules

RowArray = NDArray[np.void]

_FIELDS: dict[str, tuple[Any, str]] = {
    "id": (np.int64, "number of the game in its source; of XSkat's games seed << 32 | number"),
    "deal": ((np.int64, (4,)), "cards of forehand, middlehand, rearhand and skat as dealt (masks)"),
    "declarer": (np.int64, "0 forehand, 1 middlehand, 2 rearhand, -1 passed in"),
    "game": (np.int64, "0 to 3 clubs, spades, hearts, diamonds; 4 grand, 5 Null; -1 passed in"),
    "hand": (np.int64, "1 for a hand game"),
    "ouvert": (np.int64, "1 for a game played ouvert"),
    "announced": (np.int64, "0 nothing, 1 Schneider, 2 Schwarz"),
    "bid": (np.int64, "final bid"),
    "bids": ((np.int64, (3,)), "highest bid or hold of each seat, 0 none, -1 unknown"),
    "put": (np.int64, "the skat during the play (mask); as dealt in hand games"),
    "hands": ((np.int64, (3,)), "cards of the seats at the first trick (masks)"),
    "own": (np.int64, "the declarer's ten cards at the first trick (mask)"),
    "trumps": (np.int64, "all trumps of the game (mask)"),
    "matadors": (np.int64, "with (+) or without (-) so many"),
    "cards": ((np.int64, (30,)), "the cards in the order they were played, -1 where none was"),
    "winners": ((np.int64, (10,)), "seat that won each trick, -1 for a trick not played"),
    "eyes": (np.int64, "of the declarer with the skat; -1 unknown"),
    "tricks": (np.int64, "of the declarer, as far as the game was played"),
    "won": (np.int64, "1 if the declarer has won"),
    "value": (np.int64, "value of the game, twice and negative if lost by eyes and tricks; 0 if not played out"),
}

_MASKS = ("deal", "put", "hands", "own", "trumps")
_SMALL = ("declarer", "game", "hand", "ouvert", "announced", "matadors", "cards", "winners", "eyes", "tricks", "won")

_ALL = (0, (1 << 32) - 1)
_LIMITS = {
    **dict.fromkeys(_MASKS, _ALL),
    **dict.fromkeys(("hand", "ouvert", "won"), (0, 1)),
    "declarer": (-1, 2),
    "game": (-1, 5),
    "announced": (0, 2),
    "matadors": (-11, 11),
    "cards": (-1, 31),
    "winners": (-1, 2),
    "eyes": (-1, 120),
    "tricks": (0, 10),
}
_GIVEN, _FOLLOWING = ("deal", "declarer", "game", "hand", "put"), ("put", "hands", "own", "trumps", "matadors")

GAMES = Rows(
    "skat:games",
    fields=_FIELDS,
    game="skat",
    stored=dict.fromkeys(_MASKS, np.uint32) | dict.fromkeys(_SMALL, np.int8) | dict.fromkeys(("bid", "bids"), np.int16),
    limits=_LIMITS,
    given=(*_GIVEN, *_FOLLOWING),
    unlike="tricktake_skat.rows:unlike",
    from_records="tricktake_skat.rows:from_records",
    readers={"pgn": "tricktake_skat.rows:read_pgn", "xskat": "tricktake_skat.rows:read_xskat"},
    play="tricktake_skat.rows_play:play",
    open_card="tricktake_skat.rows_play:open_card",
)
"""A game of Skat. All numbers are int64, so that a feature is the same with and without compilation."""

DTYPE = GAMES.dtype
CHUNK = 1 << 15  # rows that are handed on at a time

_FAULTS = {
    rows.NO_DEAL: ("deal", "the cards are not 10, 10, 10 and 2"),
    rows.NO_EXCHANGE: ("skat", "what was put cannot have been"),
    rows.NOT_HELD: ("cards", "a card is played by a seat that does not hold it"),
    rows.NOT_FOLLOWED: ("cards", "a seat does not follow although it could"),
}


@cache
def game_rules() -> NDArray[np.int64]:
    """The rules of the six games for the loop of the core, cards as in the deck."""
    return batch.packed(tuple(skat_rules(SkatContract(0, trump)) for trump in TRUMPS), "deck")


# -- records ----------------------------------------------------------------------------------------------------------


def rows_of_records(
    records: Iterable[GameRecord], on_error: OnError | None = None, chunk: int = CHUNK, first: int = 0
) -> Iterator[RowArray]:
    """Rows of game records (``records.scan``); ids that are no numbers are counted from ``first`` instead."""
    return scan.rows_of_records(records, fill_row, np.zeros(chunk, DTYPE), on_error, first)


def from_records(records: Sequence[GameRecord]) -> RowArray:
    """The rows of some game records. Raises InputError for the first no row can be made of."""
    return np.concatenate([GAMES.empty(0), *rows_of_records(records)])


def fill_row(row: np.void, record: GameRecord, ordinal: int) -> None:
    """One row of a record. Raises InputError if it is no game of Skat or breaks the rules."""
    from tricktake_skat.formats.common import auction_of

    where, contract, result = record.source or record.id, record.contract, record.result
    if not record.game.startswith("skat"):
        raise InputError(where, None, "game", f"{record.game} is not Skat")
    if contract is None and not record.passed:
        raise InputError(where, None, "contract", "none is recorded, and the deal is not passed in")
    rows.clear(row)
    row["id"] = scan.number_of(record.id, ordinal)
    row["deal"] = record.deal.masks
    auction = auction_of(record)
    bids: Any = highest_bids(auction) if auction is not None else record.notes.get("bids")
    if contract is not None:
        if not isinstance(contract, SkatContract):
            raise InputError(where, None, "contract", f"{contract} is no Skat contract")
        set_contract(row, contract)
        row["put"] = record.deal_at_play.masks[SKAT_PLACE]
        if bids is None:
            bids = [contract.bid if seat == contract.declarer else -1 for seat in range(SEATS)]
        cards = [e.action.cards[0] for e in record.plays if e.action.verb == "play"]
        row["cards"][: len(cards)] = cards
        row["eyes"] = result.get("eyes", -1)
        won = result.get("won")
        row["won"] = won if isinstance(won, (bool, int)) else _won(record)
    if bids is not None:
        row["bids"] = bids
    fault = rows.complete(game_rules(), row)
    if fault != rows.SOUND:
        raise RecordFault(where, None, *_FAULTS[fault])
    claimed = list(result.get("winners", ()))
    winners = row["winners"][: len(claimed)].tolist()
    if contract is not None and winners != claimed:
        raise RecordFault(where, None, "winners", f"{claimed}, but by the rules {winners}")


def unlike(found: RowArray) -> tuple[int, str, str] | None:
    """The first row whose hands, trumps or matadors do not follow from deal, contract and discard (``Rows.unlike``)."""
    again = GAMES.empty(len(found))
    for name in _GIVEN:
        again[name] = found[name]
    half = (found["declarer"] < 0) != (found["game"] < 0)
    again["declarer"][half] = -1
    faults = [(int(half.argmax()), "game", "a declarer without a game, or a game without one")] if half.any() else []
    bad = rows.begin_all(again)
    if bad >= 0:
        faults.append((bad, *_FAULTS[rows.begin(again[bad])]))
    for name in _FOLLOWING:
        other = (found[name] != again[name]).reshape(len(found), -1).any(axis=1) & ~half
        if other.any():
            faults.append(
                (place := int(other.argmax()), name, f"{found[name][place]}, by the rules {again[name][place]}")
            )
    return min(faults, key=lambda fault: fault[0], default=None)


def set_contract(row: np.void, contract: SkatContract) -> None:
    """Write down what is played."""
    for name in ("declarer", "game", "hand", "ouvert", "announced", "bid"):
        row[name] = getattr(contract, name)


def contract_in(row: np.void) -> SkatContract | None:
    """What is played, None if the deal was passed in."""
    if row["declarer"] < 0:
        return None
    flags = (("H", row["hand"]), ("S", row["announced"]), ("Z", row["announced"] > 1), ("O", row["ouvert"]))
    name = TRUMPS[row["game"]] + "".join(letter for letter, on in flags if on)
    return SkatContract.declared(int(row["declarer"]), name, int(row["bid"]))


def _won(record: GameRecord) -> bool:
    """By the rules, for a record that does not say so."""
    return bool(Recording.of(find_game(record.game)).score(record).detail["won"])


# -- files ------------------------------------------------------------------------------------------------------------


def _scanner(form: str) -> Scanner | None:
    if form not in ("pgn", "xskat"):
        return None
    kernels = importlib.import_module(f"tricktake_skat._kernels.logscan_{form}")
    return partial(kernels.scan, packed=game_rules())


def read_rows(
    source: Source,
    format: str | None = None,  # noqa: A002
    on_error: OnError = warn,
    chunk: int = CHUNK,
) -> Iterator[RowArray]:
    """The games of a file as rows, ``chunk`` at a time; gzipped or not.

    source, format: as ``records.formats.read`` takes them. A record that cannot be read is given to ``on_error`` and
    left out. Raises InputError if there is nothing to read or its format is unknown.
    """
    return scan.read_rows(source, format, "skat", np.zeros(chunk, DTYPE), fill_row, _scanner, on_error)


def read_pgn(path: Path, on_error: OnError) -> Iterator[RowArray]:
    """``read_rows`` of a file in the papers' notation."""
    return read_rows(path, "pgn", on_error)


def read_xskat(path: Path, on_error: OnError) -> Iterator[RowArray]:
    """``read_rows`` of a log of XSkat."""
    return read_rows(path, "xskat", on_error)
