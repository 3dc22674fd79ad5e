"""Group near-duplicate news stories while they are crawled, and collapse them in search results.

>>> import dupgroups
>>> report = (
...     "The ferry to Harrow was held in port on Monday after its engine failed twice within an hour.\\n"
...     "Passengers were taken off by two fishing boats, and the harbour closed until dusk.\\n"
...     "The company said a spare part is on its way, and that no sailing is planned before Friday."
... )
>>> dupgroups.compare(report, "HARROW - " + report).relation
'duplicate'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupgroups.api import article_score, compare, extract, extract_text, group
    from dupgroups.engines import open_engine
    from dupgroups.errors import DupGroupsError
    from dupgroups.flow.deduper import Deduper
    from dupgroups.model import Content, Document, Page, Verdict
    from dupgroups.model.config import Config
    from dupgroups.scrapy import Addon

    __version__: str

# the module of each name; it is imported on first use, so that `dup-groups --help` loads no parser or numpy
_MODULES = {
    "Addon": "scrapy",
    "Config": "model.config",
    "Content": "model",
    "Deduper": "flow.deduper",
    "Document": "model",
    "DupGroupsError": "errors",
    "Page": "model",
    "Verdict": "model",
    "article_score": "api",
    "compare": "api",
    "extract": "api",
    "extract_text": "api",
    "group": "api",
    "open_engine": "engines",
}

__all__ = [
    "Addon",
    "Config",
    "Content",
    "Deduper",
    "Document",
    "DupGroupsError",
    "Page",
    "Verdict",
    "__version__",
    "article_score",
    "compare",
    "extract",
    "extract_text",
    "group",
    "open_engine",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("dup-groups")
    if name not in _MODULES:
        raise AttributeError(f"module 'dupgroups' has no attribute {name!r}")
    return getattr(import_module(f"dupgroups.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
