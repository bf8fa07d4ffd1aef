"""What ``make release`` does: build, check, try out, and stop before uploading.

    python packaging/release.py DIST [--level x86-64-v3 ...]

DIST gets an sdist and a wheel of every project, a wheel of compiled kernels for this Python, ``constraints.txt`` with
the versions it was all tried with, and a bill of materials. Everything is tried in a virtual environment that has
nothing but these wheels and what they require, in a folder outside the checkout, with an empty cache.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = [ROOT, *sorted(file.parent for file in ROOT.glob("plugins/*/pyproject.toml")), ROOT / "experiments"]
KERNELS = ROOT / "packaging" / "kernels"
LEVELS = ("x86-64-v3", "x86-64-v2")  # as in tricktake._kernels._shelf
CARDS = "\n".join(suit + rank for suit in "CSHD" for rank in "AKQJT98765432")  # whatever is legal is among them
RECORDS = ROOT / "tests" / "data" / "iss-23.sgf"

LEARNED = "exchange=hearts:rule,play=core:policy(policy=mine.policy)"

# What a new user may do first, in this order: words, and what is typed. The numbers keep it short.
TRIES: tuple[tuple[str, str], ...] = (
    ("deal skat --count 3 --seed 7", ""),
    ("games hearts", ""),
    ("table show skat:suit", ""),
    ("serve --help", ""),
    ("play hearts --seed 2 --id 3 --record play.jsonl", f"{CARDS}\n" * 13),
    ("verify hearts play.jsonl", ""),
    ("solve skat iss-23.sgf --win --json", ""),
    ("analyse skat iss-23.sgf --id 541932 --comment --nodes 2000", ""),
    ("advise skat CJ,HJ,CA,CT,C9,C7,SA,HT,H9,D7", ""),
    ("tournament --game hearts --deals 1 --player core:random --player hearts:rule", ""),
    ("train hearts --games 200 --positions 20 --out mine.policy", ""),
    (f"play hearts --seed 2 --id 3 --with {LEARNED} --no-record", f"{CARDS}\n" * 13),
)
WARM = "warm --train"
ANSWERS = ("deal", "solve", "advise", "train")  # of these, what stdout says must not depend on who compiled
TIMES = re.compile(r'"ms": [\d.]+|\d+(\.\d+)? s\b')


def run(*words: object, typed: str = "", cwd: Path | None = None, **env: str) -> str:
    """What a program writes to stdout; ends this one with all it wrote if it fails."""
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        list(map(str, words)), input=typed, cwd=cwd, env=own | env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"release: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def say(line: str) -> None:
    """A line of progress."""
    sys.stdout.write(f"release: {line}\n")
    sys.stdout.flush()


# ---- building and checking --------------------------------------------------------------------------------------


def build(project: Path, dist: Path, *targets: str, **env: str) -> None:
    """Build a project by the hatchling of this environment."""
    kinds = [f"-t{target}" for target in targets]
    run(sys.executable, "-m", "hatchling", "build", "-d", dist, *kinds, cwd=project, **env)


def check(wheels: Iterable[Path]) -> None:
    """A wheel is of one version with all others, holds plain files only, and nothing of this machine."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "tricktake" / "__init__.py").read_text())
    if version is None:
        sys.exit("release: tricktake/__init__.py names no version")
    here = [str(folder).encode() for folder in (ROOT, Path.home(), Path(tempfile.gettempdir())) if folder != Path("/")]
    for wheel in wheels:
        if wheel.name.split("-")[1] != version[1]:
            sys.exit(f"release: {wheel.name} is not of version {version[1]}")
        with zipfile.ZipFile(wheel) as archive:
            for info in archive.infolist():
                if info.external_attr >> 28 not in (0, 8):  # the kind of file; 8 is a regular one
                    sys.exit(f"release: {wheel.name}: {info.filename} is no plain file")
                content = archive.read(info)
                found = [place for place in here if place + b"/" in content]
                if found and not info.filename.endswith(".py"):
                    at = content.index(found[0])
                    place = content[at : at + 100].decode("ascii", "replace")
                    sys.exit(f"release: {wheel.name}: {info.filename} names {place!r}")


