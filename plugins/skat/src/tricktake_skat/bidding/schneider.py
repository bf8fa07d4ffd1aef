"""How often a won game is won with Schneider, by the tricks expected to be lost, as ``schneider.json`` has it.

The file says which experiment counted it.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("schneider.json")

_STORED = json.loads(FILE.read_text(encoding="utf-8"))
SCHNEIDER = np.array([_STORED["suit"], _STORED["grand"]])  # by tricks lost, 0 to 10
