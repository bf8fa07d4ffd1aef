"""Tables, views and actions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs.exceptions import FrozenInstanceError

from tests.whist import DECK, Passing, Plain, Trumps, Whist
from tricktake.action import Action, Event, play
from tricktake.cards import bits
from tricktake.deal import Deal, Layout, deal
from tricktake.errors import IllegalAction
from tricktake.game import Game
from tricktake.phase import Phase, Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table


def play_out(table: Table, steps: int = 1000) -> Table:
    while table.turn is not None and steps:
        table.apply(table.legal()[-1])
        steps -= 1
    return table


def whist(number: int = 1) -> Table:
    game = Whist()
    return Table.start(game, deal(game.layout, 1, number))


@pytest.mark.parametrize("text", ["bid:18", "pass", "discard H9 CT", "play CA", "give ?? ??", "declare:GH C9"])
def test_actions_are_read_back(text: str) -> None:
    assert Action.from_text(text, DECK).to_text(DECK) == text


def test_actions_that_cannot_be_read() -> None:
    with pytest.raises(IllegalAction, match="empty"):
        Action.from_text("  ", DECK)
    with pytest.raises(ValueError, match="no card 'C2'"):
        Action.from_text("play C2", DECK)
    assert Action("give", cards=(3, 4)).redacted() == Action("give", hidden=2)


def test_a_game_from_start_to_score() -> None:
    table = play_out(whist())
    assert table.over
    assert sum(table.score().points) == 5
    assert len(table.events) == 4 + 20
    assert table.legal() == []
    assert table.actor is None
    with pytest.raises(IllegalAction, match="over"):
        table.apply(play(0))
    view = table.view(2)
    assert (view.phase, view.turn, view.to_decide, view.legal) == ("over", -1, False, ())
    assert len(view.tricks) == 5
    with pytest.raises(IllegalAction, match="not over"):
        whist().score()


def test_illegal_actions_are_explained_and_change_nothing() -> None:
    table = whist()
    other = next(bits(table.places[1]))
    with pytest.raises(IllegalAction, match=f"{DECK[other].name} is not in the hand"):
        table.apply(Action("give", cards=(other,)))
    with pytest.raises(IllegalAction, match=r"legal: give .., give"):
        table.apply(Action("bid", "18"))
    with pytest.raises(IllegalAction, match="seat 2 acts, but seat 0 is to act"):
        table.apply(table.legal()[0], 2)
    assert table.events == []


def test_what_a_seat_sees_of_the_exchange() -> None:
    table = whist()
    turned = table.place_index("turned")
    assert table.view(3).known[turned] == table.places[turned]
    first = table.view(0)
    assert first.to_decide
    assert first.hand_mask == table.places[0]
    assert not table.view(1).to_decide
    assert table.view(1).legal == ()
    assert first.unseen_mask.bit_count() == 24 - 5 - 1
    assert len(first.unseen()) + len(first.hand()) == 23
    own = table.legal()[0]
    table.apply(own)
    assert table.view(0).events == (Event(0, own),)
    assert table.view(1).events == (Event(0, Action("give", hidden=1)),)
    assert first.events == ()  # a view is a value: it does not grow
    with pytest.raises(FrozenInstanceError):
        first.seat = 1  # type: ignore[misc]
    table = play_out(table, 3)
    assert table.phase is not None
    assert table.phase.name == "tricks"
    assert table.view(0).known[1] == own.mask
    assert table.view(2).known[1] == 0


def test_undo_on_every_kind_of_table() -> None:
    table = play_out(whist(4), 13)
    views = [table.view(s) for s in range(4)]
    table.apply(table.legal()[0])
    assert [table.undo().view(s) for s in range(4)] == views
    while table.events:
        table = table.undo()
    assert table.view(0) == whist(4).view(0)

    game = Whist()
    start = Table.at_contract(game, deal(game.layout, 1, 4), Trumps("H"))
    further = play_out(Table.at_contract(game, deal(game.layout, 1, 4), Trumps("H")), 6)
    back = further.undo()
    assert len(back.events) == 5
    for _ in range(5):
        back = back.undo()
    assert back.view(1) == start.view(1)
    assert back.contract == Trumps("H")


def test_starting_at_a_contract() -> None:
    game = Whist()
    table = play_out(whist(5), 4)
    assert table.contract is not None
    played = Deal(game.layout, tuple(table.places))
    again = Table.at_contract(game, table.deal, game.contract(str(table.contract)), played)
    assert again.places == table.places
    assert again.tricks is not None
    assert table.tricks is not None
    assert again.tricks.rules == table.tricks.rules
    assert again.view(2).known[4] == played.masks[4]
    assert again.view(2).known[1] == 0


def test_replay_names_the_action_that_does_not_fit() -> None:
    table = play_out(whist(6), 8)
    game = table.game
    assert Table.replay(game, table.deal, table.events).view(0) == table.view(0)
    events = [*table.events[:3], table.events[4]]
    with pytest.raises(IllegalAction, match="action 4: seat"):
        Table.replay(game, table.deal, events)
    with pytest.raises(ValueError, match="another layout"):
        Table.start(game, deal(Layout(DECK, (6, 6, 6, 6)), 0, 0))


def test_people_may_write_actions_shorter() -> None:
    table = whist()
    card = table.legal()[0]
    assert table.game.parse(card.to_text(DECK).lower(), table) == card
    table = play_out(table, 4)
    action = table.legal()[0]
    assert table.game.parse(DECK[action.cards[0]].name, table) == action


class Dummy(Plain):
    """Seat 1 is seat 0's dummy once the first card is out."""

    def actor(self, table: Table, seat: int) -> int:
        return 0 if seat == 1 else seat

    def shown(self, table: Table) -> tuple[int, ...]:
        return (1,) if table.tricks and (table.tricks.table or table.tricks.tricks) else ()


