"""A filter that runs in this process, and documents that are written through it."""

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from dupgroups import group
from dupgroups.model.field_names import Fields
from dupgroups_filter import covered_names, grouper_process, signer
from dupgroups_filter.filter_options import FilterOptions
from dupgroups_filter.filter_server import running
from dupgroups_filter.grouper import Groupers
from es_plugin.clusters import ask, everything, index_of, partition
from processes import Answer, answer
from stories import reprints

FIELDS = Fields("body", "html", "headline", "link", "day", "lang")
# Filters in this process know the names, sign all, and group it to the end, however busy the machine is.
signer.MAX_LATE_SECONDS = covered_names.WAIT_SECONDS = grouper_process.ENDING_SECONDS = 100.0
MAPPING = {"mappings": {"properties": {"body": {"type": "text"}, "headline": {"type": "text"}}}}


@dataclass
class Filter:
    """A filter that runs, and the index behind it."""

    port: int
    engine_url: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def index(self) -> str:
        return index_of(self.engine_url)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request through the filter, on a connection of its own; a list as body is a bulk."""
        with closing(self.connection()) as connection:
            return ask_over(connection, method, path, body, **headers)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def health(self) -> Any:
        return self.ask("GET", "/_dup_groups/health").json

    def count(self, state: str) -> int:
        """How many documents the metrics count in a state."""
        name = f'dupgroups_filter_documents_total{{state="{state}"}} '
        lines = self.ask("GET", "/_dup_groups/metrics").body.decode().splitlines()
        return int(float(next(line for line in lines if line.startswith(name)).removeprefix(name)))

    def sources(self) -> dict[str, dict[str, Any]]:
        return sources(self.engine_url, self.index)

    def groups(self) -> dict[str, str]:
        return grouped(self.engine_url)


def ask_over(
    connection: http.client.HTTPConnection, method: str, path: str, body: Any = None, **headers: str
) -> Answer:
    if isinstance(body, list):
        body = "".join(f"{json.dumps(line)}\n" for line in body).encode()
        headers.setdefault("Content-Type", "application/x-ndjson")
    elif body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    if body is not None:
        headers.setdefault("Content-Type", "application/json")
    return answer(connection, method, path, body, headers)


@contextmanager
def filtering(engine_url: str, *, create: bool = True, **options: Any) -> Iterator[Filter]:
    """A filter in front of an index, which is made unless it is not to be."""
    if create:
        make(engine_url)
    chosen = FilterOptions(engine_url, **{"fields": FIELDS, **options})
    loop, opened = asyncio.new_event_loop(), running(chosen, "127.0.0.1", 0)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        port = asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(60)
        try:
            yield Filter(port, engine_url)
        finally:
            asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result(120)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


# -- an index


def make(engine_url: str, **settings: Any) -> str:
    """Make the index; its name."""
    index = index_of(engine_url)
    ask(engine_url, "PUT", f"/{index}", {**MAPPING, "settings": settings})
    return index


def sources(engine_url: str, index: str) -> dict[str, dict[str, Any]]:
    return {id_: hit["_source"] for id_, hit in everything(engine_url, index).items()}


def groups(engine_url: str) -> dict[str, str | None]:
    """The group of each document; None for one without."""
    stored = sources(engine_url, index_of(engine_url))
    return {id_: source.get("dup_group") for id_, source in stored.items()}


def grouped(engine_url: str) -> dict[str, str]:
    """The group of each document that has one."""
    return {id_: name for id_, name in groups(engine_url).items() if name is not None}


# -- documents


def documents(stories: int = 6, copies: int = 4) -> dict[str, dict[str, Any]]:
    """Documents as another tool writes them, by id; copies of one story do not come one after another."""
    pages = reprints(stories, copies)
    made = {
        id_: {"headline": page.title, "body": page.text, "link": page.url, "rank": 1.50}
        for id_, page in pages.items()
    }
    return dict(sorted(made.items(), key=lambda one: one[0].split("/")[::-1]))


def bulk(made: Mapping[str, Mapping[str, Any]], action: str = "index") -> list[Any]:
    """The lines of a bulk."""
    return [line for id_, source in made.items() for line in ({action: {"_id": id_}}, source)]


def bare(source: Mapping[str, Any]) -> dict[str, Any]:
    """A document without what the filter added."""
    return {name: value for name, value in source.items() if not name.startswith("dup_")}


def sweep(groupers: Groupers) -> None:
    """A look that also finds what others left over or deleted."""
    for grouper in groupers._groupers.values():
        grouper.sweep_soon()
    groupers.poll()


def all_bare(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {id_: bare(source) for id_, source in stored.items()}


def offline(made: Mapping[str, Mapping[str, Any]]) -> set[frozenset[str]]:
    """The groups that `dup-groups group` makes of documents."""
    pages = {
        id_: {"text": one["body"], "title": one.get("headline"), "url": one.get("link"), "id": id_}
        for id_, one in made.items()
    }
    return partition(group(pages))


def eventually(read: Callable[[], Any], expected: Any, seconds: float = 120.0) -> None:
    """Wait until something is as it should be; the grouper behind a filter takes a moment."""
    end = time.monotonic() + seconds
    while (found := read()) != expected:
        assert time.monotonic() < end, found
        time.sleep(0.1)
