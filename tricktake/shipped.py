"""Where the learned tables of a plugin lie."""

from __future__ import annotations

from pathlib import Path


def tables(module: str, name: str) -> Path:
    """The folder of tables that come with the package of ``module`` (its ``__file__``).

    A wheel has them in the package, in a folder ``tables``. A package that is installed in place finds them at the top
    of its checkout, in ``tables/NAME``.
    """
    own = Path(module).parent / "tables"
    if own.is_dir():
        return own
    above = (folder / "tables" / name for folder in Path(module).resolve().parents)
    return next((folder for folder in above if folder.is_dir()), own)
