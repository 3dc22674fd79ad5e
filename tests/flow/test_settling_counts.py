"""Settling hears what others entered, and says what it did in figures."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from dupgroups import open_engine
from dupgroups.flow import corrector
from dupgroups.model import Correction, Page, Record
from flow.scenes import OTHER, A, B, X, deduper, groups, partition, signed
from stories import story
from watched import Watched


def test_what_another_process_entered_is_carried_out_and_heard_once() -> None:
    store, heard = open_engine("memory://"), list[Sequence[Correction]]([()])

    def corrections(*, fresh: bool = False) -> Sequence[Correction]:
        if fresh:
            heard.append(store.corrections(fresh=True))
        return heard[-1]

    flow = deduper(Watched(store, corrections=corrections))
    flow.add_all([signed("a", A), signed("x", X), signed("b", B)])
    store.correct(Correction(1, "keep-apart", ("a", "b"), "ann", 1, carried_out=True))
    assert flow.settle().documents == 2
    assert partition(store) == [["a"], ["b", "x"]]
    assert flow.settle().documents == 0


def test_a_group_is_put_together_once_however_often_its_members_are_left() -> None:
    watched = Watched(open_engine("memory://"))
    flow = deduper(watched)
    flow.add_all([signed("a", A), signed("x", X), signed("other", OTHER)])
    a, x, other = (list(watched.get([id_]).values()) for id_ in ("a", "x", "other"))

    def looked(*batches: list[Record]) -> int:
        before = watched.names.count("members")
        flow.settle(batches)
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


def test_the_retries_of_the_engine_are_told() -> None:
    flow = deduper(Watched(open_engine("memory://"), retries=7))
    assert flow.metrics.value("engine_retries_total") == 7


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
    settled = flow.settle([list(store.get(["x"]).values())])
    assert (settled.groups, len(partition(store))) == (2, 1)
    assert flow.metrics.value("settled_groups_total") == 2
    assert flow.metrics.value("step_seconds_count", step="settle") == 1
    assert flow.metrics.value("settled_timestamp_seconds") >= begun
