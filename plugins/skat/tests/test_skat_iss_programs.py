"""Programs of others at the Skat server: what they say and how they read what is said, as their sources have it.

JSkat: github.com/b0n541/jskat, ``control.iss``: ``MessageGenerator``, ``MessageHandler``, ``MessageParser``. SkatGUI
and the computer players of the International Skat Server: ``client.ServerClient``, ``ServiceClient``, ``AIClient`` and
``common.Table`` of M. Buro's client, which is also the table of that server. go-skat: github.com/dranidis/go-skat.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from attrs import define, field
from tricktake_skat.deck import SKAT
from tricktake_skat.iss import server
from tricktake_skat.iss.client import Client, Plan
from tricktake_skat.iss.hall import Hall

from plugins.skat.tests.iss_company import NAMES, Company, Wire, by_lot
from tricktake.strategies.player import Player

TRANSCRIPT = Path(__file__).parent / "iss_jskat_transcript.txt"
PATIENCE = 300.0
CARD = {card.name for card in SKAT}

# -- how they read -----------------------------------------------------------------------------------------------------


def read_by_jskat(line: str) -> str:
    """What ``MessageHandler`` and ``MessageParser`` do with a line; the kind of a move, else the command."""
    first, *params = line.split()
    match first:
        case "Welcome":
            assert int(float(params[-1])) == 14
        case "clients" | "tables" if params[0] == "-":
            assert params[1]
        case "clients":
            int(params[4])
            float(params[5])
        case "tables":
            int(params[2])
            int(params[3])
            assert params[4:7]
        case "create":
            int(params[2])
        case "invite":
            assert params[2]
        case "table":
            return jskat_at_table(params[2], params[3:])
        case _:
            assert first in ("password:", "destroy", "error", "yell")
    return first


def jskat_at_table(command: str, details: list[str]) -> str:
    if command == "state":
        for place in range(int(details[0])):
            block = details[10 * place + 5 : 10 * place + 16]
            assert len(block) == 11
            if block[0] != ".":
                [int(block[n]) for n in (2, 3, 4, 5, 6, 8, 9)]
    elif command == "start":
        int(details[0])
        [float(details[n]) for n in (2, 4, 6)]
    elif command == "play":
        [float(seconds) for seconds in details[-3:]]
        assert details[0] in ("w", "0", "1", "2")
        return jskat_move(details[1])
    elif command == "tell":
        assert details[0]
    elif command == "end":
        moves = next(value.split() for key, value in re.findall(r"(\w+)\[(.*?)\]", " ".join(details)) if key == "MV")
        for who, word in zip(moves[::2], moves[1::2], strict=True):
            assert who in ("w", "0", "1", "2")
            jskat_move(word)
    else:
        assert command in ("go", "error")
    return command


def jskat_move(word: str) -> str:
    """``getMoveInformation``: by the word, its length and what it begins with."""
    if word in ("y", "p", "s", "RE", "??.??"):
        return word
    if word.startswith(("TI.", "LE.", "SC")):
        cards = word[3:].split(".") if len(word) > 2 else []
        assert word[3] in "012" if word[:2] != "SC" else set(cards) <= CARD
        return word[:2]
    if word in CARD:
        return "card"
    if word.isdecimal():
        return "bid"
    if len(word) == 95:
        hands = word.split("|") if "|" in word and "??" in word else [word[:29], word[30:59], word[60:89], word[90:]]
        assert [len(hand.split(".")) for hand in hands] == [10, 10, 10, 2]
        assert {card for hand in hands for card in hand.split(".")} <= CARD | {"??"}
        return "deal"
    if len(word) == 5:
        assert set(word.split(".")) <= CARD
        return "skat"
    name, *cards = word.split(".")
    assert re.fullmatch("[GCSHDN][OHSZ]*", name)
    hand = "H" in name[1:] or ("O" in name and name[0] != "N")
    assert len(cards) in ((0, 10) if hand else (2, 12))
    return "declaration"


@define
class SkatGui:
    """What ``ServiceClient`` and ``Table`` do with the lines of one connection; at most of their errors it exits."""

    tables: set[str] = field(factory=set)
    games: set[str] = field(factory=set)

    def read(self, line: str) -> None:
        first, *rest = line.split()
        if first == "clients":
            assert len(rest) == (10 if rest[0] == "+" else 2)
            for number in (*rest[2:3], *rest[4:5], *rest[6:]):
                int(number)
        elif first == "tables":
            assert len(rest) >= 8 if rest[0] == "+" else len(rest) == 2
        elif first == "create":
            assert rest[2] in ("3", "4")
            assert f"{rest[0]}/{rest[1]}" not in self.tables
            self.tables.add(f"{rest[0]}/{rest[1]}")
        elif first == "destroy":
            self.tables.remove(f"{rest[0]}/{rest[1]}")
        elif first == "table":
            assert f"{rest[0]}/{rest[1]}" in self.tables
            self.at_table(rest[0], rest[1], rest[2], rest[3:])

    def at_table(self, table: str, here: str, command: str, words: list[str]) -> None:
        if command == "state":
            assert len(words) == 1 + 4 + 40 + 2
            for place in range(4):
                [int(number) for number in words[7 + 10 * place : 15 + 10 * place]]
            assert words[45] in ("true", "false")
            int(words[46])
        elif command == "start":
            self.games.add(table)
            int(words[0])
            [float(words[n]) for n in (2, 4, 6)]
            assert (here in words[1:7:2]) == (len(words) == 7)
            if len(words) > 7:  # who does not play needs a way to look, and a record
                assert words[7] == "p"
                self.record(" ".join(words[8:]))
        elif command == "play":
            assert table in self.games
            assert len(words) == 5
        elif command == "end":
            self.record(" ".join(words))

    def record(self, text: str) -> None:
        assert text.startswith("(;")
        assert text.endswith(";)")
        keys = re.findall(r"([A-Z0-9]+)\[", text)
        assert set(keys) <= {"GM", "PC", "CO", "SE", "ID", "DT", "OW", "P0", "P1", "P2", "R0", "R1", "R2", "MV", "R"}


@pytest.mark.parametrize("names", [NAMES, (*NAMES, "dan")])
def test_they_can_read_every_line(names: tuple[str, ...]) -> None:
    company = Company(by_lot, games=16, names=names, lookers=("eve",))
    company.run()
    late = company.hall.login("late", "pw", Wire())
    company.hall.line(late, "yell anybody here?")
    kinds = set()
    for wire in company.wires.values():
        gui = SkatGui()
        for line in wire.lines:
            kinds.add(read_by_jskat(line))
            gui.read(line)
        assert not gui.tables
    kinds |= {read_by_jskat(line) for line in late.wire.lines}  # type: ignore[union-attr]
    moves = {"deal", "bid", "y", "p", "s", "skat", "??.??", "declaration", "card"}
    assert kinds >= {"Welcome", "clients", "tables", "create", "invite", "state", "start", "go", "end", "yell"} | moves


@pytest.mark.parametrize("how", ["TI", "LE", "RE", "SC"])
def test_they_can_read_how_a_game_ends_early(how: str) -> None:
    company = Company(Player.from_spec("skat:rule").decide, games=1, seed=2, lookers=("eve",))
    hall = company.hall
    for _ in company.steps():
        game = company.board()
        if game is not None and len(game.table.events) >= 30:
            break
    declarer = game.order[game.table.contract.declarer]
    if how == "SC":  # is for the declarer only, and ends the game if that proves it won
        other = game.order[game.table.contract.declarer - 1]
        hall.line(hall.guests[other], f"table .1 {other} play SC")
        assert company.wires[other].lines[-1] == f"table .1 {other} error play : _only_declarer_can_show"
    if how == "TI":
        company.clock.wait(241.0)
    else:
        hall.line(hall.guests[declarer], f"table .1 {declarer} {'leave' if how == 'LE' else f'play {how}'}")
    assert len(company.kept) == 1
    if how == "SC":  # their computer players send a card at once after it
        hall.line(hall.guests[declarer], f"table .1 {declarer} play CJ")
        assert company.wires[declarer].lines[-1] == f"table .1 {declarer} error play : _game_not_started"
    for wire in company.wires.values():
        gui = SkatGui()
        for line in wire.lines:
            read_by_jskat(line)
            gui.read(line)
        assert any(f" {how}" in line and " play " in line for line in wire.lines)


# -- what they say -----------------------------------------------------------------------------------------------------


def spelled_by_jskat(word: str) -> str:
    """A declaration with the letters in the order of ``getGameTypeString``: Hand, ouvert, Schneider, Schwarz."""
    name, *cards = word.split(".")
    if not re.fullmatch("[GCSHDN][HOSZ]*", name) or word in CARD:
        return word
    flags = set(name[1:]) | ({"H", "S", "Z"} if "O" in name and name[0] != "N" else set())
    return ".".join([name[0] + "".join(letter for letter in "HOSZ" if letter in flags), *cards[:2]])


def test_a_session_of_jskat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Line by line what JSkat sends for its buttons in one session with two of our bots, and what it is answered."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "0123abcd")
    hall, log = Hall(4, lambda seconds, call: lambda: None, now=lambda: 0.0), []
    bots = {name: Client(Plan(name, "pw"), by_lot, seed=4) for name in ("rob", "eve")}
    wires = {name: Wire() for name in (*bots, "foo")}
    wires["foo"].log = log
    foo = Client(Plan("foo", "secret"), by_lot, seed=4)  # decides what to click on
    read = dict.fromkeys(wires, 0)

    def listen() -> None:
        """Let all read what they were told, and the bots answer."""
        while any(read[name] < len(wire.lines) for name, wire in wires.items()):
            for name, wire in wires.items():
                client = bots.get(name, foo)
                while read[name] < len(wire.lines):
                    line = wire.lines[read[name]]
                    read[name] += 1
                    client.line(line)
                    if name in bots and " play " in line and (word := client.own_move()) is not None:
                        client.say_move(word)
                    while name in bots and client.to_send:
                        hall.line(hall.guests[name], client.to_send.pop(0))
        foo.to_send.clear()

    def click(line: str) -> None:
        log.append(f"> {line}")
        hall.line(hall.guests["foo"], line)
        listen()

    for name in bots:
        hall.login(name, "pw", wires[name])
    hall.login("foo", "secret", wires["foo"])
    listen()
    for button in ("yell Guten Abend", "create / 3", "table .1 foo gametalk", "table .1 foo 34", "table .1 foo 34"):
        click(button)
    for button in ("invite rob", "invite eve", "tell viel Glück", "ready"):
        click(f"table .1 foo {button}")
    while not foo.finished:
        word = foo.own_move()
        assert word is not None
        click(f"table .1 foo play {spelled_by_jskat(word)}")
    click("table .1 foo ready")
    click("table .1 foo play RE")  # too early: there is no contract yet
    click("table .1 foo leave")
    click("observe .1")
    click("table .1 foo leave")
    for line in wires["foo"].lines:
        read_by_jskat(line)
    assert log == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", ["GH", "GHS", "GHSZ", "GHOSZ", "NHO", "NO", "CHS", "H"])
def test_declarations_as_jskat_spells_them(name: str) -> None:
    from tricktake_skat.contract import SkatContract

    contract = SkatContract.declared(0, name)
    assert set(contract.name) == set(name)


def test_invitations_of_go_skat() -> None:
    """It invites two in one line, here by the same name."""
    hall = Hall(1, lambda seconds, call: lambda: None)
    wires = {name: Wire() for name in ("goskat", "xskat")}
    for name, wire in wires.items():
        hall.login(name, "pw", wire)
    hall.line(hall.guests["goskat"], "create / 3")
    hall.line(hall.guests["goskat"], "table .1 goskat invite xskat xskat kermit")
    invitations = [line for line in wires["xskat"].lines if line.startswith("invite")]
    assert len(invitations) == 1
    assert wires["goskat"].lines[-1] == "table .1 goskat error invite : _player_not_connected_colon kermit"
    hall.line(hall.guests["xskat"], f"join .1 {invitations[0].split()[3]}")
    assert "xskat" in hall.tables[".1"].seats


@define
class ComputerPlayer(Client):
    """``AIClient``: ready as soon as it comes to a table and after each game, whatever the state; asks the time."""

    def line(self, line: str) -> None:
        super().line(line)
        words = line.split()
        if words[0] == "create" or (words[3:4] == ["end"] and not self.over):
            self._say("ready")
            self.to_send.append("time")

    def _state(self, words: object) -> None:
        pass


@pytest.mark.parametrize("names", [NAMES, (*NAMES, "dan")])
def test_computer_players_of_the_international_skat_server(names: tuple[str, ...]) -> None:
    company = Company(by_lot, games=6, names=names, guest=ComputerPlayer)
    company.run()
    assert len(company.kept) == 6
    assert [client.errors for client in company.players.values()] == [[]] * len(names)
    time = next(line for line in company.wires["bob"].lines if line.startswith("time"))
    assert re.fullmatch(r"time \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", time)


def test_logins_as_they_do_it() -> None:
    """JSkat says its name at once and the password when asked; SkatGUI wants exactly ``password:``, then a version."""

    async def run() -> None:
        hall = Hall(3, server.later)
        async with server.listening(hall, "127.0.0.1", 0) as port, asyncio.timeout(PATIENCE):
            for name, end in (("jskat", "\r\n"), ("skatgui", "\n"), ("goskat", "\n")):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"{name}{end}".encode())
                assert await reader.readline() == b"password:\n"
                writer.write(f"secret{end}".encode())
                welcome = (await reader.readline()).decode().split()
                assert welcome[:2] == ["Welcome", name]
                assert int(float(welcome[-1])) == 14
                version = welcome[welcome.index("version") + 1].split(".")
                assert version[0] == "14"
                assert len(version) > 1  # SkatGUI looks at the second part before it compares the first
                writer.close()

    asyncio.run(run())


# -- a server of theirs ------------------------------------------------------------------------------------------------


def test_our_client_at_the_international_skat_server() -> None:
    """Lines as ``common.Table`` writes them where our server does not: a score sheet, a game resumed from a record."""
    client = Client(Plan("tom", "pw"), Player.from_spec("skat:rule").decide)
    for line in (
        "password:",
        "Welcome tom to the International Skat Server version 14.21",
        "create .3 tom 3 -1 3 ? ? ? 0",
        "table .3 tom state 3 tom xskat xskat:2 . " + "tom . 0 0 0 0 0 0 1 0 " * 4 + "true 1",
    ):
        client.line(line)
    assert client.to_send == ["pw"]  # not ready: a game runs
    deal = "H8.H9.S7.S8.S9.SQ.SA.D7.C9.CA|" + "|".join([".".join(["??"] * 10)] * 2) + "|??.??"
    client.line(
        f"table .3 tom start 1 tom 200.0 xskat 240.0 xskat:2 240.0 ! (;GM[Skat]PC[ISS]OW[0]MV[w {deal} 1 18 ]R[] ;)"
    )
    assert client.seen is not None
    assert len(client.seen.events) == 1
    assert client.own_move() in ("y", "p")
    client.line("table .3 tom play 0 p 199.0 240.0 240.0")
    client.line("table .3 tom play 2 p 199.0 240.0 240.0")
    client.line("table .3 tom play 1 s 199.0 240.0 240.0")
    client.line("table .3 tom play w ??.?? 199.0 240.0 240.0")
    client.line("table .3 tom play 1 G.??.?? 199.0 240.0 240.0")
    assert client.own_move() in CARD
    client.line("table .3 tom play 1 SC.CJ.SJ.HJ.DJ.CT.CK.HA.HT.HK.DA 199.0 240.0 240.0")
    assert client.uncertain
    assert client.own_move() in CARD  # there the game goes on until the others give up
