"""Documents that are kept apart by their fields or by days, in every way in which documents come in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.engines import Engine
from dupgroups.model.config import scope_of
from flow.scenes import deduper, groups, settle_all, wrong
from stories import story

TENANTS = Config(group_by=("tenant",))
WEEK = Config(within_days=7)
DAY = 86_400_000_000
TEXT = story("a", 300)


def page(id_: str, tenant: str = "", **values: str | None) -> Page:
    """A copy of one text, of a tenant."""
    scope = scope_of(TENANTS.group_by, {"tenant": tenant}.get) or None
    return Page(id=id_, text=TEXT, scope=scope, **values)  # type: ignore[arg-type]


# -- scopes


def test_documents_of_different_fields_never_meet(engine: Engine) -> None:
    flow = Deduper(engine, TENANTS)
    flow.add_all([page("a1", "acme"), page("b1", "bolt"), page("none1")])
    flow.add_all([page("a2", "acme"), page("b2", "bolt"), page("none2")])
    apart = {"a1": "a1", "a2": "a1", "b1": "b1", "b2": "b1", "none1": "none1", "none2": "none1"}
    assert groups(engine) == apart
    settle_all(engine, TENANTS)
    assert groups(engine) == apart
    assert wrong(engine, TENANTS) == []
    assert flow.add(page("a2", "bolt")).group == "b1", "a document that changes its field changes its group"


def test_what_people_say_of_copies_holds_in_their_scope(engine: Engine) -> None:
    flow = Deduper(engine, TENANTS)
    flow.add_all([page("a1", "acme"), page("b1", "bolt"), page("b2", "bolt")])
    flow.add(replace(page("a2", "acme"), text=story("b", 300)))
    flow.correct("keep-together", "a1", "a2", by="ann")
    flow.add(page("b3", "bolt"))
    expected = {"a1": "a1", "a2": "a1", "b1": "b1", "b2": "b1", "b3": "b1"}
    assert groups(engine) == expected
    flow.correct("keep-apart", "a1", "b2", by="ann")
    assert groups(engine) == expected
    assert wrong(engine, TENANTS) == []


@pytest.mark.parametrize("apart", [{"language": "de"}, {"url": "https://b.example/2"}])
def test_what_is_known_of_every_document_keeps_apart_too(apart: dict[str, str]) -> None:
    first = {"url": "https://a.example/1", "language": "en"}
    [field] = ["host" if name == "url" else name for name in apart]
    for config, expected in ((Config(group_by=(field,)), "2"), (Config(), "1")):
        flow = deduper("memory://", config)
        flow.add(page("1", **first))
        assert flow.add(page("2", **{**first, "url": "https://a.example/2", **apart})).group == expected


def test_neither_the_order_of_fields_nor_a_value_in_another_field_makes_a_scope() -> None:
    both = ("desk", "tenant")
    given = [{"tenant": "a", "desk": "b"}, {"tenant": "b", "desk": "a"}, {"tenant": "ab"}, {"desk": "ab"}, {}]
    scopes = [scope_of(both, values.get) for values in given]
    assert len(set(scopes)) == len(given)
    assert scopes == [scope_of(both[::-1], values.get) for values in given]


# -- days


def test_without_a_date_the_day_counts_on_which_it_was_first_seen() -> None:
    days = iter([100, 107, 200])
    flow = deduper("memory://", WEEK, clock=lambda: next(days) * DAY)
    assert [flow.add(page(name)).group for name in ("old", "soon", "new")] == ["old", "old", "new"]


def test_another_window_holds_after_settling_all(engine: Engine) -> None:
    dates = {"a": "2026-01-01", "b": "2026-01-05", "c": "2026-02-01"}
    Deduper(engine).add_all([page(id_, date=date) for id_, date in dates.items()])
    for days, expected in ((7, {"a": "a", "b": "a", "c": "c"}), (3, {id_: id_ for id_ in "abc"})):
        config = Config(within_days=days)
        assert wrong(engine, config) == ["partition"]
        settle_all(engine, config)
        assert groups(engine) == expected
    settle_all(engine)
    assert set(groups(engine).values()) == {"a"}


def test_corrections_of_others_change_nothing(engine: Engine) -> None:
    """Identical texts in a row of days, which average linkage divides."""
    flow = Deduper(engine, WEEK)
    days = {"z": "01", "y": "06"} | dict.fromkeys("cdefghij", "12")
    flow.add_all([page(id_, date=f"2026-01-{day}") for id_, day in days.items()])
    flow.add_all([replace(page(id_), text=story(id_, 300)) for id_ in "uv"])
    before = groups(engine)
    assert before["z"] != before["y"] == before["c"]
    flow.correct("keep-apart", "u", "v", by="ann")
    settle_all(engine, WEEK)
    assert groups(engine) == before


def test_copies_of_other_days_are_kept_apart_at_once(engine: Engine) -> None:
    flow = Deduper(engine, WEEK)
    days = {"a1": "01", "b1": "01", "a2": "20", "b2": "20"}
    texts = {"a": TEXT, "b": TEXT[: TEXT.rindex(".", 0, -2) + 1]}
    flow.add_all([replace(page(id_, date=f"2026-01-{day}"), text=texts[id_[0]]) for id_, day in days.items()])
    together = groups(engine)
    assert together == {"a1": "a1", "b1": "a1", "a2": "a2", "b2": "a2"}
    entry = flow.correct("keep-apart", "a1", "b1", by="ann")
    assert groups(engine) == {id_: id_ for id_ in days}
    flow.undo(entry.number, by="ann")
    assert groups(engine) == together
