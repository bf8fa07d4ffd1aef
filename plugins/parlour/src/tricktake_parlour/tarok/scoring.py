"""What a game of Slovenian Tarok scores."""

from __future__ import annotations

from typing import Any

from tricktake.cards import bits
from tricktake.game import Score
from tricktake.table import Table
from tricktake_parlour.tarok.cards import DECK, KINGS, MOND, PAGAT, SKIS, TALON, TRULA, card_points
from tricktake_parlour.tarok.contract import BEGGARS, VALATS, VALUES, Contract

ALL_TRICKS, MOND_LOST, ULTIMO_KING, ULTIMO_PAGAT, SET_BONUS = 250, 20, 10, 25, 10


def score(table: Table) -> Score:
    """value: card points of the declarer's side. detail: ``parts`` of the score, ``mond``: who loses 20 for it."""
    contract, play = table.contract, table.tricks
    assert isinstance(contract, Contract)
    assert play is not None
    piles = [0] * table.seats  # the cards each seat has taken
    for number, trick in enumerate(play.tricks):
        assert trick is not None
        piles[trick.winner] |= sum(1 << card for card in trick.cards)
        if contract.kind == "klop" and number < len(TALON):
            piles[trick.winner] |= table.deal.place_mask(TALON[number])
    points, mond = [0] * table.seats, mond_loser(table)
    worth, won, value, found = VALUES[contract.kind][0], None, None, {}
    if contract.kind == "klop":
        points = klop_points([card_points(pile) for pile in piles])
    else:
        declarer = contract.declarer
        side = play.rules.side_mask(declarer)
        ours, theirs = (sum(p for s, p in enumerate(piles) if (side >> s & 1) == own) for own in (1, 0))
        ours |= sum(table.places[table.place_index(name)] for name in contract.taken)
        if king_brings_talon(table):
            ours |= sum(table.places[table.place_index(name)] for name in TALON)
        value, tricks = card_points(ours), sum(play.won[s] for s in bits(side))
        won = value > 35
        if contract.taken:
            found = parts(contract, table.seats, ours, theirs, value, play.tricks[-1], side, tricks)
            total = sum(found.values())
        else:
            won = tricks == 0 if contract.kind in BEGGARS else won
            won = tricks == 48 // table.seats if contract.kind in VALATS else won
            total = worth if won else -worth
        points = [total * (side >> seat & 1 if contract.taken else seat == declarer) for seat in range(table.seats)]
    if mond is not None:
        points[mond] -= MOND_LOST
    return Score(tuple(points), won, value, {"parts": found, "mond": mond})


def parts(
    contract: Contract, seats: int, ours: int, theirs: int, value: int, last: Any, side: int, tricks: int
) -> dict[str, int]:
    """What the score of a contract with talon is made of."""
    if tricks in (0, 48 // seats):
        return {"valat": ALL_TRICKS if tricks else -ALL_TRICKS}
    found = {"difference": value - 35, "contract": VALUES[contract.kind][0] * (1 if value > 35 else -1)}
    for name, cards in (("kings", KINGS), ("trula", TRULA)):
        found[name] = SET_BONUS * ((ours & cards == cards) - (theirs & cards == cards))
    played, sign = sum(1 << card for card in last.cards), 1 if side >> last.winner & 1 else -1
    king = DECK.card(contract.king).mask if contract.king else 0
    found["ultimo"] = sign * (ULTIMO_KING if played & king else ULTIMO_PAGAT if played & PAGAT else 0)
    return found


def king_brings_talon(table: Table) -> bool:
    """Whether the declarer found the called king in the talon, took it and won a trick with it: all is his then."""
    contract, play = table.contract, table.tricks
    assert isinstance(contract, Contract)
    assert play is not None
    king = DECK.card(contract.king).mask if contract.king else 0
    if not any(table.deal.place_mask(name) & king for name in contract.taken):
        return False
    return any(1 << t.cards[(t.winner - t.leader) % table.seats] == king for t in play.tricks if t)


def mond_loser(table: Table) -> int | None:
    """Who loses 20 for the mond: left in the talon, or taken by the skis, in contracts with talon and in solo."""
    contract, play = table.contract, table.tricks
    assert isinstance(contract, Contract)
    assert play is not None
    loser = None
    if contract.packets:
        rest = sum(table.deal.place_mask(name) for name in TALON if name not in contract.taken)
        loser = contract.declarer if rest & MOND and not king_brings_talon(table) else None
    elif contract.kind != "solo":
        return None
    for trick in play.tricks:
        assert trick is not None
        cards = [1 << card for card in trick.cards]
        if MOND in cards and SKIS in cards:
            loser = (trick.leader + cards.index(MOND)) % table.seats
    return loser


def klop_points(piles: list[int]) -> list[int]:
    """The scores of klop by the card points of each seat."""
    worth = VALUES["klop"][0]
    ends = [-worth if pile > 35 else worth if pile == 0 else 0 for pile in piles]
    return ends if any(ends) else [-pile for pile in piles]
