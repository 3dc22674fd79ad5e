"""What the site has beyond the files of this folder: the methods, and two files of the root.

The page of the methods is made from their docstrings, so it cannot be out of date.
mkdocs calls the functions by their names (see `hooks` in mkdocs.yml).
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
FROM_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "MAINTAINING.md": "maintaining.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changes.md",
}
MARK = "<!-- methods -->"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files of the root, with their links as they are seen from docs/."""
    for name, page in FROM_ROOT.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text.replace("](docs/", "](")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to files of the root lead to their pages, and fill in the methods."""
    markdown = re.sub(r"\[([^]]+)\]\(((?:\.\./)+)([\w./-]+)(#[\w-]+)?\)", partial(_linked, page), markdown)
    return markdown.replace(MARK, "\n".join(methods())) if MARK in markdown else markdown


def _linked(page: Page, link: re.Match[str]) -> str:
    """A link that leaves docs/ leads to the page of a file of the root, or becomes its text."""
    text, up, path, anchor = link[1], link[2], link[3], link[4] or ""
    depth = page.file.src_uri.count("/")
    if up.count("../") <= depth:
        return link[0]
    return f"[{text}]({'../' * depth}{FROM_ROOT[path]}{anchor})" if path in FROM_ROOT else text


def methods() -> Iterator[str]:
    """One section per method: the docstring of its module, with the examples as code."""
    sys.path.insert(0, str(ROOT / "pipelines"))  # this tree, whatever is installed
    from dupgroups.content import EXTRACTORS
    from dupgroups.methods.signatures import SIGNERS
    from dupgroups.methods.verdicts import JUDGES

    tables: dict[str, dict[str, type[Any]]] = {"Extractors": EXTRACTORS, "Signers": SIGNERS, "Judges": JUDGES}
    for title, table in tables.items():
        yield f"## {title}\n"
        for name, cls in sorted(table.items()):
            anchor = f"{title.lower().removesuffix('s')}-{name}"
            yield f"### {name} {{: #{anchor} }}\n"
            yield f"{fenced(inspect.cleandoc(sys.modules[cls.__module__].__doc__ or ''))}\n"


def fenced(docstring: str) -> str:
    """The docstring with every example of a Python session in a fence of its own.

    >>> print(fenced("A sum:\\n\\n>>> 1 + 1\\n2"))
    A sum:
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    return re.sub(
        r"^>>> .*?(?=\n\n|\Z)", lambda found: f"```pycon\n{found[0]}\n```", docstring, flags=re.M | re.S
    )
