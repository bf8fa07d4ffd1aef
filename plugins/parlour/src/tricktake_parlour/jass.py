"""Schieber-Jass for two pairs: trumps, obenabe, undenufe, and pushing."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from tricktake import phases
from tricktake.action import Action
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.game import Game, Score
from tricktake.phase import Tricks
from tricktake.rules import TrickRules
from tricktake.table import Table
from tricktake_parlour import melds, pairs
from tricktake_parlour.pairs import PAIRS

DECK = Deck(suits="CDHS", ranks="6789TJQKA")
TRUMPS = "678TQKA9J"  # trumps from the lowest to the highest
DOWN, UP = "obenabe", "undenufe"
WAYS = (*DECK.suits, DOWN, UP)
POINTS = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
TRUMP_POINTS = {**POINTS, "9": 14, "J": 20}
DOWN_POINTS = {**POINTS, "8": 8}
UP_POINTS = {**DOWN_POINTS, "A": 0, "6": 11}
LAST, MATCH, STOECK = 5, 100, 20
FOURS = {"T": 100, "Q": 100, "K": 100, "A": 100, "9": 150, "J": 200}
FACTORS = {"C": 1, "H": 1, "D": 2, "S": 2, DOWN: 3, UP: 3}


@frozen
class Way:
    """The contract: what is played, and whether the first hand named it or its partner after a push."""

    way: str
    pushed: bool = False
    declarer: int = -1

    @property
    def kind(self) -> str:
        return self.way if self.way in (DOWN, UP) else "trump"

    def __str__(self) -> str:
        return self.way + ":pushed" * self.pushed


class Naming(phases.NameTrumps):
    """The first hand names what is played, or leaves it to its partner."""

    values = WAYS
    pushes = True

    def chooser(self) -> int:
        return 0

    def chosen(self, seat: int, action: Action) -> None:
        self.table.contract = Way(self.table.facts["trump"], self.table.facts.get("pushed", False))


class Jass(Game):
    """Schieber-Jass for two pairs.

    Cards: 36, nine each; partners sit opposite. Trumps rank J 9 A K Q 10 8 7 6 and count 20 14 11 4 3 10 0 0 0, other
    suits rank A K Q J 10 9 8 7 6 and count 11 4 3 2 10 0 0 0 0.
    Naming: the first hand names trumps, obenabe (no trumps, eights count 8) or undenufe (the same with the six highest,
    it counts 11 and the ace nothing), or pushes: then its partner must name. The first hand leads in any case.
    Play: a suit led must be followed or trumped; who has none of it plays anything, but no trump lower than one already
    played, unless he has nothing else. The jack of trumps need not be played when trumps are led.
    Score: card points, 5 for the last trick, 100 for all tricks (match): 157 or 257.

    Options: weis (sequences of 3, 4, 5 and more: 20, 50, 100; four jacks 200, nines 150, aces, kings, queens, tens 100:
    the side with the best counts all of its own, without being asked to announce them; king and queen of trumps, the
    Stoeck, 20); multipliers (clubs and hearts count once, diamonds and spades twice, obenabe and undenufe three times).
    """

    name: ClassVar[str] = "jass"
    summary: ClassVar[str] = "Schieber for two pairs: trumps, obenabe, undenufe"
    layout = Layout(DECK, (9, 9, 9, 9))
    phases = (Naming, Tricks)
    kinds = ("trump", DOWN, UP)
    teams: ClassVar[tuple[int, ...]] = PAIRS

    def __init__(self, weis: bool = False, multipliers: bool = False) -> None:
        self.weis, self.multipliers = weis, multipliers

    def rules(self, table: Table) -> TrickRules:
        assert isinstance(table.contract, Way)
        return trick_rules(table.contract.way)

    def contract(self, text: str) -> Way:
        way, colon, pushed = text.partition(":")
        if way not in WAYS or (colon and pushed != "pushed"):
            raise ValueError(f"{text!r} is no contract such as H, {DOWN} or H:pushed")
        return Way(way, bool(colon))

    def score(self, table: Table) -> Score:
        """detail: card points with match, and Weis with Stoeck, of both sides; ``factor``, by which they count."""
        contract, play = table.contract, table.tricks
        assert isinstance(contract, Way)
        assert play is not None
        cards = [sum(play.taken[s::2]) + MATCH * (sum(play.won[s::2]) == len(play.tricks)) for s in (0, 1)]
        weis = [0, 0]
        if self.weis:
            hands = melds.played(play)
            held = [melds.melds(DECK, hand, DECK.ranks, FOURS) for hand in hands]
            weis = list(melds.meld_points(held, contract.way, 0, fours_first=False))
            if contract.kind == "trump":
                pair = DECK.parse_mask(f"{contract.way}K {contract.way}Q")
                for seat, hand in enumerate(hands):
                    weis[seat % 2] += STOECK * (hand & pair == pair)
        factor = FACTORS[contract.way] if self.multipliers else 1
        points = tuple(factor * (cards[s] + weis[s]) for s in (0, 1))
        return Score(points * 2, detail={"cards": tuple(cards), "weis": tuple(weis), "factor": factor})


def trick_rules(way: str) -> TrickRules:
    """How the cards are played: a trump suit, from the ace down, or from the six up."""
    points = {DOWN: DOWN_POINTS, UP: UP_POINTS}.get(way, POINTS)
    ranks = DECK.ranks[::-1] if way == UP else DECK.ranks
    trumps = DECK.of_suit_mask(way)
    return TrickRules(
        DECK,
        4,
        suit_of=tuple(DECK.suits.index(card.suit) for card in DECK),
        power=pairs.ranked(DECK, way, TRUMPS, ranks),
        trump=DECK.suits.index(way) if trumps else None,
        card_cost=pairs.counted(DECK, way, TRUMP_POINTS, points),
        last_trick_bonus=LAST,
        teams=PAIRS,
        always_legal=trumps,
        need_not_follow=DECK.card(f"{way}J").mask if trumps else 0,
        no_undertrump=bool(trumps),
    )
