"""A client sees through the filter what it sees straight: the table of `manners.py`, on twin indices."""

from __future__ import annotations

import difflib
import gzip
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from dupgroups.engines import open_engine
from dupgroups.engines.foreign import Fields
from dupgroups.engines.url import EngineURL
from dupgroups_filter.grouper import Groupers
from es_plugin.clusters import ask, servers
from filtering.manners import GROUPS, WRITTEN_TWICE, Case
from filtering.process import filter_process
from filtering.running import MAPPING, bare, sources
from filtering.wire import Reply, exchange, head

PRODUCTS = ["opensearch-3", "elasticsearch-9"]
OF_THE_WAY = {"connection", "content-length", "date", "keep-alive", "transfer-encoding"}
"""Headers that may differ; the length does, where an answer holds what the filter stored."""
NEVER_THE_SAME = {"took", "_scroll_id", "pit_id", "creation_time", "index_uuid", "uuid", "max_seq_no"}
MOVED_BY_A_SECOND_WRITE = {"_seq_no", "_version", "version", "_shards"}
DRAWN_ID = re.compile(r"(?<=[\"'/])(?=[\w-]*[A-Z])[\w-]{20}(?=[\"'/]|$)", re.MULTILINE)
MASTHEAD = (("Host", "server"),)
SIGNED = re.compile(r',"dup_id":.*?"dup_ties":\[[^\]]*\]')
LONG = 100  # characters of what is a token, or a text that has a signature


@dataclass
class Way:
    """To the server, straight or through the filter; `kept` are values of earlier answers."""

    port: int
    index: str
    kept: dict[str, str] = field(default_factory=dict)

    def send(self, case: Case) -> Reply:
        body = self._filled(case.body.decode("latin-1")).encode("latin-1")
        headers = [*(MASTHEAD if case.has_host else ()), *case.headers]
        if case.is_chunked:
            headers.append(("Transfer-Encoding", "chunked"))
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:], b""))
        elif body or case.method in ("POST", "PUT"):
            headers.append(("Content-Length", str(len(body))))
        filled = [(name, self._filled(value)) for name, value in headers]
        reply = exchange(self.port, head(case.method, self._filled(case.target), case.version, filled), body)
        self._keep(case, reply)
        return reply

    def _filled(self, text: str) -> str:
        for name, value in self.kept.items():
            text = text.replace(f"<{name}>", value)
        return text.replace("INDEX", self.index)

    def _keep(self, case: Case, reply: Reply) -> None:
        with suppress(ValueError, KeyError):
            answer = json.loads(reply.body)
            self.kept.update({name: str(answer[key]) for name, key in case.keep.items()})

    def shown(self, reply: Reply, *, is_written_twice: bool) -> list[str]:
        """An answer in lines, without what no two answers have in common."""
        left_out = NEVER_THE_SAME | (MOVED_BY_A_SECOND_WRITE if is_written_twice else set())
        status = f"{reply.status} {reply.reason}{' after 100 Continue' if reply.is_continued else ''}"
        headers = sorted(
            f"{name.lower()}: {_tidy(name, value)}"
            for name, value in reply.headers
            if name.lower() not in OF_THE_WAY
        )
        text = "\n".join([status, *headers, "", *_body(reply, left_out)])
        return DRAWN_ID.sub("DRAWN", self._unnamed(text)).split("\n")

    def _unnamed(self, text: str) -> str:
        for value in sorted(self.kept.values(), key=len, reverse=True):
            text = text if len(value) < LONG else text.replace(value, "KEPT")
        return re.sub(r"INDEX([^\s/\]]*)/[\w-]{22}", r"INDEX\1/UUID", text.replace(self.index, "INDEX"))


def _tidy(name: str, value: str) -> str:
    if name.lower() == "task_resource_usage":
        return "MEASURED"
    return ", ".join(sorted(re.split(r",\s*", value))) if name.lower() == "allow" else value