# ---- trying it out ----------------------------------------------------------------------------------------------


class Bare:
    """A virtual environment with nothing but what is installed from ``dist`` and what that requires."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, with_pip=True, clear=True)
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")

    def install(self, *what: object) -> None:
        """With pip."""
        run(self.bin / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *what)

    def try_out(self, place: Path, **env: str) -> list[str]:
        """Run everything in TRIES in an empty folder; what the ANSWERS are."""
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        shutil.copy(RECORDS, place)
        env = {"TRICKTAKE_CACHE_DIR": str(place / "cache")} | env
        answers = []
        for words, typed in TRIES:
            start = time.perf_counter()
            said = run(self.bin / "tricktake", *words.split(), typed=typed, cwd=place, **env)
            say(f"  {time.perf_counter() - start:6.1f} s  tricktake {words}")
            if words.startswith(ANSWERS):
                answers.append(TIMES.sub("", said))
        return answers


def compile_kernels(bare: Bare, work: Path, level: str) -> None:
    """The kernels of everything in the bare environment, for a level, into ``work/built/LEVEL/KEY``."""
    cache = work / level
    env = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "TRICKTAKE_CACHE_DIR": str(cache)}
    say(f"compiling for {level}")
    run(bare.bin / "tricktake", *WARM.split(), cwd=work, **env)
    bare.try_out(work / "tries", **env)
    for folder in (cache / "kernels").iterdir():
        shutil.copytree(
            folder, work / "built" / level / folder.name, ignore=shutil.ignore_patterns("lock", "questions")
        )


def main() -> None:
    """Everything, in order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("dist", type=Path)
    parser.add_argument("--level", action="append", help="processors that kernels are compiled for; none: no kernels")
    options = parser.parse_args()
    dist: Path = options.dist.resolve()
    shutil.rmtree(dist, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        release(dist, Path(folder), [level for level in options.level or LEVELS if level in LEVELS])
    say(f"{dist} is ready; nothing was uploaded. To do that: twine upload {dist}/*.whl {dist}/*.tar.gz")


def release(dist: Path, work: Path, levels: list[str]) -> None:
    """Fill ``dist``. levels: what kernels are compiled for."""
    say(f"building {len(PROJECTS)} projects")
    for project in PROJECTS:
        build(project, dist, "sdist", "wheel")
    pure = sorted(dist.glob("*-py3-none-any.whl"))
    if len(pure) != len(PROJECTS):
        sys.exit("release: not every project has a pure wheel")
    check(pure)
    bare = Bare(work / "venv")
    bare.install(*pure)
    say(f"trying out the wheels, Python {platform.python_version()}, nothing compiled yet")
    answers = bare.try_out(work / "tries")
    if levels and platform.machine() == "x86_64" and sys.platform == "linux":
        for level in levels:
            compile_kernels(bare, work, level)
        build(KERNELS, dist, "wheel", TRICKTAKE_COMPILED=str(work / "built"))
        (wheel,) = dist.glob("tricktake_kernels-*.whl")
        check([wheel])
        bare.install(wheel)
        say(f"trying out {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")
        if bare.try_out(work / "tries") != answers:
            sys.exit("release: carried kernels give other answers")
        if compiled := sorted((work / "tries" / "cache").rglob("*.nbc")):
            sys.exit(f"release: compiled in spite of the wheel: {', '.join(file.name for file in compiled)}")
    run(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir())
    say("constraints and bill of materials")
    frozen = run(bare.bin / "python", "-m", "pip", "freeze", "--exclude-editable", "--disable-pip-version-check")
    lines = [line for line in frozen.splitlines() if not line.startswith("tricktake")]
    (dist / "constraints.txt").write_text("\n".join(lines) + "\n")
    sbom = ("environment", bare.bin / "python", "--pyproject", ROOT / "pyproject.toml", "-o", dist / "sbom.cdx.json")
    run(sys.executable, "-m", "cyclonedx_py", *sbom)


if __name__ == "__main__":
    main()
