"""Plans that others overtake: a stale one writes nothing, and it is made again until all is in its group."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.bulk.offline.page_groups import group_pages
from dupgroups.engines import Engine
from dupgroups.errors import ConflictError, EngineError
from dupgroups.flow.commit_loop import MAX_TRIES
from dupgroups.flow.deduper import Settled
from dupgroups.model import Document, Outcome, Seen
from engines.documents import document
from engines.stores import stored_in
from es_plugin.clusters import ALL_BUT_ONE
from flow.scenes import deduper, groups, page, pages, states
from stories import reprints
from watched import Watched

engine_url = stored_in(later=ALL_BUT_ONE)  # who overtakes whom, servers decide otherwise
pytestmark = pytest.mark.usefixtures("pauses")
SENTENCE = "others write faster than this: try again later"


class Overtaken(Watched):
    """A store that another writer overtakes `times` times; `between` is what it writes then.

    With `ids` only these documents are refused, and the others stored, as clusters do it.
    """

    def __init__(
        self, engine: Engine, times: int, ids: Sequence[str] | None = None, between: Sequence[Page] = ()
    ) -> None:
        super().__init__(engine, put=self._put)
        self.times, self._ids, self._between = times, ids, iter(between)

    def _put(self, documents: Sequence[Document], **rest: Any) -> None:
        if self.times <= 0:
            self.engine.put(documents, **rest)
            return
        self.times -= 1
        ids = {stored.record.id for stored in documents}
        if self._ids is not None:
            ids &= set(self._ids)
            self.engine.put([stored for stored in documents if stored.record.id not in ids], **rest)
        for written in list(self._between)[:1]:
            deduper(self.engine).add(written)
        if ids or self._ids is None:
            raise ConflictError(SENTENCE, ids=ids)


# -- the store refuses what is stale


OVERTAKING: tuple[Callable[[Engine], object], ...] = (
    lambda engine: engine.put([document("d")]),
    lambda engine: engine.delete(["a"]),
    lambda engine: engine.put([], moves={"a": "b"}),
    lambda engine: engine.put([], labels={"c": "c"}),
)


def test_a_stale_plan_writes_nothing(engine: Engine) -> None:
    for overtake in OVERTAKING:
        engine.put([document("a"), document("b"), document("c", "b")])
        seen = Seen(engine.version(), {})
        overtake(engine)
        before = list(engine.scan()), engine.resolve("abcx")
        with pytest.raises(ConflictError) as caught:
            engine.put([document("x"), document("a", "b")], moves={"b": "a"}, labels={"c": "a"}, seen=seen)
        assert (caught.value.ids, caught.value.failures, caught.value.temporary) == ({"x", "a"}, {}, True)
        assert (list(engine.scan()), engine.resolve("abcx")) == before


def test_neither_reading_nor_a_visit_overtakes_a_plan(engine: Engine) -> None:
    engine.put([document("a")])
    version = engine.version()
    engine.get(["a"]), engine.candidates([], limit=1), engine.touch(["a"], 7)
    assert engine.version() == version
    engine.put([document("b")], seen=Seen(version, {"b": None}))
    assert set(groups(engine)) == {"a", "b"}


# -- the flow plans again


def test_a_batch_that_is_overtaken_is_planned_again(engine: Engine, pauses: list[float]) -> None:
    """With what the others wrote: it joins their group."""
    store = Overtaken(engine, 3, between=pages("o"))
    adding = deduper(store)
    assert states(adding.add_all(pages("ab"))) == ["joined", "joined"]
    assert groups(engine) == {"o": "o", "a": "o", "b": "o"}
    assert (store.names.count("put"), len(pauses), adding.metrics.value("replans_total")) == (4, 3, 3)
    assert all(0 < pause < 1 for pause in pauses)


def test_only_what_was_overtaken_is_planned_again(engine: Engine) -> None:
    """The others are stored by then, and are met by what is planned again."""
    store = Overtaken(engine, 2, ids=["b"])
    assert states(deduper(store).add_all(pages("abc"))) == ["new", "joined", "joined"]
    tries = [[stored.record.id for stored in given] for given in store.given("put")]
    assert tries == [[*"abc"], ["b"], ["b"]]
    assert groups(engine) == dict.fromkeys("abc", "a")


def test_who_is_always_overtaken_fails_with_a_sentence_and_loses_nothing(engine: Engine) -> None:
    deduper(engine).add_all(pages(["old"]))
    before = groups(engine)
    store = Overtaken(engine, 99)
    outcomes = deduper(store).add_all(pages(["a", "b", "old"]))
    assert states(outcomes) == ["failed", "failed", "unchanged"]
    assert [outcome.reason for outcome in outcomes] == [SENTENCE, SENTENCE, ""]
    assert store.names.count("put") == MAX_TRIES
    assert groups(engine) == before
    store.times = 0
    assert states(deduper(store).add_all(pages("ab"))) == ["joined", "joined"]


def test_a_batch_is_written_once_though_a_group_that_it_leaves_without_a_name_is_overtaken(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    """The group gets its name with the next settling."""

    def put(documents: Sequence[Document], **rest: Any) -> None:
        if not documents and store.names.count("put") <= MAX_TRIES + 1:
            raise ConflictError(SENTENCE, ids=())
        engine.put(documents[1:], **rest)
        if documents:
            raise EngineError("refused", failures={"a": "no room"})

    store = Watched(engine, put=put)
    adding = deduper(store)
    assert states(adding.add_all(pages("abc"))) == ["failed", "joined", "joined"]
    assert [len(documents) for documents in store.given("put")] == [3, *[0] * MAX_TRIES]
    assert SENTENCE in caplog.text
    adding.regroup()
    assert groups(engine) == {"b": "b", "c": "b"}


def test_after_an_error_in_a_later_try_a_settling_names_the_groups_of_the_first(engine: Engine) -> None:
    """The third page has an id that came before, so it is tried after the others."""

    def put(documents: Sequence[Document], **rest: Any) -> None:
        if len(documents) == 1:
            raise EngineError("away")
        engine.put(documents[1:], **rest)
        if documents:
            raise EngineError("refused", failures={"a": "no room"})

    adding = deduper(Watched(engine, put=put))
    with pytest.raises(EngineError, match="away"):
        adding.add_all([*pages("ab"), page("b", "abcx")])
    adding.regroup()
    assert groups(engine) == {"b": "b"}


def test_a_page_that_is_refused_leaves_no_groups_merged(engine: Engine) -> None:
    adding = Deduper(engine, Config(linkage="closure"))
    adding.add_all([page("left", "abc"), page("right", "cde")])

    def put(documents: Sequence[Document], **rest: Any) -> None:
        engine.put([], **rest)
        if documents:
            raise EngineError("refused", failures={"bridge": "no room"})

    flow = Deduper(Watched(engine, put=put), Config(linkage="closure"))
    assert states(flow.add_all([page("bridge", "abcde")])) == ["failed"]
    assert groups(engine) == {"left": "left", "right": "right"}


# -- what is stored already


def bridged(engine: Engine) -> None:
    deduper(engine).add_all([page("left", "abc"), page("right", "cde"), page("bridge", "abcde")])
    assert set(groups(engine).values()) == {"left"}


def delete_bridge(flow: Deduper) -> None:
    flow.delete(["bridge"])


def settle_left(flow: Deduper) -> None:
    flow.regroup([list(flow.engine.get(["left"]).values())])


@pytest.mark.parametrize("step", [delete_bridge, settle_left])
@pytest.mark.parametrize("times", [2, 99], ids=["some times", "always"])
def test_a_regrouping_that_is_overtaken_is_planned_again_or_an_error_that_loses_nothing(
    engine: Engine, step: Callable[[Deduper], None], times: int
) -> None:
    bridged(engine)
    if step is settle_left:
        engine.delete(["bridge"])  # as if the death of a process had left the rest of the group
    before = groups(engine)
    store = Overtaken(engine, times, between=pages("z", "fgh"))
    if times < MAX_TRIES:
        step(deduper(store))
        assert groups(engine) == {"left": "left", "right": "right", "z": "z"}
        return
    with pytest.raises(EngineError, match="try again later"):
        step(deduper(store))
    assert groups(engine) == {**before, "z": "z"}
    assert store.names.count("put") == MAX_TRIES


def test_a_settle_that_is_overtaken_looks_at_the_records_as_they_are_by_then(engine: Engine) -> None:
    """One of them is deleted meanwhile, and another is in its group already."""

    def put(documents: Sequence[Document], **rest: Any) -> None:
        del store.faults["put"]
        deduper(engine).regroup([stale])
        deduper(engine).delete(["right"])
        raise ConflictError(SENTENCE, ids=())

    bridged(engine)
    engine.delete(["bridge"])
    stale = list(engine.get(["right"]).values())
    store = Watched(engine, put=put)
    assert deduper(store).regroup([stale]) == Settled(documents=1)
    assert groups(engine) == {"left": "left"}


def test_of_a_replacement_that_is_overtaken_the_rest_is_planned_again(engine: Engine) -> None:
    flow = deduper(engine)
    flow.add_all(pages("abc"))
    documents = engine.read([*"abc"])
    changed = Document(flow.sign(page("b", "fgh")).record, documents["b"].content)
    batch = [documents["a"], changed, documents["c"]]
    for times, tries, state in ((99, MAX_TRIES, "failed"), (2, 3, "updated")):
        store = Overtaken(engine, times, ids=["b"])
        assert states(deduper(store).committer.replace(batch)) == ["updated", state, "updated"]
        assert [len(given) for given in store.given("put")] == [3, *[1] * (tries - 1)]
    assert groups(engine) == {"a": "a", "b": "b", "c": "a"}


# -- several writers


def test_two_writers_of_one_file_reach_the_partition_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any settling: each plan rests on all that was written before."""
    monkeypatch.undo()  # now they wait for each other
    bridges = [page(f"{parts}{at}", parts) for parts in ("abc", "cde", "abcde") for at in "12"]
    made = {str(one.id): one for one in (*reprints(4, 4).values(), *bridges)}
    order = random.Random(0).sample(sorted(made), len(made))
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    start = threading.Barrier(2)

    def write(mine: Sequence[str]) -> list[Outcome]:
        with closing(open_engine(url)) as engine:
            adding = Deduper(engine)
            start.wait()
            batches = [[made[id_] for id_ in mine[at : at + 2]] for at in range(0, len(mine), 2)]
            return [outcome for batch in batches for outcome in adding.add_all(batch)]

    open_engine(url).close()
    with ThreadPoolExecutor(2) as pool:
        outcomes = [outcome for part in pool.map(write, (order[::2], order[1::2])) for outcome in part]
    assert "failed" not in states(outcomes)
    with closing(open_engine(url)) as engine:
        records = sorted(engine.get(order).values(), key=lambda record: record.age)
        assert groups(engine) == group_pages([made[record.id] for record in records], processes=1).groups
