"""The sites: their templates, URLs, sections and footer links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dupgroups_demo.stories import ROOM, load_toml


@dataclass(frozen=True)
class Link:
    """A link within a site; `path` begins with a slash, `teaser` is the text below it on a front page."""

    title: str
    path: str
    teaser: str = ""


@dataclass(frozen=True)
class Section:
    """A section page: its path, its name on the site, and the sections of stories that it lists."""

    path: str
    label: str
    holds: Sequence[str]


@dataclass(frozen=True)
class Site:
    """A demo site.

    `path` is the pattern of article paths (fields `at`, `section`, `slug`, `number`), `charset` that of the
    HTTP header ("" none), `feed` the file name of its feed or sitemap ("" none).
    """

    key: str
    host: str
    name: str
    language: str
    template: str
    path: str
    charset: str
    feed: str
    tagline: str
    about_title: str
    about: Sequence[str]
    sections: Sequence[Section]
    links: Sequence[Link]


def load_sites() -> list[Site]:
    """All sites."""
    return [_site(table) for table in load_toml(ROOM / "sites.toml")["site"]]


def _site(table: dict[str, Any]) -> Site:
    sections = [Section(**section) for section in table["sections"]]
    return Site(**{**table, "sections": sections, "links": [Link(**link) for link in table["links"]]})
