"""`dup-groups compare`: how one page stands to another, and where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.client import HTTPException
from operator import itemgetter
from pathlib import Path
from typing import Annotated
from urllib.request import Request, urlopen

import typer

from dupgroups.cli.console import app
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen
from dupgroups.errors import InputError
from dupgroups.model import Page
from dupgroups.web.wording import counted

SHOWN = 20  # sentences that differ
LONGEST = 1000  # characters that are shown of a sentence
LARGEST = 20_000_000  # bytes that are read of a page
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]?[”\"’」』)）]*\s*")


@app.command("compare")
def compare(
    a: Annotated[str, typer.Argument(help="A file (html or plain text) or a URL.")],
    b: Annotated[str, typer.Argument(help="Another one.")],
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: MethodsFile = None,
) -> None:
    """Tell how page A stands to page B: relation, score from 0 to 1, why, and the sentences that differ.

    Example:

        dup-groups compare saved.html https://example.org/news/1.html
    """
    from rich.console import Console

    from dupgroups import api
    from dupgroups.recipes import Recipes

    settings = chosen(config, extractor, signer, judge)
    one, two = _load(a), _load(b)
    verdict = api.compare(one, two, settings)
    console = Console(highlight=False, markup=False)
    console.print(f"{verdict.relation} ({verdict.score:.2f})", style="bold")
    console.print(verdict.reason, soft_wrap=True)
    recipes = Recipes(settings)
    for sign, line in _differences(recipes.extract(one).text, recipes.extract(two).text):
        console.print(f"{sign} {line}", style="red" if sign == "-" else "green", soft_wrap=True)


def _differences(one: str, two: str) -> Iterator[tuple[str, str]]:
    """Sentences that only one of two texts has, signed "-" and "+", by their place in it; the first few."""
    ours, theirs = _sentences(one), _sentences(two)
    found = [(place, "-", each) for each, place in ours.items() if each not in theirs]
    found += [(place, "+", each) for each, place in theirs.items() if each not in ours]
    found.sort(key=itemgetter(0))
    yield from ((sign, _printable(each)) for _, sign, each in found[:SHOWN])
    if len(found) > SHOWN:
        yield " ", f"and {counted(len(found) - SHOWN, 'more sentence')}"


def _sentences(text: str) -> dict[str, int]:
    """The unlike sentences, each with its place."""
    found = (match[0].strip() for match in _SENTENCE.finditer(text))
    return {each: place for place, each in enumerate(dict.fromkeys(filter(None, found)))}


def _printable(text: str) -> str:
    short = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return "".join(each if each.isprintable() else " " for each in short)


def _load(place: str) -> Page:
    from dupgroups.api import as_page
    from dupgroups.text.decoding import decode

    if place.startswith(("http://", "https://")):
        return _fetch(place)
    try:
        with Path(place).open("rb") as file:
            raw = file.read(LARGEST)
    except OSError as error:
        raise InputError(f"{place} cannot be read: {error.strerror or error}") from error
    return Page(html=raw) if as_page(decode(raw)).html else Page(text=decode(raw))


def _fetch(url: str) -> Page:
    try:
        request = Request(url, headers={"User-Agent": "dup-groups"})  # noqa: S310 - http and https only
        with urlopen(request, timeout=30) as answer:  # noqa: S310
            charset = answer.headers.get_content_charset()
            return Page(url=answer.url, html=answer.read(LARGEST), encoding=charset)
    except (OSError, HTTPException, ValueError) as error:
        raise InputError(f"{url} cannot be fetched: {error}") from error
