"""What players of Schafkopf say, in English and German, and what it means."""

from __future__ import annotations

from tricktake.action import Action
from tricktake_schafkopf.contract import SchafkopfContract

SUITS = {
    "en": {"E": "Acorns", "G": "Leaves", "H": "Hearts", "S": "Bells"},
    "de": {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"},
}
WORDS = {
    "en": {"pass": "Pass", "double": "Double", "kontra": "Kontra", "ruf": "Called ace", "sow": "ace of {suit}"},
    "de": {"pass": "Weiter", "double": "Legen", "kontra": "Kontra", "ruf": "Rufspiel", "sow": "{suit}-Sau"},
}
MEANINGS = {
    "en": {
        "pass": "You do not want to play a game of your own.",
        "double": "The stake counts double, whoever wins.",
        "kontra": "The other side will not make it: the stake counts double.",
        "ruf": "Obers, Unters and hearts are trumps. Who holds the called ace is the partner, in secret.",
        "geier": "One against three. Only the Obers are trumps{suit}.",
        "wenz": "One against three. Only the Unters are trumps{suit}.",
        "solo": "One against three. Obers, Unters and a suit named later are trumps.",
        "suit": " and a suit named later",
        "eyes": " 61 of 120 eyes win.",
        "tout": " Every trick is needed, for twice the price.",
        "sie": " The hand is all Obers and Unters, for four times the price.",
        "call": "Who holds it is the partner; nobody knows before it is played.",
        "name": "This suit is trumps, too.",
    },
    "de": {
        "pass": "Du willst kein eigenes Spiel.",
        "double": "Der Einsatz zählt doppelt, wer auch gewinnt.",
        "kontra": "Die anderen schaffen es nicht: Der Einsatz zählt doppelt.",
        "ruf": "Ober, Unter und Herz sind Trumpf. Wer die gerufene Sau hat, ist heimlich der Partner.",
        "geier": "Einer gegen drei. Nur die Ober sind Trumpf{suit}.",
        "wenz": "Einer gegen drei. Nur die Unter sind Trumpf{suit}.",
        "solo": "Einer gegen drei. Ober, Unter und eine Farbe, die noch genannt wird, sind Trumpf.",
        "suit": " und eine Farbe, die noch genannt wird",
        "eyes": " 61 von 120 Augen gewinnen.",
        "tout": " Jeder Stich muss her, zum doppelten Preis.",
        "sie": " Die Hand besteht aus Obern und Untern, zum vierfachen Preis.",
        "call": "Wer sie hat, ist der Partner; niemand weiß es, bevor sie fällt.",
        "name": "Auch diese Farbe ist Trumpf.",
    },
}


def said(action: Action, language: str) -> tuple[str, str]:
    """An action in words, and what it means; see ``Game.said``."""
    language = language if language in WORDS else "en"
    words, meanings = WORDS[language], MEANINGS[language]
    match action.verb:
        case "bid":
            return _bid(action.value, language)
        case "call":
            return words["sow"].format(suit=SUITS[language][action.value[0]]), meanings["call"]
        case "name":
            return SUITS[language][action.value], meanings["name"]
    return words.get(action.verb, ""), meanings.get(action.verb, "")


def called(contract: SchafkopfContract, language: str) -> str:
    """A contract in words; see ``Game.called``."""
    language = language if language in WORDS else "en"
    label, _ = _bid(contract.name, language)
    suit = SUITS[language].get(contract.suit, "")
    return f"{label} ({WORDS[language]['sow'].format(suit=suit) if contract.called else suit})" if suit else label


def _bid(name: str, language: str) -> tuple[str, str]:
    """A bid such as ``farbwenz-tout``."""
    words, meanings = WORDS[language], MEANINGS[language]
    game, _, level = name.partition("-")
    plain = game.removeprefix("farb")
    label = words.get(game, game.capitalize()) + (f" {level.capitalize()}" if level else "")
    meaning = meanings[plain].format(suit=meanings["suit"] if plain != game else "")
    return label, meaning + meanings[level or "eyes"]
