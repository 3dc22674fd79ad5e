"""`doctor --deep` on groups that are right, and on each way in which they can be broken."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import pytest

from dupgroups import Deduper, Page
from dupgroups.bulk.audit import audit
from dupgroups.engines import Engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.model import StoryRecord
from engines.documents import document
from stories import story
from watched import Watched


@pytest.fixture
def grouped(engine: Engine) -> Engine:
    """Two groups of two, and a former name: "x" led to "a", whose documents are "a" and "b"."""
    pages = [("a", "one"), ("b", "one"), ("c", "two"), ("d", "two")]
    Deduper(engine).add_all(Page(id=id_, text=story(name)) for id_, name in pages)
    engine.put([], moves={"x": "a"})
    return engine


def wrong(engine: Engine) -> dict[str, str]:
    return {check.name: check.detail for check in audit(engine) if not check.ok}


def put(engine: Engine, id_: str, group: str) -> None:
    """Write a document into a group, whatever the rules say."""
    [document] = engine.read([id_]).values()
    engine.put([replace(document, record=replace(document.record, group=group))])


def test_groups_that_keep_the_rules_pass(grouped: Engine) -> None:
    assert wrong(grouped) == {}
    assert wrong(SQLiteEngine()) == {}
    details = {check.name: check.detail for check in audit(grouped)}
    assert details["largest groups"] == "a (2 documents), c (2 documents)"


BROKEN: dict[str, tuple[Callable[[Engine], object], set[str]]] = {
    "twins apart": (lambda engine: put(engine, "b", "b"), {"partition"}),
    "strangers together": (lambda engine: put(engine, "d", "a"), {"partition"}),
    "named by a younger member": (
        lambda engine: [put(engine, id_, "b") for id_ in "ab"],
        {"names", "partition"},
    ),
    "without its head": (lambda engine: engine.delete(["a"]), {"names", "one main copy", "partition"}),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_each_broken_rule_is_named(grouped: Engine, kind: str) -> None:
    breaks, names = BROKEN[kind]
    breaks(grouped)
    assert set(wrong(grouped)) == names


@pytest.mark.parametrize("kept", [(), ((2, 5),), ((7, 1),), ((2, 1), (3, 1))], ids=str)
def test_a_record_of_other_figures_than_its_group_has_is_named(
    kept: Sequence[tuple[int, int]],
) -> None:
    """The group "a" has two copies on one site, and no other group has several."""
    engine = SQLiteEngine()
    engine.put([document("a"), document("b", "a"), document("alone")])
    assert "figures" not in wrong(engine)
    records = [
        StoryRecord(group, copies, sites, None, None, 0, 0)
        for group, (copies, sites) in zip("az", kept, strict=False)
    ]
    watched = Watched(engine, changed_stories=lambda mark: ([], mark) if mark else (records, 1))
    assert wrong(cast(Engine, watched))["figures"].startswith("1 group whose records say")


def test_a_live_group_that_is_redirected_away_is_named(grouped: Engine) -> None:
    grouped.put([], moves={"a": "c"})
    put(grouped, "b", "a")
    assert wrong(grouped)["former names"].startswith("1 redirect leading away")


def test_a_circle_is_wrong_and_a_chain_is_not() -> None:
    """Only a fault can make such redirects."""
    redirects = {"p": "q", "q": "r", "s": "t", "t": "s"}
    details = wrong(cast(Engine, Watched(SQLiteEngine(), redirects=redirects.items)))
    assert details.keys() == {"former names"}
    assert "(s, t)" in details["former names"]
