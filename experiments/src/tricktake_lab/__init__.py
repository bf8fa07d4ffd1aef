"""The laboratory of tricktake: the experiments behind shipped weights and published numbers.

The product never imports it; it reads what experiments wrote.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tricktake_lab.experiment import Experiment

MODULES: tuple[str, ...] = (
    "bridge.dds_times",
    "cluster_faults",
    "kills",
    "memory",
    "doppelkopf.strength",
    "fuzz.campaign",
    "fuzz.options",
    "kermit.bidding",
    "kermit.evaluation",
    "kermit.inference",
    "kermit.neighbours",
    "kermit.selfplay",
    "kermit.selfplay_cards",
    "kermit.table1",
    "learned",
    "limit_times",
    "loopback",
    "null.selfplay",
    "null.study",
    "partners",
    "proof_times",
    "schafkopf.partners",
    "sequential",
    "skat.announced",
    "skat.belief_bids",
    "skat.belief_played",
    "server_load",
    "server_kills",
    "skat.belief_fit",
    "skat.bidding",
    "skat.calibration_fit",
    "skat.causes",
    "skat.columns_run",
    "skat.cuts_fit",
    "skat.endings",
    "skat.equals",
    "skat.expert",
    "skat.full_games",
    "skat.card_players",
    "skat.given_away",
    "skat.luck_fit",
    "skat.openings",
    "skat.pairs",
    "skat.policy_fit",
    "skat.prior_fit",
    "skat.proven_cards",
    "skat.proven_cells",
    "skat.proven_grands",
    "skat.recorded",
    "skat.replayed",
    "skat.discard",
    "skat.discard_fit",
    "skat.numbers",
    "skat.rating_tables",
    "skat.ratings",
    "skat.rule_fit",
    "skat.schneider_fit",
    "skat.series",
    "skat.value_fit",
    "skat.value_own",
    "skat.stages",
    "skat.tables_match",
    "skat.true_worlds",
    "skat.winning",
    "solver.clock",
    "solver.early",
    "solver.exact",
    "solver.larger",
    "solver.openings",
    "solver.ordering",
    "solver.refined",
    "solver.sizes",
    "solver.tail",
    "strength",
    "valuer",
)


def experiments() -> dict[str, Experiment]:
    """All experiments by name."""
    from tricktake_lab.experiment import REGISTRY

    for module in MODULES:
        importlib.import_module(f"tricktake_lab.{module}")
    return REGISTRY
