"""The conformance suite passes what is right and finds every fault there is a faulty game or strategy for."""

from __future__ import annotations

import itertools
import json
import random
import re
import sys
import time

import pytest

from tests.whist import FAULTS, Passing, Plain, Whist, faulty
from tricktake import testing
from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.testing import NotConforming, check_game, check_strategy


def checks(report: testing.Report) -> dict[str, testing.Check]:
    return {check.name: check for check in report.checks}


def test_a_sound_game_passes_every_check() -> None:
    report = check_game(Whist(), deals=8).require()
    assert report.ok
    assert set(checks(report)) == set(testing.GAME_CHECKS)
    assert all(check.count > 0 for check in report.checks)
    assert checks(report)["leaks"].count > 40
    assert "ok" in str(report)


def test_a_game_without_hidden_cards_passes() -> None:
    deck = Deck("C", "789T")
    rules = TrickRules(deck, 2, (0,) * 4, (0, 1, 2, 3), trick_cost=1)
    check_game(Plain(rules, 2), deals=3).require()


def test_a_deck_of_64_for_seven_seats_passes() -> None:
    deck = Deck("CSHD", "23456789TJQKABEF")
    rules = TrickRules(deck, 7, tuple(i // 16 for i in range(64)), tuple(i % 16 for i in range(64)), trump=3)
    check_game(Plain(rules, 3, aside=43), deals=1).require()


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_games_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "STEPS", 60)
    game, check = FAULTS[fault]
    report = check_game(game, deals=8, seed=1)
    assert not report.ok
    assert checks(report)[check].failed, str(report)
    failure = checks(report)[check].failures[0]
    assert failure.seed == 1
    assert f"seed 1, deal {failure.deal}" in str(failure)
    with pytest.raises(NotConforming, match=check):
        report.require()


def test_a_failure_can_be_repeated_by_its_deal() -> None:
    class Sometimes(Passing):
        def apply(self, action: Action) -> None:
            super().apply(action)
            if self.turn is None and self.table.board == 3:
                raise RuntimeError("on some boards only")

    game = faulty(Sometimes, boards=5)
    report = check_game(game, deals=8, seed=4)
    assert [failure.deal for failure in report.failures] == [3]
    assert check_game(game, seed=4, ids=[3]).failures == report.failures
    assert check_game(game, seed=4, ids=[2]).ok


def test_an_error_is_placed_where_the_game_made_it() -> None:
    class Misnamed(Whist):
        kinds = ("C",)  # what is forced is guarded, too

        def rules(self, table: Table) -> TrickRules:
            return TrickRules.plain(self.layout.deck, self.seats, trick_costs=1)

    report = check_game(Misnamed(), deals=1)
    assert {failure.check for failure in report.failures} == {"runs"}
    for failure in report.failures:
        assert re.search(
            r"unexpected keyword argument 'trick_costs' \(test_testing\.py:\d+, rules\.py:\d+\)", str(failure)
        )
    assert "leading to a contract 'C'" in str(report.failures[-1])


def test_same_seed_same_report() -> None:
    assert check_game(Whist(), deals=3, seed=5) == check_game(Whist(), deals=3, seed=5)
    json.dumps(check_game(Whist(), deals=1).to_json())


class Suits(Whist):
    """The trump suit is its kind of contract, and no more than these are named."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds


def test_contracts_chance_does_not_lead_to_are_forced() -> None:
    report = check_game(Suits("C", "[SH]", "D"), deals=1).require()
    assert {"C", "D"} < set(report.kinds)
    assert sum(report.kinds.values()) == report.deals > 1
    assert "contracts: C" in str(report)
    one = check_game(Suits("C", "[SH]", "D"), deals=3, contracts=["[SH]"]).require()
    assert one.deals == sum(one.kinds.get(kind, 0) for kind in "SH") == 3


def test_contracts_never_reached_and_never_named_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing.steering, "DEALS", 5)
    never = check_game(Suits("C", "D", "H", "S", "NT"), deals=8)
    assert [f.check for f in never.failures] == ["contracts"]
    assert "contract NT: no deal of 5 led to a contract 'NT'" in str(never.failures[0])
    unnamed = check_game(Suits("C"), deals=8)
    assert checks(unnamed)["contracts"].failed
    assert "but kinds are C" in str(unnamed)


def test_a_failure_under_a_forced_contract_can_be_repeated() -> None:
    class Dear(Suits):
        def score(self, table):
            if str(table.contract) == "D":
                raise RuntimeError("diamonds")
            return super().score(table)

    report = check_game(Dear("C", "D", "H", "S"), deals=1, seed=2)
    assert {failure.contract for failure in report.failures} == {"D"}
    (number,) = {failure.deal for failure in report.failures[:1]}
    again = check_game(Dear("C", "D", "H", "S"), seed=2, ids=[number], contracts=["D"])
    assert again.failures[0] == report.failures[0]


def test_a_bidder_bids_in_the_check() -> None:
    class Lowest:
        def decide(self, view, limit, rng):
            return Decision(min(view.legal, key=lambda action: action.cards))

    by_lot, by_it = check_game(Whist(), deals=2), check_game(Whist(), deals=2, bidder=Lowest())
    assert by_it.require() != by_lot
    assert by_it.require() == check_game(Whist(), deals=2, bidder=Lowest())


# -- strategies ---------------------------------------------------------------------------------------------------


class First:
    def decide(self, view, limit, rng):
        return Decision(view.legal[0], "the first")


class Lottery:
    def decide(self, view, limit, rng):
        return Decision(view.legal[int(rng.integers(len(view.legal)))], "by lot")


class Illegal(First):
    def decide(self, view, limit, rng):
        if len(view.tricks) == 1:
            return Decision(Action("play", cards=(view.tricks[0].cards[0],)), "again")
        return super().decide(view, limit, rng)


class Interrupts(First):
    def decide(self, view, limit, rng):
        return Decision(Action("claim"), "mine")


class OwnDice(First):
    dice = random.Random(1)

    def decide(self, view, limit, rng):
        return Decision(self.dice.choice(view.legal))


class Stateful(First):
    number = itertools.count()

    def decide(self, view, limit, rng):
        return Decision(view.legal[next(self.number) % len(view.legal)])


class Gives(First):
    def decide(self, view, limit, rng):
        if view.role == "play":
            raise KeyError("lost")
        return super().decide(view, limit, rng)


class Silent(First):
    def decide(self, view, limit, rng):
        return None


class Chatty(First):
    def decide(self, view, limit, rng):
        print("thinking")
        return super().decide(view, limit, rng)


class Verbose(First):
    def decide(self, view, limit, rng):
        return Decision(view.legal[0], "first\nsecond")


class Slow(First):
    def decide(self, view, limit, rng):
        if len(view.tricks) == 4:
            time.sleep(0.6)
        return super().decide(view, limit, rng)


def test_sound_strategies_pass() -> None:
    for part in (First(), Lottery(), {"play": Lottery()}):
        report = check_strategy(part, Whist(), deals=3).require()
        assert all(check.count for check in report.checks)
    assert "First in short_whist" in check_strategy(First(), Whist(), deals=1).subject


@pytest.mark.parametrize(
    ("part", "check"),
    [
        (Illegal(), "legal"),
        (Interrupts(), "legal"),
        (OwnDice(), "repeatable"),
        (Stateful(), "repeatable"),
        (Gives(), "survives"),
        (Silent(), "survives"),
        (Chatty(), "reason"),
        (Verbose(), "reason"),
        (Slow(), "limits"),
    ],
)
def test_faulty_strategies_are_caught(part: object, check: str) -> None:
    report = check_strategy(part, Whist(), deals=3, limit=Limit(seconds=0.05))
    assert checks(report)[check].failed, str(report)
    assert not report.ok
    assert sys.stdout is not None


def test_the_command_line_checks(cli, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "whist_plugin.py").write_text(
        "from tricktake.hookspecs import hookimpl\n"
        "from tests.whist import FAULTS, Whist\n"
        "@hookimpl\n"
        "def register_games(register):\n"
        "    register('short_whist', Whist)\n"
        "    register('leaky', FAULTS['an event shows the passed card'][0])\n"
    )
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(tmp_path / "whist_plugin.py"))
    good = cli("check", "short_whist", "--deals", 2, "--json")
    assert good.exit_code == 0
    assert json.loads(good.stdout)["ok"]
    bad = cli("check", "leaky", "--deals", 4, "--seed", 3)
    assert bad.exit_code == 1
    assert "leaks: seed 3, deal" in bad.stdout
    player = cli("check", "short_whist", "--deals", 1, "--strategy", "core:random", "--json")
    assert player.exit_code == 0
    assert json.loads(player.stdout)["subject"] == "strategy core:random in short_whist"
    assert cli("check", "short_wist").exit_code == 2
    assert "did you mean 'short_whist'" in cli("check", "short_wist").stderr


def test_the_command_line_deals_contracts(cli, tmp_path) -> None:
    two = cli("deal", "skat", "--contract", "null", "--count", 2, "--seed", 3).stdout.splitlines()
    assert [line.split("\t")[0] for line in two] == ["0", "1"]
    assert all(":N@" in line or ":NH@" in line for line in two)
    assert cli("deal", "skat", "--contract", "null", "--id", 1, "--seed", 3).stdout.splitlines() == two[1:]
    record = tmp_path / "null.jsonl"
    record.write_text(cli("deal", "skat", "--contract", "null", "--seed", 3, "--json").stdout)
    assert cli("solve", "skat", record).exit_code == 0
    for wrong, message in [
        (("--contract", "nul"), "did you mean 'null'"),
        (("--contract", "null", "--number", 1), "takes no --contract"),
        (("--bidder", "skat:rule"), "needs a --contract"),
        (
            ("--contract", "null", "--attempts", 1, "--predeal", "0=CJ SJ HJ DJ", "--bidder", "skat:rule"),
            "no deal of 1",
        ),
    ]:
        result = cli("deal", "skat", *wrong)
        assert (result.exit_code, message in result.stderr) == (2, True), result.output
    assert cli("check", "skat", "--contract", "nul").exit_code == 2
    assert cli("check", "skat", "--strategy", "core:random", "--contract", "null").exit_code == 2
    checked = json.loads(cli("check", "skat", "--contract", "null*", "--deals", 2, "--json").stdout)
    assert checked["ok"]
    assert set(checked["kinds"]) <= {"null", "null-ouvert"}


def test_the_command_line_deals(cli, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "whist_plugin.py").write_text(
        "from tricktake.hookspecs import hookimpl\n"
        "from tests.whist import Whist\n"
        "@hookimpl\n"
        "def register_games(register):\n"
        "    register('short_whist', Whist)\n"
    )
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(tmp_path / "whist_plugin.py"))
    three = cli("deal", "short_whist", "--count", 3, "--seed", 7).stdout.splitlines()
    assert [line.split("\t")[0] for line in three] == ["0", "1", "2"]
    assert cli("deal", "short_whist", "--id", 2, "--seed", 7).stdout.splitlines() == three[2:]
    one = json.loads(cli("deal", "short_whist", "--id", 2, "--seed", 7, "--json").stdout)
    assert one["deal"] == three[2].split("\t")[1]
    assert cli("deal", "short_whist", "--number", one["number"]).stdout.split("\t")[1].strip() == one["deal"]
    some = cli("deal", "short_whist", "--where", "0: *A >= 3", "--predeal", "turned=C9", "--count", 4, "--json").stdout
    for line in some.splitlines():
        places = json.loads(line)["places"]
        assert places["turned"] == "C9"
        assert places["0"].count("A") >= 3
    for wrong, message in [
        (("--where", "0 aces"), "--where: cannot read '0 aces'"),
        (("--where", "9: *A > 1"), "no place '9'"),
        (("--where", "0: ZZ > 1"), "no card 'ZZ'"),
        (("--where", "0: *A > 4", "--attempts", 50), "no deal in 50 attempts"),
        (("--predeal", "C9"), "--predeal: cannot read 'C9'"),
        (("--predeal", "talon=C9"), "place talon: there is none"),
        (("--predeal", "turned=C9 CT"), "2 cards, but it holds 1"),
        (("--number", 10**30), "deals are numbered 0 to"),
        (("--number", 1, "--where", "0: *A > 1"), "takes no conditions"),
    ]:
        result = cli("deal", "short_whist", *wrong)
        assert (result.exit_code, message in result.stderr) == (2, True), result.output
