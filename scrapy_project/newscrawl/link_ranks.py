"""How much a URL looks like that of an article: a weighted sum of features of its shape."""

import re
from urllib.parse import unquote, urldefrag, urlsplit

from w3lib.url import safe_url_string

from dupgroups.text.links import link_target

MIN_ARTICLE_RANK = 2  # minimum rank of URLs that look like articles
NEVER_RANK = -10  # rank of URLs that lead neither to an article nor to a page with links to articles

SUFFIX = re.compile(r"\.(?:s?html?|aspx?|php|jsp)$")
FRONTS = frozenset(
    """about archive archives author authors categories category contact help imprint index jobs legal
    live newsletter newsletters print privacy profile section sections special terms topic topics
    weather""".split()
)


def page_url(url: str) -> str | None:
    """The URL in the form that a request needs, without its fragment; None unless it is a valid http(s) URL.

    >>> page_url("https://example.org/a b#top"), page_url("http://[bad/"), page_url("http://example.org:port/")
    ('https://example.org/a%20b', None, None)
    """
    try:
        plain = safe_url_string(urldefrag(url).url)
        parts = urlsplit(plain)
    except ValueError:
        return None
    return plain if parts.scheme in ("http", "https") and parts.hostname else None


def rank(url: str) -> int:
    """Higher is more like an article (date or number in the path, long slug), lower more like a front page.

    `NEVER_RANK` for videos, galleries, tags, logins and the like.

    >>> rank("https://example.org/2024/05/12/minister-resigns-after-vote.html") > MIN_ARTICLE_RANK
    True
    >>> rank("https://example.org/world/"), rank("https://example.org/"), rank("https://example.org/tag/football")
    (-1, -3, -10)
    """
    parts, target = urlsplit(url), link_target(url)
    path = unquote(parts.path).lower()
    segments = [SUFFIX.sub("", segment) for segment in path.split("/") if segment]
    if not segments:
        return -3
    if target.reserved:
        return NEVER_RANK
    words = [word for word in re.split(r"[-_+ ]", segments[-1]) if len(word) > 1]
    return (
        2 * target.date
        + 2 * target.number
        + min(max(len(words) - 2, 0), 2)
        + bool(SUFFIX.search(path))
        - target.slash
        - bool(parts.query)
        - 3 * (not FRONTS.isdisjoint(segments))
    )