def _body(reply: Reply, left_out: set[str]) -> list[str]:
    body = (
        gzip.decompress(reply.body)
        if reply.header("Content-Encoding") == "gzip" and reply.body
        else reply.body
    )
    try:
        answer = json.loads(body, parse_float=str, parse_int=str)
    except ValueError:
        return [
            re.sub(r"(took|_seq_no|_version)(\"?): ?\d+", r"\1\2: N", line)
            for line in SIGNED.sub("", body.decode("latin-1")).split("\n")
        ]
    layout = "laid out in lines" if b"\n" in body.strip() else "in one line"
    return [layout, *json.dumps(_comparable(answer, left_out), indent=1).split("\n")]


def _comparable(answer: Any, left_out: set[str]) -> Any:
    if isinstance(answer, list):
        return [_comparable(item, left_out) for item in answer]
    if isinstance(answer, dict):
        return {
            name: value.split("\n")[0] if name == "stack_trace" else _comparable(value, left_out)
            for name, value in answer.items()
            if name not in left_out
            and not name.startswith("dup_")
            and not (name == "id" and len(value) > LONG)
        }
    is_loose = isinstance(answer, str) and "_seq_no" in left_out
    return re.sub(r"(seqNo|primary term|version) \[\d+\]", r"\1 [N]", answer) if is_loose else answer


@contextmanager
def _two_ways(engine_url: str) -> Iterator[tuple[Way, Way]]:
    """Straight and through a filter, each with an index of its own; their names are of one length."""
    url = EngineURL.parse(engine_url, {})
    assert url.port
    straight, filtered = f"{url.path}-s", f"{url.path}-f"
    for index in (straight, filtered):
        ask(engine_url, "PUT", f"/{index}", MAPPING)
    with filter_process(engine_url.replace(url.path, f"{filtered}*"), "--no-group") as filter_:
        yield Way(url.port, straight), Way(filter_.port, filtered)


@servers(PRODUCTS)
@pytest.mark.parametrize("group", GROUPS)
def test_answers_are_those_of_the_server(engine_url, group):
    with _two_ways(engine_url) as (straight, through):
        different = [
            difference
            for number, case in enumerate(GROUPS[group])
            if (difference := _difference(number, case, straight, through, group in WRITTEN_TWICE))
        ]
        assert not different, f"{len(different)} of {len(GROUPS[group])} differ\n\n" + "\n\n".join(different)
        if group != "encodings":  # what is stored there, no JSON can show
            _assert_the_same_is_stored(engine_url, straight.index, through.index)
        for way in (straight, through):  # else nothing can delete its index
            exchange(straight.port, head("DELETE", f"/_data_stream/{way.index}-stream", "HTTP/1.1", MASTHEAD))


def _difference(number: int, case: Case, straight: Way, through: Way, is_written_twice: bool) -> str:
    """How the answers differ, in lines; empty if they do not."""
    if "_search" in case.target:  # the indices refresh by themselves, but not at the same moment
        for way in (straight, through):
            exchange(straight.port, head("POST", f"/{way.index}/_refresh", "HTTP/1.1", MASTHEAD))
    expected, found = (
        way.shown(way.send(case), is_written_twice=is_written_twice) for way in (straight, through)
    )
    lines = difflib.unified_diff(expected, found, "straight", "through", n=1, lineterm="")
    changed = "\n".join(line[:300] for line in list(lines)[2:])
    return changed and f"#{number} {case}\n{changed}"


