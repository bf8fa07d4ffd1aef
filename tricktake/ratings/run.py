"""From files to rating lists: the work of ``tricktake rate``."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from tricktake.errors import InputError
from tricktake.game import Game
from tricktake.ratings.highscore import rate_all
from tricktake.ratings.luck import get_luck
from tricktake.ratings.names import Pseudonyms
from tricktake.ratings.ratings import REPLICATES
from tricktake.ratings.results import Results, Series
from tricktake.ratings.sources import Reading
from tricktake.ratings.state import RatingList, Rules, open_list, read_row
from tricktake.ratings.system import System, get_system

PROPORTIONAL, SOFTMAX = "proportional", "softmax"


@frozen
class Run:
    """How files are rated. short: as ``Reading.short``; None: true unless a list is kept, as a file may still grow."""

    systems: tuple[System, ...]
    reading: Reading
    short: bool | None = None
    replicates: int = REPLICATES
    seed: int = 0
    pseudonyms: Pseudonyms | None = None

    def rate(self, files: Sequence[Path], state: Path | None = None) -> tuple[list[RatingList], int]:
        """The lists of all systems, and the number of new series; ``state`` is continued and saved.

        Raises InputError for files that do not belong together, or a list made with other parameters.
        """
        short = state is None if self.short is None else self.short
        lists: list[RatingList] = []
        rated = 0
        for game, length, series in self.read(files, short):
            if not lists:
                rules = self._rules(game, length)
                lists = [
                    open_list(state, evolve(rules, system=s), self.replicates if s.bootstraps else 0, self.seed)
                    for s in self.systems
                ]
            rated += rate_all(lists, series)
        if state is not None:
            lists[0].save(state)
        return lists, rated

    def results(self, files: Sequence[Path]) -> tuple[Results, Game | None]:
        """All series of the files at once, and their game."""
        found: list[Series] = []
        game, length = None, 1
        for game, length, series in self.read(files, self.short is not False):  # noqa: B007
            found += series
        return Results.from_series(found, length), game

    def read(self, files: Sequence[Path], short: bool) -> Iterator[tuple[Game | None, int, Iterable[Series]]]:
        """Game, length of a full series, and series of each file. Raises InputError if they are not all alike."""
        first: tuple[str, int] | None = None
        for file in files:
            game, length, series = evolve(self.reading, short=short).read(file)
            mine = (game.spec if game else "", length)
            if first is not None and mine != first:
                reason = f"series of {mine[1]} games of {mine[0] or 'scores'}, not {first[1]} of {first[0] or 'scores'}"
                raise InputError(file, None, "series", reason)
            first = mine
            yield game, length, series if self.pseudonyms is None else self.pseudonyms.of(series)

    def _rules(self, game: Game | None, length: int) -> Rules:
        names = "plain" if self.pseudonyms is None else self.pseudonyms.fingerprint
        factors = self.reading.luck
        version = get_luck(game, factors).version if game and factors else ""
        return Rules(self.systems[0], game.spec if game else "", length, factors, version, names)


def default_system(game: Game | None) -> str:
    """The proposed system if series have scores of their own, else one that uses only who beat whom.

    If points have the same sum in every game, quotients make no sense.
    """
    zero_sum = game is not None and (game.score_total is not None or game.series == 1)
    return f"{SOFTMAX}(places=true)" if zero_sum else PROPORTIONAL


def keep(path: Path, file: Path) -> tuple[RatingList, int]:
    """A list with the series of one more file, and the number of new ones; with the list's own parameters.

    A new list gets ``default_system`` of the file's game. Raises InputError.
    """
    if path.exists():
        row = read_row(path)
        try:
            system = get_system(str(row["system"]), **row["parameters"])
        except TypeError as error:
            raise InputError(path, None, "parameters", f"damaged: {error}") from None
        reading = Reading(series=row["series"], luck=tuple(row["luck"]))
        run = Run((system,), reading, True, row["replicates"], row["seed"])
    else:
        game, _, _ = Reading().read(file)
        run = Run((get_system(default_system(game)),), Reading(), True)
    (kept,), new = run.rate([file], path)
    return kept, new


def subsets(factors: Sequence[str]) -> list[tuple[str, ...]]:
    """All subsets of the factors, in their order: none first, all last."""
    return [chosen for n in range(len(factors) + 1) for chosen in itertools.combinations(factors, n)]
