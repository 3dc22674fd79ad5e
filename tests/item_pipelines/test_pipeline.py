"""The Scrapy pipeline: every kind of item, every way to end, one count each, and nothing waits for ever."""

import asyncio
import json
import multiprocessing
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pydantic
import pytest
import scrapy
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError, EngineError
from dupgroups.flow.dead_letters import loads
from dupgroups.flow.ingest import Ingestor
from dupgroups.scrapy import STATES, DupGroupsPipeline
from dupgroups.scrapy.batcher import Batcher
from dupgroups.scrapy.fields import ItemFields
from dupgroups.scrapy.pipeline_settings import PipelineSettings
from dupgroups.scrapy.signers import Signers
from processes import ask_loopback, free_port
from stories import story


class Stats(dict):
    """Scrapy's stats collector, as far as the pipeline knows it."""

    def inc_value(self, key, count=1, start=0):
        self[key] = self.get(key, start) + count

    set_value = dict.__setitem__

    def states(self) -> Counter[str]:
        return +Counter({state: self.get(f"dupgroups/item/{state}", 0) for state in STATES})


class Troubled(SQLiteEngine):
    """`refused` ids fail alone, a `poison` id fails the whole call, `away` fails every call for a while."""

    def __init__(self, refused=(), poison=(), away=0):
        super().__init__(EngineURL.parse("memory://"))
        self.refused, self.poison, self.away = set(refused), set(poison), away
        self.batches: list[int] = []
        self.settles = 0
        self.closed = False

    def put(self, documents, **rest):
        ids = {document.record.id for document in documents}
        if self.away:
            self.away -= 1
            raise EngineError("the server is away", failures={"": "connection refused"}, temporary=True)
        if ids & self.poison:
            raise EngineError("the whole call was refused", failures={"": "bad request"})
        super().put([document for document in documents if document.record.id not in self.refused], **rest)
        self.batches.append(len(documents))
        if refused := ids & self.refused:
            raise EngineError("refused", failures=dict.fromkeys(refused, "a field cannot be mapped"))

    def mark_settled(self, backlog):
        self.settles += 1
        super().mark_settled(backlog)

    def close(self):
        self.closed = True


def run(
    items: list[Any],
    tmp_path: Path,
    engine: SQLiteEngine | None = None,
    *,
    cancel=(),
    deduper: type[Deduper] = Deduper,
    **given: Any,
):
    """All items through one pipeline at the same time; returns (what came out, stats, engine)."""
    engine = engine or Troubled()
    stats = Stats()
    wanted = PipelineSettings(**{"dead_letters": tmp_path / "dead.jsonl", "batch_seconds": 0.02, **given})
    pipeline = DupGroupsPipeline(wanted, stats, lambda: deduper(engine, wanted.config))

    async def crawl():
        await pipeline.open_spider()
        tasks = [asyncio.create_task(pipeline.process_item(item)) for item in items]
        await asyncio.sleep(0)
        for number in cancel:
            tasks[number].cancel()
        out = await asyncio.gather(*tasks, return_exceptions=True)
        await pipeline.close_spider()
        return out

    out = asyncio.run(asyncio.wait_for(crawl(), 60))
    assert stats.get("dupgroups/items", 0) == len(items)
    assert sum(stats.states().values()) == len(items)
    return out, stats, engine


# -- kinds of items


@dataclass
class DataItem:
    url: str
    text: str
    dup_group: str | None = None
    dup_state: str | None = None


class FrozenItem(pydantic.BaseModel, frozen=True):
    url: pydantic.AnyHttpUrl
    text: str
    dup_group: int | None = None


@pytest.mark.parametrize("kind", [dict, DataItem, FrozenItem], ids=lambda kind: kind.__name__)
def test_every_kind_of_item_passes_and_carries_its_group_where_it_has_room(kind, tmp_path):
    items = [kind(url=f"https://{host}.example/a", text=story("x")) for host in ("one", "two")]
    out, stats, engine = run(items, tmp_path)
    assert all(after is before for after, before in zip(out, items, strict=True))
    assert stats.states() == {"new": 1, "joined": 1}
    (group,) = {document.record.group for document in engine.scan()}
    values = [item["dup_group"] if kind is dict else item.dup_group for item in items]
    assert values == [None if kind is FrozenItem else group] * 2


def test_results_and_other_names(tmp_path):
    names = ItemFields({"text": "body", "id": "key", "dup_group": "story", "dup_state": "how"})
    items = [{"body": story("x"), "key": 7}, {"body": story("x"), "key": "8"}, {"text": "elsewhere"}]
    run(items, tmp_path, fields=names)
    assert [(item.get("story"), item.get("dup_id"), item["how"]) for item in items] == [
        ("7", "7", "new"),
        ("7", "8", "joined"),
        (None, None, "passed"),
    ]
    assert all({"story", "dup_id", "how"} <= set(item) for item in items)


