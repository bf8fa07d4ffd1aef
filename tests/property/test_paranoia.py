"""The paranoia search against AND/OR over all worlds (KBPS-10, 19): every game, every seat."""

from __future__ import annotations

import random
from collections import Counter

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_bridge.rules import strain_rules
from tricktake_skat.contract import SkatContract
from tricktake_skat.rules import skat_rules

from tests.endings import ending
from tests.naive_paranoia import WorldSet
from tests.strategies import random_rules
from tricktake import bench
from tricktake.cards import bits
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.infoset import InfoSet
from tricktake.search.paranoia import Paranoia
from tricktake.search.splits import unlikely
from tricktake.worlds import count

pytestmark = pytest.mark.kernel

JIT = not numba.config.DISABLE_JIT
SEARCHES = [Paranoia(1, doubts=(), equals=e, tabled=t) for e in (True, False) for t in (True, False)]
SKAT = {name: skat_rules(SkatContract.from_text(f"0:{name}@18")) for name in ("C", "D", "G", "CH", "N")}
HEARTS = bench.hearts_rules()
MOST_WORLDS = 300


def team_goal(info: InfoSet, value: int) -> tuple[Goal, Goal]:
    """A goal that is just reached with this value, and one that is just missed."""
    if info.rules.goal(next(bits(info.team))).sense > 0:
        return Goal(GoalKind.AT_LEAST, value), Goal(GoalKind.AT_LEAST, value + 1)
    return Goal(GoalKind.AT_MOST, value), Goal(GoalKind.AT_MOST, value - 1)


def agrees(info: InfoSet, search: Paranoia, told: Counter[bool]) -> None:
    """The guaranteed value, a proof of just that, and none of more; the proven card keeps what it promises."""
    sense = info.rules.goal(next(bits(info.team))).sense
    value = sense * WorldSet(info).value()
    assert search.guaranteed(info).value == value
    reached, missed = team_goal(info, value)
    proof = search.prove(info, reached)
    assert proof.answer is True
    assert search.prove(info, missed).answer is False
    told.update((True, False))
    if info.my_turn and (info.left > 1 or len(info.table) < info.rules.seats - 1):
        after = info.after(proof.card)
        assert sense * search.guaranteed(after).value >= sense * value  # KBPS-11


def endings(n: int, seed: int, sizes: dict[int, int], **more: object) -> list[tuple[int, random.Random]]:
    """Sizes of hands, each as often as its share says."""
    rng = random.Random(seed)
    return [(size, rng) for size in rng.choices(list(sizes), list(sizes.values()), k=n if JIT else n // 10)]


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("name", list(SKAT))
def test_skat(name: str, seat: int) -> None:
    """Suit, grand, hand and Null; the declarer is seat 0, who knows the skat unless it is a hand game."""
    seen = seat == 0 and not name.endswith("H")
    told: Counter[bool] = Counter()
    sizes = {2: 20, 3: 12, 4: 1} if seen else {2: 40, 3: 1}
    for size, rng in endings(150, seat, sizes):
        info = ending(SKAT[name], size, rng, seat=seat, aside=("skat", 2), seen=seen, taken=rng.randrange(40))
        agrees(info, rng.choice(SEARCHES), told)
    assert min(told.values()) * 3 >= sum(told.values())


@pytest.mark.parametrize("seat", [0, 1, 3])
@pytest.mark.parametrize("strain", ["S", "NT"])
def test_bridge(strain: str, seat: int) -> None:
    """Declarer (0) with the dummy (2), and both defenders, who see it."""
    told: Counter[bool] = Counter()
    for size, rng in endings(80, seat, {2: 3, 3: 2} if seat == 0 else {2: 1}):
        agrees(ending(strain_rules(strain), size, rng, seat=seat, dummy=2), rng.choice(SEARCHES), told)
    assert min(told.values()) * 3 >= sum(told.values())


def test_hearts() -> None:
    """Four seats, each alone, who avoid cost; limits on leading."""
    told: Counter[bool] = Counter()
    for _, rng in endings(80, 5, {2: 1}):
        agrees(ending(HEARTS, 2, rng, seat=rng.randrange(4)), rng.choice(SEARCHES), told)


@settings(max_examples=250 if JIT else 15)
@given(random_rules(max_seats=4, max_cards=16, rare=False), st.integers(0, 1 << 30), st.data())
def test_any_rules(rules: TrickRules, seed: int, data: st.DataObject) -> None:
    """Copies, duties, limits, negative costs, credited and undealt cards, every kind of goal."""
    rng = random.Random(seed)
    room = len(rules.deck) - 2 * rules.seats
    aside = rng.randint(0, min(2, room))
    seat = rng.randrange(rules.seats)
    if aside:
        rules = data.draw(st.sampled_from([rules, with_credit(rules, rng.randrange(rules.seats))]))
    info = ending(
        rules,
        2,
        rng,
        seat=seat,
        dummy=rng.choice([-1, rng.randrange(rules.seats)]),
        aside=("aside", aside) if aside else None,
        seen=rng.random() < 0.3,
        undealt=rng.randint(0, min(1, room - aside)),
        taken=rng.randint(-3, 9),
        first=rng.random() < 0.5,
    )
    if count(info.knowledge) > MOST_WORLDS:
        return
    search = rng.choice(SEARCHES)
    if rules.goal(seat).kind is not GoalKind.EXACTLY:
        agrees(info, search, Counter())
        return
    worlds = WorldSet(info)
    for n in range(info.taken - 2, info.taken + 12, 2):
        assert search.prove(info, Goal(GoalKind.EXACTLY, n)).answer is worlds.exactly(n)


def with_credit(rules: TrickRules, seat: int) -> TrickRules:
    from attrs import evolve

    return evolve(rules, credits=(("aside", seat),))


@pytest.mark.parametrize("name", ["C", "CH"])
def test_unlikely_splits_left_out(name: str) -> None:
    """The approximate search is exact over the worlds it keeps, and says how many it does not (KBPS-14)."""
    left_out = 0
    for size, rng in endings(60 if name == "C" else 20, 7, {3: 1}):
        info = ending(SKAT[name], size, rng, aside=("skat", 2), seen=name == "C", taken=rng.randrange(40))
        caps = unlikely(info.knowledge, info.rules, 0.15)
        worlds, kept = WorldSet(info), WorldSet(info, dict(caps.most))
        left_out += bool(caps.most)
        assert caps.excluded == pytest.approx(1 - len(kept.worlds) / len(worlds.worlds))
        value = kept.value()
        assert value >= worlds.value()
        for n in (value, value + 1):
            proof = rng.choice(SEARCHES).prove(info, Goal(GoalKind.AT_LEAST, n), epsilon=0.15)
            assert proof.answer is (n <= value)
            assert proof.excluded == caps.excluded
    assert left_out > 5 or not JIT


def test_doubts_change_no_answer() -> None:
    doubting = Paranoia(1)
    for size, rng in endings(300, 8, {2: 1, 3: 3, 4: 3}):
        info = ending(SKAT[rng.choice("CGN")], size, rng, seat=rng.randrange(3), aside=("skat", 2), taken=20)
        if info.rules.goal(info.turn).sense > 0:
            goal = Goal(GoalKind.AT_LEAST, rng.randrange(20, 60))
        else:
            goal = Goal(GoalKind.AT_MOST, 20 + rng.randrange(3))
        found, wanted = doubting.prove(info, goal), SEARCHES[0].prove(info, goal)
        assert found.answer is wanted.answer
        assert not (found.answer and not info.can_meet(goal))
