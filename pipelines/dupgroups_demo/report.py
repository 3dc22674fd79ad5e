"""Crawl the demo sites with Scrapy, and show what was found beside the ground truth."""

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dupgroups.engines import open_engine
from dupgroups.engines.url import EngineURL
from dupgroups.model import Document
from dupgroups.text.urls import canonical
from dupgroups_demo.crawl import crawl
from dupgroups_demo.pages import DemoSite
from dupgroups_demo.server import seeds

QUERIES = ("ferry", "地铁")
console = Console(highlight=False)


def engine_of(folder: Path) -> str:
    """The URL of the engine of the demo."""
    return str(EngineURL("sqlite", f"{folder.as_posix()}/news.db"))


def crawl_and_report(folder: Path, sites: Sequence[DemoSite]) -> int:
    """Crawl, then print states, groups, two searches, and what to do next.

    Returns the number of articles and pairs of copies that are missing, and of pairs grouped wrongly.
    """
    engine = engine_of(folder)
    started = time.monotonic()
    lines = seeds(sites)
    (folder / "seeds.txt").write_text(lines, encoding="utf-8")
    stats = crawl([line for line in lines.splitlines() if not line.startswith("#")], engine, folder)
    with closing(open_engine(engine)) as opened:
        stored = list(opened.scan())
    show_states(stats, len(sites), time.monotonic() - started)
    show_groups(stored)
    wrong = show_truth(stored, sites) + show_facts(stored, sites)
    for query in QUERIES:
        console.rule(f"[bold]dup-groups search {query} --engine {engine}")
        subprocess.run([sys.executable, "-m", "dupgroups", "search", query, "--engine", engine], check=True)  # noqa: S603
    console.print(
        "\nThe search page, and the sites behind its links:  [bold]dup-groups demo --serve[/]"
        "  (in a clone: make serve)"
    )
    return wrong


def show_states(stats: Mapping[str, Any], sites: int, seconds: float) -> None:
    """Print what became of the items."""
    prefix = "dupgroups/item/"
    states = {key.removeprefix(prefix): value for key, value in stats.items() if key.startswith(prefix)}
    listed = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in states.items())
    pages = f"{stats['response_received_count']} responses of {sites} sites in {seconds:.1f} s"
    console.print(f"{pages}, {sum(states.values())} items: {listed}")


def show_groups(stored: Sequence[Document]) -> None:
    """Print one row for each story with several copies."""
    members: defaultdict[str, list[Document]] = defaultdict(list)
    for document in sorted(stored, key=lambda document: document.record.age):
        members[document.record.group].append(document)
    reprinted = [group for group in members.values() if len(group) > 1]
    table = Table(title=f"{len(stored)} documents are {len(members)} stories; stories with several copies")
    table.add_column("story", no_wrap=True, max_width=42)
    table.add_column("copies", justify="right")
    table.add_column("published by")
    for group in sorted(reprinted, key=len, reverse=True):
        sites = dict.fromkeys(document.content.site or document.record.host for document in group)
        table.add_row(escape(group[0].content.title), str(len(group)), escape(", ".join(sites)))
    console.print(table)


def show_truth(stored: Sequence[Document], sites: Sequence[DemoSite]) -> int:
    """Compare the groups with the ground truth; returns the number of wrong and missed pairs."""
    articles = [page for site in sites for page in site.pages if page.article]
    stories = {canonical(page.canonical): page.story for page in articles if not page.excerpt}
    excerpts = {canonical(page.canonical) for page in articles if page.excerpt}
    placed = [
        (document.record.group, stories[document.content.url])
        for document in stored
        if document.content.url in stories
    ]
    pairs = [(a, b) for i, a in enumerate(placed) for b in placed[:i]]
    missed = sum(a[1] == b[1] and a[0] != b[0] for a, b in pairs)
    wrong = sum(a[1] != b[1] and a[0] == b[0] for a, b in pairs)
    strangers = sum(document.content.url not in {*stories, *excerpts} for document in stored)
    console.print(
        f"Ground truth: {len(placed)} of {len(stories)} articles and {len(excerpts)} excerpt stored, "
        f"{strangers} other pages, {missed} pairs of copies missed, {wrong} pairs grouped wrongly."
    )
    missed += len(stories) - len(placed)
    return missed + wrong


def show_facts(stored: Sequence[Document], sites: Sequence[DemoSite]) -> int:
    """Compare days, authors and first publishers with the ground truth; returns how many are wrong, among
    which those that were not found do not count."""
    articles = ((page, site) for site in sites for page in site.pages if page.article)
    truth = {str(canonical(page.canonical)): (page, site) for page, site in articles}
    found = [
        (document.content, *truth[url]) for document in stored if (url := document.content.url or "") in truth
    ]
    days = [(content.date[:10], page.published[:10]) for content, page, _ in found if content.date]
    authors = [
        (content.author, f"{page.byline} {site.name}") for content, page, site in found if content.author
    ]
    copies: defaultdict[str | None, list[tuple[str, str]]] = defaultdict(list)
    for content, page, _ in found:
        if content.date and "T" in content.date:  # with a time, in the zone of the page
            copies[page.story].append((content.date[:16], page.published[:16]))
    firsts = [(min(timed)[1], min(at for _, at in timed)) for timed in copies.values() if len(timed) > 1]
    wrong = (
        sum(day != true for day, true in days),
        sum(any(name not in line for name in author.split(", ")) for author, line in authors),
        sum(first != true for first, true in firsts),
    )
    console.print(
        f"{len(days)} of {len(found)} days found, {wrong[0]} wrong; {len(authors)} authors, {wrong[1]} wrong;"
        f" first publishers of {len(firsts)} stories, {wrong[2]} wrong."
    )
    return sum(wrong)
