"""Runs the fenced blocks of a page, in order, in one folder.

A block whose opening line names a file is added to that file. ``python`` and ``sh`` blocks are run and must succeed;
``text`` after ``sh`` tells lines of its output, in order, with ``...`` for anything. Other blocks are only shown.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

_FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@frozen
class Block:
    """kind: the language. file: what it is added to, or "". line: of the page."""

    kind: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2] or "", m[3], text.count("\n", 0, m.start()) + 1) for m in _FENCE.finditer(text)]


def run(page: Path, folder: Path, env: Mapping[str, str]) -> None:
    """Run all blocks; raises AssertionError naming page and line."""
    said = ""
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        if block.file:
            with (folder / block.file).open("a", encoding="utf-8") as stream:
                stream.write(block.text)
        elif block.kind in ("sh", "python"):
            program = ["bash", "-euo", "pipefail", "-c"] if block.kind == "sh" else ["python", "-c"]
            done = subprocess.run(
                [*program, block.text], cwd=folder, env=dict(env), capture_output=True, text=True, timeout=600
            )
            assert done.returncode == 0, f"{where}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
            said = done.stdout
        elif block.kind == "text":
            missing = missing_line(block.text, said)
            assert missing is None, f"{where}: {missing!r} is not in the output:\n{said}"


def missing_line(expected: str, said: str) -> str | None:
    """The first expected line that does not come, in order."""
    at = 0
    for line in expected.splitlines():
        pattern = ".*?".join(re.escape(piece.strip()) for piece in line.split("..."))
        match = re.compile(pattern).search(said, at)
        if match is None:
            return line
        at = match.end()
    return None
