"""Skat selection: scenario files, the kernels against their naive twins, the methods, the part."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat._kernels import discard as kernel
from tricktake_skat._kernels import discard_rules
from tricktake_skat._kernels.cards import fill_pairs
from tricktake_skat.contract import GAME_NAMES
from tricktake_skat.deck import SKAT
from tricktake_skat.discard import chance, constraints, features, weights, worth
from tricktake_skat.discard.chance import rule_odds
from tricktake_skat.discard.constraints import HandType
from tricktake_skat.discard.discarder import Discarder
from tricktake_skat.discard.explain import instead, reason, relaxed
from tricktake_skat.discard.features import Declarers
from tricktake_skat.discard.selection import METHODS, Selector
from tricktake_skat.game import SkatGame
from tricktake_skat.kernels import rule_bid, strength

from plugins.skat.tests import naive_discard as naive
from tricktake.errors import InputError, UnknownName
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_strategy

JITTED = hasattr(discard_rules.prepare, "signatures")
FOLDER = Path(__file__).with_name("scenarios") / "skats"
SCENARIOS = [
    {"file": path.stem, **row}
    for path in sorted(FOLDER.glob("*.toml"))
    for row in tomllib.loads(path.read_text())["scenario"]
]


def named(kind: str) -> list:
    rows = [row for row in SCENARIOS if row["file"] == kind]
    ids = [f"{row.get('rule') or row.get('feature') or 'put'}-{i}" for i, row in enumerate(rows)]
    return [pytest.param(row, id=name) for row, name in zip(rows, ids, strict=True)]


def prepared_of(game: str, cards: int, seat: int) -> features.Prepared:
    declarers = Declarers.one(GAME_NAMES.index(game), cards, seat)
    return features.prepare(declarers, weights.load().limits)


def index_of(prepared: features.Prepared, put: str) -> int:
    (where,) = np.nonzero(prepared.pairs[0] == SKAT.parse_mask(put))[0]
    return int(where)


@pytest.fixture(autouse=True)
def smaller_tables_without_the_jit(monkeypatch):
    """Factors of up to seven cards, enough for side suits and jacks: eleven take too long to solve uncompiled."""
    if not JITTED:
        monkeypatch.setattr(features, "tables", small_tables)


@cache
def small_tables():
    from tricktake.factor import Factors
    from tricktake.kernels import factor

    values = np.zeros((factor.QUESTIONS, factor.DEALS), np.int64)
    factor.solve(values, 7)
    split = np.zeros((factor.QUESTIONS, factor.SEQUENCES, factor.LONGEST + 1))
    expected, sure = np.zeros((factor.QUESTIONS, factor.HANDS, factor.SEQUENCES)), np.zeros(factor.SEQUENCES, np.int64)
    lead = np.zeros((factor.HANDS, factor.SEQUENCES), np.int64)
    factor.tabulate(values, 7, split, expected, sure, lead)
    return Factors(expected, split, sure, lead, np.zeros(0, np.int64))


# -- scenarios --------------------------------------------------------------------------------------------------------


def test_there_are_enough_scenarios_and_every_rule_and_feature_has_one():
    assert len(SCENARIOS) >= 60
    assert {row["rule"] for row in SCENARIOS if "rule" in row and row["breaks"]} == set(constraints.NAMES)
    assert {row["feature"] for row in SCENARIOS if "feature" in row} == set(features.NAMES)
    assert all(row["reason"] for row in SCENARIOS)


def test_the_documentation_names_every_rule_feature_method_and_driver():
    text = (Path(__file__).parents[3] / "docs" / "skat-selection.md").read_text()
    for name in (*constraints.NAMES, *features.NAMES, *METHODS, *weights.DRIVERS, *(kind.label for kind in HandType)):
        assert f"`{name}`" in text, name


@pytest.mark.parametrize("row", named("rules"))
def test_rules(row):
    cards = SKAT.parse_mask(row["cards"])
    prepared = prepared_of(row["game"], cards, row.get("seat", 0))
    kind = HandType(int(prepared.kinds[0]))
    rule = constraints.rule(row["rule"])
    if "type" in row:
        assert kind.label == row["type"]
    penalties = prepared.penalties[0, :, rule.number]
    breaks = [int(penalties[index_of(prepared, put)]) for put in row["breaks"]]
    if row.get("idle"):
        assert kind not in rule.types or (penalties == penalties[0]).all()
        return
    assert kind in rule.types
    keeps = [int(penalties[index_of(prepared, put)]) for put in row["keeps"]]
    least = int(penalties.min())
    assert keeps == [least] * len(keeps)
    assert min(breaks) > least


@pytest.mark.parametrize("row", named("features"))
def test_features(row):
    cards, put = SKAT.parse_mask(row["cards"]), SKAT.parse_mask(row["put"])
    game, seat = row["game"], row.get("seat", 0)
    prepared = prepared_of(game, cards, seat)
    number = features.NAMES.index(row["feature"])
    value = prepared.features[0, index_of(prepared, row["put"]), number]
    if row["feature"] == "win":
        one = np.array([1])
        value = 100 * rule_odds(GAME_NAMES.index(game) * one, (cards & ~put) * one, put * one, seat * one, None)[0]
    if "value" in row:
        assert value == pytest.approx(row["value"])
    else:
        assert row.get("at_least", -1) <= value <= row.get("at_most", 1000)


@pytest.mark.parametrize("row", named("skats"))
def test_skats(row):
    declarers = Declarers.one(GAME_NAMES.index(row["game"]), SKAT.parse_mask(row["cards"]), row.get("seat", 0))
    selection = Selector().select(declarers)
    if "type" in row:
        assert HandType(int(selection.prepared.kinds[0])).label == row["type"]
    expected = {SKAT.parse_mask(put) for put in row["put"]}
    assert int(selection.discards[0]) in expected, f"{SKAT.names(int(selection.discards[0]))}: {reason(selection)}"


# -- the kernels and their naive twins --------------------------------------------------------------------------------


@st.composite
def twelve(draw):
    """Twelve cards with any number of jacks equally often, so that all types of grand come up."""
    suits = draw(st.lists(st.sampled_from("CSHD"), unique=True))
    plain = draw(st.permutations(sorted(c for c in naive.DECK if c[1] != "J")))
    return frozenset([s + "J" for s in suits] + plain[: 12 - len(suits)])


def mask_of(cards) -> int:
    return SKAT.parse_mask(" ".join(cards))


@pytest.mark.kernel
@settings(max_examples=40 if JITTED else 6)
@given(cards=twelve(), game=st.sampled_from("CSHDG"), seat=st.integers(0, 2), data=st.data())
def test_features_against_the_naive_twin(cards, game, seat, data):
    put = frozenset(data.draw(st.permutations(sorted(cards)))[:2])
    found = np.zeros(kernel.S_SIZE)
    kernel.discard_features(
        features.tables().expected, "CSHDG".index(game), mask_of(cards - put), mask_of(put), seat, found
    )
    expected = naive.features(game, cards - put, put, seat)
    for name, value in expected.items():
        assert found[features.NAMES.index(name)] == pytest.approx(value), name


@pytest.mark.kernel
@settings(max_examples=25 if JITTED else 3)
@given(cards=twelve(), game=st.sampled_from("CHGGG"), seat=st.integers(0, 2), data=st.data())
def test_penalties_against_the_naive_twin(cards, game, seat, data):
    prepared = prepared_of(game, mask_of(cards), seat)
    kind = HandType(int(prepared.kinds[0]))
    if game == "G":
        assert kind.label == naive.hand_type(game, cards)
    for i in data.draw(st.lists(st.integers(0, 65), min_size=2, max_size=2)):
        put = frozenset(SKAT.names(int(prepared.pairs[0, i])).split())
        for rule in constraints.RULES:
            if kind in rule.types:
                got = int(prepared.penalties[0, i, rule.number])
                assert got == naive.penalty(rule.name, game, cards, put, seat), (rule.name, put)
            else:
                assert rule.number not in constraints.order(weights.load().rules)[kind]


def test_pairs_are_all_pairs():
    pairs = np.zeros(66, np.int64)
    assert fill_pairs(0xFFF0, pairs) == 66
    assert len(set(pairs.tolist())) == 66
    assert all(int(p).bit_count() == 2 and int(p) & ~0xFFF0 == 0 for p in pairs)


# -- the methods ------------------------------------------------------------------------------------------------------


def random_declarers(n: int, seed: int = 0) -> Declarers:
    rng = np.random.default_rng(seed)
    cards = np.array([sum(1 << int(c) for c in rng.permutation(32)[:12]) for _ in range(n)])
    return Declarers(rng.integers(0, 7, n), cards, rng.integers(0, 3, n), np.zeros((n, 3), np.int64))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_puts_two_of_the_twelve_and_many_are_as_one(method):
    declarers = random_declarers(60)
    selection = Selector(method).select(declarers, np.random.default_rng(1))
    assert all(int(p).bit_count() == 2 for p in selection.discards)
    assert not (selection.discards & ~declarers.cards).any()
    assert selection.keep[np.arange(60), selection.chosen].all()
    if method != "random":
        for i in range(0, 60, 7):
            one = Declarers.one(int(declarers.games[i]), int(declarers.cards[i]), int(declarers.seats[i]))
            assert Selector(method).select(one).discards[0] == selection.discards[i]


def test_winprob_takes_the_likeliest_win_and_null_is_the_same_for_all():
    declarers = random_declarers(80, 2)
    likeliest = Selector("winprob").select(declarers)
    wins = likeliest.prepared.features[:, :, kernel.S_WIN]
    assert (wins.max(axis=1) == 100 * likeliest.wins).all()
    null = declarers.games > 4
    assert null.any()
    for method in ("proposed", "intermediate", "stegen", "kinback"):
        assert (Selector(method).select(declarers).discards[null] == likeliest.discards[null]).all()


def test_stegen_and_kinback_leave_most_points_in_hand():
    cards = SKAT.parse_mask("CJ SJ CA CT C9 C8 HA HT DK D9 S7 H8")
    declarers = Declarers.one(0, cards, 0)
    for method, count in (
        ("stegen", lambda put: strength.von_stegen(0, cards & ~put, 0, 1)),
        ("kinback", lambda put: strength.kinback(0, cards & ~put, 1, put)),
    ):
        selection = Selector(method).select(declarers)
        scores = [count(int(put)) for put in selection.prepared.pairs[0]]
        assert selection.scores[0].tolist() == scores
        assert count(int(selection.discards[0])) == max(scores)
        assert not selection.discards[0] & 0x80C7  # of equals one without trumps


def test_intermediate_differs_only_by_the_play_from_above():
    cards = SKAT.parse_mask("CJ SJ HJ CA CT CK DA D9 SA S8 HT H9")
    above, plain = (Selector(m).select(Declarers.one(4, cards, 0)) for m in ("proposed", "intermediate"))
    without = Selector("proposed", without=("from-above",)).select(Declarers.one(4, cards, 0))
    assert above.discards[0] != plain.discards[0] == without.discards[0]
    rear = [Selector(m).select(Declarers.one(4, cards, 2)).discards[0] for m in ("proposed", "intermediate")]
    assert rear[0] == rear[1]


def test_relaxed_rules_and_what_they_prevent_are_told():
    eleven = Selector().select(Declarers.one(0, SKAT.parse_mask("CJ SJ HJ DJ CA CT CK CQ C9 C8 C7 HA"), 0))
    assert [rule.name for rule in relaxed(eleven)] == ["trump", "ace"]
    guarded = Selector().select(Declarers.one(0, SKAT.parse_mask("CA CQ C9 C8 ST SQ HJ HA HK H9 DJ DA"), 1))
    assert "(guarded-ten)" in instead(guarded)
    assert (
        instead(Selector("winprob").select(Declarers.one(0, SKAT.parse_mask("CA CQ C9 C8 ST SQ HJ HA HK H9 DJ DA"), 1)))
        == ""
    )


def test_learned_is_proposed_with_other_weights():
    declarers = random_declarers(60, 7)
    learned = Selector("learned").select(declarers)
    assert (learned.discards == Selector("proposed", "learned").select(declarers).discards).all()
    assert (learned.discards != Selector("proposed").select(declarers).discards).any()
    assert (
        Selector("learned", "core").select(declarers).weights
        == weights.weights_of(weights.load("default"), declarers, learned.prepared.kinds)
    ).all()
    assert (learned.prepared.pairs[np.arange(60), learned.chosen] & ~declarers.cards == 0).all()


def test_learned_tables_can_say_how_likely_a_win_is():
    declarers = random_declarers(12, 8)
    odds, tables = (
        chance.of_pairs(chance.named(name), Selector().select(declarers).prepared) for name in ("rule", "tables")
    )
    assert ((tables >= 0) & (tables <= 1)).all()
    assert (odds != tables).any()
    from tricktake_skat.contract import GAMES
    from tricktake_skat.winning import winning

    for i in range(12):
        game = int(declarers.games[i])
        put = int(Selector().select(declarers).prepared.pairs[i, 5])
        own = int(declarers.cards[i]) & ~put
        said = winning().chance(own, put, GAMES[min(game, 5)], seat=int(declarers.seats[i]), ouvert=game == 6, bid=0)
        assert tables[i, 5] == pytest.approx(said if said >= 0 else odds[i, 5])
    with pytest.raises(UnknownName, match="tables"):
        chance.named("table")


def test_only_rules_that_count_are_blamed():
    """``learned`` has no rule ``guarded-ten``, so that another one must be against a put it would like better."""
    declarers = random_declarers(300, 11)
    for method in ("proposed", "intermediate", "learned"):
        selection = Selector(method).select(declarers)
        names = {text.rsplit("(")[-1].rstrip(")") for i in range(300) if (text := instead(selection, i))}
        allowed = set(weights.load("learned" if method == "learned" else "default").rules)
        assert names
        assert names <= allowed - ({"from-above"} if method == "intermediate" else set())


def test_good_skats_are_within_a_fifth_of_the_best():
    selection = Selector().select(random_declarers(20, 3))
    good = selection.good()
    assert good[np.arange(20), selection.chosen].all()
    best = selection.scores[np.arange(20), selection.chosen]
    assert (selection.scores[good] >= np.repeat(best - 0.2 * abs(best), good.sum(axis=1))).all()
    assert good.sum() < selection.keep.sum()


# -- weights ----------------------------------------------------------------------------------------------------------


def test_the_weights_are_those_of_the_paper():
    """SKAT-26, 27, row by row; ranges by their ends."""
    config = weights.load()
    printed = {
        "high-card-grand": "2 2 2 2 1 2 4 1 1",
        "two-jack-grand": "3 2-25 3-6 3-6 1 10 4 4 1-5",
        "standard-grand": "10 60 3 4 5 40 40 1 1",
        "high-trump-suit": "15 75 2 2 2 60 60 30 0",
        "low-trump-suit": "2 35-100 2-4 20-50 2 40 12 12 20-25",
    }
    for label, text in printed.items():
        kind = next(kind for kind in HandType if kind.label == label)
        ends = [tuple(float(x) for x in cell.split("-")) for cell in text.split()]
        assert config.low[kind] == tuple(cell[0] for cell in ends)
        assert config.high[kind] == tuple(cell[-1] for cell in ends)
    literal = weights.load("literal")
    assert literal.low[HandType.TWO_JACK_GRAND][kernel.S_STRAIGHT] == 41
    assert literal.low[HandType.STANDARD_GRAND] == config.low[HandType.STANDARD_GRAND]


def test_ranges_follow_their_drivers():
    cards = SKAT.parse_mask("CJ SJ CA CT CK SA S9 HA H9 DK D8 D7")  # three aces, two jacks
    rows = [
        weights.weights_of(weights.load(), Declarers.one(4, cards, seat), np.array([HandType.TWO_JACK_GRAND]))[0]
        for seat in range(3)
    ]
    assert [row[kernel.S_FREE] for row in rows] == [2, 13.5, 25]  # rear
    assert [row[kernel.S_EYES] for row in rows] == [6, 4.5, 3]  # front
    assert rows[0][kernel.S_GOOD_TENS] == 3 + 3 * 0.75  # aces
    trumps = weights.weights_of(weights.load(), Declarers.one(0, cards, 0), np.array([HandType.LOW_TRUMP_SUIT]))[0]
    assert trumps[kernel.S_FREE] == pytest.approx(35 + 65 / 3)  # five trumps


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("base = 'defualt'", "base"),
        ("base = 'default'\n[suit]\nwin = 1", "suit"),
        ("base = 'default'\n[null]\nwinn = 1", "null.winn"),
        ("base = 'default'\n[null]\nwin = 'much'", "null.win"),
        ("base = 'default'\n[null]\nwin = [1, 2, 'moon']", "null.win"),
        ("base = 'default'\n[rules]\norder = ['trumps']", "did you mean 'trump'"),
        ("base = 'default'\n[rules]\norder = ['trump', 'trump']", "rules.order"),
        ("base = 'default'\n[types]\nfew-jacks = 1.5", "types.few-jacks"),
        ("base = 'default'\n[types]\njacks = 1", "types.jacks"),
        ("= 1", "own.toml"),
    ],
)
def test_bad_weights_are_named(tmp_path, text, said):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"own\.toml") as fault:
        weights.load(str(path))
    assert said in str(fault.value)


def test_unknown_names_are_answered():
    with pytest.raises(UnknownName, match="winprob"):
        Selector("winprop")
    with pytest.raises(UnknownName, match="keep skat"):
        Selector("recorded")
    with pytest.raises(UnknownName, match="literal"):
        Selector("proposed", "litteral")
    with pytest.raises(UnknownName, match="trump"):
        Selector("proposed", without=("trumps",))
    with pytest.raises(ValueError, match="generator"):
        Selector("random").select(random_declarers(1))


# -- which game -------------------------------------------------------------------------------------------------------


def test_expected_scores_are_those_of_the_formula():
    win = np.array([0.0, 0.5, 0.8, 1.0])
    assert worth.expected(0, win, 36, 18).tolist() == pytest.approx([-122, -18, 44.4, 86])
    assert worth.expected(0, win, 36, 18, loss=90).tolist() == pytest.approx([-162, -38, 36.4, 86])
    overbid = worth.expected(3, win, 18, 27)  # diamonds with one, bid 27: only Schneider lifts it to its bid
    assert overbid.tolist() == pytest.approx([-104 + 181 * 0.25 * w for w in win])
    assert worth.expected(3, win, 18, 36).tolist() == [-50 - 2 * 36] * 4
    assert (worth.expected(5, win, 23, 24) == rule_bid.FORBIDDEN).all()


def test_the_game_is_the_same_for_all_methods_and_keeps_the_bid():
    rng = np.random.default_rng(5)
    cards = np.array([sum(1 << int(c) for c in rng.permutation(32)[:12]) for _ in range(40)])
    bids = np.tile([48, 0, 0], (40, 1))
    games = worth.best_games(rule_odds, cards, np.zeros(40, np.int64), bids)
    assert not (games == GAME_NAMES.index("N")).any()
    assert not (games == GAME_NAMES.index("NO")).any()
    free = worth.best_games(rule_odds, cards, np.zeros(40, np.int64), np.zeros((40, 3), np.int64))
    assert (free > 4).any()


# -- the part ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["proposed", "random"])
def test_the_part_conforms(method):
    Selector(method).select(random_declarers(1), np.random.default_rng(0))  # compiled before the clock runs
    worth.best_games(rule_odds, np.array([0xFFF]), np.array([0]), np.zeros((1, 3), np.int64))
    check_strategy(Discarder(method=method), SkatGame(), deals=3).require()


def test_the_part_declares_what_it_put_for():
    player = Player.from_spec("bid=skat:rule,exchange=skat:discard(method=stegen, loss=90),play=skat:rule")
    from tricktake_skat.deck import LAYOUT

    from tricktake.deal import Deal
    from tricktake.search.limit import Limit

    rng = np.random.default_rng(9)
    seen = 0
    while seen < 8:
        table = Table.start(SkatGame(), Deal.from_cards(LAYOUT, [int(c) for c in rng.permutation(32)]))
        said = ""
        while table.turn is not None and table.contract is None:
            decision = player.decide(table.view(table.actor), Limit(), np.random.default_rng(0))
            if decision.action.verb == "discard":
                said = decision.reason
            table.apply(decision.action)
        if said:
            seen += 1
            assert said.startswith(f"for {table.contract.name}: ")


def test_in_a_replay_that_keeps_the_contract_it_puts_for_it():
    from attrs import evolve
    from tricktake_skat.contract import SkatContract

    from plugins.skat.tests.skat_tables import act, deal_of
    from tricktake.search.limit import Limit

    deal = deal_of(
        "CJ SJ CA CT C9 C8 HA HT DK D9 | HJ DJ SA ST SK SQ HK HQ DA DT | CK CQ C7 S9 S8 H9 H7 DQ D8 D7 | S7 H8"
    )
    table = act(Table.start(SkatGame(), deal), "pass", "pass", "18", "take")
    view = table.view(0)
    for game, choice in (("G", 4), ("D", 3), ("N", 5)):
        shown = evolve(view, contract=SkatContract(0, game))
        decision = Discarder().decide(shown, Limit(), np.random.default_rng(0))
        expected = Selector().select(Declarers.one(choice, view.hand_mask, 0, (18, 0, 0)))
        assert decision.action.mask == expected.discards[0]
        assert decision.reason.startswith(f"for {game}:")


def test_bad_options_of_the_part():
    with pytest.raises(UnknownName, match="proposed"):
        Player.from_spec("exchange=skat:discard(method=propsed)")
    with pytest.raises(UnknownName, match="rule"):
        Player.from_spec("exchange=skat:discard(chance=rules)")
    with pytest.raises(InputError, match="loss"):
        Player.from_spec("exchange=skat:discard(loss=-1)")
