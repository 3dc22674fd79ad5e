"""A writer dies at any of its writes; another process settles once; the groups are what they should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.audit import audit
from dupgroups.engines import Engine
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ALL_BUT_ONE, ONE_OF_EACH, servers
from es_plugin.mortal import Death, Mortal
from stories import story


def text(*parts: str) -> str:
    return "\n".join(story(part, 150) for part in parts)


def pages(**texts: str) -> list[Page]:
    return [Page(id=id_, text=words) for id_, words in texts.items()]


LEFT, RIGHT, BOTH = text("a", "b", "c"), text("c", "d", "e"), text("a", "b", "c", "d", "e")

Step = Callable[[Deduper], object]


def merge() -> Iterator[Step]:
    """Two groups that meet by a later page."""
    yield lambda deduper: deduper.add_all(pages(l1=LEFT, l2=LEFT, r1=RIGHT, r2=RIGHT))
    yield lambda deduper: deduper.add_all(pages(bridge=BOTH, more=LEFT))


def leave() -> Iterator[Step]:
    """The document that names a group changes its story."""
    yield lambda deduper: deduper.add_all(pages(head=LEFT, second=LEFT, third=LEFT, other=RIGHT))
    yield lambda deduper: deduper.add_all(pages(head=RIGHT))


def split() -> Iterator[Step]:
    """The document that holds a group together changes its story."""
    yield lambda deduper: deduper.add_all(pages(l1=LEFT, r1=RIGHT, bridge=BOTH, l2=LEFT, r2=RIGHT))
    yield lambda deduper: deduper.add_all(pages(bridge=text("x", "y")))


def behead() -> Iterator[Step]:
    """The document that names a group is deleted."""
    yield lambda deduper: deduper.add_all(pages(head=LEFT, second=LEFT, third=LEFT))
    yield lambda deduper: deduper.delete(["head"])


def cut() -> Iterator[Step]:
    """The document that holds a group together is deleted."""
    yield lambda deduper: deduper.add_all(pages(l1=LEFT, r1=RIGHT, bridge=BOTH, l2=LEFT, r2=RIGHT))
    yield lambda deduper: deduper.delete(["bridge"])


def settle() -> Iterator[Step]:
    """Twins of two writers that neither saw."""

    def twice(deduper: Deduper) -> None:
        with closing(Deduper(open_engine(str(deduper.engine.name) + "?refresh_interval=60s"))) as other:
            deduper.add_all(pages(l1=LEFT, r1=RIGHT, a1=text("f", "g")))
            other.add_all(pages(l2=LEFT, r2=RIGHT, bridge=BOTH, a2=text("f", "g")))
            other.settle = lambda everything=None: None  # type: ignore[assignment, return-value] # it dies

    yield twice
    yield lambda deduper: deduper.settle()


def elect() -> Iterator[Step]:
    """A better document joins a group, and becomes its head."""
    yield lambda deduper: deduper.add_all(pages(old=LEFT, second=LEFT))
    yield lambda deduper: deduper.add_all(pages(full=text("a", "b", "c", "x"), late=LEFT))


def unseat() -> Iterator[Step]:
    """The head of a group gets a shorter text of the same story."""
    yield lambda deduper: deduper.add_all(pages(old=LEFT, full=text("a", "b", "c", "x"), late=LEFT))
    yield lambda deduper: deduper.add_all(pages(full=text("a", "b")))


def vacate() -> Iterator[Step]:
    """The head of a group is deleted, and does not name it."""
    yield lambda deduper: deduper.add_all(pages(old=LEFT, full=text("a", "b", "c", "x"), late=LEFT))
    yield lambda deduper: deduper.delete(["full"])


def merge_heads() -> Iterator[Step]:
    """Two groups meet that have heads of their own, which do not name them."""
    yield lambda deduper: deduper.add_all(pages(l1=LEFT, l2=text("a", "b", "c", "x"), r1=RIGHT))
    yield lambda deduper: deduper.add_all(pages(r2=text("c", "d", "e", "y", "z")))
    yield lambda deduper: deduper.add_all(pages(bridge=BOTH))


ELECTED = (elect, unseat, vacate, merge_heads)


def config_of(steps: object) -> Config:
    return Config(head="fullest") if steps in ELECTED else Config()


def assert_well(engine: Engine, config: Config) -> None:
    wrong = [f"{check.name}: {check.detail}" for check in audit(engine, config) if not check.ok]
    assert not wrong, {document.record.id: document.record.group for document in engine.scan()}


def dies(engine_url: str, steps: Callable[[], Iterator[Step]], bulk: int, how: str) -> bool:
    """Whether the writer died at this bulk of its last step. Its engine is left as it was then."""
    *first, last = steps()
    writer = open_engine(f"{engine_url}?refresh_interval=60s")
    assert isinstance(writer, ClusterEngine)
    deduper = Deduper(writer, config_of(steps))
    for step in first:
        step(deduper)
    deduper.settle() if steps is not settle else None
    writer.cluster.client = Mortal(writer.cluster.client, bulk, how)
    try:
        last(deduper)
    except Death:
        return True
    finally:
        writer.close()
    return False


@servers(ONE_OF_EACH, later=ALL_BUT_ONE)  # the writes are those of one client or of the other
@pytest.mark.parametrize("how", ["before", "a part", "after"])
@pytest.mark.parametrize("steps", [merge, leave, split, behead, cut, settle, *ELECTED])
def test_one_settling_mends_what_a_death_left(
    engine_url: str, steps: Callable[[], Iterator[Step]], how: str
) -> None:
    for bulk in range(1, 20):
        url = f"{engine_url}-{bulk}"
        died = dies(url, steps, bulk, how)
        with closing(Deduper(url, config_of(steps))) as deduper:
            deduper.settle()
            assert_well(deduper.engine, deduper.config)  # type: ignore[arg-type]
            assert deduper.settle().documents == 0
        if not died:
            return
    raise AssertionError("so many bulks for one step")


@servers(ONE_OF_EACH)
def test_a_merge_that_died_is_mended_after_its_winner_was_merged_too(engine_url: str) -> None:
    url = f"{engine_url}?refresh_interval=60s"
    with closing(Deduper(url)) as deduper:
        deduper.add_all(pages(z=text("b", "c", "d"), a=text("d", "e", "f"), x=text("f", "g", "h")))
        deduper.engine.refresh()
    died, goes_on = Deduper(url), Deduper(url)
    assert isinstance(died.engine, ClusterEngine)
    died.engine.cluster.client = Mortal(died.engine.cluster.client, 2, "before")
    with pytest.raises(Death):
        died.add_all(pages(never=text("d", "e", "f", "g", "h")))
    died.engine.close()
    with closing(goes_on):
        assert goes_on.engine.resolve(["x"]) == {"x": "a"}
        goes_on.add_all(pages(bridge=text("b", "c", "d", "e", "f")))
        goes_on.settle()
        assert_well(goes_on.engine, goes_on.config)  # type: ignore[arg-type]
