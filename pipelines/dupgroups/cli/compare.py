"""`dup-groups compare`: how one page stands to another, and where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Annotated

import typer

from dupgroups.cli.console import app
from dupgroups.cli.methods import ExtractorOption, JudgeOption, MethodsFile, SignerOption, chosen_unordered
from dupgroups.cli.pages import load
from dupgroups.web.wording import counted

SHOWN = 20  # sentences that differ
LONGEST = 1000  # characters that are shown of a sentence
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
    from dupgroups.method_set import MethodSet

    settings = chosen_unordered(config, extractor, signer, judge)
    one, two = load(a), load(b)
    verdict = api.compare(one, two, settings)
    console = Console(highlight=False, markup=False)
    console.print(f"{verdict.relation} ({verdict.score:.2f})", style="bold")
    console.print(verdict.reason, soft_wrap=True)
    methods = MethodSet(settings)
    for sign, line in _differences(methods.extract(one).text, methods.extract(two).text):
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
