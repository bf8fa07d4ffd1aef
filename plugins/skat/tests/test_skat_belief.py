"""The belief: its evidence against slow twins, and what it is worth."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest
from tricktake_lab.skat import belief_fit
from tricktake_skat._kernels import belief as kernel
from tricktake_skat._kernels import games as game_kernel
from tricktake_skat._kernels import rule_bid
from tricktake_skat._kernels.cards import NULL, TRUMPS
from tricktake_skat._kernels.hand_features import F_SIZE
from tricktake_skat.contract import GAMES
from tricktake_skat.deck import LAYOUT, SKAT
from tricktake_skat.game import SkatGame
from tricktake_skat.strategies import belief
from tricktake_skat.strategies.belief import SOURCES, SkatBelief
from tricktake_skat.strategies.conventions import ConventionBelief, marks

from tricktake.action import play
from tricktake.belief import find_belief, weights
from tricktake.cards import bits
from tricktake.deal import Deal
from tricktake.errors import InputError
from tricktake.table import Table
from tricktake.trick import best_card, legal_mask

JITTED = hasattr(game_kernel.bid_deals, "signatures")
N = 40 if JITTED else 3
WORLDS = 6


def some_moments(n: int = N, worlds: int = WORLDS):
    return list(islice(belief_fit.moments(belief_fit.ruled(123, n), np.random.default_rng(1), worlds), n))


def naive_played(view, world) -> float:
    """Log likelihood of the others' cards, trick by trick with the game's own rules."""
    contract, rules = view.contract, view.rules
    hands = [world[seat] for seat in range(3)]
    running = [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.table)]
    for leader, cards in running:
        for k, card in enumerate(cards):
            hands[(leader + k) % 3] |= 1 << card
    total, gone = 0.0, 0
    for n, (leader, cards) in enumerate(running):
        for k, card in enumerate(cards):
            seat, table = (leader + k) % 3, cards[:k]
            best = best_card(rules, table) if table else -1
            winner = (leader + table.index(best)) % 3 if table else -1
            role = 0 if seat == contract.declarer else 1 + (contract.declarer in [(leader + j) % 3 for j in range(k)])
            partners = bool(table) and seat != contract.declarer != winner
            led = table[0] if table else -1
            game = GAMES.index(contract.trump)
            row = kernel.context(game, role, n == 0 and k == 0, led, k, partners)

            def weight(c, row=row, best=best, gone=gone, game=game):
                return math.exp(belief.choices()[row, kernel.category(game, c, best, gone)])

            legal = list(bits(legal_mask(rules, hands[seat], table, broken=False, first=n == 0)))
            if seat != view.seat and len(legal) > 1:
                total += math.log(weight(card) / sum(weight(c) for c in legal))
            hands[seat] ^= 1 << card
            gone |= 1 << card
    return total


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def naive_auction(view, world) -> float:
    """Bids by the margins of all games, seat by seat."""
    contract, found = view.contract, 0.0
    first = [world[seat] for seat in range(3)]
    for trick in view.tricks:
        for k, card in enumerate(trick.cards):
            first[(trick.leader + k) % 3] |= 1 << card
    for k, card in enumerate(view.table):
        first[(view.leader + k) % 3] |= 1 << card
    for seat in range(3):
        if seat == view.seat or (seat == contract.declarer and not contract.hand):
            continue
        margins = {}
        for game in range(rule_bid.CHOICES):
            value = rule_bid.value_of(game, first[seat])
            odds = rule_bid.logit(game, first[seat], 0, seat, rule_bid.BID, np.zeros(F_SIZE))
            margins[game] = (value, odds - math.log((50 + 2 * value) / (50 + value)))
        floor, ceiling = belief.bounds(view)[seat]
        for bound, sign in ((floor, 1), (ceiling, -1)):
            if bound:
                best = max([m for value, m in margins.values() if value >= bound], default=-50.0)
                found += math.log(sigmoid(sign * belief.SHARPNESS * best))
    return found


def naive_declared(view, world) -> tuple[float, float, float, float]:
    contract = view.contract
    game = rule_bid.OUVERT if contract.is_null and contract.ouvert else GAMES.index(contract.trump)
    seat, put = contract.declarer, int(world[3])
    hand = int(world[seat])
    for leader, cards in [(t.leader, t.cards) for t in view.tricks] + [(view.leader, view.table)]:
        hand |= sum(1 << c for k, c in enumerate(cards) if (leader + k) % 3 == seat)

    def score(game, hand, put):
        return rule_bid.game_score(game, hand, put, seat, contract.bid, np.zeros(F_SIZE))

    value = rule_bid.value_of(game, hand | put)
    odds = rule_bid.logit(game, hand, put, seat, rule_bid.FINAL, np.zeros(F_SIZE))
    sane = math.log(sigmoid(odds - math.log((50 + 2 * value) / (50 + value))))
    others = sum(
        math.exp(min(30, (score(g, hand, put) - score(game, hand, put)) / kernel.SCALE))
        for g in range(rule_bid.CHOICES)
        if g != game
    )
    trumps = int(TRUMPS[game]) if game < NULL else 0
    swaps = sum(
        math.exp(min(30, (score(game, hand ^ a | b, put ^ b | a) - score(game, hand, put)) / kernel.SCALE))
        for b in (1 << c for c in bits(put & ~trumps))
        for a in (1 << c for c in bits(hand & ~trumps))
    )
    return sane, -math.log1p(others), -math.log1p(swaps), -float((put & trumps).bit_count())


@pytest.mark.kernel
def test_evidence_is_that_of_the_twins() -> None:
    model = SkatBelief()
    seen = set()
    for view, rows, _ in some_moments():
        found = model.evidence(view, rows)
        contract = view.contract
        for world, row in zip(rows.tolist(), found, strict=True):
            assert row[kernel.PLAYED] == pytest.approx(naive_played(view, world))
            assert row[kernel.AUCTION] == pytest.approx(naive_auction(view, world))
            if view.seat != contract.declarer and not contract.hand:
                expected = naive_declared(view, world)
                assert row[kernel.SANE : kernel.TRUMPS_PUT + 1] == pytest.approx(expected)
                seen.add("defender")
            if view.seat == contract.declarer:
                assert (row[kernel.SANE : kernel.TRUMPS_PUT + 1] == 0).all()
                seen.add("declarer")
    if JITTED:
        assert seen == {"defender", "declarer"}


def test_bids_of_rule_players_lie_within_their_bounds() -> None:
    """A seat bid no more than its limit, and declined more than that."""
    checked = 0
    for table, _ in belief_fit.ruled(77, 200):
        limits = [rule_bid.bid_limit(table.deal.masks[seat], seat)[0] for seat in range(3)]
        for seat, (floor, ceiling) in enumerate(belief.bounds(table.view(table.actor)).tolist()):
            assert floor <= limits[seat]
            assert not ceiling or limits[seat] < ceiling
            checked += ceiling > 0
        assert belief.bounds(table.view(0))[table.contract.declarer, 0] == table.contract.bid
    assert checked > 200


def test_the_true_world_gains() -> None:
    """Mean log TSSR on games it was not fitted to; docs/results.md has the table."""
    gains: dict[str, list[float]] = {}
    model = SkatBelief()
    for view, rows, _ in some_moments(300, 100):
        found = model.weigh(view, rows)
        gains.setdefault(belief_fit.cell(view)[1], []).append(math.log(found[0] / found[1:].mean()))
    for role, least in (("declarer", 0.5), ("defender", 1.2)):
        assert np.mean(gains[role]) > least


def test_no_world_is_ruled_out_and_everything_can_be_switched_off() -> None:
    for view, rows, _ in some_moments(30, 50):
        found = SkatBelief().weigh(view, rows)
        assert found.max() == 1
        assert (found > 0).all()
        assert (weights(SkatBelief(), view, rows) > 0).all()
        off = SkatBelief(auction=False, contract=False, conventions=False)
        assert (off.weigh(view, rows) == 1).all()
        few = SkatBelief(cards=0).evidence(view, rows)
        assert (few[:, kernel.PLAYED] == 0).all()
        assert (SkatBelief().without("auction").temper(view)[SOURCES.index("auction")]) == 0


def test_a_contract_without_an_auction_says_nothing_about_bids() -> None:
    deal = Deal.from_cards(LAYOUT, list(range(32)))
    game = SkatGame()
    view = Table.at_contract(game, deal, game.contract("1:G@48")).view(0)
    assert (belief.bounds(view) == 0).all()
    rows = np.array([deal.masks], np.int64)
    assert SkatBelief().evidence(view, rows)[0, kernel.AUCTION] == 0


def test_trumps_in_the_skat_and_gifts_to_the_declarer_are_unlikely() -> None:
    """Worlds that differ in one thing."""
    game = SkatGame()
    deal = Deal.from_text(
        LAYOUT, "CJ SJ CA CT CK C9 SA ST HA H7 | HJ C8 SK SQ S9 HT HK DA DK D7 | DJ CQ C7 S8 S7 HQ H9 DT DQ D9 | H8 D8"
    )
    table = Table.at_contract(game, deal, game.contract("0:C@18"))
    view = table.view(1)
    worlds = np.array([deal.masks, deal.masks], np.int64)
    trump, small = SKAT.card("C9").mask, SKAT.card("H8").mask
    worlds[1, 0] ^= trump | small
    worlds[1, 3] ^= trump | small
    found = SkatBelief().weigh(view, worlds)
    assert found[0] > 20 * found[1]


def test_it_is_found_by_name_and_refuses_nonsense() -> None:
    assert find_belief("skat:belief(auction=false)") == SkatBelief(auction=False)
    with pytest.raises(InputError, match="cards"):
        SkatBelief(cards=-1)
    table = Table.start(SkatGame(), Deal.from_cards(LAYOUT, list(range(32))))
    with pytest.raises(ValueError, match="play of Skat"):
        SkatBelief().weigh(table.view(1), np.zeros((1, 4), np.int64))


CONVENTIONS = {
    # cards of the first trick, seats 0 to 2; the declarer; what is said of whom
    "obey suit, second seat, declarer's trick": ("HA HK H7", 0, 1, "HQ H9 H8"),
    "obey suit, third seat, declarer's trick": ("H7 HA HK", 1, 2, "HQ H9 H8"),
    "obey suit, third seat, partner's trick": ("HA H7 HQ", 1, 2, "HT HK"),
    "obey trump, second seat, declarer's trick": ("CJ CQ C7", 0, 1, "C9 C8"),
    "obey trump, third seat, declarer's trick": ("CJ C7 DJ", 0, 2, "C9 C8"),
    "drop suit, third seat, partner's trick": ("HA H7 DK", 1, 2, "DA DT"),
    "drop suit, third seat, declarer's trick": ("H7 HA DK", 1, 2, "D9 D8 D7 DQ"),
    "drop trump, third seat, declarer's trick": ("CJ C7 DK", 0, 2, "D9 D8 D7 DQ"),
    "drop trump, second seat, declarer's trick": ("CJ DK C7", 0, 1, "DA DT"),
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_conventions_by_name(name: str) -> None:
    cards, declarer, who, ruled_out = CONVENTIONS[name]
    game = SkatGame()
    trick = [SKAT.card(card).index for card in cards.split()]
    follow = SKAT.parse_mask("CJ SJ HJ DJ CA CT CK CQ C9 C8 C7") if cards[1] == "J" else 0xFF << 16
    rest = [c for c in range(32) if c not in trick]
    away = [c for c in rest if not follow >> c & 1]  # whoever discards holds none of the suit
    hands: list[list[int]] = [[card] for card in trick]
    for seat in sorted(range(3), key=lambda seat: bool(follow >> trick[seat] & 1)):
        pool = [c for c in (rest if follow >> trick[seat] & 1 else away) if c in rest]
        for card in pool[:9]:
            hands[seat].append(card)
            rest.remove(card)
    deal = Deal.from_cards(LAYOUT, [*hands[0], *hands[1], *hands[2], *rest])
    table = Table.at_contract(game, deal, game.contract(f"{declarer}:C@18"))
    for card in trick:
        table.apply(play(card))
    view = table.view(next(seat for seat in range(3) if seat != who))
    (mark,) = [m for m in marks(view, drop_second=True) if m.seat == who]
    assert (mark.convention, mark.trick) == (name, 0)
    assert mark.cards & ~view.gone == SKAT.parse_mask(ruled_out)
    listed = [m for m in marks(view) if m.seat == who]
    assert bool(listed) == (not name.startswith("drop trump, second"))
    assert not marks(view, cards=0)


def test_worlds_against_a_convention_weigh_less() -> None:
    """Each world by what its hands hold of what was ruled out, one mark after the other."""
    belief = ConventionBelief(doubt=0.25)
    told = 0
    for view, rows, _ in some_moments(20):
        said = [mark for mark in marks(view) if mark.seat != view.seat]
        told += len(said)
        naive = [0.25 ** sum(bool(world[mark.seat] & mark.cards) for mark in said) for world in rows.tolist()]
        assert belief.weigh(view, rows) == pytest.approx(naive)
        assert (ConventionBelief(cards=0).weigh(view, rows) == 1).all()
    assert told
    assert find_belief("skat:conventions(doubt=0)") == ConventionBelief(doubt=0)
    with pytest.raises(InputError, match="doubt"):
        find_belief("skat:conventions(doubt=2)")
