"""`make bench-pages`: how long the pages of `dup-groups serve` take, in a table of Markdown.

    python benchmarks/pages.py [--documents 20000] [--words 60] [--engine URL] [--requests 40]

Made texts of 2.8 kB, or of --words words, four copies of each story, from 200 sites over two years, go into
a new SQLite file, or to --engine: a server, such as opensearch://127.0.0.1:9200, where an index is made and
deleted at the end, or sqlite:///FILE, which stays. `--documents 0` adds nothing, and measures the index that
--engine names. Then each kind of page is asked for over HTTP, one
request after the other, and no request twice, as SQLite keeps the results of the last searches.

CPU is that of the process that serves and asks, and, with a server, that of all its nodes, with whatever
else they do.
"""

from __future__ import annotations

import argparse
import random
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

from scale import cpu_of_server, delete_indices

from browser.serving import Site, serving
from dupgroups import Page, open_engine
from dupgroups.engines import Engine
from dupgroups.flow.method_set import MethodSet
from dupgroups.flow.signing import sign
from dupgroups.model import Content, Document, Query, Record
from dupgroups_es.base import ClusterEngine
from stories import running_text

COPIES, SITES, DAYS, BATCH, KINDS = 4, 200, 730, 500, 400
FREQUENT = 5  # of the words of titles, which are in nearly all made texts: nobody searches for them
FIRST = date(2024, 1, 1)
NEW = "&copies={}"  # makes a request another one, as groups have few copies

Address = Callable[[random.Random], str]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=20_000, help="documents that are made")
    parser.add_argument("--words", type=int, help="words of a text; default: all of 2.8 kB")
    parser.add_argument("--engine", help="URL of a server, or of a SQLite file")
    parser.add_argument("--requests", type=int, default=40, help="requests of each kind")
    options = parser.parse_args()
    if not options.documents and not options.engine:
        parser.error("--documents 0 measures an index that is there: name it with --engine")
    with ExitStack() as stack:
        engine = _engine(stack, options.engine, new=options.documents > 0)
        _fill(engine, options.documents, options.words)
        engine.refresh()
        _measure(engine, options.requests)


def _engine(stack: ExitStack, url: str | None, *, new: bool) -> Engine:
    if url is None:
        url = f"sqlite:///{Path(stack.enter_context(tempfile.TemporaryDirectory())) / 'bench.db'}"
    on_server = not url.startswith("sqlite:")
    name = f"{url.rstrip('/')}/pages-{secrets.token_hex(3)}" if on_server and new else url
    engine = stack.enter_context(closing(open_engine(name)))
    if on_server and new:
        stack.callback(delete_indices, engine)
    return engine


def _fill(engine: Engine, count: int, words: int | None) -> None:
    documents = _documents(count)
    if words:
        documents = (_cut(document, words) for document in documents)
    while batch := list(islice(documents, BATCH)):
        engine.put(batch)


def _cut(document: Document, size: int) -> Document:
    """The document with so many words of its text, from a place of its own."""
    words = document.content.text.split()
    first = random.Random(document.record.id).randrange(max(1, len(words) - size + 1))
    text = " ".join(words[first : first + size])
    return replace(document, content=replace(document.content, text=text))


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
    total = engine.statistics().documents
    print(f"{total:,} documents, {engine.name}, {requests} requests of each kind, in milliseconds\n")
    columns = ["page", "p50", "p95", "highest", "CPU"] + ["CPU of the server"] * _has_server(engine)
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    with serving(engine) as site:
        for name, address in _addresses(engine):
            _ask(site, address(random.Random(0)) + NEW.format(2))
            print(f"| {' | '.join([name, *_row(engine, site, address, requests)])} |", flush=True)


def _row(engine: Engine, site: Site, address: Address, requests: int) -> Iterator[str]:
    """p50, p95, highest, and CPU of a request."""
    rng, server, client = random.Random(1), _server_cpu(engine), time.process_time()
    times = sorted(_ask(site, address(rng) + NEW.format(3 + number % 97)) for number in range(requests))
    client = time.process_time() - client
    server = _server_cpu(engine) - server
    yield from (f"{times[min(requests - 1, int(requests * share))]:.0f}" for share in (0.5, 0.95, 1))
    yield f"{1_000 * client / requests:.0f}"
    if _has_server(engine):
        yield f"{1_000 * server / requests:.0f}"


def _has_server(engine: Engine) -> bool:
    return isinstance(engine, ClusterEngine)


def _server_cpu(engine: Engine) -> float:
    """The CPU seconds of all nodes; 0 without a server."""
    if not isinstance(engine, ClusterEngine):
        return 0.0
    time.sleep(1.5)  # servers keep their figures for a second
    return cpu_of_server(engine.name)


def _addresses(engine: Engine) -> list[tuple[str, Address]]:
    """The kinds of pages, each with an address for a random number."""
    hits = engine.search(Query("", limit=100)).hits
    found = Counter(word for hit in hits for word in hit.shown.title.lower().split())
    by_frequency = [word for word, _ in found.most_common() if word.isalpha() and word.isascii()]
    words = sorted(by_frequency[FREQUENT:])
    return [
        ("start, with facets and chart", lambda rng: "/?q="),
        ("search of a word", lambda rng: f"/?q={rng.choice(words)}"),
        ("beginning of a word", lambda rng: f"/?q={rng.choice(words)[:3]}*"),
        ("first copies", lambda rng: f"/?q={rng.choice(words)}&mode=head"),
    ]


def _ask(site: Site, path: str) -> float:
    """The milliseconds of a request."""
    started = time.perf_counter()
    answer = site.get(path)
    assert answer.status == 200, (path, answer.status)
    return 1_000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
