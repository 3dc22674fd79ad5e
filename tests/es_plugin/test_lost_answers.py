"""Writes that were carried out and whose answers never came: stored once, counted once, grouped once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.audit import audit
from dupgroups.cli.replay import replay_file
from dupgroups.engines import open_engine
from dupgroups.engines.url import EngineURL
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from es_plugin.clusters import ONE, address, servers
from es_plugin.proxy import Answer, Fault, Forward, Proxy, Request, instead, lost, overdue, passing, proxy
from stories import story

LEFT, RIGHT = (("a", "b", "c"), ("c", "d", "e"))
TEXTS = {"l1": LEFT, "l2": LEFT, "l3": LEFT, "r1": RIGHT, "r2": RIGHT, "both": ("a", "b", "c", "d", "e")}
CLOSURE = Config(linkage="closure")  # a page between two groups merges them
TROUBLES: dict[str, Fault] = {"lost": lost, "overdue": overdue(1.3), "empty": instead(b"")}

Groups = dict[str, str]


@pytest.fixture
def between(engine_url: str) -> Iterator[Proxy]:
    with proxy(address(engine_url)) as running:
        yield running


def pages() -> list[Page]:
    """Two groups of reprints, and a page that brings them together."""
    return [
        Page(id=id_, text="\n".join(story(part, 150) for part in parts), url=f"https://{id_}.example/")
        for id_, parts in TEXTS.items()
    ]


def crawled(url: str, dead: Path) -> list[ItemResult]:
    """The results of the pages, crawled one by one into an engine that is settled and closed then."""
    ingestor = Ingestor(Deduper(url, CLOSURE), dead)
    results = []
    for page in pages():
        signed = ingestor.sign(page)
        assert isinstance(signed, Signed)
        results += ingestor.add([signed])
    ingestor.close()
    return results


def groups_of(url: str) -> Groups:
    with closing(open_engine(url)) as engine:
        assert [check.name for check in audit(engine, CLOSURE) if not check.ok] == []
        return {document.record.id: document.record.group for document in engine.scan()}


def through(between: Proxy, engine_url: str, number: int, options: str) -> str:
    url = EngineURL.parse(engine_url, {})
    return f"{url.kind}://127.0.0.1:{between.port}/{url.path}-{number}?refresh_interval=30s&{options}"


def at_bulk(number: int, trouble: Fault, times: int = 1) -> tuple[Fault, Callable[[], bool]]:
    """The trouble at this bulk and so many in all; and whether there was any."""
    bulks = 0

    def fault(request: Request, forward: Forward) -> Answer | None:
        nonlocal bulks
        bulks += request.path.startswith("/_bulk")
        in_trouble = request.path.startswith("/_bulk") and number <= bulks < number + times
        return (trouble if in_trouble else passing)(request, forward)

    return fault, lambda: bulks >= number


@servers(ONE)
@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_lost_answer_that_is_asked_for_again_is_not_noticed(
    engine_url: str, between: Proxy, trouble: str, tmp_path: Path
) -> None:
    dead = tmp_path / "dead.jsonl"
    expected = crawled("memory://", dead)
    for number in range(1, 20):
        between.always, happened = at_bulk(number, TROUBLES[trouble])
        results = crawled(through(between, engine_url, number, "timeout=1"), dead)
        assert results == expected, number
        assert not dead.exists()
        assert groups_of(f"{engine_url}-{number}") == dict.fromkeys(TEXTS, "l1"), number
        if not happened():
            return
    raise AssertionError("so many bulks for a few pages")


@servers(ONE)
@pytest.mark.parametrize(("trouble", "times"), [("lost", 2), ("empty", 6)])
def test_replay_and_settle_mend_what_patience_did_not_outlast(
    engine_url: str, between: Proxy, trouble: str, times: int, tmp_path: Path
) -> None:
    buried = 0
    for number in range(1, 20):
        dead = tmp_path / f"dead-{number}.jsonl"
        between.always, happened = at_bulk(number, TROUBLES[trouble], times)
        results = crawled(through(between, engine_url, number, "retries=1"), dead)
        buried += (states := [result.state for result in results]).count("dead_letter")
        assert len(dead.read_bytes().splitlines() if dead.exists() else ()) == states.count("dead_letter")
        with closing(Deduper(f"{engine_url}-{number}", CLOSURE)) as deduper:
            replay_file(dead, deduper)
            deduper.settle()
        assert not dead.exists()
        assert groups_of(f"{engine_url}-{number}") == dict.fromkeys(TEXTS, "l1"), number
        if not happened():
            assert buried
            return
    raise AssertionError("so many bulks for a few pages")
