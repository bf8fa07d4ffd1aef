"""What a contract and the announcements mean for the play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from attrs import evolve

from tricktake.alliance import Alliance
from tricktake.rules import Aim, Goal, GoalKind, TrickRules
from tricktake_doppelkopf.contract import NORMAL, WEDDING, DoppelkopfContract
from tricktake_doppelkopf.pack import EYES, SEATS, SUITS, Pack

Tens = Literal["first", "second", "second-not-last"]

RE, KONTRA = 0, 1  # the teams
CLEARING = 3  # a wedding finds its partner within so many tricks
TRUMP = len(SUITS)  # the play suit of the trumps
NONE = -1  # nothing announced; 0 is Re or Kontra, 1 to 4 are no 90, no 60, no 30, black
BLACK = 4
ALL = 240
HALF = 121
TARGETS = (HALF, 151, 181, 211, ALL)  # eyes that keep what was announced
SAVES = (120, 90, 60, 30, 1)  # eyes that refute it


def needed(levels: Sequence[int], side: int) -> int:
    """The eyes that win for a side, given the ``levels`` both have announced (tournament rules 7.1).

    Who announced at least no 90 has to keep it; else it is enough to refute the other side. Nothing of the kind said,
    Re needs 121, but 120 if Kontra alone was announced. Black (no trick for the others) counts as all 240 eyes, and one
    eye refutes it; the score looks at tricks.
    """
    own, other = levels[side], levels[1 - side]
    if own > 0:
        return TARGETS[own]
    if other > 0:
        return SAVES[other]
    lone_kontra = levels[KONTRA] == 0 and levels[RE] == NONE
    return HALF if lone_kontra == (side == KONTRA) else ALL - HALF + 1


@lru_cache(maxsize=256)
def goals(re: int, kontra: int) -> tuple[Goal, Goal]:
    """The goals of both teams after announcements."""
    return (
        Goal(GoalKind.AT_LEAST, needed((re, kontra), RE)),
        Goal(GoalKind.AT_LEAST, needed((re, kontra), KONTRA)),
    )


@lru_cache(maxsize=256)
def play_rules(pack: Pack, contract: DoppelkopfContract, tens: Tens) -> TrickRules:
    """The rules of play before any announcement."""
    trumps = trump_order(pack, contract)
    suit_of, power = [], []
    for card in pack.deck:
        trump = card.kind in trumps
        suit_of.append(TRUMP if trump else SUITS.index(card.suit))
        power.append(trumps.index(card.kind) if trump else pack.deck.ranks.index(card.rank))
    more: dict[str, Any] = {}
    if contract.kind == NORMAL:
        more["alliance"] = Alliance(pack.queens)
    elif contract.kind == WEDDING:
        more["alliance"] = Alliance(declarer=contract.declarer, fixed_by_trick=CLEARING)
    else:
        more["teams"] = tuple(RE if seat == contract.declarer else KONTRA for seat in range(SEATS))
    if tens != "first" and contract.suit is not None:
        more |= {"other_ties": pack.tens, "last_ties": tens == "second-not-last"}
    return TrickRules(
        pack.deck,
        SEATS,
        tuple(suit_of),
        tuple(power),
        trump=TRUMP if trumps else None,
        card_cost=tuple(EYES[card.rank] for card in pack.deck),
        goals=goals(NONE, NONE),
        **more,
    )


def trump_order(pack: Pack, contract: DoppelkopfContract) -> list[str]:
    """The kinds of trumps, weakest first."""
    jacks, queens = [s + "J" for s in SUITS], [s + "Q" for s in SUITS]
    if contract.suit is None:
        return {"jacks": jacks, "queens": queens}.get(contract.kind, [])
    plain = [contract.suit + r for r in pack.deck.ranks if r not in "JQ" and contract.suit + r != "HT"]
    return [*plain, *jacks, *queens, "HT"]


@lru_cache(maxsize=1024)
def with_goals(rules: TrickRules, re: int, kontra: int) -> TrickRules:
    """The same play after announcements."""
    return evolve(rules, goals=goals(re, kontra))


def aims(rules: TrickRules, seat: int, tricks: int) -> tuple[Aim, ...]:
    """The goal, and the steps below and above it at which a game point changes hands."""
    goal = rules.goal(seat)
    steps = [Aim(f"{n} eyes", Goal(GoalKind.AT_LEAST, n)) for n in (30, 60, 90) if n < goal.n]
    further = [Aim(f"no {ALL - n + 1}", Goal(GoalKind.AT_LEAST, n)) for n in (151, 181, 211) if n > goal.n]
    return (
        Aim("a trick", Goal(GoalKind.AT_LEAST, 1), tricks=True),
        *steps,
        Aim("the game", goal),
        *further,
        Aim("black", Goal(GoalKind.AT_LEAST, tricks), tricks=True),
    )
