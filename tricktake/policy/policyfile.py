"""Policy files: a zip of a manifest and arrays, nothing pickled."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from tricktake import archive
from tricktake.errors import InputError
from tricktake.policy.encoding import VERSION
from tricktake.policy.policy import Family, Net, Policy

FORMAT = "tricktake-policy"
FILE_VERSION = 1
SUFFIX = ".policy"
LAYERS = {"first": np.int16, "second": np.int32, "third": np.int32}


def manifest(policy: Policy) -> dict[str, Any]:
    """What a file says of itself, without the hashes of its arrays."""
    return {
        "format": FORMAT,
        "file_version": FILE_VERSION,
        "encoding": policy.version,
        "game": policy.game,
        "families": {
            name: {"key": family.key, "roles": len(family.nets), "units": [list(net.units) for net in family.nets]}
            for name, family in sorted(policy.families.items())
        },
        "made": dict(policy.made),
    }


def digest(policy: Policy) -> str:
    """A hash of what it plays, whatever is said of how it was made."""
    found = hashlib.sha256(f"{policy.game} {policy.version}".encode())
    for name, family in sorted(policy.families.items()):
        found.update(f" {name} {family.key}".encode())
        for net in family.nets:
            for layer, kind in LAYERS.items():
                found.update(np.ascontiguousarray(getattr(net, layer), kind).tobytes())
    return found.hexdigest()


def save(policy: Policy, path: str | Path) -> None:
    """Write a ``.policy`` file beside and put it in place when complete. Raises InputError."""
    members = {
        f"{name}.{role}.{layer}.npy": archive.npy(np.asarray(getattr(net, layer), kind))
        for name, family in sorted(policy.families.items())
        for role, net in enumerate(family.nets)
        for layer, kind in LAYERS.items()
    }
    archive.write(path, manifest(policy), members)


def load(path: str | Path) -> Policy:
    """Read a ``.policy`` file. Raises InputError for a damaged one, or one of another version of the encoding."""
    described, members = archive.read(path, FORMAT)
    if described.get("file_version") != FILE_VERSION or described.get("encoding") != VERSION:
        reason = f"made for version {described.get('encoding')} of the inputs, this is version {VERSION}"
        raise InputError(path, None, "encoding", reason)
    try:
        families = {name: _family(name, entry, members) for name, entry in described["families"].items()}
        return Policy(described["game"], families, described["made"])
    except (KeyError, TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
        raise InputError(path, None, None, f"damaged: {type(error).__name__}: {error}") from error


def _family(name: str, entry: dict[str, Any], members: dict[str, bytes]) -> Family:
    nets = []
    for role in range(entry["roles"]):
        layers = [
            np.asarray(archive.array_in(members[f"{name}.{role}.{layer}.npy"]), kind) for layer, kind in LAYERS.items()
        ]
        units = entry["units"][role]
        first, second, third = layers
        nets.append(Net(first, second, third, (int(units[0]), int(units[1]))))
    return Family(name, entry["key"], tuple(nets))
