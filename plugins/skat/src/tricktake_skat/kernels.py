"""Kernels of Skat that another plugin or an experiment may call; what else lies in ``_kernels`` may change unnoticed.

Modules: ``cards`` (cards, classes and hashes), ``skat`` (the rules before and after the play), ``rows`` and ``games``
(batches), ``position`` and ``rule_play`` (policies), ``rule_bid``, ``hand_features``, ``features``, ``factor``,
``bidding``, ``bidding_worth``, ``value``, ``discard``, ``strength``, ``luck`` and ``belief`` (what hands and worlds
are worth).

Null by suits: ``config_of`` says what a suit of a hand is like, a number below ``CONFIGS`` (``CONFIG`` of its eight
deck bits), ``GAP`` of that how weak it is, ``weak_suit`` which suit is the only weak one, ``puts_in`` how many of
``PUTS`` have been discarded of a suit, and ``null_chance`` multiplies the answers of a table by ``KINDS`` of Null,
lead, puts and suit.
"""

from tricktake_skat._kernels import (
    belief,
    bidding,
    bidding_worth,
    cards,
    discard,
    factor,
    features,
    games,
    hand_features,
    luck,
    position,
    rows,
    rule_bid,
    rule_play,
    skat,
    strength,
    value,
)
from tricktake_skat._kernels.cards import GRAND, NULL
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

__all__ = [
    "CONFIG",
    "CONFIGS",
    "GAP",
    "GRAND",
    "KINDS",
    "NULL",
    "PUTS",
    "belief",
    "bidding",
    "bidding_worth",
    "cards",
    "config_of",
    "discard",
    "factor",
    "features",
    "games",
    "hand_features",
    "luck",
    "null_chance",
    "position",
    "puts_in",
    "rows",
    "rule_bid",
    "rule_play",
    "skat",
    "strength",
    "value",
    "weak_suit",
]
