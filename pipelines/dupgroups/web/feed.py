"""The newest results of a query as an Atom feed (RFC 4287). Titles and texts are plain text in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

from dupgroups.flow.explain.spread import Spread
from dupgroups.model import MINUTE_MICROSECONDS, Hit, Query, Record, Results
from dupgroups.presentation.date_formats import instant
from dupgroups.presentation.languages import gettext
from dupgroups.presentation.wording import also_from, published_first
from dupgroups.text.iso_dates import day_of
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web.parameters import DEFAULT_PAGE_HITS, group_url, search_url, web_address
from dupgroups.web.render import render

ATOM_TYPE = "application/atom+xml; charset=utf-8"
_NO_XML = re.compile(f"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{OPEN}{CLOSE}]")
_ZONED_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)


def atom(query: Query, results: Results, records: Mapping[str, Record], base: str, address: str) -> str:
    """The feed of these results as Atom; `records` are those of all listed copies, `base` is the address of
    the search page without a path, `address` that of the feed.
    """
    entries = [_entry(hit, records, base) for hit in results.hits]
    now = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    values = {
        "title": f"{query.text} · dup-groups" if query.text else "dup-groups",
        "page": base + search_url(query, limit=DEFAULT_PAGE_HITS, copies=Query().copies),
        "address": address,
        "updated": max((entry["at"] for entry in entries), default=now),
    }
    return _NO_XML.sub("", render("atom.xml", entries=entries, **values))


def _entry(hit: Hit, records: Mapping[str, Record], base: str) -> dict[str, Any]:
    """A story: `link` leads to the shown copy, `story` to all of them. `at`, and when it was `published`
    (None if not known to the minute), are in ISO 8601 with a zone.
    """
    story = base + group_url(hit.group, Query())
    copies = (hit.shown, *hit.copies)
    stored = [(copy, records[copy.id]) for copy in copies if copy.id in records]
    spread = Spread.of(stored if len(stored) == hit.size > 1 else ())
    first = spread.lead[0] if spread.lead else None
    elsewhere = also_from(replace(hit, copies=hit.copies[: Query().copies]))
    return {
        "title": hit.shown.title or gettext("Without a title"),
        "id": f"urn:dup-groups:{quote(hit.group, safe='')}",
        "link": web_address(hit.shown.url) or story,
        "story": story,
        "at": _updated_time(hit, records),
        "published": instant(first.by * MINUTE_MICROSECONDS) if first and first.timed else None,
        "site": hit.shown.site,
        "lines": [*filter(None, (hit.snippet, elsewhere, published_first(spread)))],
    }


def _updated_time(hit: Hit, records: Mapping[str, Record]) -> str:
    """The date of a hit, or else when it was last seen."""
    written = hit.shown.date or ""
    if _ZONED_TIME.fullmatch(written) and day_of(written):
        return written
    if day := day_of(written):
        return f"{day}T{written[11:19] if re.fullmatch('.{10}T..:..:..', written) else '00:00:00'}Z"
    record = records.get(hit.shown.id)
    return (instant(record.last_seen) if record else None) or "1970-01-01T00:00:00Z"
