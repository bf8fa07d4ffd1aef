"""The experiments on Skat: leagues, openings, fits, and what is measured on recorded contracts."""

from __future__ import annotations

from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tricktake_lab.experiment import SAMPLE_LOG
from tricktake_lab.skat import discard
from tricktake_lab.skat._kernels import own_games
from tricktake_lab.skat._kernels.slips import SLIP
from tricktake_lab.skat.bidding import style_of
from tricktake_lab.skat.calibration_fit import fit_line, fit_power
from tricktake_lab.skat.discard_fit import fit as fit_pairs
from tricktake_lab.skat.given_away import study
from tricktake_lab.skat.league import play_league, play_slipping
from tricktake_lab.skat.openings import openings
from tricktake_lab.skat.prior_fit import fit
from tricktake_lab.skat.recorded import RULE, by_players, by_policy, recorded
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.model import prior
from tricktake_skat.bidding.style import Style
from tricktake_skat.bidding.value import find_values, packed_values
from tricktake_skat.deals import dealt
from tricktake_skat.games import Player, bid_rows, dealt_rows, play_deals, play_games
from tricktake_skat.kernels import rows as kernel
from tricktake_skat.luck import Declared, SkatLuck
from tricktake_skat.questions.declarer import SUIT
from tricktake_skat.rows import game_rules
from tricktake_skat.series import Series

from tricktake.errors import InputError, UnknownName
from tricktake.game import find_game
from tricktake.ratings.system import get_system
from tricktake.records import formats
from tricktake.strategies.policy import find_policy


def test_a_league_counts_as_its_series_do():
    """Against the standings of Series, which turn the seats themselves; and the better player comes first."""
    slips = (0.0, 0.6, 0.1, 0.3)
    league = play_league(slips, 60, 9)
    scores, games = league.results().scores, league.games
    for t, table in enumerate(league.tables[:5]):
        series = Series(3)
        for i in range(36 * t, 36 * t + 36):
            assert sorted(league.seated[i]) == sorted(table)
            seat, value = int(games.seat[i]), int(games.value[i])
            series = series.with_game(seat if seat >= 0 else None, value if value > 0 else 2 * value)
        assert [standing.score for standing in series.standings()] == scores[t].tolist()
    single = league.single_games().scores
    assert single.sum() == pytest.approx(scores.sum())
    with pytest.raises(ValueError, match="three"):
        play_league((0, 0), 1, 1)
    near = play_league(np.linspace(0, 0.5, 9), 40, 1, near=4).tables
    assert (near.max(axis=1) - near.min(axis=1)).max() <= 3
    best = play_league(slips, 60, 9)
    assert (best.games.value == games.value).all()
    assert np.argmax(get_system("mean").rated(league.results(("deal",))).rating[:, 0]) == 0


def test_openings_are_drawn_from_the_hand() -> None:
    """Deals are bid as usual; forehand, when defending, leads any card; all play is legal, and counted by the rules."""
    rows = openings(9, 0, 400)
    as_usual = play_deals(dealt(9, 0, 400)).rows
    as_usual = as_usual[(as_usual["declarer"] > 0) & (as_usual["game"] < 5)]
    for field in ("id", "declarer", "game", "hand", "put", "bid", "bids", "hands"):
        assert np.array_equal(rows[field], as_usual[field])
    assert 0.7 < (rows["cards"][:, 0] != as_usual["cards"][:, 0]).mean() < 1
    again = rows.copy()
    again["eyes"] = -1
    assert all(kernel.complete(game_rules(), row) == kernel.SOUND for row in again)
    assert np.array_equal(again["eyes"], rows["eyes"])
    assert 0 < np.isin(rows["cards"][:, 0], [6, 14, 22, 30]).mean() < 0.3  # aces
    part = rows[(rows["id"] >= 100) & (rows["id"] < 150)]
    assert np.array_equal(openings(9, 100, 50), part)
    by_policy = openings(9, 100, 50, policy="skat:cards")
    assert np.array_equal(by_policy["cards"][:, 0], part["cards"][:, 0])
    assert not np.array_equal(by_policy["cards"], part["cards"])


def test_chances_are_set_right_by_what_was_won():
    """Estimates that are too sure of themselves are brought back; a power makes the mean right."""
    rng = np.random.default_rng(2)
    odds = rng.normal(1, 1.5, 20_000)
    won = (rng.random(20_000) < 1 / (1 + np.exp(-(0.5 * odds - 0.3)))).astype(float)
    a, b = fit_line(1 / (1 + np.exp(-odds)), won)
    assert (a, b) == pytest.approx((-0.3, 0.5), abs=0.06)
    chance = rng.random(20_000)
    assert fit_power(chance, (rng.random(20_000) < chance**2).astype(float)) == pytest.approx(2, abs=0.1)


