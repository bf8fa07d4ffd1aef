"""A custom question about Skat: is a suit game won with these ten cards? And a bidder that uses its table."""

from tricktake_skat.deck import SKAT
from tricktake_skat.rows import GAMES

from tricktake.hookspecs import hookimpl
from tricktake.jit import popcount
from tricktake.learning import Question, feature, find_table
from tricktake.strategies.strategy import Decision

JACKS, ACES = SKAT.of_rank_mask("J"), SKAT.of_rank_mask("A")
SUITS = tuple(SKAT.of_suit_mask(suit) for suit in SKAT.suits)
BASES = (12, 11, 10, 9)


def dealt(game):
    return game.deal[game.declarer]


@feature(domain=11)
def trumps(game):
    """Trumps among the ten cards dealt to the declarer."""
    return popcount(dealt(game) & (JACKS | SUITS[game.game]))


@feature(domain=5)
def jacks(game):
    return popcount(dealt(game) & JACKS)


@feature(domain=4)
def aces(game):
    """Aces of the other suits."""
    return popcount(dealt(game) & ACES & ~SUITS[game.game])


TEN = Question(
    "ten", GAMES, (trumps, jacks, aces), layers={"all": "all", "few": ("trumps", "aces")},
    excluded=lambda game: game.game < 0 or game.game > 3, won=lambda game: game.won, confidence=20,
)  # fmt: skip


class Bidder:
    """Bids twice the base value of the suit with the best chance, if that is high enough."""

    roles = ("bid",)

    def __init__(self, table: str, least: float = 0.6) -> None:
        self.table, self.least = find_table(table, TEN), least

    def chance(self, hand, suit):
        return self.table.ask(GAMES.row(deal=[hand, 0, 0, 0], declarer=0, game=suit)).probability or 0.0

    def decide(self, view, limit, rng):
        chance, base = max((self.chance(view.hand_mask, suit), BASES[suit]) for suit in range(4))
        actions = {action.verb: action for action in reversed(view.legal)}  # the lowest bid of all
        wanted = actions.get("bid") or actions["yes"]
        said = int(wanted.value or max(e.action.value for e in view.events if e.action.verb == "bid"))
        bids = chance >= self.least and said <= 2 * base
        return Decision(wanted if bids else actions["pass"], f"wins {chance:.0%} of such games")


@hookimpl
def register_questions(register):
    register("ten", TEN, summary="is a suit game won with these ten cards?")


@hookimpl
def register_strategies(register):
    register("bidder", Bidder, summary="bids what a learned table advises")
