"""The rules of the tricks as JSON: everything a ``TrickRules`` says, with cards by their names.

Every key is always there: sets of cards are lists, flags are true or false. docs/rules.md explains the fields.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tricktake.alliance import UNKNOWN, Alliance
from tricktake.deal import Layout
from tricktake.errors import InputError
from tricktake.messages.actions import Naming
from tricktake.messages.reading import Node
from tricktake.rules import Aim, Duty, Goal, GoalKind, Overtake, Tie, TrickRules

NUMBERS = ("trick_cost", "last_trick_bonus")
FLAGS = ("follow", "trump_when_void", "spare_partner", "no_undertrump", "last_ties")
SETS = (
    "lead_limit",
    "lead_excuse",
    "breakers",
    "first_lead",
    "first_ban",
    "last_resort",
    "always_legal",
    "need_not_follow",
    "always_wins",
    "never_wins",
    "stays",
    "other_ties",
)
PER_CARD = {"suit": "suit_of", "power": "power", "cost": "card_cost"}  # key -> field


@lru_cache(maxsize=256)
def rules_to_json(rules: TrickRules, layout: Layout) -> dict[str, Any]:
    """The rules as an object (cached: not to be changed)."""
    naming = Naming(layout)
    names = [card.name for card in rules.deck]
    out: dict[str, Any] = {"seats": rules.seats, "trump": rules.trump}
    for key, field in PER_CARD.items():
        out[key] = dict(zip(names, getattr(rules, field), strict=True))
    out |= {key: getattr(rules, key) for key in (*NUMBERS, *FLAGS)}
    out |= {key: naming.cards(getattr(rules, key)) for key in SETS}
    out["ties"], out["overtake"] = rules.ties.name.lower(), rules.overtake.name.lower()
    out["teams"] = None if rules.teams is None else [None if team == UNKNOWN else team for team in rules.teams]
    out["goals"] = [goal_to_json(goal) for goal in rules.goals]
    out["seat_goals"] = [None if goal is None else goal_to_json(goal) for goal in rules.seat_goals]
    out["credits"] = [{"place": place, "seat": seat} for place, seat in rules.credits]
    duty, alliance = rules.duty, rules.alliance
    out["duty"] = None if duty is None else {"cards": naming.cards(duty.cards), "length": duty.length}
    out["alliance"] = None
    if alliance is not None:
        out["alliance"] = {
            "cards": naming.cards(alliance.cards),
            "declarer": alliance.declarer,
            "fixed_by_trick": alliance.fixed_by_trick,
            "led": naming.cards(alliance.led),
        }
    out["unsaid"] = rules.unsaid
    return out


def rules_from_json(node: Node, naming: Naming) -> TrickRules:
    """The rules of an object. Raises InputError."""
    deck = naming.deck
    fields: dict[str, Any] = {key: node[key].number() for key in NUMBERS}
    fields |= {key: node[key].flag() for key in FLAGS}
    fields |= {key: naming.read_cards(node[key]) for key in SETS}
    for key, field in PER_CARD.items():
        found = node[key]
        fields[field] = tuple(found[card.name].number() for card in deck)
    fields["ties"] = Tie[node["ties"].word(_words(Tie)).upper()]
    fields["overtake"] = Overtake[node["overtake"].word(_words(Overtake)).upper()]
    fields["trump"] = None if node["trump"].null else node["trump"].number(0)
    teams = node["teams"]
    fields["teams"] = None if teams.null else teams.several(lambda n: UNKNOWN if n.null else n.number(0))
    fields["goals"] = node["goals"].several(goal_from_json)
    fields["seat_goals"] = node["seat_goals"].several(lambda n: None if n.null else goal_from_json(n))
    fields["credits"] = node["credits"].several(
        lambda n: (naming.layout.names[naming.read_place(n["place"])], naming.read_seat(n["seat"]))
    )
    fields["unsaid"] = node["unsaid"].text()
    duty, alliance = node["duty"], node["alliance"]
    try:
        if not duty.null:
            fields["duty"] = Duty(naming.read_cards(duty["cards"]), duty["length"].number(0))
        if not alliance.null:
            declarer = alliance["declarer"]
            fields["alliance"] = Alliance(
                naming.read_cards(alliance["cards"]),
                None if declarer.null else naming.read_seat(declarer),
                alliance["fixed_by_trick"].number(0),
                naming.read_cards(alliance["led"]),
            )
        return TrickRules(deck, node["seats"].number(2, naming.layout.seats), **fields)
    except InputError:
        raise
    except ValueError as error:  # of the rules themselves
        raise node.wrong(str(error)) from None


def goal_to_json(goal: Goal) -> dict[str, Any]:
    return {"kind": goal.kind.name.lower(), "n": goal.n}


def goal_from_json(node: Node) -> Goal:
    """Raises InputError."""
    return Goal(GoalKind[node["kind"].word(_words(GoalKind)).upper()], node["n"].number())


def aim_to_json(aim: Aim) -> dict[str, Any]:
    return {"name": aim.name, "goal": goal_to_json(aim.goal), "tricks": aim.tricks}


def aim_from_json(node: Node) -> Aim:
    """Raises InputError."""
    return Aim(node["name"].text(), goal_from_json(node["goal"]), node["tricks"].flag())


def _words(names: type[Tie | Overtake | GoalKind]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names.__members__)
