"""A client sees through the filter what it sees straight: the table of `manners.py`, on twin indices."""

import difflib
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from dupgroups.engines.url import EngineURL
from es_plugin.clusters import ONE_OF_EACH, ask, servers
from filtering.manners import GROUPS, Case
from filtering.process import filter_process
from filtering.running import all_bare, make, sources
from filtering.wire import Reply, exchange, head

OF_THE_WAY = {
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "task_resource_usage",
    "transfer-encoding",
}
"""Headers that may differ; the length does, where an answer holds what the filter stored."""
NEVER_THE_SAME = {"took", "ingest_took", "creation_time", "index_uuid", "uuid", "max_seq_no"}
MOVED_BY_A_SECOND_WRITE = {"_seq_no", "_version", "version", "_shards"}
DRAWN_ID = re.compile(r"(?<=[\"'/])(?=[\w-]*[A-Z])[\w-]{20}(?=[\"'/]|$)", re.MULTILINE)
MASTHEAD = (("Host", "server"),)
SIGNED = re.compile(r',"dup_id":.*?"dup_ties":\[[^\]]*\]')


@dataclass
class Way:
    """To the server, straight or through the filter."""

    port: int
    index: str

    def send(self, case: Case) -> Reply:
        body = case.body.replace(b"INDEX", self.index.encode())
        headers = [*MASTHEAD, *case.headers]
        if case.is_chunked:
            headers.append(("Transfer-Encoding", "chunked"))
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:], b""))
        elif body or case.method in ("POST", "PUT"):
            headers.append(("Content-Length", str(len(body))))
        target = case.target.replace("INDEX", self.index)
        return exchange(self.port, head(case.method, target, case.version, headers), body)

    def shown(self, reply: Reply, *, is_written_twice: bool) -> list[str]:
        """An answer in lines, without what no two answers have in common."""
        left_out = NEVER_THE_SAME | (MOVED_BY_A_SECOND_WRITE if is_written_twice else set())
        status = f"{reply.status} {reply.reason}{' after 100 Continue' if reply.is_continued else ''}"
        headers = sorted(
            f"{name.lower()}: {value}" for name, value in reply.headers if name.lower() not in OF_THE_WAY
        )
        text = "\n".join([status, *headers, "", *_body(reply, left_out)])
        unnamed = re.sub(r"INDEX([^\s/\]]*)/[\w-]{22}", r"INDEX\1/UUID", text.replace(self.index, "INDEX"))
        return DRAWN_ID.sub("DRAWN", unnamed).split("\n")


def _body(reply: Reply, left_out: set[str]) -> list[str]:
    is_packed = reply.header("Content-Encoding") == "gzip" and reply.body
    body = gzip.decompress(reply.body) if is_packed else reply.body
    try:
        answer = json.loads(body, parse_float=str, parse_int=str)
    except ValueError:
        return [
            re.sub(r"((?:ingest_)?took|_seq_no|_version)(\"?): ?\d+", r"\1\2: N", line)
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
            if name not in left_out and not name.startswith("dup_")
        }
    is_loose = isinstance(answer, str) and "_seq_no" in left_out
    return re.sub(r"(seqNo|primary term|version) \[\d+\]", r"\1 [N]", answer) if is_loose else answer


@contextmanager
def _two_ways(engine_url: str) -> Iterator[Iterator[tuple[str, Way, Way]]]:
    """For each group of requests: straight and through a filter, to indices whose names are of one length."""
    port = EngineURL.parse(engine_url, {}).port
    assert port
    with filter_process(f"{engine_url}-f*", "--no-group") as filter_:
        yield (
            (group, Way(port, make(f"{engine_url}-s{at}")), Way(filter_.port, make(f"{engine_url}-f{at}")))
            for at, group in enumerate(GROUPS)
        )


@servers(ONE_OF_EACH)
@pytest.mark.usefixtures("templates_alone")
def test_answers_are_those_of_the_server(engine_url: str) -> None:
    with _two_ways(engine_url) as ways:
        for group, straight, through in ways:
            _compare(engine_url, group, straight, through)


def _compare(engine_url: str, group: str, straight: Way, through: Way) -> None:
    different = [
        difference
        for number, case in enumerate(GROUPS[group])
        if (difference := _difference(number, case, straight, through, group != "written once"))
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
    names = _indices(engine_url, straight)
    assert _indices(engine_url, filtered) == [name.replace(straight, filtered) for name in names]
    for name in names:
        twin = name.replace(straight, filtered)
        assert all_bare(_named(engine_url, twin)) == _named(engine_url, name)


def _indices(engine_url: str, begin: str) -> list[str]:
    found = ask(engine_url, "GET", f"/_cat/indices/{begin}*?format=json")
    return sorted(one["index"] for one in found)


def _named(engine_url: str, index: str) -> dict[str, dict[str, Any]]:
    """What is stored, without documents whose id was drawn."""
    return {id_: source for id_, source in sources(engine_url, index).items() if len(id_) != 20}
