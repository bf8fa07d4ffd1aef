"""A sandbox for players of strangers, by bubblewrap (``bwrap``, github.com/containers/bubblewrap).

The player's process sees the interpreter, the code and compiled kernels, read-only, and a small folder of its own in
memory; no network, no other process, no environment but what is named here. docs/security.md says what that holds.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import tricktake
from tricktake._kernels._shelf import cache_root
from tricktake.errors import InputError
from tricktake.plugins import PROJECT_FILE

PROGRAM = "bwrap"
READABLE = "TRICKTAKE_READABLE"  # more files and folders that players may read, with the separator of PATH
MEMORY_MB = 4096  # of a player's process, where nothing else is said
SCRATCH = "/tmp"
SCRATCH_BYTES = 256 << 20
SECONDS = 20.0  # to see whether it works
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache")
_KEPT = re.compile(r"PATH|TZ|LANG|LC_\w+|(TRICKTAKE|PYTHON|NUMBA|OMP|OPENBLAS|MKL)_?\w*")


def require() -> None:
    """Raises InputError, which says what is not held then, where there is no sandbox."""
    if reason := _missing():
        held = "'--isolate yes' contains faults of a player, but neither files nor network nor other processes"
        raise InputError(None, None, "isolate", f"there is no sandbox here: {reason}; {held}")


@functools.cache
def _missing() -> str:
    """Why there is no sandbox; "" if there is."""
    if shutil.which(PROGRAM) is None:
        return f"{PROGRAM} is not installed (bubblewrap, on Linux)"
    try:
        done = subprocess.run([*_walls(), "true"], capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{PROGRAM} does not run: {error}"
    return "" if done.returncode == 0 else f"{PROGRAM} does not work: {done.stderr.strip()[:200]}"


def command(words: Sequence[str]) -> list[str]:
    """A command line as it is run in the sandbox. Raises InputError where there is none."""
    require()
    shown = [word for path in _readable() for word in ("--ro-bind", str(path), str(path))]
    here = os.getcwd()
    return [*_walls(), *shown, "--dir", here, "--chdir", here, "--remount-ro", "/", "--", *words]


def environment() -> dict[str, str]:
    """What of the environment the player's process gets."""
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
    return kept | {"HOME": SCRATCH, "TRICKTAKE_CACHE_DIR": f"{SCRATCH}/tricktake"}


def kernels() -> Path:
    """Where compiled kernels are kept."""
    return cache_root() / "kernels"


def link_kernels(source: Path) -> None:
    """Fill the player's own folder of kernels with links to those in ``source``, which it cannot change.

    numba wants a folder it can write to, and replaces files instead of changing them.
    """
    for folder, _, names in os.walk(source):
        own = kernels() / Path(folder).relative_to(source)
        own.mkdir(parents=True, exist_ok=True)
        for name in names:
            if name != "lock":
                (own / name).symlink_to(Path(folder) / name)


def _walls() -> list[str]:
    """Bubblewrap with everything closed but the system's programs and libraries."""
    closed = [PROGRAM, "--unshare-all", "--cap-drop", "ALL", "--die-with-parent"]
    places = ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", str(SCRATCH_BYTES)]
    places += ["--tmpfs", SCRATCH]
    for name in SYSTEM:
        if os.path.islink(name):
            places += ["--symlink", os.readlink(name), name]
        else:
            places += ["--ro-bind-try", name, name]
    return [*closed, *places]


def _readable() -> list[Path]:
    """What a player may read besides the system, folders before what lies in them."""
    found = {Path(sys.prefix), Path(sys.base_prefix), kernels(), *_code()}
    found |= {Path(word) for word in os.environ.get(READABLE, "").split(os.pathsep) if word}
    both = {place for path in found for place in (path.absolute(), path.resolve())}
    return sorted(path for path in both if path.exists() and not path.is_relative_to("/usr"))


def _code() -> Iterator[Path]:
    """Where modules are imported from. The working folder and what lies above it or the home folder are no such place:
    of a checkout only the packages and tables are shown.
    """
    package = Path(tricktake.__file__).parent
    yield from (package, package.parent / "tables", Path(PROJECT_FILE))
    private = (Path.cwd().resolve(), Path.home().resolve())
    for word in sys.path:
        if word and not any(folder.is_relative_to(Path(word).resolve()) for folder in private):
            yield Path(word)
    for name, module in list(sys.modules.items()):
        if name.startswith("tricktake_local_") and module.__file__:
            yield Path(module.__file__)
