"""What actions of ready phases promise or mean, by language and verb (``Phase.meanings``)."""

from __future__ import annotations

from collections.abc import Mapping

Meanings = Mapping[str, Mapping[str, str]]
"""Language -> verb -> a sentence."""

AUCTION: Meanings = {
    "en": {
        "bid": "Your side plays this if nobody bids more.",
        "pass": "You do not bid.",
        "double": "You doubt the last bid: it counts double, whoever is right.",
        "redouble": "You stand by your bid: it counts double once more.",
    },
    "de": {
        "bid": "Deine Seite spielt das, wenn niemand mehr bietet.",
        "pass": "Du bietest nicht.",
        "double": "Du bezweifelst das letzte Gebot: Es zählt doppelt, wer auch recht behält.",
        "redouble": "Du bleibst bei deinem Gebot: Es zählt noch einmal doppelt.",
    },
}
PARTNER: Meanings = {
    "en": {"call": "Whoever holds this card plays with you.", "alone": "You play against all others."},
    "de": {"call": "Wer diese Karte hat, spielt mit dir.", "alone": "Du spielst gegen alle anderen."},
}
TRUMPS: Meanings = {
    "en": {"name": "This is trumps.", "push": "Your partner has to choose."},
    "de": {"name": "Das ist Trumpf.", "push": "Dein Partner muss wählen."},
}
TURNED: Meanings = {
    "en": {
        "name": "This is trumps, and your side has to win with it.",
        "alone": "This is trumps, and you play without your partner.",
        "pass": "You leave the trumps to the others.",
    },
    "de": {
        "name": "Das ist Trumpf, und deine Seite muss damit gewinnen.",
        "alone": "Das ist Trumpf, und du spielst ohne deinen Partner.",
        "pass": "Du überlässt den anderen den Trumpf.",
    },
}
