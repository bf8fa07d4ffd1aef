"""The web application: the page, what it fetches, and the websocket (docs/server.md)."""

from __future__ import annotations

import contextlib
import importlib.resources
from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from tricktake import faces
from tricktake.errors import InputError, TricktakeError, UnknownName
from tricktake.game import Game, find_game, front_game
from tricktake.messages import game_to_json
from tricktake.messages.rules import rules_to_json
from tricktake.plugins import manager
from tricktake.records.formats import Chunk, all_formats, get_format, parsed
from tricktake.server.connection import Connection
from tricktake.server.engine import EngineSeat
from tricktake.server.plan import offered_bots, parts, sizes
from tricktake.server.review import SECONDS, Review, Upload
from tricktake.server.server import Server
from tricktake.server.store import Account
from tricktake.steering import sorting
from tricktake.strategies.player import default_spec

FILES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
RECENT = 50  # games in the list of an account's last ones

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class Guard:
    """Refuses requests for other hosts and websockets from other pages, and adds the headers of every answer.

    hosts: names with ports under which the server is reached. A page of another origin could otherwise talk to a server
    on this machine through the browser, by a name that leads here, too. Programs send no origin.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        sockets = " ".join(
            f"{scheme}://{host}" for host in sorted(self.hosts) if host[0] != "[" for scheme in ("ws", "wss")
        )
        self.headers = [
            (name.encode(), value.replace("{sockets}", sockets).encode()) for name, value in HEADERS.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        foreign = origin is not None and urlsplit(origin).netloc not in self.hosts
        if headers.get(b"host", "") not in self.hosts or foreign:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008, "reason": "another host or origin"})
            else:
                await PlainTextResponse("another host or origin\n", 403)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *self.headers]}
            await send(message)

        await self.app(scope, receive, with_headers)


def make_app(server: Server, hosts: Sequence[str], warm: Sequence[str] = ()) -> ASGIApp:
    """The application of a server, reached under these hosts (``name:port``). warm: games whose bots are loaded."""

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        server.start()
        server.warm(*warm)
        yield
        server.close()

    pages = Pages(server)

    async def play(websocket: WebSocket) -> None:
        await Connection(server, websocket).run()

    async def engine(websocket: WebSocket) -> None:
        await EngineSeat(server, websocket).run()

    routes = [
        Route("/", pages.file),
        Route("/web/{name}", pages.file),
        Route("/api/games", pages.games),
        Route("/api/game", pages.game),
        Route("/api/ratings", pages.ratings),
        Route("/api/mine", pages.mine),
        Route("/api/record", pages.record),
        Route("/api/review", pages.review, methods=["GET", "POST"]),
        Route("/api/upload", pages.upload, methods=["POST"]),
        WebSocketRoute("/play", play),
        WebSocketRoute("/engine", engine),
    ]
    return Guard(Starlette(routes=routes, lifespan=life, exception_handlers={TricktakeError: _wrong}), hosts)


async def _wrong(request: Request, error: Exception) -> Response:
    reason = {"field": error.field, "reason": error.reason} if isinstance(error, InputError) else {"reason": str(error)}
    return JSONResponse(reason, 404 if isinstance(error, UnknownName) else 400)


class Pages:
    """What is fetched. Everything but the page itself needs the token of an account (``Authorization: Bearer``)."""

    def __init__(self, server: Server) -> None:
        self.server = server
        folder = importlib.resources.files("tricktake.server") / "web"
        self.files = {
            each.name: (each.read_bytes(), FILES[each.name[each.name.rindex(".") :]])
            for each in folder.iterdir()
            if "." in each.name and each.name[each.name.rindex(".") :] in FILES
        }
        self.files["faces.js"] = (b"export default " + faces.source(), FILES[".js"])

    async def file(self, request: Request) -> Response:
        """The page, and the files it consists of."""
        name = request.path_params.get("name", "index.html")
        if name not in self.files:
            return PlainTextResponse("no such file\n", 404)
        data, kind = self.files[name]
        return Response(data, media_type=kind)

    async def games(self, request: Request) -> Response:
        """The games there are."""
        self._account(request)
        found, front = [], front_game()
        for name, game in manager().games.items():
            facts = {"game": name, "summary": game.summary, "seats": game.seats, "chairs": game.chairs}
            facts["front"] = game is front
            tables = [{"spec": one.spec, "seats": one.seats, "chairs": one.chairs} for one in sizes(name)]
            found.append({**facts, "series": game.series, "score_unit": game.score_unit, "tables": tables})
        return JSONResponse(found)

    async def game(self, request: Request) -> Response:
        """One game: its description, its bots, how a hand is sorted before it is known what is played."""
        self._account(request)
        game = _game(request)
        order = sorting(game)
        about = {
            "order": None if order is None else rules_to_json(order, game.layout),
            "bots": {name: {"spec": spec, "parts": parts(spec)} for name, spec in offered_bots(game).items()},
            "chairs": game.chairs,
            "player": default_spec(game),
            "formats": [form.name for form in all_formats() if form.game in (None, game.name)],
        }
        return JSONResponse({**game_to_json(game), **about})

    async def ratings(self, request: Request) -> Response:
        """The rating list of a game."""
        self._account(request)
        return JSONResponse(await self.server.ratings.of(_game(request).spec))

    async def mine(self, request: Request) -> Response:
        """The last games of this account."""
        account = self._account(request)
        found = []
        for game in self.server.store.recent(account.id, RECENT):
            facts = {"id": game.id, "game": game.game, "ended": game.ended, "rated": game.rated}
            you = game.accounts.index(account.id)
            found.append({**facts, "players": list(game.players), "points": list(game.points), "you": you})
        return JSONResponse(found)

    async def record(self, request: Request) -> Response:
        """The record of a game (``id``), or of all finished games of a table (``table``), in a ``format``."""
        account = self._account(request)
        asked, form = request.query_params, get_format(request.query_params.get("format", "jsonl"))
        if "table" in asked:
            number = asked["table"]
            games = self.server.store.games_at(int(number)) if number.isdecimal() and len(number) < 18 else []
        else:
            games = [found for found in [self.server.store.game(asked.get("id", ""))] if found is not None]
        games = [game for game in games if self.server.may_see(account, game)]
        if not games:
            raise InputError(None, None, "id", "no finished game that you may see")
        lines = (parsed(get_format("jsonl"), Chunk(1, game.record), None, game.id) for game in games)
        text = "".join(form.texts(lines))
        name = f"{games[0].id if len(games) == 1 else games[0].at}{form.suffixes[0] if form.suffixes else '.txt'}"
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{name}"'})

    async def review(self, request: Request) -> Response:
        """A game looked at again: a stored one by ``id``, or a record that is sent (a line of JSON)."""
        account = self._account(request)
        language = request.query_params.get("language", "en")[:5]
        if request.method == "POST":
            data = await self._body(request)
            task = Review(_game(request).spec, data.decode("utf-8", "replace"), language)
        else:
            game = self.server.store.game(request.query_params.get("id", ""))
            if game is None or not self.server.may_see(account, game):
                raise InputError(None, None, "id", "no finished game that you may see")
            task = Review(game.game, game.record, language)
        return await self._done(task)

    async def upload(self, request: Request) -> Response:
        """The records of a file, as lines of JSON to choose from. ``name``: of the file."""
        self._account(request)
        data = await self._body(request)
        name = request.query_params.get("name", "records")[:100]
        return await self._done(Upload(_game(request).spec, data, name, self.server.limits.records))

    async def _done(self, task: Upload | Review) -> Response:
        try:
            return JSONResponse(await self.server.thinking.do(task, SECONDS))
        except RuntimeError as error:
            return JSONResponse({"reason": str(error).splitlines()[-1][:300]}, 500)

    async def _body(self, request: Request) -> bytes:
        """What was sent. Raises InputError if it is too much, before all of it is read."""
        out = bytearray()
        async for chunk in request.stream():
            out += chunk
            if len(out) > self.server.limits.upload:
                raise InputError(None, None, "upload", f"is larger than {self.server.limits.upload} bytes")
        return bytes(out)

    def _account(self, request: Request) -> Account:
        """Who asks. Raises InputError."""
        return self.server.accounts.of_header(request.headers.get("authorization", ""))


def _game(request: Request) -> Game:
    return find_game(request.query_params.get("game", "")[:200])
