"""The expert's rules, one scenario at a time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tricktake_skat.strategies.expert import PAPER, REASONS, RULES, Expert

from tricktake import scenario
from tricktake.search.limit import Limit
from tricktake.strategies.recommend import Situation

FOLDER = Path(__file__).parent / "scenarios" / "cards"
SCENARIOS = [found for file in sorted(FOLDER.glob("*.toml")) for found in scenario.load(file)]
NUMBERS = {name: number for number, name in RULES.items()}


def expert(case: scenario.Scenario) -> Expert:
    """With the rule, if it has to be asked for."""
    return Expert(also=case.rule if case.rule in PAPER else "")


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_the_expert_plays_the_card_by_its_rule(case: scenario.Scenario) -> None:
    assert case.failure(expert(case)) is None
    _, rule = expert(case).card(case.view())
    assert (RULES[rule], REASONS[rule]) == (case.rule, case.reason)


@pytest.mark.parametrize("case", SCENARIOS, ids=lambda case: case.name)
def test_cards_it_does_not_see_do_not_matter(case: scenario.Scenario) -> None:
    assert len({expert(case).card(case.view(seed)) for seed in range(3)}) == 1


@pytest.mark.parametrize("case", [case for case in SCENARIOS if case.rule in PAPER], ids=lambda case: case.name)
def test_without_the_rule_another_card_is_played(case: scenario.Scenario) -> None:
    card, rule = Expert(also="+".join(PAPER), without=case.rule).card(case.view())
    assert (card, RULES[rule]) != (Expert(also=case.rule).card(case.view())[0], case.rule)
    assert case.failure(Expert()) is not None


def test_every_rule_has_a_scenario() -> None:
    assert {case.rule for case in SCENARIOS} == set(RULES.values())
    assert len(SCENARIOS) >= 40


def test_an_ensemble_is_told_the_rule() -> None:
    rng = np.random.default_rng(0)
    for case in SCENARIOS[::9]:
        found = expert(case).recommend(Situation(case.view()), Limit(), rng)
        assert found.by == "expert"
        assert f"{case.rule}: {REASONS[NUMBERS[case.rule]]}" in found.reason
        assert (found.confidence == 1) == (case.rule == "only-card")
