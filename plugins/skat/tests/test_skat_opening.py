"""Opening leads and worlds by the learned tables (OUTER-17, OUTER-18)."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import SKAT_PLACE
from tricktake_skat.games import play_games
from tricktake_skat.questions.lead import LEAD_GRAND, LEAD_SUIT
from tricktake_skat.strategies.opening import Opening, chosen, openings, opens
from tricktake_skat.strategies.weighed import WinningBelief
from tricktake_skat.winning import KAPPA, winning

from tricktake import worlds
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.knowledge import Knowledge
from tricktake.learning import find_table
from tricktake.learning.smooth import smoothed
from tricktake.search.limit import Limit
from tricktake.table import Table

ROWS = play_games(4003, 0, 120).rows
ROWS = ROWS[opens(ROWS)]
GAME = find_game("skat")
RNG = np.random.default_rng(0)


def table_of(row: np.void) -> Table:
    """The contract of a row at its first trick, without an auction."""
    contract = SkatContract(int(row["declarer"]), "CSHDG"[row["game"]], bid=int(row["bid"]))
    places = [*row["hands"].tolist(), int(row["put"])]
    return Table.at_contract(GAME, Deal(GAME.layout, tuple(places)), contract, None)


def test_openings_are_what_the_tables_say_of_each_suit() -> None:
    cards, chances = openings(ROWS)
    tables = {q.name: smoothed(find_table(q.name, q), KAPPA) for q in (LEAD_SUIT, LEAD_GRAND)}
    for row, found, said in zip(ROWS[:20], cards, chances, strict=False):
        question = LEAD_GRAND if row["game"] == 4 else LEAD_SUIT
        for suit in range(4):
            own = [
                8 * suit + rank for rank in range(7) if suit != row["game"] and row["hands"][0] >> 8 * suit + rank & 1
            ]
            ace, others = [c for c in own if c % 8 == 6], [c for c in own if c % 8 != 6]
            assert found[2 * suit : 2 * suit + 2].tolist() == [*(ace or [-1]), min(others, default=-1)]
        for card, chance in zip(found, said, strict=True):
            if card >= 0:
                asked = np.array([row])
                asked["cards"][0, 0] = card
                assert chance == tables[question.name].chances(asked)[0]


def test_a_better_opening_is_chosen_and_no_other() -> None:
    usual = ROWS["cards"][:, 0]
    cards, chances = openings(ROWS)
    known = {
        (int(c), i): p for i, line in enumerate(zip(cards, chances, strict=True)) for c, p in zip(*line, strict=True)
    }
    ace, suit = chosen(ROWS, usual), chosen(ROWS, usual, "suit")
    assert (ace != usual).any()
    assert (suit != usual).sum() > (ace != usual).sum()
    for i, (before, after, free) in enumerate(zip(usual.tolist(), ace.tolist(), suit.tolist(), strict=True)):
        assert ROWS["hands"][i, 0] >> free & 1
        assert after >> 3 == before >> 3
        if after != before:
            assert (after % 8 == 6) != (before % 8 == 6)
            lowest = known.get((before, i), known.get((int(cards[i, 2 * (before >> 3) + 1]), i)))
            assert lowest is not None
            assert known[after, i] > lowest
        if free != before:
            assert known[free, i] == chances[i].max()


@pytest.mark.parametrize("choose", ["ace", "suit"])
def test_the_strategy_opens_like_the_batch(choose: str) -> None:
    player = Opening(then="skat:rule", choose=choose)  # type: ignore[arg-type]
    for row in ROWS[(ROWS["hand"] == 0) & (ROWS["announced"] == 0)][:25]:
        table = table_of(row)
        asked = np.array([row])
        asked["bids"] = 0  # there was no auction
        usual = player.then.decide(table.view(0), Limit(), RNG).action.cards[0]
        wanted = chosen(asked, np.array([usual]), choose)[0]  # type: ignore[arg-type]
        assert player.decide(table.view(0), Limit(), RNG).action.cards[0] == wanted
        table.apply(player.decide(table.view(0), Limit(), RNG).action)
        view = table.view(1)
        assert player.decide(view, Limit(), RNG) == player.then.decide(view, Limit(), RNG)
    with pytest.raises(InputError, match="choose"):
        Opening(choose="card")  # type: ignore[arg-type]


def test_worlds_weigh_what_the_declarer_wins_with_them() -> None:
    row = ROWS[(ROWS["declarer"] == 1) & (ROWS["hand"] == 0)][0]
    table = table_of(row)
    view = table.view(0)
    rows = worlds.sample(Knowledge.from_view(view), 30, np.random.default_rng(1))
    found = WinningBelief().weigh(view, rows)
    for world, weight in zip(rows.tolist(), found, strict=True):
        said = winning().chance(world[1], world[SKAT_PLACE], "CSHDG"[row["game"]], seat=1, bid=0)
        assert said < 0 or weight == pytest.approx(said)
    assert found.std() > 0
    assert WinningBelief(power=2).weigh(view, rows) == pytest.approx(found**2)
    assert (WinningBelief().weigh(table.view(1), rows) == 1).all()
    with pytest.raises(ValueError, match="play of Skat"):
        WinningBelief().weigh(Table.start(GAME, table.deal).view(0), rows)
