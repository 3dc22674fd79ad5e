"""`make bench-filter`: what `dup-groups filter` costs beside the same server without it, in one run.

    python benchmarks/filter.py [--engine opensearch://127.0.0.1:9200] [--seconds 6]

Without an engine an OpenSearch is started. Texts have 200 words, and every fifth is a copy of an earlier one.
The writers are one process, with one aiohttp session; server, filter and writers share the machine. It prints
a table in Markdown in seven minutes.
"""

import asyncio
import json
import random
import secrets
import statistics
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import ClientSession, TCPConnector
from costs import print_table, used_by
from made_texts import VOCABULARY
from scale import new_store, server

from filtering.process import FilterProcess, filter_process
from processes import process_tree

WORDS = 200
COPIES = 0.2
ROUNDS = 3  # on each way, one after the other
RATE = 100  # documents a second, where the time to the group is measured
CLIENTS = 20  # that write these
POLL = 0.05  # seconds between two looks for groups
PATIENCE = 120  # seconds to wait for the last group
JSON = {"Content-Type": "application/json"}
RNG = random.Random(7)
EARLIER = deque[list[str]](maxlen=1000)


def text() -> bytes:
    if EARLIER and RNG.random() < COPIES:
        return document(copied(RNG.choice(EARLIER)))
    EARLIER.append(RNG.choices(VOCABULARY, k=WORDS))
    return document(EARLIER[-1])


def copied(words: list[str]) -> list[str]:
    """A copy that has lost a few words."""
    return words[:50] + words[56:]


def document(words: list[str]) -> bytes:
    return json.dumps({"headline": " ".join(words[:6]), "body": f"{' '.join(words)}."}).encode()


async def ask(line: ClientSession, method: str, url: str, body: bytes) -> bytes:
    """The answer; one that is an error ends the benchmark."""
    async with line.request(method, url, data=body, headers=JSON) as response:
        answer = await response.read()
    if response.status not in (200, 201) or b'"errors":true' in answer:
        sys.exit(f"{method} {url}: {response.status} {answer[:500].decode()}")
    return answer


@dataclass(frozen=True)
class Way:
    """To the server, straight or through the filter, and an index of its own."""

    port: int
    index: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{self.index}"

    async def put(self, line: ClientSession, id_: str, body: bytes) -> None:
        await ask(line, "PUT", f"{self.url}/_doc/{id_}", body)

    async def single(self, line: ClientSession) -> None:
        await self.put(line, secrets.token_hex(8), text())

    async def twenty(self, line: ClientSession) -> None:
        body = b"".join(b'{"index":{}}\n' + text() + b"\n" for _ in range(20))
        await ask(line, "POST", f"{self.url}/_bulk", body)


Write = Callable[[Way, ClientSession], Awaitable[None]]


async def load(way: Way, clients: int, seconds: float, write: Write) -> list[float]:
    """The seconds of each request of so many clients, which send the next one when they have their answer."""
    spent: list[float] = []
    end = time.perf_counter() + seconds

    async def client() -> None:
        while (began := time.perf_counter()) < end:
            await write(way, line)
            spent.append(time.perf_counter() - began)

    async with ClientSession(connector=TCPConnector(limit=0)) as line:
        await asyncio.gather(*(client() for _ in range(clients)))
    return spent


