"""A writer dies at any of its writes; another process settles once; the groups are what they should be."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from dupgroups import Config, Deduper, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.engines import Engine
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ALL_BUT_ONE, ONE_OF_EACH, servers
from es_plugin.groups import groups, page
from es_plugin.mortal import Death, Mortal

Step = Callable[[Deduper], object]


def add(**parts: str) -> Step:
    """Adds documents by id; see `page` for their texts."""
    return lambda deduper: deduper.add_all([page(id_, texts) for id_, texts in parts.items()])


def delete(id_: str) -> Step:
    return lambda deduper: deduper.delete([id_])


def two_writers(deduper: Deduper) -> None:
    """Twins of two writers that neither saw; the other one dies before it settles."""
    with closing(open_engine(f"{deduper.engine.name}?refresh_interval=60s")) as other:
        add(l1="abc", r1="cde", a1="fg")(deduper)
        add(l2="abc", r2="cde", bridge="abcde", a2="fg")(Deduper(other))


BRIDGED = add(l1="abc", r1="cde", bridge="abcde", l2="abc", r2="cde")
LED = add(old="abc", full="abcx", late="abc")
STEPS: dict[str, tuple[Step, Step]] = {
    "two groups meet by a later page": (
        add(l1="abc", l2="abc", r1="cde", r2="cde"),
        add(bridge="abcde", more="abc"),
    ),
    "who names a group changes its story": (
        add(head="abc", second="abc", third="abc", other="cde"),
        add(head="cde"),
    ),
    "who holds a group together changes its story": (BRIDGED, add(bridge="xy")),
    "who names a group is deleted": (add(head="abc", second="abc", third="abc"), delete("head")),
    "who holds a group together is deleted": (BRIDGED, delete("bridge")),
    "twins of two writers are settled": (two_writers, lambda deduper: deduper.settle()),
}
ELECTED: dict[str, tuple[Step, Step]] = {
    "a better document becomes the head": (add(old="abc", second="abc"), add(full="abcx", late="abc")),
    "the head gets a shorter text": (LED, add(full="ab")),
    "the head is deleted": (LED, delete("full")),
    "two groups meet that have heads of their own": (
        add(l1="abc", l2="abcx", r1="cde", r2="cdeyz"),
        add(bridge="abcde"),
    ),
}


def assert_well(engine: Engine, config: Config) -> None:
    wrong = [f"{check.name}: {check.detail}" for check in audit(engine, config) if not check.ok]
    assert not wrong, groups(engine)


def dies(url: str, name: str, config: Config, bulk: int, how: str) -> bool:
    """Whether the writer died at this bulk of its last step. Its engine is left as it was then."""
    first, last = (STEPS | ELECTED)[name]
    with closing(open_engine(f"{url}?refresh_interval=60s")) as writer:
        assert isinstance(writer, ClusterEngine)
        deduper = Deduper(writer, config)
        first(deduper)
        if first is not two_writers:
            deduper.settle()
        writer.cluster.client = Mortal(writer.cluster.client, bulk, how)
        try:
            last(deduper)
        except Death:
            return True
    return False


@servers(ONE_OF_EACH, later=ALL_BUT_ONE)  # the writes are those of one client or of the other
@pytest.mark.parametrize("how", ["before", "a part", "after"])
@pytest.mark.parametrize("name", STEPS | ELECTED)
def test_one_settling_mends_what_a_death_left(engine_url: str, name: str, how: str) -> None:
    config = Config(head="fullest") if name in ELECTED else Config()
    for bulk in range(1, 20):
        died = dies(f"{engine_url}-{bulk}", name, config, bulk, how)
        with closing(Deduper(f"{engine_url}-{bulk}", config)) as deduper:
            deduper.settle()
            assert_well(deduper.engine, config)
            assert deduper.settle().documents == 0
        if not died:
            assert bulk > 1
            return
    raise AssertionError("so many bulks for one step")


@servers(ONE_OF_EACH)
def test_a_merge_that_died_is_mended_after_its_winner_was_merged_too(engine_url: str) -> None:
    url = f"{engine_url}?refresh_interval=60s"
    with closing(Deduper(url)) as deduper:
        add(z="bcd", a="def", x="fgh")(deduper)
        deduper.engine.refresh()
    died, goes_on = Deduper(url), Deduper(url)
    assert isinstance(died.engine, ClusterEngine)
    died.engine.cluster.client = Mortal(died.engine.cluster.client, 2, "before")
    with pytest.raises(Death):
        add(never="defgh")(died)
    died.engine.close()
    with closing(goes_on):
        assert goes_on.engine.resolve(["x"]) == {"x": "a"}
        add(bridge="bcdef")(goes_on)
        goes_on.settle()
        assert_well(goes_on.engine, goes_on.config)
