"""Kernels of the core that those of a plugin may call; what else lies in ``_kernels`` may change without notice.

deal, deals, shuffle: the cards of a seed, see ``tricktake.deal``. probability: what a learned table says of a key, with
``UNKNOWN`` for a key it never met (docs/learning.md). batch: the words of a policy's frame, ``rebuild`` for a single
position and ``play_game`` (``tricktake.batch``). factor: one suit by itself (``tricktake.factor``). scan: words and
numbers in lines of bytes (``records.scan``). layout, play, position: rules and positions as words, for a search of its
own. Call them by these names, so that numba and the cache see them.
"""

from tricktake._kernels import batch, factor, layout, play, position, scan
from tricktake._kernels.deal import deal, deals, shuffle
from tricktake._kernels.lookup import UNKNOWN, probability

__all__ = [
    "UNKNOWN",
    "batch",
    "deal",
    "deals",
    "factor",
    "layout",
    "play",
    "position",
    "probability",
    "scan",
    "shuffle",
]
