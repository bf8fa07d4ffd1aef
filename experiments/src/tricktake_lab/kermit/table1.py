"""Kermit's Table 1 (KERMIT-20, 21): what inference is worth to the cards, and whole games against other programs.

Card play: contracts bid and discarded by Kermit's bidder, each played twice with the roles swapped. Full game: a deal
six times, ABB to ABA and BAA. XSkat seats nobody but itself and people, so the rule player stands in for it. KNNDDSS is
``kermit:knn`` with the cards of NI, PIMC without inference.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from attrs import frozen
from tricktake_skat.deck import SEATS
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of
from tricktake_lab.skat.card_players import Cost, Played, duel, play_out

BIDDER = "kermit:bidder"
BIDDERS = {"KNN": "kermit:knn"}  # of whole games, of all others it is BIDDER
FULL = "skat:player"
SEATINGS = ("ABB", "BAB", "BBA", "AAB", "ABA", "BAA")


@frozen
class Row:
    """A row of the paper's table: two players by name, and the points of each there."""

    one: str
    other: str
    printed: tuple[int, int] | None


CARDS = (
    Row("SD", "NI", (996, 779)),
    Row("SD", "S", (986, 801)),
    Row("SD", "D", (861, 820)),
    Row("SD", "rule", (1201, 519)),
    Row("SD", "belief", None),
    Row("SD", "player", None),
)
GAMES = (Row("SD", "rule", (1188, 629)), Row("NI", "rule", (1225, 674)), Row("SD", "KNN", (1031, 501)))
SWITCHES = {"SD": (True, True), "S": (True, False), "D": (False, True), "NI": (False, False)}


def cards_of(name: str, worlds: int, options: str) -> str:
    """The strategy that plays the cards of a player of the table."""
    if name in SWITCHES:
        declarer, defender = (str(on).lower() for on in SWITCHES[name])
        belief = f"kermit:belief(declarer={declarer},defender={defender})" if name != "NI" else "none"
        return f"core:pimc(worlds={worlds},decide=vote,belief={belief}{options})"
    belief = "skat:belief" if name == "belief" else "none"
    found = f"core:pimc(worlds={worlds},decide=vote,belief={belief}{options})"
    return {"rule": "skat:rule", "player": FULL}.get(name, found)


def points(played: Played) -> tuple[float, float]:
    """What both make a player and 36 games, each seat declaring as often: a third as declarer, two as defender."""
    mine, theirs = played.points["one"], played.points["other"]
    seat, rest = played.declarer, (played.declarer + 1) % SEATS
    factor = GAMES_OF_SERIES / SEATS
    return factor * (mine[seat] + (SEATS - 1) * theirs[rest]), factor * (theirs[seat] + (SEATS - 1) * mine[rest])


def chosen(rows: tuple[Row, ...], names: tuple[str, ...]) -> list[Row]:
    """Those of the rows that are named, "SD:NI"; all for no names."""
    return [row for row in rows if not names or f"{row.one}:{row.other}" in names]


@experiment(
    "kermit.table1",
    item="KERMIT-21, card play; docs/kermit.md",
    seed=827,
    smoke={"contracts": 1, "worlds": 2, "rows": ("SD:NI", "SD:S", "SD:D", "SD:rule"), "opening": 8},
    small={"contracts": 100, "worlds": 10},
    paper={"contracts": 800, "worlds": 40},
)
def table1(
    seed: int, contracts: int, worlds: int, rows: tuple[str, ...] = (), first: int = 0, opening: int = 0, nodes: int = 0
) -> Outcome:
    """Card play by inference: points a player and 36 games of both, on the same contracts with the roles swapped.

    opening: so many tricks are played by a policy, 0 none. nodes: of a decision, 0 without a limit. first: deal.
    """
    options = f",opening=core:policy(policy=skat:cards),tricks={opening}" if opening else ""
    lines: list[list[Cell]] = []
    for row in chosen(CARDS, rows):
        one, other = (cards_of(name, worlds, options) for name in (row.one, row.other))
        found = list(islice(duel(one, other, BIDDER, seed, first, (), nodes), contracts))
        each = np.array([points(played) for played in found])
        cost = [1000 * sum(p.seconds[name] for p in found) / (2 * len(found)) for name in ("one", "other")]
        lines.append(_line(row, len(found) * 2, each, [f"{ms:.0f}" for ms in cost]))
    return Outcome((Sheet.of(f"Card play, {worlds} worlds", _columns("ms a game"), lines),), _gains(CARDS, lines))


