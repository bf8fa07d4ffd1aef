"""Names for the types of arrays: int64 wherever cards, masks, seats or counts are meant, float64 for estimates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
