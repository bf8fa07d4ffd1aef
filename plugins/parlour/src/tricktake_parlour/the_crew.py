"""The Crew: The Quest for Planet Nine (T. Sing, 2019), missions 1 to 10: together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.action import Action, play
from tricktake.cards import Deck, bits
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Phase
from tricktake.rules import TrickRules
from tricktake.strategies.strategy import Decision
from tricktake.table import Table
from tricktake.trick import Trick, best_card
from tricktake.view import View
from tricktake_parlour import bidder

COLOURS, ROCKET = "BGPY", "R"
DECK = Deck(COLOURS, "123456789", extra=tuple((f"R{n}", ROCKET, str(n)) for n in range(1, 5)))
COLOURED = sum(DECK.of_suit_mask(colour) for colour in COLOURS)
ONES, CAPTAIN = DECK.of_rank_mask("1") & COLOURED, DECK.card("R4").mask
FIRST, THEN, LAST = ">", ">>", "last"
BOARDS = 1000
STRIDE = 873_727  # between the draws of tasks of two boards, in the order of all draws; near the golden section
TELLS = ("highest", "lowest", "only")


@frozen
class Mission:
    """order: tokens that lie on the first tasks. silent: the radio tells a card, but not what it is of its colour."""

    tasks: int = 0
    order: tuple[str, ...] = ()
    silent: bool = False
    kind: str = "tasks"


SICK, ONE = "sick", "one"
MISSIONS = (
    *(Mission(1), Mission(2), Mission(2, ("1", "2")), Mission(3), Mission(kind=SICK), Mission(3, (FIRST, THEN), True)),
    *(Mission(3, (LAST,)), Mission(3, ("1", "2", "3")), Mission(kind=ONE), Mission(4)),
)


@frozen
class Flight:
    """The contract: the mission, its commander, the tasks of each seat ("B3", "B3#1" with a token), and who is sick."""

    mission: int
    commander: int
    tasks: tuple[tuple[str, ...], ...]
    sick: int = -1
    declarer: int = -1

    @property
    def kind(self) -> str:
        return MISSIONS[self.mission - 1].kind

    def __str__(self) -> str:
        seats = "/".join(",".join(tasks) or "-" for tasks in self.tasks)
        return f"{self.mission}:{self.commander}:{seats}" + f":{self.sick}" * (self.sick >= 0)

    def outcome(self, tricks: Sequence[Trick], last: bool) -> bool | None:
        """Whether the mission has succeeded; None while it is open. last: no trick follows."""
        if self.kind == SICK:
            return False if any(trick.winner == self.sick for trick in tricks) else last or None
        if self.kind == ONE:
            best = (trick.cards[(trick.winner - trick.leader) % len(self.tasks)] for trick in tricks)
            return any(ONES >> card & 1 for card in best) or (False if last else None)
        owners = {task: seat for seat, tasks in enumerate(self.tasks) for task in tasks}
        when: dict[str, int] = {}  # the trick in which a task was done
        for task, owner in owners.items():
            card = DECK.card(task.partition("#")[0]).index
            number = next((n for n, trick in enumerate(tricks) if card in trick.cards), None)
            if number is not None:
                if tricks[number].winner != owner:
                    return False
                when[task] = number
        if not all(_in_order(task, when, list(owners)) for task in owners):
            return False
        return True if len(when) == len(owners) else None


def _in_order(task: str, when: Mapping[str, int], tasks: Sequence[str]) -> bool:
    """Whether a task that was done was done when its token says; several in one trick are in any order."""
    token = task.partition("#")[2]
    if token == "" or task not in when:
        return True
    before = sum(number < when[task] for number in when.values())
    upto = sum(number <= when[task] for number in when.values())
    if token == THEN:
        return all(when.get(other, len(tasks) * 99) <= when[task] for other in tasks if other.endswith("#" + FIRST))
    return token == FIRST or (upto == len(tasks) if token == LAST else before < int(token) <= upto)


class Launch(phases.Round):
    """Who holds the four of rockets says so: the commander. Nobody is asked."""

    name = "launch"

    def order(self) -> Sequence[int]:
        return ()

    def options(self, seat: int) -> Sequence[Action]:
        return ()

    def close(self) -> None:
        table = self.table
        commander = next(seat for seat in range(table.seats) if table.places[seat] & CAPTAIN)
        table.facts["commander"] = commander
        table.reveal(commander, range(table.seats), CAPTAIN)
        sign(table)


def sign(table: Table, **more: int) -> None:
    """The contract by what is known so far."""
    assert isinstance(table.game, TheCrew)
    tasks = table.facts.get("tasks", ((),) * table.seats)
    table.contract = Flight(table.game.mission, table.facts["commander"], tasks, **more)


class Tasks(phases.Draft):
    """Beginning with the commander each takes a task, until none is left. Which lie there goes by the board."""

    def items(self) -> Sequence[str]:
        assert isinstance(self.table.game, TheCrew)
        rank, cards, found = self.table.board * STRIDE, list(bits(COLOURED)), []
        plan = self.table.game.plan
        for number in range(plan.tasks):
            rank, place = divmod(rank, len(cards))
            token = plan.order[number : number + 1]
            found.append("#".join([DECK[cards.pop(place)].name, *token]))
        return found

    def opener(self) -> int:
        return int(self.table.facts["commander"])

    def close(self) -> None:
        sign(self.table)


class HowAreYou(phases.Round):
    """The commander asks the others how they feel."""

    name = "health"

    def order(self) -> Sequence[int]:
        return [(self.table.facts["commander"] + n) % self.table.seats for n in range(1, self.table.seats)]

    def options(self, seat: int) -> Sequence[Action]:
        return (Action("say", "good"), Action("say", "bad"))


class SickBay(phases.Choice):
    """The commander says which of the others is sick."""

    name = "sick-bay"

    def chooser(self) -> int:
        return int(self.table.facts["commander"])

    def options(self) -> Sequence[Action]:
        return [Action("sick", str(seat)) for seat in range(self.table.seats) if seat != self.chooser()]

    def chosen(self, seat: int, action: Action) -> None:
        sign(self.table, sick=int(action.value))


class Radio(phases.Announcing):
    """Tricks; between two of them each may once show a card of a colour and say what it is among his of that colour."""

    def offers(self, seat: int) -> Sequence[Action]:
        if self.state.table or any(who == seat for who, _, _ in self.made):
            return ()
        assert isinstance(self.table.game, TheCrew)
        found = {}
        for colour in COLOURS:
            cards = list(bits(self.table.places[seat] & DECK.of_suit_mask(colour)))
            if len(cards) == 1:
                found[cards[0]] = "only"
            elif cards:
                found[cards[-1]], found[cards[0]] = "highest", "lowest"
        silent = self.table.game.plan.silent
        return [Action("tell", "card" if silent else word, (card,)) for card, word in found.items()]


class TheCrew(Game):
    """The Crew, missions 1 to 10, for four or five players who win or lose together.

    Cards: blue, green, pink and yellow from 1 to 9, rockets from 1 to 4, all dealt. Who holds the four of rockets is
    the commander and says so.
    Tasks: cards lie on the table; beginning with the commander each takes one until none is left. His task is to win
    the trick with that card. Tokens on tasks: 1, 2, 3: to be done first, second, third; > before >>; last.
    Play: the commander leads. Suit must be followed, rockets are trumps. Between tricks each may once show a card of a
    colour and say that it is his highest, lowest or only one.
    Missions: 1: a task; 2: two; 3: two, 1 and 2; 4: three; 5: no task, the commander asks how all are and says who is
    sick: he may win no trick; 6: three, > and >>, the radio does not say what the card is; 7: three, one of them last;
    8: three, 1, 2 and 3; 9: no task, a 1 must win a trick; 10: four.
    Score: 1 to each if the mission succeeds. The play ends as soon as that is decided.

    Options: mission (1 to 10); players (4 or 5).
    """

    name: ClassVar[str] = "the_crew"
    summary: ClassVar[str] = "four or five seats together, tasks, a radio token"
    score_unit: ClassVar[str] = "missions"
    boards: ClassVar[int] = BOARDS

    def __init__(self, mission: int = 1, players: int = 4) -> None:
        if not 1 <= mission <= len(MISSIONS) or players not in (4, 5):
            raise ValueError(f"mission {mission} for {players}: missions 1 to {len(MISSIONS)}, 4 or 5 players")
        self.mission, self.plan = mission, MISSIONS[mission - 1]
        self.layout = Layout(DECK, (len(DECK) // players,) * players)
        before: tuple[type[Phase], ...] = (Tasks,) if self.plan.tasks else ()
        if self.plan.kind == SICK:
            before = (HowAreYou, SickBay)
        self.phases = (Launch, *before, Radio)
        self.kinds = (self.plan.kind,)
        object.__setattr__(self, "teams", (0,) * players)

    def rules(self, table: Table) -> TrickRules:
        labels = COLOURS + ROCKET
        return TrickRules(
            DECK,
            self.seats,
            tuple(labels.index(card.suit) for card in DECK),
            tuple(int(card.rank) for card in DECK),
            trump=labels.index(ROCKET),
            teams=(0,) * self.seats,
            unsaid="which tasks are done",
        )

    def first_leader(self, table: Table) -> int:
        assert isinstance(table.contract, Flight)
        return table.contract.commander

    def on_contract(self, table: Table) -> None:
        assert isinstance(table.contract, Flight)
        commander = table.contract.commander
        table.reveal(commander, range(table.seats), CAPTAIN)

    def excluded(self, view: View) -> Mapping[int, int]:
        """Of the colour of a card shown as the highest there is no higher one, and so on."""
        out: dict[int, int] = {}
        for event in view.events:
            if event.action.value in TELLS:
                (card,) = event.action.cards
                colour = DECK.of_suit_mask(DECK[card].suit)
                below = (1 << card) - 1
                mask = {"highest": colour & ~below, "lowest": colour & below, "only": colour}[event.action.value]
                out[event.seat] = out.get(event.seat, 0) | mask & ~(1 << card)
        return out

    def contract(self, text: str) -> Flight:
        mission, commander, tasks, *sick = text.split(":")
        seats = tuple(() if seat == "-" else tuple(seat.split(",")) for seat in tasks.split("/"))
        if int(mission) != self.mission or len(seats) != self.seats:
            raise ValueError(f"{text!r} is not {self.mission}:COMMANDER:TASKS of {self.seats} seats")
        return Flight(int(mission), int(commander), seats, *map(int, sick))

    def outcome(self, table: Table) -> bool | None:
        """Whether the mission has succeeded; None while it is open."""
        assert isinstance(table.contract, Flight)
        assert table.tricks is not None
        tricks = [trick for trick in table.tricks.tricks if trick is not None]
        return table.contract.outcome(tricks, table.tricks.over)

    def decided(self, table: Table) -> bool:
        return self.outcome(table) is not None

    def score(self, table: Table) -> Score:
        """detail: success of the mission, tricks of each seat."""
        assert table.tricks is not None
        success = bool(self.outcome(table))
        return Score((int(success),) * self.seats, detail={"success": success, "tricks": tuple(table.tricks.won)})


class Bidder(bidder.Bidder):
    """Takes tasks it can best fulfil itself, feels bad with few tricks, calls sick who does, plays for the tasks."""

    game: ClassVar[str] = "the_crew"
    roles: ClassVar[tuple[str, ...]] = ("bid", "play")

    def choose(self, view: View) -> Decision:
        hand = view.hand_mask
        if view.role == "play":
            return _card(view)
        if view.phase == HowAreYou.name:
            weak = not hand & DECK.parse_mask("R1 R2 R3 B9 G9 P9 Y9")
            return Decision(Action("say", "bad" if weak else "good"), "by rockets and nines")
        if view.phase == SickBay.name:
            bad = [str(event.seat) for event in view.events if event.action.value == "bad"]
            return Decision(next((a for a in view.legal if a.value in bad), view.legal[0]), "said so")

        def higher(action: Action) -> int:
            card = DECK.card(action.value.partition("#")[0])
            return (hand & DECK.of_suit_mask(card.suit) & ~(card.mask - 1)).bit_count()

        return Decision(max(view.legal, key=higher), "most cards from it upwards")


def _card(view: View) -> Decision:
    """A card for a task: takes what is its own, gives others theirs, keeps out of their way with its lowest card."""
    rules, flight = view.rules, view.contract
    assert rules is not None
    assert isinstance(flight, Flight)
    owner = {DECK.card(task.partition("#")[0]).index: s for s, tasks in enumerate(flight.tasks) for task in tasks}
    legal = list(bits(view.legal_cards_mask()))
    legal.sort(key=lambda c: (rules.suit_of[c] == rules.trump, c in owner, rules.power[c]))
    if not view.table:
        colours = {DECK[c].suit for c, seat in owner.items() if seat == view.seat and not view.gone >> c & 1}
        for card in legal:
            above = DECK.of_suit_mask(DECK[card].suit) & ~((2 << card) - 1)
            if DECK[card].suit in colours and not above & view.unseen_mask and owner.get(card, view.seat) == view.seat:
                return Decision(play(card), "the highest of the colour of a task")
        return Decision(play(legal[0]), "the lowest")
    best = best_card(rules, view.table)
    winner = (view.leader + view.table.index(best)) % rules.seats
    over = [c for c in legal if rules.beats(c, best) and owner.get(c, view.seat) == view.seat]
    mine = any(owner.get(c) == view.seat for c in view.table)
    if over and (mine or winner == flight.sick):
        return Decision(play(over[-1]), "takes the trick")
    under = [c for c in legal if not rules.beats(c, best)] or legal
    gift = next((c for c in under if owner.get(c) == winner), under[0])
    return Decision(play(gift), "a task for who wins the trick" if gift in owner else "the lowest")
