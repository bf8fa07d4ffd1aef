"""What is believed of a feature vector before games of it are counted: log odds, a weight for each feature value.

Tables know little of hands nobody plays, and the best of 66 discards and seven games finds every bucket that is too
good to be true. So the chance of a cell starts from a logistic regression on the same features (the papers' GLEM,
KERMIT-1), fitted to games that even weak hands were made to play. The experiment ``bidding.prior`` writes
``prior.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tricktake_skat.questions.declarer import GRAND_GAME, SUIT

FILE = Path(__file__).with_name("prior.json")
FLOOR = -4.0  # least log odds of a hand that is made to play
QUESTIONS = {"suit": SUIT, "grand": GRAND_GAME}

Weights = Mapping[str, NDArray[np.float64]]


@cache
def weights() -> Mapping[str, Weights]:
    """By question ("suit", "grand") and feature: log odds of each value, the constant under "one"."""
    stored = json.loads(FILE.read_text())
    return {name: {f: np.array(w) for f, w in stored["weights"][name].items()} for name in QUESTIONS}
