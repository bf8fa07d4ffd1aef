"""What players of Skat say, in English and German, and what a bid promises."""

from __future__ import annotations

from tricktake.action import Action
from tricktake.view import View
from tricktake_skat.auction import highest_bids
from tricktake_skat.contract import BASE, NULL_VALUE, SkatContract

GAMES = {
    "en": {"C": "Clubs", "S": "Spades", "H": "Hearts", "D": "Diamonds", "G": "Grand", "N": "Null"},
    "de": {"C": "Kreuz", "S": "Pik", "H": "Herz", "D": "Karo", "G": "Grand", "N": "Null"},
}
NULL_NAMES = {"N": "Null", "NH": "Null Hand", "NO": "Null ouvert", "NHO": "Null ouvert Hand"}
WORDS = {
    "en": {
        "yes": "Yes, {bid}",
        "pass": "Pass",
        "take": "Pick up the skat",
        "hand": "Play from the hand",
        "claim": "The rest is mine",
        "concede": "Give up",
        "schneider": "Schneider",
        "schwarz": "Schwarz",
    },
    "de": {
        "yes": "Ja, {bid}",
        "pass": "Weg",
        "take": "Skat aufnehmen",
        "hand": "Hand spielen",
        "claim": "Der Rest gehört mir",
        "concede": "Aufgeben",
        "schneider": "Schneider angesagt",
        "schwarz": "Schwarz angesagt",
    },
}
MEANINGS = {
    "en": {
        "bid": "Promises a game worth {bid} or more, for example {games}.",
        "pass": "You do not want to declare.",
        "take": "The two cards come to the hand, and two are put away.",
        "hand": "One level more; the skat stays closed until the end.",
        "claim": "Ends the game if your side reaches its goal whatever the others do.",
        "concede": "What has not been played goes to the other side.",
        "suit": "The four jacks and this suit are trumps. {base} a level; 61 card points win.",
        "grand": "Only the four jacks are trumps. {base} a level; 61 card points win.",
        "null": "No trumps, and a single trick loses. Worth {value}.",
        "schneider": " The others may not reach 31.",
        "schwarz": " The others may not take a trick.",
        "ouvert": " The cards lie open.",
    },
    "de": {
        "bid": "Verspricht ein Spiel ab {bid}, zum Beispiel {games}.",
        "pass": "Du willst nicht allein spielen.",
        "take": "Die beiden Karten kommen auf die Hand, zwei werden gedrückt.",
        "hand": "Eine Stufe mehr; der Skat bleibt bis zum Ende verdeckt.",
        "claim": "Beendet das Spiel, wenn deine Seite ihr Ziel erreicht, was die anderen auch tun.",
        "concede": "Was nicht gespielt ist, bekommt die Gegenseite.",
        "suit": "Die vier Buben und diese Farbe sind Trumpf. {base} je Stufe; 61 Augen gewinnen.",
        "grand": "Nur die vier Buben sind Trumpf. {base} je Stufe; 61 Augen gewinnen.",
        "null": "Kein Trumpf, und ein einziger Stich verliert. Wert {value}.",
        "schneider": " Die anderen dürfen keine 31 erreichen.",
        "schwarz": " Die anderen dürfen keinen Stich machen.",
        "ouvert": " Die Karten liegen offen.",
    },
}
SHOWN = 3  # games named as examples of a bid


def said(action: Action, view: View, language: str) -> tuple[str, str]:
    """An action of Skat in words, and what it means; see ``Game.said``."""
    language = language if language in WORDS else "en"
    words, meanings, verb = WORDS[language], MEANINGS[language], action.verb
    if verb in ("bid", "yes"):
        bid = int(action.value) if verb == "bid" else max(highest_bids(view.events))
        label = str(bid) if verb == "bid" else words["yes"].format(bid=bid)
        return label, meanings["bid"].format(bid=bid, games=", ".join(games_worth(bid, language)[:SHOWN]))
    if verb == "declare":
        return game_name(action.value, language), _meaning(SkatContract.declared(0, action.value), meanings)
    return words.get(verb, ""), meanings.get(verb, "")


def called(contract: SkatContract, language: str) -> str:
    """A contract in words; see ``Game.called``."""
    language = language if language in WORDS else "en"
    return f"{game_name(contract.name, language)} ({contract.bid})"


def game_name(name: str, language: str) -> str:
    """A declaration such as ``CHS`` in words."""
    contract, words = SkatContract.declared(0, name), WORDS[language]
    if contract.is_null:
        return NULL_NAMES[contract.name]
    parts = [GAMES[language][contract.trump], *(["Hand"] if contract.hand else [])]
    if contract.ouvert:
        return " ".join([parts[0], "ouvert"])
    if contract.schneider:
        parts.append(words["schwarz" if contract.schwarz else "schneider"])
    return " ".join(parts)


def games_worth(bid: int, language: str) -> list[str]:
    """The plain games a bid stands for, the cheapest first: suit or grand and the least level, and Null games."""
    found = []
    for game, base in BASE.items():
        level = -(-bid // base)
        if level >= 2:  # with or without one jack is the least
            found.append((level * base, f"{GAMES[language][game]} {level} × {base}"))
    found += [(value, NULL_NAMES[name]) for name, value in NULL_VALUE.items() if value >= bid]
    return [text for _, text in sorted(found)]


def _meaning(contract: SkatContract, meanings: dict[str, str]) -> str:
    if contract.is_null:
        return meanings["null"].format(value=contract.base) + (meanings["ouvert"] if contract.ouvert else "")
    out = meanings["grand" if contract.trump == "G" else "suit"].format(base=contract.base)
    if contract.schneider:
        out += meanings["schwarz" if contract.schwarz else "schneider"]
    return out + (meanings["ouvert"] if contract.ouvert else "")
