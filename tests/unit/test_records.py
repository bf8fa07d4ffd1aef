"""Reading and writing records: streams, formats by name, suffix and first lines, and what is said of broken ones."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tricktake.action import Action
from tricktake.errors import InputError, UnknownName
from tricktake.records import formats
from tricktake.records.formats import RecordFault, get_format, get_game, read, write
from tricktake.records.record import record_of
from tricktake.records.recording import Recording
from tricktake.records.verify import AGREE, DIFFER, REFUSED, verify
from tricktake.table import Table

DATA = Path(__file__).resolve().parent.parent / "data"
ISS = DATA / "iss-23.sgf"
XSKAT = DATA / "xskat-500.log.gz"
HIDDEN = "18358"  # the game in which a hidden card is led

ISS_TEXT = ISS.read_text()
XSKAT_TEXT = gzip.decompress(XSKAT.read_bytes()).decode()
ISS_LINES = [line for line in ISS_TEXT.splitlines() if f"ID[{HIDDEN}]" not in line]
ISS_GOOD = "\n".join(ISS_LINES) + "\n"
XSKAT_GAMES = [game + "=" * 40 + "\n" for game in XSKAT_TEXT.split("=" * 40 + "\n")[:-1]]


def collected(text: str, form: str | None = None) -> tuple[list[str], list[InputError]]:
    """The ids that were read, and the errors."""
    errors: list[InputError] = []
    records = list(read(io.StringIO(text), "skat", form, on_error=errors.append))
    return [r.id for r in records], errors


# -- the samples ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_games_of_the_server_agree(jobs: int) -> None:
    comparisons = list(verify(ISS, get_game("skat"), jobs=jobs))
    assert len(comparisons) == 23
    assert [v.status for v in comparisons].count(AGREE) == 22
    (refused,) = [v for v in comparisons if v.status == REFUSED]
    assert (refused.id, refused.fault, refused.source) == (HIDDEN, True, f"{ISS}:3")
    assert "hidden card" in refused.reason


def test_the_games_of_xskat_agree_and_its_totals_are_ours() -> None:
    game = get_game("skat")
    assert game is not None
    totals = dict.fromkeys(("Computer1", "Computer2", "Computer3"), 0)
    count = 0
    for record in read(XSKAT):
        assert Recording.of(game).verify(record) == []
        for name, points in zip(record.players, Recording.of(game).score(record).points, strict=True):
            totals[name] += points
        count += 1
    assert count == 500
    assert tuple(totals.values()) == (4581, 4903, 4113)  # what XSkat printed when it had played them


def test_the_order_of_comparisons_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(ISS_TEXT * 20)  # more than two workers are given at once
    alone, shared = (list(verify(path, get_game("skat"), jobs=jobs)) for jobs in (1, 2))
    assert len(alone) == 460
    assert alone == shared


# -- round trips ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["jsonl", "pgn", "iss"])
def test_the_server_s_games_survive(form: str) -> None:
    records = get_format("iss").loads(ISS_GOOD)
    assert len(records) == 22
    again = get_format(form).loads(get_format(form).dumps(records))
    assert [strip(r) for r in again] == [strip(r) for r in records]


@pytest.mark.parametrize("form", ["jsonl", "pgn", "xskat"])
def test_xskat_s_games_survive(form: str) -> None:
    records = get_format("xskat").loads(XSKAT_TEXT)
    text = get_format(form).dumps(records)
    assert [strip(r) for r in get_format(form).loads(text)] == [strip(r) for r in records]
    back = get_format("xskat").dumps(get_format(form).loads(text))
    assert skat_sorted(back) == skat_sorted(XSKAT_TEXT)  # the log is written as XSkat does


def test_from_one_to_the_next_and_back() -> None:
    records = get_format("iss").loads(ISS_GOOD)
    out = records
    for form in ("pgn", "jsonl", "iss", "jsonl", "pgn", "iss"):
        out = get_format(form).loads(get_format(form).dumps(out))
    assert [strip(r) for r in out] == [strip(r) for r in records]


def test_a_record_without_its_auction_is_not_given_one() -> None:
    records = get_format("xskat").loads("".join(XSKAT_GAMES[:40]))
    text = get_format("iss").dumps(records)
    again = get_format("iss").loads(text)
    for old, new in zip(records, again, strict=True):
        assert new.before == old.before
        assert (new.contract, new.deal, new.played, new.plays) == (old.contract, old.deal, old.played, old.plays)


def test_a_game_of_the_server_in_xskat_s_log_keeps_deal_contract_and_cards() -> None:
    for record in get_format("iss").loads(ISS_GOOD):
        if record.contract is None and not record.result.get("passed"):
            with pytest.raises(InputError, match="broken-off auction"):
                get_format("xskat").dumps([record])
            continue
        (again,) = get_format("xskat").loads(get_format("xskat").dumps([record]))
        assert (again.deal, again.contract, again.played) == (record.deal, record.contract, record.played)
        assert again.plays == tuple(e for e in record.plays if e.action.verb == "play")
        assert Recording.of(get_game("skat")).verify(again) == []


def skat_sorted(log: str) -> list[str]:
    """The lines of a log, the two cards of the skat in one order."""
    head = ("Skat is: ", "Skat was: ")
    return [",".join(sorted(row.split(": ")[1].split(","))) if row.startswith(head) else row for row in log.split("\n")]


def strip(record: formats.GameRecord) -> tuple[object, ...]:
    """All of a record but where it was read."""
    return (
        record.game,
        record.id,
        record.deal,
        record.board,
        record.players,
        record.before,
        record.contract,
        record.played,
        record.plays,
        dict(record.result),
        dict(record.notes),
    )


def test_the_papers_example_line() -> None:
    """OUTER-14: clubs by rearhand, bid 22, without 1, 87 eyes; here with a deal, since the paper's line is cut."""
    head = "0 0 2 22 0 22 0 0 0 0 0 0 1 0 -1 87 10 -1 -1"
    cards = " ".join(map(str, range(32)))
    (record,) = get_format("pgn").loads(f"[Event: Training]\n{head} {cards} 30 31\n")
    assert str(record.contract) == "2:C@22"
    assert record.before is None
    assert record.notes == {"bids": [22, 0, 22], "strength": [10, -1, -1]}
    assert (record.result["won"], record.result["matadors"], record.result["eyes"]) == (True, -1, 87)


