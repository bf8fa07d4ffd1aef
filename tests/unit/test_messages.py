"""Games, views and actions as JSON: nothing is lost, nothing is added, and nothing malformed is taken."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import Game, Score, find_game
from tricktake.messages import (
    MAX_LINE,
    Naming,
    Node,
    game_from_json,
    game_to_json,
    limit_from_json,
    limit_to_json,
    line,
    parse,
    score_from_json,
    score_to_json,
    view_from_json,
    view_to_json,
)
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.standings import Standings
from tricktake.table import Table
from tricktake.view import View

SEED = 18


def views(game: Game, number: int) -> Iterator[View]:
    """The views of a game by lot, of one seat after each action."""
    rng = np.random.default_rng([SEED, number])
    table = Table.start(game, deal(game.layout, SEED, number), number % game.boards)
    while True:
        yield table.view(len(table.events) % table.seats if rng.random() < 0.5 or table.over else table.actor or 0)
        if table.over:
            return
        legal = table.legal()
        table.apply(legal[int(rng.integers(len(legal)))])


@pytest.mark.parametrize("name", manager().games.names())
def test_messages_say_all(name: str) -> None:
    game = find_game(name)
    assert game_from_json(parse(line(game_to_json(game)))) is game
    for view in views(game, 3):
        sent = line(view_to_json(view))
        assert sent.count(b"\n") == 1
        read = view_from_json(parse(sent), game)
        assert read == view
        assert line(view_to_json(read)) == sent
        for action in (*view.legal[:20], *view.interruptions):
            for form in (naming(view).action(action), action.to_text(game.layout.deck)):
                assert naming(view).read_action(Node(form)) == action


def naming(view: View) -> Naming:
    return Naming(view.layout)


def test_standings_come_along() -> None:
    game = find_game("skat")
    table = Table.start(game, deal(game.layout, SEED, 0), standings=Standings((120, -15.5, 0), 3))
    for seat in range(3):
        view = table.view(seat)
        assert view.standings == Standings((120, -15.5, 0), 3)
        assert view_from_json(parse(line(view_to_json(view))), game) == view
    said = view_to_json(table.view(0))
    said["standings"]["left"] = 0
    with pytest.raises(InputError, match=r"^standings\.left: must be from 1"):
        view_from_json(Node(said), game)


def test_options_of_a_game_come_along() -> None:
    game = find_game("oh_hell(players=5)")
    sent = game_to_json(game)
    assert sent["seats"] == 5
    assert game_from_json(Node(sent)) is game
    other = copy.deepcopy(sent)
    other["places"][0] |= {"cards": 1, "at_play": 1}
    with pytest.raises(InputError, match=r"^places: this is not the oh_hell"):
        game_from_json(Node(other))
    with pytest.raises(InputError, match=r"^spec: unknown game 'oh_hello'; did you mean"):
        game_from_json(Node(sent | {"spec": "oh_hello"}))


def test_a_view_in_words() -> None:
    """What docs/engine-protocol.md promises of the names, on a hand that shows them."""
    game = find_game("skat")
    table = Table.start(game, deal(game.layout, 1, 0), 0)
    while table.tricks is None:
        table.apply(table.legal()[-1 if table.phase and table.phase.name == "pickup" else 0])
    table.apply(table.legal()[0])
    said = view_to_json(table.view(table.actor or 0))
    text = json.dumps(said)
    assert said["contract"]["text"] in text
    assert said["rules"]["cost"]["CA"] == 11
    assert len(said["hand"]) == 10
    assert said["hand"] == said["known"][str(said["seat"])]
    assert said["legal"][0]["text"] == f"play {said['legal'][0]['cards'][0]}"
    biggest = max(abs(n) for n in numbers(said))
    assert biggest < 1000, "a number of bits"


def numbers(value: Any) -> Iterator[float]:
    """All numbers of a piece of JSON."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from numbers(entry)
    elif isinstance(value, (int, float)):
        yield value


