"""A writer dies at any of its writes; another process settles once; the groups are what they should be."""

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import pytest

from dupgroups import Config, Deduper, open_engine
from dupgroups_es.base import ClusterEngine
from es_plugin.clusters import ONE_OF_EACH, servers
from flow.scenes import counted_stories, kept_stories, page, wrong

Step = Callable[[Deduper], object]


class Death(BaseException):
    """No `except Exception` survives it, as none survives kill -9."""


class Mortal:
    """A client that dies at its n-th bulk: before it, or after a part of it.

    Where the answer does not come any more, the cluster is as it is before the next one.
    """

    def __init__(self, client: Any, bulk: int, how: str) -> None:
        self._client = client
        self._left = bulk
        self._how = how

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def send(self, method: str, path: str, params: Mapping[str, str], body: Any, *, lines: bool) -> Any:
        if path != "/_bulk":
            return self._client.send(method, path, params, body, lines=lines)
        self._left -= 1
        if self._left:
            return self._client.send(method, path, params, body, lines=lines)
        if self._how == "a part":
            actions = body.split(b"\n")
            half = 1 if actions[0].startswith(b'{"delete"') else 2
            self._client.send(method, path, params, b"\n".join(actions[:half]) + b"\n", lines=lines)
        raise Death


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
    "who holds a group together is deleted": (BRIDGED, delete("bridge")),
    "twins of two writers are settled": (two_writers, lambda deduper: deduper.regroup()),
}
ELECTED: dict[str, tuple[Step, Step]] = {
    "a better document becomes the head": (add(old="abc", second="abc"), add(full="abcx", late="abc")),
    "the head is deleted": (add(old="abc", full="abcx", late="abc"), delete("full")),
    "two groups meet that have heads of their own": (
        add(l1="abc", l2="abcx", r1="cde", r2="cdeyz"),
        add(bridge="abcde"),
    ),
}

NOW = {"two groups meet by a later page"}  # the others write in the same ways


def dies(url: str, name: str, config: Config, bulk: int, how: str) -> bool:
    """Whether the writer died at this bulk of its last step. Its engine is left as it was then."""
    first, last = (STEPS | ELECTED)[name]
    with closing(open_engine(f"{url}?refresh_interval=60s")) as writer:
        assert isinstance(writer, ClusterEngine)
        deduper = Deduper(writer, config)
        first(deduper)
        if first is not two_writers:
            deduper.regroup()
        writer.cluster.client = Mortal(writer.cluster.client, bulk, how)
        try:
            last(deduper)
        except Death:
            return True
    return False


@servers(ONE_OF_EACH)  # the writes are those of one client or of the other
@pytest.mark.parametrize("how", ["a part", pytest.param("before", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in NOW)) for name in STEPS | ELECTED]
)
def test_one_settling_mends_what_a_death_left(engine_url: str, name: str, how: str) -> None:
    config = Config(head="fullest") if name in ELECTED else Config()
    for bulk in range(1, 20):
        died = dies(f"{engine_url}-{bulk}", name, config, bulk, how)
        with closing(Deduper(f"{engine_url}-{bulk}", config)) as deduper:
            deduper.regroup()
            assert wrong(deduper.engine, config) == []
            assert kept_stories(deduper.engine) == counted_stories(deduper.engine)
            assert deduper.regroup().documents == 0
        if not died:
            assert bulk > 1
            return
    raise AssertionError("so many bulks for one step")
