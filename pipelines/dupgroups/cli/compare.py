"""`dup-groups compare`: how one page relates to another, and where they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Annotated

import typer

from dupgroups.bulk.inputs.page import PAGE, STDIN, load
from dupgroups.cli.console import app
from dupgroups.cli.methods import chosen
from dupgroups.cli.options import ConfigOption, ExtractorOption, JsonOption, JudgeOption, SignerOption
from dupgroups.cli.output import plain, print_json, stdout
from dupgroups.errors import InputError
from dupgroups.text.counted import counted

SHOWN = 20  # differing sentences that are printed
LONGEST = 1000  # characters of a sentence that are printed
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]?[”\"’」』)）]*\s*")


@app.command("compare")
def compare(
    a: Annotated[str, typer.Argument(help=PAGE)],
    b: Annotated[str, typer.Argument(help="The other one.")],
    extractor: ExtractorOption = None,
    signer: SignerOption = None,
    judge: JudgeOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare page A with page B: print the relation, a score from 0 to 1, the reason, and the differences.

    Examples:

        dup-groups compare saved.html https://example.org/news/1.html

        curl https://example.org/news/1.html | dup-groups compare - saved.html
    """
    from dupgroups import api
    from dupgroups.flow.method_set import MethodSet

    settings = chosen(config, extractor, signer, judge)
    if a == b == STDIN:
        raise InputError("only one of the pages can come from standard input: name a file for the other")
    one, two = load(a), load(b)
    verdict = api.compare(one, two, settings)
    methods = MethodSet(settings)
    differences = list(_differences(methods.extract(one).text, methods.extract(two).text))
    if as_json:
        print_json({"verdict": verdict, "differences": [f"{sign} {line}" for sign, line in differences]})
        return
    console = stdout()
    console.print(f"{verdict.relation} ({verdict.score:.2f})", style="bold")
    console.print(verdict.reason, soft_wrap=True)
    for sign, line in differences:
        console.print(f"{sign} {line}", style="red" if sign == "-" else "green", soft_wrap=True)


def _differences(one: str, two: str) -> Iterator[tuple[str, str]]:
    """The sentences that only one of two texts has ("-" and "+"), by position; the first SHOWN."""
    ours, theirs = _sentences(one), _sentences(two)
    differing = [(place, "-", sentence) for sentence, place in ours.items() if sentence not in theirs]
    differing += [(place, "+", sentence) for sentence, place in theirs.items() if sentence not in ours]
    differing.sort(key=itemgetter(0))
    yield from ((sign, _shortened(sentence)) for _, sign, sentence in differing[:SHOWN])
    if len(differing) > SHOWN:
        yield " ", f"and {counted(len(differing) - SHOWN, 'more sentence')}"


def _sentences(text: str) -> dict[str, int]:
    """The distinct sentences of a text, each with its position."""
    sentences = (match[0].strip() for match in _SENTENCE.finditer(text))
    return {sentence: place for place, sentence in enumerate(dict.fromkeys(filter(None, sentences)))}


def _shortened(text: str) -> str:
    return plain(text if len(text) <= LONGEST else text[:LONGEST] + "…")
