"""Games that experiments are made on: logs of XSkat by seed, made where the program is installed, and kept."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tricktake.errors import InputError

XSKAT = "xskat"
PLACES = (XSKAT, "/usr/games/xskat")  # Debian's games are in no path of root


def folder() -> Path:
    """Where logs are kept: ``TRICKTAKE_LAB_INPUTS``, or with the other files kept between runs."""
    if own := os.environ.get("TRICKTAKE_LAB_INPUTS"):
        return Path(own).expanduser().resolve()
    base = os.environ.get("TRICKTAKE_CACHE_DIR") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "tricktake")
    return Path(base).expanduser().resolve() / "inputs"


def program() -> str | None:
    """The XSkat that is installed."""
    return next((found for place in PLACES if (found := shutil.which(place))), None)


def xskat_log(seed: int, games: int) -> Path:
    """The first games of a seed of XSkat played against itself, as a compressed log; made once.

    A longer log of the same seed begins with the same games, so that one is taken if it is there. Raises InputError
    if XSkat is not installed, or fails.
    """
    made = [int(file.name.split("-")[2].partition(".")[0]) for file in folder().glob(f"xskat-{seed}-*.log.gz")]
    enough = min((number for number in made if number >= games), default=games)
    path = folder() / f"xskat-{seed}-{enough}.log.gz"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        _play(seed, games, path)
    return path


def _play(seed: int, games: int, path: Path) -> None:
    binary = program()
    if binary is None:
        raise InputError(None, None, "log", "XSkat is not installed: apt-get install xskat, or name a log file")
    with tempfile.TemporaryDirectory(dir=path.parent) as work:
        (Path(work) / "seed").write_text(f"random_seed {seed} 0 2\n", encoding="utf-8")
        words = [binary, "-auto", str(games), "-noramsch", "-lang", "english", "-game", "seed", "-log", "log"]
        done = subprocess.run(words, cwd=work, capture_output=True, text=True, check=False)
        if done.returncode or not (Path(work) / "log").is_file():
            raise InputError(None, None, "log", f"XSkat failed: {done.stderr.strip() or done.returncode}")
        packed = Path(work) / "log.gz"
        with (Path(work) / "log").open("rb") as plain, gzip.GzipFile(packed, "wb", compresslevel=3, mtime=0) as into:
            shutil.copyfileobj(plain, into)
        packed.replace(path)
