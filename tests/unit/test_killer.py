"""Sure points on hands that can be counted at the table."""

from __future__ import annotations

import numpy as np
import pytest

from tests.whist import Plain
from tricktake.cards import Deck
from tricktake.deal import Deal
from tricktake.knowledge import Knowledge
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.search.limit import Limit
from tricktake.search.sure import sure_points
from tricktake.strategies.killer import Killer
from tricktake.strategies.recommend import Situation
from tricktake.table import Table

DECK = Deck("CSH", "789KTA")  # clubs are trumps
RULES = TrickRules.plain(
    DECK,
    3,
    "C",
    card_cost=(0, 0, 0, 4, 10, 11) * 3,
    teams=(0, 1, 1),
    goals=(Goal(GoalKind.AT_LEAST, 40), Goal(GoalKind.AT_LEAST, 36)),
)


def view_of(text, leader=0, plays=(), rules=RULES):
    size = len(text.split("|")[0].split())
    game = Plain(rules, size, leader=leader)
    table = Table.start(game, Deal.from_text(game.layout, text))
    for name in plays:
        table.apply(next(a for a in table.legal() if rules.deck[a.cards[0]].name == name))
    return table.view(table.turn)


def counted(view):
    rules = view.rules
    return {rules.deck[s.card].name: (s.value, s.tricks) for s in sure_points(view, Knowledge.from_view(view))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Four trumps draw two; then the ace of spades. 36 of one's own, and of 12 others the 10 cheapest: 14.
        (
            "CA CT CK C9 SA SK | C7 S7 S8 H7 H8 H9 | C8 S9 ST HK HT HA",
            {"CA": (50, 5), "CT": (50, 5), "CK": (50, 5), "C9": (50, 5)},
        ),
        # Two tops against three trumps: the ace of spades may be ruffed.
        ("CA CT C8 SA H7 H8 | C7 C9 CK S7 S8 S9 | SK ST H9 HK HT HA", {"CA": (21, 2), "CT": (21, 2)}),
        # The king of trumps is surely caught: 21 and 4, and two more kings among the six other cards that fall.
        ("CA CT C9 C8 H7 H8 | C7 S7 S8 S9 SK H9 | CK ST SA HK HT HA", {"CA": (33, 4), "CT": (33, 4)}),
        # Nobody else has a trump: every card stands from the top, all cards are caught.
        ("CA CT CK C9 C8 C7 | S7 S8 S9 SK H7 H8 | ST SA H9 HK HT HA", dict.fromkeys(
            ["CA", "CT", "CK", "C9", "C8", "C7"], (75, 6))),
        # A side suit cannot be led for sure while trumps are out, and no trump of one's own stands.
        ("C7 SA SK S9 H7 H8 | C8 C9 CT S7 S8 H9 | CK CA ST HK HT HA", {}),
    ],
)  # fmt: skip
def test_leading(text, expected):
    assert counted(view_of(text)) == expected


def test_following():
    """Last to play with the ace: the trick, and then the lead for two trumps that draw the other one."""
    text = "ST C7 S8 H7 | S7 S9 H8 H9 | SA CA CT HK"
    view = view_of(text, plays=("ST", "S7"), rules=RULES)
    assert view.turn == 2
    found = counted(view)
    assert set(found) == {"SA"}
    # 21 on the table, 21 to come; six cards are not dealt, so that no card is sure to fall but cheap ones.
    assert found["SA"] == (42, 3)
    said = Killer().recommend(Situation(view), Limit(), np.random.default_rng(0))
    assert said.reason == "SA makes 42 of the 36 needed in every world: 3 sure tricks"
    middle = view_of("ST C7 S8 H7 | SA S9 H8 H9 | S7 CA CT HK", plays=("ST",))
    assert counted(middle) == {}  # the third hand may be void and ruff


def test_what_cannot_be_counted_is_not():
    text = "CA CT CK C9 SA SK | C7 S7 S8 H7 H8 H9 | C8 S9 ST HK HT HA"
    assert counted(view_of(text))
    for change in ({"follow": False}, {"lead_limit": 1}, {"trick_cost": -1}, {"first_lead": 1}):
        rules = TrickRules.plain(DECK, 3, "C", **{"card_cost": RULES.card_cost, "teams": RULES.teams, **change})
        assert counted(view_of(text, rules=rules)) == {}


def test_it_says_nothing_short_of_the_goal_or_beyond_it():
    low = "CA CT C8 SA H7 H8 | C7 C9 CK S7 S8 S9 | SK ST H9 HK HT HA"
    rng = np.random.default_rng(0)
    assert Killer().recommend(Situation(view_of(low)), Limit(), rng) is None
    for n, expected in [(21, "CT"), (0, None)]:
        rules = TrickRules.plain(DECK, 3, "C", card_cost=RULES.card_cost, teams=(0, 1, 1),
                                 goals=(Goal(GoalKind.AT_LEAST, n), Goal()))  # fmt: skip
        said = Killer().recommend(Situation(view_of(low, rules=rules)), Limit(), rng)
        assert (said and said.reason.split()[0]) == expected
