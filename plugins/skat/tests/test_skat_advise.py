"""``tricktake advise skat``: games and skats for a hand."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tricktake_skat.bidding.advice import discard_text
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.style import Style
from tricktake_skat.deck import SKAT
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
    assert "Skats for G" in result.output
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
        assert row["expected"] <= games[0]["expected"]
    assert skats["winprob"]["win"] == max(row["win"] for row in skats.values())


def test_the_numbers_are_those_by_which_the_bidder_decides():
    """Twelve cards: its games, and the discard it puts. Ten: what it bids on, and how far."""
    bids, style = (18, 0, 20), Style()
    advice = Asker(1, bids).advise(read_mask(TWELVE))
    options = evaluator().options(read_mask(TWELVE), 1, bids, 20, style)
    assert [(g["game"], g["win"], g["expected"]) for g in advice["games"]] == [
        (o.name, o.win, o.score) for o in options
    ]
    best, *others = advice["discards"]
    assert read_two(" ".join(best["put"])) == options[0].discard_mask
    assert (best["win"], best["expected"]) == pytest.approx((options[0].win, options[0].score))
    assert all(best["expected"] >= other["expected"] >= others[-1]["expected"] for other in others)
    assert f"discard {' '.join(best['put'])}" in advice["reason"]
    ten = Asker(1, bids).advise(read_mask(TEN))
    offer = evaluator().offer(read_mask(TEN), 1, bids, 20, style)
    assert (ten["pick_up"], ten["hand"], ten["hand_game"]) == (offer.take, offer.hand, offer.by_hand.name)
    assert max(g["hand_expected"] for g in ten["games"]) == pytest.approx(offer.hand)
    assert evaluator().offer(read_mask(TEN), 1, bids, ten["up_to"], style).score > style.threshold
    heard = {tuple(h["bids"]): h["expected"] for h in ten["heard"]}
    assert heard[bids] == offer.score != heard[0, 0, 0]


def test_what_a_discard_leaves_is_said():
    cards = read_mask(TWELVE)
    assert discard_text(0, cards, read_two("DK D9")) == "4 eyes, no diamonds left"
    assert discard_text(0, cards, read_two("S7 HA")) == "11 eyes, no spades left"
    assert discard_text(0, cards, read_two("H8 HA")) == "11 eyes, ten of hearts left bare"
    assert discard_text(4, cards, read_two("H8 HT")) == "10 eyes, ace of hearts alone"
    assert discard_text(5, cards, read_two("DK HA")) == "hearts T 8, diamonds 9"


def read_two(text):
    return SKAT.parse_mask(text)


def test_a_game_can_be_given_and_the_bid_counts():
    advice = json.loads(run(TWELVE, "--json", "--game", "d").output)
    assert advice["game"] == "D"
    high = json.loads(run(TWELVE, "--json", "--bids", "48,45,0").output)
    assert {g["game"] for g in high["games"]} == set("CSHDG")  # no Null at 48
    refused = run(TWELVE, "--game", "NO", "--bids", "48,45,0")
    assert refused.exit_code == 2
    assert "NO is worth less than the bid of 48" in refused.output


def test_ten_cards_on_average_over_all_skats():
    advice = json.loads(run(TEN, "--json", "--chance", "rule").output)
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
    for chance in ("rule", "networks"):
        text = run(TEN, "--chance", chance)
        assert text.exit_code == 0
        assert "231 skats" in text.output
    assert "What others' bids change" in text.output


def test_the_learned_tables_judge_as_well():
    rule, tables = (json.loads(run(TWELVE, "--json", "--chance", name).output) for name in ("rule", "tables"))
    assert {g["game"] for g in rule["games"]} == {g["game"] for g in tables["games"]}
    assert rule["games"] != tables["games"]
    assert tables["chance"] == "tables"


def test_strong_hands_are_played_from_the_hand():
    cards = read_mask("CJ SJ HJ DJ CA CT CK SA ST HA")
    for chance, game in (("rule", "G"), ("networks", "GHS")):
        advice = Asker(chance=chance).advise(cards)
        assert advice["better"] == "hand"
        assert advice["hand_game"] == game


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