def test_the_prior_goes_on_where_nobody_plays():
    """Each trump fewer is worse, also below those that were met; the mean loss is that of a fair guess or better."""
    rng = np.random.default_rng(4)
    values = np.column_stack([rng.integers(0, domain, 20_000) for domain in SUIT.form.domains])
    values[:, 0] = rng.integers(4, 9, 20_000)
    won = (rng.random(20_000) < 1 / (1 + np.exp(6.0 - values[:, 0]))).astype(np.int64)
    weights, loss = fit(SUIT, values, won)
    assert (np.diff(weights["trumps"]) > 0).all()
    assert weights["trumps"][5] - weights["trumps"][2] == pytest.approx(3, abs=0.6)
    assert loss < 0.6
    for shipped in prior().values():
        assert all(np.isfinite(w).all() for w in shipped.values())
    assert (np.diff(prior()["suit"]["trumps"][:9]) > 0).all()


def test_given_away_asks_where_cards_differ() -> None:
    pimc, rule = study(4242, 0, 10, ["core:pimc(worlds=8)", "skat:rule"])
    assert len(pimc.given) == len(rule.given) > 10
    assert pimc.declarer == rule.declarer
    assert sum(pimc.given) < sum(rule.given)
    assert 0 < np.mean(rule.given) < 1
    assert set(rule.given) == {0.0, 1.0}


def test_weights_are_fitted_from_pairs():
    """Which of two skats wins is learned from their features: a noisy linear rule is found again."""
    rng = np.random.default_rng(0)
    true = np.array([3.0, -2, 1, 0, 0, 4, 0, 1, -1])
    x = rng.normal(size=(4000, 9)) * np.array([10, 1, 5, 1, 1, 2, 2, 2, 1])
    gain = np.sign(x @ true + rng.logistic(size=4000)) * rng.choice([20.0, 100.0], 4000)
    w = fit_pairs(x, gain)
    assert np.corrcoef(x @ w, x @ true)[0, 1] > 0.99


