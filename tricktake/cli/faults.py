"""Records that are faulty: how many, and the first ones. A file may be full of them, and longer than the memory."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from tricktake.cli.common import log
from tricktake.errors import InputError

SHOWN = 1000  # on stderr
NAMED = 100_000  # by --json: some 50 MB


@define
class Faults:
    """What was wrong. shown: how many are said. named: how many are kept. first: these, as JSON. number: of all."""

    shown: int = SHOWN
    named: int = NAMED
    first: list[dict[str, Any]] = field(factory=list, init=False)
    number: int = field(default=0, init=False)

    def add(self, fault: InputError | dict[str, Any]) -> None:
        """Count one, and keep of it what can be told."""
        self.number += 1
        if self.number <= self.named:
            self.first.append(told(fault) if isinstance(fault, InputError) else fault)

    @property
    def said(self) -> bool:
        """Whether the last one is to be said."""
        return self.number <= self.shown

    def refuse(self, error: InputError) -> None:
        """Count a record that cannot be used, and say so."""
        self.add(error)
        if self.said:
            log(f"refused: {error}")

    def end(self) -> None:
        """Say how many more there were."""
        if self.number > self.shown:
            log(f"... and {self.number - self.shown:,} more")


def told(error: InputError) -> dict[str, Any]:
    """Where a record is and what is wrong. The error itself would keep all it came from."""
    place = f"{error.file}:{error.line}" if error.line is not None else str(error.file)
    return {"source": place, "reason": f"{error.field}: {error.reason}" if error.field else error.reason}
