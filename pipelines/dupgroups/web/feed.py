"""The newest results of a query as a feed: Atom (RFC 4287), and RSS 2.0 for readers that know only that.

In Atom, titles and texts are plain text. RSS leaves it to each reader whether a title is HTML, which a
hostile title waits for: titles have no "<" there, and descriptions are HTML in which everything is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import format_datetime
from html import escape
from urllib.parse import quote
from xml.etree import ElementTree as Tree

from dupgroups.engines.dates import day_of
from dupgroups.model import Hit, Query, Record, Results
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web.addresses import web_address
from dupgroups.web.dates import instant
from dupgroups.web.language import gettext
from dupgroups.web.parameters import PAGE, group_url, search_url
from dupgroups.web.wording import also_from

ATOM_TYPE = "application/atom+xml; charset=utf-8"
RSS_TYPE = "application/rss+xml; charset=utf-8"
_ATOM = "http://www.w3.org/2005/Atom"
_NO_XML = re.compile(f"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{OPEN}{CLOSE}]")
_ZONED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A story in a feed. `link` leads to the shown copy, `story` to all of them; `at` is in ISO 8601 with a
    zone, `lines` are the snippet and where else the story is.
    """

    title: str
    id: str
    link: str
    story: str
    at: str
    site: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Feed:
    """The newest stories of a query: `page` is where people see them, `address` where the feed is."""

    title: str
    page: str
    address: str
    entries: Sequence[Entry]

    @classmethod
    def of(
        cls, query: Query, results: Results, records: Mapping[str, Record], base: str, address: str
    ) -> Feed:
        """The feed of these results; `records` are those of the shown copies, `base` is the address of the
        search page without a path, `address` that of the feed.
        """
        return cls(
            title=f"{query.text} · dup-groups" if query.text else "dup-groups",
            page=base + search_url(query, limit=PAGE),
            address=address,
            entries=[_entry(hit, records, base) for hit in results.hits],
        )

    @property
    def updated(self) -> str:
        """The date of the newest entry, or now without any."""
        now = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
        return max((entry.at for entry in self.entries), default=now)


def atom(feed: Feed) -> str:
    """The feed as Atom."""
    root = Tree.Element("feed", xmlns=_ATOM)
    _add(root, "title", feed.title)
    _add(root, "id", feed.address)
    Tree.SubElement(root, "link", rel="self", href=_plain(feed.address))
    Tree.SubElement(root, "link", rel="alternate", type="text/html", href=_plain(feed.page))
    _add(root, "updated", feed.updated)
    _add(Tree.SubElement(root, "author"), "name", "dup-groups")
    for entry in feed.entries:
        _add_to_atom(root, entry)
    return _document(root)


def rss(feed: Feed) -> str:
    """The feed as RSS 2.0."""
    root = Tree.Element("rss", {"version": "2.0", "xmlns:atom": _ATOM})
    channel = Tree.SubElement(root, "channel")
    _add(channel, "title", _without_tags(feed.title))
    _add(channel, "link", feed.page)
    _add(channel, "description", gettext("Newest results"))
    _add(channel, "lastBuildDate", _rfc_822(feed.updated))
    own = {"rel": "self", "type": RSS_TYPE.partition(";")[0], "href": _plain(feed.address)}
    Tree.SubElement(channel, "atom:link", own)
    for entry in feed.entries:
        _add_to_rss(channel, entry)
    return _document(root)


def _entry(hit: Hit, records: Mapping[str, Record], base: str) -> Entry:
    story = base + group_url(hit.group, Query())
    return Entry(
        title=hit.shown.title or gettext("Without a title"),
        id=f"urn:dup-groups:{quote(hit.group, safe='')}",
        link=web_address(hit.shown.url) or story,
        story=story,
        at=_updated(hit, records),
        site=hit.shown.site,
        lines=[line for line in (hit.snippet, also_from(hit)) if line],
    )


def _add_to_atom(root: Tree.Element, entry: Entry) -> None:
    element = Tree.SubElement(root, "entry")
    _add(element, "title", entry.title, type="text")
    _add(element, "id", entry.id)
    _add(element, "updated", entry.at)
    if entry.site:
        _add(Tree.SubElement(element, "author"), "name", entry.site)
    Tree.SubElement(element, "link", rel="alternate", href=_plain(entry.link))
    Tree.SubElement(element, "link", rel="related", href=entry.story, title=gettext("All copies"))
    _add(element, "summary", "\n".join(entry.lines), type="text")


def _add_to_rss(channel: Tree.Element, entry: Entry) -> None:
    element = Tree.SubElement(channel, "item")
    _add(element, "title", _without_tags(entry.title))
    _add(element, "link", entry.link)
    _add(element, "guid", entry.id, isPermaLink="false")
    _add(element, "pubDate", _rfc_822(entry.at))
    texts = "".join(f"<p>{escape(line)}</p>" for line in entry.lines)
    _add(element, "description", f'{texts}<p><a href="{escape(entry.story)}">{gettext("All copies")}</a></p>')


def _updated(hit: Hit, records: Mapping[str, Record]) -> str:
    """The date of a hit, or else when it was last seen."""
    written = hit.shown.date or ""
    if _ZONED.fullmatch(written) and day_of(written):
        return written
    if day := day_of(written):
        return f"{day}T{written[11:19] if re.fullmatch('.{10}T..:..:..', written) else '00:00:00'}Z"
    record = records.get(hit.shown.id)
    return (instant(record.last_seen) if record else None) or "1970-01-01T00:00:00Z"


def _rfc_822(moment: str) -> str:
    """A moment of ISO 8601 as mails write it; one that is no time, such as 25:00, is midnight."""
    try:
        return format_datetime(datetime.fromisoformat(moment.replace("Z", "+00:00")))
    except ValueError:
        return format_datetime(datetime.fromisoformat(f"{moment[:10]}T00:00:00+00:00"))


def _without_tags(text: str) -> str:
    """A text that has no tags, even if it is taken for HTML."""
    return text.replace("<", "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}")


def _document(root: Tree.Element) -> str:
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Tree.tostring(root, encoding="unicode")


def _add(parent: Tree.Element, name: str, text: str, **attributes: str) -> None:
    Tree.SubElement(parent, name, attributes).text = _plain(text)


def _plain(text: str) -> str:
    """The text without characters that XML does not allow, and without the marks of a snippet."""
    return _NO_XML.sub("", text)
