"""The auction as evidence by networks: against offers hand by hand, and what it says of strong hands that passed."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest
from tricktake_lab.skat import belief_fit
from tricktake_skat._kernels import bidding
from tricktake_skat._kernels.belief import AUCTION
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.evaluation import sums
from tricktake_skat.bidding.style import DEFAULT
from tricktake_skat.deck import LAYOUT, SKAT
from tricktake_skat.game import SkatGame
from tricktake_skat.strategies import belief
from tricktake_skat.strategies.belief import NETWORK_SCALE, SkatBelief
from tricktake_skat.strategies.belief_bids import SKATS

from tricktake.action import Action
from tricktake.belief import find_belief
from tricktake.deal import Deal
from tricktake.errors import TricktakeError
from tricktake.table import Table

NETWORKS = SkatBelief(bids="skat:values")


def naive_auction(view, world) -> float:
    """One seat and one bid at a time, by what the bidder itself would say of the hand."""
    judge, total, bounds = evaluator(), 0.0, belief.bounds(view)
    for seat in range(3):
        if seat == view.seat or (seat == view.contract.declarer and not view.contract.hand):
            continue
        hand = int(world[seat]) | view.played[seat]
        heard = tuple(0 if other == seat else int(bounds[other, 0]) for other in range(3))
        found = bidding.weighed(SKATS)
        bids = np.array(heard, np.int64)
        bidding.weigh_heard(sums(), judge.nulls, judge.chances, 0, hand, seat, bids, False, found)
        for bid, sign in zip(bounds[seat].tolist(), (1, -1), strict=True):
            if bid:
                margin = judge.offer(hand, seat, heard, bid, DEFAULT, found).score - DEFAULT.threshold
                total -= math.log1p(math.exp(-sign * margin / NETWORK_SCALE))
    return total


def test_evidence_is_what_the_bidder_says_of_every_hand() -> None:
    compared = 0
    for view, rows, _ in islice(belief_fit.moments(belief_fit.ruled(321, 12), np.random.default_rng(1), 4), 12):
        found = NETWORKS.evidence(view, rows)
        usual = SkatBelief().evidence(view, rows)
        for world, row in zip(rows.tolist(), found, strict=True):
            assert row[AUCTION] == pytest.approx(naive_auction(view, world))
            compared += row[AUCTION] < 0
        assert np.array_equal(np.delete(found, AUCTION, axis=1), np.delete(usual, AUCTION, axis=1))
    assert compared > 20


def test_who_passed_is_not_strong() -> None:
    """Rearhand passed at 18: four of the best cards are rather with forehand, who bid."""
    game = SkatGame()
    deal = Deal.from_text(
        LAYOUT, "CJ SJ CA CT CK C9 SA ST HA H7 | HJ C8 SK SQ S9 HT HK DA DK D7 | DJ CQ C7 S8 S7 HQ H9 DT DQ D9 | H8 D8"
    )
    table = Table.start(game, deal)
    for text in ("bid:18", "yes", "pass", "pass", "hand", "declare:CH"):
        verb, _, value = text.partition(":")
        table.apply(Action(verb, value))
    other = list(deal.masks)
    strong, weak = SKAT.parse_mask("CJ SJ CA SA"), SKAT.parse_mask("CQ C7 S8 S7")
    other[0] ^= strong | weak
    other[2] ^= strong | weak
    found = NETWORKS.evidence(table.view(1), np.array([deal.masks, other], np.int64))[:, AUCTION]
    assert found[0] > found[1] + 3


def test_it_is_found_by_name() -> None:
    assert find_belief("skat:belief(bids=skat:values)") == NETWORKS
    assert NETWORKS.without("auction").bids == "skat:values"
    with pytest.raises(TricktakeError):
        SkatBelief(bids="skat:cards")
    with pytest.raises(TricktakeError, match="skat:valuess"):
        SkatBelief(bids="skat:valuess")
