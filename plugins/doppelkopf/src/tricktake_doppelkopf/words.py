"""What players of Doppelkopf say, in English and German, and what it means."""

from __future__ import annotations

from tricktake.action import Action
from tricktake_doppelkopf.contract import SUIT_SOLOS, DoppelkopfContract

LABELS = {
    "en": {
        "healthy": "Healthy",
        "reserve": "Reservation",
        "re": "Re",
        "kontra": "Kontra",
        "no90": "no 90",
        "no60": "no 60",
        "no30": "no 30",
        "black": "black",
        "normal": "Normal game",
        "wedding": "Wedding",
        "queens": "Queens solo",
        "jacks": "Jacks solo",
        "meatless": "Meatless",
        "diamonds": "Diamonds solo",
        "hearts": "Hearts solo",
        "spades": "Spades solo",
        "clubs": "Clubs solo",
    },
    "de": {
        "healthy": "Gesund",
        "reserve": "Vorbehalt",
        "re": "Re",
        "kontra": "Kontra",
        "no90": "keine 90",
        "no60": "keine 60",
        "no30": "keine 30",
        "black": "schwarz",
        "normal": "Normalspiel",
        "wedding": "Hochzeit",
        "queens": "Damensolo",
        "jacks": "Bubensolo",
        "meatless": "Fleischlos",
        "diamonds": "Karosolo",
        "hearts": "Herzsolo",
        "spades": "Piksolo",
        "clubs": "Kreuzsolo",
    },
}
MEANINGS = {
    "en": {
        "healthy": "Plays the normal game.",
        "reserve": "Has a wedding or wants a solo, and says which when all have spoken.",
        "re": "Has a queen of clubs, and its side will win: 2 points more for the winners.",
        "kontra": "Plays against the queens of clubs, and its side will win: 2 points more for the winners.",
        "no90": "The others stay below 90, or this side loses. 1 point more.",
        "no60": "The others stay below 60, or this side loses. 1 point more.",
        "no30": "The others stay below 30, or this side loses. 1 point more.",
        "black": "The others take no trick, or this side loses. 1 point more.",
        "wedding": "Has both queens of clubs. Who first wins one of the first three tricks is the partner.",
        "queens": "One against three; only the queens are trumps.",
        "jacks": "One against three; only the jacks are trumps.",
        "meatless": "One against three; there are no trumps.",
        "suit": "One against three; this suit takes the place of diamonds among the trumps.",
    },
    "de": {
        "healthy": "Spielt das Normalspiel.",
        "reserve": "Hat eine Hochzeit oder will ein Solo, und sagt was, wenn alle gesprochen haben.",
        "re": "Hat eine Kreuz-Dame, und die Partei wird gewinnen: 2 Punkte mehr für die Gewinner.",
        "kontra": "Hat keine Kreuz-Dame, und die Partei wird gewinnen: 2 Punkte mehr für die Gewinner.",
        "no90": "Die anderen bleiben unter 90, sonst verliert diese Partei. 1 Punkt mehr.",
        "no60": "Die anderen bleiben unter 60, sonst verliert diese Partei. 1 Punkt mehr.",
        "no30": "Die anderen bleiben unter 30, sonst verliert diese Partei. 1 Punkt mehr.",
        "black": "Die anderen machen keinen Stich, sonst verliert diese Partei. 1 Punkt mehr.",
        "wedding": "Hat beide Kreuz-Damen. Wer zuerst einen der ersten drei Stiche macht, ist der Partner.",
        "queens": "Einer gegen drei; nur die Damen sind Trumpf.",
        "jacks": "Einer gegen drei; nur die Buben sind Trumpf.",
        "meatless": "Einer gegen drei; es gibt keinen Trumpf.",
        "suit": "Einer gegen drei; diese Farbe ist Trumpf statt Karo.",
    },
}


def said(action: Action, language: str) -> tuple[str, str]:
    """An action in words, and what it means; see ``Game.said``."""
    language = language if language in LABELS else "en"
    labels, meanings = LABELS[language], MEANINGS[language]
    if action.verb == "declare":
        return labels[action.value], meanings["suit" if action.value in SUIT_SOLOS else action.value]
    label = ", ".join(labels[word] for word in (action.verb, action.value) if word in labels)
    return label, meanings.get(action.value or action.verb, "")


def called(contract: DoppelkopfContract, language: str) -> str:
    """A contract in words; see ``Game.called``."""
    return LABELS.get(language, LABELS["en"])[contract.kind]
