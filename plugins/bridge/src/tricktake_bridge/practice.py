"""Contracts that card players practise: those that both hands of a pair suggest, which no auction finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tricktake.cards import bits
from tricktake.deal import Deal, deal
from tricktake.errors import UnknownName
from tricktake.game import Contract, find_game
from tricktake.policy.positions import Batch, batch_of
from tricktake.policy.practice import Practice
from tricktake.table import Table
from tricktake_bridge.contract import BridgeContract
from tricktake_bridge.deck import BRIDGE

POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}  # Milton Work's, as every textbook of bridge counts
FIT = 8  # cards of a suit that make it trumps
EVEN = 20  # high-card points of a pair that bids one
STEP = 3  # points for each level more
SUIT, NO_TRUMPS = "suit", "notrump"


def likely_contract(masks: Sequence[int]) -> BridgeContract:
    """What a pair might bid that sees both hands: the stronger one, its longest suit if that has eight cards, or no
    trumps, as high as its points say. The elder seat of the pair declares. masks: the four hands.
    """
    points = [sum(POINTS.get(BRIDGE[card].rank, 0) for card in bits(mask)) for mask in masks]
    pair = int(points[1] + points[3] > points[0] + points[2])
    both = masks[pair] | masks[pair + 2]
    longest = max(BRIDGE.suits, key=lambda suit: (both & BRIDGE.of_suit_mask(suit)).bit_count())
    fit = (both & BRIDGE.of_suit_mask(longest)).bit_count() >= FIT
    level = 1 + max(0, points[pair] + points[pair + 2] - EVEN) // STEP + fit
    return BridgeContract(pair, min(level, 7), longest if fit else "NT")


class BridgePractice(Practice):
    """Likely contracts in two families: those with trumps, which play alike whatever the suit, and no trumps."""

    families: ClassVar[tuple[str, ...]] = (SUIT, NO_TRUMPS)

    def family(self, contract: Contract | None) -> str:
        return NO_TRUMPS if isinstance(contract, BridgeContract) and contract.strain == "NT" else SUIT

    def positions(self, family: str, seed: int, n: int) -> Batch:
        """The likely contracts of the first ``n`` deals of a seed that belong to the family. Raises UnknownName."""
        if family not in self.families:
            raise UnknownName("family", family, self.families)
        tables: list[Table] = []
        number = 0
        while len(tables) < n:
            dealt = deal(self.game.layout, seed, number)
            contract = likely_contract(dealt.masks)
            if self.family(contract) == family:
                tables.append(self.table(dealt, contract, number))
            number += 1
        return batch_of(tables)

    def table(self, dealt: Deal, contract: BridgeContract, number: int) -> Table:
        """A numbered deal with a contract, at its opening lead."""
        return Table.at_contract(self.game, dealt, contract, board=number % self.game.boards)


def practice() -> BridgePractice:
    """What is registered."""
    return BridgePractice(find_game("bridge"))
