"""``tricktake advise skat``: what to play and what to discard with these cards."""

from __future__ import annotations

from typing import Any

import click

from tricktake.cli.common import print_columns, print_json
from tricktake.cli.names import Finite
from tricktake.cli.options import json_option, seed_option
from tricktake.errors import UnknownName

SEATS = ("forehand", "middlehand", "rearhand")


def _bids(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int, int]:
    words = [word.strip() for word in text.split(",")]
    if len(words) != len(SEATS) or not all(word.isdecimal() for word in words):
        raise click.BadParameter(f"{text!r} is not three numbers, such as 20,18,0")
    from tricktake_skat.contract import BIDS

    values = [int(word) for word in words]
    for value in values:
        if value and value not in BIDS:
            raise click.BadParameter(f"{value} is no legal bid")
    return values[0], values[1], values[2]


@click.group("advise")
def command() -> None:
    """What to do with a hand."""


@command.command("skat")
@click.argument("cards", metavar="HAND...", nargs=-1, required=True)
@click.option("--seat", type=click.Choice(SEATS), default=SEATS[0], show_default=True, help="Where the declarer sits.")
@click.option("--bids", default="0,0,0", show_default=True, callback=_bids, help="Highest bid or hold of each seat.")
@click.option("--game", "game_name", metavar="GAME", help="C, S, H, D, G, N or NO; else the best.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Only these methods; may be repeated.")
@click.option(
    "--weights", default="default", show_default=True, help="Weights of the proposed methods, or a .toml file."
)
@click.option("--loss", type=Finite(min=0), default=50, show_default=True,
              help="Points of a loss besides twice the value: 90 with the bonus of the others.")  # fmt: skip
@click.option("--chance", type=click.Choice(("networks", "rule", "tables")), default="networks", show_default=True,
              help="Who says how likely a win is: skat:bidder's networks, the rule player, or the tables.")  # fmt: skip
@seed_option
@json_option
def skat(
    cards: tuple[str, ...],
    seat: str,
    bids: tuple[int, int, int],
    game_name: str | None,
    methods: tuple[str, ...],
    weights: str,
    loss: float,
    chance: str,
    seed: int,
    as_json: bool,
) -> None:
    """Games and skats for HAND: ten cards, or twelve after picking up ("CJ HA ...", suits C S H D, ten is T).

    With twelve cards: each game with its best discard, expected Seeger-Fabian points and the chance to win; the best
    discards of the best game (or of --game), and what each method of skat selection discards. With ten cards the same
    on average over all 231 skats, the games from the hand, how far skat:bidder bids, and what others' bids change. See
    docs/bidding.md and docs/skat-selection.md.
    """
    from tricktake_skat.contract import GAME_NAMES
    from tricktake_skat.discard.advice import Asker, read_mask
    from tricktake_skat.discard.selection import METHODS, Selector

    mask = read_mask(" ".join(cards))
    game = None
    if game_name is not None:
        if game_name.upper() not in GAME_NAMES:
            raise UnknownName("game", game_name, GAME_NAMES)
        game = GAME_NAMES.index(game_name.upper())
    for method in methods or METHODS:
        Selector(method, weights)
    asker = Asker(SEATS.index(seat), bids, game, methods or tuple(METHODS), weights, loss, chance, seed)
    advice = asker.advise(mask)
    if as_json:
        print_json(advice)
    elif "game" in advice:
        _show_twelve(advice)
    elif "heard" in advice:
        _show_bidding(advice)
    else:
        _show_ten(advice)


def _show_twelve(advice: dict[str, Any]) -> None:
    print_columns(
        ("game", "value", "expected", "win", "best discard"),
        [
            (g["game"], g["value"], _points(g["expected"]), f"{g['win']:.0%}", " ".join(g["put"]))
            for g in advice["games"]
        ],
        title="Games",
        right=("value", "expected", "win"),
    )
    click.echo()
    if "discards" in advice:
        print_columns(
            ("discard", "expected", "win", "leaves"),
            [(" ".join(d["put"]), _points(d["expected"]), f"{d['win']:.1%}", d["leaves"]) for d in advice["discards"]],
            title=f"Best discards for {advice['game']}",
            right=("expected", "win"),
        )
        click.echo(f"{advice['reason']}\n")
    print_columns(
        ("method", "discards", "expected", "win", "why"),
        [
            (s["method"], " ".join(s["put"]), _points(s["expected"]), f"{s['win']:.0%}", s["reason"])
            for s in advice["skats"]
        ],
        title=f"Skats for {advice['game']}",
        right=("expected", "win"),
    )
    for row in advice["skats"]:
        if row["instead"]:
            click.echo(f"{row['method']}: {row['instead']}")


def _show_bidding(advice: dict[str, Any]) -> None:
    """Ten cards as the bidder sees them."""
    columns = ("game", "value", "always: expected", "win", "declared", "then win", "hand expected", "hand win")
    rows = []
    for g in advice["games"]:
        then = "-" if g["win_declared"] is None else f"{g['win_declared']:.0%}"
        by_hand = _points(g["hand_expected"]) + (" Schneider" if g["hand_announced"] else "")
        numbers = (_points(g["expected"]), f"{g['win']:.0%}", f"{g['declared']:.0%}", then)
        rows.append((g["game"], g["value"], *numbers, by_hand, f"{g['hand_win']:.0%}"))
    print_columns(columns, rows, title=f"At {advice['bid']}, over {advice['skats']} skats", right=columns[1:])
    click.echo()
    print_columns(
        ("forehand, middlehand, rearhand bid", "expected", "game", "win"),
        [
            (", ".join(str(b or "-") for b in h["bids"]), _points(h["expected"]), h["game"], f"{h['win']:.0%}")
            for h in advice["heard"]
        ],
        title=f"What others' bids change, at {advice['bid']}",
        right=("expected", "win"),
    )
    click.echo(
        f"{advice['better']}: picking up is worth {_points(advice['pick_up'])}, "
        f"the best hand game ({advice['hand_game']}) {_points(advice['hand'])}"
    )
    limit = f"bids up to {advice['up_to']}" if advice["up_to"] else "passes"
    click.echo(f"skat:bidder {limit} (wants more than {_points(advice['threshold'])} points)")


def _show_ten(advice: dict[str, Any]) -> None:
    columns = ("game", "value", "expected", "win", "declared", "hand expected", "hand win")
    rows = [
        (
            g["game"],
            g["value"],
            _points(g["expected"]),
            f"{g['win']:.0%}",
            f"{g['declared']:.0%}",
            _points(g["hand_expected"]),
            f"{g['hand_win']:.0%}",
        )
        for g in advice["games"]
    ]
    print_columns(columns, rows, title=f"Average over {advice['skats']} skats", right=columns[1:])
    click.echo()
    print_columns(
        ("method", "expected", "win"),
        [(m["method"], _points(m["expected"]), f"{m['win']:.0%}") for m in advice["methods"]],
        title="By method",
        right=("expected", "win"),
    )
    click.echo(
        f"{advice['better']}: picking up is worth {_points(advice['pick_up'])}, "
        f"the best hand game ({advice['hand_game']}) {_points(advice['hand'])}"
    )


def _points(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
