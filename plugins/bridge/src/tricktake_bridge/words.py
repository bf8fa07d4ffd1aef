"""What players of bridge say, in English and German, and what a call tells the bidder of this plugin."""

from __future__ import annotations

from tricktake.action import Action, Event
from tricktake.view import View
from tricktake_bridge.auction import DOUBLE, PASS, REDOUBLE
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.rule import NT, SUITS, Shown, meanings

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
WORDS = {
    "en": {
        "pass": "Pass",
        "double": "Double",
        "redouble": "Redouble",
        NT: "NT",
        "doubled": ", doubled",
        "redoubled": ", redoubled",
        "tells": "To bridge:rule it says: {facts}.",
        "points": "{n} points or more",
        "length": "{n} {suit} or more",
        "balanced": "no short suit",
        "forcing": "partner must bid",
        "asks": "partner should name a suit",
        "penalty": "To bridge:rule it says: they will not make it.",
        "stands": "To bridge:rule it says nothing. A new bid ends it.",
        "passed": "To bridge:rule it says nothing of the hand.",
    },
    "de": {
        "pass": "Passe",
        "double": "Kontra",
        "redouble": "Rekontra",
        NT: "SA",
        "doubled": " im Kontra",
        "redoubled": " im Rekontra",
        "tells": "Für bridge:rule heißt das: {facts}.",
        "points": "mindestens {n} Punkte",
        "length": "mindestens {n} {suit}",
        "balanced": "keine kurze Farbe",
        "forcing": "der Partner muss bieten",
        "asks": "der Partner soll eine Farbe nennen",
        "penalty": "Für bridge:rule heißt das: Sie erfüllen es nicht.",
        "stands": "Für bridge:rule heißt das nichts. Ein neues Gebot hebt es auf.",
        "passed": "Für bridge:rule heißt das nichts über die Karten.",
    },
}


def said(action: Action, view: View, language: str) -> tuple[str, str]:
    """A call in words, and what it tells partner if he is a ``bridge:rule``; see ``Game.said``."""
    words = WORDS.get(language, WORDS["en"])
    if action.verb == "bid":
        level, strain = action.value[0], action.value[1:]
        return level + SYMBOLS.get(strain, words[NT]), _tells(_shown(action, view), words)
    if action == PASS:
        return words["pass"], words["passed"]
    if action == DOUBLE:
        shown = _shown(action, view)
        return words["double"], _tells(shown, words) if shown.asks else words["penalty"]
    return (words["redouble"], words["stands"]) if action == REDOUBLE else ("", "")


def called(contract: BridgeContract, language: str) -> str:
    """A contract in words; see ``Game.called``."""
    words = WORDS.get(language, WORDS["en"])
    doubled = ("", words["doubled"], words["redoubled"])[contract.doubled]
    return f"{contract.level}{SYMBOLS.get(contract.strain, words[NT])}{doubled}"


def _shown(action: Action, view: View) -> Shown:
    """What a seat has told with a call: the one to come, or the last such one of the auction."""
    if action in view.legal:
        return meanings((*view.events, Event(view.turn, action)))[view.turn]
    last = max((n for n, event in enumerate(view.events) if event.action == action), default=-1)
    return meanings(view.events[: last + 1])[view.events[last].seat] if last >= 0 else Shown()


def _tells(shown: Shown, words: dict[str, str]) -> str:
    facts = [words["points"].format(n=shown.points)] if shown.points > 0 else []
    lengths = {suit: n for suit in SUITS if (n := shown.lengths[suit]) > 2}
    facts += [words["length"].format(n=n, suit=SYMBOLS[suit]) for suit, n in lengths.items()]
    if all(shown.lengths[suit] >= 2 for suit in SUITS):
        facts.append(words["balanced"])
    if shown.forcing:
        facts.append(words["forcing"])
    if shown.asks:
        facts.append(words["asks"])
    return words["tells"].format(facts=", ".join(facts)) if facts else ""
