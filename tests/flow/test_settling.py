"""Settling finds what could not be seen before, hears what others entered, and is noted when all is done."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest

from dupgroups import Config, open_engine
from dupgroups.engines import Engine
from dupgroups.engines.base import Backlog
from dupgroups.errors import EngineError
from dupgroups.flow import corrector
from dupgroups.flow.deduper import Settled
from dupgroups.model import Correction, Document, Page, Record, Signature
from flow.scenes import CLOSURE, OTHER, A, B, X, deduper, groups, page, pages, partition, signed
from stories import story
from watched import Watched, away


def sees_nothing(signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
    return [[] for _ in signatures]


class Backlogged(Watched):
    """A store that knows by itself what may have missed its group: these documents, some at a time."""

    def __init__(self, engine: Engine, *slices: str, **faults: Callable[..., Any]) -> None:
        super().__init__(engine, backlog=self._backlog, mark_settled=self.noted.append, **faults)
        self._slices = slices

    @cached_property
    def noted(self) -> list[Backlog]:
        """What was noted as settled."""
        return []

    def _backlog(self) -> Backlog:
        return Backlog((list(self.engine.get([*ids]).values()) for ids in self._slices), "so far")


def invisible(engine: Engine, names: str) -> None:
    """Twins of one story that did not see each other when they were added."""
    adding = deduper(Watched(engine, candidates=sees_nothing))
    for name in names:
        assert adding.add(page(name, "abc")).state == "new"


@pytest.mark.parametrize("failing", ["backlog", "resolve", "members", "candidates", "version", "put"])
def test_a_failed_settle_is_not_noted_and_done_again(engine: Engine, failing: str) -> None:
    invisible(engine, "12")
    store = Backlogged(engine, "2")
    settling = deduper(store)
    working, store.faults = store.faults, {**store.faults, failing: away}
    with pytest.raises(EngineError, match="refused"):
        settling.regroup()
    assert store.noted == []
    store.faults = working
    assert settling.regroup() == Settled(documents=1, groups=1)
    assert [backlog.mark for backlog in store.noted] == ["so far"]
    assert store.names[-2:] == ["put", "mark_settled"], "noted after all is written"
    assert groups(engine) == {"1": "1", "2": "1"}


def test_a_settle_looks_at_some_at_a_time_as_they_are_by_then(engine: Engine) -> None:
    """The second slice has come to its group with the first, and a third is left as it is."""
    invisible(engine, "123")
    store = Backlogged(engine, "23", "3", "1")
    assert deduper(store).regroup() == Settled(documents=4, groups=2)
    assert store.names.count("put") == 1
    assert groups(engine) == dict.fromkeys("123", "1")


def test_a_settle_with_nothing_to_do_writes_nothing(engine: Engine) -> None:
    deduper(engine).add_all(pages("ab"))
    watched = Watched(engine)
    assert deduper(watched).regroup() == Settled()
    assert deduper(watched).regroup([list(engine.get(["a", "b"]).values())]) == Settled(documents=2)
    assert "put" not in watched.names


def test_settling_finishes_a_merge_that_left_a_member_behind_and_parts_strangers(engine: Engine) -> None:
    adding = deduper(engine, CLOSURE)
    adding.add_all([page("a", "abc"), page("b", "cde"), page("late", "cde"), page("stray", "fgh")])
    assert adding.add(page("bridge", "abcde")).state == "merged"
    for id_, group in (("late", "b"), ("stray", "a")):
        [stored] = engine.read([id_]).values()
        engine.put([Document(replace(stored.record, group=group), stored.content)])
        assert adding.regroup([list(engine.get([id_]).values())]) == Settled(documents=1, regrouped=1)
    assert groups(engine) == {**dict.fromkeys(["a", "b", "late", "bridge"], "a"), "stray": "stray"}


def test_the_copies_of_a_story_do_not_hide_its_twins_from_a_settle(engine: Engine) -> None:
    """There are as many of them as candidates are compared."""
    few = Config(candidates=3)
    deduper(engine, few).add(page("z", "abc"))
    deduper(Watched(engine, candidates=sees_nothing), few).add_all(pages("abc"))
    assert set(groups(engine).values()) == {"z", "a"}
    deduper(engine, few).regroup([list(engine.get(["b"]).values())])
    assert set(groups(engine).values()) == {"z"}


def test_with_too_many_unsettled_since_the_last_time_settling_comes_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("dupgroups.flow.deduper.MAX_NEW_DOCUMENTS", 2)
    watched = Watched(engine)
    adding = deduper(watched)
    settles = []
    for name in "abcdefghi":
        adding.add(page(name, ""))
        if name == "g":
            adding.regroup()
        settles.append(watched.names.count("backlog"))
    assert settles == [0, 0, 1, 1, 1, 2, 3, 3, 3]
    watched.faults["backlog"] = away
    with caplog.at_level(logging.WARNING):
        adding.add_all([page("late", ""), page("later", ""), page("last", "")])
    assert caplog.messages == [
        "Copies that other processes wrote are looked for with the next regrouping: connection refused"
    ]
    assert "last" in groups(engine)


# -- the end


def test_closing_lets_go_of_the_engine_whatever_fails() -> None:
    watched = Watched(open_engine("memory://"))
    adding = deduper(watched)
    watched.faults["backlog"] = away
    with pytest.raises(EngineError, match="refused"):
        adding.close()
    assert watched.names[-1] == "close"


# -- what others entered, and figures


def test_what_another_process_entered_is_carried_out_and_heard_once() -> None:
    store, heard = open_engine("memory://"), list[Sequence[Correction]]([()])

    def corrections(*, fresh: bool = False) -> Sequence[Correction]:
        if fresh:
            heard.append(store.corrections(fresh=True))
        return heard[-1]

    flow = deduper(Watched(store, corrections=corrections))
    flow.add_all([signed("a", A), signed("x", X), signed("b", B)])
    store.correct(Correction(1, "keep-apart", ("a", "b"), "ann", 1, carried_out=True))
    assert flow.regroup().documents == 2
    assert partition(store) == [["a"], ["b", "x"]]
    assert flow.regroup().documents == 0


def test_a_group_is_put_together_once_however_often_its_members_are_left() -> None:
    watched = Watched(open_engine("memory://"))
    flow = deduper(watched)
    flow.add_all([signed("a", A), signed("x", X), signed("other", OTHER)])
    a, x, other = (list(watched.get([id_]).values()) for id_ in ("a", "x", "other"))

    def looked(*batches: list[Record]) -> int:
        before = watched.names.count("members")
        flow.regroup(batches)
        return watched.names.count("members") - before

    assert looked(a, x, a) == looked(a)
    assert looked(a, other, x) == looked(a, other) > looked(a)


def test_documents_and_groups_by_name_are_put_together_anew() -> None:
    flow = deduper("memory://")
    flow.add_all([signed("a", A), signed("x", X)])
    store = flow.engine
    store.put([], labels={"x": "x"}, seen=None)
    flow.reattach(["x"])
    assert groups(store) == {"a": "a", "x": "a"}
    store.delete(["a"])  # which names the group of the other one
    flow.reattach(["a"])
    assert groups(store) == {"x": "x"}


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        *(("x" * corrector.MAX_NAME_CHARS, True), ("x" * (corrector.MAX_NAME_CHARS + 1), False)),
        *((" ", False), ("\x1b[31m", False)),
    ],
)
def test_the_name_of_who_corrects_is_a_short_text(name: str, taken: bool) -> None:
    flow = deduper("memory://")
    flow.add_all([Page(id="a", text=story("a")), Page(id="b", text=story("b"))])
    if taken:
        assert flow.correct("head", "a", by=name).by == name
    else:
        with pytest.raises(corrector.InputError, match="needs the name of its author"):
            flow.correct("head", "a", by=name)


def test_what_settling_did_is_counted_and_timed() -> None:
    flow, begun = deduper("memory://"), time.time()
    flow.add_all([signed("a", A), signed("b", B)])
    store = flow.engine
    late = signed("x", X)  # from a process that saw neither of the two
    store.put([late], seen=None)
    settled = flow.regroup([list(store.get(["x"]).values())])
    assert (settled.groups, len(partition(store))) == (2, 1)
    assert flow.metrics.value("regrouped_groups_total") == 2
    assert flow.metrics.value("step_seconds_count", step="regroup") == 1
    assert flow.metrics.value("regrouped_timestamp_seconds") >= begun
