"""The parts of URLs that the page shows and links to; every URL comes from a crawled page."""

from __future__ import annotations

from urllib.parse import SplitResult, unquote, urlsplit


def web_address(url: str | None) -> str | None:
    """The URL if a link may point to it (http or https, with a host), else None."""
    return url if _parts(url) else None


def host_of(url: str | None) -> str:
    """The host of a URL that may be linked, without "www."; "" for any other."""
    parts = _parts(url)
    return (parts.hostname or "").removeprefix("www.") if parts else ""


def path_of(url: str | None) -> str:
    """The path and the query of a URL that may be linked, as people read them; "" for any other.

    >>> path_of("https://example.org/%E6%98%A5%E8%8C%B6?page=2")
    '/春茶?page=2'
    """
    parts = _parts(url)
    return unquote((parts.path or "/") + (f"?{parts.query}" if parts.query else "")) if parts else ""


def _parts(url: str | None) -> SplitResult | None:
    try:
        parts = urlsplit(url or "")
        return parts if parts.scheme in ("http", "https") and parts.hostname else None
    except ValueError:
        return None
