"""Certificates: they hold for what is proven, and any damage is found."""

from __future__ import annotations

import json
import random

import pytest
from attrs import evolve
from tricktake_skat.contract import SkatContract
from tricktake_skat.rules import skat_rules

from tests.endings import ending
from tricktake.cards import bits
from tricktake.errors import InputError
from tricktake.rules import Goal, GoalKind
from tricktake.search.certificate import Certificate, NotProven, TooLarge, certify, verify
from tricktake.search.infoset import InfoSet
from tricktake.search.limit import Limit
from tricktake.search.opencard import Unknown
from tricktake.search.paranoia import Paranoia

SEARCH = Paranoia(1, doubts=())
SKAT = {name: skat_rules(SkatContract.from_text(f"0:{name}@18")) for name in ("C", "G", "N", "CH")}


def cases(n: int, size: int = 3) -> list[tuple[InfoSet, Goal]]:
    """Endings, and the most that is sure in them."""
    rng, out = random.Random(3), []
    while len(out) < n:
        name, seat = rng.choice(list(SKAT)), rng.randrange(3)
        seen = seat == 0 and name != "CH"
        info = ending(SKAT[name], size if seen else 2, rng, seat=seat, aside=("skat", 2), seen=seen)
        kind = GoalKind.AT_LEAST if info.rules.goal(next(bits(info.team))).sense > 0 else GoalKind.AT_MOST
        out.append((info, Goal(kind, SEARCH.guaranteed(info).value)))
    return out


def test_what_is_proven_verifies() -> None:
    entries = 0
    for info, goal in cases(40):
        certificate = certify(info, goal, search=SEARCH)
        again = Certificate.from_json(json.loads(json.dumps(certificate.to_json())))
        assert again == certificate
        assert verify(again, info) == []
        entries += len(certificate.plan)
    assert entries > 100


def test_damage_is_found() -> None:
    missing = wrong = 0
    for info, goal in cases(40):
        certificate = certify(info, goal, search=SEARCH)
        more = evolve(certificate, goal=Goal(goal.kind, goal.n + goal.sense))
        assert verify(more, info)
        if not certificate.plan:
            continue
        left, card = next(iter(certificate.plan.items()))
        missing += bool(
            verify(evolve(certificate, plan={k: c for k, c in certificate.plan.items() if k != left}), info)
        )
        other = {**certificate.plan, left: "C7" if card != "C7" else "D7"}
        wrong += bool(verify(evolve(certificate, plan=other), info))
        assert verify(evolve(certificate, plan={**certificate.plan, left: "XX"}), info)
    assert missing > 20
    assert wrong > 20


def test_what_cannot_be_certified_is_refused() -> None:
    info, goal = cases(1)[0]
    with pytest.raises(NotProven):
        certify(info, Goal(goal.kind, goal.n + goal.sense), search=SEARCH)
    for info, goal in cases(100, 4):
        if info.left == 4 and info.my_turn and goal.n > 15 and len(certify(info, goal).plan) > 3:
            with pytest.raises(TooLarge, match="more than 3 positions"):
                certify(info, goal, most=3, search=SEARCH)
            with pytest.raises(Unknown):
                certify(info, goal, Limit(nodes=1), search=SEARCH)
            break
    else:
        pytest.fail("no such ending")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"certificate": 9}, "certificate"),
        ({"goal": {"kind": "win", "n": 3}}, "goal"),
        ({"goal": {"kind": "at_least", "n": "3"}}, "goal"),
        ({"goal": {"kind": "at_least", "n": 3, "tricks": 1}}, "goal.tricks"),
        ({"plan": {"a": 3}}, "plan"),
    ],
)
def test_a_certificate_is_read_with_care(change: dict[str, object], field: str) -> None:
    good = Certificate(Goal(GoalKind.AT_LEAST, 61), {}).to_json()
    with pytest.raises(InputError) as error:
        Certificate.from_json({**good, **change})
    assert error.value.field == field
