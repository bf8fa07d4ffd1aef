"""A game as JSON: its deck, places and phases, sent once before its views; and how it ended."""

from __future__ import annotations

from typing import Any

from tricktake import html
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.errors import InputError, TricktakeError
from tricktake.game import Game, Score, find_game
from tricktake.messages.plain import plain
from tricktake.messages.reading import Node
from tricktake.search.limit import Limit

VERSION = 1  # of all messages


def deck_to_json(deck: Deck) -> dict[str, Any]:
    """Suits in the order they are shown, ranks from the weakest, and every card."""
    return {
        "suits": [{"label": label, "symbol": html.SYMBOLS.get(label, label)} for label in deck.suits],
        "ranks": list(deck.ranks),
        "copies": deck.copies,
        "rank_first": deck.rank_first,
        "extra": [{"kind": kind, "suit": suit, "rank": rank} for kind, suit, rank in deck.extra],
        "cards": [{"name": c.name, "kind": c.kind, "suit": c.suit, "rank": c.rank, "copy": c.copy} for c in deck],
    }


def deck_from_json(node: Node) -> Deck:
    """The deck of an object; ``cards`` and symbols follow from the rest. Raises InputError."""
    suits = "".join(node["suits"].several(lambda n: n["label"].text(1)))
    ranks = "".join(node["ranks"].several(lambda n: n.text(1)))
    extra = node["extra"].several(lambda n: (n["kind"].text(10), n["suit"].text(10), n["rank"].text(10)))
    try:
        return Deck(suits, ranks, node["copies"].number(1, 8), node["rank_first"].flag(), extra)
    except InputError:
        raise
    except ValueError as error:
        raise node.wrong(str(error)) from None


def layout_to_json(layout: Layout) -> dict[str, Any]:
    """The places: hands first, their names are the numbers of the seats.

    cards: how many are dealt to each place. at_play: how many lie there when the tricks begin.
    """
    seats = layout.seats
    places = [
        {"name": name, "seat": n if n < seats else None, "cards": cards, "at_play": at_play}
        for n, (name, cards, at_play) in enumerate(zip(layout.names, layout.sizes, layout.sizes_at_play, strict=True))
    ]
    return {"places": places, "aside": layout.aside, "deck": deck_to_json(layout.deck)}


def layout_from_json(node: Node) -> Layout:
    """Raises InputError."""
    deck = deck_from_json(node["deck"])
    places = list(node["places"])
    seats = sum(not place["seat"].null for place in places)
    sizes = tuple(place["cards"].number(0, len(deck)) for place in places)
    later = tuple(place["at_play"].number(0, len(deck)) for place in places)
    extra = tuple((place["name"].text(40), size) for place, size in zip(places[seats:], sizes[seats:], strict=True))
    try:
        aside = node["aside"].number(0, len(deck))
        return Layout(deck, sizes[:seats], extra, aside, later if later != sizes else ())
    except InputError:
        raise
    except ValueError as error:
        raise node.wrong(str(error)) from None


def game_to_json(game: Game) -> dict[str, Any]:
    """What somebody has to know of a game before it begins.

    spec: the name with options, by which another program of this project finds the same game. phases: what players
    decide, in this order; a strategy may be made for one ``role`` only. teams: fixed partnerships, null without.
    """
    return {
        "version": VERSION,
        "name": game.name,
        "spec": game.spec,
        "rules_version": game.version,
        "summary": game.summary,
        "seats": game.seats,
        "teams": None if game.teams is None else list(game.teams),
        "boards": game.boards,
        "series": game.series,
        "score_unit": game.score_unit,
        "kinds": list(game.kinds),
        "phases": [{"name": phase.name, "role": phase.role} for phase in game.phases],
        **layout_to_json(game.layout),
    }


def game_from_json(node: Node) -> Game:
    """The registered game of a description. Raises InputError if there is none, or it has other places or cards."""
    node["version"].number(VERSION, VERSION)
    try:
        game = find_game(node["spec"].text())
    except InputError:
        raise
    except TricktakeError as error:
        raise node["spec"].wrong(str(error)) from None
    if layout_from_json(node) != game.layout:
        raise node["places"].wrong(f"this is not the {game.spec} known here: other cards or places")
    return game


def limit_to_json(limit: Limit) -> dict[str, Any]:
    """What a decision may cost; null without a bound."""
    return {"seconds": limit.seconds, "nodes": limit.nodes, "worlds": limit.worlds}


def limit_from_json(node: Node) -> Limit:
    """Bounds that are absent or null do not exist. Raises InputError."""
    seconds, nodes, worlds = (node.get(key) for key in ("seconds", "nodes", "worlds"))
    return Limit(
        None if seconds.null else seconds.real(1e-6, 1e9),
        None if nodes.null else nodes.number(1),
        None if worlds.null else worlds.number(1),
    )


def score_to_json(score: Score) -> dict[str, Any]:
    """How a game ended: points of each seat, and for games with a declarer whether his side won."""
    detail = {key: plain(value) for key, value in score.detail.items()}
    return {"points": list(score.points), "won": score.won, "value": score.value, "detail": detail}


def score_from_json(node: Node) -> Score:
    """Raises InputError."""
    won, value = node["won"], node["value"]
    return Score(
        node["points"].several(Node.number),
        None if won.null else won.flag(),
        None if value.null else value.number(),
        {key: member.value for key, member in node["detail"].members().items()},
    )
