"""The contract of the records of stories; that they are right after any history is a law of the flow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.model import MINUTE_MICROSECONDS, StoryRecord
from engines.documents import document, opened


def names(engine: Engine, **asked: Any) -> list[str]:
    engine.refresh()
    return [record.group for record in engine.stories(**asked)]


def test_a_story_has_the_figures_of_its_members(engine: Engine) -> None:
    engine.put(
        [
            document("a", host="a.example", seen=5, published=7, language="en"),
            document("b", "a", host="b.example", seen=9, published=3, language="da"),
            document("c", "a", host="a.example", seen=6, language="en"),
            document("d", "a", host="", seen=8),
            document("alone", seen=4),
        ]
    )
    engine.refresh()
    days = 3 * MINUTE_MICROSECONDS, 7 * MINUTE_MICROSECONDS
    assert engine.stories() == [StoryRecord("a", 4, 2, *days, 5, 9, ("da", "en"))]
    engine.put([document("e", "a", host="c.example", seen=2, published=1, language="fi")])
    engine.refresh()
    days = MINUTE_MICROSECONDS, 7 * MINUTE_MICROSECONDS
    assert engine.stories() == [StoryRecord("a", 5, 3, *days, 2, 9, ("da", "en", "fi"))]


@pytest.mark.parametrize(("last_seen", "growth"), [(0, 3.0), (90, 2.0), (60 * 24, 0.125)])
def test_growth_is_counted_for_an_hour_at_least(last_seen: int, growth: float) -> None:
    assert StoryRecord("a", 4, 2, None, None, 0, last_seen * MINUTE_MICROSECONDS).growth == growth
    assert StoryRecord("a", 0, 0, None, None, 0, 0).growth == 0


def test_stories_are_sorted_by_a_figure_and_since_a_date(engine: Engine) -> None:
    engine.put(
        [
            *(document(f"a{place}", "a1", seen=place, published=2) for place in (1, 2, 3)),
            *(document(f"b{place}", "b1", host=f"{place}.example", seen=5, published=9) for place in (1, 2)),
            *(document(f"c{place}", "c1", seen=8 + place) for place in (1, 2)),
        ]
    )
    assert names(engine) == ["a1", "b1", "c1"]
    assert names(engine, limit=1) == ["a1"]
    assert names(engine, order="sites") == ["b1", "a1", "c1"]
    assert names(engine, order="last_seen") == ["c1", "b1", "a1"]
    assert names(engine, order="last_published") == ["b1", "a1", "c1"]
    assert names(engine, since=9 * MINUTE_MICROSECONDS) == ["b1"]
    assert names(engine, since=9) == ["a1", "b1", "c1"]
    with pytest.raises(InputError, match="unknown order 'size': use copies"):
        engine.stories(order="size")  # type: ignore[arg-type]


def test_who_follows_is_told_of_what_changed_since_a_mark(engine: Engine) -> None:
    def told(after: object) -> tuple[dict[str, int], object]:
        engine.refresh()
        changed, mark = engine.changed_stories(after)
        return {record.group: record.copies for record in changed}, mark

    assert told(None) == ({}, None)
    engine.put([document("a"), document("b", "a"), document("c"), document("d", "c"), document("alone")])
    first, mark = told(None)
    assert first == {"a": 2, "c": 2}
    engine.touch(["a", "d"], 99)
    engine.put([document("other")])
    assert told(mark) == ({}, mark)
    engine.put([document("e", "a")], moves={"c": "a"})
    merged, later = told(mark)
    assert merged == {"a": 5, "c": 0}
    engine.delete(["b", "c", "d", "e"])
    assert told(later)[0] == {"a": 1}
    assert names(engine) == []


def test_a_story_changes_when_a_member_gets_another_text(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a", text="12 dead")])
    _, mark = engine.changed_stories()
    engine.put([document("b", "a", text="14 dead")])
    assert [one.group for one in engine.changed_stories(mark)[0]] == ["a"]


def test_the_mark_of_a_store_that_is_gone_stands_for_the_beginning(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a")])
    engine.refresh()
    changed, mark = engine.changed_stories(999)
    assert [record.group for record in changed] == ["a"]
    assert engine.changed_stories(mark) == ([], mark)


def test_what_another_program_changed_is_counted_anew(path: Path) -> None:
    with opened(path) as engine:
        engine.put([document("a"), document("b", "a"), document("c"), document("d", "c")])
        with engine.transaction("IMMEDIATE") as db:
            db.execute("UPDATE story SET copies = 7 WHERE grp = 'a'")
        engine.count_stories()
        assert [record.copies for record in engine.stories()] == [2, 2]


def test_a_file_made_before_gets_its_records_when_it_is_opened(path: Path) -> None:
    with opened(path) as engine:
        engine.put([document("a"), document("b", "a"), document("c")])
        with engine.transaction("IMMEDIATE") as db:
            db.execute("DROP TABLE story")
    with opened(path) as engine:
        assert names(engine) == ["a"]
