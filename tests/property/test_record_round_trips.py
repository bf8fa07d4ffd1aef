"""Random games, given up at random, through every format and back, and verified."""

from __future__ import annotations

import contextlib
import random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tricktake.action import Action
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.records.formats import get_format, get_game
from tricktake.records.record import GameRecord, record_of
from tricktake.records.verify import AGREE, compare
from tricktake.table import Table

ISS_LOSES = {"value", "level", "contract", "declarer", "bid", "seeger", "passed"}  # no word for it


def skat() -> Game:
    game = get_game("skat")
    assert game is not None
    return game


def random_record(seed: int, eager: float, patience: float) -> GameRecord:
    """eager: how often a bidder goes on. patience: how often a seat goes on playing rather than give up."""
    rng = random.Random(seed)
    table = Table.start(skat(), deal(skat().layout, seed, 0), board=seed % 5)
    while table.turn is not None:
        legal = table.legal()
        assert table.phase is not None
        if table.phase.name == "auction":
            table.apply(rng.choice(legal[:3]) if rng.random() < eager else legal[-1])
        elif table.phase.name == "tricks" and rng.random() > patience:
            seat = rng.randrange(3)
            concede = [a for a in table.phase.interruptions(seat) if a == Action("concede")]
            table.apply(*(concede[0], seat) if concede else (rng.choice(legal),))
        else:
            table.apply(rng.choice(legal))
    return record_of(table, f"{seed} %", ("Ada", "Bob", "Łukasz ]"))


GAMES = given(st.integers(0, 2**40), st.sampled_from([0.3, 0.6, 0.8]), st.sampled_from([0.9, 0.98, 1.0]))


@GAMES
@settings(max_examples=60)
@pytest.mark.parametrize("form", ["jsonl", "pgn"])
def test_nothing_is_lost(form: str, seed: int, eager: float, patience: float) -> None:
    record = random_record(seed, eager, patience)
    assert compare(skat(), record).status == AGREE
    (again,) = get_format(form).loads(get_format(form).dumps([record]))
    same(again, record)
    assert again.result == record.result
    assert again.board == record.board
    assert compare(skat(), again).status == AGREE


@GAMES
@settings(max_examples=60)
def test_the_server_s_notation_loses_only_what_follows_from_the_rest(seed: int, eager: float, patience: float) -> None:
    record = random_record(seed, eager, patience)
    (again,) = get_format("iss").loads(get_format("iss").dumps([record]))
    same(again, record)
    for key, claimed in again.result.items():
        assert record.result.get(key, False) == claimed
    if record.contract is not None:
        assert {*record.result} - {*again.result} <= ISS_LOSES
    assert compare(skat(), again).status == AGREE


@GAMES
@settings(max_examples=60)
def test_xskat_s_log_loses_the_auction(seed: int, eager: float, patience: float) -> None:
    record = random_record(seed, eager, patience)
    (again,) = get_format("xskat").loads(get_format("xskat").dumps([record]))
    assert (again.deal, again.contract, again.played) == (record.deal, record.contract, record.played)
    assert again.plays == tuple(e for e in record.plays if e.action.verb == "play")
    assert again.before is None or record.contract is None
    assert compare(skat(), again).status == AGREE


@given(st.integers(0, 2**40), st.data())
@settings(max_examples=60)
def test_no_change_of_one_claim_goes_unnoticed(seed: int, data: st.DataObject) -> None:
    record = random_record(seed, 0.8, 0.98)
    key = data.draw(st.sampled_from([k for k in ("won", "points", "eyes", "tricks", "level") if k in record.result]))
    claim = record.result[key]
    false = not claim if isinstance(claim, bool) else [x + 1 for x in claim] if key == "points" else claim + 1
    comparison = compare(skat(), evolve(record, result={**record.result, key: false}))
    assert comparison.status == "differ"
    assert key in comparison.reason


@given(st.text(max_size=300), st.sampled_from(["jsonl", "pgn", "iss", "xskat"]))
@settings(max_examples=150)
def test_no_text_makes_a_reader_fail_but_by_an_input_error(text: str, form: str) -> None:
    with contextlib.suppress(InputError):
        get_format(form).loads(text)


@given(st.sampled_from(["jsonl", "pgn", "iss", "xskat"]), st.data())
@settings(max_examples=150)
def test_no_damage_makes_a_reader_fail_but_by_an_input_error(form: str, data: st.DataObject) -> None:
    text = get_format(form).dumps([random_record(data.draw(st.integers(0, 20)), 0.8, 0.98)])
    at = data.draw(st.integers(0, len(text)))
    gone = data.draw(st.integers(0, 5))
    damaged = text[:at] + data.draw(st.text(alphabet='0129 -.|[]{}",:=_XsSCAH\n?', max_size=5)) + text[at + gone :]
    with contextlib.suppress(InputError):
        for record in get_format(form).loads(damaged):
            compare(skat(), record)


def same(again: GameRecord, record: GameRecord) -> None:
    for name in ("game", "id", "deal", "players", "before", "contract", "played", "plays"):
        assert getattr(again, name) == getattr(record, name), name
