"""What the bids tell: the auction by the networks that bid, beside the rule player's evaluation in ``skat:belief``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from tricktake_skat.contract import contract_of
from tricktake_skat.deals import dealt
from tricktake_skat.deck import LAYOUT, SEATS
from tricktake_skat.games import Player as Bids
from tricktake_skat.games import bid_rows, rows_of_deals
from tricktake_skat.kernels import belief as kernel
from tricktake_skat.policy_rows import play_by
from tricktake_skat.strategies import belief
from tricktake_skat.strategies.belief_bids import likelihood, offers

from tricktake.deal import Deal
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.strategies.policy import find_policy
from tricktake.table import Table
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of
from tricktake_lab.skat.belief_fit import SKAT_GAME, Array, cell, fit, gain, moments, tssr
from tricktake_lab.skat.card_players import Cost, card_player, contracts_bid, play_out, role_gain
from tricktake_lab.skat.full_games import POLICY

SCALES = (5.0, 10.0, 20.0, 40.0)  # points in which a bid is likelier or less likely by a unit of log odds
BIDDER, CARDS = "bid=skat:bidder,exchange=skat:bidder", "skat:cards"
WORLDS = 100
POWERS = (0.5, 1.0, 1.5, 2.0, 3.0)
VALUES = "skat:values"
AUCTION = belief.SOURCES.index("auction")


def bid_by_networks(seed: int, first: int, n: int) -> Iterator[tuple[Table, list[int]]]:
    """Tables at the first trick and the cards played of n deals, bid by networks and played by the policy."""
    rows = rows_of_deals(dealt(seed, first, n))
    bid_rows([Bids()], rows, np.zeros((n, SEATS), np.int64))
    play_by(find_policy(CARDS), rows)
    player, rng = Player.from_spec(BIDDER), np.random.default_rng(0)
    for row in rows[rows["declarer"] >= 0]:
        table = Table.start(SKAT_GAME, Deal(LAYOUT, tuple(row["deal"].tolist())))
        while table.tricks is None:
            assert table.actor is not None
            table.apply(player.decide(table.view(table.actor), Limit(), rng).action)
        yield table, [c for c in row["cards"].tolist() if c >= 0]


def collect(seed: int, first: int, n: int) -> dict[tuple[str, str], Array]:
    """Evidence of the belief, and behind it of the networks by scale: (moments, 1 + worlds, sources + scales)."""
    rng, model = np.random.default_rng([seed, first]), belief.SkatBelief()
    found: dict[tuple[str, str], list[Array]] = {}
    for view, rows, _ in moments(bid_by_networks(seed, first, n), rng, WORLDS):
        evidence = [model.evidence(view, rows)]
        margins = offers(view, rows, belief.bounds(view), VALUES)
        evidence += [likelihood(*margins, scale)[:, None] for scale in SCALES]
        found.setdefault(cell(view), []).append(np.maximum(np.hstack(evidence), -kernel.HARD))
    return {key: np.array(parts) for key, parts in found.items()}


@experiment(
    "belief.bids",
    item="NETWORK_TEMPER in strategies/belief.py",
    seed=9171,
    smoke={"deals": 12},
    small={"deals": 400},
    paper={"deals": 4000},
)
def bids(seed: int, deals: int) -> Outcome:
    """TSSR of the belief on games bid by networks, by how the auction is read.

    Without it, with the rule player's evaluation of hands, with that of the networks, and with all powers fitted to
    such games. One half of the deals is fitted to, the other judged.
    """
    half = deals // 2
    learned, judged = collect(seed, 0, half), collect(seed, half, deals - half)
    rows, fitted = [], []
    for key in sorted(judged.keys() & learned.keys()):
        power = np.array(belief.TEMPER[key])
        tried = [(k, _with(learned[key], k), _powers(power, p)) for k in range(len(SCALES)) for p in POWERS]
        scale, _, chosen = max(tried, key=lambda each: float(gain(each[1], each[2]).mean()))
        anew = fit(_with(learned[key], SCALES.index(belief.NETWORK_SCALE)))
        usual, networks = judged[key][:, :, : len(belief.SOURCES)], _with(judged[key], scale)
        logs = [gain(usual, _powers(power, 0.0)), gain(usual, power), gain(networks, chosen)]
        logs.append(gain(_with(judged[key], SCALES.index(belief.NETWORK_SCALE)), anew))
        more = [mean_of(each - logs[1], digits=3) for each in logs[2:]]
        rows.append((*key, len(usual), *(tssr(each) for each in logs), *more))
        fitted.append((*key, len(learned[key]), SCALES[scale], chosen[AUCTION], *np.round(anew, 2).tolist()))
    columns = ("kind", "role", "moments", "no auction", "rule player's", "networks'", "all powers anew")
    first = Sheet.of("TSSR by who is thought to have bid", (*columns, "log ratio", "log ratio anew"), rows)
    names = ("kind", "role", "moments", "scale", "power", *belief.SOURCES)
    return Outcome((first, Sheet.of("Scale and power of the networks; all powers anew", names, fitted)))


def _powers(power: Array, auction: float) -> Array:
    """The powers with another one for the auction."""
    return np.where(np.arange(len(power)) == AUCTION, auction, power)


def _with(x: Array, scale: int) -> Array:
    """Evidence with the networks' auction, by the number of its scale."""
    out = x[:, :, : len(belief.SOURCES)].copy()
    out[:, :, AUCTION] = x[:, :, len(belief.SOURCES) + scale]
    return out


