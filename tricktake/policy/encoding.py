"""What the inputs of a policy are for given rules: one plan for all contracts that play alike.

Trumps come first, so that a heart game is a club game; suits that could change places are shown in the order of the
hand that looks at them (``_kernels.policy_encode``). Teams and goals are no part of it: they are seen at the table.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

import numpy as np
from attrs import evolve, fields, frozen

from tricktake._kernels import policy_layout as P
from tricktake._kernels.layout import MAX_SUITS
from tricktake.alliance import Alliance
from tricktake.arrays import IntArray
from tricktake.cards import bits
from tricktake.rules import CompiledRules, Duty, Goal, GoalKind, TrickRules

VERSION = P.VERSION

CARD_SETS = (
    "lead_limit", "lead_excuse", "breakers", "first_lead", "first_ban", "always_legal", "need_not_follow",
    "always_wins", "never_wins", "stays", "other_ties", "last_resort",
)  # fmt: skip
"""Fields of rules that are masks over the deck."""


@frozen(eq=False)
class Encoding:
    """How a policy sees a game.

    rules: with suits renumbered, trumps first; teams, goals and credits are left out, hidden ones too, since cards
    decide them in the plan. compiled: their arrays; its cards
    are those of the policy, ``to_deck`` leads to the deck's. plan: the numbers of the inputs
    (``_kernels.policy_layout``).
    key: the same for all rules that play alike but for names of suits.
    """

    rules: TrickRules
    compiled: CompiledRules
    plan: IntArray
    key: str

    @classmethod
    def of(cls, rules: TrickRules) -> Encoding:
        """The encoding for rules (cached)."""
        return _of(rules)

    @property
    def inputs(self) -> int:
        return int(self.plan[P.E_INPUTS])

    @property
    def cards(self) -> int:
        return int(self.plan[P.E_CARDS])

    @property
    def seats(self) -> int:
        return int(self.plan[P.E_SEATS])

    @property
    def hidden(self) -> bool:
        """Whether teams are hidden."""
        return bool(self.plan[P.E_ALLIED_BY] or self.plan[P.E_FOUND_BY])

    @property
    def low(self) -> int:
        """The least cost a side can have."""
        return int(self.plan[P.E_LOW])

    @property
    def span(self) -> int:
        """How many costs there are from ``low`` on."""
        return int(self.plan[P.E_SPAN])


@lru_cache(maxsize=1 << 12)
def _of(rules: TrickRules) -> Encoding:
    teams = rules.teams if rules.spare_partner else None  # who need not be trumped is part of the play
    plain = evolve(rules, teams=teams, goals=(), seat_goals=(), credits=(), unsaid="", alliance=None)
    hidden = rules.alliance if hides_teams(rules) else None
    if hidden is not None and hidden.declarer is not None:
        hidden = evolve(hidden, declarer=0)  # whoever it is
    # Each for itself towards a number: then how far the others are matters besides.
    needs = rules.teams is None and any(goal_cost(rules.goal(seat)) != P.NO_GOAL for seat in range(rules.seats))
    return _encoding(plain, hidden, needs and rules.alliance is None)


def hides_teams(rules: TrickRules) -> bool:
    """Whether who plays together depends on cards that were dealt, or on the first tricks."""
    return rules.alliance is not None and bool(rules.alliance.cards or rules.alliance.fixed_by_trick)


def goal_cost(goal: Goal) -> int:
    """The cost at which a goal is decided, one way or the other; ``NO_GOAL`` if it has no number."""
    match goal.kind:
        case GoalKind.AT_LEAST | GoalKind.EXACTLY:
            return goal.n
        case GoalKind.AT_MOST:
            return goal.n + 1
        case _:
            return P.NO_GOAL


def _renumbered(rules: TrickRules, order: tuple[int, ...]) -> TrickRules:
    """The rules with the suits of ``order`` as 0, 1, ... and the cards of each suit as 0, 1, ... by power."""
    new = {suit: number for number, suit in enumerate(order)}
    powers = {suit: sorted({p for s, p in zip(rules.suit_of, rules.power, strict=True) if s == suit}) for suit in order}
    return evolve(
        rules,
        suit_of=tuple(new[suit] for suit in rules.suit_of),
        power=tuple(powers[suit].index(power) for suit, power in zip(rules.suit_of, rules.power, strict=True)),
        trump=None if rules.trump is None else new[rules.trump],
    )


def _moved(compiled: CompiledRules, hidden: Alliance | None) -> list[int]:
    """What decides hidden teams, in cards of the encoding."""
    if hidden is None:
        return [0, 0, 0]
    return [compiled.mask_from_deck(hidden.cards), hidden.fixed_by_trick, compiled.mask_from_deck(hidden.led)]


def _bytes(compiled: CompiledRules, hidden: Alliance | None) -> bytes:
    parts = (compiled.header, compiled.cards, compiled.suits, np.array(_moved(compiled, hidden), np.int64))
    return b"".join(part.tobytes() for part in parts)


def _like(rules: TrickRules, hidden: Alliance | None, order: tuple[int, ...]) -> list[int]:
    """For each suit of ``order`` the first one it could change places with: then nothing compiled changes."""
    plain = _bytes(_renumbered(rules, order).compile(), hidden)
    first = list(range(len(order)))
    for b in range(len(order)):
        for a in range(b):
            swapped = list(order)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            if first[a] == a and _bytes(_renumbered(rules, tuple(swapped)).compile(), hidden) == plain:
                first[b] = a
                break
    return first


@lru_cache(maxsize=1024)
def _encoding(rules: TrickRules, hidden: Alliance | None, needs: bool) -> Encoding:
    # After trumps the suits of the cards that decide teams, so that it does not matter which ace is called.
    called = {rules.suit_of[card] for card in bits(hidden.cards)} if hidden is not None else set()
    suits = sorted(set(rules.suit_of), key=lambda suit: (suit != rules.trump, suit not in called, suit))
    # A trump suit no card belongs to leaves no trace.
    if rules.trump is not None and rules.trump not in suits:
        rules = evolve(rules, trump=None)
    renumbered = _renumbered(rules, tuple(suits))
    compiled = renumbered.compile()
    plan = _plan(renumbered, _like(rules, hidden, tuple(suits)), needs)
    plan[[P.E_ALLIED_BY, P.E_FOUND_BY, P.E_FOUND_LED]] = _moved(compiled, hidden)
    return Encoding(renumbered, compiled, plan, _key(renumbered, compiled, hidden, needs))


def _key(rules: TrickRules, compiled: CompiledRules, hidden: Alliance | None, needs: bool) -> str:
    """A hash of what the rules say that is not left at its default: fields to come do not change it."""
    said: dict[str, object] = {"version": VERSION, "cards": compiled.cards.T.tolist()}
    for each in fields(TrickRules):
        value = getattr(rules, each.name)
        default = getattr(each.default, "factory", each.default)
        if each.name in ("deck", "suit_of", "power", "card_cost") or value == default:
            continue
        if each.name in CARD_SETS:
            value = compiled.mask_from_deck(value)
        elif isinstance(value, Duty):
            value = [compiled.mask_from_deck(value.cards), value.length]
        said[each.name] = value
    if hidden is not None:
        said["alliance"] = [hidden.declarer is not None, *_moved(compiled, hidden)]
    if needs:
        said["needs"] = True
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=int).encode()).hexdigest()[:16]


def _plan(rules: TrickRules, like: list[int], needs: bool) -> IntArray:
    cards, seats, suits = len(rules.deck), rules.seats, len(like)
    held = cards // seats
    extra = [rules.trick_cost] * held + [rules.last_trick_bonus]
    low = sum(min(cost, 0) for cost in (*rules.card_cost, *extra))
    span = sum(max(cost, 0) for cost in (*rules.card_cost, *extra)) - low + 1
    dear = sorted(rules.card_cost)
    pot_low, pot_high = min(0, sum(dear[: seats - 1])), max(0, sum(dear[1 - seats :]))
    plan = np.zeros(P.E_SIZE, np.int64)
    plan[P.E_SEATS], plan[P.E_CARDS], plan[P.E_SUITS] = seats, cards, suits
    plan[P.E_LOW], plan[P.E_SPAN] = low, span
    plan[P.E_POT_LOW], plan[P.E_POT_SPAN] = pot_low, pot_high - pot_low + 1
    plan[P.E_STEP] = -(-span // P.NEEDS)
    others = seats - 1
    sizes = {
        P.E_HAND: cards, P.E_PLAYED: seats * cards, P.E_TABLE: others * cards, P.E_ASIDE: cards,
        P.E_KNOWN: others * cards, P.E_WINS: cards, P.E_MASTER: cards, P.E_VOID: others * suits, P.E_LED: suits,
        P.E_POSITION: seats, P.E_BEST: others, P.E_COUNT: suits * P.COUNTS, P.E_UNSEEN: suits * P.COUNTS,
        P.E_TAKEN: seats * P.OWN, P.E_MINE: P.FINE + P.COARSE, P.E_OTHERS: P.FINE + P.COARSE, P.E_NEED: P.NEEDS,
        P.E_POT: P.POT, P.E_LEFT: held + 1, P.E_NO_TRICK: 2, P.E_ALLY: others, P.E_MAYBE: others, P.E_FLAGS: 2,
    }  # fmt: skip
    if needs:
        sizes[P.E_THEIR_NEED] = others * P.OWN
    start = 1  # input 0 is always set
    for block, size in sizes.items():
        plan[block] = start
        start += size
    plan[P.E_INPUTS] = start
    plan[P.E_LIKE : P.E_LIKE + MAX_SUITS] = [*like, *range(suits, MAX_SUITS)]
    return plan
