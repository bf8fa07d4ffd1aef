"""The experiments on Null: hits of weak suits, and games of nothing but Null."""

from __future__ import annotations

import numpy as np
from tricktake_lab.null.mining import hits
from tricktake_lab.null.selfplay import games, learned
from tricktake_null_tables.question import SUIT
from tricktake_skat.deck import SKAT
from tricktake_skat.rows import GAMES

from tricktake.learning import learn

WEAK_SPADES = "C7 C8 C9 S7 SQ H7 H8 H9 D7 D8"


def null_row(own: str, **changes: object) -> np.ndarray:
    """A Null from the hand, won unless said otherwise."""
    mask = sum(SKAT.card(name).mask for name in own.split())
    row = GAMES.row(game=5, declarer=1, own=mask, won=1, hand=1)
    row["cards"][0] = -1
    for name, value in changes.items():
        row[name] = value
    return row


def test_hits_name_the_card() -> None:
    lost = null_row(WEAK_SPADES, won=0, tricks=1)
    lost["cards"][0, :6] = [SKAT.card(name).index for name in ("CK", "C7", "CQ", "S8", "SQ", "S9")]
    assert hits(lost) == {("7Q", "8", "Q"): 1}
    assert not hits(null_row(WEAK_SPADES))


def test_learned_again_it_is_the_same() -> None:
    one = learned(7, 2000)
    assert one == learned(7, 2000)
    assert one.games > 20
    rows = np.concatenate(list(games(7, 2000)))
    assert learn(SUIT, rows).games == one.games
    assert (rows["game"] == 5).all()
    assert one.sources[0]["seed"] == 7
