"""The experiment behind ``policies/cards.policy``: the card players of Skat, learned from nothing in stages.

A stage is so many games of self-play on positions of its own seed, with rates that fall from its beginning to its end;
the next one goes on from its networks. The first stages practise contracts of rule players alone, the later ones those
of bidders too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
from attrs import frozen
from tricktake_skat.games import RULE_PLAYER, Player
from tricktake_skat.plugin import POLICIES
from tricktake_skat.policy_match import match
from tricktake_skat.practice import BIDDERS, SkatPractice, bid
from tricktake_skat.strategies.expert import Expert

from tricktake.game import find_game
from tricktake.policy.policy import Family, Policy
from tricktake.policy.policyfile import load, save
from tricktake.policy.train import Settings, Task, learn
from tricktake_lab.experiment import experiment, learned, shipped_path
from tricktake_lab.outcome import Estimate, Outcome, Sheet, mean_of

FILE = POLICIES / "cards.policy"
TESTED = 1_000_000  # contracts that measure are of a seed so much higher
EVEN = 0.25  # docs/policies.md, what sped up learning
TITLE = "Points of the policy over others, a player and 36 games"


@frozen
class Stage:
    """games: of self-play. positions: practised. rates, entropies: from the beginning to the end. players: who bids.
    seed: added to that of the experiment. even: of ``Settings``.
    """

    games: int
    positions: int
    rates: tuple[float, float]
    entropies: tuple[float, float]
    players: tuple[Player, ...] = BIDDERS
    seed: int = 0
    even: float = EVEN


RULE = (RULE_PLAYER,)
MIXED = (RULE_PLAYER,) * 9 + (Player(),)  # a bidder thinks 50 times as long as a rule player
FAST, SLOW, END = 1e-3, 6e-4, 3e-5  # rates
WIDE, NARROW, SHARP = 0.02, 0.006, 0.002  # entropies
# So many positions that each is played 10 to 25 times: with 40 times the policy was 38 +- 12 points better on those it
# had learned from than on fresh ones (suit, 30,000 contracts of seeds 2 and 12345).
STAGES: dict[str, tuple[Stage, ...]] = {
    "suit": (
        Stage(3_500_000, 300_000, (FAST, SLOW), (WIDE, NARROW), RULE),
        Stage(5_000_000, 250_000, (SLOW, END), (NARROW, SHARP), MIXED, seed=1),
    ),
    "grand": (
        Stage(1_500_000, 150_000, (FAST, SLOW), (WIDE, NARROW), RULE),
        Stage(4_000_000, 200_000, (SLOW, END), (NARROW, SHARP), MIXED, seed=1),
    ),
    "null": (
        Stage(500_000, 50_000, (FAST, SLOW), (WIDE, NARROW), RULE),
        Stage(1_200_000, 60_000, (SLOW, END), (NARROW, SHARP), RULE, seed=1),
    ),
    "null-ouvert": (
        Stage(300_000, 25_000, (FAST, SLOW), (WIDE, NARROW), RULE),
        Stage(600_000, 25_000, (SLOW, END), (NARROW, SHARP), RULE, seed=1),
    ),
}


def _report(line: str) -> None:
    click.echo(line, err=True)


def fit(
    family: str, seed: int, folder: Path, games: int | None = None, positions: int | None = None
) -> tuple[Family, dict[str, object]]:
    """Learn a family in its stages; it and what is to be said of how it was made. folder: where finished stages and the
    checkpoint of the one at work are kept, and taken up.
    """
    found: Family | None = None
    played, seconds = 0.0, 0.0
    for number, stage in enumerate(STAGES[family]):
        done = folder / f"{family}-{number}.policy"
        if not done.is_file():
            settings = Settings(
                rate=stage.rates[0],
                last_rate=stage.rates[1],
                entropy=stage.entropies[0],
                last_entropy=stage.entropies[1],
                even=stage.even,
            )
            task = Task(
                "skat", family, "", seed + stage.seed, positions or stage.positions, settings, found, None,
                games or stage.games, folder / f"{family}.checkpoint",
            )  # fmt: skip
            result = learn(task, _report, SkatPractice(find_game("skat"), "", stage.players))
            save(Policy("skat", {family: result.family}, dict(result.made)), done)
            task.checkpoint.unlink(missing_ok=True)
        policy = load(done)
        found = policy.families[family]
        played, seconds = played + float(policy.made["games"]), seconds + float(policy.made["seconds"])
    assert found is not None
    return found, {"seed": seed, "stages": len(STAGES[family]), "games": played, "seconds": round(seconds)}


def measured(nets: Mapping[str, Family], seed: int, deals: int) -> list[tuple[str | int | Estimate, ...]]:
    """A row for each bidder and family, and for all its contracts together: points over the expert and the rule player,
    a player and 36 games, every contract played twice with the roles swapped.
    """
    rows: list[tuple[str | int | Estimate, ...]] = []
    for name, player in (("skat:rule", RULE_PLAYER), ("skat:bidder", Player())):
        given = {family: found for family, found in bid(seed, 0, deals, player).items() if family in nets}
        others = (Expert(), None)
        points = {
            family: [match(nets[family], found, other).each() for other in others]
            for family, found in given.items()
            if len(found)
        }
        if len(points) > 1:
            points["all"] = [np.concatenate([each[k] for each in points.values()]) for k in range(len(others))]
        for family, each in points.items():
            rows.append((name, family, len(each[0]), *(mean_of(x, digits=0) for x in each)))
    return rows


@experiment(
    "policy.cards",
    item="policies/cards.policy",
    seed=1,
    smoke={"families": ("null",), "games": 100, "positions": 50, "tested": 400},
    small={"families": ("null",), "games": 100_000, "positions": 5000, "tested": 20_000},
    paper={"families": tuple(STAGES), "tested": 20_000},
)
def cards(
    seed: int,
    families: tuple[str, ...],
    tested: int,
    games: int | None = None,
    positions: int | None = None,
    folder: str = "",
) -> Outcome:
    """Learns to play cards from nothing, family by family, and plays against the expert and the rule player.

    tested: deals whose contracts are played, roles swapped. games, positions: instead of those of the stages. folder:
    where finished stages and a checkpoint are kept for going on; "" for nowhere.
    """
    nets, made = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in families:
            nets[name], made[name] = fit(name, seed, Path(folder or scratch), games, positions)
        file = Path(scratch) / FILE.name
        save(Policy("skat", nets, {"learned": learned("policy.cards", seed), **made}), file)
        content = file.read_bytes()
    rows = measured(nets, seed + TESTED, tested)
    sheet = Sheet.of(TITLE, ("bid by", "family", "contracts", "over skat:expert", "over skat:rule"), rows)
    return Outcome((sheet,), ships={shipped_path(FILE): content})
