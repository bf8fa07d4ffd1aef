"""What exact values cost soon after the start in games whose patterns need more than ranks.

Lead limits (hearts), copies (Doppelkopf with fixed partners) and overtaking (Belote), after random legal cards.
"""

from __future__ import annotations

import time

import numpy as np
from attrs import evolve, field, frozen
from tricktake_doppelkopf.contract import DoppelkopfContract
from tricktake_doppelkopf.pack import pack
from tricktake_doppelkopf.rules import play_rules
from tricktake_hearts.game import HeartsGame
from tricktake_parlour.belote.cards import trick_rules
from tricktake_parlour.pairs import PAIRS

from tricktake.game import find_game
from tricktake.rules import TrickRules
from tricktake.search.limit import Limit
from tricktake.search.opencard import Solver
from tricktake.trick import TrickState
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, mean_of


@frozen
class Start:
    """Whole deals of a game, and the side whose value is asked."""

    rules: TrickRules
    cards: int
    side: int
    leads: int = field(default=0)  # who holds one of these leads to the first trick; 0: seat 0 leads

    def dealt(self, rng: np.random.Generator) -> TrickState:
        """A random deal."""
        order = rng.permutation(len(self.rules.deck))[: self.rules.seats * self.cards]
        hands = [sum(1 << int(card) for card in hand) for hand in order.reshape(self.rules.seats, -1)]
        leader = next((seat for seat, hand in enumerate(hands) if hand & self.leads), 0)
        return TrickState(self.rules, hands, leader)

    def played(self, rng: np.random.Generator, tricks: int) -> TrickState:
        """A random deal after so many tricks of random legal cards."""
        state = self.dealt(rng)
        for _ in range(tricks * self.rules.seats):
            legal = state.legal()
            state.play(legal[int(rng.integers(len(legal)))])
        return state


def starts() -> dict[str, Start]:
    """The games by name."""
    hearts = find_game("hearts")
    assert isinstance(hearts, HeartsGame)
    limits = hearts._rules
    doppelkopf = evolve(play_rules(pack(True), DoppelkopfContract("normal"), "first"), alliance=None, teams=PAIRS)
    return {
        "hearts": Start(limits, 13, 0b0001, limits.first_lead),
        "doppelkopf": Start(doppelkopf, 12, 0b0101),
        "belote": Start(trick_rules("H"), 8, 0b0101),
    }


@experiment(
    "solver.early",
    item="docs/solver.md, early positions of other games",
    seed=16,
    smoke={"deals": 1, "nodes": 2000},
    small={"deals": 5},
    paper={"deals": 25},
)
def early(seed: int, deals: int, nodes: int = 1_000_000, tricks: tuple[int, ...] = (2, 4)) -> Outcome:
    """Exact values after some tricks of random legal cards: how many are known within so many nodes, at what cost.

    Means count positions that are not known with all their nodes. Times are of the processor.
    """
    rng, solver = np.random.default_rng(seed), Solver()
    solver.warm_up()
    rows = []
    for name, start in starts().items():
        for number in tricks:
            known, counts, took = 0, [], []
            for _ in range(deals):
                state = start.played(rng, number)
                before = time.process_time()
                found = solver.solve(state, start.side, Limit(nodes=nodes), line=False)
                took.append(1000 * (time.process_time() - before))
                counts.append(found.nodes)
                known += found.known
            costs = mean_of(counts, digits=0), mean_of(took, digits=1), float(np.median(took))
            rows.append((name, number, f"{known} of {deals}", *costs))
    columns = ("game", "tricks before", "known", "nodes", "milliseconds", "median")
    return Outcome((Sheet.of("Exact values of early positions", columns, rows),))
