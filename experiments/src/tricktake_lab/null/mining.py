"""Where Null games with one weak suit are lost, and by which card (OUTER-19)."""

from __future__ import annotations

from collections import Counter

import numpy as np
from tricktake_null_tables.builder import config_name
from tricktake_skat.deck import SKAT
from tricktake_skat.kernels import NULL, config_of, weak_suit

from tricktake.learning.rows import RowArray


def hits(rows: RowArray) -> Counter[tuple[str, str, str]]:
    """How often a weak suit was hit: (its ranks, rank of the card led to the last trick, rank that took it).

    Only lost games, as they were played, with exactly one weak suit, in which that suit was led last.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    lost = rows[(rows["game"] == NULL) & (rows["won"] == 0) & (rows["tricks"] > 0) & (rows["cards"][:, 0] >= 0)]
    for row in lost:
        suit = int(weak_suit(np.int64(row["own"])))
        if suit < 0:
            continue
        cards = [int(card) for card in row["cards"] if card >= 0]
        trick = cards[-3:]
        own = [card for card in trick if int(row["own"]) >> card & 1]
        if trick[0] // 8 == suit and own:
            ranks = config_name(int(config_of(np.int64(row["own"]), np.int64(suit))))
            found[ranks, SKAT[trick[0]].rank, SKAT[own[0]].rank] += 1
    return found
