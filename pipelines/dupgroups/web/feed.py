"""The newest results of a query as an Atom feed (RFC 4287), in which titles and texts are plain text.

A feed of RSS would leave it to each reader whether a title is HTML, which a hostile title waits for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from urllib.parse import quote
from xml.etree import ElementTree as Tree

from dupgroups.engines.dates import day_of
from dupgroups.model import Hit, Query, Record, Results
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web.addresses import web_address
from dupgroups.web.dates import instant
from dupgroups.web.parameters import PAGE, group_url, search_url
from dupgroups.web.wording import also_from

TYPE = "application/atom+xml; charset=utf-8"
_ATOM = "http://www.w3.org/2005/Atom"
_NO_XML = re.compile(f"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{OPEN}{CLOSE}]")
_ZONED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)


def feed(query: Query, results: Results, records: Mapping[str, Record], base: str, address: str) -> str:
    """The feed of these results; `records` are those of the shown copies, `base` is the address of the search
    page without a path, `address` that of the feed.
    """
    root = Tree.Element("feed", xmlns=_ATOM)
    _add(root, "title", f"{query.text} · dup-groups" if query.text else "dup-groups")
    _add(root, "id", address)
    Tree.SubElement(root, "link", rel="self", href=_plain(address))
    Tree.SubElement(
        root, "link", rel="alternate", type="text/html", href=_plain(base + search_url(query, limit=PAGE))
    )
    updated = [_updated(hit, records) for hit in results.hits]
    _add(root, "updated", max(updated, default=f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"))
    _add(Tree.SubElement(root, "author"), "name", "dup-groups")
    for hit, moment in zip(results.hits, updated, strict=True):
        _add_entry(root, hit, moment, base)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Tree.tostring(root, encoding="unicode")


def _add_entry(root: Tree.Element, hit: Hit, moment: str, base: str) -> None:
    entry = Tree.SubElement(root, "entry")
    story = base + group_url(hit.group, Query())
    _add(entry, "title", hit.shown.title or "Without a title", type="text")
    _add(entry, "id", f"urn:dup-groups:{quote(hit.group, safe='')}")
    _add(entry, "updated", moment)
    if hit.shown.site:
        _add(Tree.SubElement(entry, "author"), "name", hit.shown.site)
    address = web_address(hit.shown.url) or story
    Tree.SubElement(entry, "link", rel="alternate", href=_plain(address))
    Tree.SubElement(entry, "link", rel="related", href=story, title="All copies")
    _add(entry, "summary", "\n".join(filter(None, (hit.snippet, also_from(hit)))), type="text")


def _updated(hit: Hit, records: Mapping[str, Record]) -> str:
    """The date of a hit, or else when it was last seen."""
    written = hit.shown.date or ""
    if _ZONED.fullmatch(written) and day_of(written):
        return written
    if day := day_of(written):
        return f"{day}T{written[11:19] if re.fullmatch('.{10}T..:..:..', written) else '00:00:00'}Z"
    record = records.get(hit.shown.id)
    return (instant(record.last_seen) if record else None) or "1970-01-01T00:00:00Z"


def _add(parent: Tree.Element, name: str, text: str, **attributes: str) -> None:
    Tree.SubElement(parent, name, attributes).text = _plain(text)


def _plain(text: str) -> str:
    """The text without characters that XML does not allow, and without the marks of a snippet."""
    return _NO_XML.sub("", text)
