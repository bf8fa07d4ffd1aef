"""Programs of others at the table: their sentences, as their sources have them, and OpenSpiel's manager itself."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from attrs import define, field
from tricktake_bridge.table_manager.player import Player
from tricktake_bridge.table_manager.words import NAMES, Note, call_text, read_board, read_call, read_cards, read_play

from plugins.bridge.tests.test_bridge_table_manager import Room, boards, by_lot
from tricktake.action import Action
from tricktake.records.formats import get_format
from tricktake.search.limit import Limit
from tricktake.view import View

# -- how each of them says what our player says ------------------------------------------------------------------------


def wbridge5(line: str) -> str:
    """``WEST PASSES``, ``WEST ready for  NORTH's bid``, ``WEST plays kc`` (OpenSpiel, ``bluechip_bridge``)."""
    for name in NAMES:
        line = re.sub(rf"\b{name}\b", name.upper(), line)
    line = re.sub(r"\b(passes|doubles|redoubles)\b", lambda match: match[0].upper(), line)
    return re.sub(r"plays (\w\w)", lambda match: f"plays {match[1].lower()}", line)


def robobridge(line: str) -> str:
    """Two blanks after ``for``; whoever is dummy waits for ``dummy's card`` (``TableManagerClient``)."""
    return re.sub(r"ready for Dummy", "ready for  dummy", line)


def ben(line: str) -> str:
    """``ready for dummy's card``, and an explanation with every call (``table_manager_client``)."""
    said = re.sub(r"ready for Dummy", "ready for dummy", line)
    return re.sub(r"(bids \w+)$", r"\1 Infos. 12-14 hcp; Rescue.", said)


SPEAKERS = (wbridge5, robobridge, wbridge5, ben)


def read_by_ben(line: str) -> None:
    """What ``table_manager_client`` does with a line; it ends where one of these fails."""
    words = line.split()
    if line.startswith("Teams"):
        assert re.findall(r'N/S : "([^"]+)" E/W : "([^"]+)"(?:.*?Playing (\w+))?', line)
    elif line.startswith("Board"):
        assert re.search(r"Board number (\d+)\.", line)
        match = re.search(r"(?P<dealer>[a-zA-Z]+?)\.\s(?P<vuln>.+?)\svulnerable", line)
        assert match is not None
        assert match["vuln"] in {"Neither", "N/S", "E/W", "Both"}
        assert match["dealer"] in NAMES
    elif "'s cards" in line:
        hand = line[line.index(":") + 1 : line.rindex(".")]
        suits = re.sub("[ SHDC-]", "", hand).split(".")
        assert len(suits) == 4
        assert sum(map(len, suits)) == 13
    elif len(words) > 1 and words[1] in ("bids", "plays"):
        assert words[0] in NAMES
        assert re.fullmatch(r"[1-7](C|D|H|S|NT)" if words[1] == "bids" else r"[2-9TJQKA][CDHS]", words[2])


def read_by_robobridge(line: str) -> None:
    """What ``TableManagerClient`` and its parser of times do with a line."""
    if line.startswith("Teams"):
        for side in ("N/S", "E/W"):
            assert re.search(rf'{side} : "[^"]+"', line)
    elif line.startswith("Board"):
        number, dealer, vulnerable = line.split(".")[:3]
        assert int(number[13:]) > 0
        assert dealer[8:] in NAMES
        assert vulnerable[1:] in ("Neither vulnerable", "N/S vulnerable", "E/W vulnerable", "Both vulnerable")
    elif line.startswith("Timing"):
        for side in line.removesuffix(".").split("."):
            board, total = side.split(",")
            assert re.fullmatch(r"\d\d:\d\d", board[board.index("board") + 6 :].strip())
            assert re.fullmatch(r"\d+:\d\d:\d\d", total[total.index("total") + 6 :].strip())
    elif "'s cards" in line:
        suits = line[2 + line.index(":") :].split(".")
        assert [suit.strip()[0] for suit in suits[:4]] == list("SHDC")
    elif "seated" not in line and "plays" in line:
        assert line.split()[0] in NAMES


def test_a_table_of_four_programs() -> None:
    """Whoever speaks like WBridge5, RoboBridge or Ben plays the same boards as one of us, and can read every line."""
    room, usual = Room(boards(6)), Room(boards(6))
    room.spoken = lambda seat, line: SPEAKERS[seat](line)
    assert [r.result for r in room.play().results] == [r.result for r in usual.play().results]
    assert room.manager.fault == ""
    heard = {line.removeprefix("< ") for _, line in room.said if line.startswith("<")}
    assert {line.split()[0] for line in heard} >= {"Teams", "Start", "Board", "Timing", "Dummy", *NAMES, "Dummy's"}
    for line in heard:
        read_by_ben(line)
        read_by_robobridge(line)


