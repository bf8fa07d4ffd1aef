"""Links of the pages lead somewhere: files and headings are there; addresses on the net have the form of one."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.conftest import ROOT

PAGES = sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), ROOT / "tests/data/README.md"])
MARKDOWN = MarkdownIt("commonmark").enable("table")


@functools.cache
def inline(page: Path) -> list[tuple[int, Token, bool]]:
    """Line, inline content, and whether it is a heading."""
    tokens = MARKDOWN.parse(page.read_text(encoding="utf-8"))
    return [
        ((token.map or [0])[0] + 1, token, number > 0 and tokens[number - 1].type == "heading_open")
        for number, token in enumerate(tokens)
        if token.type == "inline"
    ]


def links(page: Path) -> Iterator[tuple[int, str]]:
    for line, token, _ in inline(page):
        for child in token.children or ():
            if child.type in ("link_open", "image"):
                yield line, str(child.attrs["href" if child.type == "link_open" else "src"])


@functools.cache
def anchors(page: Path) -> set[str]:
    """The names a forge gives the headings: lower case, no punctuation, hyphens for blanks, numbered if repeated."""
    out: set[str] = set()
    seen: Counter[str] = Counter()
    for _, token, heading in inline(page):
        if heading:
            text = "".join(child.content for child in token.children or () if child.type in ("text", "code_inline"))
            slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
            out.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
            seen[slug] += 1
    return out


def fault(page: Path, link: str) -> str:
    """Why a link leads nowhere, or nothing."""
    url = urlsplit(link)
    if url.scheme or url.netloc:
        fine = url.scheme in ("http", "https") and re.fullmatch(r"[\w.-]+\.\w+", url.netloc)
        return "" if fine else "no address of the net"
    target = (page.parent / unquote(url.path)).resolve() if url.path else page
    if not target.is_relative_to(ROOT):
        return "leaves the repository"
    if not target.exists():
        return "no such file"
    if url.fragment and url.fragment not in (anchors(target) if target.suffix == ".md" else ()):
        return "no such heading"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    wrong = [(line, link, why) for line, link in links(page) if (why := fault(page, link))]
    assert not wrong


def test_a_wrong_link_is_noticed() -> None:
    page = ROOT / "docs" / "architecture.md"
    assert fault(page, "rules.md") == fault(page, "#the-floors") == fault(page, "https://example.org/a#b") == ""
    assert fault(page, "no-such-page.md") == "no such file"
    assert fault(page, "rules.md#no-such-heading") == "no such heading"
    assert fault(page, "../../elsewhere.md") == "leaves the repository"
    assert fault(page, "http:/example.org") == fault(page, "mailto:a@example.org") == "no address of the net"


def test_repeated_headings_are_numbered(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A `b(c)`, d\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n")
    assert anchors(page) == {"a-bc-d", "twice", "twice-1"}
