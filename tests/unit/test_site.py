"""The site of ``make docs``: every page is in its navigation, every module in the reference, lists in docstrings."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from attrs import field, frozen

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def pages() -> Any:
    sys.path.insert(0, str(ROOT / "docs" / "_site"))
    try:
        import pages
    finally:
        sys.path.pop(0)
    return pages


def test_every_page_is_in_the_navigation_once(pages: Any) -> None:
    sections = pages.navigation((ROOT / "docs/index.md").read_text(encoding="utf-8"), "docs")
    listed = [name for _, names in sections for name in names]
    files = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/notebooks/*.ipynb")]
    wanted = {str(file.relative_to(ROOT).with_suffix("")) for file in files} - {"docs/index"}
    assert wanted - set(listed) == set(), "pages that docs/index.md does not name under a heading"
    assert len(listed) == len(set(listed))
    assert set(listed) - wanted == {"CHANGELOG", "tests/data/README"}


def test_a_heading_is_a_section_and_a_link_a_page(pages: Any) -> None:
    text = "[no](no.md)\n## One\n[a](a.md#x), [b](../up/b.ipynb) [c](https://x.org/c.md)\n## Two\n[a](a.md) [d](d/e.md)"
    assert pages.navigation(text, "docs") == [("One", ["docs/a", "up/b"]), ("Two", ["docs/d/e"])]


def test_every_public_module_is_in_the_reference(pages: Any) -> None:
    for root in (ROOT / "tricktake", *ROOT.glob("plugins/*/src/tricktake_*")):
        if not root.is_dir():
            continue
        described = [
            m for page in pages.reference(root, apart=root.name == "tricktake").values() for m in pages.modules_of(page)
        ]
        names = [".".join(file.relative_to(root.parent).with_suffix("").parts) for file in root.glob("**/*.py")]
        public = {name for name in names if not any(part.startswith("_") for part in name.split("."))}
        assert len(described) == len(set(described))
        assert public - set(described) == set()


@frozen
class Thing:
    size: int
    name: str = ""
    many: tuple[int, ...] = field(factory=tuple)


def test_names_in_a_docstring_become_a_list(pages: Any) -> None:
    names = pages.names_of(Thing)
    assert names == {"size", "name", "many"}
    text = [
        "A thing. size: how large; name, many: what it is",
        "called, in words: short ones. Raises ValueError.",
        "",
        "Other: text.",
    ]
    assert pages.listed(["Written as ``a. name: b``."], names) == ["Written as ``a. name: b``.", ""]
    assert pages.listed(text, names) == [
        "A thing. ",
        "",
        "- **size**: how large; ",
        "- **name, many**: what it is called, in words: short ones.",
        "",
        "Raises ValueError.",
        "",
        "Other: text.",
        "",
    ]


def test_signatures_have_types_and_defaults(pages: Any) -> None:
    pages.name_types(sys.modules[__name__])
    assert str(Thing.__signature__) == "(size: int, name: str = '', many: tuple[int, ...] = ...) -> None"  # type: ignore[attr-defined]
    assert pages.shortened("(a: numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.int64]])") == "(a: NDArray[int64])"
