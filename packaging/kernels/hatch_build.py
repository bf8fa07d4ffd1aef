"""A wheel of what ``packaging/release.py`` compiled. It fits one numba and one Python, and says so."""

import os
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

COMPILED = "TRICKTAKE_COMPILED"  # the folder with a folder for each level


class Kernels(BuildHookInterface):
    """The compiled folders, for the platforms that numba's own wheel is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them and the tag."""
        levels = sorted(Path(os.environ[COMPILED]).iterdir())
        build_data["pure_python"] = False
        build_data["tag"] = _numba_tag()
        for level in levels:
            build_data["force_include"][str(level)] = f"tricktake_kernels/{level.name}"


class Pins(MetadataHookInterface):
    """The numba that compiled them; numpy as far as numba asks for it."""

    def update(self, metadata_of_project: dict[str, Any]) -> None:
        """Set the dependencies."""
        numpy = metadata.version("numpy").rsplit(".", 1)[0]
        metadata_of_project["dependencies"] = [f"numba=={metadata.version('numba')}", f"numpy=={numpy}.*"]


def _numba_tag() -> str:
    """Tags of one Python and ABI in the form of a file's name, such as cp311-cp311-manylinux_2_27_x86_64."""
    lines = (metadata.distribution("numba").read_text("WHEEL") or "").splitlines()
    tags = [line.removeprefix("Tag: ").split("-") for line in lines if line.startswith("Tag: ")]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return "-".join((python, python, ".".join(dict.fromkeys(tag[2] for tag in tags))))
