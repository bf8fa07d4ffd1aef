"""A folder of blocks: a file for each, named by its id, complete when it is there.

A file is a line of JSON (which block, who made it, the hash of the rest) and the result. It is written under another
name, put on the disk, and takes its name only if no other has it: the first result wins. Another result of the same
block is compared byte by byte; if it differs, blocks are not pure, and nothing that was computed can be trusted.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import uuid
from pathlib import Path
from typing import Any

from attrs import asdict

from tricktake.blocks.block import Block
from tricktake.errors import InputError, TricktakeError
from tricktake.settings import bytes_of, json_in

SUFFIX = ".block"
FORMAT = "tricktake-block"
MOST_BYTES = 1 << 28  # of a block, in memory twice; those of the largest runs have some 10 MB
MOST_HEADER = 1 << 20


class BlockDiffers(TricktakeError):
    """A block was computed twice, with different results."""

    def __init__(self, block: str, first: str, second: str) -> None:
        super().__init__(block, first, second)
        self.block, self.first, self.second = block, first, second

    def __str__(self) -> str:
        return (
            f"block {self.block}: what {self.second} computed is not what {self.first} computed; keep both and ask why"
        )


def who() -> str:
    """The name of this process in what it makes."""
    return f"{socket.gethostname()}:{os.getpid()}"


class BlockStore:
    """The blocks in a folder, which any number of processes and machines may share."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, block: Block) -> Path:
        """Where a block is, or will be."""
        name = block.id
        return self.folder / name[:2] / f"{name}{SUFFIX}"  # folders of some thousand files at 10^6 blocks

    def __contains__(self, block: Block) -> bool:
        return self.path(block).is_file()

    def get(self, block: Block) -> bytes:
        """The result of a block that is there. Raises InputError for a damaged file."""
        return self._read(self.path(block))[1]

    def put(self, block: Block, data: bytes, maker: str) -> bool:
        """Keep a result; False if it was there already. Raises BlockDiffers if that was another one."""
        target = self.path(block)
        target.parent.mkdir(parents=True, exist_ok=True)
        header = {"format": FORMAT, **asdict(block), "by": maker, "sha256": hashlib.sha256(data).hexdigest()}
        beside = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
        try:
            with beside.open("wb") as file:
                file.write(json.dumps(header, sort_keys=True).encode() + b"\n" + data)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(beside, target)  # fails if it is there, which a rename would not
            except FileExistsError:
                self._compare(block, data, maker)
                return False
            except OSError:  # a file system without links
                if target.is_file():
                    self._compare(block, data, maker)
                    return False
                beside.replace(target)
            _to_disk(target.parent)
            return True
        except OSError as error:
            raise InputError(target, None, None, error.strerror or str(error)) from error
        finally:
            beside.unlink(missing_ok=True)

    def put_file(self, path: Path) -> bool:
        """Keep the block of a file of another folder; as ``put``. Raises InputError for a file that is none."""
        header, data = self._read(path)
        try:
            fields = {name: header[name] for name in ("work", "seed", "config", "code")}
            first, n = header["key"]
        except (KeyError, TypeError, ValueError):
            raise InputError(path, 1, None, "is no block") from None
        return self.put(Block(**fields, key=(first, n)), data, header["by"])

    def _compare(self, block: Block, data: bytes, maker: str) -> None:
        header, there = self._read(self.path(block))
        if there != data:
            raise BlockDiffers(f"block {block} ({self.path(block)})", header["by"], maker)

    def _read(self, path: Path) -> tuple[dict[str, Any], bytes]:
        try:
            line, _, data = bytes_of(path, MOST_BYTES).partition(b"\n")
            header = json_in(line[:MOST_HEADER])
            if header["format"] != FORMAT or header["sha256"] != hashlib.sha256(data).hexdigest():
                raise ValueError("its content is not what was written")
            header["by"] = str(header["by"])
        except InputError:  # a ValueError too
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                path, None, None, f"no block, or damaged; remove it to compute it again: {error}"
            ) from None
        return header, data


def _to_disk(folder: Path) -> None:
    """Have the name of a new file survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
