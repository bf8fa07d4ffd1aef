"""The paranoia search: the defects of the published listings (KBPS-8, 19), goals, limits, aims, and the strategy."""

from __future__ import annotations

import random
from typing import Any

import numba
import numpy as np
import pytest
from attrs import evolve
from tricktake_skat.contract import SkatContract
from tricktake_skat.deck import LAYOUT, SKAT
from tricktake_skat.game import SkatGame
from tricktake_skat.rules import skat_rules

from tests.endings import ending
from tests.naive_paranoia import WorldSet
from tricktake import bench
from tricktake.cards import Deck
from tricktake.deal import Deal, Layout, deal
from tricktake.errors import InputError
from tricktake.knowledge import Knowledge
from tricktake.rules import Duty, Goal, GoalKind, Overtake, TrickRules
from tricktake.search.aims import Ladder
from tricktake.search.certificate import certify, verify
from tricktake.search.infoset import InfoSet
from tricktake.search.limit import Limit
from tricktake.search.opencard import Unknown
from tricktake.search.paranoia import Paranoia, Unsearchable, guaranteed, prove
from tricktake.strategies.player import StrategySpec
from tricktake.strategies.recommend import Situation
from tricktake.table import Table
from tricktake.view import View

SEARCH = Paranoia(1)
PLAIN = Paranoia(1, doubts=())
GRAND, SUIT = (skat_rules(SkatContract.from_text(f"0:{name}@18")) for name in ("G", "C"))


def skat_ending(
    hands: str, seat: int, rules: TrickRules = GRAND, *, skat: str, leader: int = 0, **cannot: str
) -> InfoSet:
    """An ending of Skat; ``s0="H"`` says that seat 0 is known to have no hearts, ``s3`` is the skat."""
    masks = [SKAT.parse_mask(hand) for hand in [*hands.split("|"), skat]]
    known = [mask if place == seat or (seat == 0 and place == 3) else 0 for place, mask in enumerate(masks)]
    voids = {int(name[1:]): sum(SKAT.of_suit_mask(s) for s in suits) for name, suits in cannot.items()}
    gone = SKAT.full_mask & ~sum(masks)
    knowledge = Knowledge.make(LAYOUT, known, [m.bit_count() for m in masks], gone, voids)
    return InfoSet(rules, knowledge, 1 << seat, rules.side_mask(seat), leader)


def played(info: InfoSet, *cards: str) -> InfoSet:
    for name in cards:
        info = info.after(SKAT.card(name).index)
    return info


def names(mask: int) -> str:
    return SKAT.names(mask)


# -- the defects of the published listings ----------------------------------------------------------------------------


def test_card_number_0_is_a_card_on_the_table() -> None:
    """KBPS-8: ``if (c = firstcardontable(i))`` takes card 0, here the seven of clubs, for no card."""
    rng, found = random.Random(8), 0
    while found < 30:
        info = ending(rng.choice((GRAND, SUIT)), 2, rng, seat=rng.randrange(3), aside=("skat", 2))
        if info.table[:1] == (0,):
            found += 1
            assert PLAIN.guaranteed(info).value == WorldSet(info).value()


def test_knowledge_is_as_before_after_every_branch() -> None:
    """KBPS-8: the first listing restores only a part of the sets when it passes a card over."""
    rng = random.Random(9)
    for _ in range(30):
        info = ending(SUIT, 3, rng, aside=("skat", 2), seen=True)
        values = {card: PLAIN.guaranteed(after).value for card, after in info.answers()}
        best = max(values.values()) if info.my_turn else min(values.values())
        assert PLAIN.guaranteed(info).value == best


def test_the_classes_a_declarer_cannot_hold_lie_in_the_skat() -> None:
    """KBPS-19: no deduction for cards of the declarer or the skat once the declarer does not follow."""
    info = skat_ending("SA S7|H7 HA|S8 S9", 1, skat="HT HK", leader=1, s2="H")
    assert names(info.knowledge.may_hold_mask(0) & SKAT.of_suit_mask("H")) == "HT HK"
    after = played(info, "H7", "S8", "SA")
    assert names(after.knowledge.may_hold_mask(3)) == "HT HK"
    assert names(after.knowledge.may_hold_mask(0)) == "S9 S7"
    assert SEARCH.guaranteed(info).value == WorldSet(info).value()


def test_the_skat_has_two_cards() -> None:
    """KBPS-19: three cards of a class that neither partner nor declarer holds are one too many."""
    info = skat_ending("HT SA|H7 HA|S8 S9", 1, skat="HK HQ", leader=1, s2="H")
    info = played(info, "H7", "S8")
    assert names(info.choices_mask()) == "HT HK HQ"  # he must hold one of the three, and follow
    assert SEARCH.guaranteed(info).value == WorldSet(info).value()


