"""A view as JSON: what one seat may see, for an engine in any language, and read back exactly for our own."""

from __future__ import annotations

from typing import Any

from tricktake.condition import Condition
from tricktake.game import Contract, Game
from tricktake.messages.actions import Naming
from tricktake.messages.game import VERSION
from tricktake.messages.plain import plain
from tricktake.messages.reading import Node
from tricktake.messages.rules import aim_from_json, aim_to_json, rules_from_json, rules_to_json
from tricktake.standings import Standings
from tricktake.trick import Trick
from tricktake.view import View

MAX_SIZE = 128  # cards of a place
MAX_SCORE = 1e9  # of a series


def view_to_json(view: View) -> dict[str, Any]:
    """Everything a view holds, and nothing else; ``view_from_json`` is its inverse. docs/engine-protocol.md lists the
    keys; all of them are always there.
    """
    naming = Naming(view.layout)
    names, seats = view.layout.names, range(view.layout.seats)
    return {
        "version": VERSION,
        "game": view.game,
        "board": view.board,
        "seat": view.seat,
        "turn": None if view.turn < 0 else view.turn,
        "to_decide": view.to_decide,
        "decides": [seat for seat in seats if view.decides >> seat & 1],
        "phase": view.phase,
        "role": view.role,
        "hand": naming.cards(view.hand_mask),
        "known": {name: naming.cards(mask) for name, mask in zip(names, view.known, strict=True)},
        "sizes": dict(zip(names, view.sizes, strict=True)),
        "gone": naming.cards(view.gone),
        "picked_up": naming.cards(view.picked_up),
        "events": [naming.event(event) for event in view.events],
        "contract": None if view.contract is None else contract_to_json(view.contract),
        "rules": None if view.rules is None else rules_to_json(view.rules, view.layout),
        "leader": None if view.leader < 0 else view.leader,
        "table": [view.layout.deck[card].name for card in view.table],
        "tricks": [_trick_to_json(trick, naming) for trick in view.tricks],
        "taken": list(view.taken),
        "broken": view.broken,
        "released": view.released,
        "legal": [naming.action(action) for action in view.legal],
        "interruptions": [naming.action(action) for action in view.interruptions],
        "aims": [aim_to_json(aim) for aim in view.aims],
        "excluded": {names[place]: naming.cards(mask) for place, mask in view.excluded},
        "promised": [
            {
                "place": names[said.place],
                "cards": naming.cards(said.mask),
                "least": said.least,
                "unless": naming.cards(said.unless),
            }
            for said in view.promised
        ],
        "standings": _standings_to_json(view.standings),
    }


def view_from_json(node: Node, game: Game) -> View:
    """The view of an object of ``view_to_json``. Raises InputError naming the field that is wrong."""
    node["version"].number(VERSION, VERSION)
    layout = game.layout
    naming = Naming(layout)
    if node["game"].text() != game.name:
        raise node["game"].wrong(f"is {node['game'].value!r}, but the game is {game.name}")
    seats = layout.seats

    known, sizes = node["known"], node["sizes"]
    hand = naming.read_cards(node["hand"])
    seat = naming.read_seat(node["seat"])
    masks = tuple(naming.read_cards(known[name]) for name in layout.names)
    if masks[seat] != hand:
        raise node["hand"].wrong(f"is not what known.{seat} says")
    decides = 0
    for entry in node["decides"]:
        decides |= 1 << naming.read_seat(entry)
    contract, rules = node["contract"], node["rules"]
    excluded = node["excluded"].members()
    return View(
        game=game.name,
        board=node["board"].number(0),
        seat=seat,
        turn=naming.read_seat_or_none(node["turn"]),
        to_decide=node["to_decide"].flag(),
        phase=node["phase"].text(),
        role=node["role"].text(),
        layout=layout,
        known=masks,
        sizes=tuple(sizes[name].number(0, MAX_SIZE) for name in layout.names),
        gone=naming.read_cards(node["gone"]),
        events=node["events"].several(naming.read_event),
        contract=None if contract.null else contract_from_json(contract, game),
        rules=None if rules.null else rules_from_json(rules, naming),
        leader=naming.read_seat_or_none(node["leader"]),
        table=node["table"].several(naming.read_card),
        tricks=node["tricks"].several(lambda entry: _trick_from_json(entry, naming)),
        taken=node["taken"].several(Node.number, seats),
        broken=node["broken"].flag(),
        legal=node["legal"].several(naming.read_action),
        interruptions=node["interruptions"].several(naming.read_action),
        decides=decides,
        aims=node["aims"].several(aim_from_json),
        released=node["released"].flag(),
        excluded=tuple((naming.read_place(cards, name), naming.read_cards(cards)) for name, cards in excluded.items()),
        picked_up=naming.read_cards(node["picked_up"]),
        promised=node["promised"].several(
            lambda entry: Condition(
                naming.read_place(entry["place"]),
                naming.read_cards(entry["cards"]),
                entry["least"].number(1, MAX_SIZE),
                naming.read_cards(entry["unless"]),
            )
        ),
        standings=_standings_from_json(node.get("standings"), seats),
    )


def _standings_to_json(standings: Standings | None) -> dict[str, Any] | None:
    return None if standings is None else {"scores": list(standings.scores), "left": standings.left}


def _standings_from_json(node: Node, seats: int) -> Standings | None:
    if node.null:
        return None
    scores = node["scores"].several(lambda entry: entry.real(-MAX_SCORE, MAX_SCORE), seats)
    return Standings(scores, node["left"].number(1))


def contract_to_json(contract: Contract) -> dict[str, Any]:
    """Its text, which says everything, kind and declarer (null without one), and the fields the game gives it."""
    fields = plain(contract)
    return {
        "text": str(contract),
        "kind": contract.kind,
        "declarer": None if contract.declarer < 0 else contract.declarer,
        "fields": fields if isinstance(fields, dict) else {},
    }


def contract_from_json(node: Node, game: Game) -> Contract:
    """The contract of ``text``. Raises InputError."""
    text = node["text"].text()
    try:
        return game.contract(text)
    except ValueError as error:
        raise node["text"].wrong(str(error)) from None


def _trick_to_json(trick: Trick, naming: Naming) -> dict[str, Any]:
    cards = [naming.deck[card].name for card in trick.cards]
    return {"leader": trick.leader, "cards": cards, "winner": trick.winner, "cost": trick.cost}


def _trick_from_json(node: Node, naming: Naming) -> Trick:
    return Trick(
        naming.read_seat(node["leader"]),
        node["cards"].several(naming.read_card),
        naming.read_seat(node["winner"]),
        node["cost"].number(),
    )
