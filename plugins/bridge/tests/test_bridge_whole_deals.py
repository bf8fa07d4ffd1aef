"""The open-card solver against DDS on whole deals: tables, leads, traces.

TRICKTAKE_DDS_LIST names a list that is checked as a whole (``data/dds-100.dds``, or any other). TRICKTAKE_DDS_DEALS
says how many random deals are compared with DDS itself (4 unless it is set), TRICKTAKE_DDS_SAMPLE how many of the ten
deals of the sample (10): a table takes a second or two.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import numba
import pytest
from click.testing import CliRunner
from tricktake_bridge.deck import SEAT_NAMES, TABLE_STRAINS
from tricktake_bridge.rules import strain_rules

from plugins.bridge.tests.bridge_tables import GAME, Dds, random_deal
from tricktake.records.formats import read, write
from tricktake.records.record import GameRecord
from tricktake.records.solving import analyse, solve_record
from tricktake.search.limit import Limit
from tricktake.trick import TrickState

SAMPLE = Path(__file__).parent / "data" / "dds-10.dds"
LIST = os.environ.get("TRICKTAKE_DDS_LIST", "")
DEALS = int(os.environ.get("TRICKTAKE_DDS_DEALS", "4"))
SAMPLED = int(os.environ.get("TRICKTAKE_DDS_SAMPLE", "10"))
LIMIT = Limit(nodes=50_000_000)  # a position; more should fail, not hang

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.slow,
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="so much search needs compiled kernels"),
]


def check_record(record: GameRecord) -> None:
    """Table and leads of a record of the list are those it claims."""
    solved = solve_record(GAME, record, "cards", LIMIT)
    assert not solved.reason, (record.id, solved.reason)
    assert solved.facts["tricks"] == record.result["table"], record.id
    strain, leader = record.notes["strain"], record.notes["leader"]
    assert solved.facts["cards"] == {strain: {leader: record.result["leads"]}}, record.id


@pytest.mark.parametrize("number", range(SAMPLED))
def test_the_sample(number: int) -> None:
    check_record(list(read(SAMPLE, strict=True))[number])


@pytest.mark.skipif(not LIST, reason="TRICKTAKE_DDS_LIST names no list of deals")
def test_the_list() -> None:
    count = 0
    for record in read(LIST, strict=True):
        check_record(record)
        count += 1
    assert count > 0


def test_random_deals_against_dds_itself() -> None:
    dds, rng = Dds(), random.Random(50)
    for number in range(DEALS):
        deal = random_deal(rng)
        found = solve_record(GAME, GameRecord("bridge", str(number), deal), limit=LIMIT)
        assert not found.reason, found.reason
        assert found.facts["tricks"] == dds.table(deal), deal.to_text()


def test_the_leads_of_random_deals_against_dds_itself() -> None:
    dds, rng = Dds(), random.Random(51)
    for number in range(DEALS):
        strain, seat = rng.choice(TABLE_STRAINS), rng.randrange(4)
        deal, notes = random_deal(rng), {"strain": strain, "leader": SEAT_NAMES[seat]}
        found = solve_record(GAME, GameRecord("bridge", str(number), deal, notes=notes), "cards", LIMIT)
        assert not found.reason, found.reason
        state = TrickState(strain_rules(strain), deal.hands, seat)
        assert found.facts["cards"] == {strain: {SEAT_NAMES[seat]: dds.card_values(state)}}, deal.to_text()


def test_the_analysis_of_recorded_cards_is_the_trace() -> None:
    record = list(read(SAMPLE, strict=True))[2]
    trace = record.result["trace"]
    for after, value in list(enumerate(trace))[1:]:
        found = solve_record(GAME, record, limit=LIMIT, after=after)
        assert not found.reason, found.reason
        assert found.facts["value"] == value
    steps = analyse(GAME, record)
    assert [steps[0].before, *(step.after for step in steps)][: len(trace)] == trace


def test_solve_prints_a_line_a_deal(tmp_path: Path) -> None:
    from tricktake.cli.main import main

    records = list(read(SAMPLE, strict=True))[:SAMPLED]
    write(records, tmp_path / "some.dds")
    result = CliRunner().invoke(main, ["solve", "bridge", str(tmp_path / "some.dds"), "--json"])
    assert result.exit_code == 0, result.stderr
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["tricks"] for row in rows] == [record.result["table"] for record in records]
    assert [row["id"] for row in rows] == [record.id for record in records]
