"""What a contract means for the play of the cards (RULE-1, 3, 7, 9 and 12)."""

from __future__ import annotations

from functools import cache

from tricktake.cards import CardSet
from tricktake.jit import interpreted
from tricktake.rules import Aim, Goal, GoalKind, TrickRules
from tricktake.trick import TrickState
from tricktake_skat._kernels import skat as kernel
from tricktake_skat._kernels.cards import TRUMPS
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deck import EYES, SEATS, SKAT

TRUMP_ORDER = "789QKTA"  # jacks come above
NULL_ORDER = "789TJQKA"
WIN, SAVE, OUT_OF_SCHNEIDER, ALL_TRICKS = kernel.WIN, kernel.SAVE, kernel.OUT_OF_SCHNEIDER, kernel.ALL_TRICKS
SCHNEIDER = kernel.MADE_SCHNEIDER  # eyes of the declarer for Schneider announced; the defenders need OUT_OF_SCHNEIDER


def play_suit(trump: str) -> int:
    """Number of the play suit of trumps, -1 in a Null game."""
    return GAMES.index(trump) if trump in "CSHDG" else -1


def trumps_mask(trump: str) -> int:
    """All trumps of a game (C, S, H, D, G or N)."""
    return int(TRUMPS[GAMES.index(trump)])


def trumps(trump: str) -> CardSet:
    """``trumps_mask`` as a set."""
    return CardSet(SKAT, trumps_mask(trump))


@cache
def _rules(trump: str, declarer: int, schneider: bool, schwarz: bool) -> TrickRules:
    null = trump == "N"
    suit_of, power = [], []
    for card in SKAT:
        jack = card.rank == "J" and not null
        suit_of.append(play_suit(trump) if jack else GAMES.index(card.suit))
        power.append(
            10 - SKAT.suits.index(card.suit) if jack else (NULL_ORDER if null else TRUMP_ORDER).index(card.rank)
        )
    if null:
        goals = (Goal(GoalKind.AT_MOST, 0), Goal(GoalKind.AT_MOST, ALL_TRICKS - 1))  # one must be the declarer's
    elif schwarz:
        goals = (Goal(GoalKind.AT_LEAST, ALL_TRICKS), Goal(GoalKind.AT_LEAST, 1))
    else:
        need, save = (SCHNEIDER, OUT_OF_SCHNEIDER) if schneider else (WIN, SAVE)
        goals = (Goal(GoalKind.AT_LEAST, need), Goal(GoalKind.AT_LEAST, save))
    by_tricks = null or schwarz
    return TrickRules(
        SKAT,
        SEATS,
        tuple(suit_of),
        tuple(power),
        None if null else play_suit(trump),
        card_cost=() if by_tricks else EYES,
        trick_cost=1 if by_tricks else 0,
        teams=tuple(0 if seat == declarer else 1 for seat in range(SEATS)),
        goals=goals,
        credits=() if by_tricks else (("skat", declarer),),
    )


def skat_rules(contract: SkatContract) -> TrickRules:
    """The rules of play of a contract; one object for all contracts that play alike.

    The declarer is team 0. Cost is counted in eyes, the skat being the declarer's; in Null and when Schwarz is
    announced, where only tricks decide, in tricks. The goals are those of the announcement: 61, 90 or all tricks.
    """
    return _rules(contract.trump, contract.declarer, contract.schneider, contract.schwarz)


@cache
def aims(rules: TrickRules, declarer: bool) -> tuple[Aim, ...]:
    """What the declarer or the defenders may try for in the play of these rules (KBPS-12, 21).

    In a game for eyes: not to be Schwarz, not to be Schneider, the game, and to make the others Schneider or Schwarz;
    Schwarz is counted in tricks, since a trick may hold no eyes.
    """
    goal = rules.goals[0 if declarer else 1]
    own = Aim("the contract" if declarer else "breaking the contract", goal)
    if rules.trick_cost:
        return (own,)
    lower = (OUT_OF_SCHNEIDER,) if goal.n > OUT_OF_SCHNEIDER else ()
    higher = (SCHNEIDER,) if goal.n < SCHNEIDER else ()
    return (
        Aim("a trick", Goal(GoalKind.AT_LEAST, 1), tricks=True),
        *(Aim("out of Schneider", Goal(GoalKind.AT_LEAST, n)) for n in lower),
        own,
        *(Aim("Schneider", Goal(GoalKind.AT_LEAST, n)) for n in higher),
        Aim("Schwarz", Goal(GoalKind.AT_LEAST, ALL_TRICKS), tricks=True),
    )


def tricks_only(state: TrickState) -> TrickState:
    """The same position of a suit or grand game with tricks from now on as the only cost: the question of Schwarz."""
    rules = state.rules
    trump = GAMES[rules.trump] if rules.trump is not None else "N"
    counting = _rules(trump, rules.teams.index(0) if rules.teams else 0, False, True)
    return TrickState(counting, state.hands, state.leader, table=tuple(state.table), first=not state.tricks)


def matadors(cards: int, trump: str) -> int:
    """The matadors of the declarer's hand and skat together: 2 is "with two", -2 "without two", 0 in Null games.

    Counted is the unbroken run of top trumps from the jack of clubs that are held, or lacking: up to 4 in a grand,
    11 in a suit game (ISkO 2.4.2, 2.4.3).
    """
    return int(interpreted(kernel.matadors)(GAMES.index(trump), cards))
