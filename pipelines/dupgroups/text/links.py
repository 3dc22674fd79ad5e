"""Link-target identification: decide from the shape of a URL alone whether it leads to an article.

Standke: Identifying Online News Articles; after Ferreira and others: Appling Link Target Identification and
Content Extraction to Improve Web News Summarization, DocEng 2016. A URL has five features.

| constant | default | source |
|---|---|---|
| `MAX_SHORT_CHARS` | 90 | characters; the slides give none: their article has 84, their advertisement 94 |
| `RESERVED_WORDS` | 55 words | the slides name gallery and video; the others are ours |
| `NUMBER` | 4 digits | in path or query, but no date or year; fewer after a word (`story-12.html`); ours |
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

MAX_SHORT_CHARS = 90
_MONTHS = (
    "0?[1-9]|1[0-2]|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])"
)
DATE = re.compile(rf"(?:19|20)\d\d[-/_.]?(?:{_MONTHS})(?:[-/_.]?(?:0?[1-9]|[12]\d|3[01]))?(?!\d)")
NUMBER = re.compile(r"\d{4,}")
RESERVED_WORDS = frozenset(
    """account ads advertise audio av calendar cart cookies episode episodes feed feeds forum forums galleries
    gallery horoscope horoscopes image images login logout photo photogallery photos picture pictures play
    player podcast podcasts register rss search share shop signin signup slideshow slideshows subscribe
    subscription tag tags user users vid video videos vod watch webcam wp-admin wp-json wp-login""".split()
)
_YEAR_OR_DATE = re.compile(rf"(?<!\d)(?:{DATE.pattern}|(?:19|20)\d\d(?!\d))")
_PARTS = re.compile(r"(?:[^:/?#]+:)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")  # RFC 3986, appendix B
_SUFFIX = re.compile(r"\.\w+$")


class LinkTarget(NamedTuple):
    """The features of a URL. `number`, `date` and `short` suggest an article, the others suggest none."""

    number: bool
    date: bool
    slash: bool
    reserved: bool
    short: bool


def link_target(url: str) -> LinkTarget:
    """The features of a URL, absolute or relative; "" is short and nothing else. Never raises.

    >>> link_target("https://abcnews.go.com/story?id=62025268").number
    True
    >>> link_target("https://www.nytimes.com/2019/04/15/us/politics/trump-ilhan-omar.html").date
    True
    >>> link_target("https://news.yahoo.com/")
    LinkTarget(number=False, date=False, slash=True, reserved=False, short=True)
    >>> link_target("https://video.foxnews.com/v/6026408055001/").reserved
    True
    """
    host, path, query = _PARTS.match(url).groups("")  # type: ignore[union-attr]  # it matches everything
    path = unquote(path).lower()
    *folders, last = path.strip("/").split("/")
    last = _SUFFIX.sub("", last)
    # without dates and years
    segments = _YEAR_OR_DATE.sub("/", "/".join((*folders, last))).split("/")
    values = _YEAR_OR_DATE.sub("/", query)
    subdomain, _, domain = host.lower().partition(".")
    return LinkTarget(
        number=any(NUMBER.search(part) for part in (*segments, values))
        or any(part[-1:].isdigit() and not part.isdigit() for part in segments),  # behind a word
        date=bool(DATE.search(path)),
        slash=path.endswith("/"),
        reserved=not RESERVED_WORDS.isdisjoint((*folders, last, subdomain if "." in domain else "")),
        short=len(url) < MAX_SHORT_CHARS,
    )