def test_partner_and_skat_have_room_for_so_many() -> None:
    """KBPS-19: of five hearts two and two lie with partner and skat at most, so the declarer has one."""
    info = skat_ending("HT SA|H7 HA|HQ H9", 1, skat="HK H8", leader=1)
    info = played(info, "H7")
    partner = info.choices_mask()
    assert names(partner & SKAT.of_suit_mask("S")) == ""
    after = played(info, "HQ")
    assert names(after.choices_mask() & ~SKAT.of_suit_mask("H")) == ""
    assert SEARCH.guaranteed(info).value == WorldSet(info).value()


def test_the_skat_counts_for_the_declarer_at_the_end() -> None:
    """KBPS-17: the cards that were never played score for him; without having seen them, at worst the cheapest."""
    hand_game = skat_rules(SkatContract.from_text("0:GH@18"))
    cards = SKAT.parse_mask("D7 S7 HA HT HK")
    knowledge = Knowledge.make(LAYOUT, (SKAT.parse_mask("D7"), 0, 0, 0), (1, 1, 1, 2), SKAT.full_mask & ~cards)
    info = InfoSet(hand_game, knowledge, 0b001, 0b001, leader=1)
    assert SEARCH.guaranteed(info).value == 0 + 4  # the seven and the king


# -- goals and limits -------------------------------------------------------------------------------------------------


def test_a_goal_must_have_a_number() -> None:
    info = ending(bench.hearts_rules(), 2, random.Random(1))
    with pytest.raises(Unsearchable, match="nothing to prove"):
        prove(info)
    assert guaranteed(info).value == -WorldSet(info).value()


def test_exactly_n_has_no_guaranteed_value() -> None:
    rules = TrickRules.plain(bench.DECK, 3, trick_cost=1, goals=(Goal(GoalKind.EXACTLY, 1),) * 3)
    info = ending(rules, 2, random.Random(2))
    with pytest.raises(Unsearchable, match="guaranteed"):
        guaranteed(info)
    assert prove(info).answer is WorldSet(info).exactly(1)


def test_too_many_hidden_places() -> None:
    rules = TrickRules.plain(bench.DECK, 2)
    info = ending(rules, 2, random.Random(3))
    layout = info.knowledge.layout
    wide = Layout(layout.deck, (2, 2), tuple((f"x{i}", 1) for i in range(9)))
    knowledge = Knowledge.make(wide, (3, *[0] * 10), wide.sizes)
    with pytest.raises(Unsearchable, match="hidden"):
        prove(InfoSet(rules, knowledge, 1, 1, 0), Goal(GoalKind.AT_LEAST, 1))


def test_a_hand_that_is_played_must_be_known() -> None:
    info = ending(GRAND, 2, random.Random(4), aside=("skat", 2))
    with pytest.raises(ValueError, match="does not know its hand"):
        prove(evolve(info, mine=0b11))


def full_deal(number: int, contract: str) -> Table:
    return Table.at_contract(SkatGame(), deal(LAYOUT, 4, number), SkatContract.from_text(contract))


@pytest.mark.parametrize("doubts", [(), (4, 12)])
def test_nodes_are_kept_to(doubts: tuple[int, ...]) -> None:
    search = Paranoia(1, doubts=doubts)
    unknown = 0
    for number in range(8):
        view = full_deal(number, "0:C@18").view(0)
        for nodes in (1, 50, 2000):
            proof = search.prove(view, limit=Limit(nodes=nodes))
            assert proof.nodes <= nodes
            unknown += proof.answer is None
            found = search.guaranteed(view, Limit(nodes=nodes))
            assert found.nodes <= nodes
            assert found.lower <= found.upper
    assert unknown


def test_seconds_are_looked_at() -> None:
    view = full_deal(1, "0:C@18").view(0)
    assert prove(view, limit=Limit(seconds=1e-9)).answer is None
    found = guaranteed(view, Limit(seconds=1e-9))
    with pytest.raises(Unknown):
        assert found.value


def test_the_same_question_takes_the_same_nodes() -> None:
    info = ending(SUIT, 4, random.Random(5), aside=("skat", 2), seen=True)
    first = SEARCH.prove(info, Goal(GoalKind.AT_LEAST, 20))
    SEARCH.guaranteed(ending(GRAND, 4, random.Random(6), aside=("skat", 2), seen=True))
    assert SEARCH.prove(info, Goal(GoalKind.AT_LEAST, 20)) == first


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="takes minutes")
def test_nodes_do_not_depend_on_earlier_questions_in_a_full_table() -> None:
    search = Paranoia(1, doubts=())
    infos = [bench.seen_by_leader(state) for state in bench.deals(bench.eyes_rules(), 7, 30, 3)]
    goal = Goal(GoalKind.AT_LEAST, 28)
    hard = max(infos, key=lambda info: search.prove(info, goal).nodes)
    assert len({search.prove(hard, goal).nodes for _ in range(5)}) == 1


# -- aims -------------------------------------------------------------------------------------------------------------

ALL_CLUBS = "CA CT CK CQ C9 C8 C7 CJ SJ HJ"


def skat_table(hands: str, contract: str) -> Table:
    masks = [SKAT.parse_mask(hand) for hand in hands.split("|")]
    return Table.at_contract(
        SkatGame(), Deal(LAYOUT, (*masks, SKAT.full_mask & ~sum(masks))), SkatContract.from_text(contract)
    )


