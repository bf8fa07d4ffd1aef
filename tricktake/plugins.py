"""Finding plugins and what they register.

Built-ins are a plugin too, called ``core``. Others are found through the entry points "tricktake", and are added or
blocked by TRICKTAKE_PLUGINS and by a file ``tricktake.toml`` in the current folder.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import attrs
import pluggy

from tricktake import __version__, hookspecs
from tricktake.errors import DuplicateName, InputError, PluginError, TricktakeError, UnknownName, did_you_mean

if TYPE_CHECKING:
    from click import Command

    from tricktake.belief import Belief
    from tricktake.game import Game
    from tricktake.learning import Question
    from tricktake.policy.policy import Policy
    from tricktake.policy.practice import Practice
    from tricktake.ratings.luck import Luck
    from tricktake.ratings.system import System
    from tricktake.records.formats import Format
    from tricktake.strategies.strategy import Strategy
    from tricktake.tournament.controls import Control

T = TypeVar("T")

CORE = "core"
ENTRY_POINTS = "tricktake"
ENVIRONMENT = "TRICKTAKE_PLUGINS"
PROJECT_FILE = "tricktake.toml"
HOOKS = tuple(name for name in vars(hookspecs) if name.startswith("register_"))
EVENTS = ("deal_begins", "deal_ends")

# ---- registries -------------------------------------------------------------------------------------------------


@attrs.frozen
class Entry:
    """One registered name."""

    name: str
    owner: str
    target: Any  # the object, or "module:attribute"
    summary: str = ""
    answers: str = ""  # the question that is answered, if it is not the name


class Registry(Generic[T]):
    """Names of one kind, each owned by a plugin.

    What is registered may be the object, a factory (a class or function) that makes it, or an import string of either,
    which is imported on first use.
    """

    def __init__(self, kind: str, *, namespaced: bool = False) -> None:
        self.kind = kind
        self.namespaced = namespaced
        self._entries: dict[str, Entry] = {}
        self._objects: dict[tuple[str, ...], T] = {}
        self._missing: dict[str, str] = {}  # plugins that are not there -> why

    def add(self, owner: str, name: str, obj: T | Callable[..., T] | str, summary: str = "", answers: str = "") -> None:
        """Register a name for a plugin; a name that is taken is refused."""
        if not isinstance(name, str) or not re.fullmatch(r"[\w.+-]+", name):
            raise PluginError(owner, f"{self.kind} name {name!r} must be letters, digits and . _ + -")
        if isinstance(obj, str) and not re.fullmatch(r"[\w.]+:[\w.]+", obj):
            raise PluginError(owner, f"{self.kind} {name!r}: {obj!r} is no import string like 'module:attribute'")
        full = f"{owner}:{name}" if self.namespaced else name
        if taken := self._entries.get(full):
            raise DuplicateName(self.kind, full, taken.owner, owner)
        self._entries[full] = Entry(full, owner, obj, summary, answers)

    def get(self, name: str, **options: Any) -> T:
        """The object of this name, made with these options; always the same one."""
        key = (name, *(f"{option}={value!r}" for option, value in sorted(options.items())))
        if key not in self._objects:
            self._objects[key] = self.make(name, **options)
        return self._objects[key]

    def make(self, name: str, **options: Any) -> T:
        """The object of this name; a factory makes a new one with these options."""
        entry = self.entry(name)
        target = self._target(entry)
        if not _is_factory(target):
            if options:
                raise InputError(None, None, f"{self.kind} {name}", f"takes no options, not {', '.join(options)}")
            return cast(T, target)
        self._check_options(name, target, options)
        try:
            return cast(T, target(**options))
        except TricktakeError:
            raise
        except ValueError as error:
            raise InputError(None, None, f"{self.kind} {name}", str(error)) from error
        except Exception as error:
            raise PluginError(entry.owner, f"{self.kind} {name!r} cannot be made: {_short(error)}") from error

    def entry(self, name: str) -> Entry:
        """What is known of a name without importing its object."""
        if name not in self._entries:
            plugin, colon, _ = name.partition(":")
            if colon and plugin in self._missing:
                raise PluginError(plugin, self._missing[plugin])
            note = "; ".join(f"plugin {plugin!r}: {why}" for plugin, why in self._missing.items())
            raise UnknownName(self.kind, name, self._entries, note)
        return self._entries[name]

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self._entries)

    def items(self) -> Iterator[tuple[str, T]]:
        """All names and objects, sorted by name."""
        for name in self.names():
            yield name, self.get(name)

    def owner(self, name: str) -> str:
        """The plugin that registered a name."""
        return self.entry(name).owner

    def summary(self, name: str) -> str:
        """One line about it, as registered."""
        return self.entry(name).summary

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def answering(self, question: str) -> tuple[str, ...]:
        """The names registered as answers to a question, by whichever plugin: ``plugin:question`` for learned tables.

        A name answers the question of its own name, and what it was registered with as ``answers``.
        """
        return tuple(name for name in self.names() if question in (name, self._entries[name].answers))

    def owned_by(self, plugin: str) -> tuple[str, ...]:
        """The names one plugin registered."""
        return tuple(name for name in self.names() if self._entries[name].owner == plugin)

    def withdraw(self, plugin: str, why: str) -> None:
        """Forget what a plugin registered, and say why when somebody asks for it."""
        for name in self.owned_by(plugin):
            del self._entries[name]
        self._missing[plugin] = why

    def _target(self, entry: Entry) -> Any:
        """The object or factory itself, imported."""
        if not isinstance(entry.target, str):
            return entry.target
        module, _, attribute = entry.target.partition(":")
        try:
            found: Any = importlib.import_module(module)
            for part in attribute.split("."):
                found = getattr(found, part)
        except Exception as error:
            reason = f"{self.kind} {entry.name!r} cannot be loaded from {entry.target!r}: {_short(error)}"
            raise PluginError(entry.owner, reason) from error
        return found

    def _check_options(self, name: str, factory: Callable[..., Any], options: dict[str, Any]) -> None:
        try:
            signature = inspect.signature(factory)
        except (TypeError, ValueError):  # some built-in factories have none
            return
        try:
            signature.bind(**options)
        except TypeError as error:
            known = ", ".join(signature.parameters) or "none"
            raise InputError(None, None, f"{self.kind} {name}", f"{error}; options: {known}") from None


def _is_factory(target: Any) -> bool:
    return inspect.isclass(target) or inspect.isroutine(target) or isinstance(target, functools.partial)


# ---- what is wanted ---------------------------------------------------------------------------------------------


@attrs.frozen
class Wanted:
    """Plugins to add (module or path, and who asked) and names to block (and who asked)."""

    add: tuple[tuple[str, str], ...] = ()
    block: tuple[tuple[str, str], ...] = ()


def from_environment(text: str) -> Wanted:
    """``module.path`` or ``path/to/file.py`` adds, ``-name`` blocks; commas between."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    return Wanted(
        tuple((word, ENVIRONMENT) for word in words if not word.startswith("-")),
        tuple((word[1:].strip(), ENVIRONMENT) for word in words if word.startswith("-")),
    )


