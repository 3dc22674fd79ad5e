"""`make bench`: the cost of the chain, beside its parser alone and the glue code a user would write today.

    python benchmarks/chain.py [PAGES.jsonl.gz] [DOCS.jsonl.gz] [--rounds 3] [--no-server] [--parts]

PAGES hold `html` (and `url`), DOCS hold `id` and `text`; without them the pages of the demo sites are used.
Contenders take turns, each in a fresh process. Times are CPU time of one core: compare the ratios, because
machines are noisy. `--parts` prints only the shares of the parts of extraction.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dupgroups import Deduper, Page, extract

WARM_UP = 10  # pages before the clock starts: imports, tables, first use
# the first Han character loads a dictionary
CHINESE = Page(html="<p>渡轮在大雾中撞上码头。", text="渡轮在大雾中撞上码头。", id="warm-up")
console = Console(highlight=False)


def parse_only(pages: Sequence[Page]) -> Iterator[None]:
    """The floor: lexbor builds the tree, and nothing else is done."""
    from selectolax.lexbor import LexborHTMLParser

    for page in pages:
        LexborHTMLParser(page.html or "")
        yield


def extraction(pages: Sequence[Page]) -> Iterator[None]:
    """Our extraction alone: decode, divide, choose the article, describe it."""
    for page in pages:
        extract(page.html or "", page.url)
        yield


def whole_chain(pages: Sequence[Page]) -> Iterator[None]:
    """Our chain: decode, extract, sign, look up, judge, group, store with full text in SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        deduper = Deduper(f"sqlite:///{folder}/news.db")
        for start in range(0, len(pages), 50):
            deduper.add_all(pages[start : start + 50])
            yield from [None] * len(pages[start : start + 50])
        deduper.close()


def glue(pages: Sequence[Page]) -> Iterator[None]:
    """The usual glue: trafilatura, 5-word shingles, MinHashLSH in memory; nothing is stored."""
    import re

    import trafilatura
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=0.5, num_perm=128)
    for number, page in enumerate(pages):
        words = re.findall(r"\w+", (trafilatura.extract(page.html) or "").lower())
        sketch = MinHash(num_perm=128)
        sketch.update_batch([" ".join(words[i : i + 5]).encode() for i in range(max(1, len(words) - 4))])
        index.query(sketch)
        index.insert(str(number), sketch)
        yield


CONTENDERS: dict[str, Callable[[Sequence[Page]], Iterator[None]]] = {
    "parse only (lexbor)": parse_only,
    "dup-groups extract": extraction,
    "dup-groups into SQLite": whole_chain,
    "trafilatura + datasketch": glue,
}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="?", type=Path)
    parser.add_argument("docs", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-server", action="store_true", help="leave OpenSearch out")
    parser.add_argument("--parts", action="store_true", help="only the shares of the parts of extraction")
    options = parser.parse_args()
    pages = load(options.pages) if options.pages else demo_pages()
    if options.parts:
        print_parts([page for page in pages if page.html], options.rounds)
        return
    docs = load(options.docs) if options.docs else pages
    compare_chains([page for page in pages if page.html], options.rounds)
    if not options.no_server:
        measure_opensearch(docs)


def compare_chains(pages: Sequence[Page], rounds: int) -> None:
    """Pages per second and core, and peak memory, of every contender."""
    runs_by_name: dict[str, list[tuple[float, float]]] = {name: [] for name in CONTENDERS}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for _ in range(rounds):
            for name in CONTENDERS:
                runs_by_name[name].append(pool.apply(timed, (name, pages)))
    size = statistics.fmean(len(page.html or "") for page in pages) / 1000
    table = Table(
        "", "ms a page", "pages/s/core", "x parse", "peak MB", title=f"{len(pages)} pages of {size:.0f} kB"
    )
    floor = statistics.median(seconds for seconds, _ in runs_by_name["parse only (lexbor)"])
    for name, runs in runs_by_name.items():
        seconds, memory = (statistics.median(column) for column in zip(*runs, strict=True))
        table.add_row(
            name, f"{seconds * 1000:.2f}", f"{1 / seconds:,.0f}", f"{seconds / floor:.1f}", f"{memory:.0f}"
        )
    console.print(table)


def print_parts(pages: Sequence[Page], rounds: int) -> None:
    """Milliseconds a page and share of every part of extraction, from the bytes of UTF-8 pages."""
    from parts import profile

    as_bytes = [replace(page, html=(page.html or "").encode("utf-8", "replace")) for page in pages]
    seconds = profile(as_bytes, rounds)
    total = sum(seconds.values())
    table = Table("part", "ms a page", "%", title=f"{len(pages)} pages, {total * 1000:.1f} ms a page")
    for part, of_part in seconds.items():
        table.add_row(part, f"{of_part * 1000:.2f}", f"{of_part / total:.0%}")
    console.print(table)


def timed(name: str, pages: Sequence[Page]) -> tuple[float, float]:
    """CPU seconds per page and peak memory in MB of one contender, in this fresh process."""
    for _ in CONTENDERS[name]([*pages[:WARM_UP], CHINESE]):
        pass
    start = time.process_time()
    for _ in CONTENDERS[name](pages):
        pass
    seconds = (time.process_time() - start) / len(pages)
    unit = 1 if sys.platform == "darwin" else 1024
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure_opensearch(docs: Sequence[Page]) -> None:
    """Time the whole chain into a real OpenSearch, and the look-ups of batches of 50 alone."""
    import servers

    with servers.start("opensearch-3") as server:
        deduper = Deduper(server.url.replace("http://", "opensearch://") + "/bench")
        signed = [deduper.sign(page) for page in docs]
        batches = [signed[start : start + 50] for start in range(0, len(signed), 50)]
        deduper.add_all(batches[0])
        cpu, wall = time.process_time(), time.monotonic()
        for batch in batches[1:]:
            deduper.add_all(batch)
        cpu, wall = time.process_time() - cpu, time.monotonic() - wall
        deduper.settle()
        times = sorted(_lookup_time(deduper, batch) for batch in batches * 3)
        deduper.close()
    stored = len(signed) - len(batches[0])
    table = Table("", "", title=f"OpenSearch {server.version}, {stored} signed documents in batches of 50")
    table.add_row("documents/s, look up + judge + group + store", f"{stored / wall:,.0f}")
    table.add_row("client CPU a document", f"{cpu / stored * 1000:.2f} ms")
    table.add_row("look-up a document, p50", f"{times[len(times) // 2]:.2f} ms")
    table.add_row("look-up a document, p99", f"{times[int(len(times) * 0.99)]:.2f} ms")
    console.print(table)


def _lookup_time(deduper: Deduper, batch: Sequence[object]) -> float:
    signatures = [document.record.signature for document in batch]  # type: ignore[attr-defined]
    start = time.monotonic()
    deduper.engine.candidates(signatures, limit=deduper.config.candidates)
    return (time.monotonic() - start) / len(batch) * 1000


def load(path: Path) -> list[Page]:
    """Pages from a JSONL file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Page(
            url=row.get("url"),
            html=row.get("html"),
            text=None if row.get("html") else row["text"],
            id=row["id"],
        )
        for row in rows
    ]


def demo_pages() -> list[Page]:
    """The articles of the demo sites."""
    from dupgroups_demo import build

    return [
        Page(url=page.canonical, html=page.body, id=f"{site.key}{page.path}")
        for site in build()
        for page in site.pages
        if page.article
    ]


if __name__ == "__main__":
    main()
