"""`make bench-pages`: how long the pages of `dup-groups serve` take, in a table of Markdown.

    python benchmarks/pages.py [--documents 20000] [--words 300] [--engine URL] [--requests 40]

The texts of `made_texts.py`, from 200 sites over two years, go into a new SQLite file, or to --engine: a
server, such as opensearch://127.0.0.1:9200, where an index is made and deleted at the end, or sqlite:///FILE,
which stays. `--documents 0` adds nothing, and measures the index that --engine names. Then each kind of page
is asked for over HTTP, and copies of texts that are in the index but for a few words, one request after the
other, and no request twice, as SQLite keeps the results of the last searches. CPU is that of the process that
serves and asks, and, with a server, that of all its nodes, with whatever else they do.
"""

import json
import random
import tempfile
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice
from typing import Any

from made_texts import WORDS, in_group, page
from scale import Store, new_store, print_table

from browser.serving import Site, serving
from dupgroups import Config, open_engine
from dupgroups.engines import Engine
from dupgroups.flow.signing import PageSigner
from dupgroups.model import Document
from dupgroups.text.batches import batches

SITES, DAYS, BATCH = 200, 730, 500
FREQUENT = 100  # words that are in many texts: nobody searches for them
FIRST = date(2024, 1, 1)
LACKING_WORDS = 5  # words that a text lacks which is looked for

Ask = Callable[[random.Random, int], tuple[str, Any]]
"""A path, and a value for JSON if one is posted; another one for each number."""


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000, help="documents that are made")
    parser.add_argument("--words", type=int, default=WORDS, help="words of a text")
    parser.add_argument("--engine", help="URL of a server, or of a SQLite file")
    parser.add_argument("--requests", type=int, default=40, help="requests of each kind")
    options = parser.parse_args()
    if not options.documents and not options.engine:
        parser.error("--documents 0 measures an index that is there: name it with --engine")
    store_of = new_store if options.documents else nullcontext
    with (
        tempfile.TemporaryDirectory() as folder,
        store_of(options.engine or f"sqlite:///{folder}/bench.db") as url,
        closing(open_engine(url)) as engine,
        serving(engine) as site,
    ):
        _fill(engine, options.documents, options.words)
        engine.refresh()
        print(f"{engine.statistics().documents:,} documents, {engine.name}, ", end="")
        print(f"{options.requests} requests of each kind, in milliseconds\n")
        store = Store(engine.name)
        heads = ["page", "p50", "p95", "highest", "CPU"] + ["CPU of the server"] * store.on_server
        print_table(heads, (_row(store, site, *kind, options.requests) for kind in _kinds(engine)))


def _fill(engine: Engine, count: int, words: int) -> None:
    signer = PageSigner(Config())
    for numbers in batches(range(count), BATCH):
        documents = signer.sign([page(number, words) for number in numbers])
        engine.put([_described(in_group(document)) for document in documents if document])


def _described(document: Document) -> Document:
    """The document with a site, a day and an author."""
    number = int(document.record.id[1:])
    day = FIRST + timedelta(days=number * 7919 % DAYS)
    site, author = f"Site {number % SITES}", f"Author {number % 50}"
    return replace(document, content=replace(document.content, site=site, date=f"{day}", author=author))


def _row(store: Store, site: Site, name: str, ask: Ask, requests: int) -> list[str]:
    """p50, p95, highest, and CPU of a request."""
    _milliseconds(site, *ask(random.Random(0), 2))
    rng, server, client = random.Random(1), store.cpu(), time.process_time()
    times = sorted(_milliseconds(site, *ask(rng, 3 + number % 97)) for number in range(requests))
    cpu = [time.process_time() - client] + [store.cpu() - server] * store.on_server
    highest = (times[min(requests - 1, int(requests * share))] for share in (0.5, 0.95, 1))
    return [name, *(f"{time_:.0f}" for time_ in highest), *(f"{1_000 * one / requests:.0f}" for one in cpu)]


def _kinds(engine: Engine) -> list[tuple[str, Ask]]:
    """The kinds of requests."""
    texts = [document.content.text for document in islice(engine.scan(), 100)]
    found = Counter(word for text in texts for word in text.lower().split())
    by_frequency = [word for word, _ in found.most_common() if word.isalpha() and word.isascii()]
    words = sorted(by_frequency[FREQUENT:])
    return [
        ("start, with facets and chart", lambda rng, new: (f"/?q=&copies={new}", None)),
        ("search of a word", lambda rng, new: (f"/?q={rng.choice(words)}&copies={new}", None)),
        ("beginning of a word", lambda rng, new: (f"/?q={rng.choice(words)[:3]}*&copies={new}", None)),
        ("first copies", lambda rng, new: (f"/?q={rng.choice(words)}&mode=head&copies={new}", None)),
        ("copies of a text", lambda rng, new: ("/api/find", {"text": _cut(rng.choice(texts), new)})),
    ]


def _cut(text: str, start: int) -> str:
    """A text without a few words: a copy, and none like another."""
    words = text.split()
    return " ".join([*words[:start], *words[start + LACKING_WORDS :]])


def _milliseconds(site: Site, path: str, value: Any) -> float:
    """The milliseconds of a request, which posts the value if there is one."""
    post = {} if value is None else {"method": "POST", "body": json.dumps(value).encode()}
    started = time.perf_counter()
    answer = site.get(path, **post)
    assert answer.status == 200, (path, answer.status)
    return 1_000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