def from_project_file(file: Path) -> Wanted:
    """The table ``[plugins]`` with lists ``add`` and ``block``; paths are relative to the file."""
    from tricktake.settings import toml_of

    data = toml_of(file)
    table = data.get("plugins", {})
    if not isinstance(table, dict):
        raise InputError(file, None, "plugins", "must be a table [plugins]")
    lists: dict[str, list[str]] = {"add": [], "block": []}
    for key, value in table.items():
        if key not in lists:
            raise InputError(file, None, f"plugins.{key}", "unknown; known: add, block")
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise InputError(file, None, f"plugins.{key}", "must be a list of strings")
        lists[key] = value
    add = [str(file.parent / word) if _is_path(word) else word for word in lists["add"]]
    return Wanted(tuple((word, PROJECT_FILE) for word in add), tuple((word, PROJECT_FILE) for word in lists["block"]))


def _is_path(word: str) -> bool:
    from tricktake.settings import names_file

    return names_file(word, ".py")


# ---- loading ----------------------------------------------------------------------------------------------------


@attrs.frozen
class PluginInfo:
    """A line of ``tricktake plugins``."""

    name: str
    version: str
    origin: str  # "built in", an installed distribution, or who added it
    status: str  # "loaded", "blocked" or "broken"
    reason: str = ""
    registered: dict[str, tuple[str, ...]] = attrs.field(factory=dict)  # kind -> names


