"""The frame of the command line: finds the subcommand, turns errors into ``error: ...`` and an exit code."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from tricktake import __version__
from tricktake.cli.commands import TABLE
from tricktake.cli.common import EXIT_ERROR, EXIT_OK, EXIT_PIPE, exit_code, raise_stops
from tricktake.errors import TricktakeError, did_you_mean

DOORS = """\
tricktake {version}: trick-taking card games. A game is data and a score, and gets
legal play, views, search, learning, tournaments and this command line for it.

  tricktake games              the games there are; with a name, its rules
  tricktake play skat          play one: with hints, undo and a record

Somebody who adds a card game                               docs/tutorial.md
  tricktake new game NAME      a game to change, as a plugin with its tests
  tricktake check NAME         whether it keeps what every game promises

Somebody who compares strategies                         docs/tournaments.md
  tricktake tournament --game hearts --deals 20 \\
    --player core:random --player hearts:rule
  tricktake analyse skat FILE  a recorded game, card by card

Somebody who learns from games                              docs/learning.md
  tricktake learn QUESTION FILE --out A.table    counts as tables
  tricktake train GAME --out A.policy            card play from nothing

All commands: tricktake --help. One of them: tricktake COMMAND --help.
"""

EPILOG = """\b
Shell completion of commands, games, players, contracts, tables and the like:
  bash: eval "$(_TRICKTAKE_COMPLETE=bash_source tricktake)"
        COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]/}   (names have a colon)
  zsh:  eval "$(_TRICKTAKE_COMPLETE=zsh_source tricktake)"
  fish: _TRICKTAKE_COMPLETE=fish_source tricktake | source

\b
Exit codes: 0 fine, 1 differences found, 2 wrong input, 130 interrupted
(143 by SIGTERM, 129 by SIGHUP).
"""


class Frame(click.Group):
    """A group that imports a subcommand only to run it, and shows no traceback for a user's error."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Built-in subcommands in the order of the table, then those of plugins."""
        own = [command.name for command in TABLE]
        return own + [name for name in self._plugin_commands() if name not in own]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A subcommand; plugins are only loaded for one that is not built in."""
        from tricktake.plugins import Registry, manager

        registry: Registry[Any] = Registry("command")
        for command in TABLE:
            if command.name == cmd_name:
                registry.add("core", cmd_name, command.target)
                return _command(registry, cmd_name)
        registry = manager().commands
        return _command(registry, cmd_name) if cmd_name in registry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but suggest the closest name."""
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            close = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"no such command {name!r}" + (f"; did you mean {close}?" if close else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands from their summaries, without importing them."""
        from tricktake.plugins import loaded

        own = {command.name: command.summary for command in TABLE}
        rows = [(name, own.get(name) or loaded().commands.summary(name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """As click does, but a closed pipe has an exit code of its own."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise SystemExit(_explain(error)) from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and exit with 0, 1, 2, or 130 and the like after an interruption."""
        try:
            code = super().main(args, prog_name or "tricktake", complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except Exception as error:
            code = _explain(error)
        except KeyboardInterrupt as stop:
            code = _interrupted(stop)
        except SystemExit as left:  # click leaves so after shell completion, and with 1 when a pipe was closed
            code = EXIT_PIPE if isinstance(left.__context__, BrokenPipeError) else left.code
        code = code if isinstance(code, int) else EXIT_OK
        if standalone_mode:
            sys.exit(code)
        return code

    def _plugin_commands(self) -> list[str]:
        from tricktake.plugins import loaded

        found = loaded()
        for fault in found.faults:
            click.echo(f"warning: {fault}", err=True)
        return found.commands.names()


def _command(registry: Any, name: str) -> click.Command:
    command = registry.get(name)
    if not isinstance(command, click.Command):
        from tricktake.errors import PluginError

        raise PluginError(registry.owner(name), f"command {name!r} is no click command")
    return command


def _explain(error: Exception) -> int:
    """Report the error in one line; returns the exit code."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.Abort):
        return _interrupted(error.__cause__)
    if isinstance(error, BrokenPipeError):  # the reader of our output closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
    elif isinstance(error, click.UsageError):
        _usage(error)
    elif isinstance(error, click.ClickException):
        _say(error.format_message())
    elif isinstance(error, TricktakeError):
        _say(str(error))
    elif isinstance(error, OSError) and error.filename is not None:
        _say(f"{error.filename}: {error.strerror}")
    elif isinstance(error, UnicodeDecodeError):
        _say(f"not a text file: {error.reason} at byte {error.start}")
    elif os.environ.get("TRICKTAKE_DEBUG"):
        raise error
    else:
        _say(f"a fault of tricktake: {type(error).__name__}: {error} (TRICKTAKE_DEBUG=1 shows where)")
    return EXIT_ERROR


def _usage(error: click.UsageError) -> None:
    _say(error.format_message())
    if error.ctx is not None:
        click.echo(f"see '{error.ctx.command_path} --help'", err=True)


def _say(message: str) -> None:
    click.echo(f"error: {message}", err=True)


def _interrupted(by: BaseException | None) -> int:
    with contextlib.suppress(OSError):  # the terminal may be gone
        click.echo("interrupted", err=True)
    return exit_code(by)


@click.group(
    "tricktake",
    cls=Frame,
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="tricktake", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Trick-taking card games: play, solve, compare. Results go to stdout, the rest to stderr."""
    if ctx.invoked_subcommand is None:
        click.echo(DOORS.format(version=__version__), nl=False)


def run() -> NoReturn:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name of a file may be no text
    raise_stops()
    main.main()
    raise AssertionError("main exits")  # pragma: no cover
