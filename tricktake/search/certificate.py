"""Certificates: a proof of the paranoia search written down, and a verifier that trusts nothing but the rules.

A certificate gives a card for every position of the searcher that its plan can lead to. A position is named by all
that is publicly known in it, so that lines of play which lead to the same knowledge share one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from tricktake import worlds
from tricktake.cards import bits, unsigned
from tricktake.errors import AmbiguousName, InputError, InvalidCard, TricktakeError
from tricktake.rules import Goal, GoalKind
from tricktake.search.infoset import InfoSet
from tricktake.search.limit import Limit
from tricktake.search.opencard import Unknown
from tricktake.search.paranoia import Paranoia
from tricktake.view import View

MOST_ENTRIES = 2_000  # a hundred kB of JSON, and seconds to verify
VERSION = 1


class TooLarge(TricktakeError):
    """The plan has more positions than a certificate may have."""


class NotProven(TricktakeError):
    """There is no plan to certify."""


@frozen
class Certificate:
    """A plan that reaches a goal in every world. plan: position of the searcher (``key``) -> card to play, by name.

    tricks: the goal is counted in tricks, not in the cost of the rules.
    """

    goal: Goal
    plan: Mapping[str, str]
    tricks: bool = False

    def to_json(self) -> dict[str, Any]:
        """A compact JSON value."""
        goal = {"kind": self.goal.kind.name.lower(), "n": self.goal.n, "tricks": self.tricks}
        return {"certificate": VERSION, "goal": goal, "plan": dict(self.plan)}

    @classmethod
    def from_json(cls, value: object) -> Certificate:
        """Read what ``to_json`` gives. Raises InputError naming the field."""
        if not isinstance(value, dict) or value.get("certificate") != VERSION:
            raise InputError(None, None, "certificate", f"is not a certificate of version {VERSION}")
        goal, plan = value.get("goal"), value.get("plan")
        kinds = {kind.name.lower(): kind for kind in GoalKind}
        if not isinstance(goal, dict) or goal.get("kind") not in kinds or type(goal.get("n")) is not int:
            raise InputError(None, None, "goal", "needs a kind of goal and a whole number n")
        if type(goal.get("tricks", False)) is not bool:
            raise InputError(None, None, "goal.tricks", "must be true or false")
        if not isinstance(plan, dict) or not all(isinstance(x, str) for pair in plan.items() for x in pair):
            raise InputError(None, None, "plan", "must map positions to cards")
        return cls(Goal(kinds[goal["kind"]], goal["n"]), plan, goal.get("tricks", False))


def key(info: InfoSet) -> str:
    """The name of a position: hands of the searcher, cards on the table, what was taken, and what each hidden place
    may hold, as hexadecimal masks.
    """
    k = info.knowledge
    own = [f"{k.known[seat]:x}" for seat in range(info.rules.seats)]
    hidden = [f"{place.index}:{k.unseen & ~cannot:x}" for place, cannot in zip(k.hidden, k.cannot, strict=True)]
    table = "-".join(str(card) for card in info.table)
    flags = f"{info.leader}{'b' * info.broken}{'f' * info.first}"
    return " ".join([",".join(own), flags, table or "-", str(info.taken), ",".join(hidden) or "-"])


def settled(info: InfoSet, goal: Goal) -> bool:
    """Whether the goal is met whatever is still played: by everything or nothing of what is left."""
    if info.left == 0 and not info.table:
        rows = worlds.enumerate(info.knowledge) if info.knowledge.hidden else [info.knowledge.known]
        return all(goal.met(info.taken + _credit(info, row)) for row in rows)
    least, most = info.bounds
    return bool(goal.met(least) and goal.met(most))


def _credit(info: InfoSet, world: Any) -> int:
    """What the hidden cards of credited places bring in a world."""
    known = info.knowledge.known
    return sum(info.rules.cost_of(unsigned(int(world[p])) & ~known[p]) for p in bits(info.credited))


def certify(
    known: View | InfoSet,
    goal: Goal | None = None,
    limit: Limit | None = None,
    *,
    tricks: bool = False,
    most: int = MOST_ENTRIES,
    search: Paranoia | None = None,
) -> Certificate:
    """The plan of a proof. limit: for each position of the plan.

    tricks: the goal counts tricks. Raises NotProven if the goal is not sure, Unknown if the limit came first, TooLarge
    beyond ``most`` entries (early in a deal plans have millions of positions).
    """
    info = _start(known, tricks)
    goal = goal or info.rules.goal(next(bits(info.team)))
    search = search or Paranoia()
    plan: dict[str, str] = {}
    todo, seen = [info], {key(info)}
    while todo:
        info = todo.pop()
        if settled(info, goal):
            continue
        if info.my_turn or not plan:
            proof = search.prove(info, goal, limit, fresh=not plan)
            if proof.answer is None:
                raise Unknown(f"no proof within {proof.nodes} nodes")
            if not proof:
                raise NotProven("the goal is not sure here: in some world no plan reaches it")
        if info.my_turn:
            if len(plan) >= most:
                raise TooLarge(f"the plan has more than {most:,} positions; a later position needs fewer")
            plan[key(info)] = info.rules.deck[proof.card].name
            following = [info.after(proof.card)]
        else:
            following = [after for _, after in info.answers()]
        for after in following:
            if (name := key(after)) not in seen:
                seen.add(name)
                todo.append(after)
    return Certificate(goal, plan, tricks)


def verify(certificate: Certificate, known: View | InfoSet) -> list[str]:
    """Follow every line of play that fits what is known: where the plan fails, empty if it holds.

    Uses the rules and the knowledge, nothing of the search.
    """
    info = _start(known, certificate.tricks)
    todo, seen = [info], {key(info)}
    while todo:
        info = todo.pop()
        name = key(info)
        if settled(info, certificate.goal):
            continue
        if info.left == 0 and not info.table:
            return [f"the goal is missed with {info.taken} taken: {name}"]
        if info.my_turn:
            try:
                card = info.rules.deck.card(certificate.plan[name]).index
            except KeyError:
                return [f"no card is given for a position that can come about: {name}"]
            except (InvalidCard, AmbiguousName) as error:
                return [f"{error}: {name}"]
            if not info.choices_mask() >> card & 1:
                return [f"{certificate.plan[name]} is not legal: {name}"]
            following = [info.after(card)]
        else:
            following = [after for _, after in info.answers()]
        for after in following:
            if (name := key(after)) not in seen:
                seen.add(name)
                todo.append(after)
    return []


def _start(known: View | InfoSet, tricks: bool) -> InfoSet:
    if isinstance(known, InfoSet):
        return known
    rules = known.rules
    return InfoSet.from_view(known, rules.counting_tricks() if rules is not None and tricks else rules)