class Manager:
    """All plugins and what they registered."""

    def __init__(self, wanted: Wanted | None = None) -> None:
        self.games: Registry[Game] = Registry("game")
        self.strategies: Registry[Strategy] = Registry("strategy", namespaced=True)
        self.beliefs: Registry[Belief] = Registry("belief", namespaced=True)
        self.formats: Registry[Format] = Registry("format")
        # A Path, a Table, or what another plugin that asks for it knows how to read.
        self.tables: Registry[Any] = Registry("table", namespaced=True)
        self.policies: Registry[Policy | Path] = Registry("policy", namespaced=True)
        self.practices: Registry[Practice] = Registry("practice")
        self.questions: Registry[Question] = Registry("question", namespaced=True)
        self.ratings: Registry[System | Luck] = Registry("rating")
        self.controls: Registry[Control] = Registry("control")
        self.commands: Registry[Command] = Registry("command")
        self.failed: list[str] = []  # what hooks raised while deals were played
        self.faults: list[PluginError] = []  # a plugin's own mistakes: using any name is refused until they are gone
        self._pluggy = pluggy.PluginManager(hookspecs.PROJECT)
        self._pluggy.add_hookspecs(hookspecs)
        self._infos: dict[str, PluginInfo] = {}
        self._load(wanted or _wanted())

    def listens(self, event: str) -> bool:
        """Whether any plugin has a hook for this event."""
        return bool(getattr(self._pluggy.hook, event).get_hookimpls())

    def fire(self, event: str, **facts: Any) -> None:
        """Call the hooks of an event, in the order plugins were loaded; what one raises is reported, not passed on."""
        for implementation in getattr(self._pluggy.hook, event).get_hookimpls():
            try:
                implementation.function(*(facts[name] for name in implementation.argnames))
            except Exception as error:  # whatever a stranger's hook raises
                self.failed.append(f"plugin {implementation.plugin_name!r}: {event} failed: {_short(error)}")
                _warn(self.failed[-1])

    def registries(self) -> dict[str, Registry[Any]]:
        """Every registry by the name of its hook's plural: games, strategies, ..."""
        return {hook.removeprefix("register_"): getattr(self, hook.removeprefix("register_")) for hook in HOOKS}

    def modules(self) -> dict[str, ModuleType]:
        """The module of every plugin that is loaded, by name."""
        return {name: cast(ModuleType, module) for name, module in sorted(self._pluggy.list_name_plugin())}

    def report(self) -> list[PluginInfo]:
        """Every plugin, loaded, blocked or broken."""
        return [
            attrs.evolve(
                info,
                registered={
                    kind: names for kind, registry in self.registries().items() if (names := registry.owned_by(name))
                },
            )
            for name, info in self._infos.items()
        ]

    def _load(self, wanted: Wanted) -> None:
        blocked = dict(wanted.block)
        if CORE in blocked:
            raise InputError(blocked[CORE], None, "block", "the built-in plugin 'core' cannot be blocked")
        self._take(PluginInfo(CORE, __version__, "built in", "loaded"), "tricktake.builtin")
        points = sorted(importlib.metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name)
        for point in points:
            version, origin = (point.dist.version, point.dist.name) if point.dist else ("", "entry point")
            self._offer(PluginInfo(point.name, version, origin, "loaded"), point.value, blocked)
        for word, asked_by in wanted.add:
            name = Path(word).stem if _is_path(word) else word
            self._offer(PluginInfo(name, "", asked_by, "loaded"), word, blocked)
        for name, asked_by in blocked.items():
            if name not in self._infos:
                self._leave(PluginInfo(name, "", "not installed", "blocked", f"blocked by {asked_by}"))

    def _offer(self, info: PluginInfo, source: str, blocked: dict[str, str]) -> None:
        if info.name in blocked:
            self._leave(attrs.evolve(info, status="blocked", reason=f"blocked by {blocked[info.name]}"))
        elif info.name in self._infos:
            first = self._infos[info.name].origin
            self._fault(PluginError(info.name, f"two plugins have this name, from {first!r} and from {info.origin!r}"))
        else:
            self._take(info, source)

    def _take(self, info: PluginInfo, source: str) -> None:
        """Import a plugin and let it register. It may be broken, the others are not."""
        try:
            module = _import(info.name, source)
        except Exception as error:  # whatever a stranger's module raises
            reason = f"import failed: {_short(error)}"
            self._leave(attrs.evolve(info, status="broken", reason=reason))
            _warn(f"plugin {info.name!r} is left out: {reason}")
            return
        if self._pluggy.is_registered(module):  # added by hand, but installed too
            return
        version = info.version or str(getattr(module, "__version__", ""))
        self._infos[info.name] = attrs.evolve(info, version=version)
        try:
            self._register(info.name, module)
        except PluginError as error:
            self._fault(error)

    def _register(self, name: str, module: ModuleType) -> None:
        _check_hooks(name, module)
        try:
            self._pluggy.register(module, name)
            self._pluggy.check_pending()
        except pluggy.PluginValidationError as error:
            raise PluginError(name, str(error)) from None
        # One call for each plugin instead of one for all: so a name knows its owner, and a failure its plugin.
        for kind, registry in self.registries().items():
            for implementation in getattr(self._pluggy.hook, f"register_{kind}").get_hookimpls():
                if implementation.plugin is not module:
                    continue
                register = functools.partial(_register, registry, name)
                try:
                    implementation.function(*(register for _ in implementation.argnames))
                except TricktakeError:
                    raise
                except Exception as error:
                    raise PluginError(name, f"register_{kind} failed: {_short(error)}") from error

    def _leave(self, info: PluginInfo) -> None:
        self._infos[info.name] = info
        for registry in self.registries().values():
            registry.withdraw(info.name, info.reason)

    def _fault(self, error: PluginError) -> None:
        self.faults.append(error)
        info = self._infos[error.plugin]
        self._leave(attrs.evolve(info, status="broken", reason=error.reason))


