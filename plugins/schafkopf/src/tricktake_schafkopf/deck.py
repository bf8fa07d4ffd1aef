"""The Bavarian pack: suits Eichel, Gras, Herz, Schelln; Ober O, Unter U, ten Z, ace (sow) A."""

from __future__ import annotations

from tricktake.cards import Deck
from tricktake.deal import Layout

SEATS = 4
SUITS = "EGHS"
SUIT_NAMES = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schelln"}
EYES = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2}
ALL_EYES = 120
SIZES = (32, 24)

LONG = Deck(suits=SUITS, ranks="789UOKZA")  # as in a plain suit, where Ober and Unter are no trumps
SHORT = Deck(suits=SUITS, ranks="9UOKZA")
LAYOUTS = {size: Layout(deck, (size // SEATS,) * SEATS) for size, deck in zip(SIZES, (LONG, SHORT), strict=True)}