def test_a_plain_reader_of_the_series_sees_table_6() -> None:
    """What a reader that knows nothing of our extensions gets from the lines that hold numbers."""
    text = get_format("pgn").dumps(get_format("iss").loads(ISS_GOOD))
    lines = [line for line in text.splitlines() if line and not line.startswith("[")]
    games = [[int(word) for word in line.split()] for line in lines]
    assert len(games) == 22
    full = [g for g in games if len(g) == 103]
    assert len(full) >= 10
    for g in games:
        assert sorted(g[19:51]) == list(range(32))
        taken = g[19 + 10 * g[2] : 29 + 10 * g[2]] + g[49:51] if g[2] >= 0 else []
        assert not taken or set(g[51:53]) <= set(taken)
    for g in full:
        eyes = [g[57 + 5 * t] for t in range(10)]
        skat = sum((0, 0, 0, 3, 4, 10, 11, 2)[c % 8] for c in g[51:53])
        assert sum(e for e in eyes if e > 0) + skat == g[15]


# -- which format -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), [("iss", ISS_GOOD), ("xskat", XSKAT_TEXT)])
def test_formats_are_told_by_their_first_lines(name: str, text: str, tmp_path: Path) -> None:
    records = get_format(name).loads(text)[:3]
    for form in formats.all_formats():
        if form.game not in (None, "skat"):
            continue
        path = tmp_path / "no-suffix"
        write(records[1:2], path, form.name)
        with formats.open_lines(path) as lines:
            assert formats.detect(path, lines).name == form.name


def test_the_suffix_names_the_format(tmp_path: Path) -> None:
    records = get_format("iss").loads(ISS_GOOD)
    for suffix, name in ((".sgf", "iss"), (".pgn", "pgn"), (".pgn.gz", "pgn"), (".log", "xskat"), (".jsonl", "jsonl")):
        path = tmp_path / f"games{suffix}"
        assert write(records[2:5], path) == 3
        assert formats.format_of(path).name == name
        assert len(list(read(path, strict=True))) == 3


def test_unknown_formats_are_named() -> None:
    with pytest.raises(UnknownName, match=r"pgm.*did you mean 'pgn'"):
        list(read(ISS, format="pgm"))
    with pytest.raises(InputError, match="cannot tell the format"):
        list(read(io.StringIO("hello\nworld\n")))
    with pytest.raises(InputError, match="no format has this suffix"):
        write([], "games.xyz")
    with pytest.raises(InputError, match="No such file"):
        list(read("no-such-file.sgf"))


