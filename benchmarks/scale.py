"""`make bench-scale`: what a document costs from its text to the store, as the store grows.

    python benchmarks/scale.py ENGINE [--documents 100000 1000000] [--batch 200] [--processes 2]
        [--filled 0] [--ahead 10] [--crowds 1000 10000] [--plot FILE.svg]

ENGINE is a server, such as opensearch://127.0.0.1:9200, or with options of the indices that are made there,
and deleted at the end: opensearch://127.0.0.1:9200?shards=3&refresh_interval=30s; or sqlite:///FILE that does
not exist yet. Made texts of 300 words go into one store; a fifth of them are an earlier text without some of
its words. At each size one row is printed. Beside it, in the same run: a plain bulk of the same documents
into an index without the fields of dup-groups. Groups are compared with those of the generator. Times are
without the making of the texts, unless --processes other than this one make and sign them, as `dup-groups
add` does on all cores: then the rate is that of everything together.

--filled: the first documents are written in their groups, as the generator knows them, without a look-up and
without being measured. So the cost in a store of a million documents is seen without adding a million.
--ahead: N blocks of ten batches with look-aheads, and N without, alternating, in a table of their own.
--crowds: what a look-up costs that meets a group of so many near copies, in a second table.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import secrets
import sqlite3
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from costs import Clock, Cost
from made_texts import Maker, page, story_of
from rich.console import Console
from rich.progress import Progress
from served import delete_indices

from dupgroups import Deduper, Page
from dupgroups.batches import with_next
from dupgroups.engines import engine_url, open_engine
from dupgroups.engines.base import Engine
from dupgroups.model import Content, Document, Record, Signature
from dupgroups.processes import Pool
from dupgroups_es.base import ClusterEngine
from dupgroups_es.documents import document_source
from dupgroups_es.mapping import CONTENT_FIELDS, index_body
from dupgroups_es.transport import Action
from dupgroups_lab.reports.plots import Series, line_plot

LOOKUP = 50  # look-ups in one request
LOOKUPS = 40  # requests that are timed
PLAIN = 10_000  # documents of the plain bulk
BLOCK = 10  # batches that are added in one way
POINTS = 20  # of the run at which its course is noted


def agreement(engine: Engine) -> tuple[float, float]:
    """Precision and recall of the pairs that the store has in one group."""
    cells: Counter[tuple[str, int]] = Counter()
    for member in engine.memberships():
        cells[member.group, story_of(int(member.id[1:]))] += 1
    found, true = Counter[str](), Counter[int]()
    for (group, story), count in cells.items():
        found[group] += count
        true[story] += count
    both = _pairs(cells.values())
    return both / max(1, _pairs(found.values())), both / max(1, _pairs(true.values()))


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


# -- the stores


class Store:
    """What is measured of a store beside its answers."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def cpu(self) -> float:
        """Seconds of CPU of a server until now; 0 without one."""
        if not isinstance(self._engine, ClusterEngine):
            return 0.0
        nodes = self._engine.cluster.send("GET", "/_nodes/stats/process", filter_path="nodes.*.process.cpu")
        return sum(node["process"]["cpu"]["total_in_millis"] for node in nodes["nodes"].values()) / 1000

    def rest(self) -> None:
        """Wait until a server has merged what was written: it must not do so while the next is measured."""
        if isinstance(self._engine, ClusterEngine):
            self._engine.cluster.send("POST", f"/{self._engine.index}/_forcemerge")

    def size(self, name: str = "") -> int:
        """Bytes of the index, in one segment a shard; of a file whose log was taken over."""
        if not isinstance(self._engine, ClusterEngine):
            path = engine_url(self._engine.name).path
            with closing(sqlite3.connect(path)) as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return Path(path).stat().st_size
        cluster, name = self._engine.cluster, name or self._engine.index
        cluster.send("POST", f"/{name}/_forcemerge", max_num_segments="1")
        cluster.refresh(name)
        time.sleep(11)  # servers keep sizes for ten seconds
        stats = cluster.send("GET", f"/{name}/_stats/store", filter_path="_all.primaries.store")
        return int(stats["_all"]["primaries"]["store"]["size_in_bytes"])


