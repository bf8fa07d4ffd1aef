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
        "kontra": "You say that the other side does not make it: the stake counts double.",
        "ruf": "Obers, Unters and hearts are trumps. Who holds the ace you call plays with you, in secret.",
        "geier": "You play alone. Only the Obers are trumps{suit}.",
        "wenz": "You play alone. Only the Unters are trumps{suit}.",
        "solo": "You play alone. Obers, Unters and a suit that you name are trumps.",
        "suit": " and a suit that you name",
        "eyes": " Your side needs 61 of 120.",
        "tout": " You take every trick, for twice the price.",
        "sie": " You hold all Obers and Unters that a hand can hold, for four times the price.",
        "call": "Who holds it is your partner; nobody knows before it is played.",
        "name": "This suit is trumps, too.",
    },
    "de": {
        "pass": "Du willst kein eigenes Spiel.",
        "double": "Der Einsatz zählt doppelt, wer auch gewinnt.",
        "kontra": "Du sagst, dass die anderen es nicht schaffen: Der Einsatz zählt doppelt.",
        "ruf": "Ober, Unter und Herz sind Trumpf. Wer die gerufene Sau hat, spielt heimlich mit dir.",
        "geier": "Du spielst allein. Nur die Ober sind Trumpf{suit}.",
        "wenz": "Du spielst allein. Nur die Unter sind Trumpf{suit}.",
        "solo": "Du spielst allein. Ober, Unter und eine Farbe, die du nennst, sind Trumpf.",
        "suit": " und eine Farbe, die du nennst",
        "eyes": " Deine Seite braucht 61 von 120 Augen.",
        "tout": " Du machst jeden Stich, zum doppelten Preis.",
        "sie": " Du hast alle Ober und Unter, die eine Hand haben kann, zum vierfachen Preis.",
        "call": "Wer sie hat, ist dein Partner; niemand weiß es, bevor sie fällt.",
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