def test_what_is_said_of_a_call_is_for_the_opponents() -> None:
    room = Room(boards(3))
    room.spoken = lambda seat, line: ben(line)
    manager = room.play()
    heard = [(seat, line) for seat, line in room.said if line.startswith("<") and " bids " in line]
    assert heard
    for seat, line in heard:
        assert line.endswith(" Infos. 12-14 hcp; Rescue.") == (NAMES.index(line.split()[1]) % 2 != seat % 2)
    assert not any("texts" in record.notes for record in manager.results)  # nothing of it is an alert


def test_an_alert_without_a_text_is_kept_but_not_passed_on() -> None:
    room = Room(boards(3))
    room.spoken = lambda seat, line: f"{line} Alert." if " bids " in line else line
    manager = room.play()
    assert not any("Alert" in line for _, line in room.said if line.startswith("<"))
    records = [record for record in manager.results if record.contract]
    (again,) = get_format("pbn").loads(get_format("pbn").dumps(records[:1]))
    assert again.notes["marks"]["auction"]


# -- sentences of theirs, one by one -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("WEST PASSES", ("West", Action("pass"), None)),
        ("EAST bids 1C", ("East", Action("bid", "1C"), None)),
        ("EAST bids 2S Alert.H5*C5", ("East", Action("bid", "2S"), Note("H5*C5"))),
        ("north bids 1NT Alert. 12 to 14 total points", ("North", Action("bid", "1NT"), Note("12 to 14 total points"))),
        (
            "North bids 1NT Infos.(!(ps0911*pa0012*D8))",
            ("North", Action("bid", "1NT"), Note("(!(ps0911*pa0012*D8))", False)),
        ),
        ("East passes Infos. Rescue.", ("East", Action("pass"), Note("Rescue.", alert=False))),
        ("South redoubles.", ("South", Action("redouble"), None)),
    ],
)
def test_calls_of_theirs(line: str, call: Any) -> None:
    assert read_call(line) == call


def test_other_sentences_of_theirs() -> None:
    west = "WEST's cards: S A T 9 5. H K 6 5. D Q J 8 7 6. C 7."
    assert read_cards(west, "West").bit_count() == 13
    assert read_cards("North's cards : S 9 3. H -. D J 7 5. C A T 9 8 6 4 3 2.", "North").bit_count() == 13
    assert read_cards("North's cards : S J 8 5.H A K T 8.D.C A K T 7 6 3.", "North").bit_count() == 13
    assert read_board("Board number 8. Dealer WEST. Neither vulnerable.") == 7
    assert read_play("WEST plays kc") == ("West", read_play("Dummy plays KC.")[1])
    assert call_text(0, Action("bid", "1C"), Note("")) == "North bids 1C"


def test_a_session_as_bridge_moniteur_ends_it() -> None:
    player = Player(0, "x", by_lot)
    player.begin()
    for line in ('North ("x") seated', 'Teams : N/S : "x" E/W : "y"', "Start of board"):
        player.line(line)
    player.boards = 1
    player.line("Timing - N/S : this board  01:36,  total  0:01:36.  E/W : this board  01:34,  total  0:01:34")
    player.line('Teams : N/S : "x" E/W : "y"')
    assert not player.over
    player.line("NS:12 EW:3")
    assert player.over


# -- OpenSpiel's manager -----------------------------------------------------------------------------------------------


@define
class Controller:
    """One of our players, as OpenSpiel's manager reaches a program; it takes any place, and speaks like WBridge5."""

    player: Player
    ended: bool = False
    lines: list[str] = field(factory=list)

    def read_line(self) -> str:
        line = wbridge5(self.player.to_send.pop(0))
        return re.sub(r" as \w+ using", " as ANYPL using", line)

    def send_line(self, line: str) -> None:
        self.lines.append(line)
        self.player.line(line)

    def terminate(self) -> None:
        self.ended = True


def test_our_players_at_the_manager_of_openspiel() -> None:
    """Four players of ours, each at a manager that others wrote; OpenSpiel deals, and checks every call and card."""
    pyspiel = pytest.importorskip("pyspiel")
    managers = pytest.importorskip("open_spiel.python.bots.bluechip_bridge")
    game = pyspiel.load_game(managers.GAME_STR)
    rng = np.random.default_rng(18)
    calls: list[View] = []
    controllers = [Controller(Player(seat, "ours", by_lot, Limit(), seed=18, asked=calls.append)) for seat in range(4)]

    def reached(seat: int) -> Controller:
        controllers[seat].player.begin()
        return controllers[seat]

    bots = [managers.BlueChipBridgeBot(game, seat, lambda seat=seat: reached(seat)) for seat in range(4)]
    played = 0
    for _ in range(6):
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
        for bot in bots:
            bot.restart()
            bot.inform_state(state)
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
            for bot in bots:
                bot.inform_state(state)
        played += any(action < 52 for action in state.history()[52:])
    assert [controller.player.boards for controller in controllers] == [6] * 4
    assert not any(controller.ended for controller in controllers)
    assert played >= 3
    assert {view.phase for view in calls} == {"auction", "tricks"}