def test_the_experiment_plays_the_contracts_of_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule games taken for a log: the same contracts, and the skat of the record wins as recorded."""
    rows = play_games(3, 0, 400).rows
    want = rows[(rows["game"] == 4) & (rows["hand"] == 0)]
    monkeypatch.setattr(discard, "read_rows", lambda log: iter([rows]))
    what = discard.contracts(SAMPLE_LOG, "grand", 50)
    assert 20 < len(what) <= 50
    results = discard.play(what, what.put)
    assert (results.won == want["won"][: len(what)]).all()
    methods = ("recorded", "proposed", "proposed/core-ace@tables")
    (sheet,) = discard.compared(0, "sample", "grand", 30, methods).sheets
    assert [row[0] for row in sheet.rows] == list(methods)
    assert sheet.rows[0][2].mean == 0


def test_points_are_those_of_a_series():
    results = discard.Results(np.array([1, 0]), np.array([48, -96]))
    assert results.points.tolist() == pytest.approx([12 * 98, 12 * (-96 - 50 + 80)])  # SKAT-43


def test_slips_weaken_a_player_and_change_nothing_else():
    usual = play_games(77, 0, 400)
    deals, never = usual.rows["deal"], np.zeros((400, 3))
    assert (play_slipping(deals, never, 0).rows["cards"] == usual.rows["cards"]).all()
    slips = never.copy()
    slips[:, 1] = 1.0  # only middlehand slips, always
    again = play_slipping(deals, slips, 5)
    assert (again.rows["bids"] == usual.rows["bids"]).all()
    by_slip = again.whys == SLIP
    for i in np.flatnonzero(again.rows["declarer"] >= 0):
        row, leaders = again.rows[i], [0, *again.rows["winners"][i]]
        played = int((row["cards"] >= 0).sum())
        seats = [(leaders[card // 3] + card % 3) % 3 for card in range(played)]
        assert by_slip[i, :played].tolist() == [seat == 1 for seat in seats]
        assert kernel.complete(game_rules(), row) == kernel.SOUND  # and follows suit
    with pytest.raises(ValueError, match="chances"):
        play_slipping(deals, slips + 1, 0)
    mine = [SkatLuck().corrected(Declared.of_games(games))[0][:, 1].sum() for games in (again, usual)]
    assert mine[0] < mine[1]


def test_recorded_contracts_are_played_alike_at_a_table_and_in_batches() -> None:
    """Two ways to the same games: by the kernel all at once, and card by card; and a record is worth what it says."""
    log = recorded(SAMPLE_LOG, 12)
    policy = find_policy("skat:cards")
    rows = by_policy(policy, log)
    alone = "core:policy(policy=skat:cards)"
    played = by_players(SAMPLE_LOG, 12, alone, 1, 0)
    for pair in ((alone, alone), (alone, RULE), (RULE, alone)):
        named = tuple("policy" if name == alone else name for name in pair)
        assert rows[named[0], named[1]].tolist() == played[pair].tolist()
    records = list(islice((r for r in formats.read(SAMPLE_LOG, find_game("skat")) if r.contract is not None), 12))
    assert [bool(record.result["won"]) for record in records] == (log["value"] > 0).tolist()


def test_own_games_are_the_bidders_or_nearly_so() -> None:
    """What is declared is what the bidder declares; all else is the best of its kind or a few points worse."""
    rows = dealt_rows(5, 0, 40)
    bid_rows([Player()], rows, np.zeros((40, 3), np.int64))
    out, said = np.repeat(rows[:1], own_games.MOST * 40), np.zeros(own_games.MOST * 40, np.int64)
    values = packed_values([find_values("skat:values")])
    n = own_games.around(values, rows, 50.0, 15.0, -50.0, 0.35, 7, out, said)
    kinds = set()
    for row, word in zip(out[:n], said[:n], strict=True):
        seat, bids, bid = int(row["declarer"]), tuple(row["bids"].tolist()), int(row["bid"])
        hand, skat = int(row["deal"][seat]), int(row["deal"][3])
        choice = int(row["game"] + row["ouvert"])
        if word == -1:
            assert (row["hand"], row["put"]) == (1, skat)
            continue
        kinds.add((max(choice - 3, 0), int(word)))
        best = evaluator().options(hand | skat, seat, bids, bid, Style())[0]
        games = [g for g in range(7) if max(g - 3, 0) == max(choice - 3, 0)]
        each = {g: evaluator().discards(g, hand | skat, seat, bids, bid, Style()) for g in games}
        most = max(options[0].score for options in each.values())
        (option,) = [o for o in each[choice] if o.discard_mask == row["put"]]
        assert option.score >= most - 15
        assert option.score >= min(-50, best.score) - 15
        if word == own_games.DECLARED:
            assert option.score == pytest.approx(best.score)
        elif word == own_games.BEST:
            assert option.score == pytest.approx(most)
    assert len(kinds) > 6
    played = rows[rows["declarer"] >= 0]["id"]
    assert set(out[:n]["id"]) == set(played)  # every declarer plays the game it likes best, and some others


def test_files_of_weights_may_have_hyphens(tmp_path: Path) -> None:
    file = tmp_path / "my-own.toml"
    file.write_bytes((files("tricktake_skat.discard") / "weights/core.toml").read_bytes())
    assert discard.selector_of(f"proposed/{file}").weights == str(file)
    without = discard.selector_of(f"proposed/{file}-trump")
    assert (without.weights, without.without) == (str(file), ("trump",))


def test_rules_of_play_can_be_left_out_of_a_method() -> None:
    """After the tilde: the same discards, played as without the rules that were asked for."""
    rules = "from-above+standing-first"
    assert discard.selector_of(f"proposed~{rules}") == discard.selector_of("proposed")

    def rows(also: str, *methods: str) -> list:
        run = discard.compared(0, "sample", "grand", 60, methods, expert=True, also=also)
        return [list(row) for row in run.sheets[0].rows]

    _, left_out = rows(rules, "proposed", f"proposed~{rules}")
    (plain,) = rows("", "proposed")
    assert left_out[-1].mean == 1
    assert (left_out[1].mean, left_out[3].mean, left_out[4]) == (plain[1].mean, plain[3].mean, plain[4])
    with pytest.raises(InputError, match="also"):
        rows("from-below", "proposed")


def test_any_style_has_a_name() -> None:
    assert style_of("B 50, threshold -17") == Style(50.0, -17.0)
    assert style_of("rule player") is None
    with pytest.raises(UnknownName, match="B fifty"):
        style_of("B fifty, threshold 10")
