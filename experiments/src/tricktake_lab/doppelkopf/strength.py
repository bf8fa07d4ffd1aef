"""How often hands win by their strength: behind the announcements of the rule player."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from tricktake_doppelkopf.phases import SIDES
from tricktake_doppelkopf.rule import solo, strength
from tricktake_doppelkopf.rules import TARGETS

from tricktake.cards import bits
from tricktake.deal import deal
from tricktake.game import find_game
from tricktake.search.limit import Limit
from tricktake.strategies.player import StrategySpec
from tricktake.table import Table
from tricktake.tournament.referee import decision_seed
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Outcome, Sheet, share_of

STEP = 3  # strengths in a row of the table


@experiment(
    "doppelkopf.strength",
    item="tricktake_doppelkopf/rule.py",
    seed=5,
    smoke={"deals": 2, "part": "core:random"},
    small={"deals": 60},
    paper={"deals": 300},
)
def by_strength(seed: int, deals: int, part: str = "core:playout(worlds=6,games=1)") -> Outcome:
    """Normal games of two against two without announcements: how often the side of a hand wins, and gets 151 eyes."""
    game = find_game("doppelkopf")
    bidder, cards = StrategySpec.from_text("doppelkopf:rule").make(), StrategySpec.from_text(part).make()
    won, far = defaultdict(list), defaultdict(list)
    solos = 0
    for number in range(deals):
        table = Table.start(game, deal(game.layout, seed, number))
        while (turn := table.turn) is not None:
            view = table.view(turn)
            rng = np.random.default_rng(decision_seed(seed, str(number), turn, len(table.events)))
            table.apply((cards if view.role == "play" else bidder).decide(view, Limit(), rng).action)
        hands = [[game.layout.deck[c].kind for c in bits(mask)] for mask in table.deal.masks]
        solos += any(solo(hand) is not None for hand in hands)
        found = table.score().detail
        if str(table.contract) != "normal" or len(found["re"]) != 2:
            continue
        for seat, hand in enumerate(hands):
            side = int(seat not in found["re"])
            row = strength(hand) // STEP * STEP
            won[row].append(found["winner"] == SIDES[side])
            far[row].append(found["eyes"][side] >= TARGETS[1])
    rows = [
        (f"{row} to {row + STEP - 1}", len(won[row]), share_of(won[row]), share_of(far[row])) for row in sorted(won)
    ]
    sheet = Sheet.of("Hands by strength", ("strength", "hands", "win", "get 151 eyes"), rows or [("none", 0, 0, 0)])
    return Outcome((sheet,), {"deals with a solo": solos})
