"""`dup-groups search`: one hit per story, with "also from", in the terminal or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing
from dupgroups.cli.files import open_for_writing
from dupgroups.cli.options import option
from dupgroups.cli.output import print_json, stdout
from dupgroups.engines import Engine
from dupgroups.engines.paging import pages, with_any_word, with_similar_words
from dupgroups.errors import InputError
from dupgroups.model import Copy, Hit, Query, Results
from dupgroups.text.counted import count_noun
from dupgroups.text.terminal import plain, printable

_MARKS = re.compile("\ue000([^\ue000\ue001]*)\ue001")

DOCUMENT_HELP = "number in the last search, URL, id, or the beginning of an id"  # what `document_id` takes
_NUMBER = re.compile(r"[0-9]{1,5}(\.[0-9]{1,3})?")  # of a hit, of a copy of it
_MAX_LISTED_COPIES = 100  # copies that --copies lists under a hit


@commands.command("search")
def search(
    query: Annotated[list[str], typer.Argument(help='Words to search for; "" finds all, newest first.')],
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    mode: Annotated[
        Literal["collapse", "head", "all"],
        option("Every story | every story whose main copy matches | every document."),
    ] = "collapse",
    limit: Annotated[int, option("Number of hits on a page.", min=1, max=1000)] = 10,
    offset: Annotated[int, option("Number of hits to skip (offset + limit <= 10,000).", min=0)] = 0,
    cursor: Annotated[str | None, option("Continue after a page, at any depth (modes head and all).")] = None,
    language: Annotated[str | None, option("Only this language, such as en or zh.")] = None,
    site: options.Site = None,
    author: Annotated[str | None, option("Only this author (complete name).")] = None,
    any_word: Annotated[
        bool, option("Find stories with one of the words, instead of every word.", name="--any-word")
    ] = False,
    since: options.Since = None,
    until: Annotated[str | None, option("Only dates on this day or earlier, such as 2026-03-31.")] = None,
    sort: Annotated[
        Literal["relevance", "date", "copies"],
        option("Best first | newest first | first the stories with the most copies that match."),
    ] = "relevance",
    copies: Annotated[bool, option("List the other copies under each hit.", name="--copies")] = False,
    as_json: options.Json = False,
) -> None:
    """Search the stored stories. Copies of a story collapse to one hit with "also from: A, B, C".

    Until the next search, other commands take the numbers of hits and copies for them: `explain 1`.

    Every word must occur in the title or the text, in any of its forms; with --any-word, one of them. You can
    write "a phrase", OR between two words, -word to exclude a word, and begin* for its beginning.

    Examples:

        dup-groups search "ferry collision" --since 2026-03-01 --sort date

        dup-groups search 'ferry OR boat "night train" -river'

        dup-groups search 春茶 --language zh --copies

        dup-groups search "" --since 2026-03-01 --sort copies

        dup-groups search "" --mode head --limit 100 --json --engine URL
    """
    from dupgroups.presentation.story import results_payload

    listed = _MAX_LISTED_COPIES if copies else Query().copies
    asked = Query(
        text=" ".join(query),
        mode=mode,
        limit=limit,
        offset=offset,
        copies=listed,
        language=language,
        site=site,
        author=author,
        cursor=cursor,
        any_word=any_word,
        since=since,
        until=until,
        sort=sort,
    )
    with closing(existing(engine, config)) as opened:
        results = opened.search(asked)
        if as_json:
            print_json(results_payload(asked, results))
            return
        _print(asked, results, copies)
        if not results.documents:
            _print_other_searches(opened, asked)
        remember(opened, dict(_numbers(asked, results)))


def _numbers(query: Query, results: Results) -> Iterator[tuple[str, str]]:
    """The hits and their copies: the number that `_hit` prints, and the id."""
    for place, hit in enumerate(results.hits, start=query.offset + 1):
        yield str(place), hit.shown.id
        yield from ((f"{place}.{number}", copy.id) for number, copy in enumerate(hit.copies, start=1))


def _print(query: Query, results: Results, copies: bool) -> None:
    from dupgroups.presentation.wording import limits, totals

    console = stdout()
    console.print(totals(query, results), style="bold")
    for sentence in limits(results):
        console.print(sentence, style="dim")
    for place, hit in enumerate(results.hits, start=query.offset + 1):
        console.print()
        for line in _hit(place, hit, copies):
            console.print(line)
    if onward := _next_page_hint(query, results):
        console.print(f"\n{onward}", style="dim")


def _print_other_searches(engine: Engine, query: Query) -> None:
    """The searches that would find something: with words that exist, and with one of the words."""
    if similar := with_similar_words(engine, query):
        stdout().print(f"Did you mean: {similar.text}")
    if looser := with_any_word(engine, query):
        more = "" if looser.complete else "at least "
        stories = more + count_noun(looser.stories, "story has", "stories have")
        stdout().print(f"No story has all of these words; {stories} some of them: --any-word")


def _next_page_hint(query: Query, results: Results) -> str:
    """How to get the next page; "" on the last one."""
    around = pages(query, results)
    if around.at_window:
        return "There are no more pages: narrow the search, or use --mode head to page to the last story"
    if around.next is None:
        return ""
    cursor, offset = around.next.cursor, around.next.offset
    return f"Next page: --cursor {cursor}" if cursor else f"Next page: --offset {offset}"


def _hit(place: int, hit: Hit, copies: bool) -> Iterator[Text]:
    from dupgroups.presentation.wording import also_from

    indent = " " * 4
    shown = hit.shown
    yield Text(f"{place:>3} ", "dim").append(plain(shown.title) or "(no title)", "bold cyan")
    more = f" · {count_noun(hit.size - 1, 'other copy', 'other copies')}" if hit.size > 1 else ""
    if 0 < hit.matching < hit.size:
        more += f" · {hit.matching:,} of {hit.size:,} copies match"
    yield Text(indent + _source(shown) + more)
    if hit.snippet:
        yield Text(indent).append_text(_snippet(hit.snippet))
    if elsewhere := also_from(hit):
        yield Text(indent).append(plain(elsewhere), "green")
    if shown.url:
        yield Text(indent + plain(shown.url), "dim")
    if copies:
        for number, copy in enumerate(hit.copies, start=1):
            line = Text(f"{f'{place}.{number}':>9} ", "dim").append(plain(copy.title) or "(no title)")
            yield line.append(f"  {_source(copy)}  {plain(copy.url or '')}", "dim")


def _source(copy: Copy) -> str:
    from dupgroups.presentation.wording import shorten_authors

    parts = (copy.site, shorten_authors(copy.author), (copy.date or "")[:10], copy.language)
    return " · ".join(plain(part) for part in parts if part)


def _snippet(snippet: str) -> Text:
    line = Text()
    for at, part in enumerate(_MARKS.split(snippet)):
        line.append(printable(part), "bold yellow" if at % 2 else "")
    return line


# -- the numbers of the last search


def remember(engine: Engine, ids: Mapping[str, str]) -> None:
    """Keep the numbers that a search printed in the user's folder of settings, if that can be written."""
    with suppress(OSError, InputError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().unlink(missing_ok=True)
        with open_for_writing(_file()) as out:
            json.dump({_place(engine): ids}, out)


def document_id(engine: Engine, name: str) -> str:
    """The id of the document that is meant; see `named_id`. An id comes first, then a number.

    Raises InputError for a number that the last search did not print.
    """
    from dupgroups.flow.document_names import named_id

    if not _NUMBER.fullmatch(name) or engine.get([name]):
        return named_id(engine, name)
    last: dict[str, dict[str, str]] = {}
    with suppress(OSError, ValueError):
        last = json.loads(_file().read_text(encoding="utf-8"))
    if id_ := last.get(_place(engine), {}).get(name):
        return id_
    raise InputError(f"the last search here has no number {name}: search {engine.name} again, or give an id")


def _place(engine: Engine) -> str:
    return f"{engine.name} in {Path.cwd()}"  # the name of a file may be relative


def _file() -> Path:
    return Path(typer.get_app_dir("dup-groups")) / "last-search.json"
