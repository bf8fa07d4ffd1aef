"""OpenSpiel's hearts as an oracle, in lock-step: who is to move, what is legal, what is passed on, and the returns.

Its returns are 26 minus the penalties, so they are 26 plus our points.
"""

from __future__ import annotations

import itertools
import os
import random

import pytest
from tricktake_hearts.game import HEARTS, LAYOUT, MOON, HeartsGame
from tricktake_hearts.passing import DIRECTIONS

from tricktake.action import Action, play
from tricktake.deal import Deal
from tricktake.table import Table

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
pytestmark = pytest.mark.oracle

GAMES = int(os.environ.get("HEARTS_GAMES", "5000"))
OPTIONS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
THEIRS = [4 * "23456789TJQKA".index(card.rank) + "CDHS".index(card.suit) for card in HEARTS]
OURS = [THEIRS.index(number) for number in range(52)]


def variants() -> list[dict[str, bool]]:
    """The defaults, each option changed alone, each pair of options changed, and all of them."""
    changes = [c for n in (0, 1, 2) for c in itertools.combinations(OPTIONS, n)] + [tuple(OPTIONS)]
    return [{name: value ^ (name in change) for name, value in OPTIONS.items()} for change in changes]


def mask_of(numbers: list[int]) -> int:
    return sum(1 << OURS[number] for number in numbers)


def lock_step(options: dict[str, bool], deal: Deal, board: int, rng: random.Random, eager: bool) -> dict:
    """One game; ``eager``: everybody plays to let seat 0 take what it can, so that moons are shot."""
    theirs = pyspiel.load_game("hearts", options).new_initial_state()
    table = Table.start(HeartsGame(**options), deal, board)
    theirs.apply_action(DIRECTIONS[board] if options["pass_cards"] else 0)
    piles = [[card.index for card in deal.hand(seat)] for seat in range(4)]
    for number in range(52):
        theirs.apply_action(THEIRS[piles[number % 4].pop()])
    while table.tricks is None:
        assert theirs.current_player() == table.turn
        hand = [card for card in range(52) if table.places[table.turn] >> card & 1]
        assert mask_of(theirs.legal_actions()) == table.places[table.turn]
        cards = tuple(sorted(rng.sample(hand, 3)))
        for card in cards:
            theirs.apply_action(THEIRS[card])
        table.apply(Action("pass", cards=cards))
    table.silence()  # nobody looks on: faster
    tricks = table.tricks
    while table.turn is not None:
        assert theirs.current_player() == table.turn
        legal = tricks.legal()
        assert sum(1 << card for card in legal) == mask_of(theirs.legal_actions())
        card = rng.choice(legal)
        if eager:
            rules, best = tricks.rules, tricks.best() if tricks.table else None
            wins = [c for c in legal if best is None or rules.beats(c, best)]
            loses = [c for c in legal if c not in wins]
            if table.turn == 0:
                card = max(wins or legal, key=lambda c: c % 13)
            else:
                card = max(loses or legal, key=lambda c: (rules.card_cost[c], -(c % 13)))
        theirs.apply_action(THEIRS[card])
        table.apply_unchecked(play(card))
    score = table.score()
    assert theirs.is_terminal()
    assert [MOON + points for points in score.points] == theirs.returns()
    return {**score.detail, "first": tricks.tricks[0]}


@pytest.mark.slow
def test_random_games_agree() -> None:
    every = variants()
    rng = random.Random(26)
    seen = {"moon": 0, "no trick": 0, "penalty in the first trick": 0}
    for number in range(GAMES):
        options = every[number % len(every)]
        if number % 2:  # suits in long runs: voids, broken first tricks, moons
            order = _runs(rng)
        else:
            order = rng.sample(range(52), 52)
        found = lock_step(options, Deal.from_cards(LAYOUT, order), number // len(every) % 4, rng, number % 3 == 0)
        seen["moon"] += found["moon"] is not None
        seen["no trick"] += 0 in found["tricks"]
        seen["penalty in the first trick"] += found["first"].cost > 0
    assert all(seen.values()), seen


def _runs(rng: random.Random) -> list[int]:
    """Three to four cards of a suit at a time, so that hands are lopsided."""
    cards = list(range(52))
    parts = [cards[i : i + 4] for i in range(0, 52, 4)]
    rng.shuffle(parts)
    return [card for part in parts for card in part]
