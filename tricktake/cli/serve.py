"""``tricktake serve``: tables for people and programs, in the browser."""

from __future__ import annotations

import errno
import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tricktake.cli.common import log
from tricktake.cli.names import GAME, FilePath
from tricktake.cli.options import JOBS
from tricktake.errors import InputError

EXTRA = ("starlette", "uvicorn", "websockets")
STORE = Path("tricktake-server.sqlite")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
HOST = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?")
GRACE = 3  # seconds for open connections when the server is stopped


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 for everybody.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 for any free one.")
@click.option("--name", "names", multiple=True, metavar="HOST[:PORT]",
              help="A name under which others reach the server. Repeat it.")  # fmt: skip
@click.option("--store", type=FilePath(dir_okay=False, path_type=Path), default=STORE, show_default=True,
              help="Accounts, tables and games are kept in this file.")  # fmt: skip
@click.option("--workers", type=JOBS, default=2, show_default=True,
              help="Processes in which bots think.")  # fmt: skip
@click.option("--warm", type=GAME, multiple=True,
              help="Load the bots of this game at once. Repeat it. [default: of the game offered first]")  # fmt: skip
@click.option("--cold", is_flag=True, help="Load no bots before they are needed.")
@click.option("--invite", type=click.IntRange(min=0), default=0, help="Print links of this many invitations.")
@click.option("--bot", "bots", multiple=True, metavar="NAME", help="Make an account for a program, print its token.")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    store: Path,
    workers: int,
    warm: tuple[str, ...],
    cold: bool,
    invite: int,
    bots: tuple[str, ...],
) -> None:
    """Serve tables in the browser: open the link that is printed.

    The link holds the token of the host's account, so keep it to yourself; others get an invitation (--invite, or in
    the page). Ctrl-C stops the server; games go on where they were when it is started again with the same --store.
    """
    from tricktake.game import find_game, front_game

    missing = [name for name in EXTRA if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"needs {', '.join(missing)}; install it with: pip install 'tricktake[serve]'"
        raise InputError(None, None, "tricktake serve", reason)
    for name in names:
        if HOST.fullmatch(name) is None:
            raise InputError(None, None, "--name", f"{name!r:.200} is not HOST[:PORT], such as cards.example.org:8765")
    if cold:
        warm = ()
    elif not warm and (front := front_game()):
        warm = (front.name,)
    for name in warm:
        find_game(name)  # a wrong one is an error now, not when the server runs
    _serve(host, port, names, store, workers, warm, invite, bots)


def _serve(
    host: str,
    port: int,
    names: Sequence[str],
    path: Path,
    workers: int,
    warm: Sequence[str],
    invite: int,
    bots: Sequence[str],
) -> None:
    import socket

    import uvicorn

    from tricktake.server.app import make_app
    from tricktake.server.limits import Limits
    from tricktake.server.server import Server
    from tricktake.server.store import Store
    from tricktake.server.thinking import Thinking

    limits = Limits()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that asyncio sets TCP_NODELAY
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, UnicodeError, TypeError) as error:  # a name that cannot be encoded is an error of its type
        taken = isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES)
        said = error.strerror if isinstance(error, OSError) else "no name of a host"
        reason = f"cannot listen at {host:.200} port {port}: {said}" + ("; --port 0 takes one that is free" * taken)
        raise InputError(None, None, "--port" if taken else "--host", reason) from None
    port = listening.getsockname()[1]
    server = Server(Store(path), limits, Thinking(workers))
    hosts = [name if ":" in name.rpartition("]")[2] else f"{name}:{port}" for name in (*names, *LOOPBACK, host)]
    hosts += list(names)  # behind a proxy at the usual port
    link = f"http://{hosts[0] if names else f'127.0.0.1:{port}'}/"
    log(f"open {link}#token={server.accounts.host_token()}")
    for _ in range(invite):
        log(f"invitation: {link}#invitation={server.accounts.invite()}")
    for name in bots:
        account, token = server.accounts.add(name, bot=True)
        log(f"token of {account.name}: {token}")
    settings: dict[str, Any] = {
        "log_level": "warning",
        "access_log": False,  # nothing of anybody is written down
        "ws": "websockets-sansio",
        "ws_max_size": 4 * limits.message,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 20.0,
        "h11_max_incomplete_event_size": 1 << 14,
        "server_header": False,
        "timeout_graceful_shutdown": GRACE,
        "lifespan": "on",
    }
    uvicorn.Server(uvicorn.Config(make_app(server, hosts, warm), **settings)).run(sockets=[listening])
