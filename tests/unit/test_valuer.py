"""The bidder for any game: its worlds lead to what it sees, and its choices are those that score."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tournaments import PLUGINS
from tests.toygame import DECK, ToyGame
from tricktake.action import Action
from tricktake.deal import Deal, deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.strategies.valuer import Quiet, Trial, Valuer, _left, simple_player
from tricktake.table import Table

WEAK, STRONG = "R1 R2 G1 G2 B1", "R5 R4 R3 G5 B5"


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", PLUGINS)


def toy(hand: str) -> Table:
    """A table of the toy game whose first seat holds this hand; the rest lies in the order of the deck."""
    game = find_game("toy")
    own = DECK.parse_mask(hand)
    rest = [card.index for card in DECK if not own >> card.index & 1]
    others = [sum(1 << card for card in rest[start::2]) for start in (0, 1)]
    return Table.start(game, Deal(game.layout, (own, *others)))


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("hand", "wanted"), [(STRONG, Action("name", "R")), (WEAK, Action("pass"))])
def test_it_bids_what_scores(hand: str, wanted: Action) -> None:
    view = toy(hand).view(0)
    found = Valuer(others="core:random").decide(view, Limit(), np.random.default_rng(1))
    assert found.action == wanted
    assert "toy points" in found.reason
    again = Valuer(others="core:random").decide(view, Limit(), np.random.default_rng(1))
    assert again == found


@pytest.mark.usefixtures("toys")
def test_the_scores_are_those_of_the_game() -> None:
    """A hand that takes at least two tricks whatever is played wins three points as declarer; a pass scores 0 if all
    pass.
    """
    table = toy(STRONG)
    trial = Trial(ToyGame(), table.view(0), Quiet(), None)
    deals = trial.deals(4, np.random.default_rng(2))
    tried = [(d, action) for action in (Action("name", "R"), Action("pass")) for d in deals]
    assert trial.scores(tried, np.random.default_rng(3)).tolist() == [3.0] * 4 + [0.0] * 4


@pytest.mark.parametrize(("spec", "steps"), [("oh_hell(players=3)", 2), ("hearts", 2), ("schafkopf", 3), ("skat", 40)])
def test_every_world_leads_to_what_the_seat_sees(spec: str, steps: int) -> None:
    """Bids, cards that were passed face down, and a talon taken up: in all of them the seat would see the same."""
    game = find_game(spec)
    bidder = Player.from_spec("bid=skat:rule,exchange=skat:rule,play=core:random") if spec == "skat" else None
    others = bidder or simple_player(game)
    rng = np.random.default_rng(4)
    seen = 0
    for number in range(6):
        table = Table.start(game, deal(game.layout, 11, number))
        for _ in range(steps):
            if table.over or table.tricks is not None or table.actor is None:
                break
            view = table.view(table.actor)
            if spec != "skat" or view.picked_up:
                trial = Trial(game, view, others, None)
                for found in trial.deals(3, rng):
                    again = trial._table(found)
                    assert again is not None
                    assert again.view(view.seat).hand_mask == view.hand_mask
                    assert again.legal() == list(view.legal) or again.view(view.seat).legal == view.legal
                    assert again.view(view.seat).known == view.known
                seen += 1
            table.apply(others.decide(view, Limit(), rng).action)
    assert seen


def test_three_of_thirteen_cards() -> None:
    """Of 286 choices it tries few: the queen of spades alone goes, and so does what the rule player fears."""
    game = find_game("hearts")
    table = Table.start(game, deal(game.layout, 5, 3))
    view = table.view(0)
    valuer = Valuer(worlds=8)
    trial = Trial(game, view, simple_player(game), None)
    rng = np.random.default_rng(1)
    kept = trial.shortlist(list(view.legal), trial.deals(1, rng), rng)
    assert 1 < len(kept) <= 12
    assert simple_player(game).decide(view, Limit(), rng).action in kept
    assert valuer.decide(view, Limit(), rng).action in view.legal


def test_a_choice_is_given_up_only_if_it_is_surely_worse() -> None:
    even = [float(n % 3) for n in range(8)]
    scores = [[x + 5 for x in even], even, [10.0, 0.0] * 4, [5.0, 6.0, 7.0] * 2 + [5.0, 6.1]]
    assert _left([0, 1, 2, 3], scores) == [0, 2, 3]


def test_worlds_that_fit_what_was_said() -> None:
    """After 1 NT of the partner, worlds that are kept give him such a hand more often than worlds drawn at random."""
    game = find_game("bridge")
    simple = simple_player(game)
    rng = np.random.default_rng(6)
    table = next(
        table
        for table in (Table.start(game, deal(game.layout, 3, number)) for number in range(60))
        if simple.decide(table.view(0), Limit(), rng).action == Action("bid", "1NT")
    )
    table.apply(Action("bid", "1NT"))
    table.apply(Action("pass"))
    trial = Trial(game, table.view(2), simple, None)
    drawn, kept = trial.deals(10, rng), trial.deals(10, rng, heed=8)
    assert len(drawn) == len(kept) == 10
    assert sum(map(trial._surprises, kept)) < sum(map(trial._surprises, drawn))
    assert all(world.masks[2] == table.places[2] for world in kept)
    with pytest.raises(InputError, match="heed"):
        Valuer(heed=0)


def test_it_plays_no_cards() -> None:
    game = find_game("whist")
    table = Table.start(game, deal(game.layout, 1, 1))
    while table.tricks is None:
        table.apply(table.legal()[0])
    with pytest.raises(ValueError, match="before the tricks"):
        Valuer().decide(table.view(table.actor or 0), Limit(), np.random.default_rng(1))
