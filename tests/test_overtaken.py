"""Plans that others overtake: a stale one writes nothing, and it is made again until all is in its group."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dupgroups import Deduper, Page, open_engine
from dupgroups.engines import Engine
from dupgroups.errors import ConflictError, EngineError
from dupgroups.flow import commit
from dupgroups.model import Document, Outcome, Record, Seen
from dupgroups.offline import group_pages
from engines.documents import document
from stories import reprints, story
from watched import Watched

SENTENCE = "others write faster than this: try again later"


def deduper(engine: object) -> Deduper:
    return Deduper(engine)  # type: ignore[arg-type]


def pages(names: str, text: str = "a") -> list[Page]:
    return [Page(id=name, text=story(text)) for name in names]


def groups(engine: Engine) -> dict[str, str]:
    engine.refresh()
    return {document.record.id: document.record.group for document in engine.scan()}


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
        for page in list(self._between)[:1]:
            deduper(self.engine).add(page)
        if ids or self._ids is None:
            raise ConflictError(SENTENCE, ids=ids)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the flow would have waited."""
    waited: list[float] = []
    monkeypatch.setattr(commit, "time", SimpleNamespace(sleep=waited.append))
    return waited


def states(outcomes: Sequence[Outcome]) -> list[str]:
    return [outcome.state for outcome in outcomes]


# -- the store refuses what is stale


def everything(engine: Engine, *names: str) -> tuple[list[Document], dict[str, str]]:
    return list(engine.scan()), engine.resolve(names)


@pytest.mark.parametrize("overtaking", ["put", "delete", "move", "label"])
def test_a_stale_plan_writes_nothing(engine: Engine, overtaking: str) -> None:
    engine.put([document("a"), document("b"), document("c", "b")])
    seen = Seen(engine.version(), {})
    match overtaking:
        case "put":
            engine.put([document("d")])
        case "delete":
            engine.delete(["a"])
        case "move":
            engine.put([], moves={"a": "b"})
        case "label":
            engine.put([], labels={"c": "c"})
    before = everything(engine, *"abcx")
    with pytest.raises(ConflictError) as caught:
        engine.put([document("x"), document("a", "b")], moves={"b": "a"}, labels={"c": "a"}, seen=seen)
    assert caught.value.ids == {"x", "a"}
    assert caught.value.failures == {}
    assert caught.value.temporary
    assert everything(engine, *"abcx") == before


@pytest.mark.parametrize("versioned", [True, False])
def test_a_plan_that_nobody_overtook_is_written(engine: Engine, versioned: bool) -> None:
    engine.put([document("a")])
    version = engine.version()
    engine.get(["a"]), engine.candidates([], limit=1), engine.touch(["a"], 7)
    assert engine.version() == version, "neither reading nor a visit overtakes a plan"
    engine.put([document("b")], seen=Seen(version, {"b": None}) if versioned else None)
    assert set(groups(engine)) == {"a", "b"}


def test_another_connection_overtakes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    with closing(open_engine(url)) as one, closing(open_engine(url)) as two:
        version = one.version()
        two.put([document("b")])
        with pytest.raises(ConflictError, match=r"shared\.db: other processes"):
            one.put([document("a")], seen=Seen(version, {}))
        assert one.get(["a"]) == {}
        one.put([document("a")], seen=Seen(one.version(), {}))
        assert set(two.get(["a", "b"])) == {"a", "b"}


# -- the flow plans again


@pytest.mark.parametrize("times", [1, 2, 7])
def test_a_batch_that_is_overtaken_is_planned_again(engine: Engine, times: int, pauses: list[float]) -> None:
    """With what the others wrote: it joins their group."""
    store = Overtaken(engine, times, between=pages("o"))
    outcomes = deduper(store).add_all(pages("ab"))
    assert states(outcomes) == ["joined", "joined"]
    assert [outcome.id for outcome in outcomes] == ["a", "b"]
    assert groups(engine) == {"o": "o", "a": "o", "b": "o"}
    assert store.names.count("put") == times + 1
    assert len(pauses) == times


def test_only_what_was_overtaken_is_planned_again(engine: Engine) -> None:
    """The others are stored by then, and are met by what is planned again."""
    store = Overtaken(engine, 2, ids=["b"])
    outcomes = deduper(store).add_all(pages("abc"))
    assert states(outcomes) == ["new", "joined", "joined"]
    assert [[stored.record.id for stored in given] for given in store.given("put")] == [
        ["a", "b", "c"],
        ["b"],
        ["b"],
    ]
    assert groups(engine) == dict.fromkeys("abc", "a")


def test_an_id_that_comes_twice_is_planned_in_its_order_all_the_same(engine: Engine) -> None:
    batch = [*pages("a"), *pages("b"), *pages("a", "other"), *pages("c")]
    assert states(deduper(Overtaken(engine, 3)).add_all(batch)) == ["new", "joined", "updated", "joined"]
    assert groups(engine) == {"a": "a", "b": "b", "c": "b"}


def test_who_is_always_overtaken_fails_with_a_sentence_and_loses_nothing(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "TRIES", 3)
    deduper(engine).add_all(pages("old"))
    before = groups(engine)
    store = Overtaken(engine, 99)
    outcomes = deduper(store).add_all([*pages("ab"), *pages("o")])
    assert states(outcomes) == ["failed", "failed", "unchanged"]
    assert [outcome.reason for outcome in outcomes] == [SENTENCE, SENTENCE, ""]
    assert store.names.count("put") == 3
    assert groups(engine) == before
    store.times = 0
    assert states(deduper(store).add_all(pages("ab"))) == ["joined", "joined"]


