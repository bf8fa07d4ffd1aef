"""The expert as a part, its batch, and the two rules that count eyes."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_skat._kernels import expert_play, rule_games
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deck import EYES, LAYOUT
from tricktake_skat.game import SkatGame
from tricktake_skat.strategies.expert import REASONS, RULES, SWITCHED, Expert, Played, play_contracts
from tricktake_skat.strategies.rule import play_games

from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.plugins import manager
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_strategy

JITTED = hasattr(rule_games.play_deals, "signatures")
COMPARED = 120 if JITTED else 4  # contracts played at a table too
GAME = SkatGame()


def contracts(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Hands after the exchange and contracts of rule players."""
    games = play_games(seed, 0, n)
    keep = games.declarer >= 0
    places, declarer = games.deals[keep].copy(), games.declarer[keep]
    rows = np.arange(len(places))
    places[rows, declarer] = (places[rows, declarer] | places[:, 3]) & ~games.put[keep]
    places[:, 3] = games.put[keep]
    columns = (games.declarer, games.game, games.hand, games.ouvert, games.bid)
    return places, np.stack([column[keep] for column in columns], axis=1)


def contract_of(row: np.ndarray) -> SkatContract:
    declarer, game, hand, ouvert, bid = row.tolist()
    name = GAMES[game] + ("H" if hand else "") + ("O" if ouvert else "")
    return SkatContract.declared(declarer, name, bid)


@pytest.mark.kernel
def test_batch_and_table_play_the_same_cards_by_the_same_rules() -> None:
    places, rows = contracts(5, COMPARED)
    played = play_contracts(places, rows, Expert(), Expert())
    expert = Expert()
    for i in range(len(places)):
        table = Table.at_contract(GAME, Deal(LAYOUT, tuple(places[i].tolist())), contract_of(rows[i]))
        n = 0
        while table.turn is not None:
            view = table.view(table.actor)
            card, rule = expert.card(view)
            assert (card, rule) == (played.cards[i, n], played.rules[i, n])
            decision = expert.decide(view, Limit(), np.random.default_rng(0))
            assert decision.reason == f"{RULES[rule]}: {REASONS[rule]}"
            table.apply(decision.action)
            n += 1
        assert (played.cards[i, n:] == -1).all()
        assert table.score().value == (played.tricks[i] if rows[i, 1] == 5 else played.eyes[i])


def test_without_its_rules_it_is_the_rule_player() -> None:
    places, rows = contracts(6, 300)
    none = Expert(without="+".join(SWITCHED))
    bare, rule = play_contracts(places, rows, none, none), play_contracts(places, rows)
    assert (bare.cards == rule.cards).all()
    assert (play_contracts(places, rows, Expert(), Expert()).cards != rule.cards).any()


@pytest.mark.parametrize("name", sorted(SWITCHED))
def test_each_rule_can_be_left_out(name: str) -> None:
    places, rows = contracts(7, 4000)
    number = next(n for n, other in RULES.items() if other == name)
    with_it, without = play_contracts(places, rows, Expert(), Expert()), Expert(without=name)
    assert (with_it.rules == number).any()
    assert not (play_contracts(places, rows, without, without).rules == number).any()


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(InputError, match=r"without: no rule 'hold-aces'.*hold-ace"):
        Expert(without="deny+hold-aces")
    spec = "bid=skat:rule,exchange=skat:rule,play=skat:expert(without=deny+hold-ace)"
    assert str(Player.from_spec(spec)) == str(Player.from_spec(str(Player.from_spec(spec))))


def test_it_is_stronger_than_the_rule_player_in_both_roles() -> None:
    """Suit and grand, each role by itself; docs/results.md has the numbers on contracts of XSkat."""
    places, rows = contracts(8, 12_000)
    trumps = rows[:, 1] < 5
    base, expert = play_contracts(places, rows).won, Expert()
    declared = play_contracts(places, rows, expert).won.astype(float) - base
    defended = base - play_contracts(places, rows, None, expert).won.astype(float)
    for gain in (declared[trumps], defended[trumps]):
        assert gain.mean() > 5 * gain.std() / np.sqrt(len(gain))


def eyes_before_last(played: Played, places: np.ndarray, rows: np.ndarray, i: int):
    """Of each whole trick: cards, leader, eyes of the declarer with the skat and of the defenders before it."""
    contract = contract_of(rows[i])
    table = Table.at_contract(GAME, Deal(LAYOUT, tuple(places[i].tolist())), contract)
    for card in played.cards[i]:
        table.apply(table.legal()[[a.cards[0] for a in table.legal()].index(int(card))])
    assert table.tricks is not None
    won, lost = sum(EYES[c] for c in range(32) if places[i, 3] >> c & 1), 0
    for trick in table.tricks.tricks:
        yield trick, won, lost
        points = sum(EYES[c] for c in trick.cards)
        won, lost = (won + points, lost) if trick.winner == contract.declarer else (won, lost + points)


def test_the_last_to_play_counts() -> None:
    """Who settles a game has it; and a defender never lets the partner's 60th eye lie."""
    places, rows = contracts(9, 500)
    keep = (rows[:, 1] < 5) & (rows[:, 2] == 0)  # from the hand the skat is not counted on
    places, rows = places[keep], rows[keep]
    played = play_contracts(places, rows, Expert(), Expert())
    settled = 0
    for i in range(len(places)):
        for n, (trick, won, lost) in enumerate(eyes_before_last(played, places, rows, i)):
            rule = played.rules[i, 3 * n + 2]
            if rule != expert_play.SETTLE:
                continue
            settled += 1
            points = sum(EYES[c] for c in trick.cards)
            if (trick.leader + 2) % 3 == rows[i, 0]:
                assert trick.winner == rows[i, 0]
                assert won < 61 <= won + points
            else:
                assert trick.winner != rows[i, 0]
                assert lost < 60 <= lost + points
    assert settled > 50


def test_it_keeps_the_rules_of_parts() -> None:
    player = Player.from_spec("bid=skat:rule,exchange=skat:rule,play=skat:expert")
    report = check_strategy(player, GAME, 6, 3, Limit())
    assert report.ok, report.failures
    assert "expert" in manager().strategies.names() or "skat:expert" in manager().strategies.names()