def test_an_empty_file_is_refused_not_taken_for_no_games() -> None:
    with pytest.raises(InputError, match="cannot tell the format"):
        list(read(io.StringIO("")))


# -- broken records ---------------------------------------------------------------------------------------------------

LINE = next(line for line in ISS_LINES if "ID[541932]" in line)  # any whole game
GAME = XSKAT_GAMES[0]


@pytest.mark.parametrize(
    ("broken", "reason", "fault"),
    [
        (LINE[: len(LINE) // 2], "cut off", False),
        (LINE.replace(" ;)", ""), "cut off", False),
        (LINE.replace("w HA.", "w HX."), "no card 'HX'", False),
        (LINE.replace("w HA.", "w ??."), "hidden card", True),
        (LINE.replace("w HA.", "w SK."), "SK is there twice", True),
        (LINE.replace("w HA.", "w "), "31 cards instead of 32", True),
        (LINE.replace("2 D.ST.H8", "2 D.ST.ST"), "ST is there twice", True),
        (LINE.replace("2 D.ST.H8", "2 D.CA.H8"), "cannot put", True),
        (LINE.replace("2 D.ST.H8", "2 D.ST"), "cannot put", True),
        (LINE.replace("2 D.ST.H8", "2 X.ST.H8"), "no declaration", False),
        (LINE.replace("2 D.ST.H8", "2 DH.ST.H8"), "hand game, but the skat was taken", True),
        (LINE.replace("d:2 loss", "d:1 loss"), "names 1 as declarer", True),
        (LINE.replace("v:-54", "v:x"), "cannot read 'v:x'", False),
        (LINE.replace("2 s w", "2 17 2 s w"), "17 is no legal bid", False),
        (LINE.replace("GM[Skat]", "GM[Chess]"), "not Skat", False),
        ("what is this?", "does not begin", False),
    ],
)
def test_broken_lines_of_the_server(broken: str, reason: str, fault: bool) -> None:
    assert broken != LINE
    text = "\n".join([ISS_LINES[2], broken, ISS_LINES[5]])
    ids, errors = collected(text, "iss")
    assert len(ids) == 2  # reading went on
    (error,) = errors
    assert error.line == 2
    assert reason in str(error)
    assert isinstance(error, RecordFault) == fault
    with pytest.raises(InputError, match="<stream>:2: "):
        list(read(io.StringIO(text), "skat", "iss", strict=True))


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("\n".join(GAME.split("\n")[:15]) + "\n", "cut off"),
        (GAME.replace("=" * 40 + "\n", ""), "cut off"),
        (GAME.replace("Skat was", "Skat has"), "cannot read"),
        (GAME.replace("Last bid: ", "Last bet: "), "cannot read"),
        ("\n".join(row for row in GAME.splitlines() if "Last bid" not in row) + "\n", "'Last bid' is missing"),
        (GAME.replace("CLUB J", "CLUB 6"), "no card 'CLUB 6'"),
        (GAME.replace("random_seed", "random_sead"), "random_sead"),
        (GAME.replace(" played ", " plaid "), "cannot read"),
        (GAME.replace("-" * 40 + "\n", "", 1), "three parts"),
    ],
)
def test_broken_games_of_xskat(broken: str, reason: str) -> None:
    assert broken != GAME
    ids, errors = collected(XSKAT_GAMES[1] + broken + XSKAT_GAMES[2], "xskat")
    assert len(ids) >= 1
    assert len(ids) + len(errors) >= 2
    assert errors[0].line == XSKAT_GAMES[1].count("\n") + 1
    assert reason in str(errors[0])


def test_a_duplicated_card_in_xskat_s_hands() -> None:
    rows = GAME.splitlines(keepends=True)
    hands = next(i for i, row in enumerate(rows) if "random_seed" in row) + 1
    rows[hands] = rows[hands + 1]
    _, errors = collected(XSKAT_GAMES[1] + "".join(rows), "xskat")
    assert isinstance(errors[0], RecordFault)
    assert "is there twice" in str(errors[0])


PGN_LINE = next(
    row
    for row in get_format("pgn").dumps(get_format("iss").loads(LINE)).splitlines()
    if row and not row.startswith("[")
)


