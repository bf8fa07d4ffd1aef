"""Card players learned from nothing in games that are not Skat: trained by ``tricktake train``'s loop, and judged."""

from __future__ import annotations

import tempfile
from pathlib import Path

from attrs import evolve, frozen

from tricktake.cli.common import log
from tricktake.game import find_game
from tricktake.policy.chart import learning_curves
from tricktake.policy.policy import Policy
from tricktake.policy.policyfile import save
from tricktake.policy.practice import practice_for
from tricktake.policy.train import Point, Settings, Task, learn
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment
from tricktake_lab.outcome import Z95, Outcome, Sheet, mean_of
from tricktake_lab.strength import GAMES, errors, match

MANNERS = "core:manners"
MORE = 4.0
POSITIONS = 5000  # each played twice against a plain player
SIMPLE = {game: (simple, tricks) for game, simple, tricks, _ in GAMES}
SIMPLE |= {"oh_pshaw": (MANNERS, 2), "secret_ace": (MANNERS, 3)}  # the games of the tutorial


@frozen
class Plan:
    """What is learned for a game: families, games of self-play of each, positions it has, deals that judge it."""

    families: tuple[str, ...]
    games: int
    positions: int
    deals: int

    def longer(self, times: float) -> Plan:
        """More games, of more positions."""
        return evolve(self, games=round(self.games * times), positions=round(self.positions * min(MORE, times)))


PLANS = {
    "bridge": Plan(("suit", "notrump"), 150_000, 10_000, 120),
    "doppelkopf": Plan(("normal",), 400_000, 8_000, 150),
    "hearts": Plan(("play",), 250_000, 12_000, 200),
    "oh_pshaw": Plan(("bids",), 600_000, 20_000, 400),
    "secret_ace": Plan(("call",), 400_000, 10_000, 150),
    "spades": Plan(("bids",), 250_000, 12_000, 200),
}


@experiment(
    "games.learned",
    item="docs/results.md, learned players in other games",
    seed=20261122,
    smoke={"games": ("bridge",), "share": 0.01, "pimc": "core:pimc(worlds=1,opening=core:manners)"},
    small={"share": 0.1},
    paper={},
)
def learned(
    seed: int,
    games: tuple[str, ...] = ("bridge", "doppelkopf", "hearts", "spades"),
    share: float = 1.0,
    longer: float = 1.0,
    pimc: str = "core:pimc(worlds=20,opening=core:playout(worlds=15,games=2),tricks={tricks})",
    rollouts: int = 0,
    keep: str = "",
    jobs: int = 1,
) -> Outcome:
    """Learn a policy from zero in each game, and let it play against the simple player and PIMC.

    share: of the games of self-play and of the deals. longer: so many times the games of self-play, and up to
    ``MORE`` times the positions. keep: folder for policies and learning curves; policies that lie
    there are judged and not learned again. pimc: as in ``games.strength``. rollouts: ``core:rollouts`` of the policy
    with so many worlds plays against PIMC, too. Training is of the seed, all that judges of the
    next one: beside the deals, positions played by kernels against random play and simple manners, in units of
    what is learned. The oh_pshaw and secret_ace of the tutorial need ``TRICKTAKE_PLUGINS``.
    """
    rows: list[tuple[object, ...]] = []
    made: list[tuple[object, ...]] = []
    gained: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as nowhere:
        folder = Path(keep or nowhere)
        folder.mkdir(parents=True, exist_ok=True)
        for spec in games:
            game = find_game(spec)
            plan, (simple, tricks) = PLANS[game.name].longer(longer), SIMPLE[game.name]
            file = folder / f"{game.name}.policy"
            if not file.is_file():
                train(spec, plan, share, seed, file)
            policy = find_policy(str(file))
            for name, family in policy.families.items():
                made.append(
                    (spec, name, *(round(policy.made[name][each]) for each in ("games", "decisions", "seconds")))
                )
                over = practice_for(game).measured(family, seed + 1, max(20, round(POSITIONS * share)))
                gained.append((spec, name, *(f"{gain:+.3f} ± {Z95 * error:.3f}" for gain, error in over.values())))
            alone, search = f"core:policy(policy={file},then={MANNERS})", pimc.replace("{tricks}", str(tricks))
            ahead = f"core:rollouts(policy={file},worlds={rollouts})"
            pairs = [("policy", alone, simple, simple), ("policy", alone, "PIMC", search)]
            for player, mine, rival, other in [*pairs, ("rollouts", ahead, "PIMC", search)][: 3 if rollouts else 2]:
                deals = max(2, round(plan.deals * share))
                found = match(spec, (mine, other), seed + 1, deals, jobs, plan.families)
                gain = mean_of([pair.gain for pair in found], digits=2)
                rows.append((spec, player, rival, game.score_unit, gain.n, gain, round(errors(gain), 1)))
    sheets = (
        Sheet.of("Learned from nothing", ("game", "family", "games", "decisions", "CPU s"), made),
        Sheet.of("Gained a game by a side", ("game", "family", "over simple manners", "over random play"), gained),
        Sheet.of(
            "Points a seat and game",
            ("game", "player", "over", "unit", "deals", "difference", "in standard errors"),
            rows,
        ),
    )
    return Outcome(sheets)


def train(spec: str, plan: Plan, share: float, seed: int, file: Path) -> None:
    """Learn the families of a game and write them to a file, with a curve beside it."""
    game, families, made = find_game(spec), {}, {}
    curves: dict[str, tuple[Point, ...]] = {}
    for family in plan.families:
        checkpoint = file.with_name(f"{file.name}.{family}.checkpoint")
        positions = max(50, round(plan.positions * min(1, 10 * share)))
        task = Task(
            game.spec, family, "", seed, positions, Settings(), None, None, plan.games * share, checkpoint
        )  # fmt: skip
        result = learn(task, log, practice_for(game))
        checkpoint.unlink(missing_ok=True)
        families[family], made[family], curves[family] = result.family, dict(result.made), result.curve
    save(Policy(game.name, families, made), file)
    learning_curves(curves).save(file.with_suffix(".png"))