BELIEFS = ("skat:belief", f"skat:belief(bids={VALUES})")
PLAYER = "skat:quick(belief={belief})"
ROLES = ("declarer", "defenders")


def gained(table: Table, one: Player, other: Player, role: str, limit: Limit, key: tuple[int, int]) -> float:
    """What the declarer gains on each defender in Seeger points, with the sign of the role that ``one`` plays."""
    declarer = contract_of(table).declarer
    names = ["one" if (seat == declarer) == (role == "declarer") else "other" for seat in range(SEATS)]
    play_out(table, names, {"one": one, "other": other}, limit, key, Cost())
    return role_gain(table, role)


@experiment(
    "belief.points",
    item="docs/results.md, what the bids of networks tell",
    seed=9173,
    smoke={"contracts": 2},
    small={"contracts": 60},
    paper={"contracts": 1000},
)
def belief_points(
    seed: int, contracts: int, first: int = 0, beliefs: tuple[str, ...] = BELIEFS,
    player: str = PLAYER, other: str = POLICY, bidder: str = "skat:bidder", nodes: int = 40_000,
) -> Outcome:  # fmt: skip
    """Points by the belief of one role's player, over the first belief: contracts of our bidder, same random numbers.

    player: its spec, with ``{belief}``. other: plays the other role. first: number of the first deal.
    """
    limit, against = Limit(nodes=nodes) if nodes else Limit(), card_player(other, "other")
    players = [card_player(player.format(belief=name), "one") for name in beliefs]
    found: dict[tuple[str, str], list[list[float]]] = {}
    for number, table in islice(contracts_bid(bidder, seed, first), contracts):
        kind = contract_of(table).kind
        for role in ROLES:
            copies = [Table.replay(SKAT_GAME, table.deal, table.events) for _ in players]
            gains = [
                gained(copy, one, against, role, limit, (seed, number))
                for copy, one in zip(copies, players, strict=True)
            ]
            for name in ("all", kind):
                found.setdefault((role, name), []).append(gains)
    rows = []
    for (role, kind), lines in sorted(found.items()):
        points = np.array(lines)
        for name, gains in zip(beliefs, points.T, strict=True):
            more = mean_of(gains - points[:, 0], digits=1)
            rows.append((role, kind, name, len(gains), mean_of(gains > 0, "%"), more))
    columns = ("role", "contracts", "belief", "n", "won", "points a game over the first")
    return Outcome((Sheet.of(f"{player} against {other}", columns, rows),))
