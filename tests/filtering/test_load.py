"""Many requests and large ones: nobody waits for others, memory and threads stay bounded, nothing is lost."""

import gzip
import http.client
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

import pytest

from es_plugin.clusters import ONE, ask, servers
from filtering.guard import guarding
from filtering.manners import NDJSON, lines
from filtering.process import filter_process
from filtering.running import eventually, make, sources
from stories import story

pytestmark = pytest.mark.slow
MB = 1_000_000
MEMORY = 300 * MB  # that a filter and its children may take
THREADS = 60  # of all its processes


@servers(ONE)
@pytest.mark.parametrize("interval", ["1s", "-1"])
def test_who_waits_for_a_refresh_keeps_nobody_waiting(engine_url: str, interval: str) -> None:
    """With an interval of -1 they wait until somebody refreshes: the plain write is answered before that."""
    index = make(engine_url, refresh_interval=interval)
    path, ids = f"/{index}/_doc", [str(number) for number in range(20)]

    def are_stored() -> bool:
        """Whether the server has them, refreshed or not."""
        found = ask(engine_url, "POST", f"/{index}/_mget", {"ids": ids})
        return all(one["found"] for one in found["docs"])

    with filter_process(engine_url) as filter_, ThreadPoolExecutor(20) as pool:
        waiting = [
            pool.submit(filter_.ask, "PUT", f"{path}/{id_}?refresh=wait_for", {"body": story(id_)})
            for id_ in ids
        ]
        assert filter_.ask("PUT", f"{path}/plain", {"body": story("plain")}).status == 201
        eventually(are_stored, True)
        assert filter_.ask("POST", f"/{index}/_refresh").status == 200
        assert {future.result(60).status for future in waiting} == {201}
        assert len(sources(engine_url, index)) == 21


@servers(ONE)
def test_large_bodies_without_credentials_take_little_memory(engine_url: str) -> None:
    """As they come, and as what a small body unpacks to."""
    part, path = megabyte(), f"/{make(engine_url)}/_bulk"
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}
    with guarding(engine_url) as (_, filter_), ThreadPoolExecutor(6) as pool:
        memory, packed = [filter_.memory()], gzip.compress(part * 60)
        large = [lambda: send_parts(filter_.port, path, part, 60)] * 6  # more than MEMORY
        for work in (large, [lambda: filter_.ask("POST", path, packed, **headers).status]):
            sent = [*map(pool.submit, work)]
            while wait(sent, 0.02).not_done:
                memory.append(filter_.memory())
            assert {future.result() for future in sent} <= {401, 413, 429, 0}
    assert max(memory) < MEMORY, f"{max(memory) // MB} MB, {memory[0] // MB} MB before"


@servers(ONE)
def test_invented_names_cost_no_threads(engine_url: str) -> None:
    index = make(engine_url)
    with guarding(f"{engine_url}*") as (_, filter_), ThreadPoolExecutor(10) as pool:
        names = [f"{index}-{number}" for number in range(300)]
        answers = pool.map(lambda name: filter_.ask("PUT", f"/{name}/_doc/1", {"body": story(name)}), names)
        assert {answer.status for answer in answers} == {401}
        assert filter_.threads() < THREADS
    assert [one["index"] for one in ask(engine_url, "GET", f"/_cat/indices/{index}*?format=json")] == [index]


def megabyte() -> bytes:
    """Lines of a bulk, a megabyte of them, that gzip makes very small."""
    pair = lines({"index": {}}, {"body": story("large", 200), "headline": "x"})
    return pair * (MB // len(pair))


def send_parts(port: int, path: str, part: bytes, count: int) -> int:
    """Send a body of so many equal parts; the status, or 0 if the connection was closed meanwhile."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    headers = {"Content-Type": NDJSON, "Content-Length": str(count * len(part))}
    try:
        with suppress(ConnectionError):
            connection.request("POST", path, (part for _ in range(count)), headers)
        with suppress(ConnectionError, http.client.HTTPException):
            return connection.getresponse().status
        return 0
    finally:
        connection.close()
