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

_suffixes = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)  # the list in the package, no download


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
    """The URL that names the page: the declared canonical one, but only within the same publisher.

    Syndicated copies declare the agency's page as canonical: across publishers that is evidence of a copy,
    not the identity of this page. `declared` may be relative.
    """
    own = canonical(url)
    if not declared:
        return own
    try:
        target = canonical(urljoin(url or "", declared.strip()))
    except ValueError:
        return own
    if target is None or own is None:
        return own or target
    front = urlsplit(target).path in ("", "/") and urlsplit(own).path not in ("", "/")
    # a canonical that names the front page on every article is a common template error
    return target if same_publisher(own, target) and not front else own


@lru_cache(maxsize=10_000)
def _domain(host: str) -> str:
    found = _suffixes(host)
    return f"{found.domain}.{found.suffix}" if found.suffix else host


def _split(url: str | None) -> SplitResult | None:
    try:
        return urlsplit(url.strip()) if url else None
    except ValueError:
        return None
