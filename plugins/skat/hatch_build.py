"""A wheel built in a checkout takes the learned tables along; an sdist has them in its package."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tables(BuildHookInterface):
    """The folder ``tables/skat`` of the checkout; a package installed in place looks there itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add it to a wheel that is not editable."""
        tables = Path(self.root).resolve().parents[1] / "tables" / "skat"
        if version == "standard" and tables.is_dir():
            build_data["force_include"][str(tables)] = "tricktake_skat/tables"
