"""Heads that are elected, on every engine: one a group, the right one, whatever is added or deleted."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.audit import audit
from dupgroups.backfill import Backfill
from dupgroups.engines import Engine
from dupgroups.flow import Settled
from dupgroups.grouping.heads import order_of
from dupgroups.model import Document, Query
from stories import story
from test_flow_laws import groups, signed

FULLEST = Config(head="fullest")
HOSTS = Config(head=("b.example", "a.example"))
EVERY = [Config(head="oldest"), FULLEST, Config(head="canonical"), HOSTS]
LAWS = st.sampled_from([*EVERY, Config(head="fullest", linkage="average")])


def page(id_: str, parts: str, host: str = "") -> Page:
    """Parts of stories, as in `test_flow_laws`: "abcde" holds both of the stories "abc" and "cde"."""
    text = "\n".join(story(part, 150) for part in parts)
    return Page(id=id_, text=text, url=f"https://{host}/{id_}" if host else None)


def heads(engine: Engine) -> dict[str, list[str]]:
    """The members of each group that are its head."""
    engine.refresh()
    found = defaultdict(list)
    for document in engine.scan():
        found[document.record.group] += [document.record.id] * document.record.is_head
    return dict(found)


def searched(engine: Engine) -> set[str]:
    """What a search for heads shows."""
    return {hit.shown.id for hit in engine.search(Query(mode="head", limit=100)).hits}


def wrong(engine: Engine, config: Config) -> list[str]:
    return [f"{check.name}: {check.detail}" for check in audit(engine, config) if not check.ok]


def test_the_head_is_the_oldest_unless_another_one_is_wanted(engine: Engine) -> None:
    Deduper(engine).add_all([page("old", "abc"), page("full", "abcx")])
    assert heads(engine) == {"old": ["old"]}


def test_a_better_document_becomes_the_head_and_the_name_stays(engine: Engine) -> None:
    deduper = Deduper(engine, FULLEST)
    deduper.add_all([page("old", "abc"), page("other", "fgh")])
    assert deduper.add(page("full", "abcx")).group == "old"
    assert heads(engine) == {"old": ["full"], "other": ["other"]}
    assert searched(engine) == {"full", "other"}
    assert set(engine.resolve(["old"]).values()) == {"old"}
    deduper.add(page("same", "abc"))
    assert heads(engine)["old"] == ["full"]
    assert wrong(engine, FULLEST) == []


def test_within_a_batch_the_head_is_elected_at_once(engine: Engine) -> None:
    Deduper(engine, FULLEST).add_all([page("old", "abc"), page("full", "abcx"), page("late", "abc")])
    assert heads(engine) == {"old": ["full"]}


def test_an_update_may_win_and_lose_the_election(engine: Engine) -> None:
    deduper = Deduper(engine, FULLEST)
    deduper.add_all([page("old", "abcd"), page("young", "abcd")])
    deduper.add(page("young", "abcdx"))
    assert heads(engine) == {"old": ["young"]}
    deduper.add(page("young", "abc"))
    assert heads(engine) == {"old": ["old"]}


def test_a_head_that_changes_its_story_leaves_a_group_with_a_head(engine: Engine) -> None:
    deduper = Deduper(engine, FULLEST)
    deduper.add_all([page("old", "abc"), page("full", "abcx"), page("late", "abc")])
    deduper.add(page("full", "fgh"))
    assert heads(engine) == {"old": ["old"], "full": ["full"]}


def test_a_deleted_head_is_followed_by_the_next_best(engine: Engine) -> None:
    deduper = Deduper(engine, HOSTS)
    names = {"x": "x.example", "a": "www.a.example", "b": "news.b.example"}
    deduper.add_all([page(id_, "abc", host) for id_, host in names.items()])
    assert heads(engine) == {"x": ["b"]}
    deduper.delete(["b"])
    assert heads(engine) == {"x": ["a"]}
    deduper.delete(["x"])
    assert heads(engine) == {"a": ["a"]}
    assert wrong(engine, HOSTS) == []


def test_of_groups_that_meet_the_best_head_stays(engine: Engine) -> None:
    deduper = Deduper(engine, replace(HOSTS, linkage="closure"))
    deduper.add_all([page("left", "abc", "x.example"), page("left a", "abc", "a.example")])
    deduper.add_all([page("right", "cde", "x.example"), page("right b", "cde", "b.example")])
    assert heads(engine) == {"left": ["left a"], "right": ["right b"]}
    deduper.add(page("bridge", "abcde", "x.example"))
    assert heads(engine) == {"left": ["right b"]}
    deduper.delete(["bridge"])
    assert heads(engine) == {"left": ["left a"], "right": ["right b"]}


def test_pages_from_other_addresses_than_their_own_stand_back(engine: Engine) -> None:
    config = Config(head="canonical")
    deduper = Deduper(engine, config)
    address = "https://a.example/story"
    amp = f"<html><head><link rel=canonical href='{address}'></head><body><p>{story('a')}</p></body></html>"
    deduper.add(Page(url=f"{address}/amp", html=amp))
    plain = deduper.add(Page(id="plain", url="https://b.example/1", text=story("a")))
    assert heads(engine) == {plain.group: ["plain"]}
    deduper.add(Page(url=address, html=amp))
    assert heads(engine) == {plain.group: [plain.group]}


@pytest.mark.parametrize("config", EVERY)
def test_another_setting_holds_after_settling_all(engine: Engine, config: Config) -> None:
    pages = [page("x", "abc", "x.example"), page("a", "abcx", "a.example"), page("b", "abc", "b.example")]
    Deduper(engine, Config(head=("none.example",))).add_all(pages)
    deduper = Deduper(engine, config)
    all_of_it = [list(engine.get(["x", "a", "b"]).values())]
    elected = {"oldest": "x", "fullest": "a", "canonical": "x"}.get(str(config.head), "b")
    before = wrong(engine, config)
    assert [line.partition(":")[0] for line in before] == ["one head each"] * (elected != "x")
    assert all("settle --all" in line for line in before)
    assert deduper.settle(all_of_it) == Settled(documents=3, elected=int(elected != "x"))
    assert heads(engine) == {"x": [elected]}
    back = Deduper(engine).settle([list(engine.get(["x", "a", "b"]).values())])
    assert (back.elected, heads(engine)) == (int(elected != "x"), {"x": ["x"]})


def test_backfill_measures_the_texts_that_an_earlier_version_stored(engine: Engine) -> None:
    Deduper(engine).add_all([page("old", "abc"), page("full", "abcx")])
    stored = engine.read(["old", "full"]).values()
    engine.put([replace(document, record=replace(document.record, length=0)) for document in stored])
    engine.refresh()
    assert Backfill(engine, config=FULLEST).run().states == {"updated": 2}
    lengths = [len(document.content.text) for document in stored]
    assert [record.length for record in engine.get(["old", "full"]).values()] == lengths
    assert heads(engine) == {"old": ["full"]}
    assert Backfill(engine, config=FULLEST).run().states == {"unchanged": 2}


def test_a_group_without_a_head_elects_one_when_a_document_joins(engine: Engine) -> None:
    """As a writer leaves it that dies between taking the head away and storing the better document."""
    deduper = Deduper(engine, FULLEST)
    deduper.add_all([page("old", "abc"), page("full", "abcx"), page("late", "abc")])
    engine.put([], labels={"full": "old"}, heads={"old": "nobody"})
    assert heads(engine) == {"old": []}
    deduper.add(page("new", "abc"))
    assert heads(engine) == {"old": ["full"]}


def test_of_two_heads_one_stays_when_a_document_joins(engine: Engine) -> None:
    deduper = Deduper(engine, FULLEST)
    deduper.add_all([page("old", "abc"), page("full", "abcx")])
    engine.put([], labels={"old": "old"})
    assert heads(engine) == {"old": ["full", "old"]}
    deduper.add(page("new", "abc"))
    assert heads(engine) == {"old": ["full"]}


def test_a_head_that_is_refused_leaves_the_former_one(engine: Engine) -> None:
    deduper = Deduper(engine, FULLEST)
    deduper.add_all([page("old", "abc"), page("late", "abc")])
    document = signed("full", "abcx")
    [outcome] = deduper.add_all([replace(document, record=replace(document.record, host="\ud800"))])
    assert outcome.state == "failed"
    assert heads(engine) == {"old": ["old"]}


# -- any history

IDS = "pqrstu"
DOCUMENTS = st.tuples(
    st.sampled_from(["abc", "cde", "abcde", "fgh", "abcx"]),
    st.sampled_from(["a.example", "b.example", "c.example"]),
    st.booleans(),
)
HISTORIES = st.lists(
    st.dictionaries(st.sampled_from(IDS), DOCUMENTS, min_size=1, max_size=5)
    | st.sets(st.sampled_from(IDS), min_size=1, max_size=3).map(sorted),
    min_size=1,
    max_size=7,
)


def written(id_: str, parts: str, host: str, canonical: bool) -> Document:
    document = signed(id_, parts)
    return replace(document, record=replace(document.record, host=host, canonical=canonical))


def live(engine: Engine, history: list[object], config: Config) -> None:
    """Add and delete batch by batch: after each of them every group has one head, the elected one."""
    deduper, order = Deduper(engine, config), order_of(config.head)
    for batch in history:
        if isinstance(batch, dict):
            deduper.add_all([written(id_, *values) for id_, values in batch.items()])
        else:
            deduper.delete(batch)  # type: ignore[arg-type]
        members = defaultdict(list)
        for record in engine.get(list(IDS)).values():
            members[record.group].append(record)
        assert heads(engine) == {name: [min(group, key=order).id] for name, group in members.items()}
        assert all(min(group, key=lambda r: r.age).id == name for name, group in members.items())
        assert searched(engine) == {ids[0] for ids in heads(engine).values()}
    names = groups(engine)
    settled = deduper.settle([list(engine.get(list(IDS)).values())])
    assert (settled.groups, settled.regrouped, settled.elected, groups(engine)) == (0, 0, 0, names)


@given(HISTORIES, LAWS)
def test_after_any_history_each_group_has_its_elected_head(history: list[object], config: Config) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, config)


@given(HISTORIES, LAWS)
def test_after_any_history_in_a_file_too(history: list[object], config: Config) -> None:
    with tempfile.TemporaryDirectory() as folder, closing(open_engine(f"sqlite:///{folder}/x.db")) as engine:
        live(engine, history, config)


@pytest.mark.parametrize("config", EVERY)
def test_a_long_history_on_every_engine(engine: Engine, config: Config) -> None:
    one, two, three = ("abc", "c.example", False), ("abcx", "a.example", True), ("abcde", "b.example", True)
    right = ("cde", "b.example", False)
    history: list[object] = [
        {"p": one, "q": right, "r": two},
        {"s": three},
        ["s"],
        {"q": three, "t": right},
        {"r": one, "p": two},
        ["p", "q"],
        {"u": three},
    ]
    live(engine, history, config)
