"""URLs: the canonical form of a page's URL, its host, and the registered domain."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

import tldextract
from w3lib.url import canonicalize_url

from dupgroups.text.address_rules import path_of_page, query_of_page

_NAME_END = re.compile(r"\.(?=:\d+$|$)")  # of a host: the root of all names
# an address as it is written below, as most are: nothing is removed, nothing encoded
_CANONICAL = re.compile(
    r"https?://(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?"
)
_INDEX = re.compile(r"(?<=/)(?:index|default|home)\.\w+$")
# of the same page
_VARIANTS = frozenset({"amp", "amp.html", "all", "full", "m", "mobile", "print", "single"})

# hosts below which anybody may publish, beyond those of the public suffix list (github.io, blogspot.com)
SHARED_HOSTS = ("medium.com", "substack.com", "tumblr.com", "wordpress.com")

# the list in the package, no download; each tenant of a shared host is a publisher of its own
_suffixes = tldextract.TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True, extra_suffixes=SHARED_HOSTS
)


@lru_cache(maxsize=1_000)  # the URL of a page is needed several times
def canonical(url: str | None) -> str | None:
    """The URL without fragment, sessions and tracking (see `address_rules`), with a sorted query and the host
    in lower case.

    None for None, for "" and for anything but an absolute http(s) URL.

    >>> canonical("HTTPS://www.Example.org:443/a?utm_source=x&b=2&a=1#top")
    'https://www.example.org/a?a=1&b=2'
    """
    if url and _CANONICAL.fullmatch(url):
        return url
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    try:
        path = path_of_page(parts.path)
        kept = parts._replace(netloc=_NAME_END.sub("", parts.netloc), path=path, fragment="")
        plain = canonicalize_url(urlunsplit(kept._replace(query=query_of_page(parts.query, path))))
    except ValueError:  # for example a port that is not a number
        return None
    default = {"http": ":80", "https": ":443"}[parts.scheme]
    return re.sub(rf"^(https?://[^/?]*?){default}(?=[/?]|$)", r"\1", plain)


def page_address(url: str) -> str:
    """One address for all that lead to a page, from which its id is made; not to be followed.

    It is that with https, without www., doubled slashes and one at the end; "" for "".

    >>> page_address("http://www.example.org//a/?id=1")
    'https://example.org/a?id=1'
    """
    parts = _split(canonical(url))
    if parts is None:
        return url
    path = re.sub("//+", "/", parts.path)
    host = parts.netloc.removeprefix("www.")
    return urlunsplit(("https", host, path if path == "/" else path.rstrip("/"), parts.query, ""))


@lru_cache(maxsize=1_000)
def host_of(url: str | None) -> str:
    """The host without `www.` (with its port, unless it is the default one); "" when there is none.

    >>> host_of("https://www.example.org/a"), host_of("http://127.0.0.1:8091/"), host_of(None)
    ('example.org', '127.0.0.1:8091', '')
    """
    parts = _split(canonical(url))
    return parts.netloc.rpartition("@")[2].lower().removeprefix("www.") if parts else ""


def identity(url: str | None, declared: str | None) -> str | None:
    """The URL that identifies the page: the declared canonical one if it is credible, else `url` itself.

    A canonical URL of another publisher is not credible: syndicated copies declare the agency's page, which
    is evidence of a copy, not the identity of this page. Neither is a front page or a section above the page,
    which broken templates declare on every article. `declared` may be relative.

    >>> identity("https://a.example/news/story/amp", "/news/story")
    'https://a.example/news/story'
    >>> identity("https://a.example/news/story", "https://a.example/news/")
    'https://a.example/news/story'
    """
    page, target = canonical(url), None
    with suppress(ValueError):
        target = canonical(urljoin(url or "", declared.strip())) if declared else None
    if target is None or page is None:
        return page or (None if target and is_front_page(target) else target)
    same_publisher = registered_domain(host_of(page)) == registered_domain(host_of(target))
    if not same_publisher or (_is_above(target, page) and not is_front_page(page)):
        return page
    return target


def is_front_page(url: str) -> bool:
    """Whether a URL leads to the first page of a site, or nowhere.

    >>> is_front_page("https://example.org/"), is_front_page("https://example.org/a")
    (True, False)
    """
    parts = _split(url)
    return parts is None or not (_path(url) or parts.query)


def _is_above(target: str, page: str) -> bool:
    """Whether `target` is the front page or a folder above `page`, and `page` is not just a variant of it."""
    above, below = _path(target), _path(page)
    if urlsplit(target).query or not f"{below}/".startswith(f"{above}/"):
        return False
    rest = below[len(above) :].strip("/")
    return bool(rest) and rest not in _VARIANTS


def _path(url: str) -> str:
    """The path without a slash or an index file at its end: "" for a front page."""
    return _INDEX.sub("", urlsplit(url).path).rstrip("/")


@lru_cache(maxsize=10_000)
def registered_domain(host: str) -> str:
    """The registered domain of a host, or the host itself if it has none.

    On hosts that many share (`SHARED_HOSTS`, and the private part of the public suffix list) a tenant's
    subdomain counts as the domain.

    >>> registered_domain("amp.example.co.uk"), registered_domain("one.blogspot.com")
    ('example.co.uk', 'one.blogspot.com')
    """
    parts = _suffixes(host)
    return f"{parts.domain}.{parts.suffix}" if parts.domain and parts.suffix else host


def join_url(base: str, link: str) -> str:
    """Where a link of the page at `base` leads; the link as it is written if its host is invalid."""
    try:
        return urljoin(base, link)
    except ValueError:
        return link


@lru_cache(maxsize=10_000)
def publisher_name(domain: str) -> str:
    """A registered domain without its suffix: publishers have it under several.

    >>> publisher_name("example.co.uk"), publisher_name("example.com"), publisher_name("a.invalid")
    ('example', 'example', 'a.invalid')
    """
    parts = _suffixes(domain)
    return parts.domain if parts.domain and parts.suffix else domain


def _split(url: str | None) -> SplitResult | None:
    try:
        return urlsplit(url.strip()) if url else None
    except ValueError:
        return None
