"""What documents cost in a store, as it grows (`make bench-real`) or is filled (`make bench-backfill`).

    python benchmarks/scale.py [ENGINE] --docs FILE ... [--batch 500] [--indices 12]
    python benchmarks/scale.py [ENGINE] --backfill 20000 [--processes 2]

ENGINE is a server, such as opensearch://127.0.0.1:9200, also with options of the index that is made there and
deleted at the end (?shards=3&refresh_interval=30s), or a new sqlite:///FILE; without one, an OpenSearch is
started. --docs: real documents of these files in random order go into one store, a row for each 5,000, on a
server beside a plain bulk of the same; --indices: and under an alias that rolls over so often, with look-ups
in both in turns.
--backfill: an index of another mapping is filled plainly with so many made texts of 300 words, a fifth of
them copies without some words, grouped in place and verified: a row for each step. Made texts are for the
shape of a cost only: real ones share more words. With others at work on the server, look at the seconds only.
"""

import json
import os
import secrets
import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from operator import sub
from pathlib import Path
from tempfile import TemporaryDirectory

from costs import Cost, Store, cpu_of_server, print_table, used_by
from made_texts import page

from dupgroups import Deduper, Page
from dupgroups.bulk.audit import audit
from dupgroups.engines import open_engine
from dupgroups.flow.signing import PageSigner
from dupgroups.model.field_names import Fields
from dupgroups.text.batches import batches
from dupgroups_es.backfill.bulk_loader import bulk_backfill
from dupgroups_es.backfill.runs import Limits
from es_plugin.clusters import ask
from processes import process_tree

BULK = 1_000  # documents of one request of the plain bulk

# -- the server

MAPPING = {"properties": {"body": {"type": "text"}, "headline": {"type": "text"}}}  # of another tool


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """The URL of a server that runs already; an OpenSearch that is started for the block if None."""
    if url:
        yield url.rstrip("/")
        return
    import servers
    from servers.java import JAVA_OPTIONS

    os.environ.setdefault(JAVA_OPTIONS, "")
    with servers.start("opensearch-3") as started:
        yield started.url.replace("http://", "opensearch://")


@contextmanager
def new_store(url: str, *, foreign: bool = False) -> Iterator[str]:
    """The URL of an index that is deleted at the end with what is beside it; `foreign`: of another tool. A
    SQLite file stays."""
    if url.startswith("sqlite:"):
        yield url
        return
    address, question, options = url.partition("?")
    name = f"bench-{secrets.token_hex(4)}"
    if foreign:
        settings = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "1s"}
        ask(url, "PUT", f"/{name}", {"settings": settings, "mappings": MAPPING})
    try:
        yield f"{address.rstrip('/')}/{name}{question}{options}"
    finally:
        for index in ask(url, "GET", f"/{name}*,dup-groups-{name}*/_settings?expand_wildcards=all"):
            ask(url, "DELETE", f"/{index}")


def bulk(url: str, name: str, documents: Iterable[tuple[str, object]]) -> None:
    """Write documents plainly: the id and the source of each."""
    lines = (json.dumps(line) for id_, source in documents for line in ({"index": {"_id": id_}}, source))
    assert not ask(url, "POST", f"/{name}/_bulk", "\n".join(lines) + "\n")["errors"]


def make_plain(store: Store) -> str:
    """The name of a new index like the store's, without the fields of dup-groups."""
    name = f"{store.index}-plain"
    made, *_ = ask(store.url, "GET", f"/{store.index}").values()
    wanted = ("number_of_shards", "number_of_replicas", "refresh_interval", "analysis")
    settings = {key: value for key, value in made["settings"]["index"].items() if key in wanted}
    fields = {key: kind for key, kind in made["mappings"]["properties"].items() if not key.startswith("dup_")}
    body = {"settings": {"index": settings}, "mappings": {"dynamic": "strict", "properties": fields}}
    ask(store.url, "PUT", f"/{name}", body)
    return name


# -- real documents

LOOKUPS, LOOKUP_ROUNDS = 2_000, 5
REAL_STEP, BOTH = 5_000, "documents|stored candidates each|documents/s|client ms|server ms|plain bulk|ratio"


def measure_real(options: Namespace, url: str) -> None:
    """Print a row for each step of real documents, and how the last compares with the first."""
    from quality.growth import shuffled

    pages = shuffled(options.docs)
    if options.indices > 1:
        measure_indices(url, pages, options.batch, options.indices)
        return
    with new_store(url) as name, closing(Deduper(name)) as deduper:
        print("\nOne index:\n")
        print_table(BOTH.split("|"), _real_rows(deduper, pages, options.batch))


def measure_indices(url: str, pages: Sequence[Page], batch: int, indices: int) -> None:
    """Print the same of one index and of many, and what look-ups cost in both, in turns."""
    with new_store(url) as name, closing(Deduper(name)) as deduper:
        deduper.add_all(pages[:REAL_STEP])  # a server that has just begun is slow
    with new_store(url) as one, new_store(url) as many:
        for name, number in ((one, 1), (many, indices)):
            print(f"\nIndices behind the alias in the end: {number}\n")
            with closing(Deduper(name)) as deduper:
                print_table(BOTH.split("|"), _real_rows(deduper, pages, batch, number))
        costs = {one: Cost(), many: Cost()}
        for _ in range(LOOKUP_ROUNDS):
            for name in costs:
                costs[name] += _lookup_cost(name, pages[:LOOKUPS], batch)
    heads = ["look-ups", "each second", "client ms", "server ms"]
    rows = [[title, *cost.row()] for title, cost in zip(["one", str(indices)], costs.values(), strict=True)]
    ratio = costs[many].seconds / costs[one].seconds
    print_table(heads, [*rows, ["time, many / one", f"{ratio:.2f}", "", ""]])


