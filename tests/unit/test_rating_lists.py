"""From files to lists: series, state, names, high scores, the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.ratings.bestfit import best_fit
from tricktake.ratings.highscore import HighScore
from tricktake.ratings.luck import Luck
from tricktake.ratings.names import Pseudonyms, read_titles, title_of
from tricktake.ratings.proportional import Proportional
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results
from tricktake.ratings.run import default_system, subsets
from tricktake.ratings.sources import RatedGame, grouped, series_of_csv
from tricktake.ratings.state import Rules, open_list
from tricktake.records.formats import read
from tricktake.records.recording import Recording

XSKAT = ROOT / "tests/data/xskat-500.log.gz"
ISS = ROOT / "tests/data/iss-23.sgf"


def game(players: str, scores, number: int = 0, out: float = 0.0) -> RatedGame:
    return RatedGame(tuple(players), tuple(map(float, scores)), tuple(map(float, scores)), (number,), out)


# -- series -----------------------------------------------------------------------------------------------------------


def test_series_are_the_next_games_of_the_same_players():
    """In any seats, whatever other tables play between."""
    games = [
        game("ABC", (1, 2, 3), 1),
        game("XYZ", (9, 9, 9), 2),
        game("CAB", (30, 10, 20), 3),
        game("BCA", (5, 6, 7), 4),
    ]
    first, *rest = grouped(games, 2)
    assert (first.players, first.scores, first.games) == (("A", "B", "C"), (11, 22, 33), 2)
    assert [(s.players, s.games) for s in rest] == [(("X", "Y", "Z"), 1), (("A", "B", "C"), 1)]
    assert list(grouped(games, 2, short=False)) == [first]


def test_a_series_is_known_by_its_first_game():
    games = [game("ABC", (1, 2, 3), n) for n in range(4)]
    (short,) = grouped(games[:3], 4)
    (grown,) = grouped(games, 4)
    assert short.key == grown.key
    (other,) = grouped(games[1:], 4)
    assert other.key != grown.key


def test_a_player_on_two_seats_gets_their_mean():
    (series,) = grouped([game("ABB", (10, 4, 6))], 1)
    assert (series.players, series.scores) == (("A", "B"), (10, 5))


def test_a_table_of_four_where_one_sits_out():
    """Each gets 30 for a game lost by another, also in the game he sat out."""
    games = [game("ABC", (-86, 30, 30), 1, 30), game("BCD", (68, 0, 0), 2, 0), game("CDA", (30, -96, 30), 3, 30)]
    (series,) = grouped(games, 3, chairs=4)
    assert dict(zip(series.players, series.scores, strict=True)) == {"A": -56, "B": 30 + 68 + 30, "C": 60, "D": 30 - 96}
    two = list(grouped([*games, game("ABE", (1, 1, 1), 4)], 9, chairs=4))
    assert [s.players for s in two] == [tuple("ABCD"), tuple("ABE")]


CSV = "series,player,score,games\n1,anna,1387,36\n1,ben,1018,36\n1,cem,152,36\n"


def test_tables_of_scores(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(CSV)
    (series,) = series_of_csv(path)
    assert (series.players, series.scores, series.games) == (("anna", "ben", "cem"), (1387, 1018, 152), 36)


def test_tables_of_scores_without_columns_or_lines(cli, tmp_path):
    path = tmp_path / "a.csv"
    for text, where in (("series,player,score,score\n", ":1: score"), ("series,player,score\n", "no series")):
        path.write_text(text)
        done = cli("rate", path)
        assert (done.exit_code, where in done.stderr) == (2, True), done.stderr
    path.write_text("Series, Player, Score, Place\n1, anna, 3, first\n\n1, ben, 2, second\n")
    assert ratings_of(rate(cli, path, "--system", "elo")) == {"anna": 1508, "ben": 1492}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("1,anna,many,36\n", ":2: score"),
        ("1,anna,nan,36\n", ":2: score"),
        ("1,,3,36\n", ":2: player"),
        ("1,anna,3,0\n", ":2: games"),
        ("1,anna,3,36\n1,anna,4,36\n", ":2: player"),
        ("1,anna,3,36\n1,ben,4,35\n", ":2: games"),
        ("1,anna,3,36\n2,ben,4,36\n1,cem,5,36\n", ":4: series"),
    ],
)
def test_wrong_tables_of_scores(tmp_path, cli, text, where):
    path = tmp_path / "a.csv"
    path.write_text("series,player,score,games\n" + text)
    done = cli("rate", path)
    assert done.exit_code == 2
    assert f"a.csv{where}" in done.stderr


# -- lists ------------------------------------------------------------------------------------------------------------


def rate(cli, *args):
    done = cli("rate", *args, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def ratings_of(row) -> dict[str, float]:
    return {p["player"]: next(iter(p["ratings"].values()))["rating"] for p in row["players"]}


@pytest.fixture
def halves(tmp_path) -> list[Path]:
    """Twelve series of a club of five in two files, and both in one."""
    rng = np.random.default_rng(7)
    lines = []
    for n in range(12):
        for name in rng.permutation(list("ABCDE"))[:3]:
            lines.append(f"{n},{name},{rng.integers(0, 1500)},36\n")
    head = "series,player,score,games\n"
    files = {"one": lines[:15], "two": lines[15:], "both": lines}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(head + "".join(text))
    return [tmp_path / f"{name}.csv" for name in files]


@pytest.mark.parametrize("system", ["proportional", "softmax", "openskill"])
def test_a_list_goes_on_where_it_stopped(cli, tmp_path, halves, system):
    if system == "openskill":
        pytest.importorskip("openskill")
    one, two, both = halves
    state = tmp_path / "list.json"
    rate(cli, one, "--state", state, "--system", system)
    continued = rate(cli, two, "--state", state, "--system", system)
    assert continued["new"], continued["counted"] == (7, 12)
    assert continued["players"] == rate(cli, both, "--system", system)["players"]


def test_no_series_is_counted_twice(cli, tmp_path, halves):
    one, _, both = halves
    state = tmp_path / "list.json"
    before = rate(cli, one, "--state", state)
    kept = state.read_bytes()
    again = rate(cli, one, "--state", state)
    assert (again["new"], again["repeated"], again["players"]) == (0, 5, before["players"])
    assert state.read_bytes() == kept
    whole = rate(cli, both, one, both, "--state", state)
    assert (whole["new"], whole["repeated"]) == (7, 5 + 5 + 12)
    assert ratings_of(whole) == ratings_of(rate(cli, both))


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--k", "0.05"), "k"),
        (("--system", "softmax"), "system"),
        (("--seed", "4"), "seed"),
        (("--bootstrap", "3"), "replicates"),
        (("--series", "48"), "series"),
        (("--system", "proportional(below=skip)"), "below"),
    ],
)
def test_a_list_made_otherwise_is_refused(cli, tmp_path, halves, options, field):
    state = tmp_path / "list.json"
    rate(cli, halves[0], "--state", state)
    kept = state.read_bytes()
    done = cli("rate", halves[1], "--state", state, *options)
    assert done.exit_code == 2
    assert f"list.json: {field}: the list was made otherwise" in done.stderr
    assert state.read_bytes() == kept


def test_another_version_is_refused(cli, tmp_path, halves, monkeypatch):
    state = tmp_path / "list.json"
    rate(cli, halves[0], "--state", state)
    monkeypatch.setattr(Proportional, "version", "2")
    done = cli("rate", halves[1], "--state", state)
    assert done.exit_code == 2
    assert "system version is '1', not '2'" in done.stderr


def test_another_version_of_luck_is_refused(cli, tmp_path, monkeypatch):
    state = tmp_path / "list.json"
    rate(cli, XSKAT, "--state", state, "--luck", "flat")
    monkeypatch.setattr(Luck, "version", "2")
    done = cli("rate", XSKAT, "--state", state, "--luck", "flat")
    assert done.exit_code == 2
    assert "luck version is '1', not '2'" in done.stderr


@pytest.mark.parametrize(
    ("damage", "field"),
    [
        (lambda row: "no JSON", "no rating list"),
        (lambda row: json.dumps([]), "format"),
        (lambda row: json.dumps({**row, "version": 9}), "version"),
        (lambda row: json.dumps({k: v for k, v in row.items() if k != "seen"}), "seen"),
        (lambda row: json.dumps({**row, "rating": [[1]]}), "rating"),
        (lambda row: json.dumps({**row, "games": "x"}), "games"),
        (lambda row: json.dumps({**row, "counted": "%"}), "counted"),
    ],
)
def test_a_damaged_list_is_refused(cli, tmp_path, halves, damage, field):
    state = tmp_path / "list.json"
    rate(cli, halves[0], "--state", state)
    text = damage(json.loads(state.read_text()))
    state.write_text(text)
    done = cli("rate", halves[1], "--state", state)
    assert done.exit_code == 2
    assert field in done.stderr
    assert "Traceback" not in done.stderr
    assert state.read_text() == text


def test_two_runs_do_not_overwrite_each_other(tmp_path):
    path = tmp_path / "list.json"
    rules = Rules(Proportional(), "", 36)
    first, second = open_list(path, rules), open_list(path, rules)
    first.save(path)
    with pytest.raises(InputError, match="another run"):
        second.save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["list.json"]


def test_games_that_are_left_wait_in_a_kept_list(cli, tmp_path):
    """500 games are 13 series and 32 games."""
    state = tmp_path / "list.json"
    kept = rate(cli, XSKAT, "--state", state)
    assert (kept["new"], kept["players"][0]["games"]) == (13, 468)
    plain = rate(cli, XSKAT)
    assert (plain["new"], plain["players"][0]["games"], plain["players"][0]["series"]) == (14, 500, 13.889)
    ended = rate(cli, XSKAT, "--state", state, "--short")
    assert (ended["new"], ended["repeated"]) == (1, 13)
    assert ratings_of(ended) == ratings_of(plain)


def test_several_systems_side_by_side(cli):
    row = rate(cli, XSKAT, "--system", "proportional", "--system", "elo-pairs(k=8)", "--k", "0.5")
    assert list(row["players"][0]["ratings"]) == ["proportional(k=0.5)", "elo-pairs(k=0.5)"]
    game = find_game("skat")
    points = sum(sum(game.series_points(Recording.of(game).score(record))) for record in read(XSKAT))
    assert sum(p["average"] for p in row["players"]) == pytest.approx(points / 500 * 36)
    done = cli("rate", XSKAT, "--system", "proportional", "--system", "softmax", "--state", "x.json")
    assert (done.exit_code, "one system" in done.stderr) == (2, True)


def test_the_table_for_people(cli):
    done = cli("rate", XSKAT, "--title", "Master=800", "--title", "Grand Master=809", "--least-games", 1)
    assert done.exit_code == 0
    assert next(line.split()[1:4] for line in done.stdout.splitlines() if "Computer" in line) == [
        "Computer2",
        "Grand",
        "Master",
    ]
    assert "14 series of 36" in done.stdout


def test_records_that_cannot_be_rated_are_named(cli):
    done = cli("rate", ISS)
    assert done.exit_code == 0
    assert "iss-23.sgf:3: MV" in done.stderr
    assert cli("rate", ISS, "--strict").exit_code == 2


def test_recorded_points_may_be_trusted(cli, tmp_path):
    path = tmp_path / "games.jsonl"
    assert cli("convert", XSKAT, path).exit_code == 0
    replayed = rate(cli, path)
    assert ratings_of(replayed) == ratings_of(rate(cli, XSKAT))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        row["plays"] = row.get("plays", [])[:1]  # nothing to replay
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert len(rate(cli, path, "--trust")["players"]) == 3


def test_nameless_records_are_not_rated(cli, tmp_path):
    path = tmp_path / "games.jsonl"
    cli("convert", XSKAT, path)
    rows = [json.loads(line) for line in path.read_text().splitlines()[:3]]
    del rows[1]["players"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = cli("rate", path, "--json")
    assert "games.jsonl:2: players" in done.stderr
    assert {p["games"] for p in json.loads(done.stdout)["players"]} == {2}


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--luck", "magic"), "unknown factor 'magic'"),
        (("--luck", "win(high=x)"), "high"),
        (("--luck", "flat(size=3)"), "size"),
        (("--luck", "stegen(normal=printed)"), "normal"),
        (("--title", "Master"), "title"),
        (("--system", "softmax", "--system", "softmax"), "twice"),
        (("--sensitivity", "--system", "softmax"), "sensitivity"),
        (("--chart", "x.gif"), ".png or .svg"),
    ],
)
def test_wrong_options(cli, args, reason):
    done = cli("rate", XSKAT, *args)
    assert done.exit_code == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_files_that_do_not_belong_together(cli, halves):
    done = cli("rate", XSKAT, halves[0])
    assert done.exit_code == 2
    assert "one.csv: series" in done.stderr
    assert cli("rate", halves[0], "--luck", "win").exit_code == 2  # no cards there


# -- tournaments ------------------------------------------------------------------------------------------------------


def test_tournaments_are_rated_and_kept(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    args = ["tournament", "--game", "skat", "--player", "skat:rule", "--player", "core:random", "--deals", 7, "--json"]
    first = cli(*args, "--store", "a.jsonl", "--rate", "list.json")
    assert first.exit_code == 0, first.stderr
    row = json.loads(first.stdout)
    elo = row["ratings"]
    assert elo["skat:rule"]["rating"] > 1500 > elo["core:random"]["rating"]
    assert sum(r["rating"] for r in elo.values()) == pytest.approx(3000, abs=0.02)
    # 42 games: a series of 36 and a short one, each player's score the mean of his seats
    assert [(p["player"], p["series"]) for p in row["list"]] == [("skat:rule", 1.167), ("core:random", 1.167)]
    again = json.loads(cli(*args, "--store", "a.jsonl", "--rate", "list.json").stdout)
    assert again["list"] == row["list"]
    second = cli(*args, "--store", "b.jsonl", "--seed", 1, "--rate", "list.json")
    assert "2 series were new" in second.stderr
    both = rate(cli, "a.jsonl", "b.jsonl")
    assert both["players"] == json.loads(second.stdout)["list"]


def test_a_match_where_only_places_count(cli, tmp_path, monkeypatch):
    """Hearts: points are the same in every deal, so the list is one by places."""
    monkeypatch.chdir(tmp_path)
    args = [
        "tournament",
        "--game",
        "hearts",
        "--player",
        "hearts:rule",
        "--player",
        "core:random",
        "--deals",
        2,
        "--json",
    ]
    done = cli(*args, "--store", "a.jsonl", "--rate", "list.json")
    assert done.exit_code == 0, done.stderr
    assert next(iter(json.loads(done.stdout)["list"][0]["ratings"])) == "softmax(places=true)"
    assert rate(cli, "a.jsonl")["players"] == json.loads(done.stdout)["list"]


def test_best_fit_ratings_do_not_depend_on_the_order():
    """Who wins ten games of eleven is 400 points ahead, somewhat less by the prior."""
    scores = [(1, 0)] * 10 + [(0, 1)]
    results = Results.of("AB", [[0, 1]] * 11, scores)
    ratings = best_fit(results, replicates=50)
    assert ratings["A"] - ratings["B"] == pytest.approx(400 * np.log10(10.5 / 1.5), abs=60)
    backwards = best_fit(results[np.arange(10, -1, -1)])
    assert backwards.rating[:, 0] == pytest.approx(ratings.rating[:, 0])
    assert ratings.errors()[0] > 0
    table = Results.of("ABC", [[0, 1, 2]] * 30, [(3, 2, 1)] * 20 + [(1, 2, 3)] * 10)
    a, b, c = (best_fit(table)[name] for name in "ABC")
    assert a > b > c
    assert a - b == pytest.approx(b - c)
    expected = sum(1 / (1 + 10 ** ((other - a) / 400)) for other in (b, c))
    assert expected == pytest.approx(4 / 3, abs=0.01)  # A has won 20 of 30 against each


# -- names and titles -------------------------------------------------------------------------------------------------


def test_names_by_keyed_hash(cli, tmp_path):
    key, other = tmp_path / "key", tmp_path / "other"
    key.write_text("a key nobody can guess\n")
    other.write_text("another key nobody guesses")
    plain, hidden = rate(cli, XSKAT), rate(cli, XSKAT, "--anonymous", key)
    assert sorted(ratings_of(plain).values()) == sorted(ratings_of(hidden).values())
    names = set(ratings_of(hidden))
    assert names == {Pseudonyms.from_file(key)(f"Computer{n}") for n in (1, 2, 3)}
    assert not names & set(ratings_of(rate(cli, XSKAT, "--anonymous", other)))
    state = tmp_path / "list.json"
    rate(cli, XSKAT, "--anonymous", key, "--state", state)
    assert "Computer" not in state.read_text()
    assert "nobody" not in state.read_text()
    assert cli("rate", XSKAT, "--anonymous", other, "--state", state).exit_code == 2
    key.write_text("short\n")
    done = cli("rate", XSKAT, "--anonymous", key)
    assert (done.exit_code, "16 bytes" in done.stderr) == (2, True)


def test_titles():
    titles = read_titles(["Master=900", "Grandmaster = 1000"])
    assert [title_of(rating, titles) for rating in (899.9, 900, 1200)] == ["", "Master", "Grandmaster"]
    with pytest.raises(InputError, match="title"):
        read_titles(["=3"])


def test_equal_ratings_go_by_name():
    ratings = Ratings.empty().known("CAB", 800.0)
    score = HighScore((Proportional(),), (ratings,), 36)
    assert [row["player"] for row in score.as_rows()] == ["A", "B", "C"]
    assert score.as_rows()[0]["average"] is None


def test_defaults_by_game():
    assert default_system(find_game("skat")) == "proportional"
    assert default_system(find_game("bridge")) == "softmax(places=true)"
    assert default_system(None) == "proportional"
    assert subsets(["flat", "win"]) == [(), ("flat",), ("win",), ("flat", "win")]


# -- charts -----------------------------------------------------------------------------------------------------------


def test_charts(cli, tmp_path):
    pytest.importorskip("matplotlib")
    png, svg = tmp_path / "curves.png", tmp_path / "spread.svg"
    assert cli("rate", XSKAT, "--chart", png).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    done = cli("rate", XSKAT, "--luck", "flat", "--luck", "win", "--sensitivity", "--chart", svg, "--json")
    assert done.exit_code == 0, done.stderr
    assert "<svg" in svg.read_text()
    rows = json.loads(done.stdout)
    assert [row["luck"] for row in rows[::4]] == [[], ["flat"], ["win"], ["flat", "win"]]
    assert all(row["mean"] == pytest.approx(800) and row["min"] < row["max"] for row in rows)
    steps = [row["volatility"] for row in rows[:4]]
    assert steps == sorted(steps)  # larger with K


def test_charts_show_themselves_in_notebooks():
    pytest.importorskip("matplotlib")
    from tricktake.ratings.charts import four_settings, most_active, rating_curves

    results = Results.of("ABC", [[0, 1, 2]] * 3, [(900, 800, 700), (700, 600, 200), (1000, 900, 800)], 36)
    ratings, curve = Proportional().curves(results)
    chart = rating_curves(results, curve, ratings, 800.0)
    assert chart._repr_png_().startswith(b"\x89PNG")
    assert chart._repr_svg_() == rating_curves(results, curve, ratings, 800.0)._repr_svg_()
    both = {"none": (results, curve), "none again": (results, curve)}
    assert "none again" in four_settings(both, ratings.names, 800.0, most_active(ratings))._repr_svg_()