@dataclass
class Bench:
    """Both ways, and how long each measurement takes."""

    straight: Way
    through: Way
    filter: FilterProcess
    seconds: float

    def rows(self) -> Iterator[list[str]]:
        self.both(50, Way.single)  # all are warm afterwards
        yield self.rates("50 clients, single PUTs", Way.single, "/s")
        yield self.rates("50 clients, bulks of 20", Way.twenty, " bulks/s")
        straight, through = self.medians(1)
        yield ["1 client, p50", f"{straight:.1f} ms", f"{through:.1f} ms", f"+{through - straight:.1f} ms"]
        straight, through = self.medians(300)
        yield ["300 clients, p50", f"{straight:.0f} ms", f"{through:.0f} ms", f"{through / straight:.1f}"]
        yield from self.groups()

    def both(self, clients: int, write: Write) -> tuple[list[float], list[float]]:
        """The seconds of each request on both ways."""
        spent: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS):
            for way, times in zip((self.straight, self.through), spent, strict=True):
                times += asyncio.run(load(way, clients, self.seconds, write))
                self.rest()
        return spent

    def rest(self) -> None:
        """Wait until the filter has nothing left to do."""
        for _ in range(PATIENCE):
            began, _ = used_by(process_tree(self.filter.process.pid))
            time.sleep(1)
            if used_by(process_tree(self.filter.process.pid))[0] - began < 0.1:
                return

    def rates(self, name: str, write: Write, unit: str) -> list[str]:
        straight, through = (50 / statistics.mean(times) for times in self.both(50, write))
        return [name, f"{straight:.0f}{unit}", f"{through:.0f}{unit}", f"{through / straight:.2f}"]

    def medians(self, clients: int) -> tuple[float, float]:
        straight, through = (1000 * statistics.median(times) for times in self.both(clients, Way.single))
        return straight, through

    def groups(self) -> Iterator[list[str]]:
        waited = sorted(asyncio.run(seconds_to_group(self)))
        for share in (50, 99):
            seconds = waited[min(len(waited) - 1, len(waited) * share // 100)]
            yield [f"acknowledged -> right group, {RATE}/s, p{share}", "", f"{seconds:.2f} s", ""]


async def seconds_to_group(bench: Bench) -> list[float]:
    """How long each copy of a stored document stands alone after its write was acknowledged."""
    way, tag = bench.through, secrets.token_hex(4)
    direct = Way(bench.straight.port, way.index)
    stored = [RNG.choices(VOCABULARY, k=WORDS) for _ in range(round(RATE * bench.seconds))]
    acknowledged: dict[str, float] = {}
    waited: list[float] = []

    async def copy(first: int) -> None:
        """Every so manieth document is copied on this connection, when it is its turn."""
        for number in range(first, len(stored), CLIENTS):
            await asyncio.sleep(began + number / RATE - time.monotonic())
            await way.put(line, f"{tag}-{number}-copy", document(copied(stored[number])))
            acknowledged[f"{tag}-{number}"] = time.monotonic()

    async with ClientSession(connector=TCPConnector(limit=0)) as line:
        for number, words in enumerate(stored):
            await way.put(line, f"{tag}-{number}", document(words))
        await asyncio.to_thread(bench.rest)
        began = time.monotonic()
        writing = asyncio.gather(*map(copy, range(CLIENTS)))
        while len(waited) < len(stored) and time.monotonic() < began + bench.seconds + PATIENCE:
            waited += await _grouped(line, direct, acknowledged)
            await asyncio.sleep(POLL)
        await writing
    return waited + [float(PATIENCE)] * (len(stored) - len(waited))


async def _grouped(line: ClientSession, way: Way, acknowledged: dict[str, float]) -> list[float]:
    """Take out what stands in the group of its original now; how long each waited."""
    if not (ids := [*acknowledged]):
        return []
    body = json.dumps({"ids": [f"{id_}-copy" for id_ in ids]}).encode()
    answer = await ask(line, "POST", f"{way.url}/_mget?_source=dup_group", body)
    now = time.monotonic()
    groups = [one.get("_source", {}).get("dup_group") for one in json.loads(answer)["docs"]]
    return [now - acknowledged.pop(id_) for id_, group in zip(ids, groups, strict=True) if group == id_]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--engine", help="URL of a server that runs already, without an index")
    parser.add_argument("--seconds", type=float, default=6, help="of each measurement")
    options = parser.parse_args()
    with (
        server(options.engine) as engine,
        new_store(engine, foreign=True) as straight,
        new_store(engine, foreign=True) as through,
        filter_process(through) as filter_,
    ):
        names = (url.rpartition("/")[2] for url in (straight, through))
        ways = map(Way, (urlsplit(engine).port or 9200, filter_.port), names)
        print_table(("figure", "straight", "filter", "ratio"), Bench(*ways, filter_, options.seconds).rows())


if __name__ == "__main__":
    main()