def _lookup_cost(name: str, pages: Sequence[Page], batch: int) -> Cost:
    """What it costs a writer that has just begun, and knows no record, to look up documents."""
    store = Store(name)
    with closing(Deduper(name)) as deduper:
        deduper.regroup()
        signed = [one.record.signature for one in PageSigner(deduper.config).sign(pages) if one]
        cost, server = Cost(len(signed)), store.cpu()
        for some in batches(signed, batch):
            with cost.timed():
                deduper.engine.candidates(some, limit=deduper.config.candidates)
        return replace(cost, server=store.cpu() - server)


def _real_rows(deduper: Deduper, pages: Sequence[Page], batch: int, indices: int = 1) -> Iterator[list[str]]:
    from quality.growth import counting

    store = Store(deduper.engine.name)  # type: ignore[attr-defined]
    counted, signer, rows = counting(deduper.engine), PageSigner(deduper.config), list[list[float]]()
    part, rolled = len(pages) / indices, 1
    plain = ""  # the index for it is made like the store's, which the first write makes
    for at in range(0, len(pages), REAL_STEP):
        step = pages[at : at + REAL_STEP]
        cost, beside, counted[0], server = Cost(len(step)), Cost(len(step)), 0, store.cpu()
        for number, some in enumerate(batches(step, batch)):
            if at + number * batch >= rolled * part:
                deduper.engine.roll_over({})  # type: ignore[attr-defined]
                rolled += 1
            with cost.timed():
                deduper.add_signed([document for document in signer.sign(some) if document])
        cost = replace(cost, server=store.cpu() - server)
        if store.on_server:
            plain = plain or make_plain(store)
        for some in batches(step, batch) if plain else ():
            sources = [(str(one.id), {"title": one.title, "text": one.text}) for one in some]
            with beside.timed():
                bulk(store.url, plain, sources)
        rows.append([counted[0] / cost.documents, *(float(cell.replace(",", "")) for cell in cost.row())])
        both = [beside.row()[0], f"{beside.seconds / cost.seconds:.3f}"] if plain else ["", ""]
        yield [f"{at + len(step):,}", f"{rows[-1][0]:.2f}", *cost.row(), *both]
    ratios = [last / first if first else 0.0 for first, last in zip(rows[0], rows[-1], strict=True)]
    yield ["last / first", *(f"{ratio:.2f}" for ratio in ratios), "", ""]


# -- an index of another mapping

FIELDS = Fields(text="body", title="headline")
STEPS = "step|seconds|documents/s|client CPU, ms/document|server CPU, ms/document|memory, MB".split("|")


def backfill(url: str, size: int, processes: int) -> bool:
    """Print a row for each step; whether all was right at the end."""
    print_table(STEPS, [])
    store, meter = Store(url), Meter(url, size)
    meter.step("plain bulk, with the making of texts")
    for numbers in batches(range(size), BULK):
        pages = map(page, numbers)
        bulk(url, store.index, ((one.id, {"headline": one.title, "body": one.text}) for one in pages))
    ask(url, "POST", f"/{store.index}/_refresh")
    meter.step("")
    with closing(open_engine(url, must_exist=True)) as engine, TemporaryDirectory() as work:
        run = bulk_backfill(engine, FIELDS, above=Path(work), limits=Limits(processes=processes))
        assert run
        run.run(lambda step, done, total: meter.step(step))
        meter.step("doctor --deep")
        checks = audit(engine)
        meter.step("")
    for check in checks:
        print(f"{'ok' if check.ok else 'WRONG'}: {check.name}: {check.detail}")
    return all(check.ok for check in checks)


class Meter:
    def __init__(self, url: str, documents: int) -> None:
        self._url, self._documents = url, documents
        self._step, self._memory, self._before = "", 0.0, [0.0, 0.0, 0.0]

    def step(self, name: str) -> None:
        """What follows belongs to this step; "" is counted nowhere."""
        cpu, memory = used_by(process_tree(os.getpid()))
        self._memory = max(self._memory, memory)
        if name == self._step:
            return
        now = [time.monotonic(), cpu, cpu_of_server(self._url)]
        if self._step:
            cost = Cost(self._documents, *map(sub, now, self._before))
            row = [self._step, f"{cost.seconds:.1f}", *cost.row(), f"{self._memory:,.0f}"]
            print(f"| {' | '.join(row)} |", flush=True)
        self._step, self._before, self._memory = name, now, 0.0


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?")
    parser.add_argument("--docs", type=Path, nargs="+", help="real documents that are added")
    parser.add_argument("--batch", type=int, default=200, help="documents that are added at a time")
    parser.add_argument("--indices", type=int, default=1, help="indices that the alias rolls over to")
    parser.add_argument("--backfill", type=int, metavar="TEXTS", help="an index with another mapping")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    if not options.docs and not options.backfill:
        parser.error("name documents with --docs, or a number of texts with --backfill")
    with server(options.engine) as url:
        if options.docs:
            measure_real(options, url)
            return
        with new_store(url, foreign=True) as name:
            sys.exit(not backfill(name, options.backfill, options.processes))


if __name__ == "__main__":
    main()
