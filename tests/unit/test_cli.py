"""The frame of the command line: help, errors, exit codes, plugins and games."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from tests.conftest import ROOT
from tricktake import __version__, errors
from tricktake.cli import common
from tricktake.cli.commands import TABLE
from tricktake.cli.main import main

HEAD = "import click\nfrom tricktake.hookspecs import hookimpl\n"
HELLO = (
    HEAD + "@click.command()\ndef hello():\n    click.echo('hello there')\n"
    "@hookimpl\ndef register_commands(register):\n    register({name!r}, hello, summary='Says hello')\n"
)


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Add a plugin for this test."""

    def add(source: str) -> None:
        file = tmp_path / "added.py"
        file.write_text(source)
        monkeypatch.setenv("TRICKTAKE_PLUGINS", str(file))

    return add


def test_version(cli) -> None:
    done = cli("--version")
    assert (done.exit_code, done.stdout) == (0, f"tricktake {__version__}\n")


def test_help_lists_what_is_there(cli, plugin) -> None:
    plugin(HELLO.format(name="hello"))
    done = cli("--help")
    assert done.exit_code == 0
    for command in TABLE:
        assert command.summary.split()[0] in done.stdout
    assert {"plugins", "games"} <= {command.name for command in TABLE}
    assert "Says hello" in done.stdout


@pytest.mark.parametrize("name", [command.name for command in TABLE])
def test_every_command_has_help(cli, name: str) -> None:
    done = cli(name, "--help")
    assert done.exit_code == 0, done.stderr
    assert f"Usage: tricktake {name}" in done.stdout


def test_table_has_no_name_twice() -> None:
    assert len({command.name for command in TABLE}) == len(TABLE)


def test_a_plugins_command_runs(cli, plugin) -> None:
    plugin(HELLO.format(name="hello"))
    done = cli("hello")
    assert (done.exit_code, done.stdout) == (0, "hello there\n")


def test_a_built_in_command_is_not_replaced(cli, plugin) -> None:
    plugin(HELLO.format(name="games"))
    done = cli("hello")
    assert done.exit_code == 2
    assert "error: plugin 'added': command 'games' is already registered by plugin 'core'" in done.stderr


def test_what_is_no_command_is_refused(cli, plugin) -> None:
    plugin(HEAD + "@hookimpl\ndef register_commands(register):\n    register('hello', 'math:pi')\n")
    done = cli("hello")
    assert (done.exit_code, done.stderr) == (2, "error: plugin 'added': command 'hello' is no click command\n")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("plugin",), "error: no such command 'plugin'; did you mean 'plugins'?"),
        (("games", "--jsno"), "error: No such option '--jsno'"),
        (("games", "hearts", "x"), "error: Got unexpected extra argument"),
        (("solve", "skat", "-", "--nodes", str(2**64)), "error: Invalid value for '--nodes'"),
        (
            ("replay", "skat", "-", "--strategy", "core:random", "--limit", "9" * 400),
            "error: Invalid value for '--limit'",
        ),
        (("check", "hearts", "--deals", "9" * 400), "error: Invalid value for '--deals'"),
        (("check", "hearts", "--seconds", "nan"), "error: Invalid value for '--seconds': 'nan' is no finite number"),
        (("engine", "check", "x", "--game", "hearts", "--seconds", "1e308"), "error: Invalid value for '--seconds'"),
        (("rate", "-", "--start", "inf"), "error: Invalid value for '--start': 'inf' is no finite number"),
        (("rate", "-", "--state", ""), "error: Invalid value for '--state': an empty name"),
        (("games", "heart"), "error: unknown game 'heart'; did you mean 'hearts'?"),
    ],
)
def test_wrong_usage(cli, args, words: str) -> None:
    done = cli(*args)
    assert done.exit_code == 2
    assert done.stderr.startswith(words)
    assert done.stdout == ""


def test_no_arguments_show_the_doors_on_one_screen(cli) -> None:
    done = cli()
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    commands = {word for line in lines for word in re.findall(r"^  tricktake (\w+)", line)}
    assert commands <= {command.name for command in TABLE}
    pages = re.findall(r"docs/\S+", done.stdout)
    assert len(pages) == 3
    assert all((ROOT / page).exists() for page in pages)


# ---- exit codes -------------------------------------------------------------------------------------------------


