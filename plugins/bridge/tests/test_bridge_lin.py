"""LIN: what is read, what is written, and what is said of broken files."""

from __future__ import annotations

import io

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_bridge.formats.lin import VULNERABLE

from plugins.bridge.tests.bridge_tables import RECORDS
from plugins.bridge.tests.test_bridge_formats import GAME_TEXT, records
from tricktake.errors import InputError
from tricktake.records.formats import RecordFault, get_format, read
from tricktake.records.record import GameRecord

LIN, PBN = get_format("lin"), get_format("pbn")

# Two boards in the manner of the site, deals and play made up by hand for this test.
HANDS = "SAKQJT98765432,HAKQJT98765432,DAKQJT98765432"
ONE = (
    f"pn|sue,will,nora,eve|st||md|1{HANDS},|rh||ah|Board 3|sv|e|mb|1S|mb|p!|an|waiting; alerted|mb|p|mb|d|mb|r|"
    "mb|p|mb|p|mb|p|pg||pc|H2|pc|D2|pc|C2|pc|S2|pg||mc|13|pg||\n"
)
MATCH = f"""vg|A match,Final,I,1,2,A,0,B,0|
rs|7SS=,7SSX=,PASS,3NTN-2|
pn|s1,w1,n1,e1,s2,w2,n2,e2|pg||
qx|o1|md|1{HANDS}|sv|o|mb|7S|mb|p|mb|p|mb|p|pg||
nt|A comment
over two lines|
qx|c1|md|1{HANDS}|sv|o|mb|7Sdppp|pg||
qx|o2|md|2{HANDS}|sv|n|mb|p|mb|p|mb|p|mb|p|pg||
"""


def only(text: str) -> GameRecord:
    (record,) = LIN.loads(text)
    return record


def test_a_board_is_read() -> None:
    record = only(ONE)
    assert record.id == "3"
    assert record.board == 2
    assert only(ONE.replace("sv|e", "sv|n")).board == 14  # of South's boards the one with North-South vulnerable
    assert record.players == ("nora", "eve", "sue", "will")
    assert record.contract is not None
    assert (record.contract.declarer, record.contract.kind) == (2, "1S")
    assert record.notes["alerts"] == {"1": "waiting; alerted"}
    assert [event.seat for event in record.plays] == [3, 0, 1, 2]
    assert record.result == {"tricks": 13}
    assert RECORDS.verify(record) == []
    assert only(LIN.dumps([record])) == evolve(record, id="o3")


def test_a_match_is_read() -> None:
    first, second, third = LIN.loads(MATCH)
    assert [record.id for record in (first, second, third)] == ["o1", "c1", "o2"]
    assert first.players == ("n1", "e1", "s1", "w1")
    assert second.players == ("n2", "e2", "s2", "w2")
    assert [record.result for record in (first, second, third)] == [{"tricks": 13}, {"tricks": 13}, {"passed": True}]
    assert first.notes["comments"] == ["A comment\nover two lines"]
    assert second.notes["room"] == "closed"
    assert second.contract is not None
    assert str(second.contract).endswith("7SX")
    again = LIN.loads(LIN.dumps([first, second, third]))
    assert [record.id for record in again] == ["o1", "c1", "o2"]
    assert [record.players for record in again] == [record.players for record in (first, second, third)]


def test_alerts_of_pbn_come_along() -> None:
    (record,) = PBN.loads(GAME_TEXT)
    (again,) = LIN.loads(LIN.dumps([record]))
    assert again.notes["alerts"] == {"2": "could be short"}
    assert again.contract == record.contract
    assert again.plays == record.plays


@given(st.lists(records(), min_size=1, max_size=2))
@settings(max_examples=40)
def test_lin_keeps_what_was_played(found: list[GameRecord]) -> None:
    for n, record in enumerate(found):  # bars and commas are marks of the notation
        names = tuple(name.replace("|", "/").replace(",", " ").strip() for name in record.players)
        found[n] = evolve(record, players=names if any(names) else ())
    kept = [record for record in found if record.before is not None or record.contract is None]
    again = LIN.loads(LIN.dumps(kept))
    for old, new in zip(kept, again, strict=True):
        assert (new.deal, new.board, new.before, new.contract) == (old.deal, old.board, old.before, old.contract)
        assert (new.players, new.plays) == (old.players, old.plays)
        if len(old.plays) < 52:
            assert new.result.get("tricks") == old.result.get("tricks")
        if new.contract is not None:
            assert RECORDS.verify(new) == []


def test_what_lin_cannot_say_is_refused() -> None:
    (record,) = PBN.loads(GAME_TEXT)
    with pytest.raises(InputError, match="LIN tells a contract by its auction"):
        LIN.text(evolve(record, before=None))


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("md|1S", "md|5S", "md"),
        ("md|1SAK", "md|1SKK", "md"),
        ("md|1SA", "md|1A", "md"),
        ("HAKQ", "HXKQ", "md"),
        (",DAKQJT98765432,", ",,", "md"),
        ("sv|e", "sv|x", "sv"),
        ("mb|1S", "mb|8S", "mb"),
        ("mb|1S|", "", "pc"),
        ("pc|H2", "pc|H1", "pc"),
        ("mc|13", "mc|14", "mc"),
        ("mc|13", "mc|x", "mc"),
        ("|mb|1S", "|an|nothing|mb|1S", "an"),
        ("rh||", "rh||sv|o|", "sv"),
        (f"md|1{HANDS},|", "", "md"),
    ],
)
def test_a_fault_names_its_key(old: str, new: str, field: str) -> None:
    assert old in ONE
    with pytest.raises(InputError) as found:
        only(ONE.replace(old, new, 1))
    assert found.value.field == field


def test_a_broken_board_costs_only_itself() -> None:
    errors: list[InputError] = []
    found = list(read(io.StringIO(MATCH.replace("7Sdppp", "9Z")), "bridge", "lin", on_error=errors.append))
    assert [record.id for record in found] == ["o1", "o2"]
    assert [(error.field, error.line) for error in errors] == [("mb", 7)]
    assert not isinstance(errors[0], RecordFault)


@pytest.mark.parametrize("text", ["x" * 300_000, "x\n" * 40_000, "an|x|" * 300_000, "an|x|\n" * 300_000])
def test_a_board_without_end_is_refused_in_time(text: str) -> None:
    errors: list[InputError] = []
    assert list(read(io.StringIO(text), "bridge", "lin", on_error=errors.append)) == []
    assert len(errors) == 1


@given(st.text(alphabet="|,mdbpcsvaqxnorh1234!SHDCAKQJT98765N\n ", max_size=120))
def test_nonsense_is_refused_not_a_fault_of_ours(text: str) -> None:
    errors: list[InputError] = []
    list(read(io.StringIO(text), "bridge", "lin", on_error=errors.append))


@given(st.data())
def test_no_damage_makes_it_fail_but_by_an_input_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([ONE, MATCH]))
    place = data.draw(st.integers(0, len(text)))
    damaged = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 4)) :]
    errors: list[InputError] = []
    list(read(io.StringIO(damaged), "bridge", "lin", on_error=errors.append))


def test_sides() -> None:
    assert VULNERABLE["o"] == VULNERABLE["0"] == ()
