"""Soundness in play: what is proven is never lost, and what is guaranteed never falls (KBPS-10, 11, 20)."""

from __future__ import annotations

import random

from tricktake_bridge.rules import strain_rules
from tricktake_skat.contract import SkatContract
from tricktake_skat.rules import skat_rules

from tests.endings import ending
from tricktake import worlds
from tricktake.cards import bits, unsigned
from tricktake.rules import Goal, GoalKind
from tricktake.search.infoset import InfoSet
from tricktake.search.opencard import Solver
from tricktake.search.paranoia import Paranoia
from tricktake.trick import TrickState

GAMES = 10_000
EACH = 40  # games from one position, in different worlds
SEARCH, SOLVER = Paranoia(1, doubts=()), Solver(1)
SKAT = [skat_rules(SkatContract.from_text(f"0:{name}@18")) for name in ("C", "G", "CH", "N")]


class Plan:
    """What the search plays in the positions it is asked about; it remembers them."""

    def __init__(self, info: InfoSet, goal: Goal) -> None:
        self.goal = goal
        self.cards: dict[int, int] = {}
        self.next: dict[tuple[int, int], InfoSet] = {}
        self.kept = [info]  # so that an id stays theirs

    def card(self, info: InfoSet) -> int:
        if id(info) not in self.cards:
            proof = SEARCH.prove(info, self.goal, fresh=False)
            assert proof.answer is True, "a proven win is lost"
            self.cards[id(info)] = proof.card
        return self.cards[id(info)]

    def after(self, info: InfoSet, card: int) -> InfoSet:
        if (id(info), card) not in self.next:
            after = info.after(card)
            self.kept.append(after)
            self.next[id(info), card] = after
        return self.next[id(info), card]


def states(info: InfoSet, rng: random.Random) -> list[TrickState]:
    """The position in some of its worlds."""
    rows = worlds.enumerate(info.knowledge)
    out = []
    for row in [rows[rng.randrange(len(rows))] for _ in range(EACH)]:
        places = [unsigned(int(mask)) for mask in row]
        credit = [0] * info.rules.seats
        credit[next(bits(info.team))] = info.taken
        for place in bits(info.credited):
            credit[next(bits(info.team))] += info.rules.cost_of(places[place] & ~info.knowledge.known[place])
        out.append(
            TrickState(
                info.rules, places[: info.rules.seats], info.leader, credit=tuple(credit), table=info.table,
                broken=info.broken, first=info.first,
            )
        )  # fmt: skip
    return out


def opponent(state: TrickState, info: InfoSet, manner: int, rng: random.Random) -> int:
    """A card of somebody who sees everything: the open-card solver's, a greedy one, or any."""
    legal = state.legal()
    if manner == 0 and len(legal) > 1:
        sense = info.rules.goal(next(bits(info.team))).sense
        values = SOLVER.card_values(state, info.team)
        return min(legal, key=lambda card: sense * values[card])
    if manner % 3 == 1 and state.table:
        theirs = not info.team >> (state.leader + state.table.index(state.best())) % info.rules.seats & 1
        beats = [card for card in legal if info.rules.beats(card, state.best())]
        if beats and not theirs:
            return min(beats, key=lambda card: info.rules.power[card])
        return (max if theirs else min)(legal, key=lambda card: info.rules.card_cost[card])
    return rng.choice(legal)


def positions(rng: random.Random) -> InfoSet:
    """An ending of Skat or bridge, of any seat."""
    if rng.random() < 0.2:
        return ending(strain_rules(rng.choice(["S", "NT"])), 3, rng, seat=rng.choice((0, 1, 3)), dummy=2)
    seat, rules = rng.randrange(3), rng.choice(SKAT)
    size = rng.choice((3, 4)) if seat == 0 else 3
    return ending(rules, size, rng, seat=seat, aside=("skat", 2), seen=seat == 0 and rng.random() < 0.7)


def test_a_proven_win_is_never_lost() -> None:
    rng = random.Random(2021)
    games = 0
    while games < GAMES:
        start = positions(rng)
        sense = start.rules.goal(next(bits(start.team))).sense
        value = SEARCH.guaranteed(start).value
        plan = Plan(start, Goal(GoalKind.AT_LEAST if sense > 0 else GoalKind.AT_MOST, value))
        for n, state in enumerate(states(start, rng)):
            info = start
            while not state.over:
                card = plan.card(info) if info.my_turn else opponent(state, info, n, rng)
                state.play_checked(card)
                info = plan.after(info, card)
            assert plan.goal.met(state.side_taken(start.team))
            games += 1


def test_what_is_guaranteed_never_falls() -> None:
    rng = random.Random(11)
    for _ in range(60):
        info = positions(rng)
        sense = info.rules.goal(next(bits(info.team))).sense
        state = states(info, rng)[0]
        sure = SEARCH.guaranteed(info)
        while not state.over:
            card = sure.card if info.my_turn else rng.choice(state.legal())
            state.play(card)
            info = info.after(card)
            after = SEARCH.guaranteed(info)
            assert sense * after.value >= sense * sure.value
            sure = after