def raising(error: BaseException) -> click.Command:
    @click.command("raising")
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "stderr"),
    [
        (errors.InputError("a", 1, "b", "c"), 2, "error: a:1: b: c\n"),
        (FileNotFoundError(2, "No such file or directory", "x.iss"), 2, "error: x.iss: No such file or directory\n"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), 2, "error: not a text file: "),
        (click.ClickException("no"), 2, "error: no\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (click.exceptions.Exit(common.EXIT_DIFFERS), 1, ""),
        (ZeroDivisionError("oops"), 2, "error: a fault of tricktake: ZeroDivisionError: oops"),
    ],
)
def test_exit_codes(cli, monkeypatch, error: BaseException, code: int, stderr: str) -> None:
    monkeypatch.delenv("TRICKTAKE_DEBUG", raising=False)
    monkeypatch.setitem(main.commands, "raising", raising(error))
    monkeypatch.setattr(type(main), "get_command", lambda self, ctx, name: self.commands[name])
    done = cli("raising")
    assert done.exit_code == code
    assert done.stderr.strip().startswith(stderr.strip())
    assert bool(done.stderr) == bool(stderr)
    assert "Traceback" not in done.stderr


def test_a_fault_shows_its_place_on_request(cli, monkeypatch) -> None:
    monkeypatch.setenv("TRICKTAKE_DEBUG", "1")
    monkeypatch.setattr(type(main), "get_command", lambda self, ctx, name: raising(ZeroDivisionError()))
    assert isinstance(cli("raising").exception, ZeroDivisionError)


def test_a_closed_pipe_shows_no_traceback(python) -> None:
    code = (
        "import os, subprocess, sys\n"
        "reader, writer = os.pipe()\nos.close(reader)\n"
        "p = subprocess.run([sys.executable, '-m', 'tricktake', 'plugins'], stdout=writer, stderr=subprocess.PIPE)\n"
        "print(p.returncode, p.stderr)"
    )
    assert python("-c", code).stdout == "141 b''\n"


def test_shell_completion(python) -> None:
    done = python("-m", "tricktake", _TRICKTAKE_COMPLETE="bash_complete", COMP_WORDS="tricktake pl", COMP_CWORD="1")
    assert "plain,plugins" in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "incomplete", "found"),
    [
        (["games"], "wh", ["whist"]),
        (["play"], "ska", ["skat"]),
        (["tournament", "--game"], "hea", ["hearts"]),
        (["check", "skat", "--strategy"], "skat:r", ["skat:rule"]),
        (["tournament", "--player"], "a=bid=skat:rule,play=core:pl", ["a=bid=skat:rule,play=core:playout"]),
        (["play", "skat", "--with"], "1=core:ensemble(search=core:pi", ["1=core:ensemble(search=core:pimc"]),
        (["convert", "--to"], "js", ["jsonl"]),
        (["verify", "skat", "--format"], "is", ["iss"]),
        (["deal", "skat", "--contract"], "null", ["null", "null-ouvert"]),
        (["check", "oh_hell(players=3)", "--deals", "2", "--contract"], "", ["C", "D", "H", "S"]),
        (["deal", "no_such_game", "--contract"], "", []),
        (["learn"], "skat:su", ["skat:suit"]),
        (["rate", "games.jsonl", "--system"], "prop", ["proportional"]),
        (["new"], "g", ["game"]),
    ],
)
def test_names_are_completed(words: list[str], incomplete: str, found: list[str], fresh_plugins: None) -> None:
    completion = ShellComplete(main, {}, "tricktake", "_TRICKTAKE_COMPLETE")
    assert [item.value for item in completion.get_completions(words, incomplete)] == found


@pytest.mark.parametrize(
    ("words", "incomplete", "name"),
    [
        (["table", "diff", "a.table"], "skat:s", "skat:suit"),
        (["policy", "show"], "skat:c", "skat:cards"),
        (["train", "skat", "--from"], "skat:c", "skat:cards"),
    ],
)
def test_names_or_files(words: list[str], incomplete: str, name: str, fresh_plugins: None) -> None:
    first, second = ShellComplete(main, {}, "tricktake", "_TRICKTAKE_COMPLETE").get_completions(words, incomplete)
    assert (first.type, second.value) == ("file", name)


