"""`dup-groups find`: which documents of an index have the text of a page, asked without storing it."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.page_reader import STDIN, PageReader, fields_of_file, load
from dupgroups.bulk.inputs.rows import Rows, is_page, standard_input
from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing, settings_of
from dupgroups.cli.output import print_json, stdout
from dupgroups.cli.progress import left_out_of, teller
from dupgroups.text.batches import batches
from dupgroups.text.counted import count_noun
from dupgroups.text.passages import shorten
from dupgroups.text.terminal import plain

if TYPE_CHECKING:
    from dupgroups.flow.finding import Found
    from dupgroups.model import Document

PLACE = "A page (a file of html or plain text, a URL, - for standard input), or documents, as `group` takes."
BATCH_DOCUMENTS = 16  # documents of a file for which the index is asked at once
SHOWN_CHARS = 120  # of a passage
BEGINNINGS = (b"{", b"[", b"WARC/", b"\x1f\x8b")  # of documents on standard input, not of a page


@commands.command("find")
def find(
    place: Annotated[str, typer.Argument(help=PLACE, metavar="PAGE")],
    engine: options.Engine = None,
    fields: options.Fields = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Find the copies of a page in an index, what contains it, and excerpts of it. Nothing is stored.

    Prints how the page stands to each that is near it (duplicate; contained: a part of it; contains: has all
    of it; near: another story or an update with a passage in common), the score of all but parts, the facts
    in which the texts contradict each other, and the longest passage of those that are no copies.

    Each document of a file gets an answer; with `--json` it is a line, and comes at once for each line of
    standard input; one that is no document is answered with its number and an error. Examples:

        dup-groups find https://example.org/news/1.html --engine sqlite:///news.db

        pbpaste | dup-groups find - --json

        zcat new.jsonl.gz | dup-groups find - --json | jq -c 'select(.found == [])'
    """
    from dupgroups.flow.deduper import Deduper
    from dupgroups.flow.finding import found_payload

    options.parse_path(place)
    settings = settings_of(config)
    documents = _documents(place, fields, settings.group_by, as_json)
    with closing(existing(engine, config)) as opened:
        deduper = Deduper(opened, settings)
        for pages in batches(documents or [load(place)], 1 if place == STDIN else BATCH_DOCUMENTS):
            signed = [deduper.sign(page) for page in pages]
            for document, matches in zip(signed, deduper.find_all(signed), strict=True):
                if as_json:
                    print_json(found_payload(document, matches), indent=None if documents else 2)
                else:
                    _print(document, matches, document.record.id if documents else place)
    if documents:
        left_out_of(documents)
        documents.check_left_out()


def _documents(place: str, fields: str | None, group_by: Sequence[str], as_json: bool) -> PageReader | None:
    """The documents of a file, or of standard input that begins like them; None for a single page."""
    path, is_url = Path(place), place.startswith(("http://", "https://"))
    if place == STDIN:
        head = standard_input().peek().removeprefix(codecs.BOM_UTF8).lstrip()
        is_one = not head.startswith(BEGINNINGS)
    else:
        is_one = is_url or is_page(path) or not Rows(path).is_named
    if is_one:
        return None

    def print_fault(line: int, error: str) -> None:
        print_json({"line": line, "error": error}, indent=None)

    answer_fault = print_fault if as_json else None
    named = fields_of_file(fields)
    return PageReader(path, teller(), named, group_by, as_crawled=True, answer_fault=answer_fault)


def _print(document: Document, matches: Sequence[Found], name: str) -> None:
    console = stdout()
    said = count_noun(len(matches), "document") if document.record.signature else "too short to be compared"
    console.print(f"{plain(document.content.title or name)}: {said}", style="bold")
    for match in matches:
        score = "" if match.is_part else f"{match.score:.2f}"
        shown = (match.relation, score, match.id, match.site, match.title, match.url)
        console.print("  " + " · ".join(plain(part) for part in shown if part))
        differ = "; ".join(f"{here} against {there}" for here, there in match.differ if match.joins)
        console.print(f"    {plain(match.reason)}" + f" Differ: {plain(differ)}." * bool(differ))
        if match.passages and match.relation != "duplicate":
            console.print(f'    Both have: "{shorten(plain(match.passages[0]), SHOWN_CHARS)}"')
