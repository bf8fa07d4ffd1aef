"""What the bidder thinks of a hand, in full (``tricktake advise skat``): the numbers by which it bids and discards."""

from __future__ import annotations

from typing import Any

import numpy as np

from tricktake.errors import InputError
from tricktake.jit import interpreted
from tricktake_skat._kernels import bidding_worth
from tricktake_skat._kernels.bidding import Weighed
from tricktake_skat._kernels.cards import ACES, GRAND, JACKS, NULL, TENS, eyes_of
from tricktake_skat._kernels.rule_bid import FORBIDDEN, value_of
from tricktake_skat.bidding.choice import Bids, Evaluator, Offer, Option, game_text
from tricktake_skat.bidding.style import Style
from tricktake_skat.contract import BIDS, GAME_NAMES
from tricktake_skat.deck import SEATS, SKAT

HEARD = (18, 24, 36)  # bids of another seat whose effect is shown
SHOWN = 5  # discards that are shown


def of_ten(
    evaluator: Evaluator, hand: int, seat: int, bids: Bids, style: Style, game: int | None = None
) -> dict[str, Any]:
    """Ten cards (mask): every game over all skats and from the hand, how far to bid, and what others' bids change.

    game: the only one to say something of, None for all. Raises ValueError.
    """
    bid = max(*bids, BIDS[0])
    found = evaluator.weighed(hand, seat, bids, style)
    offer = evaluator.offer(hand, seat, bids, bid, style, found)
    choices = range(len(GAME_NAMES)) if game is None else [game]
    games = [_game_of_ten(found, offer, choice, hand, bid, style) for choice in choices]
    offers = {b: evaluator.offer(hand, seat, bids, b, style, found) for b in BIDS if b >= bid}
    limits = [b for b, each in offers.items() if each.score > style.threshold]
    return {
        "skats": len(found.skats),
        "bid": bid,
        "games": sorted(games, key=lambda game: -game["declared"]),
        "pick_up": offer.take,
        "hand_game": offer.by_hand.name,
        "hand": offer.hand,
        "better": "hand" if offer.from_hand else "pick up",
        "threshold": style.threshold,
        "up_to": max(limits, default=0),
        "reason": offer.reason(style.threshold),
        "heard": [_heard(evaluator, hand, seat, heard, bid, style) for heard in _situations(seat, bids)],
    }


def of_twelve(
    evaluator: Evaluator, cards: int, seat: int, bids: Bids, style: Style, game: int | None = None
) -> dict[str, Any]:
    """Twelve cards (mask): every game with its best discard, and the discards of the best game or of ``game``.

    Raises ValueError, InputError if the game is worth less than the bid.
    """
    bid = max(bids)
    options = evaluator.options(cards, seat, bids, bid, style)
    if game is None:
        game = GAME_NAMES.index(options[0].name)
    elif GAME_NAMES[game] not in {option.name for option in options}:
        raise InputError(None, None, "game", f"{GAME_NAMES[game]} is worth less than the bid of {bid}")
    discards = evaluator.discards(game, cards, seat, bids, bid, style)
    return {
        "games": [_option(option, cards) for option in options],
        "game": GAME_NAMES[game],
        "discards": [
            {**_option(option, cards), "leaves": discard_text(game, cards, option.discard_mask)}
            for option in discards[:SHOWN]
        ],
        "reason": discard_reason(game, cards, discards),
    }


def discard_text(game: int, cards: int, put: int) -> str:
    """What a discard does, in words: eyes put, suits it empties, tens left bare. cards: twelve (mask)."""
    own, words = cards & ~put, []
    if game <= GRAND and eyes_of(put):
        words.append(f"{eyes_of(put)} eyes")
    for suit, name in enumerate(map(game_text, GAME_NAMES[:GRAND])):
        mask = (255 if game >= NULL else 255 & ~JACKS) << 8 * suit
        before, after = cards & mask, own & mask
        if suit == game or before == after:
            continue
        if not after:
            words.append(f"no {name} left")
        elif game < NULL and after == after & TENS:
            words.append(f"ten of {name} left bare")
        elif game < NULL and after == after & ACES:
            words.append(f"ace of {name} alone")
        elif game >= NULL:
            words.append(f"{name} {' '.join(card[1:] for card in SKAT.names(after).split())}")
    return ", ".join(words) or "nothing of note"


def discard_reason(game: int, cards: int, discards: tuple[Option, ...]) -> str:
    """Why the first of these discards of a game, beside the second best: one line."""
    best = discards[0]
    said = f"discard {SKAT.names(best.discard_mask)} ({discard_text(game, cards, best.discard_mask)})"
    if len(discards) < 2:
        return said
    other = discards[1]
    less = f"{100 * (other.win - best.win):+.1f} % won, {other.score - best.score:+.1f} points"
    return f"{said}; next {SKAT.names(other.discard_mask)} {less}"


def _game_of_ten(found: Weighed, offer: Offer, choice: int, hand: int, bid: int, style: Style) -> dict[str, Any]:
    loss, name = float(style.aggressiveness), GAME_NAMES[choice]
    worth, by_hand = interpreted(bidding_worth.game_worth), interpreted(bidding_worth.hand_game_worth)
    columns = found.values[choice], found.wins[choice], found.ups[choice]
    scores = [worth(choice, value, win, up, bid, loss) for value, win, up in zip(*columns, strict=True)]
    ways = [by_hand(found, choice, announced, bid, loss) for announced in range(2 if choice < NULL else 1)]
    hand_score, hand_win = max(ways)
    prospect = next((prospect for prospect in offer.prospects if prospect.name == name), None)
    return {
        "game": name,
        "value": int(value_of(choice, hand)),
        "win": float(found.wins[choice].mean()),
        "expected": _allowed(float(np.mean(scores))),
        "declared": prospect.share if prospect else 0.0,
        "win_declared": prospect.win if prospect else None,
        "hand_win": float(hand_win),
        "hand_expected": _allowed(float(hand_score)),
        "hand_announced": len(ways) > 1 and ways[1][0] > ways[0][0],
    }


def _situations(seat: int, bids: Bids) -> list[Bids]:
    """Nothing heard, what was heard, and one of the two others bidding so high."""
    found: list[Bids] = [(0, 0, 0), bids]
    for turn in (1, 2):
        for bid in HEARD:
            heard = [0, 0, 0]
            heard[(seat + turn) % SEATS] = bid
            found.append((heard[0], heard[1], heard[2]))
    return list(dict.fromkeys(found))


def _heard(evaluator: Evaluator, hand: int, seat: int, heard: Bids, bid: int, style: Style) -> dict[str, Any]:
    """What a hand is worth at the same bid after other bids."""
    offer = evaluator.offer(hand, seat, heard, bid, style)
    first = offer.by_hand if offer.from_hand else offer.prospects[0]
    return {"bids": list(heard), "expected": offer.score, "game": game_text(first.name), "win": first.win}


def _option(option: Option, cards: int) -> dict[str, Any]:
    return {
        "game": option.name,
        "value": int(value_of(GAME_NAMES.index(option.name), cards)),
        "put": SKAT.names(option.discard_mask).split(),
        "win": option.win,
        "expected": option.score,
    }


def _allowed(score: float) -> float | None:
    """None for a game that cannot be declared."""
    return score if score > FORBIDDEN / 2 else None
