"""What is near a text in an index: one search, and nothing is written."""

from collections.abc import Callable
from typing import Any

from dupgroups import Deduper, Page
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ALL, ONE_OF_EACH, ask, index_of, servers
from es_plugin.proxy import Proxy, through
from stories import round_up, running_text, story


def written(engine_url: str) -> dict[str, Any]:
    """The sequence numbers of all indices of the test, which count every write."""
    index = index_of(engine_url)
    stats = ask(engine_url, "GET", f"/{index}*,dup-groups-{index}*/_stats?level=shards&expand_wildcards=all")
    return {
        name: [[copy["seq_no"]["max_seq_no"] for copy in copies] for copies in found["shards"].values()]
        for name, found in stats["indices"].items()
    }


@servers(ONE_OF_EACH)
def test_a_text_is_looked_up_in_one_search_and_nothing_is_written(
    engine_url: str, between: Proxy, opened: Callable[[str], ClusterEngine]
) -> None:
    first = Deduper(opened(engine_url))
    first.add_all([Page(id="a", text=story("a")), Page(id="all", text=round_up())])
    first.regroup()
    first.show()
    store = Deduper(opened(through(between, engine_url)))
    store.find(story("nobody"))  # looks what the index is like, once
    before = written(engine_url)
    between.seen.clear()
    found = store.find_all([story("a"), story("nobody")])
    assert [[(one.id, one.relation) for one in near] for near in found] == [
        [("a", "duplicate"), ("all", "contained")],
        [],
    ]
    paths = [request.path.partition("?")[0].rpartition("/")[2] for request in between.seen]
    assert paths == ["_msearch", "_mget", "_mget"], "who shares keys, their signatures, and their texts"
    assert written(engine_url) == before
    first.add(Page(id="b", text=story("b")))
    assert written(engine_url) != before


@servers(ALL)
def test_a_long_text_finds_its_parts_in_one_search_that_a_server_takes(
    engine_url: str, between: Proxy, opened: Callable[[str], ClusterEngine]
) -> None:
    parts = [running_text(f"part {number}", 20) for number in range(12)]
    store = Deduper(opened(through(between, engine_url)))
    store.add_all(Page(id=f"{number:02}", text=text) for number, text in enumerate(parts))
    store.show()
    asked = store.sign(Page(id="asked", text="\n".join(parts)))
    assert len(store.methods.part_signature(asked).keys) > 900
    between.seen.clear()
    found = store.find(asked)
    assert {(one.id, one.relation) for one in found} == {(f"{number:02}", "contains") for number in range(12)}
    assert sum("_msearch" in request.path for request in between.seen) == 1
