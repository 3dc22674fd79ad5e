"""The sites (`sites.toml`), and the stories: one text per story, and how every site published its copy.

A file holds either a story with `[[copies]]`, or a daily series: a text with placeholders, and `[[days]]`
with the numbers to fill in; each day is a separate story.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from dupgroups.model.config import read_toml

ROOM = Path(__file__).parent
SERIES_TIME = "09:00"


@dataclass(frozen=True)
class Copy:
    """How one site published a story.

    `dateline` goes before the first paragraph, `closing` after the last. `cut` holds the numbers (from 1) of
    paragraphs that are left out, `edits` maps old words to new ones, `text` replaces the text of the story
    (traditional characters). An `excerpt` is the first third. `twins` names the templates ("amp", "print") of
    other pages with the same article. `encoding` is the true charset, `meta` the charset that the page
    declares in its head ("" none, None the true one).
    """

    site: str
    headline: str
    byline: str = ""
    time: str = SERIES_TIME
    dateline: str = ""
    closing: str = ""
    note: str = ""
    text: str = ""
    cut: Sequence[int] = ()
    edits: Mapping[str, str] = field(default_factory=dict)
    comments: Sequence[str] = ()
    excerpt: bool = False
    twins: Sequence[str] = ()
    encoding: str = "utf-8"
    meta: str | None = None


@dataclass(frozen=True)
class Story:
    """A story (`text`: paragraphs separated by blank lines) and its copies on the sites."""

    id: str
    language: str
    section: str
    date: date
    text: str
    copies: tuple[Copy, ...]

    def published_at(self, copy: Copy) -> datetime:
        """When the copy was published, in local time."""
        return datetime.combine(self.date, time.fromisoformat(copy.time))


def load_stories() -> list[Story]:
    """All stories, English first, then by file; a series gives one story per day."""
    files = sorted((ROOM / "stories").glob("*/*.toml"))
    return [story for path in files for story in _stories(read_toml(path))]


def paragraphs(story: Story, copy: Copy) -> list[str]:
    """The paragraphs of the story as this site published them."""
    whole = (copy.text or story.text).strip().split("\n\n")
    kept = [text for number, text in enumerate(whole, 1) if number not in copy.cut]
    if copy.excerpt:
        kept = kept[: round(len(kept) / 3)]
    printed = _apply_edits("\n\n".join(kept), copy.edits).split("\n\n")
    printed[0] = copy.dateline + printed[0]
    return [*printed, copy.closing] if copy.closing else printed


def _apply_edits(text: str, edits: Mapping[str, str]) -> str:
    for old, new in edits.items():
        if old not in text:
            raise ValueError(f"An edit of a demo story does not find {old!r}: correct the file of the story.")
        text = text.replace(old, new)
    return text


def _stories(table: dict[str, Any]) -> list[Story]:
    if "days" in table:
        return [_day(table, **day) for day in table["days"]]
    copies = tuple(Copy(**copy) for copy in table["copies"])
    return [Story(table["id"], table["language"], table["section"], table["date"], table["text"], copies)]


def _day(table: dict[str, Any], date: date, figures: dict[str, str]) -> Story:
    copy = Copy(table["site"], table["headline"].format(**figures), table["byline"])
    text = table["text"].format(**figures)
    return Story(f"{table['id']}-{date}", table["language"], table["section"], date, text, (copy,))


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
    tables = read_toml(ROOM / "sites.toml")["site"]
    for table in tables:
        table["sections"] = [Section(**section) for section in table["sections"]]
        table["links"] = [Link(**link) for link in table["links"]]
    return [Site(**table) for table in tables]
