"""How good Kermit's evaluation is, and how many games it takes, beside counted tables and value networks.

Hands are made to play games that a policy then plays, as for the value networks (``bidding.values``); all are judged by
the same fresh games: forced ones, in which hands are often weak, and such as are bid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from tricktake_kermit.evaluation import MODEL
from tricktake_kermit.features import KINDS, Kind, Secured
from tricktake_kermit.learn import Filling, Seen, fitted, fitted_tables, halves_of, learn, positions_of, said
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.model import GROUPS, KAPPA, Model, learned, raw
from tricktake_skat.games import RULE_PLAYER, bid_rows, dealt_rows
from tricktake_skat.kernels import bidding
from tricktake_skat.policy_rows import play_by
from tricktake_skat.questions.cuts import BID_CUTS
from tricktake_skat.rows import RowArray, read_rows
from tricktake_skat.rows_play import Exploration, explored

from tricktake.arrays import FloatArray
from tricktake.learning.glem import Glem, Glems
from tricktake.policy.policy import Net, Policy
from tricktake.strategies.policy import find_policy
from tricktake_lab.experiment import experiment, log_file, shipped_path, stored
from tricktake_lab.experiment import learned as made_by
from tricktake_lab.outcome import Outcome, Sheet, mean_of
from tricktake_lab.skat import value_fit
from tricktake_lab.skat.bidding import UNHEARD

CARDS = "skat:cards"
BLOCK = 25_000  # deals at a time
FRESH = 1_000_000_000  # number of the first deal to judge by, beyond all that are learned from
BINS = 10  # of chances, for the calibration
OFF = {"suit": 0, "grand": 1}


def forced(kind: Kind, seed: int, first: int, deals: int, policy: Policy | None) -> Iterator[RowArray]:
    """Blocks of games of a kind that hands were made to play, cards by a policy (None: by rule)."""
    how = Exploration(value_fit.KINDS[kind], value_fit.FLOOR, value_fit.RANDOM_PUTS)
    for at in range(0, deals, BLOCK):
        rows = explored(seed + OFF[kind], first + at, min(BLOCK, deals - at), how, policy=policy)
        yield rows[rows["declarer"] >= 0]


def bid(kind: Kind, seed: int, first: int, deals: int, policy: Policy | None) -> RowArray:
    """Games of a kind that three rule players bid, cards by a policy."""
    rows = dealt_rows(seed + OFF[kind], first, deals)
    bid_rows([RULE_PLAYER], rows, np.zeros((deals, 3), np.int64))
    play_by(policy, rows)
    here = rows["game"] < 4 if kind == "suit" else rows["game"] == 4
    return rows[(rows["declarer"] >= 0) & here]


def counted(model: Model, kind: Kind, rows: RowArray) -> FloatArray:
    """The chances of counted tables and their prior."""
    others = np.array([max(b for seat, b in enumerate(r["bids"]) if seat != r["declarer"]) for r in rows])
    groups = np.searchsorted(BID_CUTS, others, side="right")
    codes = [bidding.code_with(sums(), *c) for c in zip(rows["game"], rows["own"], rows["put"], strict=True)]
    cells = np.array([bidding.cell_of(code, GROUPS) for code in codes])
    seats = rows["declarer"] if kind == "grand" else np.zeros(len(rows), np.int64)
    return np.asarray((model.grand if kind == "grand" else model.suit)[seats, groups, cells], np.float64)


def networks(nets: Sequence[Net], kind: Kind, rows: RowArray) -> FloatArray:
    """The chances of value networks."""
    return np.asarray(value_fit.told(nets[OFF[kind]], value_fit.results_of(rows))[:, 0])


def calibration(chance: FloatArray, won: np.ndarray) -> float:
    """Mean distance of what was said from what was won, over tenths of the games by what was said."""
    parts = np.array_split(np.argsort(chance, kind="stable"), BINS)
    return float(np.mean([abs(chance[part].mean() - won[part].mean()) for part in parts]))


def judged(name: str, games: int | str, tests: Sequence[tuple[FloatArray, np.ndarray]]) -> tuple[object, ...]:
    """A row: Brier score with its error and calibration, on each set of games."""
    cells: list[object] = [name, games]
    for chance, won in tests:
        cells += [mean_of(np.square(chance - won), digits=4), round(calibration(chance, won), 4)]
    return tuple(cells)


@experiment(
    "kermit.evaluation",
    item="KERMIT-1 to 10, docs/kermit.md",
    seed=821,
    smoke={"games": (1000,), "judged_by": 1000, "nets_to": 0},
    small={"games": (10_000, 100_000), "judged_by": 40_000},
    paper={"games": (10_000, 100_000, 1_000_000, 10_000_000), "judged_by": 100_000},
)
def evaluation(
    seed: int, games: tuple[int, ...], judged_by: int, nets_to: int = 1_000_000, tables_to: int = 1_000_000,
    log: str = "", policy: str = CARDS,
) -> Outcome:  # fmt: skip
    """Brier score and calibration of the evaluation by how many games it has learned from, beside the others.

    games: deals of each kind to learn from. nets_to, tables_to: of these, how many at most for value networks, and for
    whole tables fitted to who won. log: also learn from the games of an XSkat log. judged_by: fresh deals.
    """
    plays = find_policy(policy)
    sheets, facts = [], {}
    for kind in KINDS:
        fresh = (
            np.concatenate(list(forced(kind, seed, FRESH, judged_by, plays))),
            bid(kind, seed, FRESH, judged_by, plays),
        )
        tests = [(each, *positions_of(each, kind)) for each in fresh]
        rows = [judged(name, "", [(said_by(name, kind, r), won) for r, _, won in tests]) for name in OTHERS]
        found = [each for n in games for each in _models(kind, forced(kind, seed, 0, n, plays), n <= tables_to)]
        if log:
            logged = _models(kind, read_rows(log_file(log)), True)
            found += [(f"{name}, XSkat's games", model, n) for name, model, n in logged]
        rows += [judged(name, n, [(said(model, p), won) for _, p, won in tests]) for name, model, n in found]
        games_bid, positions, won = tests[1]
        four = next(model for name, model, _ in reversed(found) if name == FOUR)
        errors = [np.square(each - won) for each in (said_by(OTHERS[1], kind, games_bid), said(four, positions))]
        facts[f"counted tables less Kermit, {kind}"] = mean_of(errors[0] - errors[1], digits=4)
        for n in games:
            if n <= nets_to:
                some = value_fit.results_of(np.concatenate(list(forced(kind, seed, 0, n, plays))))
                net = value_fit.fit(some, seed)
                told = [(value_fit.told(net, value_fit.results_of(r))[:, 0], won) for r, _, won in tests]
                rows.append(judged("value network", len(some.seen), told))
        counts = ", ".join(f"{len(won)}" for _, _, won in tests)
        columns = ("evaluation", "games learned from", "Brier, forced", "calibration", "Brier, bid", "calibration ")
        sheets.append(Sheet.of(f"{kind}: judged by {counts} fresh games (forced, bid)", columns, rows))
    return Outcome(tuple(sheets), facts)


FOUR = "Kermit's four features"
OTHERS = ("prior", "counted tables and prior", "value network that ships")


def said_by(name: str, kind: Kind, rows: RowArray) -> FloatArray:
    """The chances of what the product ships beside Kermit."""
    if name == OTHERS[2]:
        return networks(find_policy("skat:values").families["value"].nets, kind, rows)
    return counted(raw(KAPPA * UNHEARD) if name == OTHERS[0] else learned(value=""), kind, rows)


def _models(kind: Kind, blocks: Iterator[RowArray], tables: bool) -> list[tuple[str, Glem, int]]:
    halves = halves_of(blocks, kind, Filling())
    four = fitted(halves, kind, Filling())
    together: Seen = halves[0] + halves[1]
    found = [(FOUR, four, len(together))]
    if tables:
        found.append(("its tables fitted whole", fitted_tables(four, together), len(together)))
    return found


FILLINGS: dict[str, Filling] = {
    "class led (default)": Filling(),
    "every class with a card in the trick (printed)": Filling(led=False),
    "class led, defenders' hands too": Filling(everyone=True),
    "printed, defenders' hands too": Filling(led=False, everyone=True),
    "class led, k + 1": Filling(secured="link"),
    "printed, k + 1": Filling(led=False, secured="link"),
}


@experiment(
    "kermit.filling",
    item="KERMIT-9 and 10, docs/kermit.md",
    seed=822,
    smoke={"games": 500, "judged_by": 500},
    small={"games": 50_000, "judged_by": 40_000},
    paper={"games": 1_000_000, "judged_by": 100_000},
)
def filling(seed: int, games: int, judged_by: int, policy: str = CARDS) -> Outcome:
    """Brier score of Kermit's four features by how tricks are credited to cells."""
    plays = find_policy(policy)
    rows = []
    tests = {
        kind: positions_of(np.concatenate(list(forced(kind, seed, FRESH, judged_by, plays))), kind) for kind in KINDS
    }
    for name, how in FILLINGS.items():
        cells: list[object] = [name]
        for kind, (positions, won) in tests.items():
            model = learn(forced(kind, seed, 0, games, plays), kind, how)
            cells += [mean_of(np.square(said(model, positions) - won), digits=4)]
            cells += [" ".join(f"{w:+.3f}" for w in model.weights)]
        rows.append(cells)
    columns = ("tricks credited to", *(c for kind in KINDS for c in (f"Brier, {kind}", f"weights f1 to f4, {kind}")))
    counts = ", ".join(f"{len(won)} {kind}" for kind, (_, won) in tests.items())
    return Outcome((Sheet.of(f"{games} deals of each kind; judged by fresh games: {counts}", columns, rows),))


@experiment(
    "kermit.model",
    item="kermit.glem, KERMIT-2",
    seed=823,
    smoke={"deals": 500},
    small={"deals": 100_000},
    paper={"deals": 1_000_000},
)
def model(seed: int, deals: int, policy: str = CARDS, secured: Secured = "printed", whole: bool = False) -> Outcome:
    """The evaluation that ships with the plugin, learned from games a policy plays. whole: tables fitted to who won."""
    plays = find_policy(policy)
    how = Filling(secured=secured)
    found: dict[str, Glem] = {}
    for kind in KINDS:
        halves = halves_of(forced(kind, seed, 0, deals, plays), kind, how)
        found[kind] = fitted(halves, kind, how)
        if whole:
            found[kind] = fitted_tables(found[kind], halves[0] + halves[1])
    rows = [(kind, m.constant, " ".join(f"{w:.4f}" for w in m.weights)) for kind, m in found.items()]
    made = {"learned": made_by("kermit.model", seed, deals=deals), "cards": policy, "secured": secured, "whole": whole}
    content = stored(Glems(found, made))
    sheet = Sheet.of("Weights", ("game", "w0", "weights of the features"), rows)
    return Outcome((sheet,), ships={shipped_path(MODEL): content})
