"""A server for a benchmark, and a plain index on it that a writer who knows nothing of dup-groups fills."""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from dupgroups.engines import Engine
from dupgroups_es.base import ClusterEngine
from dupgroups_es.mapping import SIDE_INDICES

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
