"""What a contract means for the play of the cards."""

from __future__ import annotations

from functools import cache

from tricktake.alliance import Alliance
from tricktake.cards import Deck
from tricktake.rules import Aim, Duty, Goal, GoalKind, TrickRules
from tricktake_schafkopf.contract import SchafkopfContract
from tricktake_schafkopf.deck import ALL_EYES, EYES, SEATS, SUITS

WIN = 61  # eyes the declarer's side needs
SCHNEIDER = 91  # so many make the others Schneider, if the declarer's side has them; the others need one less
OUT_OF_SCHNEIDER = 31
RUN_AWAY = 4  # cards of the called suit with which its ace need not be led first

_TOPS = {"ruf": "OU", "solo": "OU", "wenz": "U", "geier": "O"}  # ranks that are trumps in all suits, highest first
_NO_SUIT = len(SUITS)  # number of the play suit of trumps in a game without a trump suit


@cache
def trump_order(deck: Deck, game: str, suit: str) -> tuple[int, ...]:
    """The trumps of a game, highest first. suit: whose other cards are trumps too, "" for none."""
    tops = [deck.card(s + rank).index for rank in _TOPS[game] for s in SUITS]
    rest = [c.index for c in reversed(deck.cards) if c.suit == suit and c.index not in tops]
    return (*tops, *rest)


def trumps_mask(deck: Deck, game: str, suit: str) -> int:
    """The trumps of a game as a mask."""
    return sum(1 << card for card in trump_order(deck, game, suit))


@cache
def _rules(deck: Deck, game: str, suit: str, declarer: int, called: str, by_tricks: bool) -> TrickRules:
    order = trump_order(deck, game, suit)
    trump = SUITS.index(suit) if suit else _NO_SUIT
    suit_of = [trump if c.index in order else SUITS.index(c.suit) for c in deck]
    power = [deck.ranks.index(c.rank) for c in deck]
    for place, card in enumerate(reversed(order)):
        power[card] = place
    if by_tricks:
        tricks = len(deck) // SEATS
        goals = (Goal(GoalKind.AT_LEAST, tricks), Goal(GoalKind.AT_LEAST, 1))
    else:
        goals = (Goal(GoalKind.AT_LEAST, WIN), Goal(GoalKind.AT_LEAST, ALL_EYES - WIN + 1))
    ace = deck.card(called).mask if called else 0
    return TrickRules(
        deck,
        SEATS,
        tuple(suit_of),
        tuple(power),
        trump,
        card_cost=() if by_tricks else tuple(EYES.get(c.rank, 0) for c in deck),
        trick_cost=1 if by_tricks else 0,
        teams=None if ace else tuple(int(seat != declarer) for seat in range(SEATS)),
        goals=goals,
        alliance=Alliance(ace, declarer) if ace else None,
        duty=Duty(ace, RUN_AWAY) if ace else None,
    )


def schafkopf_rules(contract: SchafkopfContract, deck: Deck) -> TrickRules:
    """The rules of play of a contract; one object for all contracts that play alike.

    The declarer's side is team 0; in a ruf whoever was dealt the called ace belongs to it. Cost is counted in eyes, in
    Tout and Sie in tricks.
    """
    by_tricks = contract.level != ""
    return _rules(deck, contract.game, contract.trump, contract.declarer, contract.called, by_tricks)


@cache
def aims(rules: TrickRules, declarer: bool) -> tuple[Aim, ...]:
    """What the declarer's side or the others may try for, from the least to the most."""
    goal = rules.goals[0 if declarer else 1]
    own = Aim("the game" if declarer else "breaking the game", goal)
    if rules.trick_cost:
        return (own,)
    less = 0 if declarer else 1  # the others are out of Schneider with 30, and make the declarer Schneider with 90
    return (
        Aim("a trick", Goal(GoalKind.AT_LEAST, 1), tricks=True),
        Aim("out of Schneider", Goal(GoalKind.AT_LEAST, OUT_OF_SCHNEIDER - less)),
        own,
        Aim("Schneider", Goal(GoalKind.AT_LEAST, SCHNEIDER - less)),
        Aim("Schwarz", Goal(GoalKind.AT_LEAST, len(rules.deck) // SEATS), tricks=True),
    )
