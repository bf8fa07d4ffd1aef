"""Proofs before the play: does a declarer who leads surely win the grand, whatever the others hold? (KBPS-26)

The paper's outlook is to decide so whether to declare a grand. Here the hands are those of a bidder by networks, and
the proof is asked of each as a grand, also of those that it declares as suit games.
"""

from __future__ import annotations

import numpy as np
from tricktake_skat.bidding.style import Style
from tricktake_skat.deals import dealt
from tricktake_skat.games import Player
from tricktake_skat.kernels import GRAND, NULL

from tricktake.search.limit import Limit
from tricktake.search.paranoia import Paranoia
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Cell, Outcome, Sheet, mean_of, share_of
from tricktake_lab.skat.causes import Played, both_ways
from tricktake_lab.skat.proven_cells import tables_of
from tricktake_lab.skat.replayed import CARDS, bid_by

SURE, UNKNOWN = 1, -1


@experiment(
    "proven.grands",
    item="KBPS-26; docs/paranoia.md",
    seed=9303,
    smoke={"deals": 24, "nodes": 20_000, "epsilons": (0.0,)},
    small={"deals": 2500},
    paper={"deals": 10_000},
)
def proven_grands(
    seed: int, deals: int, nodes: int = 300_000, epsilons: tuple[float, ...] = (0.0, 0.02), cards: str = CARDS
) -> Outcome:
    """Grands of forehand proven before the first card, by what the bidder declares, and what declaring them brings.

    nodes: of a proof. epsilons: probability of the splits a proof may leave out ((A)KBPS), 0 for none.
    """
    rows = bid_by(Player(Style()), dealt(seed, 0, deals))
    rows = rows[(rows["declarer"] == 0) & (rows["hand"] == 0) & (rows["game"] < NULL)]
    which, *ways, chances = both_ways(rows)
    policy = find_policy(cards)
    grand, suit = (Played.of(way, said, policy) for way, said in zip(ways, chances.T, strict=True))
    declared = rows["game"][which] == GRAND
    views = [table.view(0) for table in tables_of(ways[0])]
    lines: list[tuple[Cell, ...]] = []
    facts: dict[str, Cell] = {}
    for epsilon in epsilons:
        proofs = [Paranoia().prove(view, limit=Limit(nodes=nodes), epsilon=epsilon) for view in views]
        answers = np.array([UNKNOWN if proof.answer is None else int(proof.answer) for proof in proofs])
        spent = np.array([proof.nodes for proof in proofs])
        for name, some in (("grand", declared), ("suit", ~declared)):
            sure = some & (answers == SURE)
            gap = (grand.points - suit.points)[sure]
            cells = share_of(answers[some] == SURE), share_of(answers[some] == UNKNOWN), mean_of(spent[some], digits=0)
            won = share_of(grand.won[sure]), mean_of(grand.said[sure], "%")
            lines.append((name, f"{epsilon:g}", int(some.sum()), *cells, *won, mean_of(gap, digits=0)))
            facts[f"declared {name}, left out {epsilon:g}: proven"] = cells[0]
    of_proven = ("proven: won", "said", "grand less suit")
    columns = ("declared", "left out", "hands", "proven", "not answered", "nodes", *of_proven)
    return Outcome((Sheet.of(f"Forehand of {deals} deals, {nodes} nodes a proof", columns, lines),), facts)
