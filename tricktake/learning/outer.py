"""The outer loop: tables, self-play with them, new tables from all games so far, and again (OUTER-8, 11, 25).

Every batch has a folder with its tables and results, which gets its final name when it is complete. So a loop that was
stopped continues after the last complete batch and ends with the same bytes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from tricktake.archive import replacing
from tricktake.blocks import Keeping, Share, ShareDone
from tricktake.errors import InputError
from tricktake.learning import selfplay
from tricktake.learning.counts import Counts
from tricktake.learning.evaluation import evaluate
from tricktake.learning.learn import Tally
from tricktake.learning.outerconfig import OuterConfig
from tricktake.learning.question import Question
from tricktake.learning.rows import RowArray
from tricktake.learning.table import LearnedTable, merge
from tricktake.learning.tablefile import file_of
from tricktake.pool import Jobs

CONFIG = "config.json"
CURVES = "curves.jsonl"
RESULT = "result.json"
LOCK = ".lock"

Advance = Callable[[int], None]


@frozen
class OuterLoop:
    """A loop in a folder."""

    config: OuterConfig
    folder: Path
    jobs: Jobs = 1

    def run(self, advance: Advance = lambda games: None) -> Iterator[dict[str, Any]]:
        """The results of each batch, 0 for the base tables; batches already there are read, the others played.

        Raises InputError if the folder holds another loop, or another process works on it; ShareDone where only a share
        of the blocks is done, those of the first batch that is not complete.
        """
        if isinstance(self.jobs, Keeping) and self.jobs.share is not None:
            yield from self._share(self.jobs.share, advance)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with _alone(self.folder):
            self._claim()
            for batch in range(self.config.batches + 1):
                folder = self.batch(batch)
                if not folder.is_dir():
                    self._make(batch, folder, advance)
                else:
                    advance(self.config.games * (batch > 0) + self.config.judge_games)
                yield json.loads((folder / RESULT).read_text(encoding="utf-8"))
            self._write_curves()

    def _share(self, share: Share, advance: Advance) -> Iterator[dict[str, Any]]:
        """Play blocks of the next batch, in a folder of this process. What is complete is left to the loop itself."""
        batch = next((n for n in range(self.config.batches + 1) if not self.batch(n).is_dir()), None)
        if batch is not None:
            with tempfile.TemporaryDirectory() as own:
                self._make(batch, Path(own) / "batch", advance)
        raise ShareDone(share, 0, 0)
        yield {}

    def batch(self, number: int) -> Path:
        """The folder of a batch."""
        return self.folder / f"batch-{number:03}"

    def tables(self, batch: int) -> dict[str, Path]:
        """The table file of each question after a batch."""
        return {name: self.batch(batch) / file_of(name) for name in self.config.questions}

    # -- one batch ------------------------------------------------------------------------------------------------

    def _make(self, batch: int, folder: Path, advance: Advance) -> None:
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        questions = self.config.found()
        tables = self._base(questions) if batch == 0 else self._learned(batch, questions, advance)
        files = {name: part / file_of(name) for name in questions}
        for name, table in tables.items():
            table.save(files[name])
        result: dict[str, Any] = {"batch": batch, "games": batch * self.config.games}
        if self.config.judge_games:
            blocks = self._play(self.config.judge_seed, 0, self.config.judge_games, files, advance)
            pairs = {name: (questions[name], table) for name, table in tables.items()}
            result["judged"] = evaluate(pairs, blocks, self.config.open_card)
        result["learned"] = {name: {"games": table.games, "won": table.won} for name, table in tables.items()}
        _write(part / RESULT, result)
        part.rename(folder)

    def _base(self, questions: dict[str, Question]) -> dict[str, LearnedTable]:
        return {name: self.config.base_table(name) or empty(question) for name, question in questions.items()}

    def _learned(self, batch: int, questions: dict[str, Question], advance: Advance) -> dict[str, LearnedTable]:
        files = self.tables(batch - 1)
        first = (batch - 1) * self.config.games
        tallies = {name: Tally(question) for name, question in questions.items()}
        for block in self._play(self.config.seed, first, self.config.games, files, advance):
            for tally in tallies.values():
                tally.add([block])
        out = {}
        for name, question in questions.items():
            source = {
                "kind": "self-play",
                "stream": self.config.stream,
                "seed": self.config.seed,
                "first": first,
                "games": self.config.games,
                "used": tallies[name].used,
                "player": self.config.player or question.rows.name,
                **({} if self.config.policy is None else {"policy": self.config.policy}),
                "table": hashlib.sha256(files[name].read_bytes()).hexdigest(),
            }
            new = LearnedTable(question.form, question.code, tuple(tallies[name].layers()), (source,), question)
            out[name] = merge([LearnedTable.load(files[name], question), new])
        return out

    def _play(self, seed: int, first: int, n: int, files: dict[str, Path], advance: Advance) -> Iterator[RowArray]:
        config = self.config
        rows = next(iter(config.found().values())).rows
        asked = files if config.player is not None or config.ask_tables else {}
        left, size = n, selfplay.chunk_of(self.jobs, config.player)
        for block in selfplay.self_play(
            rows, seed, first, n, asked, player=config.player, limit=config.limit, jobs=self.jobs, stream=config.stream,
            policy=config.policy,
        ):  # fmt: skip
            yield block
            advance(min(size, left))
            left -= size

    # -- the folder -----------------------------------------------------------------------------------------------

    def _claim(self) -> None:
        file = self.folder / CONFIG
        mine = json.loads(json.dumps(self.config.as_row()))
        if not file.is_file():
            _write(file, mine)
            return
        try:
            theirs = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(file, None, None, f"damaged: {error}") from error
        different = [key for key in mine if mine[key] != theirs.get(key)]
        if different:
            raise InputError(file, None, different[0], "is another loop's; give a new folder with --out")

    def _write_curves(self) -> None:
        results = [json.loads((self.batch(n) / RESULT).read_text()) for n in range(self.config.batches + 1)]
        text = "".join(json.dumps(result, sort_keys=True) + "\n" for result in results)
        (self.folder / CURVES).write_text(text, encoding="utf-8")


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of the folder. Raises InputError if one is there."""
    with open(folder / LOCK, "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(folder, None, None, "another process works on this loop") from None
        yield


def empty(question: Question) -> LearnedTable:
    """A table without games."""
    return LearnedTable(question.form, question.code, tuple(Counts.empty() for _ in question.form.layers), (), question)


def _write(file: Path, value: Any) -> None:
    with replacing(file) as beside:
        beside.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")