@pytest.mark.parametrize(
    ("at", "value", "reason"),
    [
        (1, "9", "9 is no game"),
        (1, "x", "invalid literal"),
        (2, "3", "declarer 3"),
        (19, "32", "32 is no card"),
        (20, "-1", "-1 is no card"),
        (56, "7", "winner 7"),
        (57, "99", "eyes are not 99"),
    ],
)
def test_broken_lines_of_a_series(at: int, value: str, reason: str) -> None:
    words = PGN_LINE.split()
    words[at] = value
    ids, errors = collected(f"{PGN_LINE}\n{' '.join(words)}\n{PGN_LINE}\n", "pgn")
    assert len(ids) == 2
    assert errors[0].line == 2
    assert reason.replace("declarer", "declarer:") in str(errors[0]) or reason in str(errors[0])


def test_a_series_line_that_is_cut_off() -> None:
    words = PGN_LINE.split()
    for length in (1, 5, 52, len(words) - 1):
        _, errors = collected(" ".join(words[:length]) + "\n", "pgn")
        assert "cut off" in str(errors[0])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"deal": "CA"}, "deal"),
        ({"deal": None}, "deal"),
        ({"contract": "7:G@18"}, "contract"),
        ({"before": ["5 pass"]}, "before"),
        ({"before": "pass"}, "before"),
        ({"plays": ["0 play XX"]}, "plays"),
        ({"players": ["one"]}, "players"),
        ({"board": "x"}, "board"),
        ({"colour": 1}, "colour"),
    ],
)
def test_broken_json(change: dict[str, object], field: str) -> None:
    good = json.loads(get_format("jsonl").dumps(get_format("iss").loads(ISS_GOOD)[4:5]))
    text = "\n".join(json.dumps(x) for x in (good, {**good, **change}, good))
    ids, errors = collected(text, "jsonl")
    assert len(ids) == 2
    assert (errors[0].line, errors[0].field) == (2, field)
    for nonsense in ('{"game": "skat"', "[1]", '{"game":"nonesuch","id":"1","deal":""}'):
        ids, errors = collected(f"{json.dumps(good)}\n{nonsense}\n", "jsonl")
        assert (len(ids), len(errors), errors[0].line) == (1, 1, 2)


def test_false_claims_and_illegal_moves_differ() -> None:
    changes = {
        "v:-54": ("v:-36", "points"),
        "m:-2": ("m:2", "matadors"),
        "p:59": ("p:61", "eyes"),
        "t:4": ("t:5", "tricks"),
        "s:0": ("s:1", "schneider"),
        "bidok": ("overbid", "overbid"),
        "loss": ("win", "won"),
        "0 SA 1 S7": ("0 SA 1 H7", "H7 is not in the hand"),
        "2 18 0 p": ("2 19 0 p", "bid:19"),
    }
    for old, (new, what) in changes.items():
        assert old in LINE
        text = "\n".join([ISS_LINES[2], LINE.replace(old, new, 1), ISS_LINES[5]])
        comparisons = list(verify(io.StringIO(text), get_game("skat"), "iss"))
        assert [v.status for v in comparisons] in ([AGREE, DIFFER, AGREE], [AGREE, REFUSED, AGREE])
        assert what in comparisons[1].reason or "19 is no legal bid" in comparisons[1].reason


def test_a_game_that_stops_without_a_word_is_refused() -> None:
    cut = LINE[: LINE.index(" 0 HA 1 SQ")] + " ]R[" + LINE.partition("]R[")[2]
    (comparison,) = verify(io.StringIO(cut), get_game("skat"), "iss")
    assert comparison.status == REFUSED
    assert "broke off" in comparison.reason


def test_a_timeout_before_the_declaration_cannot_be_scored() -> None:
    """As in the server's game 10330141: nobody declared, yet values are claimed."""
    result = "R[d:2 loss v:-54 m:-2 bidok p:0 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:-1 to:2 r:0]"
    cut = LINE[: LINE.index("2 D.ST.H8")] + f"w TI.2 ]{result} ;)"
    (comparison,) = verify(io.StringIO(cut), get_game("skat"), "iss")
    assert (comparison.status, comparison.fault) == (REFUSED, True)
    assert "before a game was declared" in comparison.reason
    (comparison,) = verify(io.StringIO(cut.replace("w TI.2", "2 D w TI.2")), get_game("skat"), "iss")
    assert (comparison.status, comparison.fault) == (REFUSED, True)
    assert "before two cards were put" in comparison.reason