def _columns(what: str) -> tuple[str, ...]:
    printed = ("paper, one", "paper, other")
    return (
        "one",
        "other",
        "games",
        "points of one",
        "of the other",
        "difference",
        f"{what} of one",
        "other ",
        *printed,
    )


def _line(row: Row, games: int, each: np.ndarray, cost: list[str]) -> list[Cell]:
    means: list[Cell] = [mean_of(column, digits=0) for column in (each[:, 0], each[:, 1], each[:, 0] - each[:, 1])]
    printed: list[Cell] = list(row.printed) if row.printed else ["-", "-"]
    return [row.one, row.other, games, *means, *cost, *printed]


def _gains(rows: tuple[Row, ...], lines: list[list[Cell]]) -> dict[str, Cell]:
    """The differences by name, of rows that were not played not a number."""
    found: dict[str, Cell] = {f"{row.one} over {row.other}": mean_of([]) for row in rows}
    return found | {f"{line[0]} over {line[1]}": line[5] for line in lines}


# -- whole games ------------------------------------------------------------------------------------------------------


def player_of(name: str, worlds: int, options: str) -> str:
    """Bids, discards and cards of a player of the table."""
    if name == "rule":
        return "skat:rule"
    bidder = BIDDERS.get(name, BIDDER)
    return f"bid={bidder},exchange={bidder},play={cards_of(name, worlds, options)}"


def matched(one: str, other: str, seed: int, first: int, limit: Limit) -> Iterator[tuple[float, float, int, int]]:
    """Points a player and 36 games of both over the six seatings of each deal, and how often each declares."""
    game = find_game("skat")
    players = {"A": Player.from_spec(one, "A"), "B": Player.from_spec(other, "B")}
    number = first
    while True:
        cards = deal(game.layout, seed, number)
        scores, declared = {"A": 0.0, "B": 0.0}, {"A": 0, "B": 0}
        for seating in SEATINGS:
            table = Table.start(game, cards)
            score = play_out(table, list(seating), players, limit, (seed, number), Cost())
            series = game.series_points(score)
            for seat, name in enumerate(seating):
                scores[name] += series[seat]
            taken = table.facts.get("declarer")
            if taken is not None:
                declared[seating[taken]] += 1
        factor = GAMES_OF_SERIES / (len(SEATINGS) * SEATS / 2)
        yield factor * scores["A"], factor * scores["B"], declared["A"], declared["B"]
        number += 1


@experiment(
    "kermit.table1-games",
    item="KERMIT-21, full games; docs/kermit.md",
    seed=828,
    smoke={"deals": 1, "worlds": 2, "opening": 8},
    small={"deals": 30, "worlds": 10},
    paper={"deals": 800, "worlds": 40},
)
def whole_games(
    seed: int, deals: int, worlds: int, rows: tuple[str, ...] = (), first: int = 0, opening: int = 0, nodes: int = 0
) -> Outcome:
    """Whole games over six seatings: points a player and 36 games of both, and how often each declares."""
    options = f",opening=core:policy(policy=skat:cards),tricks={opening}" if opening else ""
    limit = Limit(nodes=nodes) if nodes else Limit()
    lines: list[list[Cell]] = []
    for row in chosen(GAMES, rows):
        one, other = (player_of(name, worlds, options) for name in (row.one, row.other))
        found = np.array(list(islice(matched(one, other, seed, first, limit), deals)))
        declared = [f"{share:.0%}" for share in found[:, 2:].sum(axis=0) / (len(SEATINGS) * len(found))]
        lines.append(_line(row, len(found) * len(SEATINGS), found[:, :2], declared))
    return Outcome((Sheet.of(f"Full games, {worlds} worlds", _columns("share declared"), lines),), _gains(GAMES, lines))
