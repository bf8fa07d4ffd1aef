"""Whole random games through the table: what must always hold, and a second scorer written in another way."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from tricktake_skat.contract import BIDS
from tricktake_skat.deck import SKAT, eyes

from plugins.skat.tests.skat_tables import GAME, random_deal
from tricktake.deal import Deal
from tricktake.game import Score
from tricktake.table import Table

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
BASES = {"D": 9, "H": 10, "S": 11, "C": 12, "G": 24}


def names(mask: int) -> list[str]:
    return SKAT.names(mask).split()


def naive_strength(card: str, led: str, trump: str) -> tuple[int, int]:
    """Comparable strength of a card; (0, 0) for one that cannot win."""
    suit, rank = card
    if trump == "N":
        return (1, "789TJQKA".index(rank)) if suit == led[0] else (0, 0)
    if rank == "J":
        return (3, "DHSC".index(suit))
    if suit == trump:
        return (2, "789QKTA".index(rank))
    return (1, "789QKTA".index(rank)) if led[1] != "J" and led[0] not in trump and suit == led[0] else (0, 0)


def naive_points(table: Table) -> int:
    """The declarer's points from the record of events alone."""
    declarer = name = put = None
    dealt = [names(m) for m in table.deal.masks]
    bid, plays = 0, []
    for event in table.events:
        verb, value = event.action.verb, event.action.value
        if verb == "bid":
            bid = int(value)
        elif verb == "discard":
            put = [SKAT[c].name for c in event.action.cards]
        elif verb == "declare":
            declarer, name = event.seat, value
        elif verb == "play":
            plays.append((event.seat, SKAT[event.action.cards[0]].name))
    if name is None:
        return 0
    trump, said = name[0], name[1:]
    skat = put or dealt[3]
    mine, theirs, tricks, count = sum(POINTS[c[1]] for c in skat), 0, 0, 0
    for start in range(0, len(plays) - len(plays) % 3, 3):
        trick = plays[start : start + 3]
        winner = max(trick, key=lambda sc: naive_strength(sc[1], trick[0][1], trump))[0]
        value = sum(POINTS[c[1]] for _, c in trick)
        count += 1
        if winner == declarer:
            mine, tricks = mine + value, tricks + 1
        else:
            theirs += value
    if trump == "N":
        value = {"": 23, "H": 35, "O": 46, "HO": 59}[said]
        return value if tricks == 0 else -2 * value
    if count < 10:  # stopped because an announcement failed: what was left is the declarer's
        mine, tricks = 120 - theirs, tricks + 10 - count
    own = dealt[declarer] + dealt[3]
    order = ["CJ", "SJ", "HJ", "DJ"] + ([] if trump == "G" else [trump + r for r in "ATKQ987"])
    run = 1
    while run < len(order) and (order[run] in own) == (order[0] in own):
        run += 1
    factor = run + 1 + len(said)  # each announcement is one level
    if "S" in said or mine >= 90 or mine <= 30 or tricks in (0, 10):
        factor += 1
    if "Z" in said or tricks in (0, 10):
        factor += 1
    value = factor * BASES[trump]
    lost = mine < 61 or ("S" in said and mine < 90) or ("Z" in said and tricks < 10)
    if value < bid:
        lost = True
        value = next(v for v in range(BASES[trump], 2000, BASES[trump]) if v >= bid)
    return -2 * value if lost else value


def random_game(seed: int, eager: float = 0.7, check: bool = True) -> tuple[Table, Score]:
    """``eager``: how often a bidder goes on at the next bid."""
    rng = random.Random(seed)
    table = Table.start(GAME, random_deal(rng))
    while table.turn is not None:
        legal = table.legal()
        assert len(set(legal)) == len(legal) > 0
        if table.phase is not None and table.phase.name == "auction":
            action = legal[min(int(rng.expovariate(2)), len(legal) - 1)] if rng.random() < eager else legal[-1]
        else:
            action = rng.choice(legal)
        if check:
            check_views(table)
        table.apply(action)
    return table, table.score()


