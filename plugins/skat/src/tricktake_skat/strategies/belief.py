"""What bids, contract, skat and cards say about the hidden cards: the belief ``skat:belief`` (KERMIT-16 to 19, KBPS-4).

A world weighs the product of likelihoods of what was seen in it, each raised to a power that was fitted to games
(experiments ``belief.temper`` and ``belief.judge``), because they are not independent and no player is the model:

- the auction: each other seat bid and passed as it did, by the rule player's hand evaluation (KERMIT-17), or with
  ``bids`` by what networks expect of the hand (``belief_bids``);
- the declarer's twelve cards: the game is one to be bid, the best of seven, and the skat better than what one exchanged
  card would make of it; no trumps discarded (KERMIT-18, "bad puts" of GAP-8);
- the cards: every card was chosen among those the hand of the world could have played, with weights by situation
  (KBPS-4: lowest into the declarer's trick, highest into the partner's, and what else players do).

Soft knowledge: nothing here is ever certain, and proofs never use it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from attrs import evolve, frozen

from tricktake.arrays import FloatArray, IntArray
from tricktake.errors import InputError
from tricktake.jit import interpreted
from tricktake.view import View
from tricktake_skat._kernels import belief as kernel
from tricktake_skat._kernels.skat import BEGIN, auction_step, next_bid
from tricktake_skat.bidding.value import find_values
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.strategies.belief_bids import likelihood, offers

# Played cards that are judged; the engine of 2022 stops at 10 (GAP-1), but the later ones help too (docs/results.md).
CARDS = 30
SHARPNESS = 1.0  # of the bids, against the rule player's log odds
TABLE = "belief_choices.txt"

# Powers of the pieces of evidence, by kind of contract (suit, grand, Null) for a defender and for the declarer: fitted
# by the experiment ``belief.temper`` (seed 20261122, 4,000 moments of each player). Bids and cards are held to these
# bounds, as others follow the model less than those learned from (the rule player's bids alone would give 3 to 4,
# cards 1.2 to 1.7).
BIDS_BOUND = 2.0
CARDS_BOUND = 1.0
SOURCES = ("auction", "sane", "choice", "skat", "trumps", "played")
TEMPER = {
    ("suit", "defender"): (BIDS_BOUND, 1.04, 0.74, 1.58, 6.09, CARDS_BOUND),
    ("grand", "defender"): (BIDS_BOUND, 3.33, 0.00, 1.37, 4.49, CARDS_BOUND),
    ("null", "defender"): (BIDS_BOUND, 1.26, 1.32, 1.35, 0.00, CARDS_BOUND),
    ("suit", "declarer"): (BIDS_BOUND, 0.00, 0.00, 0.00, 0.00, CARDS_BOUND),
    ("grand", "declarer"): (BIDS_BOUND, 0.00, 0.00, 0.00, 0.00, CARDS_BOUND),
    ("null", "declarer"): (BIDS_BOUND, 0.00, 0.00, 0.00, 0.00, CARDS_BOUND),
}


# The same for bids by networks: experiment ``belief.bids``, games bid by ``skat:bidder`` and played by ``skat:cards``.
NETWORK_SCALE = 10.0  # points
NETWORK_TEMPER = {
    ("suit", "defender"): (1.00, 0.74, 1.18, 0.87, 3.91, 0.19),
    ("grand", "defender"): (1.05, 2.05, 0.00, 0.22, 2.52, 0.35),
    ("null", "defender"): (0.92, 0.71, 0.11, 0.90, 0.00, 0.48),
    ("suit", "declarer"): (1.19, 0.00, 0.00, 0.00, 0.00, 0.04),
    ("grand", "declarer"): (1.10, 0.00, 0.00, 0.00, 0.00, 0.21),
    ("null", "declarer"): (0.99, 0.00, 0.00, 0.00, 0.00, 0.19),
}


@frozen
class SkatBelief:
    """The belief as ``core:pimc(belief=skat:belief)`` and others use it.

    auction, contract, conventions: whether bids, the declarer's choice of game and skat, and played cards count.
    cards: of the cards played, how many of the first are judged. bids: value networks by which the others are thought
    to bid (``skat:values``), by name or file; "": the rule player's evaluation. Raises InputError, UnknownName.
    """

    auction: bool = True
    contract: bool = True
    conventions: bool = True
    cards: int = CARDS
    bids: str = ""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.cards, int) or self.cards < 0:
            raise InputError(None, None, "cards", f"must be a number of cards, not {self.cards!r}")
        if self.bids:
            find_values(self.bids)

    def weigh(self, view: View, worlds: IntArray) -> FloatArray:
        """Relative weights of worlds, shape (n,), the likeliest 1. Raises ValueError outside the play of Skat."""
        found = self.evidence(view, worlds)
        out = np.zeros(len(found))
        kernel.combine(found, self.temper(view), out)
        return out

    def temper(self, view: View) -> FloatArray:
        """The powers for this view, 0 for what is switched off."""
        contract = _contract(view)
        role = "declarer" if view.seat == contract.declarer else "defender"
        kind = "null" if contract.is_null else contract.kind
        on = np.array([self.auction, *[self.contract] * 4, self.conventions], np.float64)
        return np.array((NETWORK_TEMPER if self.bids else TEMPER)[kind, role]) * on

    def evidence(self, view: View, worlds: IntArray) -> FloatArray:
        """Log likelihoods by source, shape (n, len(SOURCES)). Raises ValueError outside the play of Skat."""
        contract = _contract(view)
        leaders = [trick.leader for trick in view.tricks] + [view.leader]
        cards = [card for trick in view.tricks for card in trick.cards] + list(view.table)
        game = GAMES.index(contract.trump)
        plays = np.zeros((len(cards), kernel.PLAY), np.int64)
        weights = np.zeros((len(cards), 32))
        kernel.prepare(
            game, contract.declarer, np.array(cards, np.int64), np.array(leaders, np.int64), choices(), plays, weights
        )
        found = np.zeros((len(worlds), kernel.EVIDENCE))
        kernel.evidence(
            contract.choice,
            contract.declarer,
            contract.bid,
            contract.hand,
            view.seat,
            bounds(view),
            SHARPNESS,
            plays,
            weights,
            self.cards,
            np.ascontiguousarray(worlds, np.int64),
            found,
        )
        if self.bids and self.auction:
            found[:, kernel.AUCTION] = likelihood(*offers(view, worlds, bounds(view), self.bids), NETWORK_SCALE)
        return found

    def without(self, source: str) -> SkatBelief:
        """The belief with one of ``auction``, ``contract``, ``conventions`` switched off."""
        off: dict[str, Any] = {source: False}
        return evolve(self, **off)


def _contract(view: View) -> SkatContract:
    if not isinstance(view.contract, SkatContract) or view.rules is None:
        raise ValueError(f"this belief is about the play of Skat, not {view.game} in phase {view.phase}")
    return view.contract


def bounds(view: View) -> IntArray:
    """Of each seat the highest bid made or held and the lowest it declined, 0 for neither: shape (3, 2).

    All 0 if there was no auction (contracts from a log): the final bid alone made the belief worse (docs/results.md).
    """
    found, state = np.zeros((3, 2), np.int64), BEGIN
    for event in view.events:
        action, (caller, hearer, answering, bid) = event.action, state
        if action.verb not in ("bid", "yes", "pass"):
            continue
        said = int(action.value) if action.verb == "bid" else bid if action.verb == "yes" else 0
        if said:
            found[event.seat, 0] = said
        else:
            found[event.seat, 1] = bid if answering else next_bid(bid)
        state = interpreted(auction_step)(caller, hearer, answering, bid, said)
    return found


@cache
def choices() -> FloatArray:
    """Log weights of the kinds of cards by context, as ``belief.choices`` learned them: (CONTEXTS, CATEGORIES)."""
    text = files("tricktake_skat.strategies").joinpath(TABLE).read_text()
    table = np.array([line.split() for line in text.splitlines() if line and line[0] != "#"], np.float64)
    assert table.shape == (kernel.CONTEXTS, kernel.CATEGORIES)
    return table
