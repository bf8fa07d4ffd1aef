"""The list of subcommands, with their short help, so that ``tricktake --help`` need not import them."""

from __future__ import annotations

import attrs


@attrs.frozen
class Command:
    """A subcommand, in ``tricktake/cli/<name>.py`` (with _ for -) as ``command``."""

    name: str
    summary: str

    @property
    def module(self) -> str:
        """The name of its file."""
        return self.name.replace("-", "_")

    @property
    def target(self) -> str:
        """Where it is, as an import string."""
        return f"tricktake.cli.{self.module}:command"


TABLE = (
    Command("plugins", "List plugins and what each of them registers."),
    Command("games", "List games, or show one: rules, contracts, commands."),
    Command("new", "Write a game of your own to begin with, as a plugin."),
    Command("check", "Check that a game or strategy keeps the rules of the house."),
    Command("deal", "Deal cards from a seed."),
    Command("play", "Play a game, alone or against strategies."),
    Command("serve", "Serve tables for people and programs, in the browser."),
    Command("solve", "Solve recorded deals with open cards."),
    Command("analyse", "Tell card by card what the open cards allowed and what was lost."),
    Command("replay", "Let a strategy play recorded deals, and compare."),
    Command("convert", "Convert game records from one format into another."),
    Command("verify", "Replay records by our rules and compare the results."),
    Command("tournament", "Let strategies play duplicate deals against each other."),
    Command("rate", "Rate players by the series they have played."),
    Command("learn", "Learn the table of a question from game records or self-play."),
    Command("rows", "Store recorded or played games as rows, which are counted faster."),
    Command("table", "Show, compare and merge learned tables."),
    Command("outer-learn", "Learn, play with what was learned, and learn from that."),
    Command("train", "Learn a policy for a game by playing it."),
    Command("blocks", "Do one share of some work, as a job of an array; join folders of blocks."),
    Command("policy", "Show, compare and measure policies."),
    Command("engine", "Programs of others as players, and our players for them."),
    Command("warm", "Compile kernels now, so that nothing waits for them later."),
    Command("bench", "Measure the solver: its speed, and its signature."),
)
