"""The contract of heads, on every engine: what `put` makes the head, what a search shows, what is told."""

from __future__ import annotations

import pytest

from dupgroups.engines import Engine
from engines.documents import document, found, ids, ill, search


def heads(engine: Engine, *groups: str) -> dict[str, list[str]]:
    return {group: ids(records) for group, records in engine.heads(groups).items()}


def test_the_document_that_names_a_group_is_its_head_unless_another_one_is_given(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a"), document("c"), document("d", "c")], heads={"c": "d"})
    assert heads(engine, "a", "c", "nobody") == {"a": ["a"], "c": ["d"], "nobody": []}
    assert [record.head for record in engine.get(["a", "b", "c", "d"]).values()] == [True, False, False, True]
    assert sorted(found(engine, mode="head")) == ["a", "d"]
    assert heads(engine, "a", "c") == {"a": ["a"], "c": ["d"]}, "refreshed as well"
    assert {stored.record.id for stored in engine.scan() if stored.record.head} == {"a", "d"}


def test_a_label_says_whether_a_stored_document_is_the_head(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a"), document("c", "a")])
    engine.put([], labels={"a": "a", "b": "a"}, heads={"a": "b"})
    assert heads(engine, "a") == {"a": ["b"]}
    engine.put([document("d", "a")], labels={"b": "a"}, heads={"a": "d"})
    assert heads(engine, "a") == {"a": ["d"]}
    engine.put([document("e", "a")])
    engine.touch(["a", "d"], 9)
    assert heads(engine, "a") == {"a": ["d"]}, "who is not written stays what it is"
    engine.put([], labels={"a": "a", "d": "a"})
    assert heads(engine, "a") == {"a": ["a"]}


@pytest.mark.parametrize("head", ["a", "x", "y"])
def test_members_that_move_become_the_head_or_are_it_no_longer(engine: Engine, head: str) -> None:
    engine.put([document("a"), document("x"), document("y", "x")], heads={"x": "y"})
    labels = {} if head == "a" else {"a": "a"}
    engine.put([document("n", "a")], moves={"x": "a"}, labels=labels, heads={"a": head})
    assert heads(engine, "a", "x") == {"a": [head], "x": []}
    assert found(engine, mode="head") == [head]


def test_a_group_that_goes_by_another_name_has_the_head_that_is_given(engine: Engine) -> None:
    engine.put([document("a"), document("b", "a"), document("c", "a")], heads={"a": "c"})
    engine.delete(["a"])
    engine.put([], moves={"a": "b"}, labels={"b": "b"}, heads={"b": "c"})
    assert heads(engine, "a", "b") == {"a": [], "b": ["c"]}


def test_what_heads_are_elected_by_is_kept(engine: Engine) -> None:
    stored = document("a", length=123_456, canonical=False)
    engine.put([stored, document("b", "a", length=1)], heads={"a": "b"})
    engine.put([], moves={"a": "b"}, heads={"b": "a"})
    engine.touch(["a"], 7)
    [record] = engine.get(["a"]).values()
    assert (record.length, record.canonical, record.is_head) == (123_456, False, True)


def test_a_story_without_a_head_is_told_and_one_with_two_counts_twice(engine: Engine) -> None:
    """As it is when the writer died who took the head away from one of them."""
    engine.put([document("a")])
    engine.put([document("b", "a")], heads={"a": "b"})
    assert heads(engine, "a") == {"a": ["a", "b"]}
    results = search(engine, mode="head")
    assert (results.stories, results.documents) == (2, 2)
    assert search(engine, mode="collapse").stories == 1
    engine.put([], labels={"a": "a", "b": "a"}, heads={"a": "nobody"})
    engine.refresh()
    assert ill(engine) == ["heads"]
