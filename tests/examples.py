"""The examples, as modules."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
OH_PSHAW = EXAMPLES / "oh_pshaw" / "tricktake_oh_pshaw.py"
SECRET_ACE = EXAMPLES / "secret_ace" / "tricktake_secret_ace.py"
THRIFTY = EXAMPLES / "swapped_strategy" / "thrifty.py"


def load(path: Path) -> ModuleType:
    """The module of a file, freshly imported."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
