"""Policies against their twins: inputs from a view, whole-number networks, self-play, playouts of decisions,
gradients.
"""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from tests import naive as naive_cards
from tests import naive_policy as naive
from tests.strategies import allied_rules, random_rules, told_card_by_card
from tests.whist import Plain
from tricktake import worlds
from tricktake._kernels import policy_play, policy_train
from tricktake.action import play
from tricktake.alliance import Alliance
from tricktake.bench import eyes_rules, hearts_rules
from tricktake.cards import bits
from tricktake.deal import Deal, deal
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.policy import games
from tricktake.policy.encoding import Encoding
from tricktake.policy.policy import Family, Net, Packed, Policy, padded
from tricktake.policy.policyfile import load, save
from tricktake.policy.positions import batch_of, inputs_of
from tricktake.policy.rollouts import in_worlds, likelihoods, roll_out
from tricktake.policy.train import Settings, fresh, widened
from tricktake.rules import Goal, GoalKind
from tricktake.table import Table

pytestmark = pytest.mark.kernel

HIDDEN, INNER = 64, 32
SMALL = random_rules(min_cards=6, max_cards=16) | allied_rules(min_cards=6, max_cards=16)
FLOOR = 0.15


def tables(rules, count, seed=0):
    """Deals of given rules at their first trick."""
    game = Plain(rules, min(6, len(rules.deck) // rules.seats), leader=seed % rules.seats)
    return [Table.start(game, deal(game.layout, seed, i)) for i in range(count)]


GIVEN = {"bridge": ("N:4S", "E:3NT"), "doppelkopf": ("normal", "wedding")}  # contracts instead of random bids


def first_trick(game, number):
    """A deal of a game at its first trick, the players before it acting at random."""
    if game.name in GIVEN:
        return at_contract(game, GIVEN[game.name][number])
    rng = np.random.default_rng([3, number])
    table = None
    while table is None or table.tricks is None:
        table = Table.start(game, deal(game.layout, 3, number)) if table is None or table.over else table
        act(table, rng)
    return table


def at_contract(game, text):
    """The first deal in which it is possible."""
    for number in range(100):
        for seat in range(4) if text == "wedding" else ("",):
            dealt = deal(game.layout, 3, number)
            try:
                return Table.at_contract(game, dealt, game.contract(f"{seat}:{text}" if seat != "" else text))
            except InputError:
                continue
    raise AssertionError(text)


def act(table, rng):
    """A random action."""
    legal = table.legal()
    table.apply(legal[int(rng.integers(len(legal)))])


@pytest.fixture
def games_of_all():
    """A game by name, of a plugin or the tutorial."""
    from tests.examples import SECRET_ACE, load
    from tricktake.game import find_game

    return lambda name: load(SECRET_ACE).SecretAce() if name == "secret_ace" else find_game(name)


def shape_of(encoding):
    return np.array([encoding.inputs, HIDDEN, INNER, padded(encoding.cards)], np.int64)


def random_net(encoding, seed, roles=1, surer=1):
    """A network nobody has trained. surer: times as far from playing at random."""
    shape = shape_of(encoding)
    found = fresh(shape, roles, seed)
    found[:, encoding.inputs * HIDDEN + (HIDDEN + 1) * INNER :] *= surer
    return [Net.of_floats(shape, weights).check() for weights in found]


def policy_for(rules, seed, surer=1):
    encoding = Encoding.of(rules)
    return Policy("plain", {"play": Family("play", encoding.key, tuple(random_net(encoding, seed, surer=surer)))})


@settings(max_examples=40)
@given(random_rules() | allied_rules(), st.integers(0, 1000))
def test_inputs_are_those_in_words(rules, seed):
    (table,) = tables(rules, 1, seed)
    rng = np.random.default_rng(seed)
    while not table.over:
        view = table.view(table.actor)
        assert inputs_of(view).tolist() == naive.inputs(view)
        legal = table.legal()
        table.apply(legal[int(rng.integers(len(legal)))])


@pytest.mark.parametrize("name", ["bridge", "doppelkopf", "hearts", "schafkopf", "secret_ace", "tarok"])
def test_games_at_tables_are_those_of_kernels(name, games_of_all):
    """Inputs in words at every decision of real games, with passed cards, dummies, called cards; and the kernel plays
    the same cards from the row of the first trick.
    """
    game = games_of_all(name)
    for number in range(1 if config.DISABLE_JIT else 2):
        table = first_trick(game, number)
        again = first_trick(game, number)
        batch = batch_of([table])
        policy = policy_for(again.tricks.rules, number)
        packed = policy.families["play"].packed
        size = batch.encoding.cards
        players = np.zeros((1, again.seats), np.int64)
        cards = games.play(batch, players, packed, cards=size).cards[0]
        for card in cards[cards >= 0]:
            if again.over:  # a contract that is lost with its first trick
                break
            view = again.view(again.actor)
            assert inputs_of(view).tolist() == naive.inputs(view)
            assert policy.card(view) == batch.encoding.compiled.to_deck[card]
            again.apply(play(policy.card(view)))
        assert again.over
        other, rng = first_trick(game, number), np.random.default_rng(number)
        while not other.over:  # announcements tell something too
            view = other.view(other.actor)
            assert inputs_of(view).tolist() == naive.inputs(view)
            act(other, rng)


@given(random_rules(min_cards=8), st.permutations(range(8)))
@settings(max_examples=30)
def test_names_of_suits_do_not_matter(rules, order):
    """Rules with suits renumbered have the same key and, in the same game, the same inputs."""
    moved = evolve(
        rules,
        suit_of=tuple(order[suit] for suit in rules.suit_of),
        trump=None if rules.trump is None else order[rules.trump],
    )
    suits = sorted(set(rules.suit_of) - {rules.trump})
    one, other = Encoding.of(rules), Encoding.of(moved)
    if [order[suit] for suit in suits] == sorted(order[suit] for suit in suits):
        assert one.key == other.key
    assert one.inputs == other.inputs


def test_every_field_of_rules_is_known_to_the_key():
    """What is a mask over the deck is named, so that it is compared card by card; nothing else holds cards."""
    from attrs import fields

    from tricktake.policy.encoding import CARD_SETS
    from tricktake.rules import TrickRules

    numbers = {each.name for each in fields(TrickRules) if each.type == "int" and each.default == 0}
    assert numbers == {*CARD_SETS, "trick_cost", "last_trick_bonus"}
    assert Encoding.of(eyes_rules()).key != Encoding.of(hearts_rules()).key


def test_like_suits_are_shown_by_the_hand():
    """Two hands that differ by names of plain suits set the same inputs."""
    rules = eyes_rules()
    game = Plain(rules, 2)
    seen = set()
    for cards in ("SA S7 | HA H7 | DA D7", "HA H7 | DA D7 | SA S7", "DA D7 | SA S7 | HA H7"):
        hands = [rules.deck.parse_mask(text) for text in cards.split("|")]
        from tricktake.deal import Deal

        table = Table.start(game, Deal(game.layout, tuple(hands)))
        seen.add(tuple(inputs_of(table.view(0))))
    assert len(seen) == 1


@given(st.integers(0, 1000))
@settings(max_examples=10)
def test_a_network_is_whole_number_arithmetic(seed):
    (table,) = tables(eyes_rules(), 1, seed)
    encoding = Encoding.of(eyes_rules())
    (net,) = random_net(encoding, seed)
    policy = Policy("plain", {"play": Family("play", encoding.key, (net,))})
    view = table.view(table.actor)
    arrays = {"first": net.first, "second": net.second, "third": net.third, "inner_unit": net.units[0]}
    numbers = naive.forward(arrays, naive.inputs(view))
    found = policy.numbers(view)
    shown = naive.shown_cards(view)
    unit = net.units[1] * 256
    assert {card: round(value * unit) for card, value in found.items()} == {c: numbers[shown[c]] for c in found}
    best = max(found, key=lambda c: (numbers[shown[c]], -shown[c]))
    assert policy.card(view) == best


@given(SMALL, st.integers(0, 1000), st.integers(0, 5))
@settings(max_examples=40)
def test_self_play_is_the_same_as_at_the_table(rules, seed, opened):
    """Kernel games by the best cards, costs and tricks, are those of tables where the policy is asked for every
    card but the first, which are given.
    """
    policy = policy_for(rules, seed)
    family = policy.families["play"]
    batch, starts, rng = batch_of(tables(rules, 3, seed)), tables(rules, 3, seed), np.random.default_rng(seed)
    given_cards = np.full((3, opened + 1), -1)
    for row, table in zip(given_cards, starts, strict=True):
        for k in range(min(opened, int(rng.integers(opened + 1)))):
            if not table.over:
                action = table.legal()[int(rng.integers(len(table.legal())))]
                row[k] = batch.encoding.compiled.from_deck[action.cards[0]]
                table.apply(action)
    players = np.zeros((3, rules.seats), np.int64)
    size = max(len(rules.deck), given_cards.shape[1])
    played = games.play(batch, players, family.packed, cards=size, given=given_cards)
    to_deck = batch.encoding.compiled.to_deck
    for i, table in enumerate(starts):
        cards = [int(to_deck[c]) for c in given_cards[i] if c >= 0]
        while not table.over:
            cards.append(policy.card(table.view(table.actor)))
            table.apply(play(cards[-1]))
        assert [int(to_deck[c]) for c in played.cards[i] if c >= 0] == cards
        assert played.costs[i].tolist() == table.tricks.taken
        assert played.won[i].tolist() == table.tricks.won


CALLED = evolve(
    hearts_rules(),
    alliance=Alliance(hearts_rules().deck.parse_mask("CA"), 1),
    goals=(Goal(GoalKind.AT_LEAST, 8), Goal(GoalKind.MOST)),
)
WEDDING = evolve(CALLED, alliance=Alliance(declarer=2, fixed_by_trick=2))


@pytest.mark.parametrize(
    "rules", [eyes_rules(), hearts_rules(), CALLED, WEDDING], ids=["eyes", "hearts", "called", "wedding"]
)
def test_every_card_is_played_out(rules):
    """The gains of the cards of a decision are those of tables in which that card is played and then the best ones."""
    policy = policy_for(rules, 3, surer=5)
    family = policy.families["play"]
    given_tables = tables(rules, 6, 5)
    batch = batch_of(tables(rules, 6, 5))
    compiled, room = batch.encoding.compiled, 20
    which, counts, legals = np.zeros(room, np.int64), np.zeros(room, np.int16), np.zeros(room, np.int64)
    seen = np.zeros((room, policy_play.MOST_INPUTS), np.uint16)
    gains = np.zeros((room, padded(batch.encoding.cards)), np.float32)
    packed = family.packed
    found, _ = policy_play.practise(
        compiled.header, compiled.cards, compiled.suits, batch.encoding.plan, packed.shape, packed.first, packed.rest,
        batch.rows, np.zeros((6, rules.seats), np.int64), 1, 3, 0.0, 0.0, 0.0, 1.0, games.seeds_of(1, 6), batch.worth,
        2.0, which, seen, counts, legals, gains,
    )  # fmt: skip
    assert 12 <= found <= 18
    # The same games again: of cards a network would hardly play none is played out.
    fewer, few = np.zeros(room, np.int64), np.zeros((room, policy_play.MOST_INPUTS), np.uint16)
    unlikely, _ = policy_play.practise(
        compiled.header, compiled.cards, compiled.suits, batch.encoding.plan, packed.shape, packed.first, packed.rest,
        batch.rows, np.zeros((6, rules.seats), np.int64), 1, 3, 0.0, 0.0, FLOOR, 0.0, games.seeds_of(1, 6), batch.worth,
        2.0, which.copy(), few, counts.copy(), fewer, np.zeros_like(gains),
    )  # fmt: skip
    assert 6 <= unlikely <= 18
    decisions = {}  # inputs -> gain of each card, by the table
    for table in given_tables:
        while not table.over:
            view = table.view(table.actor)
            decisions[tuple(naive.inputs(view))] = (table, len(table.events), naive.shown_cards(view))
            table.apply(play(policy.card(view)))
    for i in range(found):
        table, events, shown = decisions[tuple(sorted(int(x) for x in seen[i, : counts[i]]))]
        before = Table.replay(table.game, table.deal, table.events[:events])
        seat = before.turn
        assert sum(1 << shown[c.cards[0]] for c in before.legal()) == int(legals[i])
        for action in before.legal():
            after = Table.replay(table.game, table.deal, [*table.events[:events]])
            after.apply(action)
            while not after.over:
                after.apply(play(policy.card(after.view(after.actor))))
            wanted = 2.0 * naive.gain(after.tricks.rules, batch, after.tricks.taken, after.tricks.won, seat)
            assert gains[i, shown[action.cards[0]]] == pytest.approx(wanted, rel=1e-5)
    pruned = 0
    for i in range(unlikely):
        n = int(np.flatnonzero(few[i])[-1]) + 1
        table, events, shown = decisions[tuple(sorted(int(x) for x in few[i, :n]))]
        before = Table.replay(table.game, table.deal, table.events[:events])
        chances = policy.chances(before.view(before.actor))
        assert {shown[c] for c, p in chances.items() if p >= FLOOR} == {c for c in range(64) if int(fewer[i]) >> c & 1}
        pruned += len(chances) - int(fewer[i]).bit_count()
    assert pruned


@pytest.mark.parametrize("even", [0.0, 0.3])
def test_gradients_are_those_of_differences(even):
    """Every layer, by central differences in float64."""
    encoding = Encoding.of(eyes_rules())
    shape = shape_of(encoding)
    rng = np.random.default_rng(1)
    weights = fresh(shape, 1, 2)[0]
    seen = np.zeros((2, 80), np.uint16)
    counts = np.array([30, 41], np.int16)
    for i in range(2):
        seen[i, : counts[i]] = rng.choice(encoding.inputs, counts[i], replace=False)
    legals = np.array([0b1010_1100, 0b11_0000_0001], np.int64)
    gains = rng.normal(0, 1, (2, padded(encoding.cards))).astype(np.float32)
    gradient = np.zeros_like(weights)
    policy_train.gradients(shape, weights, seen, counts, legals, gains, np.array([0, 1]), 0.1, even, gradient)
    legal = [[c for c in range(32) if legals[i] >> c & 1] for i in range(2)]

    def numbers(moved, i):
        return naive.logits(shape, moved, seen[i, : counts[i]], legal[i])

    before = [numbers(weights, i) for i in range(2)]

    def loss(moved):
        if even:
            losses = [naive.even_loss(numbers(moved, i), before[i], gains[i][legal[i]], 0.1, even) for i in range(2)]
        else:
            losses = [naive.loss(numbers(moved, i), gains[i][legal[i]], 0.1) for i in range(2)]
        return sum(losses) / 2

    first, second = encoding.inputs * HIDDEN, (HIDDEN + 1) * INNER
    places = [int(seen[0, 3]) * HIDDEN + k for k in range(12)]
    places += [first + int(k) for k in rng.integers(0, second, 40)]
    places += [first + second + int(k) * padded(32) + c for k in range(INNER + 1) for c in (2, 3, 5, 7, 8)]
    checked = 0
    for place in places:
        moved = weights.astype(float)
        moved[place] += 1e-5
        up = loss(moved)
        moved[place] -= 2e-5
        numeric = (up - loss(moved)) / 2e-5
        assert gradient[place] == pytest.approx(numeric, abs=2e-5, rel=2e-3)
        checked += abs(numeric) > 1e-4
    assert checked > 50


@given(st.floats(0.5, 1.0), st.integers(0, 3000))
def test_powers_are_those_of_python(base, times):
    assert policy_train.power(base, np.int64(times)) == pytest.approx(base**times, rel=1e-12)


def test_learning_finds_the_better_card():
    """One decision seen again and again: the softmax comes to prefer the card that gains more."""
    encoding = Encoding.of(eyes_rules())
    shape = shape_of(encoding)
    weights = fresh(shape, 1, 2)[0]
    seen = np.tile(np.arange(0, 400, 10, dtype=np.uint16), (16, 1))
    gains = np.zeros((16, padded(32)), np.float32)
    gains[:, 7] = 1
    moments, gradient = (np.zeros_like(weights), np.zeros_like(weights)), np.zeros_like(weights)
    order = np.tile(np.arange(16), 8)
    counts, legals = np.full(16, 40, np.int16), np.full(16, 0b1001_0001, np.int64)
    values = [
        policy_train.learn(
            shape, weights, *moments, gradient, seen, counts, legals, gains, order, 16, 1e-3, 0.0, 0.0, 1 + 8 * step
        )
        for step in range(4)
    ]
    assert values == sorted(values)
    assert values[-1] > values[0] + 0.2


def test_a_policy_file_comes_back_and_is_checked(tmp_path):
    from tricktake.errors import InputError

    policy = policy_for(eyes_rules(), 4)
    file = tmp_path / "a.policy"
    save(policy, file)
    again = load(file)
    save(again, tmp_path / "b.policy")
    assert file.read_bytes() == (tmp_path / "b.policy").read_bytes()
    net, other = policy.families["play"].nets[0], again.families["play"].nets[0]
    assert (net.first == other.first).all()
    assert (net.second == other.second).all()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"a\.policy"):
        load(file)


def test_floats_become_whole_numbers_and_back():
    encoding = Encoding.of(eyes_rules())
    shape = shape_of(encoding)
    weights = fresh(shape, 1, 9)[0]
    net = Net.of_floats(shape, weights)
    assert np.abs(net.floats() - weights).max() <= 0.5 / 256
    packed = Packed.of([net, net])
    assert packed.shape[0] == encoding.inputs
    assert Settings().hidden % 64 == 0


def test_a_widened_network_says_the_same():
    """Every hidden unit becomes two that share, unevenly, what it was worth; other widths are kept as they are."""
    encoding = Encoding.of(eyes_rules())
    shape = shape_of(encoding)
    net = Net.of_floats(shape, fresh(shape, 1, 9)[0])
    wide = shape.copy()
    wide[1] = 2 * HIDDEN
    weights = widened(net, wide, 5)
    seen = np.zeros(encoding.inputs)
    seen[::7] = 1
    said = []
    for width, floats in ((HIDDEN, net.floats()), (2 * HIDDEN, weights)):
        first, second, _ = np.split(floats, np.cumsum([encoding.inputs * width, (width + 1) * INNER]))
        hidden = np.clip(seen @ first.reshape(encoding.inputs, width), 0, None)
        said.append(np.append(hidden, 1) @ second.reshape(width + 1, INNER))
    assert said[0] == pytest.approx(said[1], abs=1e-4)
    pair = weights[encoding.inputs * 2 * HIDDEN :][: 2 * HIDDEN * INNER].reshape(2, HIDDEN, INNER)
    assert (np.abs(pair[0] - pair[1]).max(axis=1) > 0).all()
    assert (widened(net, shape, 5) == net.floats()).all()


def _world_table(table, world):
    """The table as it would be if the cards lay as in a world: the same cards played, by the same seats."""
    hands = tuple(int(mask) | played for mask, played in zip(world, table.view(table.actor).played, strict=False))
    other = Table.start(table.game, Deal(table.game.layout, hands))
    for event in table.events:
        other.apply(event.action)
    return other


def _somewhere(rules, seed):
    """A table of a game played at random to somewhere in its middle, None if it has ended."""
    (table,) = tables(rules, 1, seed)
    rng = np.random.default_rng(seed)
    for _ in range(int(rng.integers(0, len(rules.deck)))):
        if table.over or sum(m.bit_count() for m in table.places) < 4:
            break
        legal = table.legal()
        table.apply(legal[int(rng.integers(len(legal)))])
    return None if table.over else table


@given(SMALL, st.integers(0, 1000), st.integers(0, 2))
@settings(max_examples=25)
def test_rollouts_are_games_at_tables_of_their_worlds(rules, seed, last):
    """Gains and costs of every legal card in sampled worlds, from anywhere in a game, against tables of those worlds
    at which the policy is asked for every card; the last cards may be solved.
    """
    sides = {rules.side_mask(seat) for seat in range(rules.seats)}
    last = last if len(sides) == 2 and not rules.unsaid and rules.alliance is None else 0
    policy = policy_for(rules, seed)
    table = _somewhere(rules, seed)
    if table is None or not told_card_by_card(rules):
        return
    view, rng = table.view(table.actor), np.random.default_rng(seed)
    sampled = worlds.sample(Knowledge.from_view(view), 3, rng)
    cards = tuple(bits(view.legal_cards_mask()))
    games_ = in_worlds(view, sampled)
    rolled = roll_out(policy.families["play"], view, games_, cards, rng, last=last)
    for i, world in enumerate(sampled):
        for j, card in enumerate(cards):
            game = _world_table(table, world)
            game.apply(play(card))
            while not game.over:
                state = game.tricks
                if not state.table and sum(hand.bit_count() for hand in state.hands) <= last * rules.seats:
                    break
                game.apply(play(policy.card(game.view(game.actor))))
            side = game.tricks.rules.side_mask(view.turn)
            cost = naive_cards.minimax(game.tricks, side)
            while not game.over:
                game.apply(game.legal()[0])
            taken = list(game.tricks.taken)
            if last:  # only what the sides have matters, and together they always have the same
                other = next(s for s in range(rules.seats) if not side >> s & 1)
                taken = [0] * rules.seats
                taken[view.turn], taken[other] = cost, sum(game.tricks.taken) - cost
            assert rolled.costs[i, j] == cost
            wanted = naive.gain(game.tricks.rules, games_[0], taken, game.tricks.won, view.turn)
            assert rolled.gains[i, j] == pytest.approx(wanted, rel=1e-5, abs=1e-6)


@given(random_rules(min_cards=6, max_cards=16), st.integers(0, 1000), st.sampled_from([(1.0, 0.0), (0.5, 0.2)]))
@settings(max_examples=20)
def test_likelihoods_are_chances_at_tables_of_their_worlds(rules, seed, manner):
    """Of the cards played so far in sampled worlds: against tables of those worlds at which the policy says how likely
    it plays every card; seats that are not judged count 1.
    """
    heat, slip = manner
    policy = policy_for(rules, seed)
    table = _somewhere(rules, seed)
    if table is None or not told_card_by_card(rules):
        return
    view = table.view(table.actor)
    sampled = worlds.sample(Knowledge.from_view(view), 3, np.random.default_rng(seed))
    judged = [seat for seat in range(rules.seats) if seat != view.seat]
    found = likelihoods(policy.families["play"], in_worlds(view, sampled), heat, slip, judged)
    for i, world in enumerate(sampled):
        hands = tuple(int(mask) | played for mask, played in zip(world, view.played, strict=False))
        other = Table.start(table.game, Deal(table.game.layout, hands))
        wanted = np.ones(rules.seats)
        for event in table.events:
            seen = other.view(other.actor)
            numbers = policy.numbers(seen)
            chances = {card: np.exp((number - max(numbers.values())) / heat) for card, number in numbers.items()}
            card = event.action.cards[0]
            chance = (1 - slip) * chances[card] / sum(chances.values()) + slip / len(chances)
            if other.actor != view.seat:
                wanted[other.actor] *= chance
            other.apply(event.action)
        assert found[i] == pytest.approx(wanted, rel=2e-3)
