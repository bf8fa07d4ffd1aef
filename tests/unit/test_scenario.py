"""Scenario files: what is read, what is shown, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tricktake import scenario
from tricktake.action import play
from tricktake.cli.check import command
from tricktake.errors import InputError
from tricktake.search.limit import Limit
from tricktake.strategies.strategy import Decision
from tricktake.view import View

HEAD = 'game = "skat"\n'
DEFENDER = """[[scenario]]
name = "a ten for the partner"
contract = "0:C@18"
seat = 2
hand = "HT HQ S7 S8 S9 D7 D8 DT"
tricks = ["CJ C7 C8", "CA C9 CQ"]
table = "D9 DA"
expect = "DT"
reason = "the partner has the trick"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "some.toml"
    path.write_text(text)
    return path


class First:
    """The first legal action."""

    def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
        return Decision(view.legal[0], "the first")


def test_a_scenario_becomes_the_view_of_its_seat(tmp_path: Path) -> None:
    (found,) = scenario.load(written(tmp_path, HEAD + DEFENDER))
    view = found.view()
    deck = view.layout.deck
    assert (view.seat, view.turn, view.leader) == (2, 2, 0)
    assert view.hand_mask == deck.parse_mask("HT HQ S7 S8 S9 D7 D8 DT")
    assert view.table == (deck.card("D9").index, deck.card("DA").index)
    assert len(view.tricks) == 2
    assert view.gone == deck.parse_mask("CJ C7 C8 CA C9 CQ D9 DA")
    assert found.expect == (deck.card("DT").index,)
    assert found.view(1) == view  # what it does not see lies elsewhere, and it does not see that


def test_a_void_that_was_shown_is_kept_where_it_was_shown(tmp_path: Path) -> None:
    text = DEFENDER.replace('"CA C9 CQ"', '"CA S9 CQ"').replace("S9 D7", "D7").replace("S8", "S8 C9")
    (found,) = scenario.load(written(tmp_path, HEAD + text))
    for seed in range(20):
        trumps = found.game.layout.deck.parse_mask("CJ SJ HJ DJ CA CT CK CQ C9 C8 C7")
        assert not found._table(seed).places[1] & trumps


def test_a_part_is_told_what_it_should_have_played(tmp_path: Path) -> None:
    text = DEFENDER.replace('expect = "DT"', 'forbid = ["D7"]')
    (expecting,) = scenario.load(written(tmp_path, HEAD + DEFENDER))
    (forbidding,) = scenario.load(written(tmp_path, HEAD + text))
    told = expecting.failure(First())
    assert told == "a ten for the partner: D7 (the first), expected DT: the partner has the trick"
    assert "expected anything but D7" in str(forbidding.failure(First()))

    class Right(First):
        def decide(self, view: View, limit: Limit, rng: np.random.Generator) -> Decision:
            return Decision(play(view.layout.deck.card("DT").index))

    assert expecting.failure(Right()) is None
    assert forbidding.failure(Right()) is None


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (("game = ", "game = 3 #"), "game", "no text"),
        (('"skat"', '"skaat"'), "game", "skaat"),
        (("[[scenario]]", "other = 1\n[[scenario]]"), "other", "unknown"),
        (("name = ", "nam = "), "scenario 1: name", "missing"),
        (("reason = ", "why = "), "a ten for the partner: why", "unknown"),
        (("seat = 2", "seat = 3"), "seat", "no seat"),
        (("seat = 2", "seat = 1"), "hand", "11 cards"),
        (("0:C@18", "0:X@18"), "contract", "X"),
        (("0:C@18", "nonsense"), "contract", "nonsense"),
        (("HT HQ", "HT HX"), "hand", "HX"),
        (("HT HQ", "HT"), "hand", "9 cards with those played, not 10"),
        (("HT HQ", "CJ HQ"), "hand", "two places"),
        (('"CJ C7 C8"', '"CJ C7"'), "tricks", "2 cards, not 3"),
        (('"CJ C7 C8"', '"CJ C7 C7"'), "tricks", "twice"),
        (('"D9 DA"', '"D9 DA D7"'), "table", "whole trick"),
        (("tricks = [", "tricks = 3 # ["), "tricks", "list"),
        (('expect = "DT"', 'expect = "HT"'), "expect", "HT is not legal"),
        (('expect = "DT"', ""), "expect", "expects or forbids"),
        (('expect = "DT"', "expect = 7"), "expect", "cards are text"),
        (("seat = 2", 'seat = 2\nskat = "HA HK H7"'), "skat", "3 cards"),
        (("seat = 2", "seat = 2\nhands = 3"), "hands", "a table"),
        (("]]", "]"), None, "at line|line"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, change: tuple[str, str], field: str | None, reason: str) -> None:
    text = HEAD + DEFENDER
    assert change[0] in text
    path = written(tmp_path, text.replace(*change, 1))
    with pytest.raises(InputError, match=reason) as caught:
        scenario.load(path)
    assert caught.value.file == path
    assert field is None or field in str(caught.value)


def test_a_revoke_is_refused(tmp_path: Path) -> None:
    text = DEFENDER.replace('"CJ C7 C8"', '"CJ C7 H9"')  # and clubs follow later
    with pytest.raises(InputError, match=r"tricks|no deal fits"):
        scenario.load(written(tmp_path, HEAD + text))


def test_a_declarer_knows_his_skat(tmp_path: Path) -> None:
    text = """[[scenario]]
name = "mine"
contract = "0:C@18"
seat = 0
hand = "CJ SJ CA CT C7 HA HT S7 S8 D7"
expect = "CJ"
"""
    with pytest.raises(InputError, match="skat: missing"):
        scenario.load(written(tmp_path, HEAD + text))
    (found,) = scenario.load(written(tmp_path, HEAD + text + 'skat = "D8 D9"\n'))
    assert found.view().known[3] == found.game.layout.deck.parse_mask("D8 D9")


def test_names_are_there_once_and_files_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is there twice"):
        scenario.load(written(tmp_path, HEAD + DEFENDER + DEFENDER))
    with pytest.raises(InputError, match=r"missing\.toml"):
        scenario.load(tmp_path / "missing.toml")
    with pytest.raises(InputError, match="at least one"):
        scenario.load(written(tmp_path, HEAD))


def test_check_plays_the_scenarios(tmp_path: Path) -> None:
    path = str(written(tmp_path, HEAD + DEFENDER))
    runner = CliRunner()
    good = runner.invoke(command, ["skat", "--scenarios", path, "--strategy", "skat:rule"])
    assert (good.exit_code, good.stdout) == (0, "skat:rule: 1 of 1 scenarios as expected\n")
    wrong = written(tmp_path, HEAD + DEFENDER.replace('expect = "DT"', 'expect = "D7"'))
    bad = runner.invoke(command, ["skat", "--scenarios", str(wrong), "--strategy", "skat:rule"])
    assert bad.exit_code == 1
    assert "FAIL a ten for the partner: DT" in bad.output
    told = runner.invoke(command, ["skat", "--scenarios", str(wrong), "--strategy", "skat:rule", "--json"])
    assert '"scenarios": 1' in told.output
    none = runner.invoke(command, ["skat", "--scenarios", str(wrong)])
    assert none.exit_code == 2
    other = runner.invoke(command, ["bridge", "--scenarios", str(wrong), "--strategy", "core:random"])
    assert isinstance(other.exception, InputError)