def _register(
    registry: Registry[Any], owner: str, name: str, obj: Any, *, summary: str = "", answers: str = ""
) -> None:
    registry.add(owner, name, obj, summary, answers)


def _import(name: str, source: str) -> ModuleType:
    if not _is_path(source):
        return importlib.import_module(source)
    path = Path(source).expanduser().resolve()
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {source}")
    module_name = f"tricktake_local_{name}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {source}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def _check_hooks(plugin: str, module: ModuleType) -> None:
    """What pluggy would let pass in silence: hooks that would never be called, or not with what they expect."""
    for name, value in vars(module).items():
        mark = f"{hookspecs.PROJECT}_impl"
        marked = _has(value, mark) or _has(getattr(value, "py_func", None), mark)
        if name not in HOOKS + EVENTS and not marked:
            continue
        if not inspect.isfunction(value):
            raise PluginError(plugin, f"hook {name!r} must be a plain function, not compiled by njit or wrapped")
        if not marked:
            raise PluginError(plugin, f"hook {name!r} lacks the decorator @hookimpl of tricktake.hookspecs")
        if name not in HOOKS + EVENTS:
            close = did_you_mean(name, HOOKS + EVENTS)
            raise PluginError(plugin, f"unknown hook {name!r}" + (f"; did you mean {close}?" if close else ""))
        for parameter in inspect.signature(value).parameters.values():
            if parameter.default is not parameter.empty:
                raise PluginError(plugin, f"hook {name!r}: {parameter.name!r} must have no default")


def _has(value: Any, mark: str) -> bool:
    return isinstance(getattr(value, "__dict__", None), dict) and mark in value.__dict__


def _short(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def _warn(message: str) -> None:
    """Once on stderr, not again from every worker."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is None or multiprocessing.parent_process() is None:
        import logging

        logging.getLogger("tricktake").warning("warning: %s", message)


def _wanted() -> Wanted:
    named = from_environment(os.environ.get(ENVIRONMENT, ""))
    file = Path(PROJECT_FILE)
    local = from_project_file(file) if file.is_file() else Wanted()
    return Wanted(local.add + named.add, local.block + named.block)


@functools.cache
def loaded() -> Manager:
    """The plugins as they are, faults included."""
    return Manager()


def manager() -> Manager:
    """The plugins, once per process. Raises the first fault of a plugin, because names cannot be trusted then."""
    found = loaded()
    if found.faults:
        raise found.faults[0]
    return found


def plugin_report() -> list[PluginInfo]:
    """Every plugin, loaded, blocked or broken, without raising."""
    return loaded().report()
