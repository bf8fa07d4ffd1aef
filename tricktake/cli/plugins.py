"""``tricktake plugins``: the plugins, and what each registered."""

from __future__ import annotations

import attrs
import click

from tricktake.cli.common import print_json, wrapped
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
    for info in found:
        click.echo(wrapped(" ".join(filter(None, (info.name, info.version, f"({info.origin})", info.status)))))
        if info.reason:
            click.echo(wrapped(info.reason, "  "))
        for kind, names in info.registered.items():
            click.echo(wrapped(f"{kind}: {', '.join(names)}", "  ", "    "))
