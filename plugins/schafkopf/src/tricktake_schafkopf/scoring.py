"""What a game of Schafkopf pays."""

from __future__ import annotations

from attrs import frozen

from tricktake.cards import Deck
from tricktake_schafkopf.contract import SchafkopfContract
from tricktake_schafkopf.deck import SEATS
from tricktake_schafkopf.rules import OUT_OF_SCHNEIDER, SCHNEIDER, WIN, trump_order

TOUT, SIE = 2, 4  # how many times a Tout and a Sie pay what a game does


@frozen
class Tariff:
    """Prices a loser pays each winner, in any unit (cents, points).

    ruf, solo: of a game with a called ace, and of all others. schneider: for Schneider, twice for Schwarz. runner: for
    each of the unbroken run of highest trumps (Laufende) that the declarer's side holds or lacks, if they are at
    least ``runners``, in games whose only trumps are Ober or Unter ``wenz_runners``.
    """

    ruf: int = 20
    solo: int = 50
    schneider: int = 10
    runner: int = 10
    runners: int = 3
    wenz_runners: int = 2

    def least_runners(self, contract: SchafkopfContract) -> int:
        """From how many on runners are paid."""
        return self.wenz_runners if contract.game in ("wenz", "geier") and not contract.suit else self.runners


@frozen
class Result:
    """How a game ended for the declarer's side: eyes and tricks, and the number of its runners (held or lacking)."""

    eyes: int
    tricks: int
    runners: int
    won: bool
    schneider: bool
    schwarz: bool


def runners(contract: SchafkopfContract, deck: Deck, cards: int) -> int:
    """How many of the highest trumps are all in ``cards``, those dealt to the declarer's side, or all not in them."""
    order = trump_order(deck, contract.game, contract.trump)
    held = cards >> order[0] & 1
    return next((n for n, card in enumerate(order) if cards >> card & 1 != held), len(order))


def result(contract: SchafkopfContract, deck: Deck, cards: int, eyes: int, tricks: int) -> Result:
    """The result of a finished game. cards: those dealt to the declarer's side, whose eyes and tricks are given.

    With 61 eyes the game is won. With 30 a side is Schneider if it is the declarer's, with 29 if it is the other one.
    Without a trick it is Schwarz. Tout and Sie are won with all tricks and lost else, and know neither.
    """
    all_tricks = len(deck) // SEATS
    run = runners(contract, deck, cards)
    if contract.level:
        return Result(eyes, tricks, run, tricks == all_tricks, False, False)
    won = eyes >= WIN
    schwarz = tricks == (all_tricks if won else 0)
    return Result(eyes, tricks, run, won, eyes >= SCHNEIDER if won else eyes < OUT_OF_SCHNEIDER, schwarz)


def price(contract: SchafkopfContract, tariff: Tariff, found: Result, hand_size: int) -> int:
    """What a loser pays a winner, before doublings. hand_size: cards of a hand, which are the runners of a Sie."""
    base = tariff.ruf if contract.game == "ruf" else tariff.solo
    if contract.level == "sie":
        return SIE * (base + tariff.runner * hand_size)
    run = tariff.runner * found.runners if found.runners >= tariff.least_runners(contract) else 0
    if contract.level == "tout":
        return TOUT * (base + run)
    return base + tariff.schneider * (2 if found.schwarz else found.schneider) + run


def payout(side: int, won: bool, each: int) -> tuple[int, ...]:
    """What every seat gets. side: seats of the declarer's side as a mask; alone it pays or gets three times."""
    sign = 1 if won else -1
    times = (SEATS - side.bit_count()) // side.bit_count()
    return tuple(sign * each * times if side >> seat & 1 else -sign * each for seat in range(SEATS))
