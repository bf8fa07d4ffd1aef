"""The rules and features of putting once more, slow and obvious: sets of cards by name, no masks, no tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

RANKS = "789QKTA"  # of a side suit, weakest first
EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
SUITS = "CSHD"
DECK = frozenset(s + r for s in SUITS for r in (*RANKS, "J"))

Cards = frozenset[str]


def cards_of(text: str) -> Cards:
    return frozenset(text.split())


def eyes(cards: Cards) -> int:
    return sum(EYES.get(card[1], 0) for card in cards)


def trumps_of(game: str) -> Cards:
    return frozenset(c for c in DECK if c[1] == "J" or c[0] == game)


def side(cards: Cards, suit: str) -> str:
    """The ranks of a side suit, the strongest first."""
    return "".join(r for r in reversed(RANKS) if suit + r in cards)


def side_suits(game: str) -> str:
    return SUITS.replace(game, "")


def jacks(cards: Cards) -> str:
    return "".join(s for s in SUITS if s + "J" in cards)


def trump_order(game: str) -> list[str]:
    return [s + "J" for s in SUITS] + ([game + r for r in reversed(RANKS)] if game != "G" else [])


# -- one suit by itself -----------------------------------------------------------------------------------------------


@cache
def won(own: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...], retake: bool) -> int:
    """Tricks from leading a suit, all cards open and all replies tried; without retaking up to the first loss."""
    best = 0
    for lead in own:
        rest = tuple(c for c in own if c != lead)
        worst = None
        for a in left or (-1,):
            for b in right or (-1,):
                win = a < lead and b < lead
                value = int(win)
                if win or retake:
                    value += won(rest, tuple(c for c in left if c != a), tuple(c for c in right if c != b), retake)
                worst = value if worst is None else min(worst, value)
        best = max(best, worst or 0)
    return best


def splits(out: Sequence[int]):
    for i in range(len(out) + 1):
        for left in combinations(out, i):
            yield left, tuple(c for c in out if c not in left)


def places(own: str, others: str, order: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(order.index(c) for c in own), tuple(order.index(c) for c in others)


def sure(own: Sequence[int], out: Sequence[int]) -> int:
    return min(won(tuple(own), a, b, True) for a, b in splits(tuple(out)))


def mean(own: Sequence[int], out: Sequence[int], retake: bool, hand: int = 10) -> float:
    total = 0.0
    m = len(out)
    for a, b in splits(tuple(out)):
        if len(a) <= hand and len(b) <= hand:
            chance = comb(2 * hand - m, hand - len(a)) / comb(2 * hand, hand)
            total += chance * won(tuple(own), a, b, retake)
    return total


def standing(own: Sequence[int], out: Sequence[int]) -> int:
    top = sum(1 for c in own if all(c > d for d in out))
    return len(own) if top >= len(out) else top


# -- features ---------------------------------------------------------------------------------------------------------


def features(game: str, hand: Cards, put: Cards, seat: int) -> dict[str, float]:
    out = DECK - hand - put
    found = dict.fromkeys(("free", "good-tens", "bad-tens", "standing", "retaking", "straight", "led"), 0.0)
    found["eyes"] = eyes(put)
    for suit in side_suits(game):
        own = side(hand, suit)
        if not own:
            found["free"] += 1
            continue
        mine, theirs = places(own, side(out, suit), RANKS)
        found["good-tens"] += "A" in own and "T" in own
        found["bad-tens"] += seat == 2 and "T" in own and "K" in own and "A" not in own
        found["led"] += "A" in own or ("T" in own and "K" in own)
        found["standing"] += standing(mine, theirs)
        found["retaking"] += mean(mine, theirs, True)
        found["straight"] += mean(mine, theirs, False)
    return found


# -- the high-card theorem --------------------------------------------------------------------------------------------


def suits_of(game: str, hand: Cards, out: Cards) -> list[tuple[list[str], list[str]]]:
    """Own and outstanding cards of every suit, the strongest first, the trumps last."""
    found = []
    for suit in side_suits(game):
        found.append(([suit + r for r in side(hand, suit)], [suit + r for r in side(out, suit)]))
    order = trump_order(game)
    found.append(([c for c in order if c in hand], [c for c in order if c in out]))
    return found


def theorem(game: str, hand: Cards, put: Cards) -> tuple[int, int, int, int, bool]:
    """Secured, lost, given, bound, holds."""
    out = DECK - hand - put
    secured = sum(c[1] in "AT" for c in put)
    lost, given = 0, 0
    for own, others in suits_of(game, hand, out):
        everything = [*own, *others]
        order = sorted(everything, key=_strength)
        mine, theirs = [order.index(c) for c in own], [order.index(c) for c in others]
        here = len(own) - sure(mine, theirs)
        lost += here
        secured += sum(c[1] in "AT" for c in own[: standing(mine, theirs)])
        given += sum(EYES.get(c[1], 0) for c in own[len(own) - here :])
    worth = sorted((EYES.get(c[1], 0) for c in out), reverse=True)
    bound = given + sum(worth[: 2 * lost])
    return secured, lost, given, bound, secured >= lost and given == 0 and bound < 60


def _strength(card: str) -> int:
    return 10 - SUITS.index(card[0]) if card[1] == "J" else RANKS.index(card[1])


# -- the rules --------------------------------------------------------------------------------------------------------


def hand_type(game: str, cards: Cards) -> str:
    if game != "G":
        return "high-trump-suit" if len(cards & trumps_of(game)) >= 5 else "low-trump-suit"
    number = len(jacks(cards))
    if number <= 1 or (number < 4 and theorem(game, cards, frozenset())[1] - 2 >= 5):
        return "high-card-grand"
    return {2: "two-jack-grand", 3: "standard-grand", 4: "four-jack-grand"}[number]


def least_lost(game: str, cards: Cards) -> int:
    """The fewest tricks lost by any put without trumps, at most 10."""
    puts = [frozenset(p) for p in combinations(cards, 2) if not frozenset(p) & trumps_of(game)]
    return min([10, *(theorem(game, cards - put, put)[1] for put in puts)])


def penalty(rule: str, game: str, cards: Cards, put: Cards, seat: int) -> int:
    """How much a put offends a rule, for a type of hand the rule is for."""
    left = cards - put
    trumps = trumps_of(game)
    sides = {s: (side(cards, s), side(put, s), side(left, s)) for s in side_suits(game)}
    match rule:
        case "trump":
            return len(put & trumps)
        case "theorem":
            pairs = [frozenset(p) for p in combinations(cards, 2)]
            possible = any(theorem(game, cards - p, p)[4] for p in pairs)
            return int(possible and not theorem(game, left, put)[4])
        case "ace":
            return sum(c[1] == "A" and c not in trumps for c in put)
        case "bare-ten":
            if sum(own == "T" for own, _, _ in sides.values()) >= 3:
                return 0
            return sum(stays == "T" for _, _, stays in sides.values())
        case "lowest":
            low = [c for c in put if c[1] in "789"]
            return sum(any(d[0] == c[0] and d[1] in "789" and d[1] < c[1] for d in left) for c in low)
        case "ace-and-ten":
            return int(any(gone == "AT" and len(own) == 3 and "K" not in own for own, gone, _ in sides.values()))
        case "ace-first":
            return sum("T" in gone and "A" in stays for _, gone, stays in sides.values())
        case "ten-first":
            return sum("K" in gone and "T" in stays for _, gone, stays in sides.values())
        case "ten-group":
            return sum(
                "T" in stays and "K" in stays and "A" not in own and gone != "" for own, gone, stays in sides.values()
            )
        case "ten-and-low":
            pair = any(len(gone) == 2 and gone[0] == "T" and gone[1] in "789" for _, gone, _ in sides.values())
            return int(pair and any(len(stays) == 1 and stays in "789" for _, _, stays in sides.values()))
        case "king-low" | "low-low" | "king-king" | "low-king" | "king-queen" | "low-queen":
            return _pair_rule(rule, sides, put)
        case "standing":
            above = seat == 0 and least_lost(game, cards) <= 3
            return 0 if above else len(put & _standing_cards(game, cards))
        case "from-above":
            if seat or least_lost(game, cards) > 3:
                return 0
            return 22 - eyes(put) if theorem(game, left, put)[1] <= 3 else 99
        case "tens-out":
            stand = _standing_cards(game, cards)
            return sum(c[1] == "T" for c in left - stand) if least_lost(game, cards) == 2 else 0
        case "court-out":
            stand = _standing_cards(game, cards)
            if least_lost(game, cards) != 3 or sum(c[1] in "AT" for c in stand) < 2:
                return 0
            return sum(c[1] in "KQ" for c in left - stand)
        case "all-court-out":
            stand = _standing_cards(game, cards)
            if least_lost(game, cards) != 4 or sum(c[1] in "AT" for c in cards) < 4:
                return 0
            return sum(c[1] in "KQ" for c in left - stand)
        case "rear-guard":
            held, out = trump_order("G"), DECK - cards
            order = [c for c in reversed(held) if c in cards | out]
            tops = standing([order.index(c) for c in held if c in cards], [order.index(c) for c in held if c in out])
            entries = tops + sum(c[1] == "A" for c in cards)
            if seat != 2 or entries < 2:
                return 0
            return sum(_guarded_once(own) and gone != "" for own, gone, _ in sides.values())
        case "long-suit":
            if sum(c[1] == "A" for c in cards) != 2:
                return 0
            return sum(len(gone) for own, gone, _ in sides.values() if "A" not in own and len(own) >= 4)
        case "guarded-ten":
            guarded = [own for own, _, _ in sides.values() if _guarded_once(own)]
            if seat == 2:
                free = any(own and own == gone for own, gone, _ in sides.values())
                return int(bool(guarded) and not free)
            return sum(_guarded_once(own) and gone != "" for own, gone, _ in sides.values())
    raise AssertionError(f"no naive twin of the rule {rule}")


def _guarded_once(own: str) -> bool:
    return len(own) == 2 and own[0] == "T"


def _standing_cards(game: str, cards: Cards) -> Cards:
    found = set()
    for suit in side_suits(game):
        own = side(cards, suit)
        mine, theirs = places(own, side(DECK - cards, suit), RANKS)
        found |= {suit + r for r in own[: standing(mine, theirs)]}
    return frozenset(found)


def _pair_rule(rule: str, sides: dict[str, tuple[str, str, str]], put: Cards) -> int:
    first, second = rule.split("-")
    total = 0
    for suit, (own, gone, _) in sides.items():
        if len(own) != 3 or own[:2] != "TK" or own[2] not in "789" or len(gone) != 1:
            continue
        others = [c[1] for c in put if c[0] != suit and c[1] != "J"]
        mine = "king" if gone == "K" else "low" if gone in "789" else ""
        other = ""
        if others:
            other = {"K": "king", "Q": "queen"}.get(others[0], "low" if others[0] in "789" else "")
        total += (mine, other) == (first, second)
    return total
