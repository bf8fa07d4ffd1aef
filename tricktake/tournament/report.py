"""The report of a tournament: one dictionary for ``--json``, and the same as tables for people."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from tricktake import html
from tricktake.errors import InputError
from tricktake.ratings.bestfit import best_fit
from tricktake.ratings.ratings import Ratings
from tricktake.ratings.results import Results, Series
from tricktake.ratings.sources import series_of_rows
from tricktake.tournament.config import Config
from tricktake.tournament.controls import Controlled, Controls
from tricktake.tournament.sequential import Asked, Until, Walk
from tricktake.tournament.stats import Difference, Estimate, Statistics, compared, complete_deals
from tricktake.tournament.store import Row, load

ShowColumns = Callable[..., None]

FAULTS = "faults: a random legal action was taken instead; of a member: another member decided"
REPLICATES = 200  # of the bootstrap of the ratings
LEAST_DEALS = 10  # drawn again by the bootstrap: of fewer it knows too little of their spread
UNKNOWN = "—"  # what too few deals, or deals without a difference, do not tell


@frozen(slots=False)
class Report:
    """The statistics of the complete deals of a store, and the number of all games played.

    test: what the tournament was to decide, if anything.
    """

    config: Config
    table: Statistics
    played: int
    planned: int
    sessions: tuple[Row, ...] = ()
    test: Walk | None = None

    @property
    def deals(self) -> int:
        """The complete deals."""
        return len({row["deal"] for row in self.table.rows})

    @property
    def unit(self) -> str:
        game = self.config.make_game()
        unit = game.compared_unit or game.score_unit
        return f"{unit} per {game.series}" if game.series > 1 else unit

    @cached_property
    def controls(self) -> Controls | None:
        """What the deals are worth by themselves, if the game can tell."""
        return Controls.of(self.config, self.table)

    def ratings(self) -> Ratings:
        """Elo ratings that fit all deals best: in each the players compare what they got with the same cards."""
        names, game, schedule = self.config.names, self.config.make_game(), self.config.schedule()
        deals = groupby(self.table.rows, lambda row: row["deal"])
        series = [s for _, rows in deals for s in _met(series_of_rows(rows, names, game, "", len(schedule.rows)))]
        return best_fit(Results.from_series(series, len(schedule.rows), names), replicates=REPLICATES)

    def as_row(self) -> dict[str, Any]:
        """As JSON: ``players`` (score, declared, defended, faults), ``matches``, ``differences``,
        ``ratings``, ``kinds``, ``until``.
        """
        table, config, controls = self.table, self.config, self.controls
        numbers = range(len(config.players))
        return {
            "game": config.game,
            "mode": config.mode,
            "unit": self.unit,
            "deals": self.deals,
            "games": len(table.rows),
            "played": self.played,
            "planned": self.planned,
            "passed": table.passed(),
            "players": [{**self._player(p), **_controlled(controls.score(p) if controls else None)} for p in numbers],
            "matches": {
                config.names[a]: {config.names[b]: _estimate(table.score(a, b)) for b in numbers if b != a}
                for a in numbers
            },
            "differences": [
                {**self._difference(d), **_controlled(controls.difference(d.first, d.second) if controls else None)}
                for d in table.differences()
            ],
            "until": None if self.test is None else self.test.as_row(),
            "kinds": table.kinds(),
            "ratings": self._ratings(),
            "seconds": round(sum(session["seconds"] for session in self.sessions), 2),
            "spent": _spent(self.sessions),
        }

    def _player(self, player: int) -> dict[str, Any]:
        table = self.table
        kinds = [*table.kinds(), None]
        faults = table.faults(player)
        return {
            "name": self.config.names[player],
            "strategy": self.config.players[player].text,
            "score": _estimate(table.score(player)),
            "declared": {kind or "all": _estimate(table.won(player, kind)) for kind in kinds},
            "defended": {kind or "all": _estimate(table.won(player, kind, defending=True)) for kind in kinds},
            "faults": faults,
            "forfeited": table.forfeited(player, self.config.max_faults),
        }

    def _ratings(self) -> dict[str, Any]:
        ratings = self.ratings()
        found = zip(ratings.names, ratings.rating[:, 0].tolist(), ratings.errors().tolist(), strict=True)
        known = self.deals >= LEAST_DEALS
        return {name: {"rating": round(r, 2), "error": round(e, 2) if known else None} for name, r, e in found}

    def _difference(self, d: Difference) -> dict[str, Any]:
        names = self.config.names
        return {"first": names[d.first], "second": names[d.second], **(_estimate(d.estimate) or {}), "p": d.p}

    # -- for people -----------------------------------------------------------------------------------------------

    def show(self, print_columns: ShowColumns) -> None:
        """Cross table, differences, contracts and faults; ``print_columns(columns, rows, title=, right=)``."""
        row = self.as_row()
        self._show_scores(row, print_columns)
        self._show_differences(row, print_columns)
        self._show_controlled(row, print_columns)
        best_first = sorted(row["ratings"].items(), key=lambda item: -item[1]["rating"])
        print_columns(
            ("rating", "Elo"),
            [(name, f"{r['rating']:.0f} ± {_error(r['error'], 0)}") for name, r in best_first],
            title="Elo of best fit: who got more out of a deal",
            right=("Elo",),
        )
        self._show_contracts(row, print_columns)
        self._show_faults(row, print_columns)

    def _repr_html_(self) -> str:
        return html.shown(self.show)

    def _show_scores(self, row: dict[str, Any], print_columns: ShowColumns) -> None:
        """The best player first; in the column of another player what it scores more than that one."""
        names = self.config.names
        cut = f", {self.planned - self.played} games to play" if self.played < self.planned else ""
        if self.test is not None and self.test.answer is not None:
            cut = ", stopped as decided"
        columns = ("player", "score", "games", *(f"- {name}" for name in names), "faults")
        more = {(d["first"], d["second"]): d for d in row["differences"]}
        more |= {(b, a): _turned(d) for (a, b), d in more.items()}
        best_first = sorted(row["players"], key=lambda p: -(p["score"]["mean"] if p["score"] else -math.inf))
        print_columns(
            columns,
            [
                (
                    p["name"],
                    _text(p["score"]),
                    p["score"]["n"] if p["score"] else 0,
                    *(_text(more.get((p["name"], name)), sign=True) for name in names),
                    sum(p["faults"].values()),
                )
                for p in best_first
            ],
            title=f"{self.unit}, ± half the 95 % interval; {row['deals']} deals, {row['games']} games{cut}",
            right=columns[1:],
        )

    def _show_differences(self, row: dict[str, Any], print_columns: ShowColumns) -> None:
        print_columns(
            ("difference", self.unit, "p"),
            [
                (f"{d['first']} - {d['second']}", _text(d, sign=True), UNKNOWN if d["p"] is None else _p_text(d["p"]))
                for d in row["differences"]
            ],
            title="paired by deal",
            right=(self.unit, "p"),
        )

    def _show_controlled(self, row: dict[str, Any], print_columns: ShowColumns) -> None:
        """Scores and differences once more, with what the cards dealt explain taken off."""
        found = [(p["name"], p["score"], p["controlled"]) for p in row["players"]]
        found += [(f"{d['first']} - {d['second']}", d, d["controlled"]) for d in row["differences"]]
        shown = [(name, _text(plain), _text(c), f"{100 * c['saved']:.0f} %") for name, plain, c in found if c]
        if shown:
            columns = ("", "as played", "less the luck of the deal", "variance saved")
            print_columns(columns, shown, title=f"control variates, {self.unit}", right=columns[1:])

    def _show_contracts(self, row: dict[str, Any], print_columns: ShowColumns) -> None:
        if not row["kinds"]:
            return
        kinds = [*row["kinds"], "all"]
        rows = []
        for player in row["players"]:
            for role in ("declared", "defended"):
                cells = [player[role][kind] for kind in kinds]
                rows.append((player["name"], role, *(_share(cell) for cell in cells)))
        print_columns(
            ("player", "", *kinds),
            rows,
            title="contracts won by the declarer, of those played" + self._passed_text(row),
            right=kinds,
        )

    def _passed_text(self, row: dict[str, Any]) -> str:
        return f"; {row['passed']} games passed in" if row["passed"] else ""

    def _show_faults(self, row: dict[str, Any], print_columns: ShowColumns) -> None:
        rows = [
            (p["name"], kind, count, p["forfeited"], self.table.first_fault(n, kind))
            for n, p in enumerate(row["players"])
            for kind, count in p["faults"].items()
        ]
        if rows:
            columns = ("player", "fault", "times", "games forfeited", "the first one")
            print_columns(columns, rows, title=FAULTS, right=columns[2:4])


def _met(series: Iterable[Series]) -> list[Series]:
    """The series of a deal; where every player had all seats (a game all play together), they meet in one."""
    found = list(series)
    if len(found) < 2 or any(len(one.players) > 1 for one in found):
        return found
    names, scores = zip(*((one.players[0], one.scores[0]) for one in found), strict=True)
    return [Series(names, scores, len(found), found[0].key)]


def report(config: Config, rows: Iterable[Row], sessions: Sequence[Row] = (), until: Until | None = None) -> Report:
    """The report of the rows of a store; incomplete deals are left out."""
    schedule = config.schedule()
    found = list(rows)
    game = config.make_game()
    complete = compared(complete_deals(found, len(schedule.rows)), game)
    table = Statistics(complete, config.names, game.series)
    test = Asked.of(until, config, {row["id"]: row for row in found}).walk
    return Report(config, table, len(found), len(schedule), tuple(sessions), test)


def report_of_store(path: str | Path, until: Until | None = None) -> Report:
    """The report of a store as it is now, finished or not. until: instead of what it was played for.

    Raises InputError for what is no store, UnknownName if its game is not there.
    """
    header, rows, sessions = load(path)
    asked = header["plan"]["until"]
    try:
        until = until or (None if asked is None else Until(**asked))
    except (TypeError, ValueError) as error:
        raise InputError(path, None, "plan", f"until: {error}") from error
    return report(Config.from_row(header["config"], path), rows.values(), sessions, until)


def _estimate(e: Estimate | None) -> dict[str, Any] | None:
    return None if e is None else {**asdict(e), "error": e.error}


def _controlled(found: Controlled | None) -> dict[str, Any]:
    return {"controlled": None if found is None else {**(_estimate(found.estimate) or {}), "saved": found.saved}}


def _turned(d: Mapping[str, Any]) -> dict[str, Any]:
    """A difference the other way round, as far as it is shown."""
    return {"mean": -d["mean"], "error": d["error"]}


def _text(e: Mapping[str, Any] | None, *, sign: bool = False) -> str:
    if e is None:
        return ""
    mean = f"{e['mean']:+.1f}" if sign else f"{e['mean']:.1f}"
    return f"{mean} ± {_error(e['error'])}"


def _error(error: float | None, digits: int = 1) -> str:
    return UNKNOWN if error is None else f"{error:.{digits}f}"


def _share(e: Mapping[str, Any] | None) -> str:
    if e is None:
        return ""
    between = UNKNOWN if e["low"] is None else f"{100 * e['low']:.0f}-{100 * e['high']:.0f}"
    return f"{100 * e['mean']:.1f} ({between}) % of {e['n']}"


def _p_text(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _spent(sessions: Sequence[Row]) -> dict[str, Any]:
    """Decisions, seconds and the slowest one of each player over all runs that ended well."""
    total: dict[str, Any] = {}
    for session in sessions:
        for name, spent in session["players"].items():
            mine = total.setdefault(name, {"decisions": 0, "seconds": 0.0, "slowest": 0.0})
            mine["decisions"] += spent["decisions"]
            mine["seconds"] = round(mine["seconds"] + spent["seconds"], 3)
            mine["slowest"] = max(mine["slowest"], spent["slowest"])
    return total
