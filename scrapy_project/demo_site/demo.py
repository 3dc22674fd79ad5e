"""`make demo`: crawl the demo sites with the real Scrapy project into SQLite, and show what came out."""

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
    """Crawl, then print states, groups, two searches, and how to go on. Exit 1 when a group is wrong."""
    try:
        FOLDER.mkdir(exist_ok=True)
    except OSError as error:
        sys.exit(f"the folder {FOLDER} cannot be made: {error.strerror or error}")
    before = groups(documents())
    started = time.monotonic()
    with serve(FIRST_PORT) as sites:
        (FOLDER / "seeds.txt").write_text(seeds(sites), encoding="utf-8")
        stats = crawl(FOLDER / "seeds.txt")
    found = documents()
    show_states(stats, len(sites), time.monotonic() - started)
    show_groups(found)
    wrong = show_truth(found, sites)
    for query in QUERIES:
        console.rule(f"[bold]dup-groups search {query} --engine {ENGINE}")
        subprocess.run([sys.executable, "-m", "dupgroups", "search", query, "--engine", ENGINE], check=True)  # noqa: S603
    show_changes(before, groups(found))
    console.print("\nThe search page:  [bold]make serve[/]   then open http://127.0.0.1:8000/")
    sys.exit(1 if wrong else 0)


def crawl(seeds_file: Path) -> Mapping[str, Any]:
    """Run `scrapy crawl news` in this process; returns Scrapy's stats."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = "newscrawl.settings"
    settings = get_project_settings()
    polite_to_ourselves = {
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "AUTOTHROTTLE_ENABLED": False,
    }
    own = {
        "DUPGROUPS_ENGINE": ENGINE,
        "DUPGROUPS_DEAD_LETTERS": str(FOLDER / "dead.jsonl"),
        "LOG_LEVEL": "ERROR",
    }
    settings.setdict(polite_to_ourselves | own, priority="cmdline")
    process = CrawlerProcess(settings)
    crawler = process.create_crawler("news")
    process.crawl(crawler, seeds=str(seeds_file))
    process.start()
    logging.disable(logging.NOTSET)
    assert crawler.stats is not None
    return crawler.stats.get_stats()


def documents() -> list[Document]:
    """Everything that the demo's engine holds."""
    with closing(open_engine(ENGINE)) as engine:
        return list(engine.scan())


def groups(found: Sequence[Document]) -> dict[str, str]:
    """The group of every document by id."""
    return {each.record.id: each.record.group for each in found}


def show_states(stats: Mapping[str, Any], sites: int, seconds: float) -> None:
    """One row a state; they add up to the items seen."""
    prefix = "dupgroups/item/"
    states = {key.removeprefix(prefix): value for key, value in stats.items() if key.startswith(prefix)}
    table = Table(
        "state",
        "items",
        title=f"{sites} sites, {stats['response_received_count']} responses, {seconds:.1f} s",
    )
    for state, count in sorted(states.items(), key=lambda each: -each[1]):
        table.add_row(state, str(count))
    table.add_section()
    table.add_row("all", f"{sum(states.values())} of {stats.get('dupgroups/items', 0)} items seen")
    console.print(table)


def show_groups(found: Sequence[Document]) -> None:
    """One row for each story that several sites printed."""
    members: defaultdict[str, list[Document]] = defaultdict(list)
    for each in sorted(found, key=lambda document: document.record.age):
        members[each.record.group].append(each)
    told_twice = [group for group in members.values() if len(group) > 1]
    table = Table(title=f"{len(found)} documents are {len(members)} stories; those printed more than once")
    table.add_column("story", no_wrap=True, max_width=42)
    table.add_column("copies", justify="right")
    table.add_column("printed by")
    for group in sorted(told_twice, key=len, reverse=True):
        sites = dict.fromkeys(each.content.site or each.record.host for each in group)
        table.add_row(escape(group[0].content.title), str(len(group)), escape(", ".join(sites)))
    console.print(table)


def show_truth(found: Sequence[Document], sites: Sequence[DemoSite]) -> int:
    """Compare with what the demo's authors know; returns how many pairs are wrong or missed."""
    articles = [page for site in sites for page in site.pages if page.article]
    stories = {canonical(page.canonical): page.story for page in articles if not page.excerpt}
    excerpts = {canonical(page.canonical) for page in articles if page.excerpt}
    placed = [(each.record.group, stories[each.content.url]) for each in found if each.content.url in stories]
    pairs = [(a, b) for i, a in enumerate(placed) for b in placed[:i]]
    missed = sum(a[1] == b[1] and a[0] != b[0] for a, b in pairs)
    wrong = sum(a[1] != b[1] and a[0] == b[0] for a, b in pairs)
    strangers = sum(each.content.url not in {*stories, *excerpts} for each in found)
    console.print(
        f"Against the truth: {len(placed)} of {len(stories)} articles and {len(excerpts)} excerpt stored, "
        f"{strangers} other pages, {missed} pairs of copies missed, {wrong} pairs wrongly together."
    )
    missed += len(stories) - len(placed)
    return missed + wrong


def show_changes(before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """What this run changed for the documents that were there before."""
    if not before:
        return
    moved = sum(after.get(each) != group for each, group in before.items())
    new = len(set(after) - set(before))
    if not moved and not new:
        console.print("\nThe pages of the last run are used again: nothing new, no group changed.")
    else:
        console.print(f"\nSince the last run: {new} new documents, {moved} documents in another group.")


if __name__ == "__main__":
    main()
