"""Values as a notebook shows them (``_repr_html_``): small tables, all text escaped, suits as coloured symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RED = "DH"


class Html(str):
    """Text that is HTML already, and shown as such by notebooks."""

    def _repr_html_(self) -> str:
        return str(self)


def text(value: object) -> Html:
    """Anything as HTML."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def suit(label: str) -> Html:
    """A suit: its symbol in its colour if it is one of the four, else its label."""
    if label not in SYMBOLS:
        return text(label)
    colour = "#c00" if label in RED else "#222"
    return Html(f'<span style="color:{colour}">{SYMBOLS[label]}</span>')


def table(
    columns: Sequence[object], rows: Iterable[Sequence[object]], *, title: object = "", right: Iterable[str] = ()
) -> Html:
    """A table with a title; ``right``: the columns that are aligned to the right."""
    aligned = [' style="text-align:right"' if column in set(right) else "" for column in columns]
    body = "".join(
        "<tr>" + "".join(f"<td{a}>{text(c)}</td>" for a, c in zip(aligned, row, strict=False)) + "</tr>" for row in rows
    )
    head = "<tr>" + "".join(f"<th>{text(column)}</th>" for column in columns) + "</tr>" if any(columns) else ""
    caption = f"<caption>{text(title)}</caption>" if title else ""
    return Html(f"<table>{caption}{head}{body}</table>")


def facts(title: object, rows: Iterable[tuple[object, object]]) -> Html:
    """Names and values; values that are empty are left out."""
    return table(("", ""), [(name, value) for name, value in rows if value not in ("", None, ())], title=title)


def shown(show: Callable[[Callable[..., None]], Any]) -> Html:
    """The tables that ``show`` prints with a function like ``tricktake.cli.common.print_columns``."""
    parts: list[str] = []

    def keep(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "", right: Any = ()) -> None:
        parts.append(table(columns, list(rows), title=title, right=right))

    show(keep)
    return Html("".join(parts))
