"""Heads that are elected, on every engine; that each group has the right one is a law of `test_histories`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.engines import Engine
from dupgroups.flow.deduper import Settled
from flow.scenes import FULLEST, HOSTS, heads, page, signed, wrong
from stories import story


@pytest.fixture
def fullest(engine: Engine) -> Deduper:
    """A group with three members, of which the second is the fullest."""
    flow = Deduper(engine, FULLEST)
    flow.add_all([page("old", "abc"), page("full", "abcx"), page("late", "abc")])
    assert heads(engine) == {"old": ["full"]}
    return flow


def test_pages_from_other_addresses_than_their_own_stand_back(engine: Engine) -> None:
    flow = Deduper(engine, Config(head="canonical"))
    address = "https://a.example/story"
    amp = f"<html><head><link rel=canonical href='{address}'></head><body><p>{story('a')}</p></body></html>"
    flow.add(Page(url=f"{address}/amp", html=amp))
    plain = flow.add(Page(id="plain", url="https://b.example/1", text=story("a")))
    assert heads(engine) == {plain.group: ["plain"]}
    flow.add(Page(url=address, html=amp))
    assert heads(engine) == {plain.group: [plain.group]}


@pytest.mark.parametrize(
    ("config", "elected"),
    [(FULLEST, "a"), (HOSTS, "b"), (Config(head="canonical"), "x"), (Config(head="published"), "b")],
    ids=["fullest", "hosts", "canonical", "published"],
)
def test_another_setting_holds_after_settling_all(engine: Engine, config: Config, elected: str) -> None:
    names = {"x": ("abc", "x.example"), "a": ("abcx", "a.example"), "b": ("abc", "b.example")}
    dates = {"x": "2001-03-04T09:30:00+01:00", "a": "2001-03-04", "b": "2001-03-04T08:29:00Z"}
    copies = [replace(page(id_, *values), date=dates[id_]) for id_, values in names.items()]
    Deduper(engine).add_all(copies)
    changed = int(elected != "x")
    assert wrong(engine, config) == ["one main copy"] * changed
    settled = Deduper(engine, config).regroup([list(engine.get([*names]).values())])
    assert settled == Settled(documents=3, elected=changed)
    assert heads(engine) == {"x": [elected]}
    back = Deduper(engine).regroup([list(engine.get([*names]).values())])
    assert (back.elected, heads(engine)) == (changed, {"x": ["x"]})


@pytest.mark.parametrize(
    ("labels", "left", "standing"),
    [({"full": "old"}, {"old": "nobody"}, []), ({"old": "old"}, {}, ["full", "old"])],
    ids=["no head", "two heads"],
)
def test_what_a_writer_left_that_died_is_mended_when_a_document_joins(
    fullest: Deduper, labels: dict[str, str], left: dict[str, str], standing: list[str], engine: Engine
) -> None:
    """Between taking the head away and storing the better document, or the other way round."""
    engine.put([], labels=labels, heads=left)
    assert heads(engine) == {"old": standing}
    fullest.add(page("new", "abc"))
    assert heads(engine) == {"old": ["full"]}


def test_a_head_that_is_refused_leaves_the_former_one(engine: Engine) -> None:
    flow = Deduper(engine, FULLEST)
    flow.add_all([page("old", "abc"), page("late", "abc")])
    document = signed("full", "abcx")
    [outcome] = flow.add_all([replace(document, record=replace(document.record, host="\ud800"))])
    assert outcome.state == "failed"
    assert heads(engine) == {"old": ["old"]}
