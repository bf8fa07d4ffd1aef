"""``tricktake plugins``: the plugins, and what each registered."""

from __future__ import annotations

import attrs
import click

from tricktake.cli.common import print_columns, print_json
from tricktake.cli.options import json_option
from tricktake.plugins import plugin_report


@click.command("plugins")
@json_option
def command(as_json: bool) -> None:
    """List plugins: name, version, what each registers, and why one is blocked or broken."""
    found = plugin_report()
    if as_json:
        print_json([attrs.asdict(info) for info in found])
        return
    rows = []
    for info in found:
        names = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in info.registered.items())
        rows.append((info.name, info.version, info.origin, info.status, info.reason or names))
    print_columns(("name", "version", "from", "status", "registers"), rows)
