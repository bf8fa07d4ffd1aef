"""``tricktake play``: driven through its standard input, for every installed game."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click.testing
import pytest

from tests.examples import OH_PSHAW
from tricktake.cli import seen
from tricktake.cli.main import main
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.plugins import manager
from tricktake.records.formats import get_format
from tricktake.records.recording import Recording
from tricktake.steering import sorting
from tricktake.table import Table

GAMES = manager().games.names()


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_plugins: None):
    """Play with these lines as input; the result, and the records that were saved."""
    monkeypatch.chdir(tmp_path)

    def run(*args: object, lines: list[str]) -> tuple[click.testing.Result, list[dict]]:
        text = "".join(f"{line}\n" for line in lines)
        done = click.testing.CliRunner().invoke(main, ["play", *map(str, args)], input=text)
        file = tmp_path / "play.jsonl"
        records = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return done, records

    return run


def first_legal(game: str, seed: int, seat: int = 0) -> list[str]:
    """What to type to play a game alone, always the first legal action."""
    rules = find_game(game)
    table = Table.start(rules, deal(rules.layout, seed, 0))
    lines = []
    while not table.over:
        action = table.legal()[0]
        lines.append(action.to_text(rules.layout.deck))
        table.apply(action)
    return lines


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_alone_and_its_record(play, game: str) -> None:
    done, (record,) = play(game, "--alone", "--seed", 3, lines=first_legal(game, 3))
    assert done.exit_code == 0, done.stderr
    assert "the game is over" in done.stdout
    assert "?" not in done.stdout.replace("??", "")
    (read,) = get_format("jsonl").loads(json.dumps(record))
    assert Recording.of(find_game(game)).verify(read) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_input_ends_in_the_middle(play, game: str) -> None:
    lines = first_legal(game, 3)
    done, (record,) = play(game, "--alone", "--seed", 3, lines=lines[: len(lines) // 2])
    assert done.exit_code == 0, done.stderr
    assert len(record["before"]) + len(record.get("plays", ())) == len(lines) // 2
    (read,) = get_format("jsonl").loads(json.dumps(record))
    assert not read.passed


@pytest.mark.parametrize("game", GAMES)
def test_against_strategies_with_hints(play, game: str) -> None:
    done, records = play(game, "--with", "core:random", "--hint", "core:random", "--seed", 1, lines=["hint", "quit"])
    assert done.exit_code == 0, done.stderr
    assert "hint: " in done.stdout
    assert "at random)" in done.stdout
    assert len(records) <= 1


def test_bad_input_is_asked_again_with_the_reason(play) -> None:
    lines = ["XX", "C2 C3 C4 C5", "S", "", "frob"]
    done, records = play("hearts", "--seed", 5, lines=lines)
    assert done.exit_code == 0
    assert "? no card 'XX' in this deck" in done.stdout or "? seat 0 cannot" in done.stdout
    assert done.stdout.count("\n? ") == 4
    assert records == []  # nothing was done


def test_the_verb_may_be_left_out(play) -> None:
    game = find_game("hearts")
    cards = Table.start(game, deal(game.layout, 5, 0)).legal()[7].to_text(game.layout.deck).removeprefix("pass ")
    done, (record,) = play("hearts", "--alone", "--seed", 5, lines=[cards])
    assert "?" not in done.stdout
    assert record["before"] == [f"0 pass {cards}"]


def test_an_action_is_named_as_it_was_read(play) -> None:
    done, _ = play("hearts", "--alone", "--seed", 5, lines=["cq h4 s7", "undo"])
    game = find_game("hearts")
    read = game.parse("pass CQ H4 S7", Table.start(game, deal(game.layout, 5, 0))).to_text(game.layout.deck)
    assert f"\nseat 0: {read}\n" in done.stdout
    assert f"\ntaken back: seat 0: {read}\n" in done.stdout
    done, _ = play("skat", "--seat", 1, "--with", "core:random", "--seed", 1, lines=["18"])
    assert "\nyou: bid:18\n" in done.stdout


@pytest.mark.parametrize(
    ("name", "number", "hand"),
    [
        ("skat", 9, "DJ  CQ C9  SK S8 S7  HT HK HQ  DQ"),
        ("doppelkopf", 3, "SQ' HQ' DQ' CJ SJ' HJ' D9'  SK S9'  CA CK C9"),
        ("hearts", 3, "S8 S3  H7 H4  DA D8 D7 D5 D3  CK C8 C7 C4"),  # no trumps
        ("euchre", 3, "CQ  HQ HJ HT  SQ"),  # trumps are not yet known
    ],
)
def test_a_hand_is_sorted_by_the_suits_of_the_game_while_bidding(name: str, number: int, hand: str) -> None:
    game = find_game(name)
    view = Table.start(game, deal(game.layout, number, 0)).view(0)
    (line,) = (line for line in seen.view_text(view, sorting(game)) if line.startswith("hand:"))
    assert line.split(maxsplit=1)[1] == hand


def test_where_the_record_goes(play, tmp_path: Path) -> None:
    (card,) = {_own_card(play("hearts", "--seed", 2, "--id", 3, "--with", "core:random", lines=[])[0].stdout)}
    done, _ = play("hearts", "--seed", 2, "--id", 3, "--with", "core:random", "--record", "mine.txt", lines=[card])
    assert f"saved in {tmp_path / 'mine.txt'}: the unfinished game 2-3" in done.stderr
    (record,) = map(json.loads, (tmp_path / "mine.txt").read_text().splitlines())
    assert f"0 play {card}" in record["plays"]
    done, _ = play("hearts", "--alone", "--seed", 5, "--record", "other.jsonl", lines=["quit"])
    assert "nothing was played, nothing is saved" in done.stderr
    assert not (tmp_path / "other.jsonl").exists()


def test_a_trick_is_told_before_what_follows(play) -> None:
    done, _ = play("hearts", "--alone", "--seed", 3, lines=first_legal("hearts", 3))
    assert done.stdout.count("\ntrick: ") == 13
    names = [card.name for card in find_game("hearts").layout.deck]  # whatever is legal will be among them
    done, (_, record) = play("hearts", "--with", "core:random", "--seed", 2, "--id", 3, lines=names * 13)
    assert len(record["plays"]) == 52
    played = 0
    for line in done.stdout.splitlines():
        played += line.startswith("seat ") and ": play " in line
        assert not line.startswith("trick: ") or played % 3 == 0  # three others in every trick
    assert played == 39


def test_undo_takes_the_own_decision_back(play) -> None:
    lines = first_legal("hearts", 5)[:6]  # the fifth is the first card of the play
    done, (record,) = play("hearts", "--alone", "--seed", 5, lines=[*lines, "undo", "undo", "undo", "show", "history"])
    assert done.stdout.count("taken back") == 3
    assert len(record["before"]) == 3
    done, _ = play("hearts", "--alone", "--seed", 5, lines=["undo"])
    assert "? there is nothing to take back" in done.stdout


def test_undo_against_strategies_leads_to_the_same_game(play) -> None:
    args = ("hearts", "--with", "core:random", "--seed", 2, "--id", 3)  # board 3: no passing
    card = _own_card(play(*args, lines=[])[0].stdout)
    play(*args, lines=[card])
    again, (untouched, once, twice) = play(*args, lines=[card, "undo", card])
    assert "taken back" in again.stdout
    assert len(untouched["plays"]) < len(once["plays"])
    assert once["plays"] == twice["plays"]


def _own_card(shown: str) -> str:
    line = next(line for line in shown.splitlines() if line.startswith("you may:"))
    return line.split()[2]


def test_a_person_sees_only_what_the_seat_sees(play) -> None:
    """What is shown comes from the view: no card of the other hands appears before it is played."""
    game = find_game("hearts")
    cards = deal(game.layout, 9, 0)
    done, _ = play("hearts", "--with", "core:random", "--seed", 9, lines=["show", "history"])
    shown = {word for word in done.stdout.replace(",", " ").split() if len(word) == 2 and word[0] in "SHDC"}
    assert shown == {card.name for card in cards.hand(0)}


def test_other_players_by_seat_and_reasons(play) -> None:
    args = ("--with", "core:random", "--with", "2=hearts:rule", "--reasons", "--seed", 2, "--id", 3)
    done, (record,) = play("hearts", *args, lines=[])
    assert record["players"] == ["you", "core:random", "hearts:rule", "core:random"]
    assert "thinks: " in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("hearts", "--seat", "4"), "--seat: hearts has seats 0 to 3"),
        (("hearts", "--with", "0=core:random"), "--with: seat 0 is not one of the others"),
        (("hearts", "--with", "1=core:random", "--with", "1=core:random"), "--with: seat 1 is given twice"),
        (("hearts", "--with", "core:pimc"), "has no strategy for the role 'exchange'"),
        (("hearts", "--with", "core:rendom"), "did you mean 'core:random'"),
        (("hart",), "unknown game 'hart'"),
        (("hearts", "--record", "games.pbn"), "--record: games.pbn is no name for JSON lines"),
        (("hearts", "--record", "games.jsonl.gz"), "--record: games.jsonl.gz is no name for JSON lines"),
        (("hearts", "--record", "/no/such/folder/x.jsonl"), "--record: there is no folder /no/such/folder"),
    ],
)
def test_wrong_options(play, args: tuple, message: str) -> None:
    done, records = play(*args, lines=[])
    assert done.exit_code == 2
    assert message in done.stderr
    assert records == []


def test_a_game_that_is_only_a_file(tmp_path: Path) -> None:
    """As a stranger would: another process, a game of his own with options, a pipe."""
    command = [sys.executable, "-m", "tricktake", "play", "oh_pshaw(players=3,tricks=2)", "--seed", "1", "--record"]
    file = tmp_path / "games.jsonl"
    env = {**os.environ, "TRICKTAKE_PLUGINS": str(OH_PSHAW)}
    run = subprocess.run(
        [*command, str(file)], input="hint\n1\nhint\n", capture_output=True, text=True, timeout=300, env=env, check=True
    )
    assert "hint: bid:" in run.stdout
    assert "turned:" in run.stdout
    assert "contract" in run.stdout
    (record,) = map(json.loads, file.read_text().splitlines())
    assert record["game"] == "oh_pshaw(players=3,tricks=2)"
    assert record["before"][0].startswith("0 bid:1")


def test_many_choices_are_not_all_listed() -> None:
    game = find_game("hearts")
    view = Table.start(game, deal(game.layout, 5, 0)).view(0)
    assert "(286 possibilities)" in seen.legal_text(view.legal, game.layout.deck)
    assert all(len(line) < 120 for line in seen.view_text(view))


@pytest.mark.parametrize("game", ["hearts", "skat"])
def test_a_hint_says_who_recommends_the_card(play, game: str) -> None:
    lines = first_legal(game, 3)
    cards = [i for i, line in enumerate(lines) if line.startswith("play ")]
    start = cards[5 * find_game(game).seats]
    spec = "bid=core:random,exchange=core:random,play=core:ensemble(search=core:pimc(worlds=2))"
    done, _ = play(game, "--alone", "--hint", spec, "--seed", 3, lines=[*lines[:start], "hint", "quit"])
    assert done.exit_code == 0, done.stderr
    assert re.search(r"hint: play (\S+)  \((ensemble|killer|endgame|hope|pimc|playout): \1 ", done.stdout)
