"""Shared by the tests of tournaments: the toy plugins, and configurations with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tricktake.tournament.config import Config, from_mapping

HERE = Path(__file__).resolve().parent
PLUGINS = f"{HERE / 'toygame.py'},{HERE / 'toyparts.py'}"
ENV = {**os.environ, "TRICKTAKE_PLUGINS": PLUGINS}


def toy(*parts: str, **fields: Any) -> Config:
    """A tournament of the toy game between these strategies of the plugin ``toyparts``."""
    data = {"game": "toy", "deals": 2, "isolate": "no", **fields}
    return from_mapping({**data, "player": [{"name": p, "spec": f"toyparts:{p}"} for p in parts]})[0]
