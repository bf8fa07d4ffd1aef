"""Results as Parquet, for queries: the games of a tournament's store, the sheets and facts of experiments.

A store becomes a row a game; its columns are the fields of its lines and ``names``, the players of the seats. Results
of experiments (JSON of ``tricktake_lab`` and ``tricktake reproduce``) become a row a cell, with the same columns
whatever was measured. A field of a store whose values have no common type stands there as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tricktake import parquet
from tricktake.errors import InputError
from tricktake.settings import json_of
from tricktake.tournament import store

FORMAT = "tricktake-results"
VERSION = 1
CELL = {"experiment": "", "size": "", "seed": 0, "commit": "", "started": "", "seconds": 0.0}
COLUMNS = (*CELL, "sheet", "row", "column", "text", "value", "error", "n", "unit")


def results_in(path: str | Path) -> str:
    """``store``, ``experiment``, or "" for anything else."""
    file = Path(path)
    if not file.is_file():
        return ""
    try:
        if _is_store(file):
            return "store"
        if file.suffix == ".json" and _run(file) is not None:
            return "experiment"
    except (OSError, ValueError):
        pass
    return ""


def _is_store(file: Path) -> bool:
    """Whether the first line says so."""
    with open(file, "rb") as stream:
        return f'"format":"{store.FORMAT}"'.encode() in stream.readline(1 << 16)


def _run(file: Path) -> Mapping[str, Any] | None:
    """The run of an experiment in a JSON file, that of ``reproduce`` within its verdict."""
    found = json_of(file)
    if isinstance(found, dict) and isinstance(found.get("run"), dict):
        found = found["run"]
    whole = (
        isinstance(found, dict) and isinstance(found.get("sheets"), list) and isinstance(found.get("experiment"), str)
    )
    return found if whole else None


def export(path: str | Path, target: str | Path) -> int:
    """Write the results of a store or an experiment as Parquet; returns the number of rows. Raises InputError."""
    pa, _ = parquet.arrow()
    about: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    if Path(path).is_file() and _is_store(Path(path)):
        header, games, _ = store.load(path)
        config = header["config"]
        rows = [_game(row, config, path) for row in games.values()]
        about |= {"of": "store", "hash": header.get("hash"), "config": config}
    else:
        try:
            run = _run(Path(path))
        except ValueError as error:
            raise InputError(path, None, None, str(error)) from error
        if run is None:
            raise InputError(path, None, None, "neither the store of a tournament nor the JSON of an experiment")
        rows = _cells(run, path)
        about |= {"of": "experiment", "command": run.get("command")}
    if not rows:
        raise InputError(path, None, None, "holds no results")
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    if about["of"] == "store":
        table = pa.table({name: column(values) for name, values in columns.items()})
    else:
        table = pa.table(columns, schema=_cell_schema())
    with parquet.Output(target) as out:
        for first in range(0, len(rows), parquet.GROUP):
            out.write(table.slice(first, parquet.GROUP), about)
    return len(rows)


def _game(row: Mapping[str, Any], config: Any, path: str | Path) -> dict[str, Any]:
    try:
        players = config["players"]
        return {**row, "names": [players[player]["name"] for player in row["players"]]}
    except (KeyError, IndexError, TypeError) as error:
        raise InputError(path, None, "players", f"game {row.get('id')}: names nobody of the configuration") from error


def column(values: Sequence[Any]) -> Any:
    """An array of JSON values, as JSON text where they have no type in common."""
    pa, _ = parquet.arrow()
    try:
        found = pa.array(values)
        if not _empty(found.type):
            return found
    except (pa.ArrowException, OverflowError, ValueError, TypeError):
        pass
    return pa.array([None if value is None else json.dumps(value) for value in values], pa.string())


def _empty(kind: Any) -> bool:
    """Whether a type, or one within it, holds nothing, which Parquet has no column for."""
    pa, _ = parquet.arrow()
    if pa.types.is_list(kind):
        return _empty(kind.value_type)
    if pa.types.is_struct(kind):
        return kind.num_fields == 0 or any(_empty(kind.field(i).type) for i in range(kind.num_fields))
    return bool(pa.types.is_null(kind))


def _cells(run: Mapping[str, Any], path: str | Path) -> list[dict[str, Any]]:
    """A row for each cell of the sheets, and for each fact (of the sheet "facts")."""
    same = {name: run.get(name, kind) for name, kind in CELL.items()}
    if any(type(same[name]) is not type(kind) and not _number(same[name], kind) for name, kind in CELL.items()):
        raise InputError(path, None, None, f"{', '.join(CELL)} are not what the JSON of an experiment holds there")
    try:
        found = [
            {**same, "sheet": title, "row": row, "column": name, **_cell(value)}
            for title, row, name, value in _all(run)
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(path, None, "sheets", "not as an experiment writes them") from error
    return [{name: each[name] for name in COLUMNS} for each in found]


def _cell_schema() -> Any:
    pa, _ = parquet.arrow()
    kinds = dict.fromkeys(("seed", "row", "n"), pa.int64()) | dict.fromkeys(("seconds", "value", "error"), pa.float64())
    return pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])


def _number(value: object, kind: object) -> bool:
    return isinstance(kind, float) and type(value) is int


def _all(run: Mapping[str, Any]) -> Iterator[tuple[str, int, str, Any]]:
    for sheet in run["sheets"]:
        for number, row in enumerate(sheet["rows"], 1):
            for name, value in zip(sheet["columns"], row, strict=True):
                yield str(sheet["title"]), number, str(name), value
    for name, value in dict(run.get("facts") or {}).items():
        yield "facts", 1, str(name), value


def _cell(value: Any) -> dict[str, Any]:
    """A cell as text, and as a number with half its 95 % interval, if it is one."""
    out: dict[str, Any] = {"text": None, "value": None, "error": None, "n": None, "unit": None}
    if isinstance(value, dict) and {"mean", "error", "n"} <= value.keys():
        number = {
            name: None if value[key] is None else float(value[key])
            for name, key in (("value", "mean"), ("error", "error"))
        }
        return {**out, **number, "n": int(value["n"]), "unit": str(value.get("unit") or "")}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {**out, "value": float(value)}
    return {**out, "text": value if isinstance(value, str) else json.dumps(value)}