def check_views(table: Table) -> None:
    declarer = table.facts.get("declarer")
    hand = table.facts.get("hand")
    for seat in range(3):
        view = table.view(seat)
        assert view.hand_mask == table.hands[seat]
        for place, known in enumerate(view.known):
            assert known & ~table.places[place] == 0
            open_hand = table.contract is not None and table.contract.ouvert and place == declarer
            own_skat = place == 3 and seat == declarer and hand is False
            if place == seat or open_hand or own_skat:
                assert known == table.places[place]
            else:
                assert known == 0
        assert sum(view.sizes) == 32 - view.gone.bit_count()
        assert bool(view.legal) == (table.turn == seat)


@given(st.integers(0, 2**32), st.sampled_from([0.3, 0.7, 0.9]))
@settings(max_examples=150)
def test_random_games(seed: int, eager: float) -> None:
    table, score = random_game(seed, eager)
    detail = score.detail
    assert sum(abs(p) for p in score.points) == abs(naive_points(table))
    if table.contract is None:
        assert detail["passed"]
        return
    declarer = detail["declarer"]
    assert score.points[declarer] == naive_points(table)
    assert score.won == (score.points[declarer] > 0)
    assert detail["bid"] in BIDS
    assert detail["value"] >= detail["bid"]
    if score.won:
        assert detail["value"] in BIDS
        assert not detail["overbid"]
    tricks = [t for t in table.tricks.tricks if t is not None]
    total = sum(eyes(sum(1 << c for c in t.cards)) for t in tricks)
    assert (
        total
        + eyes(table.places[3])
        + sum(eyes(h) for h in table.hands)
        + eyes(sum(1 << c for c in table.tricks.table))
        == 120
    )
    if table.tricks.over and detail["contract"][0] != "N":
        theirs = sum(eyes(sum(1 << c for c in t.cards)) for t in tricks if t.winner != declarer)
        assert detail["eyes"] == 120 - theirs
        if not table.contract.schwarz:
            assert table.tricks.taken[declarer] == detail["eyes"]
            assert sum(table.tricks.taken) == 120
    assert Table.replay(table.game, table.deal, table.events).score() == score
    seats = [s for s in range(3) if s != declarer]
    assert {detail["seeger"][s] for s in seats} == {0 if score.won else 40}


@given(st.integers(0, 2**32))
@settings(max_examples=50)
def test_played_deal_scores_the_same_as_the_whole_game(seed: int) -> None:
    table, score = random_game(seed, check=False)
    if table.contract is None:
        return
    put = {a.mask for e in table.events if (a := e.action).verb == "discard"}
    masks = list(table.deal.masks)
    if put:
        (mask,) = put
        declarer = table.contract.declarer
        masks[declarer], masks[3] = (masks[declarer] | masks[3]) & ~mask, mask
    again = Table.at_contract(GAME, table.deal, table.contract, Deal(GAME.layout, tuple(masks)))
    for event in table.events:
        if event.action.verb == "play":
            again.apply(event.action, event.seat)
    assert again.score() == score


@given(st.integers(0, 2**32), st.integers(0, 2), st.integers(0, 29))
@settings(max_examples=60)
def test_concessions_at_any_moment(seed: int, who: int, when: int) -> None:
    table, full = random_game(seed, check=False)
    plays = [n for n, e in enumerate(table.events) if e.action.verb == "play"]
    if table.contract is None or when >= len(plays):
        return
    declarer = table.contract.declarer
    table = Table.replay(GAME, table.deal, table.events[: plays[when]])
    before = table.tricks.taken[declarer]
    seats = [declarer] if who == declarer else [s for s in range(3) if s != declarer]
    for seat in seats:
        assert not table.over
        table.apply(next(a for a in table.view(seat).interruptions if a.verb == "concede"), seat)
    assert table.over
    score = table.score()
    detail = score.detail
    assert Table.replay(GAME, table.deal, table.events).score() == score
    if table.contract.is_null or table.contract.schneider:
        assert score.won == (seats != [declarer] and not detail["overbid"])
    elif seats == [declarer]:
        assert detail["eyes"] == before
    else:
        theirs = sum(table.tricks.taken) - before
        assert detail["eyes"] == 120 - theirs
    if not table.contract.is_null and full.won and not table.contract.schneider:
        assert score.won or seats == [declarer]
