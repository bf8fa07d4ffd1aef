"""Specs: names with options, for games and parts alike."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from tests.toygame import ToyGame
from tests.whist import DECK, Plain
from tricktake.deal import deal
from tricktake.errors import InputError, PluginError, UnknownName
from tricktake.game import find_game
from tricktake.plugins import manager
from tricktake.records.formats import get_format
from tricktake.records.record import record_of
from tricktake.records.recording import Recording
from tricktake.rules import TrickRules
from tricktake.spec import Spec
from tricktake.table import Table

OH_PSHAW = Path(__file__).resolve().parents[2] / "examples/oh_pshaw/tricktake_oh_pshaw.py"


@pytest.fixture
def oh_pshaw(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", str(OH_PSHAW))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("skat", {}),
        ("skat()", {}),
        ("oh_pshaw( players = 5 , tricks=3 )", {"players": 5, "tricks": 3}),
        ("core:pimc(decide=mean,x=0.5,y=true)", {"decide": "mean", "x": 0.5, "y": True}),
        ("a:b(c=d:e(f=1,g=2))", {"c": "d:e(f=1,g=2)"}),
        ('a:b(c="a file, with (comma.policy")', {"c": "a file, with (comma.policy"}),
        ("a:b(c='5', d = \"say \"\"hi\"\"\", e='it''s')", {"c": "5", "d": 'say "hi"', "e": "it's"}),
        ("""a:b(c=d:e(f="g, h", i=')'))""", {"c": """d:e(f="g, h", i=')')"""}),
        ("a:b(c='', d=o'neill)", {"c": "", "d": "o'neill"}),
    ],
)
def test_reads_and_writes(text: str, options: dict) -> None:
    spec = Spec.from_text(text)
    assert dict(spec.options) == options
    assert Spec.from_text(str(spec)) == spec


@pytest.mark.parametrize(
    "text", ["", "a b", "a(", "a)", "a(b)", "a(b=)", "a(b=1,b=2)", "a(b=1", "a(,)", "a(1b=2)", 'a(b="c)', 'a(b="c"d)']
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"game: "):
        Spec.from_text(text, "game", "oh_pshaw(players=5)")


def test_a_game_with_options(oh_pshaw: None) -> None:
    game = find_game("oh_pshaw(tricks=3,players=5)")
    assert (game.seats, game.layout.hand_sizes[0]) == (5, 3)
    assert game.spec == "oh_pshaw(players=5,tricks=3)"
    assert find_game("oh_pshaw(players=5, tricks=3)") is game
    assert find_game("oh_pshaw", players=5, tricks=3) is game
    assert find_game("oh_pshaw") is not game
    assert find_game("oh_pshaw").spec == "oh_pshaw"


def test_a_game_is_made_with_its_spec(oh_pshaw: None) -> None:
    game = find_game("oh_pshaw(players=3,tricks=2)")
    assert type(game)(3, tricks=2).spec == type(game)(tricks=2, players=3).spec == game.spec
    with pytest.raises(AttributeError):
        game.spec = "oh_pshaw"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(ToyGame())).spec == "toy"
    assert copy.copy(game).spec == game.spec
    plain = Plain(TrickRules.plain(DECK, 2), 2, leader=1)
    assert plain.spec == "plain(leader=1,size=2)"  # no text says what its rules are
    with pytest.raises(TypeError, match="unexpected keyword argument 'players'"):
        ToyGame(players=3)


def test_a_game_has_to_be_found_by_its_own_name(monkeypatch: pytest.MonkeyPatch, fresh_plugins: None) -> None:
    monkeypatch.setenv("TRICKTAKE_PLUGINS", "")
    manager().games.add("somebody", "other", ToyGame)
    with pytest.raises(PluginError, match="'other' calls itself 'toy', which nobody registered"):
        find_game("other")
    manager().games.add("somebody", "toy", ToyGame)
    assert find_game("other").spec == "toy"


def test_wrong_options_are_named(oh_pshaw: None) -> None:
    with pytest.raises(
        InputError, match="game oh_pshaw: got an unexpected keyword argument 'player'; options: players"
    ):
        find_game("oh_pshaw(player=5)")
    with pytest.raises(InputError, match="game oh_pshaw: 9 players"):
        find_game("oh_pshaw(players=9)")
    with pytest.raises(UnknownName, match="did you mean 'oh_pshaw'"):
        find_game("oh_psha(players=5)")


def test_a_record_knows_its_options(oh_pshaw: None) -> None:
    game = find_game("oh_pshaw(players=5,tricks=3)")
    table = Table.start(game, deal(game.layout, 1, 0))
    while not table.over:
        table.apply(table.legal()[0])
    form = get_format("jsonl")
    text = form.text(record_of(table, "1"))
    (again,) = form.loads(text)
    assert again.game == game.spec
    assert Recording.of(find_game(again.game)).verify(again) == []
    (again,) = form.loads(text, game)
    with pytest.raises(InputError, match=r"a record of oh_pshaw\(players=5,tricks=3\), not of oh_pshaw$"):
        form.loads(text, find_game("oh_pshaw"))


def test_the_command_line_takes_options(oh_pshaw: None, cli) -> None:
    done = cli("deal", "oh_pshaw(players=3,tricks=2)", "--json")
    assert done.exit_code == 0, done.stderr
    assert '"turned"' in done.stdout
    done = cli("deal", "oh_pshaw(cards=3)")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "unexpected keyword argument 'cards'" in done.stderr


def test_a_game_without_options_stands_for_its_variants_in_a_file_to_verify(oh_pshaw: None, tmp_path, cli) -> None:
    texts = []
    for spec in ("oh_pshaw", "oh_pshaw(players=5,tricks=3)"):
        game = find_game(spec)
        table = Table.start(game, deal(game.layout, 1, 0))
        while not table.over:
            table.apply(table.legal()[0])
        texts.append(get_format("jsonl").text(record_of(table, spec)))
    file = tmp_path / "both.jsonl"
    file.write_text("".join(texts))
    done = cli("verify", "oh_pshaw", file)
    assert (done.exit_code, "2 agree" in done.stdout) == (0, True), done.output
    done = cli("verify", "oh_pshaw(players=5,tricks=3)", file)
    assert (done.exit_code, "1 agree" in done.stdout, "1 refused" in done.stdout) == (1, True, True), done.output
    assert cli("solve", "oh_pshaw", file, "--win").exit_code == 0
