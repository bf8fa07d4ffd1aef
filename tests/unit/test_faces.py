"""Cards as pictures: every card of every game is drawn, and the page of the server draws the same."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tricktake import faces
from tricktake.cards import CardSet, Deck
from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.plugins import manager

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    """The texts of a drawing, which must be one well-formed SVG."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return [text.text or "" for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", sorted(manager().games.names()))
def test_every_card_is_drawn(name: str) -> None:
    deck = find_game(name).layout.deck
    for german in (False, True):
        drawn = {card.kind: faces.card(deck, card.index, german=german).svg for card in deck}
        assert len(set(drawn.values())) == len(drawn)
        assert all(words(svg)[0] == words(svg)[1] for svg in drawn.values())


def test_a_rank_is_written_in_both_corners() -> None:
    deck = find_game("skat").layout.deck
    assert words(faces.card(deck, deck.parse("CT").mask.bit_length() - 1).svg) == ["10", "10"]
    assert words(faces.card(deck, deck.parse("CJ").mask.bit_length() - 1, german=True).svg) == ["U", "U"]
    odd = Deck("<&", "1")
    assert words(faces.card(odd, 0).svg) == ["1", "1", "<"]


def test_a_hand_is_its_cards_side_by_side() -> None:
    deck = find_game("skat").layout.deck
    cards = deck.parse("CJ HA D7")
    picture = faces.hand(cards)
    assert picture._repr_html_() == picture.svg
    assert words(picture.svg) == [rank for card in cards for rank in (card.rank, card.rank)]
    assert ElementTree.fromstring(picture.svg).get("aria-label") == str(cards)
    assert words(faces.hand(CardSet(deck, 0)).svg) == []


def test_a_deal_shows_every_place() -> None:
    layout = find_game("skat").layout
    page = faces.places(deal(layout, 1, 1))
    assert page.count("<tr>") == 4
    assert page.count("class='card'") == 32
    assert page._repr_html_() == page


def test_a_picture_is_saved_as_svg(tmp_path: Path) -> None:
    picture = faces.hand(find_game("skat").layout.deck.parse("CJ"))
    picture.save(tmp_path / "hand.svg")
    assert words((tmp_path / "hand.svg").read_text()) == ["J", "J"]
    for wrong in (tmp_path / "hand.png", tmp_path / "nowhere" / "hand.svg"):
        with pytest.raises(InputError):
            picture.save(wrong)
