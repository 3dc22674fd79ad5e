"""The newest results of a query as an Atom feed (RFC 4287). Titles and texts are plain text in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from urllib.parse import quote

from dupgroups.engines.dates import day_of
from dupgroups.flow.explain.spread import Spread
from dupgroups.model import MINUTE, Hit, Query, Record, Results
from dupgroups.text.snippets import CLOSE, OPEN
from dupgroups.web.addresses import web_address
from dupgroups.web.dates import instant
from dupgroups.web.language import gettext
from dupgroups.web.parameters import PAGE, group_url, search_url
from dupgroups.web.render import render
from dupgroups.web.wording import also_from, published_first

ATOM_TYPE = "application/atom+xml; charset=utf-8"
_NO_XML = re.compile(f"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{OPEN}{CLOSE}]")
_ZONED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A story in a feed. `link` leads to the shown copy, `story` to all of them; `at` is in ISO 8601 with a
    zone, as is `published`, when the first copy was ("" if not known to the minute). `lines` are the snippet,
    where else the story is, and who published it first.
    """

    title: str
    id: str
    link: str
    story: str
    at: str
    published: str
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
        """The feed of these results; `records` are those of all listed copies, `base` is the address of
        the search page without a path, `address` that of the feed.
        """
        return cls(
            title=f"{query.text} · dup-groups" if query.text else "dup-groups",
            page=base + search_url(query, limit=PAGE, copies=Query().copies),
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
    return _NO_XML.sub("", render("atom.xml", feed=feed))


def _entry(hit: Hit, records: Mapping[str, Record], base: str) -> Entry:
    story = base + group_url(hit.group, Query())
    copies = (hit.shown, *hit.copies)
    known = [(copy, records[copy.id]) for copy in copies if copy.id in records]
    spread = Spread.of(known if len(known) == hit.size else ())
    listed = replace(hit, copies=hit.copies[: Query().copies])
    return Entry(
        title=hit.shown.title or gettext("Without a title"),
        id=f"urn:dup-groups:{quote(hit.group, safe='')}",
        link=web_address(hit.shown.url) or story,
        story=story,
        at=_updated(hit, records),
        published=(instant(spread.first.minute * MINUTE) if spread.first and spread.first.minute else "")
        or "",
        site=hit.shown.site,
        lines=[
            *filter(None, (hit.snippet, also_from(listed), published_first(spread) if hit.size > 1 else ""))
        ],
    )


def _updated(hit: Hit, records: Mapping[str, Record]) -> str:
    """The date of a hit, or else when it was last seen."""
    written = hit.shown.date or ""
    if _ZONED.fullmatch(written) and day_of(written):
        return written
    if day := day_of(written):
        return f"{day}T{written[11:19] if re.fullmatch('.{10}T..:..:..', written) else '00:00:00'}Z"
    record = records.get(hit.shown.id)
    return (instant(record.last_seen) if record else None) or "1970-01-01T00:00:00Z"
