"""Why something was bid or declared, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from tricktake_skat.bidding.choice import Offer, Option, Prospect
from tricktake_skat.contract import SkatContract

_NAMES = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds", "G": "grand", "N": "Null"}
SHOWN = 3  # games named


def game_text(name: str) -> str:
    """A declaration in words: "clubs", "grand Hand", "Null ouvert"."""
    contract = SkatContract.declared(0, name)
    words = [_NAMES[contract.trump]]
    words += ["Hand"] if contract.hand else []
    words += ["ouvert"] if contract.ouvert else ["Schneider"] if contract.schneider else []
    return " ".join(words)


def _prospect(prospect: Prospect) -> str:
    return f"{game_text(prospect.name)} with {prospect.share:.0%} of the skats, won {prospect.win:.0%}"


def offer_reason(offer: Offer, threshold: float) -> str:
    """What a hand is worth at a bid: the likeliest games, their chances, and the game from the hand."""
    if offer.from_hand:
        first = f"{game_text(offer.by_hand.name)} won {offer.by_hand.win:.0%}"
        return f"at {offer.bid} {offer.score:+.0f} points: {first}; picking up {offer.take:+.0f}"
    said = ", ".join(_prospect(prospect) for prospect in offer.prospects[:SHOWN])
    wanted = f" (wants {threshold:+.0f})" if threshold else ""
    hand = f"; {game_text(offer.by_hand.name)} {offer.hand:+.0f}" if offer.hand > -1000 else ""
    return f"at {offer.bid} {offer.score:+.0f} points{wanted}: {said}{hand}"


def options_reason(options: Sequence[Option]) -> str:
    """The game to declare and what else there was, each with its chance and expected points."""
    if not options:
        return "nothing reaches the bid"
    best, *others = [f"{game_text(o.name)} won {o.win:.0%}, {o.score:+.0f} points" for o in options[:SHOWN]]
    return f"{best}; else {'; '.join(others)}" if others else best
