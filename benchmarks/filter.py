"""What the filter costs: beside a cluster without it, and beside `Deduper.add_all`, in one run.

    python benchmarks/filter.py ENGINE [--documents 100000] [--connections 10000]

It prints a table in Markdown, in five minutes on two quiet cores. ENGINE is a server without an index, such
as opensearch://127.0.0.1:9200; three indices are made there, and deleted at the end. The filter runs in a
process of its own, on the same machine.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from dupgroups import Deduper, Page
from dupgroups.engines import engine_url
from dupgroups.filtering.serve import more_files

COPIES = 0.2
REQUESTS = 1_000
ROUNDS = 4  # bulks that are timed on each way

_SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()


Pile = Iterator[dict[str, str]]


def pile(count: int) -> Pile:
    """Documents of 500 words; a fifth repeat an earlier one but for a gap."""
    rng = random.Random(7)
    texts: list[str] = []
    for number in range(count):
        if texts and rng.random() < COPIES:
            words = rng.choice(texts).split()
            at = rng.randrange(400)
            text = " ".join(words[:at] + words[at + 12 :])
        else:
            text = " ".join("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 3))) for _ in range(500)) + "."
        texts = [*texts[-999:], text]
        yield {
            "body": text,
            "headline": f"Headline {number}",
            "link": f"https://s{number % 97}.example/{number}",
        }


class Line:
    """One keep-alive connection."""

    def __init__(self, host: str, port: int) -> None:
        self._connection = http.client.HTTPConnection(host, port, timeout=600)

    def ask(self, method: str, path: str, body: str | None = None, kind: str = "application/json") -> object:
        headers = {} if body is None else {"Content-Type": kind}
        self._connection.request(method, path, body and body.encode(), headers)
        answer = self._connection.getresponse()
        return json.loads(answer.read())


@contextlib.contextmanager
def filtering(engine: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "dupgroups", "filter", "--engine", engine, "--text-field", "body"]
    names = ["--title-field", "headline", "--url-field", "link", "--patience", "60"]
    process = subprocess.Popen([*command, *names, "--listen", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                break
            time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait()


def bulk(documents: list[dict[str, str]], first: int) -> str:
    return "".join(
        f'{{"index":{{"_id":"d{first + place}"}}}}\n{json.dumps(one)}\n'
        for place, one in enumerate(documents)
    )


def timed(line: Line, method: str, path: str, body: str | None = None) -> float:
    began = time.perf_counter()
    answer = line.ask(method, path, body, "application/x-ndjson" if body else "")
    assert not isinstance(answer, dict) or not answer.get("errors"), answer
    return time.perf_counter() - began


def memory(process: subprocess.Popen[bytes]) -> float:
    """Resident MB of a process."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def passed(straight: Line, through: Line) -> tuple[float, float]:
    """Median ms of a small request on both ways, one after the other."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(REQUESTS):
        for line, spent in zip((straight, through), times, strict=True):
            spent.append(timed(line, "GET", "/_cluster/health?filter_path=status"))
    return 1000 * statistics.median(times[0]), 1000 * statistics.median(times[1])


def idle(host: str, port: int, count: int) -> int:
    """How many of so many idle connections answer a second request."""
    request = b"GET /_dup_groups/health HTTP/1.1\r\nHost: x\r\n\r\n"
    opened = []
    for _ in range(count):
        connection = socket.create_connection((host, port), timeout=60)
        connection.sendall(request)
        connection.recv(4096)
        opened.append(connection)
    time.sleep(30)
    alive = 0
    for connection in opened:
        connection.sendall(request)
        alive += connection.recv(4096).startswith(b"HTTP/1.1 200")
        connection.close()
    return alive


Row = tuple[str, ...]
"""A figure, then its values straight, by `add_all`, through the filter, and the ratio of the last two."""


def cpu(process: subprocess.Popen[bytes]) -> float:
    """Seconds that all threads of a process have computed."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def passing(straight: Line, through: Line, process: subprocess.Popen[bytes]) -> Iterator[Row]:
    began = cpu(process)
    before, after = passed(straight, through)
    spent = 1000 * (cpu(process) - began) / REQUESTS
    yield ("passed request, ms p50", f"{before:.2f}", "", f"{after:.2f} (+{after - before:.2f})", "")
    yield ("passed request, ms of CPU", "", "", f"{spent:.2f}", "")


