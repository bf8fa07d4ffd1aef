"""What a policy for Skat practises: positions as at the table, worth what the score says; matches are legal Skat."""

from __future__ import annotations

import numpy as np
import pytest
from tricktake_skat import practice
from tricktake_skat.deck import LAYOUT
from tricktake_skat.policy_match import match
from tricktake_skat.scoring import seeger
from tricktake_skat.strategies.expert import Expert
from tricktake_skat.strategies.rule import Rule

from tests import naive_policy as naive
from tricktake.action import play
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.policy import games
from tricktake.policy.policy import Family, Net, Policy, padded
from tricktake.policy.positions import inputs_of
from tricktake.policy.rollouts import in_worlds, roll_out
from tricktake.policy.train import fresh
from tricktake.search.limit import Limit
from tricktake.strategies.policy import find_policy
from tricktake.table import Table


def policy_of(family: str, batch: object, seed: int) -> Policy:
    encoding = batch.encoding  # type: ignore[attr-defined]
    shape = np.array([encoding.inputs, 64, 32, padded(encoding.cards)], np.int64)
    nets = tuple(Net.of_floats(shape, weights) for weights in fresh(shape, 3, seed))
    return Policy("skat", {family: Family(family, encoding.key, nets)})


def table_of(given: practice.Contracts, i: int) -> Table:
    """The table at the first trick: the skat as put, the exchange being over."""
    contract, places = given.contracts[i], [int(mask) for mask in given.places[i]]
    deal = Deal(LAYOUT, tuple(places))
    return Table.at_contract(find_game("skat"), deal, contract)


@pytest.mark.parametrize("family", practice.FAMILIES)
def test_games_of_the_batch_are_games_at_the_table(family: str) -> None:
    """Same cards by the same policy; what the declarer gains is the difference of Seeger points of the score."""
    given = practice.contracts(family, 7, 12)
    batch = practice.batch_of(given)
    policy = policy_of(family, batch, 3)
    played = games.play(batch, batch.roles(), policy.families[family].packed, cards=30)
    for i in range(len(given.contracts)):
        table = table_of(given, i)
        cards = []
        while not table.over:
            view = table.view(table.actor)
            if len(cards) < 8:
                assert inputs_of(view).tolist() == naive.inputs(view)
            cards.append(policy.card(view))
            table.apply(play(cards[-1]))
        deck = practice.decks_of(given)[i]
        assert [int(deck[c]) for c in played.cards[i] if c >= 0] == cards
        declarer = given.contracts[i].declarer
        points = seeger(declarer, table.score().points[declarer])
        others = [points[seat] for seat in range(3) if seat != declarer]
        assert played.gains[i, declarer] == points[declarer] - sum(others) / 2


@pytest.mark.parametrize("family", practice.FAMILIES)
def test_rollouts_of_the_true_world_are_games_at_the_table(family: str) -> None:
    """From a card anywhere in the game on, every seat knowing what it knows; worth Seeger points."""
    given = practice.contracts(family, 9, 6)
    policy = policy_of(family, practice.batch_of(given), 5)
    rng = np.random.default_rng(1)
    for i in range(len(given.contracts)):
        table = table_of(given, i)
        for _ in range(int(rng.integers(0, 12))):
            table.apply(table.legal()[int(rng.integers(len(table.legal())))])
            if table.over:
                break
        if table.over:
            continue
        view, declarer = table.view(table.actor), given.contracts[i].declarer
        cards = tuple(bits(view.legal_cards_mask()))
        world = np.array([table.places], np.int64)
        rolled = roll_out(policy.families[family], view, in_worlds(view, world), cards, rng)
        for j, card in enumerate(cards):
            played = table_of(given, i)
            for event in table.events:
                played.apply(event.action)
            played.apply(play(card))
            while not played.over:
                played.apply(play(policy.card(played.view(played.actor))))
            points = seeger(declarer, played.score().points[declarer])
            gain = points[declarer] - sum(points[seat] for seat in range(3) if seat != declarer) / 2
            assert rolled.gains[0, j] == (gain if view.seat == declarer else -gain)


@pytest.mark.parametrize("family", practice.FAMILIES)
def test_matches_are_played_by_whom_they_name(family: str) -> None:
    """Declarer policy, defenders expert, and the other way round: card by card as parts play at the table."""
    given = practice.contracts(family, 8, 6)
    batch = practice.batch_of(given)
    policy = policy_of(family, batch, 4)
    for other in (Expert(), None):
        found = match(policy.families[family], given, other, batch)
        part = other or Rule()
        for swapped, gains in ((False, found.declaring), (True, found.defending)):
            for i, contract in enumerate(given.contracts):
                table = table_of(given, i)
                while not table.over:
                    seat = table.turn
                    view = table.view(seat)
                    if (seat == contract.declarer) != swapped:
                        table.apply(play(policy.card(view)))
                    else:
                        table.apply(part.decide(view, Limit(), np.random.default_rng(0)).action)
                points = seeger(contract.declarer, table.score().points[contract.declarer])
                others = [points[s] for s in range(3) if s != contract.declarer]
                assert gains[i] == points[contract.declarer] - sum(others) / 2


def test_points_are_of_both_players_seats() -> None:
    """By the definition: what a player makes on all seats it has had, over their number, for 36 games."""
    given = practice.contracts("suit", 9, 40)
    found = match(None, given, None)
    own, theirs = [], []
    for mine, score in ((own, found.declaring), (theirs, found.defending)):
        other = theirs if mine is own else own
        for gain in score:
            points = gain if gain > 0 else gain + 40
            mine.append(points)
            other += [40, 40] if gain < 0 else [0, 0]
    assert found.points()[0] == pytest.approx(36 * (np.mean(own) - np.mean(theirs)))


def test_the_shipped_policy_plays_better_than_the_expert() -> None:
    """Small numbers, so with room: what docs/policies.md says is of 20,000 deals."""
    policy = find_policy("skat:cards")
    assert policy.game == "skat"
    for family in policy.families.values():
        given = practice.contracts(family.name, 31, 1000)
        gain, error = match(family, given, Expert()).points()
        assert gain > 2 * error


def test_unknown_families_are_refused() -> None:
    with pytest.raises(InputError, match="ramsch"):
        practice.contracts("ramsch", 1, 1)


def test_null_ouvert_is_played_by_networks_of_its_own() -> None:
    """Null and Null ouvert play by the same rules, so a policy knows either by the contract."""
    nets = {}
    for seed, family in enumerate(("null", "null-ouvert")):
        nets |= policy_of(family, practice.batch_of(practice.contracts(family, 7, 2)), seed).families
    both = Policy("skat", nets)
    assert len({family.key for family in nets.values()}) == 1
    for name in nets:
        given = practice.contracts(name, 7, 2)
        view = table_of(given, 0).view(0)
        assert both.family_at(view) is nets[name]
        assert both.opinion(view).numbers == Policy("skat", {name: nets[name]}).opinion(view).numbers
        # Alone, either plays for the other.
        assert Policy("skat", {"other": nets[name]}).family_at(view) is nets[name]
