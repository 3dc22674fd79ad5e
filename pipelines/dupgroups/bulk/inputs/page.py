"""One page: a file, a URL, or standard input."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from urllib.request import Request, urlopen

from dupgroups.bulk.inputs.rows import Rows, readable
from dupgroups.errors import InputError
from dupgroups.model import Page

PAGE = "A file (html or plain text), a URL, or - for standard input."
STDIN = "-"
LARGEST = 20_000_000  # bytes of a page that are read


def load(place: str, url: str | None = None) -> Page:
    """Load a page from `place`, a file, a URL or "-"; `url` is the URL of a file. Raises InputError."""
    from dupgroups.model.document_like import as_page
    from dupgroups.text.decoding import decode

    if place.startswith(("http://", "https://")):
        return _fetch(place)
    with readable(Path(place)), Rows(Path(place)).stream() as file:
        raw = file.read(LARGEST)
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
