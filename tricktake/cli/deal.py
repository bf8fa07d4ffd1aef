"""``tricktake deal``: deals from a seed, under conditions, or by number."""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from tricktake.cli.common import json_option, print_json, seed_option
from tricktake.errors import InputError

if TYPE_CHECKING:
    from tricktake.deal import Deal, Layout

COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


@click.command("deal")
@click.argument("game")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many deals.")
@click.option(
    "--id", "first", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the first one."
)
@click.option(
    "--predeal", metavar="PLACE=CARDS", multiple=True, help="Cards that lie there, e.g. '0=CJ SJ'; repeatable."
)
@click.option("--where", metavar="COND", multiple=True, help="'PLACE: CARDS >= N', e.g. '0: *J >= 3'; repeatable.")
@click.option("--attempts", type=click.IntRange(min=1), help="Deals tried for --where before giving up.")
@click.option("--number", type=click.IntRange(min=0), help="The deal with this number instead of a random one.")
@seed_option
@json_option
def command(
    game: str,
    count: int,
    first: int,
    predeal: tuple[str, ...],
    where: tuple[str, ...],
    attempts: int | None,
    number: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Deal the cards of GAME. Deal K of a seed is the same alone or in a series.

    Conditions count cards of a place: names, or patterns like *J (all jacks) and C* (a whole suit).
    """
    from tricktake.game import find_game

    layout = find_game(game).layout
    for id_, deal in _deals(layout, count, first, predeal, where, attempts, number, seed):
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
    fixed: dict[str | int, int] = {}
    for text in predeal:
        place, equals, cards = text.partition("=")
        if not equals:
            raise InputError(None, None, "--predeal", f"cannot read {text!r}; it looks like '0=CJ SJ'")
        place = place.strip()
        fixed[place] = fixed.get(place, 0) | layout.deck.parse_mask(cards)
    conditions = [_condition(layout, text) for text in where]
    for id_ in range(first, first + count):
        yield (
            id_,
            deal_where(layout, seed, id_, fixed, lambda d: all(holds(d) for holds in conditions), attempts or ATTEMPTS),
        )


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