def test_a_warning_reaches_stderr(python, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import no_such_module\n")
    done = python("-m", "tricktake", "--help", TRICKTAKE_PLUGINS=str(tmp_path / "bad.py"))
    assert done.returncode == 0
    assert done.stderr.startswith("warning: plugin 'bad' is left out: import failed: ModuleNotFoundError")


# ---- plugins, games ---------------------------------------------------------------------------------------------


def test_plugins(cli) -> None:
    done = cli("plugins", "--json")
    assert done.exit_code == 0
    found = {line["name"]: line for line in json.loads(done.stdout)}
    assert found["core"]["version"] == __version__
    assert "plugins" in found["core"]["registered"]["commands"]
    assert found["skat"]["status"] == "loaded"
    assert found["skat"]["registered"]["games"] == ["skat"]
    table = cli("plugins").stdout
    assert "games: skat" in table
    assert "tricktake-null-tables" in table
    assert max(map(len, table.splitlines())) <= 80


def test_plugins_shows_what_is_broken(cli, plugin, caplog) -> None:
    plugin("import no_such_module\n")
    done = cli("plugins")
    assert done.exit_code == 0
    assert "broken" in done.stdout
    assert "no_such_module" in done.stdout
    assert "no_such_module" in caplog.text  # a warning, on stderr where no handler is set


def test_plugins_lists_faults_that_stop_the_rest(cli, plugin) -> None:
    plugin(HEAD + "@hookimpl\ndef register_gams(register): pass\n")
    assert "register_gams" in cli("plugins").stdout
    assert "warning: plugin 'added'" in cli("--help").stderr
    done = cli("games")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: plugin 'added': unknown hook 'register_gams'; did you mean 'register_games'")


def test_project_file_in_the_current_folder(cli, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tricktake.toml").write_text("[plugins]\nblock = ['skat']\n")
    assert '"skat"' not in cli("games", "--json").stdout
    assert '"hearts"' in cli("games", "--json").stdout


def test_wrong_project_file(cli, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tricktake.toml").write_text("[plugins]\nblok = ['skat']\n")
    done = cli("games")
    assert (done.exit_code, done.stderr) == (2, "error: tricktake.toml: plugins.blok: unknown; known: add, block\n")


FAKE_GAME = HEAD + (
    "class Fake:\n    seats = 4\n    version = '2'\n    summary = 'From the game'\n"
    "    class layout:\n        deck = range(52)\n"
    "@hookimpl\ndef register_games(register):\n"
    "    register('fake', Fake)\n    register('gone', 'no_such_module:Game')\n"
)


def test_games(cli, plugin) -> None:
    plugin(FAKE_GAME)
    done = cli("games", "--json")
    assert done.exit_code == 0
    found = {game["name"]: game for game in json.loads(done.stdout)}
    assert found["fake"] == {
        "name": "fake",
        "seats": 4,
        "cards": 52,
        "version": "2",
        "plugin": "added",
        "summary": "From the game",
    }
    assert "gone" not in found
    assert "'gone' cannot be loaded" in done.stderr
    assert "From the game" in cli("games").stdout


def test_skat_is_a_game(cli) -> None:
    found = {game["name"]: game for game in json.loads(cli("games", "--json").stdout)}
    assert (found["skat"]["seats"], found["skat"]["cards"]) == (3, 32)


# ---- shared helpers ---------------------------------------------------------------------------------------------


def test_json_of_our_values(capsys) -> None:
    import numpy as np

    common.print_json({"path": Path("a"), "n": np.int64(3), "list": np.arange(2), "set": {2, 1}}, indent=None)
    assert capsys.readouterr().out == '{"path": "a", "n": 3, "list": [0, 1], "set": [1, 2]}\n'
    with pytest.raises(TypeError):
        common.print_json(object())


def test_tables_keep_their_width_in_a_pipe(capsys) -> None:
    common.print_columns(("a", "n"), [("x" * 300, 1), ("[red]", 20)], right=("n",))
    lines = capsys.readouterr().out.splitlines()
    assert "x" * 300 in lines[2]
    assert "[red]" in lines[3]


def test_progress_is_silent_without_a_terminal(capsys) -> None:
    with common.progress("work", 2) as advance:
        advance(1)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_a_name_that_is_no_text_can_be_printed(
    python: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    file = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.log")
    Path(file).write_text("no record")
    done = python("-m", "tricktake", "verify", "skat", file, PYTHONIOENCODING="utf-8:strict")
    assert done.returncode == 1
    assert r"\udcff.log:1: refused" in done.stderr