# -- the run


@dataclass(frozen=True)
class Point:
    """The course of the run: the rate since the point before, and the memory of this process."""

    documents: int
    rate: float
    megabytes: float


def grow(
    deduper: Deduper, store: Store, pool: Pool[Maker], numbers: range, batch: int, progress: Progress
) -> tuple[Cost, list[Point]]:
    """Add the documents of these numbers."""
    task = progress.add_task(f"to {numbers.stop:,} documents", total=len(numbers))
    step, points, before = max(batch, len(numbers) // POINTS), list[Point](), Cost()
    clock, signing, is_here, server, began = Clock(), Cost(), True, store.cpu(), time.monotonic()

    def so_far() -> Cost:
        seconds = clock.cost.seconds + signing.seconds if is_here else time.monotonic() - began
        return Cost(signing.documents, seconds, clock.cost.client + signing.client)

    chunks = (numbers[at : at + batch] for at in range(0, len(numbers), batch))
    for (documents, cost, process), following in with_next(pool.map(Maker.sign, chunks)):
        is_here = process == os.getpid()
        signing += replace(cost, documents=len(documents))
        with clock:
            if following:
                deduper.look_ahead(following[0])
            deduper.add_signed(documents)
        progress.advance(task, len(documents))
        if signing.documents - before.documents >= step:
            now = so_far()
            points.append(_point(numbers.start, before, now))
            before = now
    with clock:
        deduper.settle()
    return replace(so_far(), server=store.cpu() - server), points


def fill(deduper: Deduper, pool: Pool[Maker], numbers: range, batch: int, progress: Progress) -> None:
    """Write the documents of these numbers in the groups of the generator."""
    task = progress.add_task(f"filling with {len(numbers):,} documents", total=len(numbers))
    chunks = (numbers[at : at + batch] for at in range(0, len(numbers), batch))
    for documents, _, _ in pool.map(Maker.sign, chunks):
        deduper.engine.put([_in_group(document) for document in documents])
        progress.advance(task, len(documents))


def _in_group(document: Document) -> Document:
    number = int(document.record.id[1:])
    group, seen = page(story_of(number)).id, number + 1
    assert group
    record = replace(
        document.record, group=group, head=group == document.record.id, first_seen=seen, last_seen=seen
    )
    return replace(document, record=record)


def _point(first: int, before: Cost, now: Cost) -> Point:
    rate = (now.documents - before.documents) / (now.seconds - before.seconds)
    return Point(first + now.documents, rate, memory())


def memory() -> float:
    """MB that this process holds; the most that it ever held where the system does not say."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def look_up(deduper: Deduper, first: int) -> list[float]:
    """Milliseconds a look-up, sorted, of documents that are not stored."""
    numbers, times = iter(range(first, first + LOOKUP * LOOKUPS)), []
    while batch := list(islice(numbers, LOOKUP)):
        times.append(timed(deduper, [deduper.sign(page(number)).record.signature for number in batch]))
    return sorted(times)


def timed(deduper: Deduper, signatures: Sequence[Signature]) -> float:
    """Milliseconds a look-up, of those of one batch."""
    began = time.perf_counter()
    deduper.engine.candidates(signatures, limit=deduper.config.candidates)
    return (time.perf_counter() - began) / len(signatures) * 1000


def write_plainly(engine: ClusterEngine, store: Store, count: int) -> tuple[Cost, int]:
    """Documents without the fields of dup-groups in an index of their own: what they take, and its bytes."""
    name = f"{engine.index}-plain"
    found = engine.cluster.index(engine.index)
    settings = next(iter(found.values()))["settings"]
    body = index_body(
        shards=int(settings["index.number_of_shards"]), refresh_interval=settings["index.refresh_interval"]
    )
    body["mappings"] = {"dynamic": "strict", "properties": CONTENT_FIELDS}
    engine.cluster.create_index(name, body)
    clock, server = Clock(), store.cpu()
    for at in range(0, count, 1000):
        pages = [page(number) for number in range(at, min(count, at + 1000))]
        actions = [Action("index", name, str(one.id), _plain(one)) for one in pages]
        with clock:
            engine.cluster.bulk(actions)
        clock.cost.documents += len(pages)
    clock.cost.server = store.cpu() - server
    return clock.cost, store.size(name)


def _plain(page: Page) -> dict[str, object]:
    record = Record(str(page.id), str(page.id), "", Signature(""))
    content = Content(page.text or "", page.title or "", language="en", url=page.url)
    source = document_source(Document(record, content))
    return {name: value for name, value in source.items() if not name.startswith("dup_")}


# -- the course of the run


STYLE = (
    "<style>text{font:11px sans-serif;fill:#666}.grid{stroke:#ccc}"
    "polyline{fill:none;stroke-width:2;stroke:#2a7}</style>"
)


def draw(points: Sequence[Point], path: Path) -> None:
    """Documents a second over documents, as an SVG file."""
    last, top = points[-1].documents, 1.1 * max(point.rate for point in points)
    rates = Series("documents/s", [(point.documents / last, point.rate) for point in points])
    marks = [(place / 5, f"{last * place // 5:,}") for place in range(6)]
    figure = line_plot("From text to stored", "documents stored", "documents/s", [rates], marks, top)
    inside = figure[figure.index("<svg") : figure.index("</svg>") + len("</svg>")]
    drawing = inside.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1).replace(
        ">", f">{STYLE}", 1
    )
    path.write_text(drawing, encoding="utf-8")


# -- crowds


def crowd(deduper: Deduper, number: int, members: int) -> list[Signature]:
    """Store a group of near copies, each with nine tenths of the keys; returns signatures of further ones."""
    first = deduper.sign(page(number))
    chance = random.Random(number)

    def near(signature: Signature) -> Signature:
        keys = (key if chance.random() < 0.9 else f"{chance.getrandbits(40):010x}" for key in signature.keys)
        return replace(signature, keys=tuple(keys))

    group = f"crowd {members}"
    for at in range(0, members, 1000):
        ids = [f"{group} {place:06}" for place in range(at, min(members, at + 1000))]
        records = [
            replace(first.record, id=id_, group=group, signature=near(first.record.signature)) for id_ in ids
        ]
        deduper.engine.put([replace(first, record=record) for record in records])
    deduper.engine.refresh()
    return [near(first.record.signature) for _ in range(LOOKUP * 6)]


def measure_crowds(deduper: Deduper, store: Store, sizes: Sequence[int]) -> None:
    """Print what a look-up costs that meets a group of so many near copies."""
    rows = []
    for size in sizes:
        signatures = crowd(deduper, 2 * size, size)
        store.rest()
        server, client, times = store.cpu(), time.process_time(), []
        for at in range(0, len(signatures), LOOKUP):
            times.append(timed(deduper, signatures[at : at + LOOKUP]))
        client = (time.process_time() - client) / len(signatures) * 1000
        time.sleep(1.5)  # servers keep their figures for a second
        server = (store.cpu() - server) / len(signatures) * 1000
        figures = (min(times), statistics.median(times), client, server)
        rows.append([f"{size:,}", *(f"{figure:.2f}" for figure in figures)])
    print_table(("members", "look-up ms, fastest", "p50", "client ms", "server ms"), rows)


# -- looking ahead


def measure_ahead(deduper: Deduper, pool: Pool[Maker], first: int, blocks: int, batch: int) -> None:
    """Print what a document takes, by the clock and of the client's CPU, with look-aheads and without."""
    costs: dict[bool, list[Cost]] = {True: [], False: []}
    for number in range(2 * blocks):
        numbers = range(first + number * BLOCK * batch, first + (number + 1) * BLOCK * batch)
        chunks = (numbers[at : at + batch] for at in range(0, len(numbers), batch))
        signed = [documents for documents, _, _ in pool.map(Maker.sign, chunks)]
        is_ahead, clock = number % 4 in (1, 2), Clock()
        with clock:
            for documents, following in with_next(signed):
                if following and is_ahead:
                    deduper.look_ahead(following)
                deduper.add_signed(documents)
        costs[is_ahead].append(replace(clock.cost, documents=len(numbers)))
    rows = []
    for is_ahead, name in ((False, "without"), (True, "with")):
        each = [cost.seconds / cost.documents * 1000 for cost in costs[is_ahead]]
        client = statistics.mean(cost.client / cost.documents * 1000 for cost in costs[is_ahead])
        error = statistics.stdev(each) / len(each) ** 0.5
        rows.append([name, f"{statistics.mean(each):.2f}", f"{error:.2f}", f"{client:.2f}"])
    print_table(("look-ahead", "ms a document", "error", "client ms"), rows)


HEADS = "documents|documents/s|client ms|server ms|look-up p50|p99 ms|bytes each|client MB|P|R".split("|")


def measure(options: argparse.Namespace, sizes: Sequence[int], console: Console) -> list[Point]:
    """Print the rows; returns the course of the run up to each size."""
    url, batch = options.engine, options.batch
    rows: list[list[str]] = []
    course: list[Point] = []
    with ExitStack() as stack:
        engine_name = url if "sqlite" in url else _made_up(url)
        stack.callback(_delete, engine_name)
        deduper = stack.enter_context(closing(Deduper(engine_name)))
        engine: Engine = deduper.engine  # type: ignore[assignment]
        store = Store(engine)
        pool = stack.enter_context(Pool(options.processes, Maker, deduper.config))
        progress = stack.enter_context(Progress(console=console, transient=True))
        if options.filled:
            fill(deduper, pool, range(options.filled), batch, progress)
            store.rest()
        total = Cost()
        for size in sizes:
            numbers = range(options.filled + total.documents, size)
            cost, points = grow(deduper, store, pool, numbers, batch, progress)
            total += cost
            course += points
            megabytes = memory()  # before the check of the groups, which needs some itself
            times = look_up(deduper, 10 * sizes[-1])
            found = f"{statistics.median(times):.2f}", f"{times[int(len(times) * 0.99)]:.2f}"
            agreed = (f"{share:.4f}" for share in agreement(engine))
            stored = f"{store.size() / size:,.0f}"
            rows.append([f"{size:,}", *total.row(), *found, stored, f"{megabytes:.0f}", *agreed])
            progress.console.print(" ".join(rows[-1]))
        if isinstance(engine, ClusterEngine):
            plain, stored_plainly = write_plainly(engine, store, min(PLAIN, total.documents))
            each = f"{stored_plainly / plain.documents:,.0f}"
            rows.append([f"plain bulk of {plain.documents:,}", *plain.row(), "", "", each, "", "", ""])
        print_table(HEADS, rows)
        if options.ahead:
            measure_ahead(deduper, pool, sizes[-1], options.ahead, batch)
        if options.crowds:
            measure_crowds(deduper, store, options.crowds)
    return course


def _made_up(url: str) -> str:
    """The URL of an index that is not there yet, with the options of the URL of a server."""
    server, question, options = url.partition("?")
    return f"{server.rstrip('/')}/scale-{secrets.token_hex(3)}{question}{options}"


def _delete(url: str) -> None:
    """The indices of a run."""
    with closing(open_engine(url)) as engine:
        delete_indices(engine)


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """In Markdown."""
    for row in (heads, ["---:"] * len(heads), *rows):
        print(f"| {' | '.join(row)} |")


def main() -> None:
    """Measure, and plot if that is wanted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine")
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--processes", type=int, default=1, help="that make and sign texts; 1: this one")
    parser.add_argument("--filled", type=int, default=0, help="documents that are there before")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--ahead", type=int, default=0, help="blocks of batches with look-aheads: 2 or more")
    parser.add_argument("--crowds", type=int, nargs="*", default=[])
    options = parser.parse_args()
    sizes = sorted(options.documents)
    console = Console(stderr=True)
    if options.ahead == 1:
        parser.error("--ahead 1 gives no standard error: give 2 blocks or more")
    if sizes[0] <= options.filled:
        parser.error(f"--filled {options.filled} leaves nothing to measure up to --documents {sizes[0]}")
    points = measure(options, sizes, console)
    if options.plot:
        draw(points, options.plot)


if __name__ == "__main__":
    main()
