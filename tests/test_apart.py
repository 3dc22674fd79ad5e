"""Documents that are kept apart by their fields or by days, in every way in which documents come in."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dupgroups import Config, Deduper, Page, group, open_engine
from dupgroups.audit import audit
from dupgroups.backfill import Backfill
from dupgroups.cli import app
from dupgroups.config import scope_of
from dupgroups.engines import Engine
from dupgroups.model import Document
from dupgroups.offline import group_pages, group_records
from stories import story
from test_flow_laws import groups, signed

TENANTS = Config(group_by=("tenant",))
WEEK = Config(within_days=7)
DAY = 86_400_000_000
TEXT = story("a", 150) + "\n" + story("b", 150)


def of(tenant: str, **values: str) -> str:
    return scope_of(TENANTS.group_by, {"tenant": tenant, **values}.get)


def page(id_: str, tenant: str = "", **values: str | None) -> Page:
    return Page(id=id_, **{"text": TEXT, "scope": of(tenant) or None, **values})  # type: ignore[arg-type]


def everything(engine: Engine) -> list[list[object]]:
    return [list(engine.get(list(groups(engine))).values())]


# -- scopes


def test_documents_of_different_fields_never_meet(engine: Engine) -> None:
    deduper = Deduper(engine, TENANTS)
    deduper.add_all([page("a1", "acme"), page("b1", "bolt"), page("none1")])
    deduper.add_all([page("a2", "acme"), page("b2", "bolt"), page("none2")])
    apart = {"a1": "a1", "a2": "a1", "b1": "b1", "b2": "b1", "none1": "none1", "none2": "none1"}
    assert groups(engine) == apart
    deduper.settle(everything(engine))  # type: ignore[arg-type]
    assert groups(engine) == apart
    assert [check.name for check in audit(engine, TENANTS) if not check.ok] == []


def test_a_document_that_changes_its_field_changes_its_group(engine: Engine) -> None:
    deduper = Deduper(engine, TENANTS)
    deduper.add_all([page("a", "acme"), page("b", "bolt"), page("x", "acme")])
    assert deduper.add(page("x", "bolt")).group == "b"
    assert groups(engine) == {"a": "a", "b": "b", "x": "b"}


@pytest.mark.parametrize(
    ("field", "apart"),
    [
        ("language", {"url": "https://a.example/2", "language": "de"}),
        ("host", {"url": "https://b.example/2"}),
    ],
)
def test_what_is_known_of_every_document_keeps_apart_too(
    engine: Engine, field: str, apart: dict[str, str]
) -> None:
    first = {"url": "https://a.example/1", "language": "en"}
    for config, expected in ((Config(group_by=(field,)), "2"), (Config(), "1")):
        with closing(open_engine("memory://")) as fresh:
            deduper = Deduper(fresh, config)
            deduper.add(page("1", **first))
            assert deduper.add(page("2", **{**first, **apart})).group == expected


def test_the_order_of_fields_makes_no_difference() -> None:
    one, two = Config(group_by=("desk", "tenant")), Config(group_by=("tenant", "desk"))
    values = {"tenant": "acme", "desk": "sport"}
    assert scope_of(one.group_by, values.get) == scope_of(two.group_by, values.get)
    with closing(Deduper("memory://", one)) as a, closing(Deduper("memory://", two)) as b:
        assert a.sign(page("x", "acme")).record == b.sign(page("x", "acme")).record


def test_values_cannot_be_confused_with_one_another() -> None:
    both = ("desk", "tenant")
    scopes = [
        {"tenant": "a", "desk": "b"},
        {"tenant": "b", "desk": "a"},
        {"tenant": "ab"},
        {"desk": "ab"},
        {},
    ]
    assert len({scope_of(both, values.get) for values in scopes}) == len(scopes)


def test_backfill_signs_by_other_fields_and_doctor_says_so(engine: Engine) -> None:
    Deduper(engine).add_all([page("a", "acme"), page("b", "bolt"), page("c", "acme")])
    assert set(groups(engine).values()) == {"a"}
    run = Backfill(engine, config=TENANTS)
    deduper = Deduper(engine, TENANTS)
    assert engine.outdated(deduper.methods.schemes) == 3
    run.run()
    assert groups(engine) == {"a": "a", "b": "b", "c": "a"}
    assert engine.outdated(deduper.methods.schemes) == 0
    Backfill(engine, config=Config()).run()
    assert set(groups(engine).values()) == {"a"}


def test_a_file_is_grouped_by_its_fields(tmp_path: Path) -> None:
    source, out, config = tmp_path / "docs.jsonl", tmp_path / "out.csv", tmp_path / "x.toml"
    lines = [{"id": id_, "tenant": tenant, "text": TEXT} for id_, tenant in ("ax", "by", "cx")]
    source.write_text("\n".join(map(json.dumps, lines)))
    config.write_text('group_by = ["tenant"]')
    arguments = ["group", str(source), "--out", str(out), "--processes", "1"]
    assert CliRunner().invoke(app, [*arguments, "--config", str(config)]).exit_code == 0
    assert out.read_text() == "id,group\na,a\nb,b\nc,a\n"
    assert group(lines, TENANTS) == {"a": "a", "b": "b", "c": "a"}
    assert group(lines) == {"a": "a", "b": "a", "c": "a"}


# -- days


def test_documents_of_days_far_apart_are_not_joined(engine: Engine) -> None:
    deduper = Deduper(engine, WEEK)
    deduper.add_all([page("1", date="2026-01-01"), page("8", date="2026-01-08T23:00:00")])
    assert deduper.add(page("9", date="2026-01-09")).group == "1", "by way of the 8th"
    assert deduper.add(page("20", date="2026-01-20")).group == "20"
    assert deduper.add(page("next", date="2026-01-17")).group == "20"
    deduper.delete(["8"])
    assert groups(engine) == {"1": "1", "9": "9", "20": "20", "next": "20"}


def test_without_a_date_the_day_counts_on_which_it_was_first_seen(engine: Engine) -> None:
    day = [100]
    deduper = Deduper(engine, WEEK, clock=lambda: day[0] * DAY)
    deduper.add(page("old"))
    for day[0], expected in ((107, "old"), (200, "new")):
        assert deduper.add(page("new" if day[0] == 200 else "soon")).group == expected


def test_a_corrected_date_opens_the_group(engine: Engine) -> None:
    deduper = Deduper(engine, WEEK)
    deduper.add_all([page("a", date="2026-01-01"), page("b", date="2026-01-01", title="Old")])
    assert deduper.add(page("b", date="2026-03-01", title="New")).group == "b"
    assert groups(engine) == {"a": "a", "b": "b"}


def test_another_window_holds_after_settling_all(engine: Engine) -> None:
    dates = {"a": "2026-01-01", "b": "2026-01-05", "c": "2026-02-01"}
    Deduper(engine).add_all([page(id_, date=date) for id_, date in dates.items()])
    for days, expected in ((7, {"a": "a", "b": "a", "c": "c"}), (3, {id_: id_ for id_ in "abc"})):
        config = Config(within_days=days)
        assert [check.name for check in audit(engine, config) if not check.ok] == ["partition"]
        Deduper(engine, config).settle(everything(engine))  # type: ignore[arg-type]
        assert groups(engine) == expected
    Deduper(engine).settle(everything(engine))  # type: ignore[arg-type]
    assert set(groups(engine).values()) == {"a"}


def test_a_file_is_grouped_within_days() -> None:
    dates = {"a": "2026-01-01", "b": "2026-01-05", "c": "2026-02-01", "d": None, "e": None}
    pages = [page(id_, date=date) for id_, date in dates.items()]
    result = group_pages(pages, WEEK, processes=1)
    assert result.groups == {"a": "a", "b": "a", "c": "c", "d": "d", "e": "d"}
    assert {(a, b) for a, b, _ in result.pairs} == {("a", "b"), ("d", "e")}, "others are not even compared"


# -- any order

WORLD = st.dictionaries(
    st.sampled_from("pqrstu"),
    st.tuples(st.sampled_from(["abc", "cde", "abcde"]), st.integers(0, 5), st.sampled_from(["x", "y"])),
    min_size=2,
)


def dated(id_: str, parts: str, days: int, tenant: str) -> Document:
    document = signed(id_, parts)
    keys = tuple(f"{tenant}{key}" for key in document.record.signature.keys)
    signature = replace(document.record.signature, keys=keys)
    return replace(document, record=replace(document.record, published=3 * days, signature=signature))


@given(WORLD, st.randoms(), st.integers(1, 6))
def test_the_groups_do_not_depend_on_order_and_batches(
    world: dict[str, tuple[str, int, str]], random: object, size: int
) -> None:
    names = list(world)
    random.shuffle(names)  # type: ignore[attr-defined]
    with closing(open_engine("memory://")) as engine:
        deduper = Deduper(engine, WEEK)
        for start in range(0, len(names), size):
            deduper.add_all([dated(id_, *world[id_]) for id_ in names[start : start + size]])
        assert [check.detail for check in audit(engine, WEEK) if not check.ok] == []
        partition = {frozenset(i for i, g in groups(engine).items() if g == name) for name in names}
    records = [replace(dated(id_, *world[id_]).record, first_seen=1) for id_ in sorted(world)]
    at_once = group_records(records, WEEK)
    assert partition - {frozenset()} == {
        frozenset(i for i, g in at_once.items() if g == name) for name in set(at_once.values())
    }
