"""What is no file of ours at all, fed to every target that reads files: ``python -m tricktake_lab.fuzz.strange``."""

from __future__ import annotations

import gzip
import json
import resource
import sys
import tempfile
import zipfile
from pathlib import Path

from tricktake import archive, settings
from tricktake_lab import memory
from tricktake_lab.fuzz.targets import FILES, attack_file

MEMORY = 1 << 32  # bytes of address space; what is mapped is not all used
ZIPS = (".table", ".policy", ".glem")
ONLY = {"json": (".json", ".jsonl"), "toml": (".toml",), "manifest": ZIPS, "members": ZIPS}
"""For files of which suffixes these are; to others they are many short lines."""
LINE = 100 << 20  # bytes
UNPACKED = 1 << 26  # bytes of the bomb


def strange(folder: Path) -> list[Path]:
    """Paths of such things."""
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "line").write_bytes(b"x" * LINE)
    # what takes the most memory for its length, as long as it is read at all
    (folder / "json").write_bytes(b"[" + b"[]," * (settings.MOST_BYTES // 3 - 2) + b"[]]")
    (folder / "toml").write_text("".join(f"a{n}.b={{}}\n" for n in range(settings.MOST_TOML // 13)))
    with zipfile.ZipFile(folder / "manifest", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(archive.MANIFEST, b"[" + b"[]," * (archive.MOST_MANIFEST // 3 - 2) + b"[]]")
    with zipfile.ZipFile(folder / "members", "w") as file:
        for number in range(2 * archive.MOST_LIST // 50):
            file.writestr(str(number), b"")
    (folder / "zeros").write_bytes(bytes(1 << 20))
    with gzip.open(folder / "bomb", "wb") as bomb:
        for _ in range(UNPACKED >> 20):
            bomb.write(bytes(1 << 20))
    (folder / "deep").write_bytes(b"[" * 200_000 + b"]" * 200_000)
    names = ("missing", "folder", "empty", "line", "zeros", "bomb", "deep", "json", "toml", "manifest", "members")
    found = [folder / name for name in names]
    return found + [device for device in (Path("/dev/zero"), Path("/dev/null")) if device.exists()]


def main() -> None:
    """Feed all of it to all of them; print what came of it as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    findings, inputs = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for path in strange(Path(folder)):
            for target in FILES.values():
                if path.name in ONLY and target.suffix not in ONLY[path.name]:
                    continue
                inputs += 1
                error = attack_file(target, path)
                if error is not None:
                    findings.append(f"{target.name} {path.name}: {error!r}")
    megabytes = round(memory.peak())
    sys.stdout.write(json.dumps({"inputs": inputs, "findings": findings, "megabytes": megabytes}) + "\n")


if __name__ == "__main__":
    main()
