"""Hearts as a game of the framework."""

from __future__ import annotations

from typing import ClassVar

from tricktake.cards import Deck, bits
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Phase, Tricks
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.table import Table
from tricktake_hearts.passing import DIRECTIONS, Passing

HEARTS = Deck(suits="SHDC", ranks="23456789TJQKA")
LAYOUT = Layout(HEARTS, (13, 13, 13, 13))
SEATS = 4
MOON = 26  # all hearts and the queen of spades
QUEEN_POINTS = 13
JACK_BONUS = -10
NO_TRICK_BONUS = -5

_HEARTS = HEARTS.of_suit_mask("H")
_QUEEN = HEARTS.card("SQ").mask
_JACK = HEARTS.card("DJ").mask
_FIRST = HEARTS.card("C2").mask


class HeartsGame(Game):
    """Hearts for four seats without partners.

    Cards: 52, thirteen to each; ace high, no trumps.
    Passing: from board to board three cards go to the left, to the right, across, and then none are passed.
    Play: who holds the two of clubs leads it. Suit must be followed; who cannot may play anything, but to the first
    trick no heart and no queen of spades, if that can be avoided. Hearts may not be led before one of them or the queen
    of spades was played, unless nothing else is held.
    Score: each heart costs 1 and the queen of spades 13; who takes all 26 has shot the moon, and each other seat pays
    26 instead. Scores are negative.

    Options, with the meaning and defaults they have in OpenSpiel's ``hearts``: pass_cards; no_pts_on_first_trick;
    can_lead_any_club (the holder of the two of clubs may lead another); jd_bonus (10 penalties less for the jack of
    diamonds); avoid_all_tricks_bonus (5 less for no trick); must_break_hearts; qs_breaks_hearts (so does the queen of
    spades); can_lead_hearts_instead_of_qs (with only hearts and the queen in hand).
    """

    name: ClassVar[str] = "hearts"
    summary: ClassVar[str] = "Hearts for four, with passing and shooting the moon"
    boards: ClassVar[int] = len(DIRECTIONS)
    layout = LAYOUT

    def __init__(
        self,
        pass_cards: bool = True,
        no_pts_on_first_trick: bool = True,
        can_lead_any_club: bool = False,
        jd_bonus: bool = False,
        avoid_all_tricks_bonus: bool = False,
        must_break_hearts: bool = True,
        qs_breaks_hearts: bool = True,
        can_lead_hearts_instead_of_qs: bool = False,
    ) -> None:
        self.phases: tuple[type[Phase], ...] = (Passing, Tricks) if pass_cards else (Tricks,)
        self.avoid_all_tricks_bonus = avoid_all_tricks_bonus
        cost = [0] * len(HEARTS)
        for card in bits(_HEARTS):
            cost[card] = 1
        cost[_QUEEN.bit_length() - 1] = QUEEN_POINTS
        if jd_bonus:
            cost[_JACK.bit_length() - 1] = JACK_BONUS
        self._rules = TrickRules.plain(
            HEARTS,
            SEATS,
            card_cost=tuple(cost),
            goals=(Goal(GoalKind.LEAST),) * SEATS,
            first_lead=HEARTS.of_suit_mask("C") if can_lead_any_club else _FIRST,
            first_ban=_HEARTS | _QUEEN if no_pts_on_first_trick else 0,
            lead_limit=_HEARTS if must_break_hearts else 0,
            lead_excuse=_QUEEN if can_lead_hearts_instead_of_qs else 0,
            breakers=_HEARTS | (_QUEEN if qs_breaks_hearts else 0),
        )

    def rules(self, table: Table) -> TrickRules:
        return self._rules

    def first_leader(self, table: Table) -> int:
        return next(seat for seat in range(SEATS) if table.places[seat] & _FIRST)

    def score(self, table: Table) -> Score:
        """Points are negative penalties. detail: penalties, tricks, and ``moon``, the seat that shot it."""
        assert table.tricks is not None
        penalties = list(table.tricks.taken)
        moon = self._moon(table)
        if moon is not None:
            penalties = [p - MOON if seat == moon else p + MOON for seat, p in enumerate(penalties)]
        elif self.avoid_all_tricks_bonus:
            penalties = [p + NO_TRICK_BONUS * (won == 0) for p, won in zip(penalties, table.tricks.won, strict=True)]
        detail = {"penalties": tuple(penalties), "tricks": tuple(table.tricks.won), "moon": moon}
        return Score(tuple(-p for p in penalties), detail=detail)

    def _moon(self, table: Table) -> int | None:
        """The seat that took every heart and the queen, if one did."""
        assert table.tricks is not None
        takers = {
            trick.winner
            for trick in table.tricks.tricks
            if trick is not None and any((_HEARTS | _QUEEN) >> card & 1 for card in trick.cards)
        }
        return takers.pop() if len(takers) == 1 else None
