"""Tables against dictionaries: learning, asking, merging, printing and storing."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive_learning import naive_learn, naive_look_up, naive_merge
from tricktake.learning import LearnedTable, Question, Rows, feature, learn, merge
from tricktake.learning.tabletext import print_learned, read_learned

pytestmark = pytest.mark.kernel

NUMBERS = Rows("tests:numbers", {"a": (np.int64, "0 to 4"), "b": (np.int32, "0 to 6"), "won": (np.bool_, "won")})


@feature(domain=5)
def first(game):
    return game.a


@feature(domain=7)
def second(game):
    return game.b


@feature(domain=2)
def larger(game):
    return game.a > game.b


QUESTIONS = [
    Question(
        "numbers",
        NUMBERS,
        (first, second, larger),
        won=lambda game: game.won,
        excluded=lambda game: game.a == 4,
        layers={"all": "all", "two": ("larger", "first"), "one": ("first",)},
        packing=packing,
        confidence=3,
    )
    for packing in ("mixed-radix", "bit-packed")
]
COLUMNS = ((0, 1, 2), (0, 2), (0,))
GAMES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.booleans()), max_size=40)


def rows_of(games) -> np.ndarray:
    return np.array(games, NUMBERS.dtype)


def naive(games, columns) -> dict:
    features = [QUESTIONS[0].features[c] for c in columns]
    spaces = [SimpleNamespace(a=a, b=b, won=won) for a, b, won in games]
    return naive_learn(spaces, features, lambda g: g.a == 4, lambda g: g.won)


def as_dicts(table: LearnedTable) -> list[dict]:
    out: list[dict] = [{} for _ in table.form.layers]
    names = [name for name, _ in table.form.layers]
    for layer, vector, won, games in table:
        out[names.index(layer)][vector] = [won, games]
    return out


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.packing)
@given(GAMES)
def test_learning_is_counting(question, games) -> None:
    table = learn(question, rows_of(games))
    assert as_dicts(table) == [naive(games, columns) for columns in COLUMNS]
    assert table.games == sum(a != 4 for a, _, _ in games)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.packing)
@given(GAMES, st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 1)), st.integers(1, 6))
def test_asking_falls_back_through_the_layers(question, games, vector, confidence) -> None:
    table = learn(question, rows_of(games))
    table = evolve(table, form=evolve(table.form, confidence=confidence))
    expected = naive_look_up([(c, naive(games, c)) for c in COLUMNS], vector, confidence)
    answer = table.look_up(vector)
    (chance,) = table.probabilities([vector]).tolist()
    if expected is None:
        assert (answer.layer, answer.probability, chance) == ("", None, -1.0)
    else:
        number, (won, count) = expected
        assert (answer.layer, answer.won, answer.games) == (table.form.layers[number][0], won, count)
        assert answer.probability == chance == won / count


@given(GAMES, GAMES, GAMES)
def test_merging_is_commutative_and_associative(one, two, three) -> None:
    a, b, c = (learn(QUESTIONS[0], rows_of(games)) for games in (one, two, three))
    assert merge([a, b]) == merge([b, a])
    assert merge([merge([a, b]), c]) == merge([a, merge([b, c])]) == merge([c, a, b])
    whole = learn(QUESTIONS[0], rows_of([*one, *two, *three]))
    assert merge([a, b, c]).layers == whole.layers
    assert as_dicts(merge([a, b]))[0] == naive_merge([naive(one, COLUMNS[0]), naive(two, COLUMNS[0])])


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.packing)
@given(GAMES)
def test_reader_of_printer_is_the_table(question, games) -> None:
    table = learn(question, rows_of(games))
    text = io.StringIO()
    print_learned(table, text)
    assert read_learned(io.StringIO(text.getvalue()), question) == table
    lines = [line.split() for line in text.getvalue().splitlines()[3:]]
    vectors = [tuple(map(int, words[:3])) for words in lines[: len(table.layers[0])]]
    assert vectors == sorted(vectors)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.packing)
@settings(max_examples=30)
@given(GAMES)
def test_a_file_gives_the_table_back(question, tmp_path_factory, games) -> None:
    file: Path = tmp_path_factory.mktemp("tables") / "a.table"
    table = learn(question, rows_of(games))
    table.save(file)
    before = file.read_bytes()
    assert LearnedTable.load(file, question) == table
    LearnedTable.load(file).save(file)
    assert file.read_bytes() == before


@given(GAMES, st.sampled_from([0.25, 0.5, 2, 3]))
def test_weights_scale_counts(games, weight) -> None:
    table = learn(QUESTIONS[0], rows_of(games))
    scaled = as_dicts(table.scaled(weight))[0]
    for vector, (won, count) in naive(games, COLUMNS[0]).items():
        expected = [round(won * weight), round(count * weight)]
        assert scaled.get(vector, [0, 0])[1] == expected[1]
        if expected[1]:
            assert scaled[vector] == expected
