"""``tricktake games GAME``: every game on a page, in words and as what its contracts mean for the cards."""

from __future__ import annotations

import json

import pytest

from tricktake.cli.rulescard import facts, meaning, paragraphs
from tricktake.game import find_game
from tricktake.plugins import manager
from tricktake.steering import matches, reach


@pytest.mark.parametrize("name", manager().games.names())
def test_the_card_of_every_game(cli, name: str) -> None:
    game = find_game(name)
    done = cli("games", name, "--json")
    assert done.exit_code == 0, done.stderr
    card = json.loads(done.stdout)
    assert set(card["contracts"]) == set(game.kinds or ("*",))
    assert card["rules"]
    for kind, meant in card["contracts"].items():
        assert {"order", "goal"} <= meant.keys()
        if "example" in meant:
            assert matches(game.contract(meant["example"]).kind, kind)
    done = cli("games", name)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert f"tricktake check {name}" in done.stdout
    words = " ".join(done.stdout.split())
    for paragraph in card["rules"]:
        assert paragraph in words
    for option in card["options"]:
        assert f"{option}=" in words


@pytest.mark.parametrize(
    ("name", "kind", "meant"),
    [
        ("hearts", "*", {
            "order": "no trumps; S H D C: A K Q J T 9 8 7 6 5 4 3 2",
            "counts": "SQ 13; H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK HA 1",
            "goal": "each side as little as possible",
        }),
        ("whist", "H", {
            "order": "trumps H; C D H S: A K Q J T 9 8 7 6 5 4 3 2",
            "counts": "each trick 1",
            "goal": "each side as much as possible",
        }),
        ("doppelkopf", "queens", {
            "order": "trumps CQ SQ HQ DQ; D H S C: A T K J 9",
            "counts": "A 11; T 10; K 4; Q 3; J 2",
            "goal": "declarer at least 121, the others at least 120",
        }),
        ("skat", "null", {
            "order": "no trumps; C S H D: A K Q J T 9 8 7",
            "counts": "each trick 1",
            "goal": "declarer nothing, the others at most 9",
        }),
    ],
)  # fmt: skip
def test_what_contracts_mean(name: str, kind: str, meant: dict[str, str]) -> None:
    table = reach(find_game(name), kind, 0, 0)
    assert table.tricks is not None
    assert dict(meaning(table.tricks.rules, table)) == meant


def test_secret_partners_and_special_cards() -> None:
    assert "and whoever was dealt" in facts(find_game("schafkopf"))["contracts"]["ruf"]["sides"]
    wedding = facts(find_game("doppelkopf"))["contracts"]["wedding"]
    assert wedding["sides"] == "the declarer and the first to win one of tricks 1 to 3 against the others"
    wizard = facts(find_game("wizard"))["contracts"]["none"]["order"]
    assert "always wins: W1 W2 W3 W4; never wins: J1 J2 J3 J4" in wizard


def test_paragraphs_begin_with_a_heading_or_after_an_empty_line() -> None:
    text = "A game\nfor two.\n\nCards: 32,\nsee Skat.\nPlay (open): x\ny: z"
    assert paragraphs(text) == ["A game for two.", "Cards: 32, see Skat.", "Play (open): x y: z"]
    assert paragraphs("") == []


def test_a_game_with_options(cli) -> None:
    assert "  Seats: 6\n" in cli("games", "oh_hell(players=6,tricks=3)").stdout
