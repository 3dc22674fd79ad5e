"""Histories of a store: whatever is added, changed and deleted, its groups are those of what it holds."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.engines import Engine
from dupgroups.model import Document
from dupgroups.offline import group_records
from stories import story

NAMES = "abcdefghijklmnop"  # of stories, the parts of texts
ENDS, BRIDGE, OTHER = ("abc", "cde"), "abcde", "fgh"
CLOSURE, AVERAGE = Config(linkage="closure"), Config(linkage="average")


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


def grouped_at_once(engine: Engine, config: Config | None = None) -> dict[str, str]:
    """The groups of what is stored, when it is grouped without a store."""
    return group_records((document.record for document in engine.scan()), config)


# -- bridges


def bridged(engine: Engine) -> Deduper:
    deduper = Deduper(engine, CLOSURE)
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
    deduper = Deduper(engine, CLOSURE)
    deduper.add_all([page("bridge", "abcde"), page("left", "abc"), page("right", "cde")])
    deduper.add(page("bridge", "fgh"))
    assert groups(engine) == {"bridge": "bridge", "left": "left", "right": "right"}


def test_the_name_of_a_deleted_bridge_leads_to_its_oldest_fellow(engine: Engine) -> None:
    deduper = Deduper(engine, CLOSURE)
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


def live(engine: Engine, history: History, config: Config | None = None) -> None:
    """Add and delete batch by batch; the laws hold after each of them."""
    deduper, names, ids = Deduper(engine, config), Names(engine), set[str]()
    for batch in history:
        if isinstance(batch, dict):
            deduper.add_all([signed(*item) for item in batch.items()])
            ids |= set(batch)
        else:
            deduper.delete(batch)
            ids -= set(batch)
        names.check()
        heads = groups(engine)
        assert all(heads[group] == group for group in heads.values())
        assert heads == grouped_at_once(engine, config)
    assert set(heads) == ids


HISTORIES = st.lists(ADDED | DELETED, min_size=1, max_size=7)
LINKAGES = st.sampled_from([CLOSURE, AVERAGE])


@given(HISTORIES, LINKAGES)
def test_after_any_history_the_groups_are_those_of_what_is_stored(history: History, config: Config) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, config)


@given(HISTORIES, LINKAGES)
def test_after_any_history_the_groups_in_a_file_are_those_of_what_is_stored(
    history: History, config: Config
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_engine(f"sqlite:///{folder}/test.db")) as engine,
    ):
        live(engine, history, config)


@pytest.mark.parametrize(
    "history",
    [
        [{"p": "cde", "q": "abc"}, {"p": "abc"}, ["p"]],  # "q" was merged into "p", which is gone
        [{"p": "cde", "q": "abc", "r": "abc"}, {"q": "cde"}, ["p"]],  # the name "q" leads to "r" by now
    ],
)
def test_a_document_whose_name_led_elsewhere_names_its_group_again(engine: Engine, history: History) -> None:
    live(engine, history, CLOSURE)


# -- chains

CHAIN = [
    NAMES[start : start + 8] for start in range(9)
]  # each is a duplicate of the next two, not of the others
CHAINED = st.dictionaries(st.sampled_from("pqrstuvwx"), st.sampled_from([*CHAIN, ""]), min_size=1, max_size=9)
CHAINS = st.lists(CHAINED | DELETED, min_size=1, max_size=5)


@given(CHAINS)
def test_average_linkage_gives_the_same_groups_in_any_order_and_with_any_deletion(history: History) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, AVERAGE)


@pytest.mark.parametrize("order", [range(9), range(8, -1, -1), (4, 1, 7, 0, 8, 2, 6, 3, 5)])
def test_a_chain_is_one_group_by_closure_and_several_by_average_linkage(
    engine: Engine, order: Sequence[int]
) -> None:
    history: History = [{f"{place}": CHAIN[place]} for place in order]
    live(engine, history, AVERAGE)
    parts = groups(engine)
    assert len(set(parts.values())) > 1
    assert all(abs(int(id_) - int(group)) < 8 for id_, group in parts.items()), "the ends are apart"
    Deduper(engine, CLOSURE).settle([list(engine.get(list(parts)).values())])
    assert len(set(groups(engine).values())) == 1


def test_a_page_that_comes_again_is_unchanged_though_its_group_is_put_together_anew(engine: Engine) -> None:
    deduper = Deduper(engine, AVERAGE)
    deduper.add(page("old", "abc"))
    outcomes = deduper.add_all([page("new", "abc"), page("old", "abc")])
    assert [(outcome.state, outcome.group) for outcome in outcomes] == [
        ("joined", "old"),
        ("unchanged", "old"),
    ]


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