def test_equal_views_are_equal_bytes_whatever_the_deal() -> None:
    """Messages are made of views alone: two deals that a seat cannot tell apart give it the same bytes."""
    game = find_game("skat")
    cards = deal(game.layout, SEED, 1)
    a, b = cards.masks[1], cards.masks[2]
    other = type(cards)(game.layout, (cards.masks[0], b, a, cards.masks[3]))
    tables = [Table.start(game, each, 0) for each in (cards, other)]
    sent = [line(view_to_json(table.view(0))) for table in tables]
    assert sent[0] == sent[1]
    assert line(view_to_json(tables[0].view(1))) != line(view_to_json(tables[1].view(1)))


def test_limits_and_scores() -> None:
    for limit in (Limit(), Limit(seconds=0.5), Limit(nodes=3, worlds=7)):
        assert limit_from_json(parse(line(limit_to_json(limit)))) == limit
    score = Score((1, -2, 3), True, 61, {"bid": 18, "who": (1, 2)})
    read = score_from_json(parse(line(score_to_json(score))))
    assert (read.points, read.won, read.value) == (score.points, score.won, score.value)
    assert read.detail == {"bid": 18, "who": [1, 2]}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "message: is no JSON"),
        (b"[]", "message: must be a JSON object, not a list"),
        (b"nonsense", "message: is no JSON"),
        (b"\xff\xfe{}", "message: is no JSON"),
        (b"[" * 100_000, "message: is no JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "message: is no JSON"),
        (b"x" * (MAX_LINE + 1), "bytes, more than"),
    ],
)
def test_a_line_that_is_no_message(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse(data)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("known", "0", 0), "XX", r"^known\.0\[0\]: no card 'XX'"),
        (("known", "0", 0), None, r"^known\.0\[0\]: must be text, not null"),
        (("known", "1"), ["CJ", "CJ"], r"^known\.1\[1\]: this card is there twice"),
        (("seat",), 7, r"^seat: must be from 0 to 2, not 7"),
        (("seat",), True, r"^seat: must be a whole number, not true or false"),
        (("seat",), 0.0, r"^seat: must be a whole number"),
        (("version",), 2, r"^version: must be from 1 to 1"),
        (("game",), "bridge", r"^game: is 'bridge', but the game is skat"),
        (("legal", 0, "verb"), "x" * 500, r"^legal\[0\]\.verb: has 500 characters"),
        (("phase",), "\ud800", "^phase: is no valid Unicode"),
        (("rules", "suit", "CJ"), 99, "^rules: play suits are numbered"),
        (("rules", "ties"), "never", "^rules.ties: must be one of first, last"),
        (("contract", "text"), "nonsense", "^contract.text: "),
        (("taken",), [0], "^taken: has 1 entries, not 3"),
        (("events",), [1] * 5000, "^events: has more than 4096 entries"),
        (("promised",), {}, "^promised: must be a list, not an object"),
    ],
)
def test_a_wrong_field_is_named(path: tuple[Any, ...], value: Any, reason: str) -> None:
    said = skat_at_play()
    place = said
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(InputError, match=reason):
        view_from_json(Node(said), find_game("skat"))


@functools.cache
def at_play() -> str:
    game = find_game("skat")
    return json.dumps(next(view_to_json(view) for view in views(game, 5) if view.rules is not None and view.seat == 0))


def skat_at_play() -> dict[str, Any]:
    """What a seat is sent when the first trick has begun."""
    return json.loads(at_play())


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
def test_junk_in_a_view_is_an_error_and_nothing_else(data: st.DataObject) -> None:
    said = skat_at_play()
    place: Any = said
    while True:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    if data.draw(st.booleans()) and isinstance(place, dict):
        del place[key]
    else:
        place[key] = data.draw(JUNK)
    assert refused_at(lambda: view_from_json(Node(said), find_game("skat"))) != ""


@given(JUNK)
def test_junk_is_no_action(junk: Any) -> None:
    names = Naming(find_game("skat").layout)
    assert (refused_at(lambda: names.read_action(Node(junk, "action"))) or "action").startswith("action")


def refused_at(read: Callable[[], object]) -> str | None:
    """The field an InputError names; None if there is none. Any other error is a failure."""
    try:
        read()
    except InputError as error:
        return error.field
    return None
