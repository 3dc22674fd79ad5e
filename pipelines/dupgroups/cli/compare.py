"""`dup-groups compare`: how one page stands to another, and where they differ."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated
from urllib.error import URLError
from urllib.request import Request, urlopen

import typer

from dupgroups.cli.console import app
from dupgroups.errors import InputError
from dupgroups.model import Page

SHOWN = 20  # sentences that differ
LARGEST = 20_000_000  # bytes that are read of a page
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]?[”\"’」』)）]*\s*")


@app.command("compare")
def compare(
    a: Annotated[str, typer.Argument(help="A file (html or plain text) or a URL.")],
    b: Annotated[str, typer.Argument(help="Another one.")],
    config: Annotated[Path | None, typer.Option(help="TOML file with methods of your own.")] = None,
) -> None:
    """Tell how page A stands to page B: relation, score from 0 to 1, why, and the sentences that differ.

    Example:

        dup-groups compare saved.html https://example.org/news/1.html
    """
    from rich.console import Console

    from dupgroups import api
    from dupgroups.config import from_toml
    from dupgroups.recipes import Recipes

    settings = from_toml(config) if config else None
    one, two = _load(a), _load(b)
    verdict = api.compare(one, two, settings)
    console = Console(highlight=False, markup=False)
    console.print(f"{verdict.relation} ({verdict.score:.2f})", style="bold")
    console.print(verdict.reason, soft_wrap=True)
    recipes = Recipes(settings)
    for sign, line in _differences(recipes.extract(one).text, recipes.extract(two).text):
        console.print(f"{sign} {line}", style="red" if sign == "-" else "green", soft_wrap=True)


def _differences(one: str, two: str) -> Iterator[tuple[str, str]]:
    """Sentences that only one of two texts has, signed "-" and "+", in their order; the first few."""
    found = [
        (line[0], _printable(line[2:]))
        for line in difflib.ndiff(_sentences(one), _sentences(two))
        if line[0] in "+-"
    ]
    yield from found[:SHOWN]
    if len(found) > SHOWN:
        yield " ", f"and {len(found) - SHOWN} more sentences"


def _sentences(text: str) -> list[str]:
    return [found for each in _SENTENCE.findall(text) if (found := each.strip())]


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text)


def _load(place: str) -> Page:
    from dupgroups.api import as_page
    from dupgroups.text.decoding import decode

    if place.startswith(("http://", "https://")):
        return _fetch(place)
    try:
        raw = Path(place).read_bytes()[:LARGEST]
    except OSError as error:
        raise InputError(f"{place} cannot be read: {error.strerror or error}") from error
    return Page(html=raw) if as_page(decode(raw)).html else Page(text=decode(raw))


def _fetch(url: str) -> Page:
    try:
        request = Request(url, headers={"User-Agent": "dup-groups"})  # noqa: S310 - http and https only
        with urlopen(request, timeout=30) as answer:  # noqa: S310
            charset = answer.headers.get_content_charset()
            return Page(url=answer.url, html=answer.read(LARGEST), encoding=charset)
    except (URLError, OSError, ValueError) as error:
        raise InputError(f"{url} cannot be fetched: {error}") from error
