"""Kermit's features, their tables and the evaluation, against twins that go by the names of cards."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_kermit import features, learn
from tricktake_kermit._kernels import index, tally
from tricktake_kermit.evaluation import Evaluation, Model, evaluation, load, null_tables
from tricktake_kermit.features import Kind
from tricktake_skat.deck import SKAT, eyes
from tricktake_skat.games import play_games
from tricktake_skat.kernels import CONFIG

from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.learning.glem import Glem, TableFeature

JACKS = ("JD", "JH", "JS", "JC")  # bits 7 to 10
seeds = st.integers(0, 10_000)


def dealt(seed: int) -> tuple[int, int, list[str], list[str]]:
    """Ten cards and two, as masks and by name."""
    drawn = random.Random(seed).sample(range(32), 12)
    names = [f"{card.rank}{card.suit}" for card in SKAT]
    own, put = sum(1 << c for c in drawn[:10]), sum(1 << c for c in drawn[10:])
    return own, put, [names[c] for c in drawn[:10]], [names[c] for c in drawn[10:]]


# -- twins ------------------------------------------------------------------------------------------------------------


def naive_side(held: list[str], suit: str) -> int:
    return sum(1 << "789QKTA".index(card[0]) for card in held if card[1] == suit and card[0] != "J")


def naive_trumps(held: list[str], suit: str) -> int:
    return naive_side(held, suit) + sum(1 << 7 + JACKS.index(card) for card in held if card in JACKS)


def is_trump(card: str, game: str) -> bool:
    return card[0] == "J" or card[1] == game


def naive_context(own: list[str], put: list[str], game: str, seat: int) -> int:
    if game == "G":
        return sum(1 << JACKS.index(card) for card in own if card in JACKS) + 16 * (seat == 0)
    return int(sum(is_trump(card, game) for card in own + put) > 5)


def naive_targets(own: list[str], put: list[str], game: str) -> int:
    there = [rank + suit for rank in "AT" for suit in "CSHD" if suit != game]
    return min(4 if game == "G" else 3, sum(card not in own + put for card in there))


def naive_vulnerable(own: list[str], put: list[str], game: str) -> int:
    found = 0
    for suit in "CSHD".replace(game, ""):
        out = 7 - sum(card[1] == suit and card[0] != "J" for card in own + put)
        rounds = [rank + suit for rank in "AT" if rank + suit in own]
        for number, card in enumerate(rounds, 1):
            found += (card[0] == "T" and number == 1) or out <= 2 * number
    return min(4 if game == "G" else 2, found)


def naive_cells(
    own: list[str], put: list[str], game: str, seat: int
) -> tuple[dict[str, tuple[int, ...]], tuple[int, ...]]:
    """Indices of side suits, and of the trumps."""
    context = naive_context(own, put, game, seat)
    sides = {s: (context, naive_side(put, s), naive_side(own, s)) for s in "CSHD" if s != game}
    first = context if game == "G" else naive_trumps(own, game)
    return sides, (first, naive_targets(own, put, game), naive_vulnerable(own, put, game))


# -- features ---------------------------------------------------------------------------------------------------------


@pytest.mark.kernel
def test_the_printed_indices() -> None:
    """KERMIT-5: clubs of 7, 8, jack, and jack and ace of hearts."""
    held = sum(1 << i for i in (0, 1, 7, 23, 22))
    assert index.side_index(held, 0) == 3
    assert index.trump_index(held, 0) == 1283


def test_the_printed_sizes() -> None:
    """KERMIT-8; a card is held, discarded or neither, so that 3^7 pairs of sets can be met in each context."""
    sizes = [math.prod(n for _, n in axes("suit")) for axes in (features.side_axes, features.trump_axes)]
    assert sizes == [32_768, 24_576]
    met, _ = features.side_design("suit")
    assert len(met) < 2 * 3**7 == 4374
    assert math.prod(n for _, n in features.trump_axes("grand")) == 32 * 5 * 5


@pytest.mark.kernel
@given(seeds, st.sampled_from("CSHDG"), st.integers(0, 2))
def test_cells_are_those_of_the_twin(seed: int, game: str, seat: int) -> None:
    own, put, held, away = dealt(seed)
    kind: Kind = "grand" if game == "G" else "suit"
    sides, trumps = naive_cells(held, away, game, seat)
    found, trump = features.cells(np.array([["CSHDG".index(game), own, put, seat]]))
    side_shape, trump_shape = (tuple(n for _, n in axes(kind)) for axes in (features.side_axes, features.trump_axes))
    for number, suit in enumerate("CSHD"):
        wanted = np.ravel_multi_index(sides[suit], side_shape) if suit in sides else -1
        assert found[0, number] == wanted
    assert trump[0] == np.ravel_multi_index(trumps, trump_shape)


@pytest.mark.kernel
@pytest.mark.parametrize(("led", "everyone"), [(False, False), (True, False), (True, True)])
def test_tricks_are_credited_as_by_the_twin(led: bool, everyone: bool) -> None:
    """KERMIT-10, on the games of three rule players."""
    rows = play_games(5, 0, 60).rows
    how = learn.Filling(led, everyone)
    names = [f"{card.rank}{card.suit}" for card in SKAT]
    for kind in features.KINDS:
        seen = learn.see(rows, kind, how)
        games = {"side": {}, "trump": {}}  # type: ignore[var-annotated]
        for row in rows:
            if row["declarer"] < 0 or (row["game"] == 4) != (kind == "grand") or row["game"] > 4:
                continue
            game = "CSHDG"[row["game"]]
            for seat in range(3) if everyone else [row["declarer"]]:
                mine = seat == row["declarer"]
                own = [names[c] for c in bits(int(row["own"] if mine else row["hands"][seat]))]
                put = [names[c] for c in bits(int(row["put"]))] if mine else []
                sides, trumps = naive_cells(own, put, game, seat)
                tricks = [
                    (
                        [names[c] for c in row["cards"][3 * t : 3 * t + 3]],
                        (row["winners"][t] == row["declarer"]) == mine,
                    )
                    for t in range(10)
                ]
                for suit, cell in sides.items():
                    of = lambda card, suit=suit: card[1] == suit and card[0] != "J"  # noqa: E731
                    games["side"].setdefault(cell, []).append(naive_outcome(tricks, put, of, led))
                games["trump"].setdefault(trumps, []).append(
                    naive_outcome(tricks, put, lambda card, game=game: is_trump(card, game), led)
                )
        for name, found, axes in (
            ("side", seen.sides, features.side_axes),
            ("trump", seen.trumps, features.trump_axes),
        ):
            shape = tuple(n for _, n in axes(kind))
            assert found.games.sum() == sum(map(len, games[name].values()))
            for cell, each in games[name].items():
                at = np.ravel_multi_index(cell, shape)
                assert found.games[at] == len(each)
                assert found.sums[at].tolist() == np.sum(each, axis=0).tolist()


def naive_outcome(
    tricks: list[tuple[list[str], bool]], put: list[str], of: Callable[[str], bool], led: bool
) -> list[int]:
    """Eyes, tricks and high cards, won and lost."""
    found = [0] * tally.OUTCOMES
    for cards, won in tricks:
        if of(cards[0]) if led else any(map(of, cards)):
            lost = int(not won)
            found[lost] += eyes_of(cards)
            found[2 + lost] += 1
            found[4 + lost] += sum(card[0] in "AT" for card in cards)
    found[0] += eyes_of([card for card in put if of(card)])
    found[4] += sum(card[0] in "AT" for card in put if of(card))
    return found


def eyes_of(cards: list[str]) -> int:
    return sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0) for card in cards)


def test_the_printed_trick() -> None:
    """King and queen of hearts, the queen played into A Q 7, won by an opponent: 14 points, a trick, a high card."""
    tricks = [(["AH", "QH", "7H"], False)]
    credited = np.array([naive_outcome(tricks, [], lambda card: card[1] == "H", led=False)], np.float64)
    assert credited.tolist() == [[0, 14, 0, 1, 0, 1]]
    assert features.outcomes(credited).tolist() == [[-14, -2]]
    assert features.outcomes(credited, "link").tolist() == [[-14, -1]]


# -- the evaluation ---------------------------------------------------------------------------------------------------


def random_model(seed: int, constant: float = 0.3) -> Model:
    rng = np.random.default_rng(seed)

    def glem(kind: Kind) -> Glem:
        axes = (features.side_axes(kind),) * 2 + (features.trump_axes(kind),) * 2
        tables = [rng.normal(0, 1, math.prod(n for _, n in each)) for each in axes]
        made = tuple(TableFeature(n, a, t) for n, a, t in zip(features.NAMES, axes, tables, strict=True))
        return Glem(made, (0.4, -0.3, 0.2, 0.5), constant)

    return Model(glem("suit"), glem("grand"), rng.random((4, 2, 3, 256)))


MODEL = random_model(1)
EVALUATION = Evaluation.of([MODEL])


@pytest.mark.kernel
@given(seeds, st.sampled_from("CSHDG"), st.integers(0, 2))
@settings(max_examples=30)
def test_the_evaluation_is_the_formula(seed: int, game: str, seat: int) -> None:
    """KERMIT-4 and 7, written out; with the sign of KERMIT-1."""
    own, put, held, away = dealt(seed)
    model, kind = (MODEL.grand, "grand") if game == "G" else (MODEL.suit, "suit")
    sides, trumps = naive_cells(held, away, game, seat)
    tables = {f.name: f.values.reshape(f.shape) for f in model.features}
    found = [sum(tables[name][cell] for cell in sides.values()) for name in features.SIDE]
    found += [tables[name][trumps] for name in features.TRUMP]
    wanted = 1 / (1 + math.exp(-(model.constant + sum(w * f for w, f in zip(model.weights, found, strict=True)))))
    assert EVALUATION.chance(own, put, game, seat=seat) == pytest.approx(wanted, abs=1e-5)
    position = np.array([["CSHDG".index(game), own, put, seat]])
    assert learn.said(model, position)[0] == pytest.approx(wanted)
    assert kind == features.KINDS[game == "G"]


@pytest.mark.kernel
@given(seeds, st.integers(0, 1), st.integers(0, 2))
@settings(max_examples=20)
def test_a_null_is_the_product_of_its_suits(seed: int, ouvert: int, seat: int) -> None:
    own, put, _, _ = dealt(seed)
    wanted = 1.0
    for suit in range(4):
        table = MODEL.nulls[2 * ouvert, int(seat == 0), (put >> 8 * suit & 255).bit_count()]
        wanted *= table[own >> 8 * suit & 255]
    assert EVALUATION.chance(own, put, ("N", "NO")[ouvert], seat=seat) == pytest.approx(wanted)


def test_nulls_are_those_of_the_plugin_that_knows_them() -> None:
    """789 of a suit never lose; CONFIG turns the deck's order of a suit into that of a Null."""
    pytest.importorskip("tricktake_null_tables")
    nulls = null_tables()
    assert nulls.shape == (4, 2, 3, len(CONFIG))
    assert nulls[0, 1, 0, 0b111] > 0.9
    assert nulls[0, 1, 0, 0b111] > nulls[0, 1, 0, 0b1100000]


