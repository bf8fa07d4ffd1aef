"""How Sphinx builds the site (``make docs``).

Sphinx, because it takes pages and notebooks from the whole repository and shows what notebooks print. Zensical 0.0.73
and mkdocs-material 9.8 build as strictly, but see one folder only, and no notebooks without a plugin.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_site"))

os.environ["NUMBA_DISABLE_JIT"] = "1"  # kernels are read as the functions they are
import numba  # noqa: E402, F401

del os.environ["NUMBA_DISABLE_JIT"]  # not in the processes of the notebooks

PROFILE = ROOT / "build/ipython/profile_default"  # that of the notebooks' kernels, which warn of talking over TCP here
PROFILE.mkdir(parents=True, exist_ok=True)
(PROFILE / "ipython_kernel_config.py").write_text('c.IPKernelApp.log_level = "ERROR"\n')
os.environ["IPYTHONDIR"] = str(PROFILE.parent)

import pages  # noqa: E402

project = "tricktake"
author = "The tricktake authors"
root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/games/*.md", "docs/modules/*.rst", "examples/notebooks/*.ipynb"]
include_patterns += ["CHANGELOG.md", "tests/data/README.md"]
exclude_patterns = [".*", "build", "dist", "experiments", "plugins", "tables", "tricktake"]  # not even looked through
extensions = ["myst_nb", "sphinx.ext.autodoc"]

html_theme = "furo"
html_title = "tricktake"
html_extra_path = ["_site/index.html"]
html_static_path = ["_site/site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # would be fetched page by page, which browsers refuse for files
templates_path: list[str] = []
pygments_style, pygments_dark_style = "friendly", "github-dark"

myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_timeout = 600  # seconds a cell: kernels may have to be compiled first
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"  # what is said while kernels are compiled

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
maximum_signature_line_length = 120
python_use_unqualified_type_names = True

MODULES = "docs/modules"


def reference() -> dict[str, dict[str, str]]:
    """The pages of the reference: those of the core, those of the plugins."""
    found: dict[str, dict[str, str]] = {"The core": pages.reference(ROOT / "tricktake", apart=True), "Plugins": {}}
    for root in sorted(ROOT.glob("plugins/*/src/*")):
        if (root / "__init__.py").exists():
            found["Plugins"].update(pages.reference(root))
    return found


def import_names_of_types(app: Any) -> None:
    """Names that modules import for types only are known while their signatures are read."""
    for text in (text for part in reference().values() for text in part.values()):
        for name in pages.modules_of(text):
            pages.import_for_types(importlib.import_module(name))
            pages.name_types(importlib.import_module(name))


def write_reference(app: Any) -> None:
    """Write the pages of the reference; those that are as they were keep their time."""
    folder = ROOT / MODULES
    folder.mkdir(exist_ok=True)
    wanted = {f"{name}.rst": text for part in reference().values() for name, text in part.items()}
    for file in folder.glob("*.rst"):
        if file.name not in wanted:
            file.unlink()
    for name, text in wanted.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def add_navigation(app: Any, document: str, source: list[str]) -> None:
    """The front page is the navigation; the page of modules lists those of the reference."""
    if document == root_doc:
        for caption, names in pages.navigation(source[0], "docs"):
            source[0] += pages.toctree(names, caption, hidden=True)
    elif document == MODULES:
        for caption, found in reference().items():
            source[0] += pages.toctree([f"{MODULES}/{name}" for name in found], caption)


def list_names(app: Any, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Docstrings explain parameters and fields as ``name: what it is``."""
    lines[:] = pages.listed(lines, pages.names_of(thing))


def short_arrays(app: Any, what: str, name: str, thing: object, options: Any, given: str, back: str) -> Any:
    """``NDArray`` instead of what it stands for."""
    return pages.shortened(given), pages.shortened(back)


def setup(app: Any) -> None:
    app.connect("builder-inited", write_reference)
    app.connect("builder-inited", import_names_of_types)
    app.connect("source-read", add_navigation)
    app.connect("autodoc-process-docstring", list_names)
    app.connect("autodoc-process-signature", short_arrays)
