"""What only an index can do to us: shards, late refreshes, moves over many pages, mappings of others."""

import random
from collections.abc import Callable
from contextlib import closing

import pytest

from dupgroups import Deduper
from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import ConfigError, EngineError
from dupgroups.model import Document, Query
from dupgroups_es.base import ClusterEngine
from dupgroups_es.lookups import CROWDED_HOLDERS
from dupgroups_es.mapping import MAPPING_VERSION
from engines.documents import document, signature
from es_plugin.clusters import ALL, ONE, ONE_OF_EACH, ask, index_of, servers
from flow.scenes import groups, page

Opened = Callable[[str], ClusterEngine]

WORDS = "ferry harbour storm council budget bridge museum strike election drought".split()


def many() -> list[Document]:
    """Documents of 80 groups, in words that return often."""
    rng = random.Random(0)
    return [
        document(
            f"d{place:03}",
            f"d{place % 80:03}",
            seen=place + 1,
            text=" ".join(rng.choices(WORDS, k=rng.randint(3, 30))),
            date=f"2026-01-{rng.randint(1, 28):02}",
            language=rng.choice(["en", "zh"]),
            site=rng.choice(["A", "B", "C"]),
        )
        for place in range(300)
    ]


@servers(ALL)
def test_three_shards_collapse_as_one(engine_url: str, opened: Opened) -> None:
    engine, reference = opened(f"{engine_url}?shards=3"), SQLiteEngine()
    for store in (engine, reference):
        store.put(many())
        store.refresh()
    shards = ask(engine_url, "GET", f"/_cat/shards/{index_of(engine_url)}?format=json&h=prirep,docs")
    assert sum(int(shard["docs"]) > 0 for shard in shards if shard["prirep"] == "p") == 3
    for query in (
        Query(limit=1000),
        Query("storm bridge", limit=1000, language="en"),
        Query("ferry", limit=1000, mode="head"),
        Query("ferry", limit=1000, site="A", mode="all"),
    ):
        got, wanted = engine.search(query), reference.search(query)
        assert sorted((hit.group, hit.size) for hit in got.hits) == sorted(
            (hit.group, hit.size) for hit in wanted.hits
        )
        assert (got.stories, got.documents, got.facets) == (wanted.stories, wanted.documents, wanted.facets)
        assert got.exact
    details = {check.name: check.detail for check in engine.check()}
    assert details["main copies"] == "80 groups, all with their main copy"
    query = Query("ferry", limit=20, offset=10, sort="copies")
    got, wanted = engine.search(query), reference.search(query)
    assert [(hit.group, hit.matching) for hit in got.hits] == [
        (hit.group, hit.matching) for hit in wanted.hits
    ]


@servers(ONE_OF_EACH)
def test_who_only_reads_makes_no_index(engine_url: str) -> None:
    with closing(open_engine(engine_url, must_exist=True)) as reader:
        with pytest.raises(ConfigError, match=f"there is no index or alias '{index_of(engine_url)}'"):
            reader.search(Query())
        assert [check.name for check in reader.check() if not check.ok] == []
    assert ask(engine_url, "GET", f"/{index_of(engine_url)}*/_settings?expand_wildcards=all") == {}


def wrong(engine: ClusterEngine) -> dict[str, str]:
    return {check.name: check.detail for check in engine.check() if not check.ok}


@servers(ONE)
def test_doctor_names_a_setting_that_hides_documents_or_spoils_groups(
    engine_url: str, opened: Opened
) -> None:
    engine = opened(engine_url)
    engine.put([document("a")])
    for setting, value, line, problem in (
        ("refresh_interval", "-1", "refresh interval", "never become visible"),
        ("max_result_window", "100", "max_result_window", "set it to 10000"),
        ("search.concurrent_segment_search.mode", "all", "concurrent segment search", "wrong groups"),
    ):
        for given, named in ((value, [line]), (None, [])):
            ask(engine_url, "PUT", f"/{index_of(engine_url)}/_settings", {f"index.{setting}": given})
            found = wrong(engine)
            assert list(found) == named
            assert problem in found.get(line, problem)


