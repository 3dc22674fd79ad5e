"""Writes that were carried out and whose answers never came: stored once, counted once, grouped once."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from dupgroups import Config, Deduper
from dupgroups.bulk.audit import audit
from dupgroups.engines import open_engine
from dupgroups.flow.ingest import Ingestor, ItemResult, Signed
from es_plugin.clusters import ONE, servers
from es_plugin.groups import groups, page
from es_plugin.proxy import Answer, Forward, Proxy, Request, lost, passing, through

PARTS = {"l1": "abc", "l2": "abc", "l3": "abc", "r1": "cde", "r2": "cde", "both": "abcde"}
CLOSURE = Config(linkage="closure")  # a page between two groups merges them


def crawled(url: str, dead: Path) -> list[ItemResult]:
    """The results of the pages, crawled one by one into an engine that is settled and closed then."""
    ingestor = Ingestor(Deduper(url, CLOSURE), dead)
    results = []
    for id_, parts in PARTS.items():
        signed = ingestor.sign(page(id_, parts, url=f"https://{id_}.example/"))
        assert isinstance(signed, Signed)
        results += ingestor.add([signed])
    ingestor.close()
    return results


@servers(ONE)
def test_a_lost_answer_that_is_asked_for_again_is_not_noticed(
    engine_url: str, between: Proxy, tmp_path: Path
) -> None:
    dead = tmp_path / "dead.jsonl"
    expected = crawled("memory://", dead)
    for number in range(1, 20):
        bulks = 0

        def at_bulk(request: Request, forward: Forward) -> Answer | None:
            nonlocal bulks
            bulks += request.path.startswith("/_bulk")
            is_lost = request.path.startswith("/_bulk") and bulks == number  # noqa: B023 - of this round
            return (lost if is_lost else passing)(request, forward)

        between.always = at_bulk
        url = f"{engine_url}-{number}"
        assert crawled(through(between, url, "refresh_interval=30s"), dead) == expected, number
        assert not dead.exists()
        with closing(open_engine(url)) as engine:
            assert [check.name for check in audit(engine, CLOSURE) if not check.ok] == []
            assert groups(engine) == dict.fromkeys(PARTS, "l1"), number
        if bulks < number:
            return
    raise AssertionError("so many bulks for a few pages")
