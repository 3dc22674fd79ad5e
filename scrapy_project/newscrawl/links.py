"""How much a URL looks like that of an article, by its shape alone."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

ARTICLE = 2  # from this rank on a URL looks like an article's
NEVER = -10  # this one leads to no article and to none that links one

DATE = re.compile(r"(?:19|20)\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?:[-/_.]?(?:0?[1-9]|[12]\d|3[01]))?(?!\d)")
NUMBER = re.compile(r"\d{4,}|[-_a-z]\d{1,3}(?=\.\w+$|/?$)")
SUFFIX = re.compile(r"\.(?:s?html?|aspx?|php|jsp)$")
FRONTS = frozenset(
    """about archive archives author authors categories category contact help imprint index jobs legal
    live newsletter newsletters print privacy profile section sections special terms topic topics
    weather""".split()
)
NO_TEXT = frozenset(
    """account ads advertise calendar cart cookies feed feeds forum galleries gallery horoscope login
    logout photo photos play player podcast podcasts register rss search share shop signin signup
    subscribe subscription tag tags user users video videos wp-admin wp-json wp-login""".split()
)


def rank(url: str) -> int:
    """Higher is more like an article: a date or a number in the path, a long slug; less so a front page.

    `NEVER` for videos, galleries, tags, logins and the like.

    >>> rank("https://example.org/2024/05/12/minister-resigns-after-vote.html") > ARTICLE
    True
    >>> rank("https://example.org/world/"), rank("https://example.org/"), rank("https://example.org/tag/football")
    (-1, -3, -10)
    """
    parts = urlsplit(url)
    path = unquote(parts.path).lower()
    segments = [SUFFIX.sub("", each) for each in path.split("/") if each]
    if not segments:
        return -3
    if not NO_TEXT.isdisjoint(segments):
        return NEVER
    words = [each for each in re.split(r"[-_+ ]", segments[-1]) if len(each) > 1]
    return (
        2 * bool(DATE.search(path))
        + 2 * bool(NUMBER.search(segments[-1]))
        + min(max(len(words) - 2, 0), 2)
        + bool(SUFFIX.search(path))
        - path.endswith("/")
        - bool(parts.query)
        - 3 * (not FRONTS.isdisjoint(segments))
    )
