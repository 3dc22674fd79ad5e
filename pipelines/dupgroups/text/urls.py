"""URLs: the one form under which a page is known, its host, and whether two hosts are one publisher's."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit

import tldextract
from w3lib.url import canonicalize_url, url_query_cleaner

# what newsletters, social networks and advertisers append; the page is the same without
TRACKING = tuple(
    """_ga _gl at_campaign at_medium cmpid dclid fbclid ftag gclid gclsrc guccounter igshid mc_cid mc_eid
    mkt_tok msclkid ns_campaign ns_mchannel ns_source ocid rss smid spm twclid utm_campaign utm_content utm_id
    utm_medium utm_source utm_term wt_mc xtor yclid""".split()
)

_INDEX = re.compile(r"(?<=/)(?:index|default|home)\.\w+$")
_VARIANTS = frozenset({"amp", "amp.html", "all", "full", "m", "mobile", "print", "single"})  # of one page

_suffixes = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)  # the list in the package, no download


@lru_cache(maxsize=1_000)  # a page's own is wanted several times
def canonical(url: str | None) -> str | None:
    """The URL without fragment and tracking parameters, its query sorted, host in lower case.

    None for None, for "" and for what is not an absolute http(s) URL.

    >>> canonical("HTTPS://www.Example.org:443/a?utm_source=x&b=2&a=1#top")
    'https://www.example.org/a?a=1&b=2'
    """
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    try:
        plain = canonicalize_url(url_query_cleaner(str(url).strip(), TRACKING, remove=True, unique=False))
    except ValueError:  # such as a port that is no number
        return None
    default = {"http": ":80", "https": ":443"}[parts.scheme]
    return re.sub(rf"^(https?://[^/?]*?){default}(?=[/?]|$)", r"\1", plain)


def host_of(url: str | None) -> str:
    """The host (with its port, when it is not the default one) without `www.`; "" when there is none.

    >>> host_of("https://www.example.org/a"), host_of("http://127.0.0.1:8091/"), host_of(None)
    ('example.org', '127.0.0.1:8091', '')
    """
    parts = _split(canonical(url))
    return parts.netloc.rpartition("@")[2].lower().removeprefix("www.") if parts else ""


def same_publisher(a: str | None, b: str | None) -> bool:
    """Whether two URLs belong to one registered domain (amp.example.org and www.example.org do).

    >>> same_publisher("https://amp.example.co.uk/1", "https://www.example.co.uk/1")
    True
    >>> same_publisher("https://one.co.uk/1", "https://two.co.uk/1")
    False
    """
    first, second = host_of(a), host_of(b)
    return bool(first) and _domain(first) == _domain(second)


def identity(url: str | None, declared: str | None) -> str | None:
    """The URL that names the page: the declared canonical one where that can be true, else its own.

    Not across publishers: syndicated copies declare the agency's page, which is evidence of a copy, not the
    identity of this page. Nor a front page or a section above the page, which broken templates declare on
    every article. `declared` may be relative.

    >>> identity("https://a.example/news/story/amp", "/news/story")
    'https://a.example/news/story'
    >>> identity("https://a.example/news/story", "https://a.example/news/")
    'https://a.example/news/story'
    """
    own, target = canonical(url), _declared(url, declared)
    if target is None or own is None:
        return own or (None if target and _is_front(target) else target)
    if not same_publisher(own, target) or (_stands_above(target, own) and not _is_front(own)):
        return own
    return target


def _declared(url: str | None, declared: str | None) -> str | None:
    try:
        return canonical(urljoin(url or "", declared.strip())) if declared else None
    except ValueError:
        return None


def _is_front(url: str) -> bool:
    return _path(url) == "" and not urlsplit(url).query


def _stands_above(target: str, own: str) -> bool:
    """Whether `target` is the front page or a folder above `own`, and `own` more than a variant of it."""
    above, below = _path(target), _path(own)
    if urlsplit(target).query or not f"{below}/".startswith(f"{above}/"):
        return False
    rest = below[len(above) :].strip("/")
    return bool(rest) and rest not in _VARIANTS


def _path(url: str) -> str:
    """The path without a slash or an index file at its end: "" for a front page."""
    return _INDEX.sub("", urlsplit(url).path).rstrip("/")


@lru_cache(maxsize=10_000)
def _domain(host: str) -> str:
    found = _suffixes(host)
    return f"{found.domain}.{found.suffix}" if found.suffix else host


def _split(url: str | None) -> SplitResult | None:
    try:
        return urlsplit(url.strip()) if url else None
    except ValueError:
        return None