def test_an_item_has_a_declared_source_only_where_its_field_is_named():
    item = {"text": "Fog.", "source": "AP"}
    assert [ItemFields(names).page(item).source for names in ({}, {"source": "source"})] == [None, "AP"]


def test_an_item_without_room_for_its_group_is_told_of_once_for_its_class(tmp_path, caplog):
    class Bare(scrapy.Item):
        url, text, dup_id = scrapy.Field(), scrapy.Field(), scrapy.Field()

    bare = [Bare(url=f"https://{host}.example/a", text=story("x")) for host in ("one", "two")]
    run([*bare, DataItem("https://three.example/a", story("x"))], tmp_path)
    assert caplog.text.count("Bare does not take dup_group, dup_state: declare the fields") == 1
    assert "DataItem does not take" not in caplog.text


def test_a_crawl_does_not_start_with_an_engine_that_can_store_nothing(tmp_path):
    engine = Troubled()
    engine.version = lambda: open_engine("nonsense://")
    with pytest.raises(ConfigError, match="nonsense"):
        run(texts(1), tmp_path, engine)
    assert list(engine.scan()) == []


# -- items of other kinds


def test_a_configured_field_that_no_item_has_is_reported_once(tmp_path, caplog):
    run(texts(3), tmp_path, fields=ItemFields({"url": "link"}))
    assert caplog.text.count("has the field 'link' (url) that DUPGROUPS_FIELDS names") == 1
    assert "the last one has the fields id, text" in caplog.text


def test_fields_are_dropped_after_storing_so_that_json_feeds_can_be_written(tmp_path):
    page = b"<html><body>" + f"<p>{story('x')}</p>".encode() * 3
    items = [{"url": "https://a.example/2026/03/04/story", "html": page}, {"html": b"<p>menu"}, {"html": 5}]
    items.append(DataItem("https://a.example/b", story("y")))
    _, stats, _ = run(items, tmp_path, drop_fields=("html", "text", "absent"))
    assert stats.states() == {"new": 2, "not_article": 1, "failed": 1}
    assert [item["dup_state"] for item in items[:3]] == ["new", "not_article", "failed"]
    assert ["html" in item for item in items[:3]] == [False, False, True], "what was not stored keeps all"
    assert items[3].text is None
    json.dumps(items[:2])


# -- batches


