"""Do chances learned from games of a policy hold for games of the full player? The same contracts played by both."""

from __future__ import annotations

from itertools import takewhile

import numpy as np
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.contract import contract_of
from tricktake_skat.deck import SEATS, SKAT_PLACE
from tricktake_skat.scoring import GAMES_OF_SERIES

from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.table import Table
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.card_players import Cost, card_player, contracts_bid, play_out

POLICY = "core:policy(policy=skat:cards,then=skat:expert)"
FULL = "skat:player"


def said_of(table: Table) -> float:
    """The chance that the bidder's networks give the declarer of a table that is to play its first trick."""
    contract = contract_of(table)
    bids: tuple[int, ...] = table.facts["bids"]
    own, put = np.array([[table.places[contract.declarer]], [table.places[SKAT_PLACE]]])
    asked = np.array([contract.choice]), own, put, np.array([contract.declarer]), np.array([bids])
    return float(evaluator().judged(*asked, by_hand=contract.hand)[0, 0])


@experiment(
    "bidding.full",
    item="docs/results.md, bidding: value networks",
    seed=9131,
    smoke={"deals": 6, "full": "skat:expert"},
    small={"deals": 100},
    paper={"deals": 1600},
)
def full_games(seed: int, deals: int, full: str = FULL, policy: str = POLICY, nodes: int = 40_000) -> Outcome:
    """Deals of three bidders, all cards by the policy and all by the full player: points, what is said and is won."""
    game, limit = find_game("skat"), Limit(nodes=nodes)
    players = {name: card_player(spec, name) for name, spec in (("policy", policy), ("full", full))}
    found: list[tuple[str, float, dict[str, bool], dict[str, float]]] = []
    for number, table in takewhile(lambda each: each[0] < deals, contracts_bid("skat:bidder", seed, 0)):
        won, points = {}, {}
        for name in players:
            start = Table.replay(game, table.deal, table.events)
            score = play_out(start, [name] * SEATS, players, limit, (seed, number), Cost())
            won[name], points[name] = bool(score.won), sum(game.series_points(score)) * GAMES_OF_SERIES / SEATS
        found.append((contract_of(table).kind, said_of(table), won, points))
    scores = {name: np.zeros(deals) for name in players}
    for name, each in scores.items():
        each[: len(found)] = [points[name] for *_, points in found]
    whole = [(name, mean_of(each, digits=0)) for name, each in scores.items()]
    whole.append(("full - policy", mean_of(scores["full"] - scores["policy"], digits=0)))
    rows = []
    for kind in ("", *sorted({kind for kind, *_ in found})):
        some = [each for each in found if kind in ("", each[0])]
        wins = [[won[name] for _, _, won, _ in some] for name in players]
        more = mean_of(np.subtract(*np.array(wins[::-1], float)), "%")
        rows.append((kind or "all", len(some), mean_of([s for _, s, *_ in some], "%"), *map(share_of, wins), more))
    columns = ("contracts", "n", "said", "won, all by the policy", "won, all by the full player", "difference")
    passed = share_of(np.arange(deals) >= len(found))
    sheets = (
        Sheet.of(f"{deals} deals, {passed} passed in", ("all cards by", "points a player and 36 games"), whole),
        Sheet.of(f"{full} beside {policy}", columns, rows),
    )
    return Outcome(sheets)
