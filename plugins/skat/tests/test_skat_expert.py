"""The expert as a part, its batch, and the two rules that count eyes."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_skat._kernels import games as game_kernel
from tricktake_skat._kernels import whys
from tricktake_skat.deck import EYES, LAYOUT
from tricktake_skat.game import SkatGame
from tricktake_skat.games import Games, play_contracts, play_games
from tricktake_skat.strategies.expert import PAPER, REASONS, RULES, SWITCHED, Expert

from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_strategy

JITTED = hasattr(game_kernel.bid_deals, "signatures")
COMPARED = 120 if JITTED else 4  # contracts played at a table too
GAME = SkatGame()


def contracts(seed: int, n: int) -> Games:
    """What rule players declare."""
    games = play_games(seed, 0, n)
    keep = games.rows["declarer"] >= 0
    return Games(games.rows[keep], games.seats[keep], games.whys[keep])


def at_the_first_trick(games: Games, i: int) -> Table:
    row, contract = games.rows[i], games.contract(i)
    assert contract is not None
    return Table.at_contract(GAME, Deal(LAYOUT, (*row["hands"].tolist(), int(row["put"]))), contract)


@pytest.mark.kernel
def test_batch_and_table_play_the_same_cards_by_the_same_rules() -> None:
    played = play_contracts(contracts(5, COMPARED).rows, Expert(), Expert())
    expert = Expert()
    for i, row in enumerate(played.rows):
        table = at_the_first_trick(played, i)
        n = 0
        while table.turn is not None:
            view = table.view(table.actor)
            card, rule = expert.card(view)
            assert (card, rule) == (row["cards"][n], played.whys[i, n])
            decision = expert.decide(view, Limit(), np.random.default_rng(0))
            assert decision.reason == f"{RULES[rule]}: {REASONS[rule]}"
            table.apply(decision.action)
            n += 1
        assert (row["cards"][n:] == -1).all()
        assert table.score().value == (row["tricks"] if row["game"] == 5 else row["eyes"])


def test_without_its_rules_it_is_the_rule_player() -> None:
    rows = contracts(6, 300).rows
    none = Expert(without="+".join(SWITCHED))
    bare, rule = play_contracts(rows, none, none).rows["cards"], play_contracts(rows).rows["cards"]
    assert (bare == rule).all()
    assert (play_contracts(rows, Expert(), Expert()).rows["cards"] != rule).any()


@pytest.mark.parametrize("name", sorted(SWITCHED))
def test_each_rule_can_be_left_out(name: str) -> None:
    rows, also = contracts(7, 40_000 if name in PAPER else 4000).rows, name if name in PAPER else ""
    number = next(n for n, other in RULES.items() if other == name)
    whole, without = Expert(also=also), Expert(also=also, without=name)
    assert (play_contracts(rows, whole, whole).whys == number).any()
    assert not (play_contracts(rows, without, without).whys == number).any()


def test_rules_of_the_paper_play_if_asked_for() -> None:
    plain, without = Expert(), Expert(also="+".join(PAPER), without="+".join(PAPER))
    assert without.on == plain.on
    assert all(Expert(also=name).on == plain.on | SWITCHED[name] != plain.on for name in PAPER)


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(InputError, match=r"without: no rule 'hold-aces'.*hold-ace"):
        Expert(without="deny+hold-aces")
    with pytest.raises(InputError, match=r"also: no rule 'below'"):
        Expert(also="below")
    spec = "bid=skat:rule,exchange=skat:rule,play=skat:expert(without=deny+hold-ace)"
    assert str(Player.from_spec(spec)) == str(Player.from_spec(str(Player.from_spec(spec))))


def test_it_is_stronger_than_the_rule_player_in_both_roles() -> None:
    """Suit and grand, each role by itself; docs/results.md has the numbers on contracts of XSkat."""
    rows = contracts(8, 12_000).rows
    trumps = rows["game"] < 5
    base, expert = play_contracts(rows).made, Expert()
    declared = play_contracts(rows, expert).made.astype(float) - base
    defended = base - play_contracts(rows, None, expert).made.astype(float)
    for gain in (declared[trumps], defended[trumps]):
        assert gain.mean() > 5 * gain.std() / np.sqrt(len(gain))


def eyes_before_last(played: Games, i: int):
    """Of each whole trick: cards, leader, eyes of the declarer with the skat and of the defenders before it."""
    table, row, contract = at_the_first_trick(played, i), played.rows[i], played.contract(i)
    for card in row["cards"]:
        table.apply(table.legal()[[a.cards[0] for a in table.legal()].index(int(card))])
    assert table.tricks is not None
    won, lost = sum(EYES[c] for c in range(32) if row["put"] >> c & 1), 0
    for trick in table.tricks.tricks:
        yield trick, won, lost
        points = sum(EYES[c] for c in trick.cards)
        won, lost = (won + points, lost) if trick.winner == contract.declarer else (won, lost + points)


def test_the_last_to_play_counts() -> None:
    """Who settles a game has it; and a defender never lets the partner's 60th eye lie."""
    rows = contracts(9, 500).rows
    rows = rows[(rows["game"] < 5) & (rows["hand"] == 0)]  # from the hand the skat is not counted on
    played = play_contracts(rows, Expert(), Expert())
    settled = 0
    for i in range(len(rows)):
        for n, (trick, won, lost) in enumerate(eyes_before_last(played, i)):
            rule = played.whys[i, 3 * n + 2]
            if rule != whys.SETTLE:
                continue
            settled += 1
            points = sum(EYES[c] for c in trick.cards)
            if (trick.leader + 2) % 3 == rows["declarer"][i]:
                assert trick.winner == rows["declarer"][i]
                assert won < 61 <= won + points
            else:
                assert trick.winner != rows["declarer"][i]
                assert lost < 60 <= lost + points
    assert settled > 50


def test_it_keeps_the_rules_of_parts() -> None:
    player = Player.from_spec("bid=skat:rule,exchange=skat:rule,play=skat:expert")
    report = check_strategy(player, GAME, 6, 3, Limit())
    assert report.ok, report.failures
    assert "expert" in manager().strategies.names() or "skat:expert" in manager().strategies.names()