@pytest.mark.parametrize(("gone", "status"), [("w LE.2", AGREE), ("w TI.2", AGREE), ("w LE.1", DIFFER)])
def test_who_leaves_or_runs_out_of_time_loses_in_the_simple_level(gone: str, status: str) -> None:
    key = {"LE": "l", "TI": "to"}[gone[2:4]]
    who = {"l": -1, "to": -1, key: int(gone[-1])}
    result = "R[d:2 loss v:-54 m:-2 bidok p:10 t:0 s:0 z:0 p0:0 p1:0 p2:0 l:{l} to:{to} r:0]".format(**who)
    cut = LINE[: LINE.index(" 0 SA 1 S7")] + f" {gone} ]{result} ;)"
    (comparison,) = verify(io.StringIO(cut), get_game("skat"), "iss")
    assert comparison.status == status, comparison.reason


@pytest.mark.parametrize(
    ("declaration", "status"),
    [
        ("0 GO", AGREE),
        ("0 GHO", AGREE),
        ("0 GOHSZ", AGREE),
        ("0 GO.SJ.D9.CA.DJ.SA.CJ.C8.SQ.HT.H8", REFUSED),
        ("0 GO.HJ.HA.DJ.HQ.SA.H7.CA.CJ.HT.H8", AGREE),
    ],
)
def test_ouvert_cards_may_follow(declaration: str, status: str) -> None:
    line = ISS_LINES[1]
    assert "0 GO " in line
    (comparison,) = verify(io.StringIO(line.replace("0 GO ", f"{declaration} ")), get_game("skat"), "iss")
    assert comparison.status == status


# -- long files -------------------------------------------------------------------------------------------------------


class Endless(io.TextIOBase):
    """A stream without end: the same games again and again."""

    name = "endless"

    def __init__(self, text: str) -> None:
        self.lines = itertools.cycle(text.splitlines(keepends=True))
        self.count = 0

    def readline(self, limit: int = -1) -> str:  # type: ignore[override]
        self.count += 1
        return next(self.lines)


@pytest.mark.parametrize(("form", "text"), [("iss", ISS_GOOD), ("xskat", XSKAT_TEXT), ("pgn", None), ("jsonl", None)])
def test_reading_and_writing_stream_in_bounded_memory(form: str, text: str | None) -> None:
    if text is None:
        text = get_format(form).dumps(get_format("iss").loads(ISS_GOOD))
    stream = Endless(text)

    def copied(count: int) -> Iterator[str]:
        return get_format("pgn").texts(itertools.islice(read(stream, "skat", form), count))

    for _ in copied(40):  # fills the caches
        pass
    tracemalloc.start()
    length = sum(len(piece) for piece in copied(300))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert length > 75_000
    assert peak < 750_000  # bytes: one series of 36 games, not 300


def test_workers_do_not_read_ahead_without_bound() -> None:
    stream = Endless(ISS_GOOD)
    comparisons = verify(stream, get_game("skat"), "iss", jobs=2)
    assert next(comparisons).status == AGREE
    assert stream.count < 5000
    comparisons.close()


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="longer than"):
        list(read(io.StringIO("(;GM[Skat]" + "x" * 3_000_000), "skat", strict=True))


def test_a_cut_gzip_file_gives_what_it_holds_and_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.log.gz"
    path.write_bytes(XSKAT.read_bytes()[:30_000])
    errors: list[InputError] = []
    records = list(read(path, "skat", on_error=errors.append))
    assert len(records) > 100
    assert len(errors) == 1
    comparisons = list(verify(path, get_game("skat"), jobs=2))
    assert [v.status for v in comparisons] == [AGREE] * len(records) + [REFUSED]


