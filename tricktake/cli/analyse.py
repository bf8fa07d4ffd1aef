"""``tricktake analyse``: a recorded game card by card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tricktake.cli.common import EXIT_DIFFERS, EXIT_OK, print_columns, print_json
from tricktake.cli.faults import Faults
from tricktake.cli.names import COUNT, GAME, SPEC
from tricktake.cli.options import READABLE, format_option, json_option, seed_option
from tricktake.errors import InputError

if TYPE_CHECKING:
    from tricktake.game import Game
    from tricktake.records.record import GameRecord
    from tricktake.search.limit import Limit
    from tricktake.search.solving import Step

DEFAULT = "default"
PROOF_NODES = 300_000  # a tenth of a second


@click.command("analyse")
@click.argument("game", type=GAME)
@click.argument("record", type=READABLE)
@click.option("--id", "ident", metavar="ID", help="Which record of the file; the first one played if not given.")
@format_option
@click.option("--comment", "player", type=SPEC, is_flag=False, flag_value=DEFAULT,
              help="Ask this player at every card; the game's own one without SPEC.")  # fmt: skip
@click.option("--verify", "verified", is_flag=True, help="Prove where the goal was sure, and verify the certificate.")
@click.option("--nodes", type=COUNT, help="Limit of each decision and proof.")
@seed_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    record: Path,
    ident: str | None,
    format_name: str | None,
    player: str | None,
    verified: bool,
    nodes: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Analyse a game card by card: the value with open cards, and what each card lost.

    Values are the declarer's final count (in Skat card points with the skat, in Null tricks) if from there on all
    play best with open cards; "lost" is what the player's own side gave away.

    With --comment a player names the card it would have played in each seat's place, from that seat's view, and why.

    With --verify the positions are shown in which a player could be sure of the goal wherever the hidden cards lie: the
    search proves it, its plan is written as a certificate, and the rules alone verify it. Exit code 1 if one fails.
    """
    from tricktake.game import find_game
    from tricktake.records.formats import read, variant_of
    from tricktake.records.solving import analyse
    from tricktake.search.limit import Limit

    named = find_game(game)
    faults = Faults()
    records = read(record, named, format_name, on_error=faults.refuse, variants=True)
    found = next((each for each in records if each.id == ident or (ident is None and not each.passed)), None)
    faults.end()
    if found is None:
        raise InputError(record, None, "id", f"no record {ident!r}" if ident else "no record that can be used")
    rules = variant_of(found, named)
    steps = analyse(rules, found)
    if player is not None:
        steps = _commented(rules, found, steps, player, Limit(nodes=nodes), seed)
    if verified:
        from tricktake.tournament.comment import proofs, with_proofs

        steps = with_proofs(steps, proofs(rules, found, Limit(nodes=nodes or PROOF_NODES)))
    refuted = [step for step in steps if step.proof.startswith("refuted")]
    lost: dict[int, int] = {}
    for step in steps:
        lost[step.seat] = lost.get(step.seat, 0) + step.lost
    if as_json:
        facts = {"id": found.id, "contract": str(found.contract), "value": steps[0].before if steps else None}
        print_json({**facts, "cards": steps, "lost": {str(seat): n for seat, n in sorted(lost.items())}})
        ctx.exit(EXIT_DIFFERS if refuted else EXIT_OK)
    columns = ["trick", "seat", "player", "card", "before", "after", "lost"]
    columns += ["would play", "why"] if player is not None else []
    columns += ["proof"] if verified else []
    _show(found, steps, columns, found.players or tuple(f"seat {s}" for s in range(rules.seats)), lost)
    if player is not None:
        same = sum(step.card == step.choice for step in steps)
        click.echo(f"{same} of {len(steps)} cards are those the commentator would have played")
    ctx.exit(EXIT_DIFFERS if refuted else EXIT_OK)


def _show(
    record: GameRecord, steps: list[Step], columns: list[str], names: tuple[str, ...], lost: dict[int, int]
) -> None:
    """These columns of the steps as a table, and what each seat gave away."""
    cells = [
        {
            "trick": s.trick,
            "seat": s.seat,
            "player": names[s.seat],
            "card": s.card,
            "before": s.before,
            "after": s.after,
            "lost": s.lost or "",
            "would play": s.choice,
            "why": s.reason,
            "proof": s.proof,
        }
        for s in steps
    ]
    print_columns(
        columns,
        [[row[column] for column in columns] for row in cells],
        title=f"{record.id}: {record.contract}",
        right=("trick", "seat", "before", "after", "lost"),
    )
    for seat, n in sorted(lost.items()):
        click.echo(f"{names[seat]} gave away {n}")


def _commented(game: Game, record: GameRecord, steps: list[Step], spec: str, limit: Limit, seed: int) -> list[Step]:
    """The steps, each with a player's comment."""
    from tricktake.strategies.player import default_spec
    from tricktake.tournament.comment import comments, with_comments
    from tricktake.tournament.players import PlayerConfig
    from tricktake.tournament.seat import LocalSeat

    player = PlayerConfig.from_text(default_spec(game) if spec == DEFAULT else spec, limit)
    player.require(("play",))
    return with_comments(steps, comments(game, record, LocalSeat(player.make, limit), seed))
