"""Our players at the tables of a server: an engine that calls its host over a websocket, instead of being started."""

from __future__ import annotations

import time
from collections.abc import Callable

from tricktake.engine.serve import Service, quits
from tricktake.errors import InputError
from tricktake.messages import MAX_LINE, line
from tricktake.strategies.player import Player
from tricktake.strategies.strategy import tell

REFUSED = range(4000, 5000)  # codes a host has for reasons of its own
POLICY = 1008  # of RFC 6455: what we said was not accepted
TRIES = 8  # to come back after a break, each a little later: two minutes in all
MOST_WAIT = 30.0  # seconds before a try


def play(player: Player, name: str, url: str, token: str, said: Callable[[str], None] = lambda line: None) -> None:
    """Decide for the seat a host has at ``url`` until it says quit. said: is told of breaks.

    token: of the account there, sent as ``Authorization: Bearer``. Raises InputError if the host cannot be reached or
    refuses.
    """
    tries = TRIES  # the first time it has to be there
    try:
        while True:
            try:
                _answer(url, token, Service(player, name))
                return
            except EOFError as error:
                tries = 0
                said(f"the connection to {url} broke: {error}")
            except OSError as error:
                if tries == TRIES:
                    raise InputError(None, None, url, f"cannot be reached: {error}") from None
                tries += 1
            time.sleep(min(MOST_WAIT, 0.5 * 2**tries))
    finally:
        tell(player, "close")


def _answer(url: str, token: str, service: Service) -> None:
    """Until the host quits. Raises EOFError if the connection breaks, InputError if the host ends it for a reason."""
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
    from websockets.sync.client import connect

    try:
        with connect(url, additional_headers={"Authorization": f"Bearer {token}"}, max_size=MAX_LINE) as socket:
            for message in socket:
                if quits(message):
                    return
                reply = service.answer(message)
                if reply is not None:
                    socket.send(line(reply).decode("ascii").rstrip())
            raise EOFError("it was closed")
    except InvalidURI:
        raise InputError(None, None, url, "is no address such as ws://127.0.0.1:8765/engine?table=3") from None
    except InvalidHandshake as error:
        raise InputError(None, None, url, f"is no table for engines: {error}") from None
    except ConnectionClosed as closed:
        if closed.rcvd is not None and (closed.rcvd.code == POLICY or closed.rcvd.code in REFUSED):
            raise InputError(None, None, url, f"closed the connection: {closed.rcvd.reason}") from None
        raise EOFError(str(closed)) from None
