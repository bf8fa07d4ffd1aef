"""What it is worth to bid, pass cards and call by tried games instead of rules of thumb or at random."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tricktake.game import find_game
from tricktake.policy.practice import with_cards
from tricktake.strategies.player import game_roles
from tricktake.tournament.config import from_mapping
from tricktake.tournament.report import report
from tricktake.tournament.run import run
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Estimate, Outcome, Sheet

# the game, and the deals of the published run; blind nil is left out: it is bid without a look at the cards
GAMES = {"spades(blind=false)": 25, "oh_hell": 194, "schafkopf": 69, "doppelkopf": 244, "hearts": 58, "bridge": 20}
CARDS = "core:manners"
# A the valuer, B the other: every player holds the cards of both halves of the table
SEATINGS = {4: (("ABAB", "BABA"), ("ACAC", "CACA")), 3: (("ABB", "BAB", "BBA"), ("ACC", "CAC", "CCA"))}


def choosing(spec: str, choices: str, cards: str = CARDS) -> str:
    """A player that makes all choices before the tricks by one strategy and plays the cards by another."""
    roles = [role for role in game_roles(find_game(spec)) if role != "play"]
    return ",".join([*(f"{role}={choices}" for role in roles), f"play={cards}"])


@experiment(
    "valuer.bidders",
    "docs/strategies.md, core:valuer",
    20261123,
    smoke={"games": ("oh_hell",), "deals": 2, "valuer": "core:valuer(worlds=8)"},
    small={"games": tuple(GAMES), "deals": 20},
    paper={"games": tuple(GAMES), "deals": 0},
)
def bidders(
    seed: int,
    games: tuple[str, ...],
    deals: int,
    valuer: str = "core:valuer",
    cards: str = CARDS,
    against: tuple[str, ...] = ("own", "random"),
    jobs: int = 1,
) -> Outcome:
    """``core:valuer`` against each game's own bidder and against random choices, whole games, cards by ``cards``.

    Every deal is played by both halves of the table. deals: 0 for as many as each game needs.
    against: which of the two.
    """
    rows = []
    for spec in games:
        game = find_game(spec)
        others = {"own": with_cards(game, cards), "random": choosing(spec, "core:random", cards)}
        players = (("valuer", choosing(spec, valuer, cards)), *((name, others[name]) for name in against))
        data = {
            "game": spec,
            "deals": deals or GAMES[spec],
            "seed": seed,
            "seatings": [row for pair in SEATINGS[game.seats][: len(against)] for row in pair],
            "player": [{"name": name, "spec": text} for name, text in players],
        }
        config = from_mapping(data)[0]
        with tempfile.TemporaryDirectory() as folder:
            found = report(config, run(config, Path(folder) / "games.jsonl", jobs).values())
        for difference in found.table.differences():
            e = difference.estimate
            text = Estimate(e.mean, float("nan") if e.error is None else e.error, e.clusters, digits=2)
            names = (config.names[difference.first], config.names[difference.second])
            rows.append((spec, *names, found.unit, e.clusters, text))
    columns = ("game", "first", "second", "unit", "deals", "first - second")
    return Outcome((Sheet.of("Points a seat and game", columns, rows),))