def test_the_last_try_counts(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "TRIES", 3)
    assert states(deduper(Overtaken(engine, 2)).add_all(pages("ab"))) == ["new", "joined"]
    assert states(deduper(Overtaken(engine, 3)).add_all(pages("cd"))) == ["failed", "failed"]


def test_what_is_refused_for_good_is_not_tried_again(engine: Engine) -> None:
    def put(documents: Sequence[Document], **rest: Any) -> None:
        names = [stored.record.id for stored in documents]
        if "bad" in names:
            engine.put([stored for stored in documents if stored.record.id == "good"], **rest)
            raise ConflictError(SENTENCE, ids=["late"], failures={"bad": "no room"})
        engine.put(documents, **rest)

    store = Watched(engine, put=put)
    outcomes = deduper(store).add_all([Page(id=name, text=story("a")) for name in ("good", "bad", "late")])
    assert [(outcome.state, outcome.reason) for outcome in outcomes] == [
        ("new", ""),
        ("failed", "no room"),
        ("joined", ""),
    ]
    assert groups(engine) == {"good": "good", "late": "good"}


# -- what is stored already


def bridged(engine: Engine) -> None:
    parts = {name: story(name, 150) for name in "abcde"}
    texts = {"left": "abc", "right": "cde", "bridge": "abcde"}
    deduper(engine).add_all(
        [Page(id=id_, text="\n".join(parts[part] for part in text)) for id_, text in texts.items()]
    )
    assert set(groups(engine).values()) == {"left"}


def test_a_delete_that_is_overtaken_is_planned_again_with_what_is_there_by_then(engine: Engine) -> None:
    bridged(engine)
    store = Overtaken(engine, 2, between=pages("z"))
    deduper(store).delete(["bridge"])
    assert groups(engine) == {"left": "left", "right": "right", "z": "z"}


def delete_bridge(deduper: Deduper) -> None:
    deduper.delete(["bridge"])


def settle_left(deduper: Deduper) -> None:
    deduper.settle([list(deduper.engine.get(["left"]).values())])


@pytest.mark.parametrize("step", [delete_bridge, settle_left])
def test_a_regrouping_that_is_always_overtaken_is_an_error_and_loses_nothing(
    engine: Engine, step: Callable[[Deduper], None], monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> None:
    monkeypatch.setattr(commit, "TRIES", 4)
    bridged(engine)
    if step is settle_left:
        engine.delete(["bridge"])  # as if the death of a process had left the rest of the group
    before = groups(engine)
    store = Overtaken(engine, 99)
    with pytest.raises(EngineError, match="try again later"):
        step(deduper(store))
    assert groups(engine) == before
    assert (store.names.count("put"), len(pauses)) == (4, 3)


def test_a_settle_that_is_overtaken_looks_at_the_records_as_they_are_by_then(engine: Engine) -> None:
    bridged(engine)
    engine.delete(["bridge"])
    stale: list[Record] = list(engine.get(["right"]).values())
    store = Overtaken(engine, 1)
    assert deduper(store).settle([stale]).regrouped == 1
    assert groups(engine) == {"left": "left", "right": "right"}
    gone = Overtaken(engine, 1, between=pages("z"))
    engine.put([], labels={"right": "left"})
    assert deduper(gone).settle([stale]).regrouped == 1
    assert groups(engine) == {"left": "left", "right": "right", "z": "z"}


def test_a_replacement_that_is_overtaken_is_planned_again(engine: Engine) -> None:
    deduper(engine).add_all(pages("abc"))
    documents = engine.read([*"ab"])
    other = deduper(engine).sign(Page(id="b", text=story("other")))
    store = Overtaken(engine, 2)
    outcomes = deduper(store).replace([documents["a"], Document(other.record, documents["b"].content)])
    assert [(outcome.id, outcome.state) for outcome in outcomes] == [("a", "updated"), ("b", "updated")]
    assert groups(engine) == {"a": "a", "b": "b", "c": "a"}
    assert store.names.count("put") == 3


def test_of_a_replacement_only_what_was_overtaken_is_planned_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "TRIES", 3)
    deduper(engine).add_all(pages("abc"))
    documents = engine.read([*"abc"])
    store = Overtaken(engine, 99, ids=["b"])
    outcomes = deduper(store).replace([documents[name] for name in "abc"])
    assert states(outcomes) == ["updated", "failed", "updated"]
    assert [len(given) for given in store.given("put")] == [3, 1, 1]


# -- several writers


@pytest.mark.parametrize("seed", range(3))
def test_two_writers_of_one_file_reach_the_partition_of_one(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any settling: each plan rests on all that was written before."""
    monkeypatch.undo()  # now they wait for each other
    rng = random.Random(seed)
    parts = {name: story(name, 150) for name in "abcde"}
    bridges = {
        f"{text}{at}": "\n".join(parts[p] for p in text) for text in ("abc", "cde", "abcde") for at in "12"
    }
    made = {**reprints(4, 4), **{id_: Page(id=id_, text=text) for id_, text in bridges.items()}}
    order = rng.sample(sorted(made), len(made))
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    start = threading.Barrier(2)

    def write(mine: Sequence[str]) -> list[Outcome]:
        with closing(open_engine(url)) as engine:
            adding = Deduper(engine)
            start.wait()
            return [
                outcome
                for at in range(0, len(mine), 2)
                for outcome in adding.add_all([made[id_] for id_ in mine[at : at + 2]])
            ]

    open_engine(url).close()
    with ThreadPoolExecutor(2) as pool:
        outcomes = [outcome for part in pool.map(write, (order[::2], order[1::2])) for outcome in part]
    assert "failed" not in states(outcomes)
    with closing(open_engine(url)) as engine:
        records = sorted(engine.get(order).values(), key=lambda record: record.age)
        assert len(records) == len(order)
        assert groups(engine) == group_pages([made[record.id] for record in records], processes=1).groups
