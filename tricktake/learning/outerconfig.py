"""The configuration of an outer loop: read from TOML and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import asdict, field, frozen

from tricktake.deal import STREAM
from tricktake.errors import InputError, TricktakeError
from tricktake.game import find_game
from tricktake.learning.question import Question, find_question
from tricktake.learning.table import LearnedTable, find_table
from tricktake.policy.policyfile import digest
from tricktake.search.limit import Limit
from tricktake.settings import toml_of
from tricktake.strategies.player import Player
from tricktake.strategies.policy import find_policy


@frozen
class OuterConfig:
    """An outer loop: the fields of the TOML file, explained in docs/learning.md.

    questions: registered names, all of one kind of rows. batches: their number, each of ``games`` deals of ``seed``.
    base: the first table of a question, a registered name or a file; weight: factor of its counts. player: spec for
    all seats with ``@plugin:question`` for the tables, else the rows' own play; worlds, nodes: its limit. ask_tables:
    whether the rows' own play uses the tables. policy: plays the cards of the rows' own play, by name or file.
    stream: of deals, by name; an older one if its tables are to be learned again.
    judge_games, judge_seed: deals on which each batch is evaluated; open_card: for how many the solver is asked.
    """

    questions: tuple[str, ...]
    games: int
    batches: int
    seed: int = 0
    stream: str = STREAM
    base: Mapping[str, str] = field(factory=dict)
    weight: float = 1.0
    player: str | None = None
    ask_tables: bool = True
    policy: str | None = None
    worlds: int | None = None
    nodes: int | None = None
    judge_games: int = 0
    judge_seed: int = 1
    open_card: int = 0

    @property
    def limit(self) -> Limit:
        return Limit(nodes=self.nodes, worlds=self.worlds)

    def found(self) -> dict[str, Question]:
        """The questions by name."""
        return {name: find_question(name) for name in self.questions}

    def as_row(self) -> dict[str, Any]:
        """Everything that decides the result of a batch."""
        row = asdict(self, recurse=False)
        row["questions"], row["base"] = list(self.questions), dict(self.base)
        row["code"] = {name: dict(question.code) for name, question in self.found().items()}
        if self.policy is None:
            del row["policy"]
        else:
            row["code"]["policy"] = digest(find_policy(self.policy))
        del row["batches"]  # more of them may be added later
        return row

    def base_table(self, name: str) -> LearnedTable | None:
        """The first table of a question. Raises InputError."""
        if name not in self.base:
            return None
        return find_table(self.base[name], find_question(name)).scaled(self.weight)

    def check(self, file: str | Path | None) -> OuterConfig:
        """Itself, after all names were looked up. Raises InputError naming the field, UnknownName."""

        def need(fine: bool, name: str, reason: str) -> None:
            if not fine:
                raise InputError(file, None, name, reason)

        need(len(self.questions) > 0, "questions", "name one or more, as plugin:question")
        need(len(set(self.questions)) == len(self.questions), "questions", "one of them stands there twice")
        questions = self.found()
        rows = next(iter(questions.values())).rows
        for name, question in questions.items():
            need(question.rows == rows, "questions", f"{name} asks {question.rows.name}, the first one {rows.name}")
        for name in ("games", "batches"):
            need(getattr(self, name) >= 1, name, "must be at least 1")
        for name in ("seed", "judge_games", "judge_seed", "open_card"):
            need(getattr(self, name) >= 0, name, "must not be negative")
        need(self.judge_games == 0 or self.judge_seed != self.seed, "judge_seed", "must not be the seed learned from")
        need(self.open_card <= self.judge_games, "open_card", "is more than judge_games")
        need(self.weight > 0, "weight", "must be above 0")
        for name in self.base:
            need(name in questions, f"base.{name}", "is none of the questions")
        try:
            _ = self.limit
        except ValueError as error:
            raise InputError(file, None, "worlds, nodes", str(error)) from error
        try:
            if self.player is None:
                rows.function("play")
            else:
                rows.function("from_records")
                find_game(rows.game)
                need("@" in self.player or Player.from_spec(self.player) is not None, "player", "cannot be made")
            if self.policy is not None:
                need(self.player is None, "policy", "plays in the rows' own play, and a player is given")
                find_policy(self.policy)
            if self.open_card:
                rows.function("open_card")
        except TricktakeError as error:
            raise InputError(file, None, "player" if self.player else "questions", str(error)) from error
        for name in self.base:
            try:
                self.base_table(name)
            except TricktakeError as error:
                raise InputError(file, None, f"base.{name}", str(error)) from error
        return self


_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "weight": ((int, float), "a number"),
    "player": ((str,), "text"),
    "policy": ((str,), "the name of a policy or its file"),
    "stream": ((str,), "the name of a stream"),
    "ask_tables": ((bool,), "true or false"),
    "base": ((dict,), "a table"),
    "questions": ((list,), "a list"),
}


def read_config(path: str | Path) -> OuterConfig:
    """The outer loop of a TOML file. Raises InputError naming line or field."""
    return from_mapping(toml_of(path), path)


def from_mapping(data: Mapping[str, Any], file: str | Path | None = None) -> OuterConfig:
    """The outer loop of a mapping. Raises InputError naming the field."""
    known = [attribute.name for attribute in OuterConfig.__attrs_attrs__]
    for key, value in data.items():
        if key not in known:
            raise InputError(file, None, key, f"unknown; known: {', '.join(known)}")
        kinds, text = _KINDS.get(key, ((int,), "a whole number"))
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise InputError(file, None, key, f"must be {text}, not {value!r}")
    for key in ("questions", "games", "batches"):
        if key not in data:
            raise InputError(file, None, key, "is missing")
    texts = [*data["questions"], *data.get("base", {}).values()]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(file, None, "questions, base", "must be names")
    return OuterConfig(**{**data, "questions": tuple(data["questions"])}).check(file)
