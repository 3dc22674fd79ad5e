"""`make demo`: crawl the demo sites into SQLite with the real Scrapy project, and show the results."""

from __future__ import annotations

import logging
import os
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
from scrapy.crawler import CrawlerProcess
from scrapy.utils.project import get_project_settings

from demo_site import FIRST_PORT, DemoSite, seeds, serve
from dupgroups.engines import open_engine
from dupgroups.model import Document
from dupgroups.text.urls import canonical

FOLDER = Path("demo")
ENGINE = f"sqlite:///{FOLDER}/news.db"
QUERIES = ("ferry", "地铁")
console = Console(highlight=False)


def main() -> None:
    """Crawl, then print states, groups, two searches, and what to do next. Exit 1 if a group is wrong."""
    try:
        FOLDER.mkdir(exist_ok=True)
    except OSError as error:
        sys.exit(f"the folder {FOLDER} cannot be created: {error.strerror or error}")
    before = groups(documents())
    started = time.monotonic()
    with serve(FIRST_PORT) as sites:
        (FOLDER / "seeds.txt").write_text(seeds(sites), encoding="utf-8")
        stats = crawl(FOLDER / "seeds.txt")
    stored = documents()
    show_states(stats, len(sites), time.monotonic() - started)
    show_groups(stored)
    wrong = show_truth(stored, sites)
    for query in QUERIES:
        console.rule(f"[bold]dup-groups search {query} --engine {ENGINE}")
        subprocess.run([sys.executable, "-m", "dupgroups", "search", query, "--engine", ENGINE], check=True)  # noqa: S603
    show_changes(before, groups(stored))
    console.print("\nThe search page:  [bold]make serve[/]   then open http://127.0.0.1:8000/")
    sys.exit(1 if wrong else 0)


def crawl(seeds_file: Path) -> Mapping[str, Any]:
    """Run `scrapy crawl news` in this process; returns the stats of Scrapy."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = "newscrawl.settings"
    settings = get_project_settings()
    fast = {
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "AUTOTHROTTLE_ENABLED": False,
    }
    project = {
        "DUPGROUPS_ENGINE": ENGINE,
        "DUPGROUPS_DEAD_LETTERS": str(FOLDER / "dead.jsonl"),
        "LOG_LEVEL": "ERROR",
    }
    settings.setdict(fast | project, priority="cmdline")
    process = CrawlerProcess(settings)
    crawler = process.create_crawler("news")
    process.crawl(crawler, seeds=str(seeds_file))
    process.start()
    logging.disable(logging.NOTSET)
    assert crawler.stats is not None
    return crawler.stats.get_stats()


def documents() -> list[Document]:
    """All documents in the engine of the demo."""
    with closing(open_engine(ENGINE)) as engine:
        return list(engine.scan())


def groups(stored: Sequence[Document]) -> dict[str, str]:
    """The group of every document, by id."""
    return {document.record.id: document.record.group for document in stored}


def show_states(stats: Mapping[str, Any], sites: int, seconds: float) -> None:
    """Print one row per state; the counts add up to the number of items."""
    prefix = "dupgroups/item/"
    states = {key.removeprefix(prefix): value for key, value in stats.items() if key.startswith(prefix)}
    table = Table(
        "state",
        "items",
        title=f"{sites} sites, {stats['response_received_count']} responses, {seconds:.1f} s",
    )
    for state, count in sorted(states.items(), key=lambda item: -item[1]):
        table.add_row(state, str(count))
    table.add_section()
    table.add_row("all", f"{sum(states.values())} of {stats.get('dupgroups/items', 0)} items seen")
    console.print(table)


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


def show_changes(before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Print what this run changed for the documents that were stored before."""
    if not before:
        return
    moved = sum(after.get(id_) != group for id_, group in before.items())
    new = len(set(after) - set(before))
    if not moved and not new:
        console.print("\nThe pages of the last run were stored already: no new documents, no changed groups.")
    else:
        console.print(f"\nSince the last run: {new} new documents, {moved} documents in another group.")


if __name__ == "__main__":
    main()
