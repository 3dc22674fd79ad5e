"""A page that is changed keeps its story while it shares half of what it said; else it leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.audit import audit
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.flow.explain.pair_explanation import explain_pair
from dupgroups.flow.frame_log import frame_entry
from dupgroups.flow.method_set import MethodSet
from dupgroups.methods.frames import NO_RUNS
from flow.scenes import deduper, groups, settle_all
from stories import FERRY, story
from watched import Watched

FIGURES = {
    "Two people": "Nine people",
    "on Monday": "on Tuesday",
    "at noon": "at 3 p.m.",
    "in January": "in May",
}


def changed(text: str) -> str:
    for old, new in FIGURES.items():
        text = text.replace(old, new)
    return text


FIRST = Page(id="a", url="https://a.example/1", text=FERRY)
COPY, CHANGED = replace(FIRST, id="b", url="https://b.example/1"), replace(FIRST, text=changed(FERRY))
PARTLY = f"{FERRY.split('. ')[0]}. {story('other', 40)}"
OLDER = replace(COPY, id="o", url="https://o.example/1")
LATER, OTHER = replace(CHANGED, id="c", url="https://c.example/1"), replace(FIRST, text=story("other"))


def parts(engine: Engine) -> list[list[str]]:
    found = groups(engine)
    return sorted(sorted(id_ for id_ in found if found[id_] == name) for name in {*found.values()})


@pytest.mark.parametrize(
    "order", [[FIRST, COPY, CHANGED], [COPY, FIRST, CHANGED, LATER], [COPY, FIRST, OLDER, CHANGED, LATER]]
)
def test_a_page_keeps_its_story_and_its_copies_find_it_there(engine: Engine, order: list[Page]) -> None:
    outcomes = [deduper(engine).add(page) for page in order]
    assert [one.state for one in outcomes if one.id == "a"] == [
        "new" if order[0] is FIRST else "joined",
        "updated",
    ]
    assert parts(engine) == [sorted({page.id for page in order})]
    settle_all(engine)
    assert parts(engine) == [sorted({page.id for page in order})]
    assert all(check.ok for check in audit(engine))
    (entry,) = engine.corrections(fresh=True)
    methods, stored = MethodSet(), engine.read(["a", "b"])
    methods.read_log([entry])
    made = explain_pair(stored["a"], stored["b"], methods, Config())
    assert (made.joins, made.one_group, made.correction) == (False, True, entry.number)
    deduper(engine).undo(entry.number, by="Edda")
    assert groups(engine)["a"] != groups(engine)["b"], "without the entry texts decide"
    for page in (FIRST, CHANGED):
        deduper(engine).add(page)
    assert groups(engine)["a"] != groups(engine)["b"], "and nobody enters again what was undone"


@pytest.mark.parametrize("other", [OTHER.text, PARTLY], ids=["other", "in part"])
def test_a_page_that_tells_something_else_leaves(engine: Engine, other: str) -> None:
    for page in (FIRST, COPY, CHANGED, replace(FIRST, text=other)):
        deduper(engine).add(page)
    assert parts(engine) == [["a"], ["b"]]
    deduper(engine).add(CHANGED)
    assert parts(engine) == [["a"], ["b"]]
    for page in (FIRST, CHANGED, replace(COPY, text=other)):
        deduper(engine).add(page)
    assert parts(engine) == [["a"], ["b"]], "so does the page that it was kept with"
    assert all(check.ok for check in audit(engine))


def test_what_people_say_comes_first(engine: Engine) -> None:
    adding = deduper(engine)
    adding.add_all([FIRST, COPY])
    adding.correct("keep-apart", "a", "b", by="Edda")
    adding.add(CHANGED)
    assert parts(engine) == [["a"], ["b"]]
    with pytest.raises(InputError, match="what the program calls itself"):
        adding.undo(1, by="dup-groups")


def test_what_people_said_of_its_earlier_text_does_not_drive_a_page_out(engine: Engine) -> None:
    adding = deduper(engine)
    adding.add_all([OTHER, COPY, replace(OTHER, id="y"), Page(id="z", text=story("third"))])
    adding.correct("keep-apart", "y", "b", by="Edda")
    adding.correct("keep-apart", "z", "a", by="Edda")
    for page in (FIRST, CHANGED):
        adding.add(page)
    assert parts(engine) == [["a", "b"], ["y"], ["z"]]


@pytest.mark.parametrize(
    ("config", "inside", "outside"),
    [
        (Config(group_by=("language",)), {"language": "en"}, {"language": "de"}),
        (Config(within_days=2), {"date": "2026-03-01"}, {"date": "2026-03-09"}),
    ],
)
def test_fields_and_days_come_first(config: Config, inside: dict[str, str], outside: dict[str, str]) -> None:
    first, copy, changed, later = (
        replace(page, **given)  # type: ignore[arg-type]
        for page, given in ((FIRST, inside), (COPY, inside), (CHANGED, inside), (CHANGED, outside))
    )
    flow = Deduper("memory://", config)
    flow.add_all([first, copy, later])
    assert not flow.engine.corrections(fresh=True)
    flow = Deduper("memory://", config)
    flow.add_all([first, copy, changed])
    assert parts(flow.engine) == [["a", "b"]]
    flow.add(later)  # the same text: a new date alone is a change, too
    assert parts(flow.engine) == [["a"], ["b"]], "also of a page that was kept before"
    flow.add(replace(copy, **outside))  # type: ignore[arg-type]
    flow.add(replace(later, text=FERRY))
    assert parts(flow.engine) == [["a", "b"]]


def test_stories_that_are_there_do_not_meet_over_a_changed_page(engine: Engine) -> None:
    deduper(engine).add_all([FIRST, COPY, LATER, replace(LATER, id="d", url="https://d.example/1")])
    deduper(engine).add(CHANGED)
    assert parts(engine) == [["a", "c", "d"], ["b"]]


def test_pages_that_change_at_once_stay_and_a_new_page_of_an_id_is_another_one(engine: Engine) -> None:
    deduper(engine).add_all([FIRST, COPY])
    deduper(engine).add_all([CHANGED, replace(COPY, text=f"{FERRY} Divers will go on on Friday.")])
    assert parts(engine) == [["a", "b"]]
    deduper(engine).delete(["a"])
    deduper(engine).add(OTHER)
    assert parts(engine) == [["a"], ["b"]]


def test_a_page_does_not_stay_with_one_that_leaves_at_once(engine: Engine) -> None:
    deduper(engine).add_all([COPY, FIRST, replace(COPY, id="c", url="https://c.example/1")])
    deduper(engine).add_all([replace(COPY, text=OTHER.text), CHANGED])
    assert parts(engine) == [["a", "c"], ["b"]]
    deduper(engine).add_all([replace(CHANGED, text=FERRY), replace(COPY, id="c", text=story("third"))])
    deduper(engine).add_all([CHANGED, replace(COPY, id="c", text=story("fourth"))])
    assert parts(engine) == [["a"], ["b"], ["c"]]


def test_a_change_that_the_signature_does_not_show_counts(engine: Engine) -> None:
    flow = deduper(engine)
    signature, later = flow.sign(FIRST).record.signature, flow.sign(CHANGED)
    flow.add_all([FIRST, COPY, replace(later, record=replace(later.record, signature=signature))])
    assert parts(engine) == [["a", "b"]]


def test_frames_that_nobody_names_may_be_undone(engine: Engine) -> None:
    engine.correct(frame_entry([], (), NO_RUNS, 1))
    deduper(engine).undo(1, by="Edda")
    deduper(engine).add_all([FIRST, COPY, CHANGED])
    assert parts(engine) == [["a", "b"]]


def test_what_others_overwrote_before_is_grouped_by_its_new_text(engine: Engine) -> None:
    """The store has the new text already: what the page said is gone."""
    deduper(engine).add_all([FIRST, COPY])
    written = Watched(engine, texts=lambda ids: engine.texts(ids) | {"a": str(CHANGED.text)})
    deduper(written).add(CHANGED)
    assert parts(engine) == [["a"], ["b"]]
