"""Cards as pictures (SVG), for notebooks and pages. The page of the server draws from the same ``faces.json``."""

from __future__ import annotations

import functools
import importlib.resources
import json
from html import escape
from pathlib import Path
from typing import Any

from attrs import frozen

from tricktake import html
from tricktake.cards import CardSet, Deck
from tricktake.deal import Deal
from tricktake.errors import InputError

WIDTH, HEIGHT = 60, 84  # of a card, as faces.json draws it
STEP, SHOWN = 62, 44  # from card to card, and the width of a card on the screen, in pixels
FRENCH, BAVARIAN = frozenset("CDHS"), frozenset("EGHS")


def source() -> bytes:
    """The shapes and drawings: a JSON object of SVG texts with names in braces for what differs."""
    return (importlib.resources.files("tricktake") / "faces.json").read_bytes()


@functools.cache
def _faces() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(source())
    return data


@frozen
class Picture:
    """A drawing, displayed by notebooks. svg: one SVG element."""

    svg: str

    def _repr_html_(self) -> str:
        return self.svg

    def save(self, path: Path) -> None:
        """Write a file NAME.svg. Raises InputError for another suffix."""
        if path.suffix.lower() != ".svg":
            raise InputError(path, None, "picture", "the suffix of a picture is .svg")
        try:
            path.write_text(self.svg + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(path, None, "picture", error.strerror or str(error)) from None


def _suits(deck: Deck, german: bool) -> dict[str, str]:
    """The shape of each suit; empty for decks with suits of their own."""
    suits = frozenset(deck.suits)
    name = "bavarian" if suits == BAVARIAN else "german" if german else "french"
    shapes: dict[str, str] = _faces()["suits"][name]
    return shapes if suits in (FRENCH, BAVARIAN) else {}


def card(deck: Deck, index: int, *, german: bool = False) -> Picture:
    """One card of a deck. german: acorns, leaves, hearts and bells instead of French suits."""
    faces, shown = _faces(), deck[index]
    shape = faces["shapes"].get(_suits(deck, german).get(shown.suit))
    others = faces["others"]
    own = {"ink": others[max(0, deck.suits.find(shown.suit)) % len(others)]}
    rank = _rank(deck, shown.rank, german)
    values = {**(shape or own), "rank": escape(rank), "suit": escape(shown.suit), "x": 3 if len(rank) > 1 else 5}
    corner = faces["long" if len(rank) > 2 else "rank"].format(**values)
    corner += faces["corner"].format(**values) if shape else ""
    court = len(rank) == 1 and rank.isalpha() and rank != "A"
    face = ("court" if court else "pip") if shape else "own"
    return Picture(faces["card"].format(corner=corner, face=faces[face].format(**values)))


def _rank(deck: Deck, rank: str, german: bool) -> str:
    if rank == "T" or (rank == "Z" and frozenset(deck.suits) == BAVARIAN):
        return "10"
    return {"J": "U", "Q": "O"}.get(rank, rank) if german and frozenset(deck.suits) == FRENCH else rank


def hand(cards: CardSet, *, german: bool = False) -> Picture:
    """The cards of a set side by side, in the order of the deck."""
    places = [
        card(cards.deck, each.index, german=german).svg.replace(
            "<svg ", f"<svg x='{STEP * number}' width='{WIDTH}' height='{HEIGHT}' ", 1
        )
        for number, each in enumerate(cards)
    ]
    width = max(1, STEP * len(places) - (STEP - WIDTH))
    size = f"width='{width * SHOWN // WIDTH}' style='max-width: 100%; height: auto'"
    label = escape(str(cards), quote=True)
    return Picture(
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {HEIGHT}' {size} role='img' "
        f'aria-label="{label}">{"".join(places)}</svg>'
    )


def places(deal: Deal, *, german: bool = False) -> html.Html:
    """All places of a deal, a row each, as a notebook shows them."""
    deck = deal.layout.deck
    rows = [(name, CardSet(deck, mask)) for name, mask in zip(deal.layout.names, deal.masks, strict=True)]
    return html.facts("", [(name, html.Html(hand(cards, german=german).svg)) for name, cards in rows])
