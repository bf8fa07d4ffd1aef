"""The deals of a seed as masks, for batches: those of ``tricktake.deal``, or of an older stream by its name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tricktake.deal import STREAM, deals
from tricktake.errors import UnknownName
from tricktake_skat._kernels import mix32
from tricktake_skat.deck import LAYOUT

MIX32 = "mix32"  # the stream of self-play before 2026-11-21: learned tables whose manifest names none are from it
STREAMS = (STREAM, MIX32)


def dealt(seed: int, first: int, n: int, stream: str = STREAM) -> NDArray[np.int64]:
    """Numbered deals, (n, 4): masks of forehand, middlehand, rearhand and skat.

    Raises InputError for numbers that are no seed or deal, UnknownName for another stream.
    """
    if stream == STREAM:
        return deals(LAYOUT, seed, first, n)
    if stream != MIX32:
        raise UnknownName("stream of deals", stream, STREAMS)
    places = np.zeros((n, len(LAYOUT.sizes)), np.int64)
    mix32.deals(seed, first, places)
    return places
