"""`make bench-pages`: how long the pages of `dup-groups serve` take, in a table of Markdown.

    python benchmarks/pages.py [--docs 20000] [--demo] [--engine URL] [--requests 40]

Made texts of 2.8 kB, four copies of each story, from 200 sites over two years, go into a new SQLite file, or
into the new index of --engine, which is not deleted. `--demo` takes the articles of the demo instead. Then
each kind of page is asked for over HTTP, one request after the other, with other words or another story.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from statistics import median

from browser.serving import Site, serving
from dupgroups import Deduper, Page, open_engine
from dupgroups.engines import Engine
from dupgroups.method_set import MethodSet
from dupgroups.model import Content, Document, Query, Record
from dupgroups.signing import sign
from dupgroups_demo import build
from stories import running_text

COPIES, SITES, DAYS, BATCH, KINDS = 4, 200, 730, 500, 400
FIRST = date(2024, 1, 1)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--docs", type=int, default=20_000, help="documents that are made")
    parser.add_argument("--demo", action="store_true", help="measure with the articles of the demo")
    parser.add_argument("--engine", help="URL of an index that is not there yet")
    parser.add_argument("--requests", type=int, default=40, help="requests of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, closing(_engine(options.engine, folder)) as engine:
        if options.demo:
            _crawl(engine)
        else:
            _fill(engine, options.docs)
        _measure(engine, options.requests)


def _engine(url: str | None, folder: str) -> Engine:
    return open_engine(url or f"sqlite:///{Path(folder) / 'bench.db'}")


def _crawl(engine: Engine) -> None:
    articles = ((site, page) for site in build() for page in site.pages if page.article)
    Deduper(engine).add_all(Page(url=site.url + page.path, html=page.body) for site, page in articles)


def _fill(engine: Engine, count: int) -> None:
    documents = _documents(count)
    while batch := list(islice(documents, BATCH)):
        engine.put(batch)


def _documents(count: int) -> Iterator[Document]:
    """Copies of stories of KINDS texts: the keys of each story are its own, or all would be candidates."""
    methods = MethodSet()
    signed = [sign(Page(text=running_text(f"s{kind}"), language="en"), methods) for kind in range(KINDS)]
    for number in range(count):
        story, site = number // COPIES, number * 7919 % SITES
        made = signed[story % KINDS]
        group, host = f"d{story * COPIES}", f"site{site}.example"
        day = FIRST + timedelta(days=story * DAYS // max(count // COPIES, 1))
        signature = made.record.signature
        keys = tuple(f"{key[:-4]}{story:x}" for key in signature.keys)
        record = Record(
            f"d{number}", group, host, replace(signature, keys=keys), number + 1, number + 1, f"{number}"
        )
        content = Content(
            made.content.text, f"{' '.join(made.content.text.split()[:6])} {story}", f"{day}", "en",
            f"https://{host}/{number}", f"Site {site}", author=f"Author {story % 50}",
        )  # fmt: skip
        yield Document(record, content)


def _measure(engine: Engine, requests: int) -> None:
    total = engine.search(Query("", "all", limit=0)).documents
    print(f"{total:,} documents, {engine.name}, {requests} requests of each kind, in milliseconds\n")
    print("| page | median | p95 | highest | CPU of this process |\n|---|---|---|---|---|")
    with serving(engine) as site:
        for name, address in _addresses(engine):
            _ask(site, address(random.Random(0)))
            used = time.process_time()
            times = sorted(_times(site, address, requests))
            cpu = 1_000 * (time.process_time() - used) / requests
            p95 = times[min(len(times) - 1, round(0.95 * len(times)))]
            print(f"| {name} | {median(times):.0f} | {p95:.0f} | {times[-1]:.0f} | {cpu:.0f} |", flush=True)


def _addresses(engine: Engine) -> list[tuple[str, Callable[[random.Random], str]]]:
    """The kinds of pages, each with an address for a random number."""
    hits = engine.search(Query("", limit=100)).hits
    found = {word for hit in hits for word in hit.shown.title.split()}
    words = sorted(word for word in found if word.isalpha() and word.isascii())
    groups = [hit.group for hit in hits if hit.size > 1]
    pairs = [(group, next(copy.id for copy in engine.copies(group) if copy.id != group)) for group in groups]
    return [
        ("start, with facets and chart", lambda rng: f"/?copies={rng.randint(3, 100)}"),
        ("start, again", lambda rng: "/"),
        ("search of a word", lambda rng: f"/?q={rng.choice(words)}"),
        ("search of two words", lambda rng: f"/?q={rng.choice(words)}+{rng.choice(words)}"),
        ("search, newest first", lambda rng: f"/?q={rng.choice(words)}&sort=date"),
        ("nothing found, with closest words", lambda rng: f"/?q={rng.choice(words)}q{rng.choice(words)}x"),
        ("first copies", lambda rng: f"/?q={rng.choice(words)}&mode=head"),
        ("from a day on", lambda rng: f"/?since=2024-0{rng.randint(1, 9)}-{rng.randint(10, 28)}"),
        ("story", lambda rng: f"/groups/{rng.choice(groups)}"),
        ("explain", lambda rng: "/explain?a={}&b={}".format(*rng.choice(pairs))),
        ("Atom", lambda rng: f"/feed?q={rng.choice(words)}"),
        ("RSS", lambda rng: f"/rss?q={rng.choice(words)}"),
    ]


def _times(site: Site, address: Callable[[random.Random], str], count: int) -> Iterator[float]:
    rng = random.Random(1)
    return (_ask(site, address(rng)) for _ in range(count))


def _ask(site: Site, path: str) -> float:
    """The milliseconds of a request."""
    started = time.perf_counter()
    answer = site.get(path)
    assert answer.status == 200, (path, answer.status)
    return 1_000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
