"""Histories of a store: whatever is added, deleted and corrected, its groups are those of what it holds.

After every step the groups are those that are made of all documents at once, with the corrections that count,
and each has the head that it elects. That former names lead on is a law of the plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupgroups import Config, Deduper, open_engine
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.grouping.components import Components
from dupgroups.grouping.constraints import Corrections
from dupgroups.grouping.heads import order_of
from dupgroups.model import DAY_MICROSECONDS, MINUTE_MICROSECONDS, Document, Query, Record, StoryRecord
from flow.scenes import (
    AVERAGE,
    CHAIN,
    CLOSURE,
    FULLEST,
    HOSTS,
    at_once,
    counted_stories,
    follow_stories,
    groups,
    heads,
    kept_stories,
    signed,
    wrong,
)
from properties import met, must_meet

Texts = dict[str, tuple[str, int]]
"""By id: the parts of a text, and the place where it is published, as in `written`."""

Step = Texts | list[str] | tuple[str, ...] | int
"""A batch that is added, or deleted; a correction; or the number of a correction that is undone."""

WEEK = Config(within_days=7, linkage="closure")
CONFIGS = [
    CLOSURE,
    AVERAGE,
    FULLEST,
    replace(FULLEST, linkage="average"),
    replace(HOSTS, linkage="closure"),
    Config(head="canonical"),
    Config(head="published"),
    WEEK,
    Config(within_days=7),
]
IDS = "pqrstu"


def written(id_: str, parts: str, place: int) -> Document:
    """Each place has another host, and publishes six days later; the page of the second is not canonical."""
    document = signed(id_, parts)
    record = replace(
        document.record,
        host=f"{'abc'[place]}.example",
        canonical=place != 1,
        published=(12_000 + 6 * place) * DAY_MICROSECONDS // MINUTE_MICROSECONDS,
    )
    return replace(document, record=record)


def take(flow: Deduper, step: Step) -> None:
    """Take one step of a history; what cannot be entered has to be refused."""
    if isinstance(step, dict):
        flow.add_all([written(id_, *text) for id_, text in step.items()])
    elif isinstance(step, list):
        flow.delete(step)
    elif isinstance(step, int):
        enter(flow, lambda: flow.undo(step, by="ann"))
    else:
        kind, *ids = step
        enter(flow, lambda: flow.correct(kind, *ids, by="ann"))  # type: ignore[arg-type]


def enter(flow: Deduper, act: Callable[[], object]) -> None:
    before = flow.engine.corrections(fresh=True)  # another writer may have entered some
    try:
        act()
    except InputError:
        assert flow.engine.corrections(fresh=True) == before


def check(engine: Engine, config: Config) -> None:
    """The groups are those made at once, what people say counts, and the elected heads stand for them."""
    said = Corrections.of(engine.corrections())
    now = groups(engine)
    records = [document.record for document in engine.scan()]
    assert now == at_once(records, config, said, read=engine.texts)
    assert all(now[a] != now[b] for a, b in said.apart if a in now and b in now)
    assert all(now[a] == now[b] for a, b in said.together if a in now and b in now)
    if config.within_days is None:
        check_copies(records, now, said)
    standing = heads(engine)
    assert {len(ids) for ids in standing.values()} <= {1}
    shown = {hit.shown.id for hit in engine.search(Query(mode="head", limit=100)).hits}
    assert shown == {ids[0] for ids in standing.values()}
    if not said:
        members = defaultdict(list)
        for record in records:
            members[record.group].append(record)
        order = order_of(config.head)
        assert standing == {name: [min(group, key=order).id] for name, group in members.items()}


def check_copies(records: Sequence[Record], now: dict[str, str], said: Corrections) -> None:
    """Copies of one text are together, and so not where somebody does not want one of them; unless people
    parted them, by themselves or over others that are kept together.
    """
    whole, copies = Components({id_: (0, id_) for id_ in now}), defaultdict[str, list[str]](list)
    for record in records:
        copies[record.mark or record.id].append(record.id)
    for one, other in (*said.together, *chain.from_iterable(map(pairwise, copies.values()))):
        if one in now and other in now:
            whole.join(one, other)
    parted = {whole.root(a) for a, b in said.apart if {a, b} <= now.keys() and whole.root(a) == whole.root(b)}
    for ids in copies.values():
        if whole.root(ids[0]) not in parted:
            met(len(ids) > 1 and said.apart)
            assert len({now[id_] for id_ in ids}) == 1


def check_stories(engine: Engine, known: dict[str, StoryRecord], after: object) -> object:
    """The records of stories say what their members do, and who follows their changes knows all of them."""
    wanted = counted_stories(engine)
    met(wanted)
    assert kept_stories(engine) == wanted
    mark = follow_stories(engine, known, after)
    assert {group: record for group, record in known.items() if record.is_story} == wanted
    return mark


def live(engine: Engine, history: Sequence[Step], config: Config) -> None:
    """Live a history; undone, its corrections leave no trace, and settling finds nothing to do."""
    flow, ids = Deduper(engine, config), set[str]()
    known: dict[str, StoryRecord] = {}
    mark: object = None
    for step in history:
        take(flow, step)
        check(engine, config)
        mark = check_stories(engine, known, mark)
        ids |= set(step) if isinstance(step, dict) else set()
        ids -= set(step) if isinstance(step, list) else set()
    assert groups(engine).keys() == ids
    assert wrong(engine, config) == []
    for entry in engine.corrections():
        enter(flow, lambda number=entry.number: flow.undo(number, by="ann"))
    assert not Corrections.of(engine.corrections())
    check(engine, config)
    check_stories(engine, known, mark)
    before = groups(engine), heads(engine)
    settled = flow.regroup([list(engine.get(sorted(ids)).values())])
    assert (settled.groups, settled.regrouped, settled.elected) == (0, 0, 0)
    assert (groups(engine), heads(engine)) == before


def batches(texts: Sequence[str], ids: str = IDS, size: int = 5) -> st.SearchStrategy[Texts]:
    """Copies of these texts that come together."""
    text = st.tuples(st.sampled_from(texts), st.integers(0, 2))
    return st.dictionaries(st.sampled_from(ids), text, min_size=1, max_size=size)


DELETED = st.sets(st.sampled_from(IDS), min_size=1, max_size=3).map(sorted)
TWO = st.tuples(st.sampled_from(["keep-apart", "keep-together"]), *[st.sampled_from(IDS)] * 2)
CORRECTED = TWO | TWO | st.tuples(st.just("head"), st.sampled_from(IDS)) | st.integers(0, 9)
STORIES = batches(["abc", "cde", "abcde", "fgh", "abcx", ""])
CHAINS = batches([*CHAIN, ""], ids="pqrstuvwx", size=9)


MET = {"p": ("abc", 0), "q": ("cde", 1), "r": ("abcde", 2), "s": ("cde", 0)}
CHAINED = {id_: (CHAIN[2 * place], place % 3) for place, id_ in enumerate("pqrs")}
HISTORIES: dict[str, tuple[Texts, Any, list[Config]]] = {
    "stories": ({}, STORIES | DELETED, CONFIGS),
    "corrected stories": (MET, STORIES | DELETED | CORRECTED | CORRECTED, CONFIGS),
    "corrected chains": (CHAINED, CHAINS | DELETED | CORRECTED, [CLOSURE, AVERAGE, FULLEST]),
}


@must_meet()
@settings(max_examples=settings.default.max_examples // 2)  # each lives up to nine steps
@given(st.data())
def test_after_any_history_the_groups_are_those_of_what_is_stored(data: st.DataObject) -> None:
    start, steps, configs = HISTORIES[data.draw(st.sampled_from([*HISTORIES]))]
    history = data.draw(st.lists(steps, min_size=1, max_size=8))
    with closing(open_engine("memory://")) as engine:
        live(engine, [start, *history], data.draw(st.sampled_from(configs)))


BOTH: Texts = {"p": ("cde", 0), "q": ("abc", 0)}


@pytest.mark.parametrize(
    ("history", "config"),
    [
        ([BOTH, {"p": ("abc", 0)}, ["p"]], CLOSURE),  # "q" was merged into "p", which is gone
        ([BOTH | {"r": ("abc", 0)}, {"q": ("cde", 0)}, ["p"]], CLOSURE),  # the name "q" leads to "r" by then
        # by way of "q", until its date is corrected
        ([{id_: ("abc", at) for at, id_ in enumerate("pqr")}, {"q": ("abc", 2)}, {"q": ("abc", 0)}], WEEK),
    ],
)
def test_histories_that_went_wrong_once(history: list[Step], config: Config) -> None:
    live(open_engine("memory://"), history, config)


LONG: list[Step] = [
    {"p": ("abc", 2), "q": ("cde", 1), "r": ("abcx", 0)},
    {"s": ("abcde", 1)},
    ["s", "unknown"],
    {"q": ("abcde", 1), "t": ("cde", 1)},
    {"r": ("abc", 2), "p": ("abcx", 0)},
    {"p": ("fgh", 0), "q": ("fgh", 1)},
    ["p", "q"],
    {"u": ("abcde", 1), "v": ("", 0)},
    ("keep-apart", "r", "t"),
    ("keep-together", "r", "v"),
    ("head", "t"),
    {"u": ("cde", 0), "r": ("abcde", 2)},
    1,
]


@pytest.mark.parametrize(
    "config",
    [
        pytest.param(CONFIGS[3], id="average"),
        *(
            pytest.param(config, id=id_, marks=pytest.mark.slow)
            for config, id_ in ((CONFIGS[0], "closure"), (CONFIGS[4], "hosts"))
        ),
    ],
)
def test_a_long_history_on_every_engine(engine: Engine, config: Config) -> None:
    live(engine, LONG, config)


def test_a_chain_is_one_group_by_closure_and_several_by_average_linkage() -> None:
    engine = open_engine("memory://")
    live(engine, [{f"{place}": (CHAIN[place][:8], 0)} for place in (4, 1, 7, 0, 8, 2, 6, 3, 5)], AVERAGE)
    parts = groups(engine)
    assert len(set(parts.values())) > 1
    assert all(abs(int(id_) - int(group)) < 8 for id_, group in parts.items()), "the ends are apart"
    Deduper(engine, CLOSURE).regroup([list(engine.get(list(parts)).values())])
    assert len(set(groups(engine).values())) == 1