def test_names_in_any_encoding_survive(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.sgf", tmp_path / "b.jsonl"
    path.write_bytes(LINE.encode().replace(b"P0[zoot]", b"P0[z\xf6\xf6t]"))
    write(read(path), copy)
    write(read(copy), tmp_path / "c.sgf")
    assert b"P0[z\xf6\xf6t]" in (tmp_path / "c.sgf").read_bytes()


def test_a_file_that_could_not_be_written_whole_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.log"
    path.write_text("old")
    with pytest.raises(InputError, match="broken-off auction"):
        write(read(ISS, on_error=lambda e: None), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["games.log"]


def test_a_plugin_s_fault_in_a_parser_does_not_stop_the_reading() -> None:
    class Careless(formats.Format):
        name = "careless"

        def parse(self, chunk: formats.Chunk, game: object = None) -> formats.GameRecord:
            raise [KeyError("x"), TypeError("y")][chunk.line % 2]

        def text(self, record: formats.GameRecord) -> str:
            return ""

    with pytest.raises(InputError, match=r"f:1: cannot be read \(TypeError: y\)"):
        formats.parsed(Careless(), formats.Chunk(1, "a"), None, "f")


# -- the command line -------------------------------------------------------------------------------------------------


def test_verify_on_the_command_line(cli, tmp_path: Path) -> None:
    result = cli("verify", "skat", ISS, XSKAT, "--json", "--jobs", "2")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert (answer["records"], answer["agree"], answer["differ"]) == (523, 522, [])
    assert [(r["id"], r["fault"]) for r in answer["refused"]] == [(HIDDEN, True)]
    assert cli("verify", "skat", ISS, "--strict").exit_code == 2
    bad = tmp_path / "bad.sgf"
    bad.write_text(LINE.replace("v:-54", "v:-36") + "\n")
    result = cli("verify", "skat", bad, "--json")
    assert result.exit_code == 1
    (differs,) = json.loads(result.stdout)["differ"]
    assert (differs["id"], differs["source"]) == ("541932", f"{bad}:1")
    bad.write_text(LINE[:400] + "\n")
    assert cli("verify", "skat", bad).exit_code == 1
    assert cli("verify", "chess", ISS).exit_code == 2


def test_convert_on_the_command_line(cli, tmp_path: Path) -> None:
    out = tmp_path / "games.pgn.gz"
    result = cli("convert", ISS, out, "--json")
    assert result.exit_code == 1
    answer = json.loads(result.stdout)
    assert (answer["records"], answer["written"]) == (23, 22)
    assert answer["refused"] == [{"source": f"{ISS}:3", "reason": "MV: holds a hidden card '??'"}]
    assert f"{ISS}:3: MV: holds a hidden card" in result.stderr
    assert cli("convert", ISS, tmp_path / "x.jsonl", "--strict").exit_code == 2
    assert not (tmp_path / "x.jsonl").exists()
    result = cli("convert", out, "-", "--to", "iss")
    assert result.exit_code == 0
    assert [strip(r) for r in get_format("iss").loads(result.stdout)] == [
        strip(r) for r in get_format("iss").loads(ISS_GOOD)
    ]
    assert cli("convert", ISS, "-").exit_code == 2
    assert cli("convert", ISS, tmp_path / "games.xyz").exit_code == 2


def test_a_claim_survives_where_there_is_a_word_for_it() -> None:
    game = get_game("skat")
    assert game is not None
    played = next(r for r in get_format("iss").loads(ISS_GOOD) if r.id == "684159")
    table = Table.replay(game, played.deal, (*played.before, *played.plays[:27]))
    table.apply(Action("claim"), played.contract.declarer)  # one trick before the end, with the game in hand
    assert table.over
    record = record_of(table, "claimed", played.players)
    for form in ("iss", "pgn", "jsonl"):
        (again,) = get_format(form).loads(get_format(form).dumps([record]))
        assert again.plays == record.plays
        assert Recording.of(game).verify(again) == []
    with pytest.raises(InputError, match="a claim has no place"):
        get_format("xskat").dumps([record])


def test_a_plain_folded_line_needs_no_skat_as_put() -> None:
    cards = " ".join(map(str, range(32)))
    (record,) = get_format("pgn").loads(f"7 -1 -1 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 {cards}\n")
    assert record.result == {"passed": True}
    assert game_verifies(record)


def game_verifies(record: formats.GameRecord) -> bool:
    game = get_game("skat")
    assert game is not None
    return Recording.of(game).verify(record) == []


def test_the_papers_header_is_read() -> None:
    """Figure 4 of the outer-learning paper."""
    header = (
        "[Event: Training] [Date: 12.01.2025, 13:19, Duration: 24m]\n"
        "[Seat1: Human (ID: 23)] [Seat2: AI1 (ID: 68)] [Seat3: AI2 (ID: 67)]\n"
        "[Number of games: 36]\n"
        "[Result: Seat1: 581 (6:3) Seat2: 1276 (9:0) Seat3: 1136 (13:3)]\n\n"
    )
    (record,) = read(io.StringIO(header + PGN_LINE + "\n"))
    assert record.players == ("Human (ID: 23)", "AI1 (ID: 68)", "AI2 (ID: 67)")
    assert game_verifies(record)