@servers(ONE_OF_EACH)
def test_too_small_a_window_of_results_is_one_sentence(engine_url: str, opened: Opened) -> None:
    engine = opened(engine_url)
    engine.put([document("a")])
    ask(engine_url, "PUT", f"/{index_of(engine_url)}/_settings", {"index.max_result_window": 100})
    with pytest.raises(EngineError, match=r"at once: set index\.max_result_window to 10000 or more$"):
        engine.search(Query(offset=90, limit=20))


@servers(ALL)
def test_an_external_index_is_not_written_to(engine_url: str, opened: Opened) -> None:
    index = index_of(engine_url)
    ask(engine_url, "PUT", f"/{index}", {"mappings": {"properties": {"dup_group": {"type": "text"}}}})
    ask(engine_url, "PUT", f"/{index}/_doc/1?refresh=true", {"body": "hello"})
    engine = opened(engine_url)
    with pytest.raises(EngineError, match=r"not created by dup-groups.*dup-groups backfill"):
        engine.put([document("a")])
    problems = wrong(engine)
    assert "dup_group is mapped as text" in problems["mapping"]
    assert "not created by dup-groups" in problems["writable"]
    assert problems["documents"].startswith("1 without dup_group")


@servers(ONE_OF_EACH)
def test_a_plain_index_and_an_alias_with_an_index_of_other_tools_are_explained(
    engine_url: str, opened: Opened
) -> None:
    index = index_of(engine_url)
    opened(engine_url).put([document("a")])
    with pytest.raises(EngineError, match=r"is an index: give its alias"):
        opened(f"{engine_url}-000001").put([document("b")])
    ask(engine_url, "PUT", f"/{index}-2", {"aliases": {index: {}}})
    with pytest.raises(EngineError, match=r"-2' was not created by dup-groups"):
        opened(engine_url).put([document("b")])


@servers(ONE)
def test_an_index_of_another_version_is_left_alone(engine_url: str, opened: Opened) -> None:
    opened(engine_url).put([document("a")])
    other = {"_meta": {"dup_groups": {"version": MAPPING_VERSION + 1}}}
    ask(engine_url, "PUT", f"/{index_of(engine_url)}/_mapping", other)
    with pytest.raises(EngineError, match=r"another version of dup-groups \(version 2 of its mapping"):
        opened(engine_url).put([document("b")])
    assert "another version" in wrong(opened(engine_url))["writable"]


@servers(ONE_OF_EACH)
def test_of_a_crowd_the_first_holders_are_met_and_all_of_other_keys(engine_url: str, opened: Opened) -> None:
    engine, template = opened(engine_url), ["k", "l"]
    engine.put([document(f"d{place:04}", keys=template) for place in range(3 * CROWDED_HOLDERS)])
    engine.put([document("near", keys=[*template, "rare"]), document("other", keys=["rare"])])
    engine.refresh()
    for _ in range(2):  # the first learns which keys are crowded
        (found,) = engine.candidates([signature(*template, "rare")], limit=2)
        assert found[0].id == "near"
        assert found[1].signature.keys == tuple(template)
    (found,) = engine.candidates([signature("rare")], limit=9)
    assert [record.id for record in found] == ["near", "other"]


@servers(ONE_OF_EACH)
def test_a_page_whose_id_is_too_long_for_a_cluster_fails_without_its_copies(engine_url: str) -> None:
    with closing(Deduper(engine_url)) as adding:
        outcomes = adding.add_all([page("x" * 600, "abc"), page("b", "abc"), page("c", "abc")])
        assert [outcome.state for outcome in outcomes] == ["failed", "new", "joined"]
        assert "its id has 600 bytes" in outcomes[0].reason
        assert groups(adding.engine) == {"b": "b", "c": "b"}
