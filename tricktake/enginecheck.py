"""Conformance of an engine, for who writes one: ``tricktake engine check COMMAND --game skat``."""

from __future__ import annotations

from attrs import evolve

from tricktake.child import Fault
from tricktake.deal import deal
from tricktake.engine.session import Session, words
from tricktake.game import Game
from tricktake.messages import Naming
from tricktake.search.limit import Limit
from tricktake.table import Table
from tricktake.testing import Log, Report
from tricktake.tournament.referee import decision_seed, fallback, result_of

START_SECONDS = 30.0
AUCTIONS = 100  # by lot, until one is not passed in
SLACK = 1e-2  # by which probabilities may miss 1

ENGINE_CHECKS = {
    "hello": "it starts, and says hello with protocol 1, its name, games and roles",
    "plays": "its hello says that it plays this game, in every role",
    "ping": "it answers a ping with a pong of the same number, and what it does not know with nothing",
    "answers": "it answers every decision in time, in one line, with the number of the question",
    "legal": "it chooses among the legal actions",
    "reason": "reasons are one line of text, probabilities name legal actions and add up to 1",
    "games": "it plays one game after another at the same seat",
    "repeatable": "asked again with the same seed, a new process decides the same",
    "quit": "it ends with exit code 0 when it is told to quit",
}


def check_engine(command: str, game: Game, deals: int = 10, seed: int = 0, seconds: float = 5.0) -> Report:
    """Let an engine play ``deals`` games at all seats, a process each, and make every check of ``ENGINE_CHECKS``.

    In every second game what comes before the tricks is drawn by lot, so that cards are played whatever it bids.
    seconds: for a decision. Raises InputError for a command line that cannot be read.
    """
    log = Log(ENGINE_CHECKS, seed)
    sessions = [Session(words(command), seconds, START_SECONDS) for _ in range(game.seats)]
    try:
        if _greet(log, sessions[0], game):
            for number in range(deals):
                log.deal = number
                if not _play(log, sessions, game, number):
                    break
            else:
                _repeat(log, sessions, game)
            for session in sessions:
                _quit(log, session)
    finally:
        for session in sessions:
            session.kill()
    return log.report(f"engine {command}", log.deal + 1)


def _greet(log: Log, session: Session, game: Game) -> bool:
    """Whether it starts."""
    try:
        said = session.start()
    except Fault as fault:
        return log.that("hello", False, _told(fault))
    log.that("hello", said.name, "its name is empty")
    for phase in game.phases:
        log.that("plays", said.plays(game.name, phase.role), f"not {phase.role!r} in {game.name}")
    try:
        session.tell({"type": "from a later version", "key": [1, {"a": None}]})
        session.ping()
    except Fault as fault:
        return log.that("ping", False, _told(fault))
    return log.that("ping", True, "")


def _play(log: Log, sessions: list[Session], game: Game, number: int) -> bool:
    """One game; whether it came to its end."""
    table = _by_lot(game, log.seed, number) if number % 2 else _started(game, log.seed, number)
    for seat, session in enumerate(sessions):
        session.new(game, seat)
    while not table.over:
        if not _decision(log, sessions, table, number):
            return False
    for seat, session in enumerate(sessions):
        result = result_of(table, seat)
        try:
            session.end(result.view, result.score)
        except Fault as fault:
            return log.that("games", False, _told(fault))
    return log.that("games", True, "")


def _started(game: Game, seed: int, number: int) -> Table:
    return Table.start(game, deal(game.layout, seed, number), number % game.boards)


def _by_lot(game: Game, seed: int, number: int) -> Table:
    """A table at its first trick: who always passes would never play a card. Passed in only if that is all there is."""
    for attempt in range(AUCTIONS):
        table = _started(game, seed, number)
        while not table.over and table.tricks is None:
            table.apply(fallback(table, decision_seed(seed, f"{number}.{attempt}", 0, len(table.events))))
        if table.tricks is not None:
            break
    return table


def _decision(log: Log, sessions: list[Session], table: Table, number: int) -> bool:
    """One decision; whether the game can go on."""
    actor = table.actor
    assert actor is not None
    view, naming = table.view(actor), Naming(table.game.layout)
    where = f"step {len(table.events)}, seat {actor}, phase {view.phase}"
    start = decision_seed(log.seed, str(number), actor, len(table.events)) >> 80
    session = sessions[actor]
    try:
        answer = session.decide(view, Limit(seconds=session.seconds), start)
    except Fault as fault:
        return log.that("answers", False, f"{where}: {_told(fault)}")
    log.that("answers", True, "")
    texts = [action.to_text(naming.deck) for action in view.legal]
    said = answer.action.to_text(naming.deck)
    legal = [
        a for a in view.legal if evolve(a, cards=()) == evolve(answer.action, cards=()) and a.mask == answer.action.mask
    ]
    more = ", ..." if len(texts) > 12 else ""
    if not log.that("legal", legal, f"{where}: {said!r} is none of {', '.join(texts[:12])}{more}"):
        return False
    strange = [text for text in answer.probabilities if text not in texts]
    log.that("reason", not strange, f"{where}: probabilities of {', '.join(strange[:3])!r}, which is not legal")
    total = sum(answer.probabilities.values())
    fits = not answer.probabilities or abs(total - 1) <= SLACK
    log.that("reason", fits, f"{where}: the probabilities add up to {total:.3f}")
    table.apply(legal[0])
    return True


def _repeat(log: Log, sessions: list[Session], game: Game) -> None:
    """The first decision of the last deal, asked of the process that has played and of a new one."""
    table = _started(game, log.seed, log.deal)
    actor = table.actor
    assert actor is not None
    old = sessions[actor]
    other = Session(old.command, old.seconds, old.start_seconds)
    answers = []
    try:
        for session in (old, other):
            session.new(game, actor)
            answers.append(session.decide(table.view(actor), Limit(seconds=session.seconds), 1).action)
    except Fault as fault:
        log.that("repeatable", False, _told(fault))
        return
    finally:
        other.kill()
    log.that("repeatable", answers[0] == answers[1], "two processes decide otherwise with the same seed")


def _quit(log: Log, session: Session) -> None:
    if session.pid is not None:
        code = session.close()
        log.that("quit", code == 0, "it had to be killed" if code is None else f"exit code {code}")


def _told(fault: Fault) -> str:
    trace = fault.trace.strip().splitlines()
    return f"{fault.kind}: {fault.reason}" + (f" ({trace[-1]})" if trace else "")