def grouping(
    straight: Line,
    through: Line,
    deduper: Deduper,
    name: str,
    process: subprocess.Popen[bytes],
    made: Pile,
    size: int,
) -> Iterator[Row]:
    """Bulks on all three ways, one after the other; the first round warms up."""
    times: dict[str, list[float]] = {"straight": [], "add_all": [], "filter": []}
    computed: dict[str, list[float]] = {"add_all": [], "filter": []}
    for number in range(ROUNDS + 1):
        batch = list(islice(made, size))
        lines = bulk(batch, number * size)
        times["straight"].append(timed(straight, "POST", f"/{name}-straight/_bulk", lines))
        pages = pages_of(batch, number * size)
        began, computing = time.perf_counter(), time.process_time()
        deduper.add_all(pages)
        times["add_all"].append(time.perf_counter() - began)
        computed["add_all"].append(time.process_time() - computing)
        computing = cpu(process)
        times["filter"].append(timed(through, "POST", f"/{name}-filter/_bulk", lines))
        computed["filter"].append(cpu(process) - computing)
    ms = {way: 1000 * statistics.median(spent[1:]) / size for way, spent in times.items()}
    work = {way: 1000 * statistics.median(spent[1:]) / size for way, spent in computed.items()}
    shown = (f"{ms[way]:.2f}" for way in ("straight", "add_all", "filter"))
    yield (f"document in a bulk of {size}, ms", *shown, f"{ms['filter'] / ms['add_all']:.2f}")
    shown = (f"{work[way]:.2f}" for way in ("add_all", "filter"))
    yield ("the same, ms of CPU without the server", "", *shown, f"{work['filter'] / work['add_all']:.2f}")


def lasting(
    through: Line, name: str, process: subprocess.Popen[bytes], made: Pile, size: int
) -> Iterator[Row]:
    """Write everything that is left of the pile through the filter."""
    written, sizes = (ROUNDS + 1) * size, [memory(process)]
    began, first = time.perf_counter(), written
    while batch := list(islice(made, size)):
        timed(through, "POST", f"/{name}-filter/_bulk", bulk(batch, written))
        written += len(batch)
        sizes.append(memory(process))
    rate = (written - first) / (time.perf_counter() - began)
    middle, end = sizes[len(sizes) // 2], sizes[-1]
    label = f"memory at {(first + written) // 2:,} and {written:,} documents, MB"
    yield (label, "", "", f"{middle:.0f}, {end:.0f}", "")
    yield ("documents a second until then", "", "", f"{rate:.0f}", "")


def pages_of(documents: list[dict[str, str]], first: int) -> list[Page]:
    return [
        Page(text=one["body"], title=one["headline"], url=one["link"], id=f"d{first + place}")
        for place, one in enumerate(documents)
    ]


def measured(engine: str, name: str, documents: int, connections: int, size: int) -> Iterator[Row]:
    url = engine_url(f"{engine}/x")
    assert url.host
    straight = Line(url.host, url.port or 9200)
    mapping = json.dumps({"mappings": {"properties": {"body": {"type": "text"}}}})
    for index in (f"{name}-straight", f"{name}-filter"):
        straight.ask("PUT", f"/{index}", mapping)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    made = pile(max(documents, (ROUNDS + 2) * size))
    with (
        filtering(f"{engine}/{name}-filter", port) as process,
        closing(Deduper(f"{engine}/{name}-deduper").engine) as store,
    ):
        through = Line("127.0.0.1", port)
        yield from passing(straight, through, process)
        yield from grouping(straight, through, Deduper(store), name, process, made, size)
        yield from lasting(through, name, process, made, size)
        alive = idle("127.0.0.1", port, connections)
        yield (f"idle connections of {connections:,} that survive", "", "", f"{alive:,}", "")
    indices = straight.ask("GET", f"/{name}*/_settings?expand_wildcards=all")
    assert isinstance(indices, dict)
    for index in indices:
        straight.ask("DELETE", f"/{index}")


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--bulk", type=int, default=500, help="documents of a bulk")
    options = parser.parse_args()
    more_files()
    print("| figure | straight | `add_all` | filter | filter / `add_all` |\n|---|---|---|---|---|")
    for row in measured(
        options.engine, f"bench-{secrets.token_hex(4)}", options.documents, options.connections, options.bulk
    ):
        print(f"| {' | '.join(row)} |".replace("|  ", "| "), flush=True)


if __name__ == "__main__":
    main()
