"""What settling looks at, and what it leaves alone, on real servers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.flow.deduper import Settled
from es_plugin.clusters import ONE, servers
from flow.scenes import groups, page, wrong
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


@servers(ONE)
def test_a_writer_that_is_alone_looks_at_nothing_again(writer: Opened) -> None:
    deduper = writer()
    for copy in ("1", "2"):
        deduper.add_all(pages("a", "b", "c", copy=copy))
        assert deduper.regroup() == Settled()
    deduper.delete(["a-1"])
    assert deduper.regroup() == Settled()
    assert groups(deduper.engine)["a-2"] == "a-2"
    assert not wrong(deduper.engine, deduper.config)


@servers(ONE)
def test_only_what_others_wrote_is_looked_at(writer: Opened) -> None:
    one, two = writer(), writer()
    one.add_all(pages("a", "b", "c", copy="1"))
    two.add_all(pages("c", "d", copy="2"))
    assert one.regroup() == Settled(documents=2, groups=1)
    assert groups(one.engine)["c-2"] == "c-1"
    assert one.regroup() == Settled()


@servers(ONE)
@pytest.mark.parametrize("change", ["delete", "update"])
def test_a_bridge_that_another_writer_took_away_before_it_died(writer: Opened, change: str) -> None:
    """Who took it away did not see the document that it tied, and whoever wrote that did not look again."""
    first = writer()
    first.add_all([page("z", "cde"), page("y", "abcde")])
    first.regroup()
    first.engine.refresh()
    one, two = writer(), writer()
    one.regroup()
    two.regroup()
    assert one.add(page("x", "abc")).group == "z"
    if change == "delete":
        two.delete(["y"])
    else:
        two.add(page("y", "ghk"))
    one.regroup()
    assert groups(one.engine)["x"] == "x"
    assert not wrong(one.engine, one.config)
