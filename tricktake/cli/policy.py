"""``tricktake policy``: what stands in policies, and how strong they are."""

from __future__ import annotations

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, print_columns, print_json
from tricktake.cli.names import COUNT, POLICY
from tricktake.cli.options import json_option, seed_option


@click.group("policy")
def command() -> None:
    """Show, compare and measure policies. POLICY is a file, or a name as "tricktake plugins" lists it."""


@command.command("show")
@click.argument("policy", type=POLICY)
@json_option
def show(policy: str, as_json: bool) -> None:
    """What a policy plays and how it was made."""
    from tricktake.policy.policyfile import manifest
    from tricktake.strategies.policy import find_policy

    found = find_policy(policy)
    if as_json:
        print_json(manifest(found))
        return
    click.echo(f"{found.game}, version {found.version} of the inputs")
    rows = []
    for name, family in sorted(found.families.items()):
        net = family.nets[0]
        shape = f"{net.first.shape[0]} - {net.first.shape[1]} - {net.second.shape[1]} - {net.third.shape[1]}"
        made = found.made.get(name, {})
        size = sum(each.bytes for each in family.nets) // 1000
        rows.append((name, len(family.nets), shape, size, f"{made.get('games', 0):.0f}", made.get("seed", "")))
    print_columns(("family", "roles", "widths", "kB", "games", "seed"), rows, right=("roles", "kB", "games", "seed"))


@command.command("diff")
@click.argument("first", type=POLICY)
@click.argument("second", type=POLICY)
@click.option("--positions", type=COUNT, default=1000, show_default=True, help="Games compared.")
@seed_option
@json_option
@click.pass_context
def diff(ctx: click.Context, first: str, second: str, positions: int, seed: int, as_json: bool) -> None:
    """How often two policies play the same cards, and what the first gains over the second. Exit code 0 if always."""
    import numpy as np

    from tricktake.errors import InputError
    from tricktake.game import find_game
    from tricktake.policy import games
    from tricktake.policy.policy import Packed
    from tricktake.policy.practice import practice_for
    from tricktake.strategies.policy import find_policy

    one, two = find_policy(first), find_policy(second)
    if one.game != two.game:
        raise InputError(None, None, "policy", f"one plays {one.game}, the other {two.game}")
    shared = [
        name for name in one.families if name in two.families and one.families[name].key == two.families[name].key
    ]
    if not shared:
        raise InputError(None, None, "policy", "they have no family in common")
    practice, found = practice_for(find_game(one.game)), {}
    for name in shared:
        batch = practice.positions(name, seed, positions)
        nets, others = one.families[name].nets, two.families[name].nets
        size = batch.encoding.cards
        same = [
            games.play(batch, batch.roles(), Packed.of(each), seed=seed, cards=size).cards for each in (nets, others)
        ]
        entry: dict[str, float] = {"same games": float((same[0] == same[1]).all(axis=1).mean())}
        if nets[0].first.shape == others[0].first.shape:
            packed = Packed.of([*nets, *others])
            roles = batch.roles()
            entry["gain"], entry["error"] = games.strength(batch, roles, roles + len(nets), packed, seed=seed)
        found[name] = entry
    if as_json:
        print_json(found)
    else:
        rows = [
            (name, f"{e['same games']:.1%}", f"{e['gain']:+.4g} +- {e['error']:.2g}" if "gain" in e else "")
            for name, e in found.items()
        ]
        print_columns(("family", "same games", "gain of the first a game"), rows)
    ctx.exit(EXIT_OK if all(np.isclose(e["same games"], 1) for e in found.values()) else EXIT_DIFFERS)


@command.command("eval")
@click.argument("policy", type=POLICY)
@click.option("--family", "families", metavar="NAMES", default="", help="Families, with commas between; else all.")
@click.option(
    "--positions", type=click.IntRange(min=2), default=5000, show_default=True, help="Games, each played twice."
)
@seed_option
@json_option
def evaluate(policy: str, families: str, positions: int, seed: int, as_json: bool) -> None:
    """How much more a policy makes than other players on the same positions in the same role.

    Take a seed that took no part in learning. Errors are standard errors.
    """
    from tricktake.errors import UnknownName
    from tricktake.game import find_game
    from tricktake.policy.practice import practice_for
    from tricktake.strategies.policy import find_policy

    found = find_policy(policy)
    practice = practice_for(find_game(found.game))
    names = [name.strip() for name in families.split(",") if name.strip()] or sorted(found.families)
    results = {}
    for name in names:
        if name not in found.families:
            raise UnknownName("family", name, found.families)
        results[name] = dict(practice.measured(found.families[name], seed, positions))
    if as_json:
        print_json({name: {other: list(pair) for other, pair in each.items()} for name, each in results.items()})
        return
    rows = [
        (name, other, f"{gain:+.4g}", f"{error:.2g}")
        for name, each in results.items()
        for other, (gain, error) in each.items()
    ]
    print_columns(("family", "over", "gain", "error"), rows, right=("gain", "error"))