def test_the_declarer_decides_for_the_dummy() -> None:
    suits = tuple(DECK.suits.index(card.suit) for card in DECK)
    game = Dummy(TrickRules(DECK, 3, suits, tuple(range(24))), 4)
    table = Table.start(game, deal(game.layout, 1, 1))
    assert table.view(2).known[1] == 0
    table.apply(table.legal()[0])
    assert (table.turn, table.actor) == (1, 0)
    assert table.view(0).legal != ()
    assert table.view(1).legal == ()
    assert table.view(2).known[1] == table.places[1]
    state = table.view(0).state(tuple(table.places))
    assert state.legal_cards_mask() == table.view(0).legal_cards_mask()


class Offer(Phase):
    """A phase that may be claimed by anybody, and one that is skipped."""

    name = "offer"

    @property
    def turn(self) -> int | None:
        return None if self.table.facts.get("done") else 0

    def legal(self) -> Sequence[Action]:
        return [Action("wait")]

    def apply(self, action: Action) -> None:
        pass

    def interruptions(self, seat: int) -> Sequence[Action]:
        return [Action("take")] if seat == 2 else []

    def interrupt(self, action: Action, seat: int) -> None:
        self.table.facts["done"] = seat


def test_interruptions_come_from_any_seat() -> None:
    game: Game = type("Offering", (Whist,), {"phases": (Offer, Passing, Tricks)})()
    table = Table.start(game, deal(game.layout, 1, 1))
    assert table.view(2).interruptions == (Action("take"),)
    assert table.view(1).interruptions == ()
    with pytest.raises(IllegalAction):
        table.apply(Action("take"), 1)
    table.apply(Action("wait"))
    table.apply(Action("take"), 2)
    assert table.facts["done"] == 2
    assert table.phase is not None
    assert table.phase.name == "passing"
    assert [event.seat for event in table.view(0).events] == [0, 2]
    assert table.undo().phase.name == "offer"
