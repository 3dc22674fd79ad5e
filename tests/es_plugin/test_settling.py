"""What settling looks at, and what it leaves alone, on real servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.errors import EngineError
from dupgroups.flow import Settled
from dupgroups.model import Record, Signature
from dupgroups_es import queries
from dupgroups_es.base import ClusterEngine
from dupgroups_es.cluster import Written
from dupgroups_es.transport import Action
from es_plugin.clusters import ONE, ask, index_of, servers
from es_plugin.groups import groups, page
from stories import story

Opened = Callable[[], Deduper]


@pytest.fixture
def writer(engine_url: str) -> Iterator[Opened]:
    """Opens writers that see nothing of each other before somebody refreshes the index."""
    with ExitStack() as stack:

        def opened(config: Config | None = None) -> Deduper:
            engine = stack.enter_context(closing(open_engine(f"{engine_url}?refresh_interval=600s&shards=2")))
            return Deduper(engine, config)

        yield opened


def pages(*names: str, copy: str) -> list[Page]:
    return [Page(id=f"{name}-{copy}", text=story(name)) for name in names]


def wrong(deduper: Deduper) -> list[str]:
    return [check.detail for check in audit(deduper.engine, deduper.config) if not check.ok]  # type: ignore[arg-type]


@servers(ONE)
def test_a_writer_that_is_alone_looks_at_nothing_again(writer: Opened) -> None:
    deduper = writer()
    for copy in ("1", "2"):
        deduper.add_all(pages("a", "b", "c", copy=copy))
        assert deduper.settle() == Settled()
    deduper.delete(["a-1"])
    assert deduper.settle() == Settled()
    assert groups(deduper.engine)["a-2"] == "a-2"
    assert not wrong(deduper)


@servers(ONE)
def test_only_what_others_wrote_is_looked_at(writer: Opened) -> None:
    one, two = writer(), writer()
    one.add_all(pages("a", "b", "c", copy="1"))
    two.add_all(pages("c", "d", copy="2"))
    looked_up: list[Signature] = []
    find = one.engine.candidates

    def candidates(signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        looked_up.extend(signatures)
        return find(signatures, limit=limit)

    one.engine.candidates = candidates  # type: ignore[method-assign]
    assert one.settle() == Settled(documents=2, groups=1)
    assert len(looked_up) == 2, "those that others wrote; what they touch has the same signature here"
    assert groups(one.engine)["c-2"] == "c-1"
    assert one.settle() == Settled()
    assert len(looked_up) == 2


def just_before_its_write(deduper: Deduper, meanwhile: Callable[[], object]) -> None:
    """Do something between the look and the first write of a writer."""
    put = deduper.engine.put

    def late(*arguments: Any, **options: Any) -> None:
        deduper.engine.put = put  # type: ignore[method-assign]
        meanwhile()
        put(*arguments, **options)

    deduper.engine.put = late  # type: ignore[method-assign]


@servers(ONE)
def test_a_twin_is_found_that_a_third_process_settled_between_look_and_write(writer: Opened) -> None:
    slow, quick, third = writer(), writer(), writer()
    just_before_its_write(slow, lambda: (quick.add_all(pages("a", copy="quick")), third.settle()))
    slow.add_all(pages("a", copy="slow"))
    slow.settle()
    assert len(set(groups(slow.engine).values())) == 1
    assert not wrong(slow)


@servers(ONE)
def test_what_a_write_left_half_done_is_looked_at_by_the_writer_itself(writer: Opened) -> None:
    deduper = writer()
    deduper.add_all(pages("a", "b", copy="1"))
    deduper.settle()
    assert isinstance(deduper.engine, ClusterEngine)
    cluster, write = deduper.engine.cluster, deduper.engine.cluster.write

    def broken(actions: Sequence[Action]) -> Written:
        if any(action.operation == "index" for action in actions):  # documents, after the members that move
            raise EngineError("the server went away", temporary=True)
        return write(actions)

    cluster.write = broken  # type: ignore[method-assign]
    with pytest.raises(EngineError, match="went away"):
        deduper.add_all(
            [Page(id="bridge", text=f"{story('a')}\n{story('b')}"), Page(id="a-2", text=story("a"))]
        )
    cluster.write = write  # type: ignore[method-assign]
    deduper.settle()
    assert groups(deduper.engine) == {"a-1": "a-1", "b-1": "b-1"}
    assert not wrong(deduper)


@servers(ONE)
def test_two_writers_of_one_document_leave_one_of_them_whole(writer: Opened) -> None:
    one, two = writer(), writer()
    just_before_its_write(one, lambda: two.add(page("same", "fgh")))
    outcome = one.add(page("same", "abc"))
    assert (outcome.state, outcome.group) == ("updated", "same")  # it was new when it was looked up
    [record] = one.engine.get(["same"]).values()
    assert record.first_seen < record.last_seen


@servers(ONE)
def test_an_index_without_marks_is_looked_at_once(writer: Opened, engine_url: str) -> None:
    first = writer()
    first.add_all(pages("a", "b", copy="1"))
    first.settle()
    ask(engine_url, "DELETE", f"/dup-groups-{index_of(engine_url)}-settled")
    assert writer().settle().documents == 2
    assert writer().settle() == Settled()


@servers(ONE)
def test_a_document_of_others_that_came_again_is_looked_at(writer: Opened) -> None:
    died, goes_on = writer(), writer()
    died.add_all(pages("a", copy="1"))
    goes_on.add_all(pages("a", copy="2"))
    assert [outcome.state for outcome in goes_on.add_all(pages("a", copy="1"))] == ["unchanged"]
    assert goes_on.settle() == Settled(documents=2, groups=1)  # its own as well: somebody else's was changed
    assert set(groups(goes_on.engine).values()) == {"a-1"}
    assert not wrong(goes_on)


@servers(ONE)
def test_a_document_of_others_that_moved_with_its_group_is_looked_at(writer: Opened) -> None:
    closure = Config(linkage="closure")
    died, goes_on = writer(closure), writer(closure)
    goes_on.add(page("oldest", "cde"))
    died.add(page("both", "abcde"))
    goes_on.add(page("left", "abc"))
    died.engine.refresh()
    assert goes_on.add(page("right", "cde")).state == "merged"
    goes_on.settle()
    assert set(groups(goes_on.engine).values()) == {"oldest"}
    assert not wrong(goes_on)


@servers(ONE)
def test_what_is_settled_is_seen_by_the_next_process_before_the_index_refreshes(writer: Opened) -> None:
    first = writer()
    first.add_all(pages("a", copy="1"))
    assert first.settle() == Settled()  # it is alone, and looks at nothing
    following = writer()
    assert [outcome.group for outcome in following.add_all(pages("a", copy="2"))] == ["a-1"]
    following.settle()
    assert not wrong(following)


@servers(ONE)
def test_a_document_that_came_again_before_a_settling_can_still_leave_its_group(writer: Opened) -> None:
    average = Config(linkage="average")
    stored = [
        page(id_, parts)
        for id_, parts in {"l1": "abc", "both": "abcde", "r1": "cde", "r2": "cde", "r3": "cde"}.items()
    ]
    first = writer(average)
    first.add_all(stored)
    first.settle()
    assert set(groups(first.engine).values()) == {"l1"}
    crawler = writer(average)
    crawler.add_all(stored)  # writes when they were last seen, which no search shows yet
    crawler.settle()
    crawler.add(page("l2", "abc"))
    left, right = dict.fromkeys(("l1", "both", "l2"), "l1"), dict.fromkeys(("r1", "r2", "r3"), "r1")
    assert groups(crawler.engine) == left | right
    assert not wrong(crawler)


@servers(ONE)
@pytest.mark.parametrize("change", ["delete", "update"])
def test_a_bridge_that_another_writer_took_away_before_it_died(writer: Opened, change: str) -> None:
    """Who took it away did not see the document that it tied, and whoever wrote that did not look again."""
    first = writer()
    first.add_all([page("z", "cde"), page("y", "abcde")])
    first.settle()
    first.engine.refresh()
    one, two = writer(), writer()
    one.settle()
    two.settle()
    assert one.add(page("x", "abc")).group == "z"
    if change == "delete":
        two.delete(["y"])
    else:
        two.add(page("y", "ghk"))
    one.settle()
    assert groups(one.engine)["x"] == "x"
    assert not wrong(one)


@servers(ONE)
def test_a_page_that_came_again_is_where_others_moved_it(writer: Opened) -> None:
    """Not where this process left it: what it holds of its own writes is no longer what the index holds."""
    one, two = writer(), writer()
    one.add_all([page("x", "abc")])
    two.engine.refresh()
    assert two.add(page("y", "abc")).group == "x"
    [signature] = {record.signature for record in two.engine.get(["x"]).values()}
    two.engine.put([], labels={"x": "y"})
    assert one.add(page("x", "abc")).state == "unchanged"
    one.engine.refresh()
    [found] = one.engine.candidates([signature], limit=5)
    assert {record.id: record.group for record in found}["x"] == "y"


def members(deduper: Deduper, limit: int) -> list[str]:
    return [record.id for record in deduper.engine.members(["c0"], limit=limit)["c0"]]


@servers(ONE)
def test_in_place_of_members_that_left_their_group_since_the_refresh_the_next_ones_are_read(
    writer: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page by page, whether this process moved them or another one."""
    monkeypatch.setattr(queries, "PAGE", 3)
    one, two = writer(), writer()
    two.add_all([Page(id=f"c{number}", text=story("a")) for number in range(10)])
    one.engine.refresh()
    one.engine.put([], labels={"c2": "c2", "c3": "c2"})
    two.engine.put([], labels={"c1": "c1", "c4": "c1", "c5": "c1"})
    assert members(one, 4) == ["c0", "c6", "c7", "c8"]
    assert members(one, 9) == ["c0", "c6", "c7", "c8", "c9"]
