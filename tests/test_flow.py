"""The laws of the flow, on every engine: one partition whatever the order, stable names, no state lost."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.config import Method, Step
from dupgroups.engines import Engine
from dupgroups.errors import EngineError
from dupgroups.flow import Settled
from dupgroups.model import Document, Record, Relation, Signature
from dupgroups.offline import group_pages
from stories import chinese_story, reprints, story
from watched import Watched

PAGES = reprints()


def partition(engine: Engine) -> set[frozenset[str]]:
    members: defaultdict[str, set[str]] = defaultdict(set)
    for document in engine.scan():
        members[document.record.group].add(document.record.id)
    return {frozenset(ids) for ids in members.values()}


def truth(ids: Sequence[str]) -> set[frozenset[str]]:
    stories: defaultdict[str, set[str]] = defaultdict(set)
    for id_ in ids:
        stories[id_.split("/")[0]].add(id_)
    return {frozenset(ids) for ids in stories.values()}


def groups(engine: Engine) -> dict[str, str]:
    return {document.record.id: document.record.group for document in engine.scan()}


def add_in_batches(deduper: Deduper, pages: Sequence[Page], cuts: Sequence[int]) -> None:
    edges = [0, *sorted(cuts), len(pages)]
    for start, end in itertools.pairwise(edges):
        deduper.add_all(pages[start:end])


@given(order=st.permutations(sorted(PAGES)), cuts=st.lists(st.integers(0, len(PAGES)), max_size=6))
def test_any_order_and_any_batches_give_one_partition(order: list[str], cuts: list[int]) -> None:
    deduper = Deduper("memory://")
    add_in_batches(deduper, [PAGES[id_] for id_ in order], cuts)
    assert partition(deduper.engine) == truth(order)
    assert set(groups(deduper.engine).values()) == {min(ids, key=order.index) for ids in truth(order)}


@pytest.mark.parametrize("seed", range(3))
def test_any_order_gives_one_partition_on_every_engine(engine: Engine, seed: int) -> None:
    rng = random.Random(seed)
    order = rng.sample(sorted(PAGES), len(PAGES))
    add_in_batches(Deduper(engine), [PAGES[id_] for id_ in order], rng.choices(range(len(order)), k=5))
    engine.refresh()
    assert partition(engine) == truth(order)
    assert set(groups(engine).values()) == {min(ids, key=order.index) for ids in truth(order)}


def test_two_groups_that_meet_keep_the_older_name(engine: Engine) -> None:
    one, two, three, four, five = (story(name, 150) for name in "abcde")
    first, second = "\n".join([one, two, three]), "\n".join([three, four, five])
    deduper = Deduper(engine, Config(linkage="closure"))
    alone = deduper.add_all([Page(text=first, id="old"), Page(text=second, id="young")])
    assert [outcome.state for outcome in alone] == ["new", "new"]
    bridge = deduper.add(Page(text="\n".join([one, two, three, four, five]), id="bridge"))
    assert (bridge.state, bridge.group) == ("merged", "old")
    assert set(bridge.verdicts) == {"old", "young"}
    engine.refresh()
    assert groups(engine) == {"old": "old", "young": "old", "bridge": "old"}
    assert engine.resolve(["young"]) == {"young": "old"}
    assert deduper.add(Page(text=second, id="late")).group == "old"


def test_excerpts_join_where_the_configuration_says_so() -> None:
    whole, part = story("a", 300), "\n".join(story("a", 300).split("\n")[:2])
    for join, groups_ in ((["duplicate"], 2), (["duplicate", "contains"], 1)):
        deduper = Deduper("memory://", Config(join=frozenset(join)))
        outcomes = deduper.add_all([Page(text=whole, id="whole"), Page(text=part, id="part")])
        assert len({outcome.group for outcome in outcomes}) == groups_


@pytest.mark.parametrize("direction", ["contains", "contained"])
@pytest.mark.parametrize("order", [1, -1])
def test_joining_has_no_direction(direction: Relation, order: int) -> None:
    whole, part = story("a", 300), "\n".join(story("a", 300).split("\n")[:2])
    pages = [Page(text=whole, id="whole"), Page(text=part, id="part")][::order]
    config = Config(join=frozenset({"duplicate", direction}))
    assert config.join == {"duplicate", "contains", "contained"}
    with closing(Deduper("memory://", config)) as deduper:
        for page in pages:
            deduper.add(page)
        assert len(set(groups(deduper.engine).values())) == 1
    assert len(set(group_pages(pages, config, processes=1).groups.values())) == 1


def test_the_same_page_again_is_an_update(engine: Engine) -> None:
    deduper = Deduper(engine)
    url = "https://example.org/a?utm_source=x"
    first = deduper.add(Page(url=url, text=story("a"), title="A"))
    again = deduper.add(Page(url="https://example.org/a#top", text=story("a"), title="A"))
    assert (first.state, again.state, again.id) == ("new", "unchanged", first.id)
    changed = deduper.add(Page(url=url, text=story("a"), title="A, corrected"))
    assert (changed.state, changed.id, changed.group) == ("updated", first.id, first.id)
    engine.refresh()
    assert [document.content.title for document in engine.scan()] == ["A, corrected"]
    [record] = engine.get([first.id]).values()
    assert record.first_seen < record.last_seen


def test_a_twin_page_never_overwrites_the_canonical_one(engine: Engine) -> None:
    def page(url: str, title: str) -> Page:
        body = "".join(f"<p>{line}</p>" for line in story("a").split("\n"))
        head = f'<title>{title}</title><link rel="canonical" href="https://example.org/a">'
        return Page(url=url, html=f"<html><head>{head}</head><body><h1>{title}</h1>{body}</body></html>")

    deduper = Deduper(engine)
    amp, main = page("https://amp.example.org/a", "From AMP"), page("https://www.example.org/a", "Main")
    canonical = page("https://example.org/a", "Canonical")
    assert [deduper.add(twin).state for twin in (amp, main)] == ["new", "unchanged"]
    assert [deduper.add(twin).state for twin in (canonical, amp, canonical)] == [
        "updated",
        "unchanged",
        "unchanged",
    ]
    engine.refresh()
    assert [document.content.title for document in engine.scan()] == ["Canonical"]


@pytest.mark.parametrize("front", ["https://s.example/news/all", "https://s.example/archive/latest.html"])
def test_a_template_that_calls_every_page_by_one_name_loses_none(engine: Engine, front: str) -> None:
    def page(name: str, url: str | None) -> Page:
        text = chinese_story(name) if name == "中" else story(name)
        body = "".join(f"<p>{line}</p>" for line in text.split("\n"))
        head = f'<title>{name}</title><link rel="canonical" href="{front}">'
        return Page(url=url, html=f"<html><head>{head}</head><body><h1>{name}</h1>{body}</body></html>")

    deduper = Deduper(engine)
    pages = [page(name, f"https://s.example/news/{name}.html") for name in ("a", "b", "c", "中")]
    pages.append(page("d", None))
    for _ in range(2):
        deduper.add_all(pages)
        engine.refresh()
        assert sorted(document.content.title for document in engine.scan()) == ["a", "b", "c", "d", "中"]


def test_a_twin_stays_one_when_it_meets_the_signature_of_another_configuration(engine: Engine) -> None:
    def page(host: str, lines: Sequence[str]) -> Page:
        head = '<link rel="canonical" href="https://example.org/a">'
        return Page(url=f"https://{host}/a", html=head + "".join(f"<p>{line}</p>" for line in lines))

    lines = story("a").split("\n")
    canonical, amp = page("example.org", lines), page("amp.example.org", lines[:-1])
    other = Config(methods={"*": Method(signer=Step("shingling"))})
    Deduper(engine, other).add(canonical)
    engine.refresh()
    deduper = Deduper(engine)
    assert deduper.add(amp).id == deduper.add(canonical).id
    engine.refresh()
    assert len(list(engine.scan())) == 1


def test_what_settling_cannot_do_now_takes_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise EngineError("no right to refresh")

    monkeypatch.setattr("dupgroups.flow.deduper.UNSETTLED", 1)
    deduper = Deduper(Watched(open_engine("memory://"), refresh=refuse))  # type: ignore[arg-type]
    outcomes = deduper.add_all([Page(text=story(name), id=name) for name in "abc"])
    assert [outcome.state for outcome in outcomes] == ["new", "new", "new"]


def test_a_document_that_changes_its_story_leaves_its_group(engine: Engine) -> None:
    deduper = Deduper(engine)
    deduper.add_all([Page(text=story("a"), id=name) for name in ("head", "second", "third")])
    gone = deduper.add(Page(text=story("other"), id="head"))
    assert (gone.state, gone.group) == ("updated", "head")
    engine.refresh()
    assert groups(engine) == {"head": "head", "second": "second", "third": "second"}
    assert engine.resolve(["head"]) == {"head": "head"}
    assert deduper.add(Page(text=story("a"), id="fourth")).group == "second"
    back = deduper.add(Page(text=story("a"), id="head"))
    assert back.group == "head"
    engine.refresh()
    assert set(groups(engine).values()) == {"head"}


def test_twins_in_one_batch_meet_and_an_id_that_comes_twice_is_one_document(engine: Engine) -> None:
    outcomes = Deduper(engine).add_all(
        [
            Page(text=story("a"), id="1"),
            Page(text=story("a"), id="2"),
            Page(text=story("a"), id="1"),
            Page(text=story("b"), id="1"),
        ]
    )
    assert [outcome.state for outcome in outcomes] == ["new", "joined", "unchanged", "updated"]
    engine.refresh()
    assert groups(engine) == {"1": "1", "2": "2"}


@pytest.mark.parametrize("text", ["", "Too short.", "短。", " \n\t", "....", "1 2 3"])
def test_what_is_too_short_matches_nothing(engine: Engine, text: str) -> None:
    outcomes = Deduper(engine).add_all([Page(text=text, id="1"), Page(text=text, id="2")])
    assert [(outcome.state, outcome.group) for outcome in outcomes] == [
        ("too_short", "1"),
        ("too_short", "2"),
    ]


def test_deleting_the_oldest_member_renames_the_group(engine: Engine) -> None:
    deduper = Deduper(engine)
    deduper.add_all([Page(text=story("a"), id=name) for name in ("1", "2", "3")])
    deduper.delete(["1"])
    engine.refresh()
    assert groups(engine) == {"2": "2", "3": "2"}
    assert engine.resolve(["1"]) == {"1": "2"}


def test_a_refused_document_fails_alone_and_names_no_group(engine: Engine) -> None:
    def put(documents: Sequence[Document], **rest: Any) -> None:
        engine.put([document for document in documents if document.record.id != "bad"], **rest)
        if any(document.record.id == "bad" for document in documents):
            raise EngineError("one was refused", failures={"bad": "no room"})

    deduper = Deduper(Watched(engine, put=put))  # type: ignore[arg-type]
    outcomes = deduper.add_all([Page(text=story("a"), id=name) for name in ("bad", "good", "fine")])
    assert [outcome.state for outcome in outcomes] == ["failed", "joined", "joined"]
    assert outcomes[0].reason == "no room"
    engine.refresh()
    assert groups(engine) == {"good": "good", "fine": "good"}


def test_settle_finds_the_twin_that_was_invisible(engine: Engine) -> None:
    def sees_nothing(signatures: Sequence[Signature], *, limit: int) -> list[list[Record]]:
        return [[] for _ in signatures]

    first, second = Deduper(engine), Deduper(Watched(engine, candidates=sees_nothing))  # type: ignore[arg-type]
    first.add(Page(text=story("a"), id="1"))
    assert second.add(Page(text=story("a"), id="2")).state == "new"
    second.engine = engine
    everything = list(engine.get(["1", "2"]).values())
    assert second.settle([everything]) == Settled(documents=2, groups=1)
    assert second.settle([list(engine.get(["1", "2"]).values())]) == Settled(documents=2)
    engine.refresh()
    assert groups(engine) == {"1": "1", "2": "1"}


def test_settle_finishes_a_merge_that_left_a_member_behind(engine: Engine) -> None:
    deduper = Deduper(engine)
    one, two, three, four, five = (story(name, 150) for name in "abcde")
    first, second = "\n".join([one, two, three]), "\n".join([three, four, five])
    deduper.add_all([Page(text=first, id="a"), Page(text=second, id="b")])
    straggler = deduper.sign(Page(text=second, id="straggler"))
    deduper.add(straggler)
    assert deduper.add(Page(text="\n".join([one, two, three, four, five]), id="bridge")).state == "merged"
    [stored] = engine.get(["straggler"]).values()
    engine.put([Document(replace(stored, group="b"), straggler.content)])
    deduper.settle([list(engine.get(["straggler"]).values())])
    engine.refresh()
    assert set(groups(engine).values()) == {"a"}


def test_an_engine_that_is_gone_is_an_error_and_adding_again_is_safe(engine: Engine) -> None:
    def gone(*_: Any, **__: Any) -> None:
        raise EngineError("connection refused", temporary=True)

    faulty = Watched(engine, put=gone)
    deduper = Deduper(faulty)  # type: ignore[arg-type]
    pages = [Page(text=story("a"), id=name) for name in "12"]
    with pytest.raises(EngineError, match="refused"):
        deduper.add_all(pages)
    faulty.faults.clear()
    assert [outcome.state for outcome in deduper.add_all(pages)] == ["new", "joined"]


def test_the_engine_is_the_given_one_then_the_configured_one_then_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DUPGROUPS_ENGINE", "memory://")
    assert Deduper().engine.name == "memory://"
    configured = Config(engine=f"sqlite:///{tmp_path}/configured.db")
    assert Deduper(config=configured).engine.name.endswith("configured.db")
    assert Deduper("memory://", configured).engine.name == "memory://"


def test_adding_nothing_is_nothing() -> None:
    deduper = Deduper(open_engine("memory://"))
    assert deduper.add_all([]) == []
    assert deduper.settle() == Settled()


def test_of_two_that_leave_a_group_together_neither_takes_the_rest_along(engine: Engine) -> None:
    deduper = Deduper(engine)
    deduper.add_all(Page(id=name, text=story("a")) for name in "abc")
    deduper.add_all([Page(id="a", text=story("x")), Page(id="b", text=story("y"))])
    engine.refresh()
    assert groups(engine) == {"a": "a", "b": "b", "c": "c"}