def texts(count: int, size: int = 0) -> list[dict[str, Any]]:
    return [{"id": str(number), "text": story(f"s{number}") + "x " * (size // 2)} for number in range(count)]


def test_a_batch_is_stored_when_it_is_full_or_large_or_its_time_has_come(tmp_path):
    async def batches(*bounds):
        ingestor = Ingestor(Deduper(engine := Troubled()), tmp_path / "dead.jsonl")
        signed = [ingestor.sign(Page(**item)) for item in texts(4, 600)]  # before the clock starts
        with ThreadPoolExecutor(1) as thread:
            await asyncio.wait_for(asyncio.gather(*map(Batcher(ingestor, thread, *bounds).add, signed)), 60)
        return engine.batches

    assert asyncio.run(batches(2, 9_999, 99.0)) == asyncio.run(batches(50, 2_500, 99.0)) == [2, 2]
    assert asyncio.run(batches(50, 9_999, 0.05)) == [4]


def test_groups_are_settled_during_the_crawl_and_closing_stores_what_waits(tmp_path):
    engine, stats = Troubled(), Stats()
    wanted = PipelineSettings(regroup_seconds=0.02, dead_letters=tmp_path / "d", batch_seconds=0.5)
    pipeline = DupGroupsPipeline(wanted, stats, lambda: Deduper(engine))

    async def crawl():
        await pipeline.open_spider()
        first, *others = texts(3)
        await pipeline.process_item(first)
        while engine.settles < 3:
            await asyncio.sleep(0.01)
        tasks = [asyncio.create_task(pipeline.process_item(item)) for item in others]
        await asyncio.sleep(0)
        await pipeline.close_spider()
        await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(crawl(), 20))
    assert (stats.states(), stats["dupgroups/batches"]) == ({"new": 3}, len(engine.batches))
    assert engine.closed


def test_documents_are_stored_in_the_order_of_their_items_whoever_is_signed_first(tmp_path, monkeypatch):
    """Every second page is signed by a process, and sooner than those before it."""
    here = Deduper("memory://")

    async def sign(crew, page):
        number = int(page.id)
        await asyncio.sleep((9 - number) / 500)
        return (here.sign(page), 0.0) if number % 2 else None

    monkeypatch.setattr(Signers, "sign", sign)
    _, _, engine = run(texts(9), tmp_path, batch_items=4)
    found = sorted((document.record for document in engine.scan()), key=lambda record: record.age)
    assert [int(record.id) for record in found] == list(range(9))


def test_pages_are_signed_by_processes_once_there_are_many_and_a_killed_worker_loses_none():
    here, many = Deduper("memory://"), [Page(**item) for item in texts(24)]
    before = {*multiprocessing.active_children()}  # of a test that has ended, and they will

    async def sign():
        crew = Signers(2, Config(), many[:1], start_after=3)
        assert [await crew.sign(page) for page in many[:2]] == [None, None]
        assert {*multiprocessing.active_children()} <= before, "a small crawl starts no process"
        while not (signed := await crew.sign(many[2])):
            await asyncio.sleep(0.01)
        assert signed[0] == here.sign(many[2])
        on_their_way = [asyncio.create_task(crew.sign(page)) for page in many]
        await asyncio.sleep(0)
        for worker in {*multiprocessing.active_children()} - before:
            worker.kill()
        results = await asyncio.gather(*on_their_way)
        await crew.close()
        return results

    results = asyncio.run(sign())
    assert all(done is None or done[0] == here.sign(page) for page, done in zip(many, results, strict=True))
    assert {*multiprocessing.active_children()} <= before


# -- trouble


def dead(tmp_path: Path) -> dict[str, str]:
    file = tmp_path / "dead.jsonl"
    letters = [loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []
    return {str(letter.page.id): letter.reason for letter in letters}


class Defective(Deduper):
    """Takes page 0 for no article, and cannot sign page 2."""

    def sign(self, page):
        if page.id == "2":
            raise ZeroDivisionError("a defect")
        document = super().sign(page)
        return replace(document, content=replace(document.content, article=0.35 if page.id == "0" else 0.45))


def test_pages_that_are_not_articles_or_cannot_be_signed_pass_on_but_are_not_stored(tmp_path):
    items = texts(3)
    out, stats, engine = run(items, tmp_path, deduper=Defective)
    assert out == items
    assert [item["dup_state"] for item in items] == ["not_article", "new", "dead_letter"]
    assert "a defect" in dead(tmp_path)["2"]
    assert [document.record.id for document in engine.scan()] == ["1"]
    _, stats, _ = run(texts(2), tmp_path, deduper=Defective, not_article="keep")
    assert stats.states() == {"new": 2}


@given(data=st.data())
def test_every_item_is_counted_once_whatever_happens(data, tmp_path_factory):
    kinds = st.sampled_from(["story", "same", "short", "empty", "wrong", "surrogate", "html", "no item"])
    plan = data.draw(st.lists(kinds, max_size=12))
    numbers = st.sets(st.integers(0, 12).map(str))
    engine = Troubled(data.draw(numbers), data.draw(numbers), data.draw(st.integers(0, 2)))
    cancel = data.draw(st.sets(st.integers(0, max(0, len(plan) - 1)), max_size=len(plan)))
    items = [hostile(kind, str(number)) for number, kind in enumerate(plan)]
    folder = tmp_path_factory.mktemp("dead")
    _, stats, _ = run(items, folder, engine, cancel=cancel, batch_items=data.draw(st.integers(1, 5)))
    assert stats.states()["dead_letter"] == len(dead(folder))
    stored, states = len(list(engine.scan())), stats.states()
    assert stored == len(plan) - sum(states[state] for state in ("failed", "passed", "dead_letter"))


def hostile(kind: str, name: str) -> Any:
    return {
        "story": {"id": name, "text": story(name)},
        "same": {"id": name, "text": story("same")},
        "short": {"id": name, "text": "hm"},
        "empty": {"id": name},
        "wrong": {"id": name, "html": 3.5},
        "surrogate": {"id": name, "text": "\ud800" + story(name), "url": "http://[::1"},
        "html": {"id": name, "html": b"\x00<p>" * 50 + story(name).encode() + b"\xff</b></p>"},
        "no item": name,
    }[kind]


# -- what is counted


def test_a_crawl_serves_its_metrics_while_it_runs(tmp_path):
    port = free_port()
    seen = []

    class Scraped(Troubled):
        def mark_settled(self, backlog):
            with ask_loopback(f"http://127.0.0.1:{port}/metrics") as answer:
                seen.append(answer.read().decode())
            super().mark_settled(backlog)

    (tmp_path / "dead.jsonl").write_text("{}\n")
    items = [{"url": f"https://example.org/{number}", "text": story("one")} for number in range(3)]
    run([*items, {"no": "page"}], tmp_path, Scraped(), metrics_port=port)
    [text] = seen
    assert 'dupgroups_items_total{state="passed"} 1.0' in text
    assert 'dupgroups_verdicts_total{relation="duplicate"} 3.0' in text
    assert "dupgroups_dead_letters 1.0" in text
    with pytest.raises(OSError, match="refused"):  # it ended with the crawl
        ask_loopback(f"http://127.0.0.1:{port}/metrics")
