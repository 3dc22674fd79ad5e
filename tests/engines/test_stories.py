"""The contract of the records of stories; that they are right after any history is a law of the flow."""

import random
from pathlib import Path
from typing import Any

import pytest

from dupgroups.engines import Engine, story_credits
from dupgroups.errors import InputError
from dupgroups.model import MINUTE_MICROSECONDS, Document, StoryRecord, Tie
from engines.documents import document, opened
from es_plugin.clusters import seeds
from flow.scenes import counted_stories, kept_stories


def list_names(engine: Engine, **asked: Any) -> list[str]:
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


@seeds(1, later=3)
def test_a_story_has_the_sources_that_its_page_shows(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever comes, changes, moves and goes; of the oldest members only, however many there are."""
    monkeypatch.setattr(story_credits, "MAX_SOURCED_COPIES", 6)
    draw, most = random.Random(seed), 0
    for step in range(20):
        there = {one.record.id: one.record for one in engine.scan()}
        groups = ["d", *(record.group for record in there.values())]
        winner, loser = draw.choice(groups), draw.choice(groups)
        kind = draw.choice(["add", "add", "add", "delete", "move"])
        if kind == "delete" and there:
            engine.delete(draw.sample([*there], 1))
        elif kind == "move" and winner != loser:
            engine.put([], moves={loser: winner})
        else:
            some = {f"d{step}": step, **{id_: record.first_seen for id_, record in there.items()}}
            ids = draw.sample([*some], min(len(some), 3))
            engine.put([draw_credited(draw, id_, winner, some[id_], [*there, *ids]) for id_ in ids])
        assert kept_stories(engine) == counted_stories(engine)
        most = max(most, *(story.sources for story in kept_stories(engine).values()), 0)
    assert most > 1


def test_what_a_copy_that_joins_is_tied_to_says_whether_it_has_another_source(engine: Engine) -> None:
    """Two agencies that are credited for the same words, by members of the story, are one source."""

    def join(id_: str, agency: str, *ties: tuple[str, float], group: str = "a") -> tuple[int, Any]:
        tied = tuple(Tie(other, "duplicate", score) for other, score in ties)
        text = f"Fog closed the harbour.\nWith material from {agency}"
        engine.put([document(id_, group, seen=ord(id_), text=text, ties=tied)])
        engine.refresh()
        return next(((one.sources, one.agencies) for one in engine.stories() if one.group == "a"), (0, ()))

    join("a", "AFP")
    join("b", "")
    join("c", "AFP", group="c")
    assert join("d", "dpa", ("a", 0.7), ("c", 0.9)) == (2, ("AFP", "dpa"))
    assert join("e", "AP", ("a", 0.9)) == (2, ("AFP", "AP", "dpa"))
    assert join("f", "Reuters") == (3, ("AFP", "AP", "Reuters", "dpa"))


def draw_credited(draw: random.Random, id_: str, group: str, seen: int, known: list[str]) -> Document:
    """A document that may credit an agency, and is tied to others, perhaps for the same words."""
    agency = draw.choice(["", "", "AFP", "AP", "dpa", "Reuters"])
    ties = tuple(Tie(draw.choice(known), "duplicate", draw.choice([0.7, 0.9])) for _ in range(2))
    text = f"Fog closed the harbour.\nWith material from {agency}"
    source = draw.choice(["", "", "", "apnews.com", "example.org"])
    return document(id_, draw.choice([group, id_]), seen=seen, text=text, ties=ties, source=source)


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
    assert list_names(engine) == ["a1", "b1", "c1"]
    assert list_names(engine, limit=1) == ["a1"]
    assert list_names(engine, order="sites") == ["b1", "a1", "c1"]
    assert list_names(engine, order="last_seen") == ["c1", "b1", "a1"]
    assert list_names(engine, order="last_published") == ["b1", "a1", "c1"]
    assert list_names(engine, since=9 * MINUTE_MICROSECONDS) == ["b1"]
    assert list_names(engine, since=9) == ["a1", "b1", "c1"]
    engine.put([document(f"c{place}", "c1", seen=8) for place in (3, 4)])
    assert list_names(engine, order="sources") == ["c1", "a1", "b1"]  # all are of one: most copies first
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
    assert list_names(engine) == []


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
            for name in ("source", "owner"):
                db.execute(f"ALTER TABLE document DROP COLUMN {name}")
            db.execute("DROP TABLE story")
    with opened(path) as engine:
        assert list_names(engine) == ["a"]
        engine.put([document("d", "a", source="apnews.com")])
        assert [record.agencies for record in engine.stories()] == [("AP",)]
