"""``tricktake advise skat``: games and skats for a hand."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tricktake_skat.discard.advice import Asker, read_mask
from tricktake_skat.discard.selection import METHODS

from tricktake.cli.main import main

TWELVE = "CJ SJ CA CT C9 C8 HA HT DK D9 S7 H8"
TEN = "CJ SJ CA CT C9 C8 HA HT DK D9"


def run(*args: str):
    return CliRunner().invoke(main, ["advise", "skat", *args])


def test_twelve_cards_side_by_side():
    result = run(TWELVE)
    assert result.exit_code == 0, result.output
    for method in METHODS:
        assert method in result.output
    assert "Skats for C" in result.output
    assert "best discard" in result.output


def test_twelve_cards_as_json():
    advice = json.loads(run(*TWELVE.split(), "--json", "--seat", "rearhand", "--bids", "0,18,20").output)
    assert advice["seat"] == 2
    assert advice["bids"] == [0, 18, 20]
    games = advice["games"]
    assert [g["expected"] for g in games] == sorted((g["expected"] for g in games), reverse=True)
    assert advice["game"] == games[0]["game"]
    skats = {row["method"]: row for row in advice["skats"]}
    assert set(skats) == set(METHODS)
    for row in skats.values():
        assert set(row["put"]) < set(TWELVE.split())
        assert 0 < row["win"] < 1
        assert row["reason"]
    assert skats["winprob"]["win"] == max(row["win"] for row in skats.values())
    assert skats["winprob"]["expected"] == pytest.approx(games[0]["expected"])


def test_a_game_can_be_given_and_the_bid_counts():
    advice = json.loads(run(TWELVE, "--json", "--game", "d").output)
    assert advice["game"] == "D"
    high = json.loads(run(TWELVE, "--json", "--bids", "48,45,0").output)
    assert {g["game"] for g in high["games"]} == set("CSHDG")  # no Null at 48
    refused = run(TWELVE, "--game", "NO", "--bids", "48,45,0")
    assert refused.exit_code == 2
    assert "NO is worth less than the bid of 48" in refused.output


def test_ten_cards_on_average_over_all_skats():
    advice = json.loads(run(TEN, "--json").output)
    assert advice["skats"] == 231
    games = {g["game"]: g for g in advice["games"]}
    assert set(games) == {"C", "S", "H", "D", "G", "N", "NO"}
    assert sum(g["declared"] for g in games.values()) == pytest.approx(1)
    assert advice["pick_up"] >= max(g["expected"] for g in games.values())
    assert advice["hand"] == max(g["hand_expected"] for g in games.values())
    assert advice["better"] in ("pick up", "hand")
    by_method = {m["method"]: m["expected"] for m in advice["methods"]}
    assert by_method["winprob"] == max(by_method.values()) == pytest.approx(advice["pick_up"])
    assert by_method["random"] == min(by_method.values())
    text = run(TEN)
    assert text.exit_code == 0
    assert "231 skats" in text.output


def test_the_learned_tables_judge_as_well():
    rule, tables = (json.loads(run(TWELVE, "--json", "--chance", name).output) for name in ("rule", "tables"))
    assert {g["game"] for g in rule["games"]} == {g["game"] for g in tables["games"]}
    assert rule["games"] != tables["games"]
    assert tables["chance"] == "tables"


def test_strong_hands_are_played_from_the_hand():
    advice = Asker().advise(read_mask("CJ SJ HJ DJ CA CT CK SA ST HA"))
    assert advice["better"] == "hand"
    assert advice["hand_game"] == "G"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("CJ ZZ",), "'ZZ'"),
        ((TEN + " CJ DT",), "'CJ' is there twice"),
        ((TEN.rsplit(" ", 1)[0],), "9 cards"),
        ((TEN + " S7",), "11 cards"),
        ((TEN, "--method", "stegan"), "did you mean 'stegen'"),
        ((TEN, "--method", "recorded"), "--keep skat"),
        ((TEN, "--weights", "litteral"), "literal"),
        ((TEN, "--game", "X"), "'X'"),
        ((TEN, "--bids", "18"), "three numbers"),
        ((TEN, "--bids", "19,0,0"), "19 is no legal bid"),
        ((TEN, "--seat", "dealer"), "forehand"),
    ],
)
def test_mistakes_are_named(args, said):
    result = run(*args)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


def test_the_same_seed_the_same_advice():
    cards = read_mask(TWELVE)
    assert Asker(seed=3).advise(cards) == Asker(seed=3).advise(cards)
    puts = {tuple(Asker(seed=s, methods=("random",)).advise(cards)["skats"][0]["put"]) for s in range(6)}
    assert len(puts) > 1
