"""Histories of a store: whatever is added, changed and deleted, its groups are those of what it holds."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups import Deduper, Page, open_engine
from dupgroups.engines import Engine
from dupgroups.model import Document
from dupgroups.offline import group_pages
from stories import story

ENDS, BRIDGE, OTHER = ("abc", "cde"), "abcde", "fgh"


def page(id_: str, parts: str) -> Page:
    """Parts of stories: "abc" and "cde" are two stories, "abcde" is both; one part alone is too little."""
    text = "\n".join(story(part, 150) for part in parts)
    return Page(id=id_, text=text or "Hm.")


@cache
def signed(id_: str, parts: str) -> Document:
    with closing(Deduper("memory://")) as deduper:
        return deduper.sign(page(id_, parts))


def groups(engine: Engine) -> dict[str, str]:
    engine.refresh()
    return {document.record.id: document.record.group for document in engine.scan()}


def grouped_at_once(engine: Engine, texts: Mapping[str, str]) -> dict[str, str]:
    """The groups of what is stored, when it is grouped without a store in the order of its age."""
    records = sorted(engine.get(list(texts)).values(), key=lambda record: record.age)
    return group_pages([page(record.id, texts[record.id]) for record in records], processes=1).groups


# -- bridges


def bridged(engine: Engine) -> Deduper:
    deduper = Deduper(engine)
    deduper.add_all([page("left", "abc"), page("right", "cde"), page("also right", "cde")])
    deduper.add(page("bridge", "abcde"))
    assert set(groups(engine).values()) == {"left"}
    return deduper


APART = {"left": "left", "right": "right", "also right": "right"}


def test_a_group_comes_apart_when_its_bridge_changes(engine: Engine) -> None:
    outcome = bridged(engine).add(page("bridge", "fgh"))
    assert (outcome.state, outcome.group) == ("updated", "bridge")
    assert groups(engine) == {**APART, "bridge": "bridge"}
    assert engine.resolve(["left", "right", "bridge"]) == {name: name for name in ("left", "right", "bridge")}


def test_a_group_comes_apart_when_its_bridge_joins_one_side(engine: Engine) -> None:
    assert bridged(engine).add(page("bridge", "cde")).group == "right"
    assert groups(engine) == {**APART, "bridge": "right"}


def test_a_group_comes_apart_when_its_bridge_is_deleted(engine: Engine) -> None:
    bridged(engine).delete(["bridge"])
    assert groups(engine) == APART
    assert engine.resolve(["left", "right"]) == {"left": "left", "right": "right"}


def test_a_group_comes_apart_when_its_bridge_is_signed_otherwise(engine: Engine) -> None:
    deduper = bridged(engine)
    [old] = engine.read(["bridge"]).values()
    deduper.replace([Document(signed("bridge", "fgh").record, old.content)])
    assert groups(engine) == {**APART, "bridge": "bridge"}


def test_a_bridge_that_names_the_group_leaves_its_name_to_what_it_is_now(engine: Engine) -> None:
    deduper = Deduper(engine)
    deduper.add_all([page("bridge", "abcde"), page("left", "abc"), page("right", "cde")])
    deduper.add(page("bridge", "fgh"))
    assert groups(engine) == {"bridge": "bridge", "left": "left", "right": "right"}


def test_the_name_of_a_deleted_bridge_leads_to_its_oldest_fellow(engine: Engine) -> None:
    deduper = Deduper(engine)
    deduper.add_all([page("bridge", "abcde"), page("left", "abc"), page("right", "cde")])
    deduper.delete(["bridge"])
    assert groups(engine) == {"left": "left", "right": "right"}
    assert engine.resolve(["bridge"]) == {"bridge": "left"}


def test_of_two_bridges_one_is_enough(engine: Engine) -> None:
    deduper = bridged(engine)
    deduper.add(page("second bridge", "abcde"))
    deduper.delete(["bridge"])
    assert set(groups(engine).values()) == {"left"}
    deduper.delete(["second bridge"])
    assert groups(engine) == APART


def test_deleting_what_is_not_there_changes_nothing(engine: Engine) -> None:
    deduper = bridged(engine)
    before = groups(engine)
    deduper.delete(["unknown"])
    deduper.delete([])
    assert groups(engine) == before


# -- any history

IDS = "pqrstu"
TEXTS = (*ENDS, BRIDGE, OTHER, "")
ADDED = st.dictionaries(st.sampled_from(IDS), st.sampled_from(TEXTS), min_size=1, max_size=5)
DELETED = st.sets(st.sampled_from(IDS), min_size=1, max_size=3).map(sorted)


History = list[dict[str, str] | list[str]]
"""Batches that are added (texts by id) or deleted (ids)."""


class Names:
    """All names that a store ever gave out, each with the documents that it leads to."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, set[str]] = {}

    def check(self) -> None:
        """A name leads to a group of those that it led to before, as long as one of them is stored.

        Unless its document names a group again.
        """
        now = groups(self._engine)
        leads = self._engine.resolve(list(self._known))
        for name, former in self._known.items():
            left = {now[id_] for id_ in former if id_ in now}
            again = {name} if now.get(name) == name else set()
            assert not left or leads[name] in left | again, (name, former, leads[name], now)
        names = sorted({*self._known, *now.values()})
        leads = self._engine.resolve(names)
        self._known = {name: {id_ for id_ in now if now[id_] == leads[name]} for name in names}


def live(engine: Engine, history: History) -> None:
    """Add and delete batch by batch; the laws hold after each of them."""
    deduper, names, texts = Deduper(engine), Names(engine), dict[str, str]()
    for batch in history:
        if isinstance(batch, dict):
            deduper.add_all([signed(*item) for item in batch.items()])
            texts |= batch
        else:
            deduper.delete(batch)
            texts = {id_: text for id_, text in texts.items() if id_ not in batch}
        names.check()
        heads = groups(engine)
        assert all(heads[group] == group for group in heads.values())
    assert groups(engine) == grouped_at_once(engine, texts)


HISTORIES = st.lists(ADDED | DELETED, min_size=1, max_size=7)


@settings(max_examples=50)
@given(HISTORIES)
def test_after_any_history_the_groups_are_those_of_what_is_stored(history: History) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history)


@settings(max_examples=20)
@given(HISTORIES)
def test_after_any_history_the_groups_in_a_file_are_those_of_what_is_stored(history: History) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_engine(f"sqlite:///{folder}/test.db")) as engine,
    ):
        live(engine, history)


@pytest.mark.parametrize(
    "history",
    [
        [{"p": "cde", "q": "abc"}, {"p": "abc"}, ["p"]],  # "q" was merged into "p", which is gone
        [{"p": "cde", "q": "abc", "r": "abc"}, {"q": "cde"}, ["p"]],  # the name "q" leads to "r" by now
    ],
)
def test_a_document_whose_name_led_elsewhere_names_its_group_again(engine: Engine, history: History) -> None:
    live(engine, history)


@pytest.mark.parametrize("between", range(4))
def test_settling_changes_nothing_that_is_right(engine: Engine, between: int) -> None:
    deduper = Deduper(engine)
    steps = [page("bridge", "abcde"), page("left", "abc"), page("right", "cde"), page("bridge", "fgh")]
    for step in steps[: between + 1]:
        deduper.add(step)
    before = groups(engine)
    settled = deduper.settle([list(engine.get(list(before)).values())])
    assert (settled.groups, settled.regrouped) == (0, 0)
    assert groups(engine) == before
