"""``tricktake deal``: deals from a seed, under conditions, or by number."""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from tricktake.cli.common import print_json
from tricktake.cli.names import COUNT, GAME, KIND, SPEC
from tricktake.cli.options import json_option, seed_option
from tricktake.errors import InputError

if TYPE_CHECKING:
    from tricktake.deal import Deal, Layout
    from tricktake.game import Game

COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


@click.command("deal")
@click.argument("game", type=GAME)
@click.option("--count", type=COUNT, default=1, show_default=True, help="How many deals.")
@click.option(
    "--id", "first", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the first one."
)
@click.option(
    "--predeal", metavar="PLACE=CARDS", multiple=True, help="Cards that lie there, e.g. '0=CJ SJ'; repeatable."
)
@click.option("--where", metavar="COND", multiple=True, help="'PLACE: CARDS >= N', e.g. '0: *J >= 3'; repeatable.")
@click.option("--contract", type=KIND, help="Deals and auctions that lead to such a contract, e.g. null or '?NT'.")
@click.option("--bidder", type=SPEC, help="Who makes these auctions, e.g. skat:rule; drawn by default.")
@click.option("--attempts", type=COUNT, help="Deals tried for --where or --contract before giving up.")
@click.option("--number", type=click.IntRange(min=0), help="The deal with this number instead of a random one.")
@seed_option
@json_option
def command(
    game: str,
    count: int,
    first: int,
    predeal: tuple[str, ...],
    where: tuple[str, ...],
    contract: str | None,
    bidder: str | None,
    attempts: int | None,
    number: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Deal the cards of GAME. Deal K of a seed is the same alone or in a series.

    Conditions count cards of a place: names, or patterns like *J (all jacks) and C* (a whole suit).

    With --contract the auction is found too. --json prints complete records up to the first trick: saved as a file
    (.jsonl) they can be solved, or played with ``tournament --mode contracts --records``.
    """
    from tricktake.game import find_game

    rules = find_game(game)
    if contract is not None:
        if number is not None:
            raise click.UsageError("--number gives one deal and takes no --contract")
        _print_contracts(rules, contract, bidder, range(first, first + count), predeal, where, attempts, seed, as_json)
        return
    if bidder is not None:
        raise click.UsageError("--bidder needs a --contract")
    for id_, deal in _deals(rules.layout, count, first, predeal, where, attempts, number, seed):
        if as_json:
            print_json(_described(game, deal, None if number is not None else seed, id_), indent=None)
        else:
            click.echo(f"{id_}\t{deal.to_text()}")


def _deals(
    layout: Layout,
    count: int,
    first: int,
    predeal: tuple[str, ...],
    where: tuple[str, ...],
    attempts: int | None,
    number: int | None,
    seed: int,
) -> Iterator[tuple[int, Deal]]:
    from tricktake.deal import ATTEMPTS, deal_where, number_of_deals, unrank_deal

    if number is not None:
        if predeal or where:
            raise click.UsageError("--number gives one deal and takes no conditions")
        total = number_of_deals(layout)
        if number + count > total:
            raise InputError(None, None, "--number", f"deals are numbered 0 to {total - 1}")
        yield from ((number + n, unrank_deal(layout, number + n)) for n in range(count))
        return
    fixed, accepted = _conditions(layout, predeal, where)
    for id_ in range(first, first + count):
        yield id_, deal_where(layout, seed, id_, fixed, accepted, attempts or ATTEMPTS)


def _print_contracts(
    game: Game,
    kind: str,
    bidder: str | None,
    numbers: Iterable[int],
    predeal: tuple[str, ...],
    where: tuple[str, ...],
    attempts: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Deals that lead to a kind of contract, with the contract and the auction."""
    from tricktake.records.formats import get_format
    from tricktake.records.record import record_of
    from tricktake.steering import DEALS, reach
    from tricktake.strategies.player import Player
    from tricktake.tournament.referee import bidding_of

    fixed, accepted = _conditions(game.layout, predeal, where)
    part = None if bidder is None else Player.from_spec(bidder)
    deck = game.layout.deck
    for id_ in numbers:
        choose = None if part is None else bidding_of(part, seed, str(id_))
        table = reach(game, kind, seed, id_, predeal=fixed, predicate=accepted, bidder=choose, deals=attempts or DEALS)
        if as_json:
            click.echo(get_format("jsonl").text(record_of(table, str(id_))), nl=False)
        else:
            auction = ", ".join(f"{event.seat} {event.action.to_text(deck)}" for event in table.events)
            click.echo(f"{id_}\t{table.deal.to_text()}\t{table.contract}\t{auction}")


def _conditions(
    layout: Layout, predeal: tuple[str, ...], where: tuple[str, ...]
) -> tuple[dict[str | int, int], Callable[[Deal], bool]]:
    """The predealt cards of each place and whether a deal is accepted. Raises InputError, InvalidCard."""
    fixed: dict[str | int, int] = {}
    for text in predeal:
        place, equals, cards = text.partition("=")
        if not equals:
            raise InputError(None, None, "--predeal", f"cannot read {text!r}; it looks like '0=CJ SJ'")
        place = place.strip()
        fixed[place] = fixed.get(place, 0) | layout.deck.parse_mask(cards)
    conditions = [_condition(layout, text) for text in where]
    return fixed, lambda deal: all(holds(deal) for holds in conditions)


def _condition(layout: Layout, text: str) -> Callable[[Deal], bool]:
    """Read ``PLACE: CARDS OP N``. Raises InputError, InvalidCard."""
    match = re.fullmatch(r"\s*([^:]+?)\s*:(.*?)(>=|<=|!=|=|>|<)\s*(\d+)\s*", text)
    if match is None:
        raise InputError(None, None, "--where", f"cannot read {text!r}; it looks like '0: *J >= 3'")
    name, words, sign, amount = match.groups()
    if name not in layout.names:
        raise InputError(None, None, "--where", f"no place {name!r}; places: {', '.join(layout.names)}")
    place, mask = layout.names.index(name), 0
    for word in words.replace(",", " ").split():
        found = [card.mask for card in layout.deck if fnmatch.fnmatchcase(card.kind, word.upper())]
        mask |= sum(found) if found and ("*" in word or "?" in word) else layout.deck.parse_mask(word)
    compare, wanted = COMPARE[sign], int(amount)
    return lambda deal: compare((deal.masks[place] & mask).bit_count(), wanted)


def _described(game: str, deal: Deal, seed: int | None, id_: int) -> dict[str, Any]:
    from tricktake.deal import rank_deal

    names = deal.layout.names
    places = {name: deal.layout.deck.names(mask) for name, mask in zip(names, deal.masks, strict=True)}
    return {"game": game, "seed": seed, "id": id_, "number": rank_deal(deal), "deal": deal.to_text(), "places": places}
