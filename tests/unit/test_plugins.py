"""Plugins are found, named, refused and contained."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from tricktake import errors, hookspecs
from tricktake.plugins import CORE, HOOKS, Manager, Registry, Wanted, from_environment, from_project_file

ROOT = Path(__file__).resolve().parents[2]
HEAD = "from tricktake.hookspecs import hookimpl\n"


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Manager]:
    """A manager with plugins given as name=source, besides the installed ones."""

    def make(block: tuple[str, ...] = (), **sources: str) -> Manager:
        for name, source in sources.items():
            (tmp_path / f"{name}.py").write_text(HEAD + source)
        add = tuple((str(tmp_path / f"{name}.py"), "the test") for name in sources)
        return Manager(Wanted(add, tuple((name, "the test") for name in block)))

    return make


def info(manager: Manager, name: str):
    return next(line for line in manager.report() if line.name == name)


GAME = "@hookimpl\ndef register_games(register):\n    register('four_seats', {}, summary='Four seats')\n"


def test_installed_plugins_come_through_entry_points() -> None:
    found = Manager(Wanted())
    assert not found.faults
    origins = {line.name: line.origin for line in found.report()}
    assert (origins[CORE], origins["skat"]) == ("built in", "tricktake-skat")
    assert origins["null_tables"] == "tricktake-null-tables"
    assert info(found, "skat").version == "0.1.0"
    assert found.games.owner("skat") == "skat"


def test_a_file_adds_a_plugin(load) -> None:
    found = load(mine="__version__ = '7'\n" + GAME.format("object()"))
    line = info(found, "mine")
    assert (line.status, line.version, line.registered) == ("loaded", "7", {"games": ("four_seats",)})
    assert found.games.get("four_seats") is found.games.get("four_seats")
    assert found.games.summary("four_seats") == "Four seats"
    assert "four_seats" in found.games
    others = tuple(line.name for line in found.report() if line.name not in (CORE, "mine"))
    assert dict(load(others, mine=GAME.format("5")).games.items()) == {"four_seats": 5}


def test_strategies_are_named_by_their_plugin(load) -> None:
    source = "@hookimpl\ndef register_strategies(register):\n    register('rule', dict)\n"
    found = load(a=source, b=source)
    assert {"a:rule", "b:rule"} <= set(found.strategies.names())
    assert found.strategies.make("a:rule", x=1) == {"x": 1}
    assert not found.faults


def test_duplicates_name_both_plugins(load) -> None:
    found = load(first=GAME.format("1"), second=GAME.format("2"))
    (fault,) = found.faults
    assert isinstance(fault, errors.DuplicateName)
    assert "'first'" in str(fault)
    assert "'second'" in str(fault)
    assert "'four_seats'" in str(fault)
    assert info(found, "second").status == "broken"
    assert not load(("second",), first=GAME.format("1"), second=GAME.format("2")).faults


def test_two_plugins_of_one_name(load, tmp_path: Path) -> None:
    (tmp_path / "skat.py").write_text(HEAD)
    (fault,) = Manager(Wanted(((str(tmp_path / "skat.py"), "the test"),))).faults
    assert "tricktake-skat" in str(fault)
    assert "the test" in str(fault)


def test_an_installed_plugin_may_be_named_again() -> None:
    found = Manager(Wanted((("tricktake_skat.plugin", "the test"),)))
    assert not found.faults
    assert [line.name for line in found.report()].count("skat") == 1


NJIT = "from numba import njit\n"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("@hookimpl\ndef register_gams(register): pass\n", ["'register_gams'", "did you mean 'register_games'"]),
        ("@hookimpl\ndef frobnicate(register): pass\n", ["'frobnicate'"]),
        ("def register_games(register): pass\n", ["'register_games'", "@hookimpl"]),
        (NJIT + "@hookimpl\n@njit\ndef register_games(register): pass\n", ["njit", "'register_games'"]),
        (NJIT + "@njit\n@hookimpl\ndef register_games(register): pass\n", ["njit", "'register_games'"]),
        ("@hookimpl\ndef register_games(register=None): pass\n", ["default", "'register'"]),
        ("@hookimpl\ndef register_games(registrar): pass\n", ["registrar"]),
        ("@hookimpl\ndef register_games(register): 1 / 0\n", ["ZeroDivisionError"]),
        (GAME.format("'no import string'"), ["import string"]),
        ("@hookimpl\ndef register_games(register): register('a:b', 1)\n", ["'a:b'"]),
        ("@hookimpl\ndef register_games(register): register('a')\n", ["obj"]),
    ],
)
def test_a_plugins_own_mistakes_name_it(load, source: str, words: list[str]) -> None:
    found = load(wrong=source)
    (fault,) = found.faults
    assert all(word in str(fault) for word in ["'wrong'", *words]), str(fault)
    assert info(found, "wrong").status == "broken"


def test_a_failing_hook_leaves_nothing_behind(load) -> None:
    found = load(half=GAME.format("1") + "    1 / 0\n")
    assert "four_seats" not in found.games
    with pytest.raises(errors.UnknownName, match="ZeroDivisionError"):
        found.games.get("four_seats")


@pytest.mark.parametrize("source", ["import no_such_module\n", "def broken(:\n", "raise RuntimeError('no')\n"])
def test_a_failing_import_is_contained(load, caplog, source: str) -> None:
    found = load(bad=source, good=GAME.format("1"))
    assert not found.faults
    assert found.games.get("four_seats") == 1
    line = info(found, "bad")
    assert line.status == "broken"
    assert "import failed" in line.reason
    assert "'bad'" in caplog.text
    with pytest.raises(errors.PluginError, match="'bad': import failed"):
        found.strategies.get("bad:rule")


def test_a_missing_file_is_contained(tmp_path: Path) -> None:
    found = Manager(Wanted(((str(tmp_path / "none.py"), "the test"),)))
    assert "no such file" in info(found, "none").reason


def test_blocked_plugins(load) -> None:
    found = load(("skat", "never_heard_of"))
    assert info(found, "skat").status == info(found, "never_heard_of").status == "blocked"
    assert info(found, "skat").reason == "blocked by the test"
    assert "skat" not in found.games
    with pytest.raises(errors.PluginError, match="blocked by the test"):
        found.strategies.get("skat:rule")
    with pytest.raises(errors.InputError, match="core"):
        load((CORE,))


# ---- resolving --------------------------------------------------------------------------------------------------


class Maker:
    """A factory with an option."""

    def __init__(self, size: int = 3) -> None:
        if size < 0:
            raise ValueError("size must not be negative")
        self.size = size


def test_objects_factories_and_import_strings() -> None:
    registry: Registry[object] = Registry("thing")
    thing = object()
    registry.add("p", "object", thing)
    registry.add("p", "class", Maker)
    registry.add("p", "function", lambda: 5)
    registry.add("p", "string", "fractions:Fraction")
    registry.add("p", "value", "math:pi")
    assert registry.get("object") is thing
    assert registry.get("class") is registry.get("class")
    assert registry.make("class", size=4) is not registry.make("class", size=4)
    assert registry.make("class", size=4).size == 4
    assert registry.get("function") == 5
    assert registry.get("string") == 0
    assert round(registry.get("value"), 2) == 3.14
    assert registry.names() == ["class", "function", "object", "string", "value"]


def test_import_strings_are_not_imported_early(load, tmp_path: Path) -> None:
    found = load(lazy=GAME.format("'no_such_module:thing'"))
    assert not found.faults
    with pytest.raises(errors.PluginError, match=r"plugin 'lazy'.*'four_seats'.*no_such_module"):
        found.games.get("four_seats")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("class", {"sise": 1}, "sise.*options: size"),
        ("class", {"size": -1}, "thing class: size must not be negative"),
        ("object", {"size": 1}, "takes no options, not size"),
    ],
)
def test_wrong_options(name: str, options: dict[str, int], words: str) -> None:
    registry: Registry[object] = Registry("thing")
    registry.add("p", "class", Maker)
    registry.add("p", "object", object())
    with pytest.raises(errors.InputError, match=words):
        registry.make(name, **options)


def test_unknown_names_are_given_the_closest() -> None:
    registry: Registry[object] = Registry("game")
    registry.add("p", "skat", 1)
    with pytest.raises(errors.UnknownName, match="unknown game 'skta'; did you mean 'skat'"):
        registry.get("skta")
    with pytest.raises(errors.UnknownName, match="known: skat"):
        registry.get("bridge")


# ---- what is wanted ---------------------------------------------------------------------------------------------


def test_environment() -> None:
    wanted = from_environment(" a.b , -skat,,dir/x.py")
    assert [word for word, _ in wanted.add] == ["a.b", "dir/x.py"]
    assert wanted.block == (("skat", "TRICKTAKE_PLUGINS"),)


def test_project_file(tmp_path: Path) -> None:
    file = tmp_path / "tricktake.toml"
    file.write_text("[plugins]\nadd = ['a.b', 'x.py']\nblock = ['skat']\n[other]\nx = 1\n")
    wanted = from_project_file(file)
    assert [word for word, _ in wanted.add] == ["a.b", str(tmp_path / "x.py")]
    assert wanted.block == (("skat", "tricktake.toml"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[plugins]\nadd = [\n\n", "tricktake.toml:3: "),
        ("plugins = 1", "tricktake.toml: plugins: must be a table"),
        ("[plugins]\nadd = 'x'", "tricktake.toml: plugins.add: must be a list"),
        ("[plugins]\nblock = [1]", "tricktake.toml: plugins.block: must be a list of strings"),
        ("[plugins]\nadds = []", "tricktake.toml: plugins.adds: unknown"),
    ],
)
def test_wrong_project_files(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "tricktake.toml"
    file.write_text(text)
    with pytest.raises(errors.InputError, match=words):
        from_project_file(file)


# ---- errors and documentation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errors.InputError("a.txt", 3, "deal", "too short"), "a.txt:3: deal: too short"),
        (errors.InputError("a.txt", None, None, "empty"), "a.txt: empty"),
        (errors.InputError(None, 3, None, "empty"), "line 3: empty"),
        (errors.PluginError("skat", "no"), "plugin 'skat': no"),
        (errors.DuplicateName("game", "x", "a", "b"), "plugin 'b': game 'x' is already registered by plugin 'a'"),
        (errors.UnknownName("game", "skta", ("skat",)), "unknown game 'skta'; did you mean 'skat'?"),
        (errors.InvalidCard("no card 'X'"), "no card 'X'"),
    ],
)
def test_errors_say_where_also_from_a_worker(error: errors.TricktakeError, text: str) -> None:
    assert str(error) == text
    assert str(pickle.loads(pickle.dumps(error))) == text


def test_answers_to_a_question_are_found_whoever_has_them() -> None:
    tables: Registry[str] = Registry("table", namespaced=True)
    tables.add("one", "luck", "one:it")
    tables.add("two", "strong", "two:it", answers="one:luck")
    tables.add("two", "other", "two:it")
    assert tables.answering("one:luck") == ("one:luck", "two:strong")
    assert tables.answering("one:nothing") == ()
    tables.withdraw("two", "blocked")
    assert tables.answering("one:luck") == ("one:luck",)


def test_every_hook_and_argument_is_documented() -> None:
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    for hook in HOOKS:
        arguments = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
        assert f"### `{hook}({arguments})`" in text
    for argument in list(inspect.signature(hookspecs.Register.__call__).parameters)[1:]:
        assert f"| `{argument}` |" in text
    assert len(HOOKS) == 11
