"""Decisions in the play of small games, for tests of what recommends cards."""

from __future__ import annotations

import numpy as np

from tests.whist import Plain
from tricktake.cards import Deck
from tricktake.deal import deal
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.strategies.recommend import Situation
from tricktake.table import Table

DECK = Deck("CSHD", "789QKTA")
COSTS = (0, 0, 0, 3, 4, 10, 11) * 4  # as in Skat, without jacks


def trumps(declarer: int = 0, goal: int = 57, trump: int | None = 0, **more) -> TrickRules:
    """One plays alone for more than half of the points, the others for the rest; a card lies aside, for him."""
    return TrickRules(
        DECK,
        3,
        suit_of=tuple(DECK.suits.index(card.suit) for card in DECK),
        power=tuple(DECK.ranks.index(card.rank) for card in DECK),
        trump=trump,
        card_cost=COSTS,
        teams=tuple(int(seat != declarer) for seat in range(3)),
        goals=(Goal(GoalKind.AT_LEAST, goal), Goal(GoalKind.AT_LEAST, sum(COSTS) - goal + 1)),
        credits=(("aside", declarer),),
        **more,
    )


def game_of(rules: TrickRules, size: int = 9) -> Plain:
    return Plain(rules, size, 1)


def situations(rules: TrickRules, number: int, left: int = 3):
    """The decisions of a game played at random, with at most ``left`` cards in hand and two legal cards at least."""
    game = game_of(rules)
    table = Table.start(game, deal(game.layout, 7, number))
    rng = np.random.default_rng(number)
    while table.turn is not None:
        view = table.view(table.turn)
        if len(view.legal) > 1 and view.hand_mask.bit_count() <= left:
            yield Situation(view)
        table.apply(view.legal[rng.integers(len(view.legal))])
