"""Strange values for options and arguments of all commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ALONE = Path(__file__).parent / "alone" / "options.py"


def test_options_in_a_process_of_their_own() -> None:
    words = ["-q", "-n", "0", "-p", "no:cacheprovider", str(ALONE)]
    done = subprocess.run([sys.executable, "-m", "pytest", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
