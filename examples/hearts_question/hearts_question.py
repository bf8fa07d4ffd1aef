"""A custom question: which ten cards to keep when passing in Hearts, and a player that uses its table."""

from itertools import combinations

from tricktake_hearts.game import HEARTS
from tricktake_hearts.rows import SEATS

from tricktake.action import Action
from tricktake.cards import bits
from tricktake.hookspecs import hookimpl
from tricktake.jit import popcount
from tricktake.learning import Question, feature, find_table
from tricktake.strategies.strategy import Decision

SPADES, HEART_SUIT = HEARTS.of_suit_mask("S"), HEARTS.of_suit_mask("H")
QUEEN, HIGHER = HEARTS.parse_mask("SQ"), HEARTS.parse_mask("SK SA")
TOP = HEARTS.parse_mask("HJ HQ HK HA CJ CQ CK CA DJ DQ DK DA")
FEW = 5  # penalties: less than an equal share of 26


@feature(domain=6)
def danger(game):
    """Queen of spades, and one of the two above her: 0 to 5."""
    kept = game.dealt & ~game.passed
    return 3 * popcount(kept & QUEEN) + popcount(kept & HIGHER)


@feature(domain=6)
def guards(game):
    """Spades below the queen, five or more as five."""
    return min(5, popcount(game.dealt & ~game.passed & SPADES & ~QUEEN & ~HIGHER))


@feature(domain=11)
def tops(game):
    """Jacks and higher in the other suits."""
    return popcount(game.dealt & ~game.passed & TOP)


KEEP = Question(
    "keep", SEATS, (danger, guards, tops), layers={"all": "all", "few": ("danger", "tops")},
    excluded=lambda game: game.passed == 0, won=lambda game: game.penalties <= FEW, confidence=20,
)  # fmt: skip


class Passer:
    """Keeps the ten cards with the best record; ``table``: learned for the question ``keep``."""

    roles = ("exchange",)

    def __init__(self, table: str) -> None:
        self.table = find_table(table, KEEP)

    def decide(self, view, limit, rng):
        passes = list(combinations(bits(view.hand_mask), 3))
        rows = SEATS.empty(len(passes))
        rows["dealt"], rows["passed"] = view.hand_mask, [sum(1 << card for card in cards) for cards in passes]
        chances = self.table.chances(rows)
        best = int(chances.argmax())
        return Decision(Action("pass", cards=passes[best]), f"what is kept goes well in {chances[best]:.0%} of games")


@hookimpl
def register_questions(register):
    register("keep", KEEP, summary="which ten cards to keep in Hearts")


@hookimpl
def register_strategies(register):
    register("passer", Passer, summary="passes in Hearts what a learned table advises")
