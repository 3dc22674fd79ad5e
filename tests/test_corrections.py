"""What people say is a constraint of the groups, in any history and order, and undone it leaves no trace."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups import Config, Deduper, open_engine
from dupgroups.audit import audit
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.grouping import Corrections
from dupgroups.offline import group_records
from test_flow_laws import ADDED, BRIDGE, CHAINED, DELETED, groups, page, signed

Step = dict[str, str] | list[str] | tuple[str, ...] | int
"""A batch that is added, or deleted; a correction; or the place of a correction to be undone."""

AVERAGE = Config(linkage="average")
FULLEST = Config(head="fullest")


def corrected_at_once(engine: Engine, config: Config) -> dict[str, str]:
    corrections = Corrections.of(engine.corrections())
    return group_records((document.record for document in engine.scan()), config, corrections)


def check(engine: Engine, config: Config) -> None:
    """The laws: as at once, none kept apart in one group, all kept together in one, and pinned heads."""
    now, said = groups(engine), Corrections.of(engine.corrections())
    assert now == corrected_at_once(engine, config)
    assert all(now[a] != now[b] for a, b in said.apart if a in now and b in now)
    assert all(now[a] == now[b] for a, b in said.together if a in now and b in now)
    assert [line.detail for line in audit(engine, config) if not line.ok] == []


def take(deduper: Deduper, step: Step) -> None:
    """Take one step of a history; what cannot be entered has to be refused."""
    if isinstance(step, dict):
        deduper.add_all([signed(*item) for item in step.items()])
    elif isinstance(step, list):
        deduper.delete(step)
    elif isinstance(step, int):
        with pytest.MonkeyPatch.context():
            log = deduper.engine.corrections()
            try_to(deduper, lambda: deduper.undo(step % (len(log) + 1), by="ann"))
    else:
        kind, *ids = step
        try_to(deduper, lambda: deduper.correct(kind, *ids, by="ann"))  # type: ignore[arg-type]


def try_to(deduper: Deduper, act: object) -> None:
    before = deduper.engine.corrections()
    try:
        act()  # type: ignore[operator]
    except InputError:
        assert deduper.engine.corrections() == before


def live(engine: Engine, history: Sequence[Step], config: Config) -> None:
    deduper = Deduper(engine, config)
    for step in history:
        take(deduper, step)
        check(engine, config)
    for entry in engine.corrections():
        try_to(deduper, lambda number=entry.number: deduper.undo(number, by="ann"))
    assert not Corrections.of(engine.corrections())
    check(engine, config)
    assert groups(engine) == group_records((document.record for document in engine.scan()), config)


def histories(added: st.SearchStrategy[dict[str, str]], ids: str) -> st.SearchStrategy[list[Step]]:
    two = st.tuples(
        st.sampled_from(["keep-apart", "keep-apart", "keep-together"]), *(st.sampled_from(ids),) * 2
    )
    pin = st.tuples(st.just("head"), st.sampled_from(ids))
    return st.lists(added | two | two | pin | DELETED | st.integers(0, 9), min_size=2, max_size=9).map(
        lambda steps: [dict.fromkeys(ids[:4], BRIDGE), *steps]
    )


@contextmanager
def file_engine() -> Iterator[Engine]:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_engine(f"sqlite:///{Path(folder) / 'test.db'}")) as engine,
    ):
        yield engine


@settings(max_examples=60)
@given(histories(ADDED, "pqrstu"))
def test_after_any_history_with_corrections_the_groups_are_those_made_at_once(history: list[Step]) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, Config())


@settings(max_examples=40)
@given(histories(CHAINED, "pqrstuvwx"), st.sampled_from([AVERAGE, FULLEST, Config()]))
def test_chains_can_be_corrected_with_any_linkage(history: list[Step], config: Config) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, config)


@settings(max_examples=15)
@given(histories(ADDED, "pqrstu"))
def test_a_file_is_corrected_in_the_same_way(history: list[Step]) -> None:
    with file_engine() as engine:
        live(engine, history, Config())