def test_a_declarer_goes_on_to_schneider_and_schwarz() -> None:
    rest = [card.name for card in SKAT if card.name not in ALL_CLUBS.split()]
    table = skat_table(f"{ALL_CLUBS}|{' '.join(rest[:10])}|{' '.join(rest[10:20])}", "0:C@18")
    found = Ladder(table.view(0), SEARCH).secured()
    assert found is not None
    assert found.aim.name == "Schwarz"
    assert found.aim.tricks
    only = Ladder(table.view(0), SEARCH, further=False).secured()
    assert only is not None
    assert only.aim.name == "the contract"


def test_defenders_of_a_lost_cause_save_what_they_can() -> None:
    """KBPS-21: out of Schneider, or a trick, once the declarer has won; each proof can be certified."""
    rng, found = random.Random(21), set()
    for number in range(300):
        table = full_deal(number, "0:G@18")
        while not table.over and len(found) < 2:
            view = table.view(table.turn or 0)
            if view.turn and 6 <= len(view.tricks) < 9:
                assert [aim.name for aim in view.aims][2] == "breaking the contract"
                secured = Ladder(view, SEARCH).secured()
                if secured is not None and secured.aim.name in ("a trick", "out of Schneider"):
                    found.add(secured.aim.name)
                    certificate = certify(view, secured.aim.goal, tricks=secured.aim.tricks)
                    assert verify(certificate, view) == []
                    assert Ladder(view, SEARCH, further=False).secured() is None
            table.apply(rng.choice(table.legal()))
    assert found == {"a trick", "out of Schneider"}


def test_null_and_announced_schwarz_have_one_aim() -> None:
    assert [aim.name for aim in full_deal(0, "0:N@23").view(0).aims] == ["the contract"]
    assert [aim.goal.n for aim in full_deal(0, "0:CHSZ@18").view(1).aims] == [1]


# -- the strategy -----------------------------------------------------------------------------------------------------


def decide(spec: str, view: View) -> str:
    part = StrategySpec.from_text(spec).make()
    return part.decide(view, Limit(), np.random.default_rng(0)).reason


def test_it_says_what_is_sure() -> None:
    rest = [card.name for card in SKAT if card.name not in ALL_CLUBS.split()]
    view = skat_table(f"{ALL_CLUBS}|{' '.join(rest[:10])}|{' '.join(rest[10:20])}", "0:C@18").view(0)
    assert "secures Schwarz (at least 10 tricks) in every world" in decide("core:paranoia(start=0)", view)
    assert "secures" not in decide("core:paranoia", view)  # not before the fourth trick
    assert "secures" not in decide("core:paranoia(start=0,seats=defenders)", view)
    assert "secures Schwarz" in decide("core:paranoia(start=0,seats=declarer)", view)
    assert "secures" not in decide("core:paranoia(start=3,then=skat:rule)", view)


def test_it_recommends_nothing_unproven() -> None:
    part = StrategySpec.from_text("core:paranoia(start=0,nodes=20000)").make()
    view = full_deal(2, "0:G@18").view(0)
    assert part.recommend(Situation(view), Limit(), np.random.default_rng(0)) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ("start=-1", "start"),
        ("epsilon=2", "epsilon"),
        ("seats=nobody", "seats"),
        ("then=core:nobody", "then"),
        ("early=x", "early"),
        ("nodes=0", "nodes"),
        ("lower=-4", "lower"),
    ],
)
def test_options_are_checked(options: str, field: str) -> None:
    with pytest.raises((InputError, LookupError)) as error:
        StrategySpec.from_text(f"core:paranoia({options})").make()
    assert field in str(error.value) or "nobody" in str(error.value)


@pytest.mark.parametrize(
    "rare",
    [
        {"always_legal": 1},
        {"need_not_follow": 1},
        {"always_wins": 1},
        {"never_wins": 1},
        {"stays": 1},
        {"other_ties": 1},
        {"no_undertrump": True},
        {"last_resort": 1},
        {"spare_partner": True},
        {"overtake": Overtake.TRUMPS},
        {"duty": Duty(1)},
    ],
    ids=lambda rare: next(iter(rare)),
)
def test_rules_the_search_does_not_know_are_refused(rare: dict[str, Any]) -> None:
    """Nothing is proven under rules that bounds do not take in (docs/rules.md), instead of something wrong."""
    plain = TrickRules.plain(
        Deck("CS", "23456789"), 4, "S", trick_cost=1, teams=(0, 1, 0, 1), goals=(Goal(GoalKind.AT_LEAST, 1),) * 2
    )
    for rules in (plain, evolve(plain, **rare)):
        info = ending(rules, 2, random.Random(1), seat=0)
        if rules is plain:
            assert prove(info, rules.goal(0)).answer is not None
        else:
            with pytest.raises(Unsearchable, match="does not know all the rules"):
                prove(info, rules.goal(0))