def _assert_the_same_is_stored(engine_url: str, straight: str, filtered: str) -> None:
    names = [one["index"] for one in ask(engine_url, "GET", f"/_cat/indices/{straight}*?format=json")]
    for name in names:
        expected = {id_: source for id_, source in sources(engine_url, name).items() if not _is_drawn(id_)}
        twin = name.replace(straight, filtered)
        found = {id_: source for id_, source in sources(engine_url, twin).items() if not _is_drawn(id_)}
        assert {id_: bare(source) for id_, source in found.items()} == expected
    pattern = engine_url.replace(EngineURL.parse(engine_url, {}).path, f"{filtered}*")
    with closing(open_engine(pattern)) as engine:
        groupers = Groupers(engine, Fields("body", title="headline"))
        groupers.look()
    for name in names:
        if name.startswith(".ds-"):  # documents of a data stream cannot be changed
            continue
        stored = sources(engine_url, name.replace(straight, filtered))
        alone = [id_ for id_, source in stored.items() if _is_without_group(source)]
        assert alone == [], (name, groupers.progress.trouble)


def _is_drawn(id_: str) -> bool:
    return len(id_) == 20


def _is_without_group(source: dict[str, Any]) -> bool:
    text = source.get("body")
    return isinstance(text, str) and len(text) > LONG and "dup_group" not in source


ELSEWHERE = [  # PORT stands for the port of somebody else
    ("CONNECT", "@127.0.0.1:PORT"),
    ("CONNECT", "127.0.0.1:PORT"),
    ("GET", "http://127.0.0.1:PORT/"),
    ("POST", "http://127.0.0.1:PORT/INDEX/_bulk"),
    ("PUT", "http://127.0.0.1:PORT/INDEX/_doc/1"),
    ("GET", "@127.0.0.1:PORT/"),
    ("GET", "x@127.0.0.1:PORT/"),
    ("GET", ":PORT/"),
    ("GET", "127.0.0.1:PORT/"),
    ("GET", "//127.0.0.1:PORT/"),
    ("GET", "/\\127.0.0.1:PORT/"),
    ("GET", "/@127.0.0.1:PORT/"),
    ("GET", ""),
]


@servers(["opensearch-3"])
def test_no_target_leads_elsewhere(engine_url):
    with _two_ways(engine_url) as (_, through), _listening() as (port, seen):
        for method, target in ELSEWHERE:
            target = target.replace("PORT", f"{port}").replace("INDEX", through.index)
            headers = (("Host", f"127.0.0.1:{port}"), ("X-Forwarded-Host", f"127.0.0.1:{port}"))
            reply = exchange(
                through.port, head(method, target, "HTTP/1.1", (*headers, ("Content-Length", "0")))
            )
            assert 400 <= reply.status < 500 or not reply.status, (method, target, reply)
            assert not seen, (method, target, reply)


@contextmanager
def _listening() -> Iterator[tuple[int, list[Any]]]:
    """A port where somebody listens, and who has connected to it."""
    seen: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, address = listener.accept()
                    seen.append(address)
                    connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1], seen
        listener.shutdown(socket.SHUT_RDWR)


MALFORMED = [
    b"GET /INDEX HTTP/1.1\r\n\r\n",  # without a Host, which servers forgive
    b"garbage\r\n\r\n",
    b"\r\n\r\n",
    b"GET / HTTP/7.3\r\nHost: x\r\n\r\n",
    b"GET / / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PUT /INDEX/_doc/1 HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
    b"PUT /INDEX/_doc/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\n{}x",
    b"PUT /INDEX/_doc/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    b"PUT /INDEX/_doc/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Type: application/json\r\n"
    b"Content-Type: text/plain\r\n\r\n{}",
    b"GET /INDEX HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    b"GET /INDEX/_doc/\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
]


@servers(["opensearch-3"])
def test_what_is_not_http_is_refused_and_writes_nothing(engine_url):
    with _two_ways(engine_url) as (_, through):
        for sent in MALFORMED:
            reply = exchange(through.port, sent.replace(b"INDEX", through.index.encode()), timeout=10)
            assert 400 <= reply.status < 500 or not reply.status, (sent, reply)
            assert not reply.header("Server"), (sent, reply)
        assert sources(engine_url, through.index) == {}


def test_the_table_is_long_enough():
    assert sum(map(len, GROUPS.values())) >= 164
