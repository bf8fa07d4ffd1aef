"""How samples are damaged: as bytes, as lines and words, as JSON, as members of a zip, as columns.

Every mutation is a function of the data and a random generator, so that a seed gives the same inputs again.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

Mutation = Callable[[bytes, random.Random], bytes]

WORDS = (
    b"", b"0", b"-1", b"1", b"7", b"99", b"4294967296", b"-9223372036854775809", b"1" * 400, b"1e400", b"nan", b"0.5",
    b"?", b"??", b"null", b"true", b"[]", b"{}", b'"', b"\\", b"\x00", b"\xff\xfe", "\u2160\u0663\u00b2".encode(),
    b"%s", b"|", b"N", b"GH", b"pass", b"SA", b"18", b"C7",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 64, 2**31, 2**63, -(2**64), 10**30, 0.5, 1e308, float("inf"), float("nan"), "", "x",
    "0", "-1", "\ud800", "\x00", [], [[]], [None], {}, {"": None}, [0] * 70, "SA SA", "\u00b2",
)  # fmt: skip
LONG = 1 << 21
DEEP = 3000
_WORD = re.compile(rb"[A-Za-z0-9_.+-]+")


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flip(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return (
        data[:at]
        + rng.choice((rng.choice(WORDS), b"\x00", b"\r", b"\n", b"\xef\xbb\xbf", rng.randbytes(3)))
        + data[at:]
    )


def remove(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 2, 5, 40)) :]


def twice(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at : at + rng.choice((1, 5, 40, 400))] + data[at:]


def word(data: bytes, rng: random.Random) -> bytes:
    """One word becomes another: of the same file, or a strange one."""
    found = list(_WORD.finditer(data))
    if not found:
        return data
    one, other = rng.choice(found), rng.choice(found)
    new = rng.choice((other[0], rng.choice(WORDS), one[0].lower(), one[0] * 2))
    return data[: one.start()] + new + data[one.end() :]


def lines(data: bytes, rng: random.Random) -> bytes:
    """Lines dropped, doubled, moved, or with other ends."""
    rows = data.split(b"\n")
    at = rng.randrange(len(rows))
    how = rng.randrange(5)
    if how == 0:
        del rows[at]
    elif how == 1:
        rows.insert(at, rows[rng.randrange(len(rows))])
    elif how == 2:
        rng.shuffle(rows)
    elif how == 3:
        return data.replace(b"\n", b"\r\n")
    else:
        return data.replace(b"\n", b"\r")
    return b"\n".join(rows)


def mark(data: bytes, rng: random.Random) -> bytes:
    return rng.choice((b"\xef\xbb\xbf" + data, data.decode("latin-1").encode("utf-16"), data + b"\x00" * 100))


def long(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((b" ", b"9", b"A", b"[", b"(", b".")) * rng.choice((1000, 70_000, LONG)) + data[at:]


def packed(data: bytes, rng: random.Random) -> bytes:
    whole = gzip.compress(data, mtime=0)
    return rng.choice((whole, cut(whole, rng), flip(whole, rng)))


BYTES: tuple[Mutation, ...] = (cut, flip, insert, remove, twice)
TEXT: tuple[Mutation, ...] = (*BYTES, word, word, word, lines, mark, packed)


# -- JSON -------------------------------------------------------------------------------------------------------------


def json_value(data: bytes, rng: random.Random) -> bytes:
    """One value of a JSON document, or of one line of JSON, becomes another; or a key goes, comes or is doubled."""
    rows = data.split(b"\n")
    full = [i for i, row in enumerate(rows) if row.strip()]
    whole = _json(data)
    if whole is not None:
        return dumped(changed(whole, rng), rng)
    if not full:
        return data
    at = rng.choice(full)
    found = _json(rows[at])
    if found is None:
        return word(data, rng)
    rows[at] = dumped(changed(found, rng), rng)
    return b"\n".join(rows)


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def dumped(value: Any, rng: random.Random) -> bytes:
    text = json.dumps(value)
    if rng.random() < 0.01:
        text = text.replace("null", "[" * DEEP + "]" * DEEP)
    return text.encode()


def changed(value: Any, rng: random.Random) -> Any:
    """A copy with one value inside replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        how = rng.random()
        if how < 0.08:
            return {k: v for k, v in value.items() if k != key}
        if how < 0.12:
            return {**value, rng.choice(("", "x", key + "s")): rng.choice(VALUES)}
        return {**value, key: changed(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        how = rng.random()
        if how < 0.08:
            return value[:at] + value[at + 1 :]
        if how < 0.16:
            return [*value[:at], value[at], *value[at:]]
        return [*value[:at], changed(value[at], rng), *value[at + 1 :]]
    if isinstance(value, str) and value and rng.random() < 0.6:
        text = rng.choice((word, insert, remove, cut))(value.encode("utf-8", "surrogatepass"), rng)
        return text.decode("utf-8", "replace")
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 100, -1000, 2**40))
    return rng.choice(VALUES)


JSON: tuple[Mutation, ...] = (*TEXT, json_value, json_value, json_value, json_value, json_value)


# -- zip and Parquet --------------------------------------------------------------------------------------------------


def member(data: bytes, rng: random.Random) -> bytes:
    """A member of a zip is damaged, and the hashes of the manifest are those of what is there then."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            members = {name: file.read(name) for name in file.namelist()}
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError, NotImplementedError, RuntimeError):
        return flip(data, rng)
    if not members:
        return data
    name = rng.choice(list(members))
    manifest = next((n for n in members if n.endswith(".json")), name)
    if rng.random() < 0.5:
        name = manifest
    members[name] = rng.choice(JSON if name.endswith(".json") else BYTES)(members[name], rng)
    found = _json(members[manifest])
    if isinstance(found, dict) and isinstance(found.get("sha256"), dict):
        hashes = {n: hashlib.sha256(body).hexdigest() for n, body in members.items() if n != manifest}
        members[manifest] = json.dumps({**found, "sha256": hashes}).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as file:
        for n, body in members.items():
            file.writestr(n, body)
    return out.getvalue()


ZIP: tuple[Mutation, ...] = (*BYTES, member, member, member, member)


def columns(data: bytes, rng: random.Random) -> bytes:
    """A value of a column, a column, or the metadata of a Parquet file become others; the file itself is sound."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(io.BytesIO(data), use_threads=False)
        about = pq.read_metadata(io.BytesIO(data)).metadata or {}
        place = rng.randrange(table.num_columns)
        name, values = table.schema.names[place], table.column(place).to_pylist()
        how = rng.random()
        if how < 0.1:
            table = table.drop_columns([name])
        elif how < 0.25:
            about = {key: json_value(value, rng) if key == b"tricktake" else value for key, value in about.items()}
        elif values:
            at = rng.randrange(len(values))
            values[at] = changed(values[at], rng)
            kind = table.schema.field(place).type
            column = pa.array(values, kind if rng.random() < 0.9 else None)
            table = table.set_column(place, name, column)
        table = table.replace_schema_metadata(about)
        out = io.BytesIO()
        pq.write_table(table, out, compression=rng.choice(("zstd", "none", "snappy")))
        return out.getvalue()
    except (pa.ArrowException, OSError, ValueError, TypeError, OverflowError, KeyError):
        return flip(data, rng)


PARQUET: tuple[Mutation, ...] = (*BYTES, columns, columns, columns, columns, columns)


def mutated(data: bytes, rng: random.Random, how: Sequence[Mutation]) -> bytes:
    """One to three mutations, one after the other; now and then something very long."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = rng.choice(how)(data, rng)
    if rng.random() < 0.01:
        data = long(data, rng)
    return data