def test_what_is_learned_knows_strong_hands() -> None:
    """From few games of rule players: all jacks and long clubs beat nothing at all; and equal games, equal model."""
    rows = play_games(11, 0, 3000).rows
    one, two = (learn.learn([rows], "suit") for _ in range(2))
    assert one.weights == two.weights
    assert all(np.array_equal(a.values, b.values) for a, b in zip(one.features, two.features, strict=True))
    strong = sum(1 << i for i in (7, 15, 23, 31, 6, 5, 4, 3, 14, 13))
    weak = sum(1 << i for i in (0, 1, 2, 3, 8, 9, 16, 17, 24, 25))
    put = 1 << 10 | 1 << 11
    chances = learn.said(one, np.array([[0, strong, put, 0], [0, weak, put, 0]]))
    assert chances[0] > 0.9 > 0.6 > chances[1]
    seen = learn.see(rows, "suit", learn.Filling())
    whole = learn.fitted_tables(one, seen)
    losses = [np.square(learn.said(m, seen.positions) - seen.won).mean() for m in (one, whole)]
    by_kernel = Evaluation.of([Model(whole, MODEL.grand, MODEL.nulls)]).chance(strong, put, "C", seat=0)
    assert by_kernel == pytest.approx(learn.said(whole, np.array([[0, strong, put, 0]]))[0], abs=1e-5)
    assert losses[1] < losses[0] < seen.won.mean() * (1 - seen.won.mean())
    with pytest.raises(ValueError, match="grand"):
        learn.learn([rows[:0]], "grand")


def test_the_model_that_ships() -> None:
    """Its chances of a sure grand and of a hopeless one; wrong arguments are named."""
    found = evaluation()
    sure = sum(1 << i for i in (7, 15, 23, 31, 6, 5, 14, 13, 22, 30))
    put = 1 << 0 | 1 << 8
    assert eyes(sure) == 72
    assert found.chance(sure, put, "G", seat=0) > 0.97
    assert found.chance(sum(1 << i for i in (0, 1, 2, 3, 4, 9, 10, 11, 16, 17)), put & ~1 | 1 << 18, "G", seat=2) < 0.2
    for arguments in ((sure, put, "X"), (sure, 1, "G"), (sure, 1 << 7 | 1, "G")):
        with pytest.raises(ValueError, match=r"no game|are not"):
            found.chance(*arguments, seat=0)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none"):
        load(str(tmp_path / "none.glem"))
