"""A page that a command is given: a file or a URL."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from urllib.request import Request, urlopen

from dupgroups.errors import InputError
from dupgroups.model import Page

LARGEST = 20_000_000  # bytes that are read of a page


def load(place: str, url: str | None = None) -> Page:
    """The page at `place`, a file or a URL; a file comes from `url`. Raises InputError if it can't be had."""
    from dupgroups.api import as_page
    from dupgroups.text.decoding import decode

    if place.startswith(("http://", "https://")):
        return _fetch(place)
    try:
        with Path(place).open("rb") as file:
            raw = file.read(LARGEST)
    except OSError as error:
        raise InputError(f"{place} cannot be read: {error.strerror or error}") from error
    text = decode(raw)
    if as_page(text).html:
        return Page(url=url, html=raw)
    if "\0" in text:
        raise InputError(f"{place} is neither html nor text: name a page")
    return Page(url=url, text=text)


def _fetch(url: str) -> Page:
    try:
        request = Request(url, headers={"User-Agent": "dup-groups"})  # noqa: S310 - http and https only
        with urlopen(request, timeout=30) as answer:  # noqa: S310
            charset = answer.headers.get_content_charset()
            return Page(url=answer.url, html=answer.read(LARGEST), encoding=charset)
    except (OSError, HTTPException, ValueError) as error:
        raise InputError(f"{url} cannot be fetched: {error}") from error
