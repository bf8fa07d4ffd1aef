"""Kernels of Skat that another plugin may call; what else lies in ``_kernels`` may change without notice.

``NULL``: number of the game in rows. The rest is Null by suits: ``config_of`` says what
a suit of a hand is like, a number below ``CONFIGS`` (``CONFIG`` of its eight deck bits), ``GAP`` of that how weak it
is, ``weak_suit`` which suit is the only weak one, ``puts_in`` how many of ``PUTS`` have been put of a suit, and
``null_chance`` multiplies the answers of a table by ``KINDS`` of Null, lead, puts and suit.
"""

from tricktake_skat._kernels.cards import NULL
from tricktake_skat._kernels.features_null import (
    CONFIG,
    CONFIGS,
    GAP,
    KINDS,
    PUTS,
    config_of,
    null_chance,
    puts_in,
    weak_suit,
)

__all__ = ["CONFIG", "CONFIGS", "GAP", "KINDS", "NULL", "PUTS", "config_of", "null_chance", "puts_in", "weak_suit"]
