"""The experiment behind ``skat:expert``: what its rules are worth on contracts of a log, all seats played in one loop.

``python -m tricktake_lab.skat.expert LOG [N]`` plays the first N contracts (all for 0, default 40,000) with
expert and rule player in either role, then leaves out one rule at a time. Printed is the share of contracts the
declarer wins and its difference with standard error, pairwise by contract.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tricktake_skat._kernels.cards import GRAND
from tricktake_skat.games import play_contracts
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.strategies.expert import SWITCHED, Expert

N = 40_000
KINDS = ("suit", "grand", "null")

IntArray = NDArray[np.int64]


def contracts_of(path: Path, n: int) -> RowArray:
    """The first n contracts of a log; all for 0."""
    found: list[RowArray] = []
    for rows in read_rows(path, on_error=lambda error: None):
        found.append(rows[rows["declarer"] >= 0])
        if n and sum(map(len, found)) >= n:
            break
    return np.concatenate(found)[: n or None]


def _line(name: str, won: NDArray[np.bool_], reference: NDArray[np.bool_] | None, kind: IntArray) -> str:
    cells = []
    for k in range(len(KINDS)):
        part = won[kind == k].astype(float)
        if reference is None:
            cells.append(f"{100 * part.mean():6.2f} ± {100 * part.std() / np.sqrt(len(part)):.2f}")
        else:
            part -= reference[kind == k]
            cells.append(f"{100 * part.mean():+6.2f} ± {100 * part.std() / np.sqrt(len(part)):.2f}")
    return f"{name:<34}" + "  ".join(f"{cell:>15}" for cell in cells)


def main() -> None:
    path, n = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else N
    rows = contracts_of(path, n)
    kind = np.where(rows["game"] < GRAND, 0, np.where(rows["game"] == GRAND, 1, 2))
    expert = Expert()
    sides = {"rule": None, "expert": expert}
    lines = [f"{'declarer / defenders, contracts':<34}" + "  ".join(f"{k + f' {(kind == i).sum()}':>15}" for i, k in enumerate(KINDS))]  # fmt: skip # noqa: E501
    base = play_contracts(rows, None, None).made
    for first, declarer in sides.items():
        for second, defenders in sides.items():
            won = play_contracts(rows, declarer, defenders).made
            lines.append(_line(f"{first} / {second}", won, None, kind))
            if won is not base:
                lines.append(_line("  against rule / rule", won, base, kind))
    whole = play_contracts(rows, expert, expert).made
    for name in SWITCHED:
        for who, pair in (("declarer", (Expert(name), expert)), ("defenders", (expert, Expert(name)))):
            won = play_contracts(rows, *pair).made
            if (won != whole).any():
                lines.append(_line(f"{who} without {name}", won, whole, kind))
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
