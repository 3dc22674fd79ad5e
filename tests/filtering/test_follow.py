"""Following: documents that other tools write get their groups, on real servers."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Deduper, open_engine
from dupgroups.config import Config
from dupgroups.errors import ConfigError
from dupgroups.model import Document, Query
from dupgroups.signing import PageSigner
from dupgroups_es.cluster import Cluster
from dupgroups_es.followed import FollowedIndex
from dupgroups_filter.grouper import Groupers
from es_plugin.clusters import ONE, ONE_OF_EACH, address, ask, servers
from es_plugin.proxy import Answer, Forward, Request, busy, cut, proxy
from servers.ports import free_port
from stories import reprints, story
from test_backfill import FIELDS, everything, fill, index_of, partition, theirs

COPY = {"body": story("a"), "headline": "Ferry"}


@contextmanager
def follower(engine_url: str, config: Config | None = None) -> Iterator[Groupers]:
    """A follower of its own process, as it were: it shares nothing with others."""
    with closing(open_engine(engine_url, must_exist=True)) as engine:
        yield Groupers(engine, FIELDS, config)


def write(engine_url: str, id_: str, document: dict[str, Any], how: str = "_doc") -> None:
    body = {"doc": document} if how == "_update" else document
    ask(engine_url, "POST" if how == "_update" else "PUT", f"/{index_of(engine_url)}/{how}/{id_}", body)


def groups(engine_url: str) -> dict[str, str | None]:
    return {id_: hit["_source"].get("dup_group") for id_, hit in everything(engine_url).items()}


@servers(ONE_OF_EACH)
def test_what_others_write_is_grouped_at_the_next_look(engine_url: str) -> None:
    fill(engine_url, range(3))
    with follower(engine_url) as following:
        following.look()
        assert following.progress.documents == 24
        fill(engine_url, range(3, 6), mapping=None)
        before = theirs(everything(engine_url))
        following.look()
        after = everything(engine_url)
    assert theirs(after) == before
    assert partition(after, lambda source: source["dup_group"]) == partition(
        after, lambda source: source["tags"][0]
    )
    assert following.progress.documents == 48
    assert not any(following.progress.failures.values())


@servers(ONE_OF_EACH)
def test_nothing_is_looked_up_twice_unless_others_changed_something(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[object] = []
    find = FollowedIndex.candidates
    monkeypatch.setattr(
        FollowedIndex,
        "candidates",
        lambda index, signatures, *, limit: (
            looked_up.extend(signatures) or find(index, signatures, limit=limit)
        ),
    )
    fill(engine_url, range(2))
    with follower(engine_url) as following:
        following.look()
        assert len(looked_up) >= 16
        looked_up.clear()
        following.look()
        assert looked_up == []


@servers(ONE)
def test_a_look_without_news_writes_nothing_and_the_next_process_goes_on(engine_url: str) -> None:
    fill(engine_url, range(3))
    with follower(engine_url) as following:
        following.look()
        once = everything(engine_url)
        following.look()
        assert everything(engine_url) == once
    with follower(engine_url) as restarted:
        restarted.look()
        assert restarted.progress.documents == 0
        write(engine_url, "a", COPY)
        restarted.look()
        assert restarted.progress.documents == 1
    assert everything(engine_url).items() >= once.items()


@servers(ONE)
@pytest.mark.parametrize("restarts", [False, True])
def test_a_text_that_is_changed_in_part_is_grouped_anew(engine_url: str, restarts: bool) -> None:
    fill(engine_url, range(1))
    write(engine_url, "a", COPY)
    write(engine_url, "b", COPY)
    with ExitStack() as stack:
        following = stack.enter_context(follower(engine_url))
        following.look()
        assert groups(engine_url)["b"] == "a"
        if restarts:
            following = stack.enter_context(follower(engine_url))
        write(engine_url, "b", {"body": story("another")}, "_update")
        following.look()
        assert groups(engine_url)["b"] == "b"
        assert following.progress.states["updated"] == 1


@servers(ONE)
def test_a_document_that_is_replaced_loses_its_group_and_gets_one(engine_url: str) -> None:
    """The document that names a group is replaced: by the same text, and by another one."""
    fill(engine_url, range(1))
    with follower(engine_url) as following:
        for id_ in "abc":
            write(engine_url, id_, COPY)
            following.look()
        assert {groups(engine_url)[id_] for id_ in "abc"} == {"a"}
        write(engine_url, "a", COPY)
        assert groups(engine_url)["a"] is None
        following.look()
        assert {groups(engine_url)[id_] for id_ in "abc"} == {"b"}
        write(engine_url, "b", {"body": story("another")})
        following.look()
        found = groups(engine_url)
        assert (found["a"], found["b"], found["c"]) == ("c", "b", "c")
        heads = {id_ for id_, hit in everything(engine_url).items() if hit["_source"]["dup_head"]}
        assert heads & {"a", "b", "c"} == {"b", "c"}


@servers(ONE)
def test_a_document_that_changes_while_it_is_read_is_grouped_as_it_is_in_the_end(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(engine_url, range(1))
    with follower(engine_url) as following:
        following.look()
        write(engine_url, "a", COPY)
        write(engine_url, "b", COPY)
        read, again = FollowedIndex.again, [lambda: write(engine_url, "b", {"body": story("c")})]

        def hasty(index: FollowedIndex, ids: Any) -> Any:
            """Another tool writes b once more, right after it was read the first time."""
            arrivals = read(index, ids)
            while again and "b" in ids:
                again.pop()()
            return arrivals

        monkeypatch.setattr(FollowedIndex, "again", hasty)
        following.look()
        assert groups(engine_url)["b"] is None
        following.look()
        assert (groups(engine_url)["a"], groups(engine_url)["b"]) == ("a", "b")
        assert not any(following.progress.failures.values())


@servers(ONE)
def test_a_follower_that_dies_at_any_write_leaves_the_rest_to_the_next(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(engine_url, range(3))
    monkeypatch.setattr("dupgroups_es.settling.BATCH", 5)
    monkeypatch.setattr("dupgroups_es.queries.PAGE", 5)
    write_lines = Cluster._bulk_once
    for alive in range(4):
        left = [None] * alive

        def die(self: Cluster, pending: Any, left: list[None] = left) -> Any:
            if not left:
                raise KeyboardInterrupt
            left.pop()
            return write_lines(self, pending)

        with monkeypatch.context() as patch, follower(engine_url) as following:
            patch.setattr(Cluster, "_bulk_once", die)
            with pytest.raises(KeyboardInterrupt):
                following.look()
    with follower(engine_url) as following:
        following.look()
    after = everything(engine_url)
    assert partition(after, lambda source: source["dup_group"]) == partition(
        after, lambda source: source["tags"][0]
    )


@servers(ONE)
def test_an_index_of_our_own_is_followed_too(engine_url: str) -> None:
    """A crawl and another tool write into it; what the tool writes can be found afterwards."""
    pages = reprints(stories=2, copies=2)
    with closing(Deduper(engine_url)) as crawl:
        crawl.add_all(pages.values())
    write(
        engine_url,
        "x",
        {"text": story("ferry"), "title": "A ferry", "url": "http://x.example/", "author": ["A. B."]},
    )
    with follower(engine_url) as following:
        following.look()
        assert following.progress.states == {"new": 1}
        write(engine_url, "y", {"text": story("ferry")})
        following.look()
        assert groups(engine_url)["y"] == "x"
        assert everything(engine_url)["x"]["_source"]["author"] == ["A. B."]
    with closing(open_engine(engine_url)) as engine:
        assert {hit.shown.id for hit in engine.search(Query("ferry", mode="all")).hits} >= {"x"}
        assert len(list(engine.scan())) == 6


@servers(ONE)
def test_a_document_that_we_cannot_process_does_not_stop_the_others(
    engine_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign = PageSigner.sign

    def stumble(signer: PageSigner, pages: Any) -> list[Document | None]:
        signed = sign(signer, pages)
        return [None if page.id == "a" else one for page, one in zip(pages, signed, strict=True)]

    fill(engine_url, range(1))
    write(engine_url, "a", COPY)
    with follower(engine_url) as following:
        with monkeypatch.context() as patch:
            patch.setattr(PageSigner, "sign", stumble)
            following.look()
        assert [*following.progress.failures[index_of(engine_url)]] == ["a"]
        assert following.progress.documents == 8
        following.sweep()
        assert not any(following.progress.failures.values())
    assert None not in groups(engine_url).values()


@servers(ONE_OF_EACH)
def test_documents_with_a_routing_get_their_groups(engine_url: str) -> None:
    """Some have one when following begins, others come later, and one of them moves its group."""
    index = index_of(engine_url)
    fill(engine_url, range(1))
    ask(engine_url, "PUT", f"/{index}/_doc/a?routing=b", COPY)
    with follower(engine_url) as following:
        following.look()
        for id_ in "cd":
            ask(engine_url, "PUT", f"/{index}/_doc/{id_}?routing=r{id_}", COPY)
            following.look()
        assert [groups(engine_url)[id_] for id_ in "acd"] == ["a", "a", "a"]
        ask(engine_url, "PUT", f"/{index}/_doc/a?routing=b", {"body": story("another")})
        following.look()
        assert [groups(engine_url)[id_] for id_ in "acd"] == ["a", "c", "c"]
        assert not any(following.progress.failures.values())
    hits = everything(engine_url)
    assert {id_: hits[id_].get("_routing") for id_ in "acd"} == {"a": "b", "c": "rc", "d": "rd"}


@servers(ONE_OF_EACH)
def test_groups_are_put_right_when_others_delete_their_documents(engine_url: str) -> None:
    """The document that names a group, all but one, and what held two others together."""
    index = index_of(engine_url)
    fill(engine_url, range(1))
    one, two, three, four, five = (story(name, 150) for name in "pqrst")
    bridge = "\n".join([one, two, three, four, five])
    ends = {"old": "\n".join([one, two, three]), "young": "\n".join([three, four, five])}
    bodies = {id_: {"body": text} for id_, text in {**ends, "bridge": bridge}.items()}
    with follower(engine_url, Config(linkage="closure")) as following:
        for id_, document in {"a": COPY, "b": COPY, "c": COPY, **bodies}.items():
            following.look()
            write(engine_url, id_, document)
        following.look()
        following.sweep()
        assert found(engine_url, "abc") == {"a": "a", "b": "a", "c": "a"}
        assert found(engine_url, BRIDGED) == {"old": "old", "young": "old", "bridge": "old"}
        for id_ in ("a", "bridge"):
            ask(engine_url, "DELETE", f"/{index}/_doc/{id_}")
        following.sweep()
        assert found(engine_url, "abc") == {"b": "b", "c": "b"}
        assert found(engine_url, BRIDGED) == {"old": "old", "young": "young"}
        ask(engine_url, "DELETE", f"/{index}/_doc/b")
        following.sweep()
        hits = everything(engine_url)
        assert (hits["c"]["_source"]["dup_group"], hits["c"]["_source"]["dup_head"]) == ("c", True)
        following.sweep()
        assert everything(engine_url) == hits


BRIDGED = ("old", "young", "bridge")


def found(engine_url: str, ids: Iterable[str]) -> dict[str, str | None]:
    return {id_: group for id_, group in groups(engine_url).items() if id_ in ids}


@servers(ONE)
def test_every_index_of_a_pattern_is_followed(engine_url: str) -> None:
    """One is there, one cannot be followed, one comes later, and one goes."""
    first, second, unfit = (f"{engine_url}-{name}" for name in ("a", "b", "unfit"))
    fill(first, range(1))
    mapping = {"mappings": {"properties": {"body": {"type": "integer"}}}}
    ask(unfit, "PUT", f"/{index_of(unfit)}", mapping)
    with closing(open_engine(f"{engine_url}-*", must_exist=True)) as engine:
        following = Groupers(engine, FIELDS)
        following.look()
        write(first, "x", COPY)
        fill(second, range(1))
        write(second, "x", COPY)
        following.look()
        assert groups(first)["x"] == groups(second)["x"] == "x"
        assert following.progress.documents == 18
        ask(first, "DELETE", f"/{index_of(first)}")
        following.look()
        assert "is of type integer, not text" in following.progress.trouble
        assert following.progress.documents == 18
    assert None not in groups(second).values()


@servers(ONE_OF_EACH)
def test_an_alias_that_is_rolled_over_is_followed_into_the_next_index(engine_url: str) -> None:
    """When following begins there is one index behind it."""
    alias = index_of(engine_url)
    first, second = (f"{engine_url}-{number}" for number in ("000001", "000002"))
    fill(first, range(1))
    is_written = {"index": index_of(first), "alias": alias, "is_write_index": True}
    ask(engine_url, "POST", "/_aliases", {"actions": [{"add": is_written}]})
    with follower(engine_url) as following:
        following.look()
        write(engine_url, "x", COPY)
        ask(engine_url, "POST", f"/{alias}/_rollover", {})
        write(engine_url, "x", COPY)
        following.look()
        assert groups(first)["x"] == groups(second)["x"] == "x"
        assert following.progress.trouble == ""


@servers(ONE)
def test_the_alias_of_an_index_of_our_own_is_followed_as_one_index(engine_url: str) -> None:
    with closing(Deduper(engine_url)) as crawl:
        crawl.add({"text": story("a"), "id": "a"})
    assert index_of(engine_url) not in ask(engine_url, "GET", f"/{index_of(engine_url)}")  # it is an alias
    with follower(engine_url) as following:
        write(engine_url, "b", {"text": story("a")})
        following.look()
        assert groups(engine_url) == {"a": "a", "b": "a"}
    beside = ask(engine_url, "GET", f"/*{index_of(engine_url)}*-redirects?expand_wildcards=all")
    assert len(beside) == 1


@servers(ONE)
def test_an_index_that_is_created_anew_under_its_name_is_followed(engine_url: str) -> None:
    fill(engine_url, range(2))
    with follower(engine_url) as following:
        following.look()
        ask(engine_url, "DELETE", f"/{index_of(engine_url)}")
        fill(engine_url, range(3))
        stop = Stop(after=3)
        troubles = []
        following.run(stop, every=0.01, report=lambda progress: troubles.append(progress.trouble))
    assert troubles == [""] * len(troubles)
    mapping = ask(engine_url, "GET", f"/{index_of(engine_url)}/_mapping")[index_of(engine_url)]["mappings"]
    assert mapping["properties"]["dup_group"] == {"type": "keyword"}
    assert None not in groups(engine_url).values()


@servers(ONE)
def test_trouble_is_told_in_a_sentence_and_ends(engine_url: str) -> None:
    fill(engine_url, range(1))
    with proxy(address(engine_url)) as between:
        through = engine_url.replace(address(engine_url)[7:], f"127.0.0.1:{between.port}")
        with follower(f"{through}?retries=0") as following:
            stop, troubles = Stop(after=4), []
            between.trouble(busy(429, ""), cut)
            following.run(stop, every=0.01, report=lambda progress: troubles.append(progress.trouble))
    assert "is too busy (429" in troubles[0]
    assert "does not answer: connection closed" in troubles[1]
    assert troubles[2:] == ["", ""]
    assert None not in groups(engine_url).values()


@servers(ONE)
def test_a_document_that_is_refused_is_tried_again_and_does_not_stop_the_others(engine_url: str) -> None:
    fill(engine_url, range(1))
    write(engine_url, "a", COPY)
    with proxy(address(engine_url)) as between:
        through = engine_url.replace(address(engine_url)[7:], f"127.0.0.1:{between.port}")
        with follower(f"{through}?retries=0") as following:
            between.always = without_a
            following.look()
            following.look()
            assert [*following.progress.failures[index_of(engine_url)]] == ["a"]
            assert {id_ for id_, name in groups(engine_url).items() if name is None} == {"a"}
            between.always = None
            following.sweep()
            assert not any(following.progress.failures.values())
            assert following.progress.waiting == 0
    assert None not in groups(engine_url).values()


@servers(ONE)
def test_the_command_follows_until_it_is_told_to_stop(engine_url: str) -> None:
    fill(engine_url, range(1))
    port = free_port()
    fields = ["--fields", "text=body,title=headline"]
    words = ["follow", "--engine", engine_url, *fields, "--every", "0.1", "--metrics-port", str(port)]
    with subprocess.Popen(
        [sys.executable, "-m", "dupgroups", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        write(engine_url, "a", COPY)
        write(engine_url, "b", COPY)
        deadline = time.monotonic() + 100
        while groups(engine_url)["b"] is None and time.monotonic() < deadline:
            time.sleep(0.2)
        while (
            "dup_groups_grouper_documents 10" not in (metrics := _scrape(port))
            and time.monotonic() < deadline
        ):
            time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert re.search(r"10 grouped \(.*\); 0 without a group; lag \d+\.\d s\n$", out)
    assert " grouped" in errors
    assert re.search(r"^dup_groups_grouper_lag_seconds \d", metrics, re.MULTILINE)


def _scrape(port: int) -> str:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
        f"http://127.0.0.1:{port}/metrics"
    ) as answer:
        return str(answer.read().decode())


def without_a(request: Request, forward: Forward) -> Answer:
    """The server never gets to see what is written to the document a, which is refused."""
    lines = request.body.splitlines(keepends=True)
    at = next((at for at in range(0, len(lines), 2) if b'"_id": "a"' in lines[at]), None)
    if not request.path.startswith("/_bulk") or at is None:
        return forward(request)
    rest = b"".join(lines[:at] + lines[at + 2 :])
    headers = request.headers | {"Content-Length": str(len(rest))}
    answer = forward(replace(request, body=rest, headers=headers)) if rest else None
    items = json.loads(answer.body)["items"] if answer else []
    error = {"type": "mapper_parsing_exception", "reason": "not today"}
    items.insert(at // 2, {"update": {"_id": "a", "status": 400, "error": error}})
    return Answer(200, {"Content-Type": "application/json"}, json.dumps({"items": items}).encode())


class Stop(threading.Event):
    """Set after so many waits."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._left = after

    def wait(self, timeout: float | None = None) -> bool:
        self._left -= 1
        if not self._left:
            self.set()
        return super().wait(timeout)


def test_what_nobody_else_writes_cannot_be_followed(tmp_path: Path) -> None:
    store = open_engine(f"sqlite:///{tmp_path / 'news.db'}")
    with closing(store) as engine, pytest.raises(ConfigError, match="written by dup-groups only"):
        Groupers(engine)
