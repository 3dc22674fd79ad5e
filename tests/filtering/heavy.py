"""Bodies that are too large to be held, and what a filter takes while they come."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from filtering.manners import NDJSON, lines
from filtering.process import FilterProcess
from stories import story

MB = 1_000_000


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


@contextmanager
def watching(filter_: FilterProcess) -> Iterator[list[int]]:
    """The memory of a filter in bytes, again and again while the block lasts."""
    seen, ended = [filter_.memory()], threading.Event()

    def watch() -> None:
        while not ended.wait(0.02):
            seen.append(filter_.memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        ended.set()
        watcher.join()
