"""Value networks beside the tables: what ten cards, two put, seat and bids are worth, learned from games of policies.

They lie in a ``.policy`` file, as one family of four networks (``_kernels.value.net_of``); its key is the version of
their inputs. The experiment ``bidding.values`` makes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tricktake.errors import InputError
from tricktake.policy.policy import Family, Net, Packed
from tricktake.strategies.policy import find_policy
from tricktake_skat._kernels import value as kernel

FAMILY, KEY = "value", "skat-value-1"
OUTPUTS = 32  # of which two are used: the width kernels take
DEFAULT = "skat:values"


def find_values(name: str) -> Family:
    """The value networks of a registered name or file. Raises InputError, UnknownName."""
    policy = find_policy(name)
    found = policy.families.get(FAMILY)
    if found is None or found.key != KEY or len(found.nets) != kernel.NETS or found.inputs != kernel.INPUTS:
        raise InputError(None, None, "value", f"{name} holds no value networks for Skat of version {KEY}")
    return found


def packed_values(families: Sequence[Family | None]) -> kernel.Values:
    """The networks of several models, or of none. Raises ValueError if their widths differ."""
    nets: list[Net] = []
    numbers = []
    for family in families:
        numbers.append(-1 if family is None else len(nets))
        nets += () if family is None else family.nets
    packed = Packed.of(nets or [_NOTHING])
    return kernel.Values(np.array(numbers or [-1], np.int64), packed.shape, packed.first, packed.rest)


_NOTHING = Net(np.zeros((1, 64), np.int16), np.zeros((65, 32), np.int32), np.zeros((33, OUTPUTS), np.int32), (1, 1))
