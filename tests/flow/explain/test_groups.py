"""Who is tied to whom, and what is related but not joined."""

from __future__ import annotations

import pytest

from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.flow import Deduper
from dupgroups.flow.explain import related, scores
from dupgroups.flow.method_set import MethodSet
from dupgroups.model import Page, Record, Signature, Tie
from stories import reprint, story

METHODS = MethodSet()
PARAGRAPHS = story("a").split("\n")


@pytest.fixture
def engine() -> SQLiteEngine:
    """Three copies of a story; a round-up of it and two others; and a brief extract."""
    engine = SQLiteEngine()
    pages = {
        "a": story("a"),
        "b": reprint(story("a"), 1),
        "c": reprint(story("a"), 2),
        "round-up": "\n".join([story("a"), story("b"), story("c")]),
        "brief": "\n".join(PARAGRAPHS[:2]),
        "other": story("x"),
    }
    Deduper(engine).add_all(
        [Page(text=text, id=name, url=f"https://{name}.example/1") for name, text in pages.items()]
    )
    return engine


def group(engine: SQLiteEngine) -> list[Record]:
    return engine.members(["a"])["a"]


def test_every_pair_has_its_score_and_those_that_were_joined_are_marked(engine: SQLiteEngine) -> None:
    made = scores(group(engine), METHODS)
    assert (made.members, made.more, made.judged) == (("a", "b", "c"), False, True)
    pair = made.of("c", "a")
    assert pair is not None
    assert pair == made.of("a", "c")
    assert (pair.relation, pair.tied) == ("duplicate", True)
    assert made.of("a", "a") is None


def test_without_the_methods_the_stored_ties_are_known() -> None:
    a, b, c = (
        Record(name, "a", "", Signature("unknown", ("k",)), ties=ties)
        for name, ties in (("a", ()), ("b", (Tie("a", "contains", 0.7),)), ("c", ()))
    )
    made = scores([a, b, c], METHODS)
    assert not made.judged
    (pair,) = made.pairs.values()
    assert (pair.a, pair.b, pair.relation, pair.score, pair.tied) == ("a", "b", "contained", 0.7, True)
    assert made.of("a", "c") is None


def test_round_ups_and_extracts_are_related(engine: SQLiteEngine) -> None:
    found = {one.other.id: one.relation for one in related(engine, group(engine), METHODS)}
    assert found == {"round-up": "contains", "brief": "contained"}
    (back,) = related(engine, engine.members(["brief"])["brief"], METHODS)[:1]
    assert (back.other.group, back.member) in {("a", "brief"), ("round-up", "brief")}
