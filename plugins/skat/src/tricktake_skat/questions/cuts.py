"""The cut points of the groups, frozen in ``cuts.toml`` (GAP-4); the experiment ``questions.cuts`` fits them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np

_FROZEN = tomllib.loads(Path(__file__).with_name("cuts.toml").read_text())

BID_CUTS = np.array(_FROZEN["bid"], np.int64)
SKAT_CUTS = np.array(_FROZEN["skat"], np.int64)
