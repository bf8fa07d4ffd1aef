"""How often a won game is won with Schneider, by the tricks expected to be lost."""

from __future__ import annotations

import numpy as np

# Suit games, then grands; by tricks lost, 0 to 10. `python -m tricktake_lab.skat.schneider_fit 601 300000`
SCHNEIDER = np.array(
    [
        [0.996, 0.953, 0.747, 0.448, 0.213, 0.092, 0.037, 0.010, 0.008, 0.008, 0.008],
        [0.684, 0.599, 0.407, 0.201, 0.084, 0.018, 0.001, 0.001, 0.001, 0.001, 0.001],
    ]
)
