"""``tricktake play``: a game at the terminal, alone or against strategies."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import exit_code, log
from tricktake.cli.names import COUNT, GAME, SPEC, FilePath
from tricktake.errors import InputError

if TYPE_CHECKING:
    from tricktake.cli.session import Session
    from tricktake.game import Game
    from tricktake.search.limit import Limit
    from tricktake.tournament.players import PlayerConfig

FORMAT = "jsonl"
RECORDS = Path("play.jsonl")
SEEDS = 1 << 31


@click.command("play")
@click.argument("game", type=GAME)
@click.option("--seat", "people", type=click.IntRange(min=0), multiple=True, help="Yours; repeatable.  [default: 0]")
@click.option("--alone", is_flag=True, help="All seats are yours.")
@click.option(
    "--with", "others", type=SPEC, metavar="[SEAT=]SPEC", multiple=True, help="Who plays the others, or one of them."
)
@click.option("--hint", "hint_spec", type=SPEC, help="Who gives the hints.")
@click.option("--reasons", is_flag=True, help="Tell what the others think.")
@click.option("--nodes", type=COUNT, default=500_000, show_default=True, help="Limit of a decision.")
@click.option("--worlds", type=COUNT, help="Limit of a decision.")
@click.option("--seed", type=click.IntRange(min=0), help="Same seed, same cards and players.  [default: another one]")
@click.option("--id", "number", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the deal.")
@click.option("--record", type=FilePath(dir_okay=False, path_type=Path), default=RECORDS, show_default=True,
              help="The game is added to this file (JSON lines).")  # fmt: skip
@click.option("--no-record", is_flag=True, help="Save nothing.")
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    people: tuple[int, ...],
    alone: bool,
    others: tuple[str, ...],
    hint_spec: str | None,
    reasons: bool,
    nodes: int,
    worlds: int | None,
    seed: int | None,
    number: int,
    record: Path,
    no_record: bool,
) -> None:
    """Play GAME against strategies. Type "help" there; "quit" or the end of the input stops and saves.

    Without --with and --hint the game's own player is used.
    """
    import secrets

    from tricktake.cli.session import Session
    from tricktake.deal import deal
    from tricktake.game import find_game
    from tricktake.search.limit import Limit
    from tricktake.strategies.player import default_spec
    from tricktake.tournament.players import PlayerConfig
    from tricktake.tournament.seat import LocalSeat

    rules = find_game(game)
    mine = frozenset(range(rules.seats) if alone else people or (0,))
    if max(mine) >= rules.seats:
        raise InputError(None, None, "--seat", f"{game} has seats 0 to {rules.seats - 1}")
    if not no_record:
        _check_record(record)
    limit = Limit(nodes=nodes, worlds=worlds)
    opponents = _opponents(rules, mine, others, limit)
    advisor = PlayerConfig.from_text(hint_spec or default_spec(rules), limit)
    seed = secrets.randbelow(SEEDS) if seed is None else seed
    names = ["you" if seat in mine else opponents[seat].name for seat in range(rules.seats)]
    session = Session(
        game=rules,
        deal=deal(rules.layout, seed, number),
        board=number % rules.boards,
        seed=seed,
        id=f"{seed}-{number}",
        people=mine,
        others={seat: LocalSeat(player.make, limit) for seat, player in opponents.items()},
        names=names,
        hint=LocalSeat(advisor.make, limit),
        ask=_ask,
        say=click.echo,
        reasons=reasons,
    )
    log(f"{rules.spec}, deal {number} of seed {seed}; type help for help")
    for seat, player in sorted(opponents.items()):
        log(f"seat {seat}: {player.name}")
    try:
        session.play()
    except KeyboardInterrupt as stop:
        with contextlib.suppress(OSError):  # the terminal may be gone
            click.echo("")
        ctx.exit(exit_code(stop))
    finally:
        if not no_record:
            _save(session, record)


def _opponents(game: Game, mine: frozenset[int], texts: Sequence[str], limit: Limit) -> dict[int, PlayerConfig]:
    """Who plays each of the other seats, by ``SPEC`` for all or ``SEAT=SPEC`` for one."""
    from tricktake.strategies.player import default_spec, game_roles
    from tricktake.tournament.players import PlayerConfig

    everybody, by_seat = "", {}
    for text in texts:
        seat, equals, spec = text.partition("=")
        if not (equals and seat.strip().isdecimal()):
            if everybody:
                raise InputError(None, None, "--with", f"{everybody!r} and {text!r} for the same seats")
            everybody = text
        elif int(seat) >= game.seats or int(seat) in mine:
            raise InputError(None, None, "--with", f"seat {seat.strip()} is not one of the others")
        elif int(seat) in by_seat:
            raise InputError(None, None, "--with", f"seat {seat.strip()} is given twice")
        else:
            by_seat[int(seat)] = spec
    others = [seat for seat in range(game.seats) if seat not in mine]
    if not everybody and any(seat not in by_seat for seat in others):
        everybody = default_spec(game)
    players = {seat: PlayerConfig.from_text(by_seat.get(seat, everybody), limit) for seat in others}
    for player in players.values():
        player.require(game_roles(game), game_roles(game))
    return players


def _check_record(path: Path) -> None:
    """Raise InputError if the game could not be added to this file, before it is played."""
    from tricktake.records.formats import all_formats

    others = [form for form in all_formats() if form.name != FORMAT and path.name.lower().endswith(form.suffixes)]
    if not path.parent.is_dir():
        raise InputError(None, None, "--record", f"there is no folder {path.parent}")
    if others or path.suffix == ".gz":
        reason = (
            f"{path.name} is no name for JSON lines, which are written; tricktake convert makes other formats of them"
        )
        raise InputError(None, None, "--record", reason)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(None, None, "--record", f"{path} cannot be written")


def _ask(prompt: str) -> str | None:
    """The next line, None at the end. Input from a pipe is echoed, so that the output is complete."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            click.echo("")
            return None
    line = sys.stdin.readline()
    click.echo(f"{prompt}{line.rstrip()}")
    return line.rstrip("\n") if line else None


def _save(session: Session, path: Path) -> None:
    """Append the game to the file, finished or not."""
    if not session.table.events:
        log("nothing was played, nothing is saved")
        return
    from tricktake.records.formats import get_format

    text = get_format(FORMAT).text(session.record())
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)
    log(f"saved in {path.resolve()}: {'the game' if session.table.over else 'the unfinished game'} {session.id}")
