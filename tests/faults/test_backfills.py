"""Backfills that die by kill -9 and are run again, and one that runs while two crawlers write."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Deduper, Page, group
from dupgroups.model.config import Config, Method, Step
from dupgroups.model.field_names import Fields
from dupgroups_es.backfill.run_directory import folders
from es_plugin.clusters import ONE, ONE_OF_EACH, ask, fill, index_of, marks, servers
from faults.processes import Worker
from faults.workers import backfill, bulk_backfill, crawl, differences, faults_left, made_pages, undo_backfill
from filtering.running import all_bare, sources

STORES = ["sqlite", *(pytest.param(name, marks=marks(name, ONE_OF_EACH)) for name in ONE_OF_EACH)]
FORMER = Config(methods={"*": Method(signer=Step("minhash", {"size": 4}))})
FIELDS = Fields(text="body")


@pytest.fixture
def chance() -> Iterator[random.Random]:
    seed = random.SystemRandom().randrange(1 << 30)
    print("seed", seed)
    return random.Random(seed)


@pytest.mark.parametrize("engine_url", STORES, indirect=True)
def test_a_store_is_signed_anew_by_backfills_that_die(engine_url: str, chance: random.Random) -> None:
    pages = made_pages(7)
    with closing(Deduper(engine_url, FORMER)) as former:
        former.add_all(pages)
    for _ in range(3):
        Worker(backfill, engine_url).kill(chance.randint(0, 4), chance.uniform(0, 0.03))
    assert Worker(backfill, engine_url).end() == 0
    assert faults_left(engine_url, pages, [str(page.id) for page in pages]) == []


def sources_of(pages: Sequence[Page]) -> dict[str, dict[str, Any]]:
    """The pages as another tool stores them."""
    return {str(page.id): {"body": page.text, "url": page.url} for page in pages}


@servers(ONE)
@pytest.mark.slow
def test_a_run_over_a_whole_index_and_its_undo_go_on_after_deaths(
    engine_url: str, tmp_path: Path, chance: random.Random
) -> None:
    pages, index = made_pages(10), index_of(engine_url)
    fill(engine_url, sources_of(pages))
    done: dict[Path, int] = {}
    for _ in range(6):
        worker = Worker(bulk_backfill, engine_url, FIELDS, tmp_path)
        killed = worker.kill(chance.randint(0, 12), chance.uniform(0, 0.05))
        if not killed or (done and not folders(tmp_path)):  # it was killed when all was done
            break
        assert {path: path.stat().st_ino for path in done} == done, "no part was done twice"
        parts = (path for path in tmp_path.glob("*/*") if path.suffix in (".signed", ".written"))
        done = {path: path.stat().st_ino for path in parts}
    else:
        assert Worker(bulk_backfill, engine_url, FIELDS, tmp_path).end() == 0
    assert folders(tmp_path) == []
    stored = sources(engine_url, index)
    groups = {id_: source["dup_group"] for id_, source in stored.items()}
    assert differences(groups, group({str(page.id): page for page in pages})) == []
    assert all_bare(stored) == sources_of(pages)
    shards = ask(engine_url, "GET", f"/{index}/_stats?level=shards")["indices"][index]["shards"]
    numbers = [copy["seq_no"]["max_seq_no"] + 1 for copies in shards.values() for copy in copies]
    assert sum(numbers) == 2 * len(pages), "no document was written twice"
    for _ in range(2):
        Worker(undo_backfill, engine_url, tmp_path).kill(chance.randint(0, 8), chance.uniform(0, 0.05))
    assert Worker(undo_backfill, engine_url, tmp_path).end() == 0
    assert sources(engine_url, index) == sources_of(pages)


@pytest.mark.parametrize("engine_url", STORES, indirect=True)
def test_two_crawlers_and_a_backfill_at_once(engine_url: str, tmp_path: Path) -> None:
    pages, dead = made_pages(9), tmp_path / "dead.jsonl"
    with closing(Deduper(engine_url, FORMER)) as former:
        former.add_all(pages[:30])
    workers = [
        Worker(crawl, engine_url, pages[10::2], dead, 3),
        Worker(crawl, engine_url, pages[11::2], dead),
        Worker(backfill, engine_url),
    ]
    assert [worker.end() for worker in workers] == [0, 0, 0]
    assert faults_left(engine_url, pages, dead=dead) == []
