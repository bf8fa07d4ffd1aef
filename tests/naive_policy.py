"""The obvious twins of the kernels of policies: inputs from a view, a network, a gradient, each straight from its
words.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tricktake._kernels import policy_layout as P
from tricktake.cards import bits
from tricktake.policy.encoding import Encoding
from tricktake.rules import GoalKind
from tricktake.trick import best_card, suit_card
from tricktake.view import View


def _shown_suits(view: View, encoding: Encoding) -> dict[int, int]:
    """Where each suit of the encoding is shown: like suits by the hand at the first trick, longest first."""
    rules, turn = encoding.rules, view.turn
    held = set(bits(view.known[turn]))
    for trick in view.tricks:
        held.add(trick.cards[(turn - trick.leader) % rules.seats])
    place = {}
    like = {s: int(encoding.plan[P.E_LIKE + s]) for s in range(int(encoding.plan[P.E_SUITS]))}
    for kind in set(like.values()):
        suits = sorted(s for s in like if like[s] == kind)

        def strength(s: int) -> tuple[int, list[int], int]:
            ranks = [int(encoding.compiled.from_deck[c]) for c in held if rules.suit_of[c] == s]
            lowest = min(int(encoding.compiled.from_deck[c]) for c in range(len(rules.deck)) if rules.suit_of[c] == s)
            return len(ranks), sorted((r - lowest for r in ranks), reverse=True), -s

        for slot, suit in zip(suits, sorted(suits, key=strength, reverse=True), strict=True):
            place[suit] = slot
    return place


def inputs(view: View) -> list[int]:
    """The inputs that are set for a view, from the words in ``policy_layout``."""
    rules = view.rules
    assert rules is not None
    encoding = Encoding.of(rules)
    renumbered, plan, seats = encoding.rules, [int(x) for x in encoding.plan], rules.seats
    cards, suits = plan[P.E_CARDS], plan[P.E_SUITS]
    seat, me = view.turn, view.seat
    shown = _shown_suits(view, encoding)
    where = shown_cards(view)
    out = [0]

    def put(block: int, mask: int, r: int = 0) -> None:
        out.extend(plan[block] + r * cards + where[c] for c in bits(mask))

    def level(x: int, low: int, span: int, levels: int) -> int:
        return min(levels - 1, max(0, (x - low) * levels // span))

    hand = view.known[seat]
    put(P.E_HAND, hand)
    unseen = set(range(cards)) - set(bits(hand)) - set(bits(view.gone))
    table = list(view.table)
    mine = others = my_tricks = their_tricks = 0
    side, maybe = sides(view)
    for name, taker in rules.credits:
        cost = rules.cost_of(view.known[view.layout.names.index(name)])
        if side >> taker & 1:
            mine += cost
        else:
            others += cost
    for r in range(seats):
        s = (seat + r) % seats
        own = [t.cards[(s - t.leader) % seats] for t in view.tricks]
        put(P.E_PLAYED, sum(1 << c for c in own), r)
        taken = sum(t.cost for t in view.tricks if t.winner == s)
        running = [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.table)]
        taken += sum(cost for leader, cards_ in running for owner, cost in rules.kept(cards_, leader) if owner == s)
        tricks = sum(t.winner == s for t in view.tricks)
        out.append(plan[P.E_TAKEN] + r * P.OWN + level(taken, plan[P.E_LOW], plan[P.E_SPAN], P.OWN))
        if side >> s & 1:
            mine, my_tricks = mine + taken, my_tricks + tricks
        else:
            others, their_tricks = others + taken, their_tricks + tricks
        if r:
            put(P.E_KNOWN, view.known[s], r - 1)
            unseen -= set(bits(view.known[s]))
            for void in _voids(view, s):
                out.append(plan[P.E_VOID] + (r - 1) * suits + shown[renumbered.suit_of[void]])
            if side >> s & 1:
                out.append(plan[P.E_ALLY] + r - 1)
            if plan[P.E_THEIR_NEED]:
                theirs = rules.goal(s)
                need = theirs.n + (theirs.kind is GoalKind.AT_MOST) - taken
                level_of = 0 if need < 0 else 1 + -(-need // plan[P.E_STEP])
                if theirs.kind in (GoalKind.MOST, GoalKind.LEAST):
                    level_of = 0
                out.append(plan[P.E_THEIR_NEED] + (r - 1) * P.OWN + min(P.OWN - 1, level_of))
            if maybe >> s & 1:
                out.append(plan[P.E_MAYBE] + r - 1)
    for place in range(seats, len(view.known)):
        put(P.E_ASIDE, view.known[place])
        unseen -= set(bits(view.known[place]))
    out.append(plan[P.E_POSITION] + len(table))
    if table:
        for k, card in enumerate(table):
            put(P.E_TABLE, 1 << card, (view.leader + k - seat) % seats - 1)
        led = suit_card(rules, table)
        if not rules.never_wins >> led & 1:
            out.append(plan[P.E_LED] + shown[renumbered.suit_of[led]])
        best = best_card(rules, table, last=hand.bit_count() == 1)
        out.append(plan[P.E_BEST] + (view.leader + table.index(best) - seat) % seats - 1)
        pot = sum(rules.card_cost[c] for c in table if not rules.stays >> c & 1)
        out.append(plan[P.E_POT] + level(pot, plan[P.E_POT_LOW], plan[P.E_POT_SPAN], P.POT))
        put(P.E_WINS, hand & rules.beaters_mask(best))
    for s in range(suits):
        own = [c for c in bits(hand) if renumbered.suit_of[c] == s]
        left = [c for c in unseen if renumbered.suit_of[c] == s]
        out.append(plan[P.E_COUNT] + shown[s] * P.COUNTS + min(len(own), P.COUNTS - 1))
        out.append(plan[P.E_UNSEEN] + shown[s] * P.COUNTS + min(len(left), P.COUNTS - 1))
        masters = [c for c in own if all(rules.power[c] > rules.power[d] for d in left)]
        put(P.E_MASTER, sum(1 << c for c in masters))
    for block, cost in ((P.E_MINE, mine), (P.E_OTHERS, others)):
        out.append(plan[block] + level(cost, plan[P.E_LOW], plan[P.E_SPAN], P.FINE))
        out.append(plan[block] + P.FINE + level(cost, plan[P.E_LOW], plan[P.E_SPAN], P.COARSE))
    out.append(plan[P.E_LEFT] + hand.bit_count())
    goal = rules.goal(me)
    if goal.kind not in (GoalKind.MOST, GoalKind.LEAST):
        need = goal.n + (goal.kind is GoalKind.AT_MOST) - mine
        step = plan[P.E_STEP]
        out.append(plan[P.E_NEED] + (0 if need < 0 else min(P.NEEDS - 1, 1 + -(-need // step))))
    flags = (my_tricks == 0, their_tricks == 0, not view.tricks, view.broken)
    places = (plan[P.E_NO_TRICK], plan[P.E_NO_TRICK] + 1, plan[P.E_FLAGS], plan[P.E_FLAGS] + 1)
    out.extend(place for place, on in zip(places, flags, strict=True) if on)
    return sorted(out)


def sides(view: View) -> tuple[int, int]:
    """Who surely is, and who may be on the side of the seat that looks, as masks: where cards decide, by trying out
    every way in which those it does not see can lie.
    """
    rules, me = view.rules, view.seat
    assert rules is not None
    alliance, everyone = rules.alliance, (1 << rules.seats) - 1
    if alliance is None or not (alliance.cards or alliance.fixed_by_trick):
        return rules.side_mask(me), rules.side_mask(me)
    if not alliance.cards:
        assert rules.teams is not None
        if rules.teams.count(0) == 1 and len(view.tricks) < alliance.fixed_by_trick:
            return 1 << me, everyone
        return rules.side_mask(me), rules.side_mask(me)
    had = [known | played for known, played in zip(view.known, view.played, strict=False)]
    ours = {s for s in range(rules.seats) if had[s] & alliance.cards or s == alliance.declarer}
    ours |= {each.place for each in view.promised if not each.unless and not each.mask & ~alliance.cards}
    apart = {place for place, mask in view.excluded if not alliance.cards & ~mask}
    unknown = [c for c in bits(alliance.cards & ~view.gone) if not any(known >> c & 1 for known in view.known)]
    lie_apart = sum(known.bit_count() for known in view.known[rules.seats :])
    aside = sum(view.sizes[: rules.seats]) + view.gone.bit_count() + lie_apart < len(rules.deck)
    places = []
    for card in unknown:
        holders = [s for s in range(rules.seats) if s != me and s not in apart]
        if not rules.need_not_follow >> card & 1:
            holders = [s for s in holders if rules.suit_of[card] not in {rules.suit_of[c] for c in _voids(view, s)}]
        places.append([*holders, None] if aside or not holders else holders)
    ways = [ours | set(way) for way in itertools.product(*places)]
    mates = [{s for s in range(rules.seats) if (s in way) == (me in way)} for way in ways]
    return (
        sum(1 << s for s in range(rules.seats) if all(s in way for way in mates)),
        sum(1 << s for s in range(rules.seats) if any(s in way for way in mates)),
    )


def _voids(view: View, seat: int) -> list[int]:
    """A card led of each suit the seat did not follow."""
    rules = view.rules
    assert rules is not None
    found = {}
    for leader, cards in [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.table)]:
        k = (seat - leader) % rules.seats
        if not 0 < k < len(cards) or not rules.follow:
            continue
        led = suit_card(rules, cards[:k])
        if (rules.never_wins >> led | rules.never_wins >> cards[k]) & 1:
            continue
        if rules.suit_of[cards[k]] != rules.suit_of[led]:
            found[rules.suit_of[led]] = led
    return list(found.values())


def forward(arrays: dict[str, Any], index: Sequence[int]) -> list[int]:
    """The numbers of all cards by whole-number arithmetic. arrays: those of a ``Net``."""
    first, second, third = arrays["first"], arrays["second"], arrays["third"]
    sums = [sum(int(first[i][j]) for i in index) for j in range(first.shape[1])]
    one = [min(1023, max(0, (total + 32768) % 65536 - 32768)) for total in sums]  # those of int16, which wrap around
    two = []
    for k in range(second.shape[1]):
        total = int(second[-1][k]) + sum(one[j] * int(second[j][k]) for j in range(len(one)))
        two.append(min(1023, max(0, total // int(arrays["inner_unit"]))))
    return [int(third[-1][k]) + sum(two[j] * int(third[j][k]) for j in range(len(two))) for k in range(third.shape[1])]


def logits(shape: Any, weights: Any, index: Sequence[int], legal: Sequence[int]) -> Any:
    """The numbers of cards of one decision, in float64."""
    inputs_, hidden, inner, outputs = (int(x) for x in shape[:4])
    w = np.asarray(weights, float)
    first, rest = w[: inputs_ * hidden].reshape(inputs_, hidden), w[inputs_ * hidden :]
    second, third = (
        rest[: (hidden + 1) * inner].reshape(-1, inner),
        rest[(hidden + 1) * inner :][: (inner + 1) * outputs],
    )
    third = third.reshape(-1, outputs)
    one = np.clip(first[list(index)].sum(0), 0, 4)
    two = np.clip(one @ second[:-1] + second[-1], 0, 4)
    return (two @ third[:-1] + third[-1])[list(legal)]


def softmax(z: Any) -> Any:
    p = np.exp(z - z.max())
    return p / p.sum()


def loss(z: Any, gains: Any, entropy: float) -> float:
    """-(sum p gain + entropy * H) of one decision."""
    p = softmax(z)
    return -float(p @ gains - entropy * (p * np.log(p)).sum())


def even_loss(z: Any, before: Any, gains: Any, entropy: float, even: float) -> float:
    """What has the gradient of a decision at the numbers ``before``, advantages being weighed half evenly."""
    p = softmax(before)
    weight = (1 - even) * p + even / len(p)
    advantage = gains - entropy * np.log(p)
    return -float(weight * (advantage - weight @ advantage) @ z)


def shown_cards(view: View) -> dict[int, int]:
    """Where each card (deck index) is shown to the seat to play."""
    assert view.rules is not None
    encoding = Encoding.of(view.rules)
    shown, renumbered = _shown_suits(view, encoding), encoding.rules
    cards = range(len(renumbered.deck))
    order = sorted(cards, key=lambda c: (renumbered.suit_of[c], renumbered.power[c], c))
    lowest = {s: min(i for i, c in enumerate(order) if renumbered.suit_of[c] == s) for s in shown}
    return {c: lowest[shown[renumbered.suit_of[c]]] + i - lowest[renumbered.suit_of[c]] for i, c in enumerate(order)}


def gain(rules: Any, batch: Any, taken: Sequence[int], won: Sequence[int], seat: int) -> float:
    """What a finished game is worth to a seat by the goals of the rules, less the mean of the other sides' seats."""

    def worth(s: int) -> float:
        side = rules.side_mask(s)
        cost = sum(taken[t] for t in range(rules.seats) if side >> t & 1)
        goal, encoding = rules.goal(s), batch.encoding
        amount = goal.sense * (cost - encoding.low)
        if goal.kind is GoalKind.EXACTLY:
            amount = min(cost - goal.n, goal.n - cost)
        share = amount / max(1, encoding.span - 1)
        return share if goal.met(cost) is None else 0.2 * share + bool(goal.met(cost))

    others = [worth(s) for s in range(rules.seats) if not rules.side_mask(seat) >> s & 1]
    return worth(seat) - (sum(others) / len(others) if others else 0)
