"""What is no file of ours at all, fed to every target that reads files: ``python -m tricktake_lab.fuzz.strange``."""

from __future__ import annotations

import gzip
import json
import resource
import sys
import tempfile
from pathlib import Path

from tricktake_lab import memory
from tricktake_lab.fuzz.targets import FILES, attack_file

MEMORY = 1 << 32  # bytes of address space; what is mapped is not all used
UNPACKED = 1 << 26  # bytes of the bomb


def strange(folder: Path) -> list[Path]:
    """Paths of such things."""
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "line").write_bytes(b"x" * (1 << 23))
    (folder / "zeros").write_bytes(bytes(1 << 20))
    with gzip.open(folder / "bomb", "wb") as file:
        for _ in range(UNPACKED >> 20):
            file.write(bytes(1 << 20))
    (folder / "deep").write_bytes(b"[" * 200_000 + b"]" * 200_000)
    found = [folder / name for name in ("missing", "folder", "empty", "line", "zeros", "bomb", "deep")]
    return found + [device for device in (Path("/dev/zero"), Path("/dev/null")) if device.exists()]


def main() -> None:
    """Feed all of it to all of them; print what came of it as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    findings, inputs = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for path in strange(Path(folder)):
            for target in FILES.values():
                inputs += 1
                error = attack_file(target, path)
                if error is not None:
                    findings.append(f"{target.name} {path.name}: {error!r}")
    megabytes = round(memory.peak())
    sys.stdout.write(json.dumps({"inputs": inputs, "findings": findings, "megabytes": megabytes}) + "\n")


if __name__ == "__main__":
    main()
