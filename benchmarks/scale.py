"""`make bench-scale`: what a document costs from its text to the store, as the store grows.

    python benchmarks/scale.py ENGINE [--documents 100000 1000000] [--batch 200] [--processes 2]
        [--filled 0]
    python benchmarks/scale.py [ENGINE] --backfill --documents 20000 [--processes 2]

ENGINE is a server, such as opensearch://127.0.0.1:9200, or with options of the index that is made there, and
deleted at the end: opensearch://127.0.0.1:9200?shards=3&refresh_interval=30s; or sqlite:///FILE that does not
exist yet. Without one, an OpenSearch is started. Made texts of 300 words go into one store; a fifth of them
are an earlier text without some of its words. At each size one row is printed. Beside it, in the same run: a
plain bulk of the same documents into an index without the fields of dup-groups. Groups are compared with
those of the generator. Times are without the making of the texts, unless --processes other than this one make
and sign them, as `dup-groups add` does on all cores: then the rate is that of everything together. Memory is
read from /proc. Prints Markdown.

--filled: the first documents are written in their groups, as the generator knows them, without a look-up and
without being measured. So the cost in a store of a million documents is seen without adding a million.
--backfill: the texts go into an index of another mapping by plain bulks, which is grouped in place, verified,
and taken back; a row for each step. With others at work on the server, look at the seconds only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import astuple, dataclass, field, replace
from itertools import accumulate
from operator import add
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.audit import audit
from dupgroups.bulk.backfill.bulk_loader import bulk_backfill
from dupgroups.bulk.backfill.runs import Limits
from dupgroups.bulk.backfill.undo import undo
from dupgroups.bulk.processes import Pool
from dupgroups.engines import engine_url, open_engine
from dupgroups.engines.base import Engine
from dupgroups.engines.foreign import Fields
from dupgroups.flow.signing import PageSigner
from dupgroups.model import Document, Signature
from dupgroups_es.base import ClusterEngine
from dupgroups_es.mapping import SIDE_INDICES

WORDS, COPIES, GAP = 300, 0.2, 12  # words of a text, share of copies, words that a copy lacks
LOOKUP, LOOKUPS = 50, 40  # look-ups in one request, and requests that are timed
PLAIN, BULK = 10_000, 1_000  # documents of the plain bulk, and of one request

# -- the server

BESIDE = ("{}", *(f"dup-groups-{{}}-{kind}" for kind in SIDE_INDICES))  # an index, and what is kept beside it
TOO_MANY = 429  # the status of a server without memory for a request
PAUSES = (1, 2, 4, 8, 16)  # seconds before a refused request is sent again
_http = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """The URL of a server that runs already; an OpenSearch that is started for the block if None."""
    if url:
        yield url.rstrip("/")
        return
    import servers
    from servers.launch import JAVA_OPTIONS

    os.environ.setdefault(JAVA_OPTIONS, "")
    with servers.start("opensearch-3") as started:
        yield started.url.replace("http://", "opensearch://")


@contextmanager
def index(url: str, name: str, mapping: Mapping[str, Any]) -> Iterator[None]:
    """An index of one shard, deleted at the end with what is beside it."""
    settings = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "1s"}
    ask(url, "PUT", f"/{name}", {"settings": settings, "mappings": mapping})
    try:
        yield
    finally:
        for form in BESIDE:
            ask(url, "DELETE", f"/{form.format(name)}?ignore_unavailable=true")


def delete_indices(engine: Engine) -> None:
    """Delete the index of an engine on a server, and what benchmarks made beside it."""
    if isinstance(engine, ClusterEngine):
        beside = [form.format(engine.index) for form in BESIDE[1:]]
        engine.cluster.delete_indices([f"{engine.index}-000001", f"{engine.index}-plain", *beside])


def ask(url: str, method: str, path: str, *lines: Any) -> Any:
    """The answer to a request with these lines of JSON, repeated while the server has no memory for it."""
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines) or None
    kind = "application/x-ndjson" if len(lines) > 1 else "application/json"
    address = f"http://{urlsplit(url).netloc}{path}"
    request = urllib.request.Request(address, data, {"Content-Type": kind}, method=method)
    pauses = iter(PAUSES)
    while True:
        try:
            with _http(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            pause = next(pauses, None)
            if refused.code != TOO_MANY or pause is None:
                raise
        time.sleep(pause)


# -- the texts: each number has one, always the same

_SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()
_FREQUENT = "the of and to a in is it that was for on are with as at be this have from".split()
_VOCABULARY = [*_FREQUENT, *(a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in [*_SYLLABLES, ""])]
_WEIGHTS = list(accumulate(1 / (rank + 2.7) for rank in range(len(_VOCABULARY))))  # as in natural language


def story_of(number: int) -> int:
    """The number of the document that this one is a copy of; its own if it is none."""
    chance = random.Random(f"copy {number}")
    while number and chance.random() < COPIES:
        number = chance.randrange(number)
        chance = random.Random(f"copy {number}")
    return number


def page(number: int) -> Page:
    """The document of this number."""
    story = story_of(number)
    words = random.Random(story).choices(_VOCABULARY, cum_weights=_WEIGHTS, k=WORDS)
    if story != number:
        gap = random.Random(number).randrange(WORDS - GAP)
        del words[gap : gap + GAP]
    sentences = (" ".join(words[at : at + 15]).capitalize() for at in range(0, len(words), 15))
    url = f"https://s{number % 997}.example/{number}"
    return Page(url=url, text=". ".join(sentences) + ".", title=f"Story {story} told", id=f"d{number:08}")


# -- what it costs


@dataclass
class Cost:
    """What some documents took: seconds, and of these CPU of the client and of the server."""

    documents: int = 0
    seconds: float = 0.0
    client: float = 0.0
    server: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*map(add, astuple(self), astuple(other)))

    def row(self) -> list[str]:
        """Documents a second, and ms of CPU a document."""
        client, server = (f"{cpu / self.documents * 1000:.2f}" for cpu in (self.client, self.server))
        return [f"{self.documents / self.seconds:,.0f}", client, server]


@dataclass
class Clock:
    """Adds up what is done inside of `with clock:`."""

    cost: Cost = field(default_factory=Cost)
    _began: tuple[float, float] = (0.0, 0.0)

    def __enter__(self) -> None:
        self._began = (time.monotonic(), time.process_time())

    def __exit__(self, *error: object) -> None:
        self.cost.seconds += time.monotonic() - self._began[0]
        self.cost.client += time.process_time() - self._began[1]


class Signed(NamedTuple):
    """Documents, what signing them took, and the process that did it."""

    documents: list[Document]
    cost: Cost
    process: int


class Maker:
    """Makes documents and signs them, in this process or in others."""

    def __init__(self, config: Config) -> None:
        self._signer = PageSigner(config)

    def sign(self, numbers: range) -> Signed:
        """The documents of these numbers."""
        pages, clock = [page(number) for number in numbers], Clock()
        with clock:
            documents = [document for document in self._signer.sign(pages) if document]
        return Signed(documents, replace(clock.cost, documents=len(documents)), os.getpid())


def used(*, workers: bool) -> tuple[float, float]:
    """Seconds of CPU and MB of memory of this process, and of its workers."""
    own = os.getpid()
    children = Path(f"/proc/{own}/task/{own}/children").read_text().split() if workers else []
    return used_by([own, *map(int, children)])


def used_by(pids: Iterable[int]) -> tuple[float, float]:
    """Seconds of CPU and MB of memory of these processes."""
    cpu = memory = 0.0
    for pid in pids:
        try:
            values = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        cpu += sum(map(int, values[11:15])) / os.sysconf("SC_CLK_TCK")
        memory += int(values[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return cpu, memory


class Store:
    """What is measured of a store beside its answers."""

    def __init__(self, engine: Engine) -> None:
        self.url, _, self.index = engine.name.partition("?")[0].rpartition("/")
        self._path = engine_url(engine.name).path
        self.on_server = not engine.name.startswith("sqlite:")

    def cpu(self) -> float:
        """Seconds of CPU of a server until now; 0 without one."""
        return cpu_of_server(self.url) if self.on_server else 0.0

    def rest(self) -> None:
        """Wait until a server has merged what was written: it must not do so while the next is measured."""
        if self.on_server:
            ask(self.url, "POST", f"/{self.index}/_forcemerge")

    def size(self, name: str = "") -> int:
        """Bytes of the index, in one segment a shard; of a file whose log was taken over."""
        if not self.on_server:
            with closing(sqlite3.connect(self._path)) as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return Path(self._path).stat().st_size
        ask(self.url, "POST", f"/{name or self.index}/_forcemerge?max_num_segments=1")
        ask(self.url, "POST", f"/{name or self.index}/_refresh")
        time.sleep(11)  # servers keep sizes for ten seconds
        stats = ask(self.url, "GET", f"/{name or self.index}/_stats/store")
        return int(stats["_all"]["primaries"]["store"]["size_in_bytes"])


def cpu_of_server(url: str) -> float:
    """Seconds of CPU of all nodes until now."""
    nodes = ask(url, "GET", "/_nodes/stats/process")["nodes"].values()
    return sum(node["process"]["cpu"]["total_in_millis"] for node in nodes) / 1000


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """In Markdown; a row as soon as it is known."""
    print(f"| {' | '.join(heads)} |\n|{' ---: |' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


# -- a store that grows

HEADS = "documents|documents/s|client ms|server ms|look-up p50|p99 ms|bytes each|client MB|P|R".split("|")


def measure(options: argparse.Namespace, url: str) -> None:
    """Print a row for each size, and one of the plain bulk."""
    with ExitStack() as stack:
        address, question, settings = url.partition("?")
        name = url if "sqlite" in url else f"{address}/scale-{secrets.token_hex(3)}{question}{settings}"
        stack.callback(_delete, name)
        deduper = stack.enter_context(closing(Deduper(name)))
        pool = stack.enter_context(Pool(options.processes, Maker, deduper.config))
        print_table(HEADS, _rows(deduper, pool, options))


def _rows(deduper: Deduper, pool: Pool[Maker], options: argparse.Namespace) -> Iterator[list[str]]:
    sizes, total = sorted(options.documents), Cost()
    engine: Engine = deduper.engine  # type: ignore[assignment]
    store = Store(engine)
    if options.filled:
        for documents, *_ in pool.map(Maker.sign, _chunks(range(options.filled), options.batch)):
            engine.put([_in_group(document) for document in documents])
        store.rest()
    for size in sizes:
        numbers = range(options.filled + total.documents, size)
        total += grow(deduper, store, pool, _chunks(numbers, options.batch))
        _, megabytes = used(workers=False)  # before the check of the groups, which needs some itself
        times = sorted(_look_ups(deduper, 10 * sizes[-1]))
        found = f"{statistics.median(times):.2f}", f"{times[int(len(times) * 0.99)]:.2f}"
        agreed = (f"{share:.4f}" for share in agreement(engine))
        yield [
            f"{size:,}", *total.row(), *found, f"{store.size() / size:,.0f}", f"{megabytes:.0f}", *agreed
        ]  # fmt: skip
    if store.on_server:
        plain, stored = write_plainly(store, min(PLAIN, sizes[-1]))
        each = f"{stored / plain.documents:,.0f}"
        yield [f"plain bulk of {plain.documents:,}", *plain.row(), "", "", each, "", "", ""]


def grow(deduper: Deduper, store: Store, pool: Pool[Maker], chunks: Iterable[range]) -> Cost:
    """What it costs to add the documents of these numbers, and to settle."""
    clock, signing, is_here, server, began = Clock(), Cost(), True, store.cpu(), time.monotonic()
    for documents, cost, process in pool.map(Maker.sign, chunks):
        is_here = process == os.getpid()
        signing += cost
        with clock:
            deduper.add_signed(documents)
    with clock:
        deduper.settle()
    total = signing + clock.cost
    seconds = total.seconds if is_here else time.monotonic() - began
    return replace(total, seconds=seconds, server=store.cpu() - server)


def _chunks(numbers: range, size: int) -> Iterator[range]:
    for at in range(0, len(numbers), size):
        yield numbers[at : at + size]


def _in_group(document: Document) -> Document:
    """The document in the group of the generator."""
    number = int(document.record.id[1:])
    group, seen = f"d{story_of(number):08}", number + 1
    is_head = group == document.record.id
    record = replace(document.record, group=group, head=is_head, first_seen=seen, last_seen=seen)
    return replace(document, record=record)


def _look_ups(deduper: Deduper, first: int) -> Iterator[float]:
    """Milliseconds a look-up, of documents that are not stored."""
    for at in range(first, first + LOOKUP * LOOKUPS, LOOKUP):
        numbers = range(at, at + LOOKUP)
        yield _timed(deduper, [deduper.sign(page(number)).record.signature for number in numbers])


def _timed(deduper: Deduper, signatures: Sequence[Signature]) -> float:
    """Milliseconds a look-up, of those of one batch."""
    began = time.perf_counter()
    deduper.engine.candidates(signatures, limit=deduper.config.candidates)
    return (time.perf_counter() - began) / len(signatures) * 1000


def agreement(engine: Engine) -> tuple[float, float]:
    """Precision and recall of the pairs that the store has in one group."""
    return scores((member.group, story_of(int(member.id[1:]))) for member in engine.memberships())


def scores(groups_and_stories: Iterable[tuple[str, int]]) -> tuple[float, float]:
    """Precision and recall of the pairs in one group, from the group and the story of each document."""
    both = Counter(groups_and_stories)
    found, true = Counter[str](), Counter[int]()
    for (group, story), count in both.items():
        found[group] += count
        true[story] += count
    pairs = [sum(size * (size - 1) // 2 for size in sizes.values()) for sizes in (both, found, true)]
    return pairs[0] / max(1, pairs[1]), pairs[0] / max(1, pairs[2])


def write_plainly(store: Store, count: int) -> tuple[Cost, int]:
    """Documents without the fields of dup-groups in an index of their own: what they take, and its bytes."""
    name = f"{store.index}-plain"
    (made,) = ask(store.url, "GET", f"/{store.index}").values()
    wanted = ("number_of_shards", "number_of_replicas", "refresh_interval", "analysis")
    settings = {key: value for key, value in made["settings"]["index"].items() if key in wanted}
    fields = {key: kind for key, kind in made["mappings"]["properties"].items() if not key.startswith("dup_")}
    body = {"settings": {"index": settings}, "mappings": {"dynamic": "strict", "properties": fields}}
    ask(store.url, "PUT", f"/{name}", body)
    query = {"size": count, "_source": {"excludes": ["dup_*"]}}
    hits = ask(store.url, "POST", f"/{store.index}/_search", query)["hits"]["hits"]
    clock, server = Clock(), store.cpu()
    for at in range(0, len(hits), BULK):
        lines = [
            line for hit in hits[at : at + BULK] for line in ({"index": {"_id": hit["_id"]}}, hit["_source"])
        ]
        with clock:
            assert not ask(store.url, "POST", f"/{name}/_bulk", *lines)["errors"]
    return replace(clock.cost, documents=len(hits), server=store.cpu() - server), store.size(name)


def _delete(url: str) -> None:
    """The indices of a run."""
    with closing(open_engine(url)) as engine:
        delete_indices(engine)


# -- an index of another mapping

INDEX = "bench-backfill"
FIELDS = Fields(text="body", title="headline")
MAPPING = {"properties": {"body": {"type": "text"}, "headline": {"type": "text"}}}
STEPS = "step|seconds|documents/s|client CPU, ms/document|server CPU, ms/document|memory, MB".split("|")


def backfill(url: str, work: Path, size: int, processes: int) -> bool:
    """Print a row for each step; whether all was right at the end."""
    print_table(STEPS, [])
    meter = Meter(url, size)
    meter.step("plain bulk, with the making of texts")
    for start in range(0, size, BULK):
        _fill(url, range(start, min(start + BULK, size)))
    ask(url, "POST", f"/{INDEX}/_refresh")
    meter.step("")
    with closing(open_engine(f"{url}/{INDEX}", must_exist=True)) as engine:
        limits = Limits(processes=processes)
        run = bulk_backfill(engine, FIELDS, above=work, limits=limits)
        assert run
        run.run(lambda step, done, total: meter.step(step))
        meter.step("doctor --deep")
        checks = audit(engine)
        meter.step("undo")
        undo(engine.adopt(), Config(), work, limits)  # type: ignore[attr-defined]
        meter.step("")
    for check in checks:
        print(f"{'ok' if check.ok else 'WRONG'}: {check.name}: {check.detail}")
    return all(check.ok for check in checks)


class Meter:
    """Prints a row for each step."""

    def __init__(self, url: str, documents: int) -> None:
        self._url, self._documents = url, documents
        self._step, self._memory, self._before = "", 0.0, self._now()

    def step(self, name: str) -> None:
        """What follows belongs to this step; "" is counted nowhere."""
        self._memory = max(self._memory, used(workers=True)[1])
        if name == self._step:
            return
        if self._step:
            took = (after - before for before, after in zip(self._before, self._now(), strict=True))
            cost, memory = Cost(self._documents, *took), f"{self._memory:,.0f}"
            print(f"| {' | '.join([self._step, f'{cost.seconds:.1f}', *cost.row(), memory])} |", flush=True)
        self._step, self._before, self._memory = name, self._now(), 0.0

    def _now(self) -> tuple[float, float, float]:
        return time.monotonic(), used(workers=True)[0], cpu_of_server(self._url)


def _fill(url: str, numbers: range) -> None:
    lines: list[Any] = []
    for made in map(page, numbers):
        lines += [{"index": {"_id": made.id}}, {"headline": made.title, "body": made.text}]
    assert not ask(url, "POST", f"/{INDEX}/_bulk", *lines)["errors"]


def main() -> None:
    """Measure one or the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine", nargs="?")
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--processes", type=int, default=1, help="that make and sign texts; 1: this one")
    parser.add_argument("--filled", type=int, default=0, help="documents that are there before")
    parser.add_argument("--backfill", action="store_true", help="of an index with another mapping")
    options = parser.parse_args()
    if min(options.documents) <= options.filled:
        parser.error(f"--filled {options.filled} leaves nothing to measure up to --documents")
    with server(options.engine) as url:
        if not options.backfill:
            measure(options, url)
            return
        with index(url, INDEX, MAPPING), tempfile.TemporaryDirectory() as work:
            sys.exit(not backfill(url, Path(work), options.documents[0], options.processes))


if __name__ == "__main__":
    import scale  # processes that make texts import this module by its name

    scale.main()
