"""What people say is a constraint of the groups, in any history and order, and undone it leaves no trace."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.audit import audit
from dupgroups.engines import Engine, Store
from dupgroups.errors import InputError
from dupgroups.flow import correcting
from dupgroups.grouping import Corrections
from dupgroups.model import Correction, Document
from dupgroups.offline import group_records
from test_flow_laws import ADDED, AVERAGE, CHAIN, CHAINED, CLOSURE, DELETED, LINKAGES, groups, signed
from watched import Watched

Step = dict[str, str] | list[str] | tuple[str, ...] | int
"""A batch that is added, or deleted; a correction; or the place of a correction to be undone."""

FULLEST = Config(linkage="closure", head="fullest")


def corrected_at_once(engine: Engine, config: Config) -> dict[str, str]:
    corrections = Corrections.of(engine.corrections())
    return group_records((document.record for document in engine.scan()), config, corrections)


def check(engine: Engine, config: Config) -> None:
    """The laws: as at once, none that are kept apart in one group, all that are kept together in one."""
    now, said = groups(engine), Corrections.of(engine.corrections())
    assert now == corrected_at_once(engine, config)
    assert all(now[a] != now[b] for a, b in said.apart if a in now and b in now)
    assert all(now[a] == now[b] for a, b in said.together if a in now and b in now)


def take(deduper: Deduper, step: Step) -> None:
    """Take one step of a history; what cannot be entered has to be refused."""
    if isinstance(step, dict):
        deduper.add_all([signed(*item) for item in step.items()])
    elif isinstance(step, list):
        deduper.delete(step)
    elif isinstance(step, int):
        try_to(deduper, lambda: deduper.undo(step, by="ann"))
    else:
        kind, *ids = step
        try_to(deduper, lambda: deduper.correct(kind, *ids, by="ann"))  # type: ignore[arg-type]


def try_to(deduper: Deduper, act: Callable[[], object]) -> None:
    before = deduper.engine.corrections()
    try:
        act()
    except InputError:
        assert deduper.engine.corrections() == before


def live(engine: Engine, history: Sequence[Step], config: Config) -> None:
    deduper = Deduper(engine, config)
    for step in history:
        take(deduper, step)
        check(engine, config)
    assert [line.detail for line in audit(engine, config) if not line.ok] == []
    for entry in engine.corrections():
        try_to(deduper, lambda number=entry.number: deduper.undo(number, by="ann"))
    assert not Corrections.of(engine.corrections())
    check(engine, config)
    assert groups(engine) == group_records((document.record for document in engine.scan()), config)


# -- any history


def histories(
    start: dict[str, str], added: st.SearchStrategy[dict[str, str]], ids: str
) -> st.SearchStrategy[list[Step]]:
    kinds = st.sampled_from(["keep-apart", "keep-apart", "keep-together"])
    two = st.tuples(kinds, *(st.sampled_from(ids),) * 2)
    pin = st.tuples(st.just("head"), st.sampled_from(ids))
    steps = added | two | two | pin | DELETED | st.integers(0, 9)
    return st.lists(steps, min_size=2, max_size=8).map(lambda steps: [start, *steps])


STORIES = histories({"p": "abc", "q": "cde", "r": "abcde", "s": "cde"}, ADDED, "pqrstu")
CHAINS = histories({id_: CHAIN[2 * place] for place, id_ in enumerate("pqrs")}, CHAINED, "pqrstuvw")


@given(STORIES, LINKAGES)
def test_after_any_history_with_corrections_the_groups_are_those_made_at_once(
    history: list[Step], config: Config
) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, config)


@given(CHAINS, st.sampled_from([CLOSURE, AVERAGE, FULLEST]))
def test_chains_can_be_corrected_with_any_linkage(history: list[Step], config: Config) -> None:
    with closing(open_engine("memory://")) as engine:
        live(engine, history, config)


# -- what a correction does


@pytest.fixture
def store() -> Iterator[Engine]:
    """An engine that needs no server."""
    with closing(open_engine("memory://")) as opened:
        yield opened


A, X, B, BETWEEN = CHAIN[0], CHAIN[2], CHAIN[4], CHAIN[1]  # X is tied to both, BETWEEN more to X and to A


def chained(engine: Engine, config: Config | None = None) -> Deduper:
    deduper = Deduper(engine, config)
    deduper.add_all([signed("a", A), signed("x", X), signed("b", B)])
    assert set(groups(engine).values()) == {"a"}
    return deduper


def sizes(deduper: Deduper) -> list[list[str]]:
    """The members of each group, sorted."""
    now = groups(deduper.engine)  # type: ignore[arg-type]
    return sorted(sorted(id_ for id_ in now if now[id_] == group) for group in set(now.values()))


def test_corrections_part_and_join_groups_at_once_and_undone_leave_no_trace(engine: Engine) -> None:
    deduper = chained(engine)
    deduper.add(signed("other", "fgh"))
    apart = deduper.correct("keep-apart", "b", "a", by="ann")
    assert (apart.before, apart.after) == ({"a": 3}, {"a": 1, "x": 2})
    assert sizes(deduper) == [["a"], ["b", "x"], ["other"]]
    assert engine.resolve(["x"]) == {"x": "x"}
    joined = deduper.correct("keep-together", "other", "b", by="bob")
    assert (joined.before, joined.after) == ({"other": 1, "x": 2}, {"x": 3})
    check(engine, Config())
    assert engine.resolve(["other"]) == {"other": "x"}
    undone = [deduper.undo(number, by="cid") for number in (1, 2)]
    assert sizes(deduper) == [["a", "b", "x"], ["other"]]
    assert engine.resolve(["x", "other"]) == {"x": "a", "other": "other"}
    log = engine.corrections(fresh=True)
    assert list(log) == [apart, joined, *undone]
    assert [(entry.number, entry.kind, entry.by, entry.undoes) for entry in log] == [
        (1, "keep-apart", "ann", None),
        (2, "keep-together", "bob", None),
        (3, "undo", "cid", 1),
        (4, "undo", "cid", 2),
    ]


def test_a_document_goes_to_the_side_to_which_its_ties_are_strongest(store: Engine) -> None:
    """`between` takes `x` with it, which stood with `b` before: the partition does not know who came last."""
    deduper = chained(store)
    deduper.correct("keep-apart", "a", "b", by="ann")
    assert sizes(deduper) == [["a"], ["b", "x"]]
    deduper.add(signed("between", BETWEEN))
    assert sizes(deduper) == [["a", "between", "x"], ["b"]]
    check(store, Config())
    deduper.delete(["between"])
    assert sizes(deduper) == [["a"], ["b", "x"]]


def test_a_correction_rests_while_its_document_is_deleted_and_counts_when_it_comes_back(
    store: Engine,
) -> None:
    deduper = chained(store)
    deduper.correct("keep-apart", "x", "b", by="ann")
    assert sizes(deduper) == [["a", "x"], ["b"]]
    deduper.add(signed("between", X))
    deduper.delete(["x"])
    assert sizes(deduper) == [["a", "b", "between"]]
    deduper.add(signed("x", X))
    assert sizes(deduper) == [["a", "between", "x"], ["b"]]
    check(store, Config())


def test_corrections_survive_a_new_text_a_new_signature_and_settling(store: Engine) -> None:
    deduper = chained(store)
    deduper.correct("keep-apart", "a", "b", by="ann")
    deduper.correct("keep-together", "x", "b", by="ann")
    deduper.add(signed("a", X))  # crawled again: now a copy of both others
    assert sizes(deduper) == [["a"], ["b", "x"]]
    [old] = store.read(["a"]).values()
    deduper.replace([Document(signed("a", B).record, old.content)])
    assert sizes(deduper) == [["a"], ["b", "x"]]
    deduper.settle([list(store.get(["a", "b", "x"]).values())])
    assert sizes(deduper) == [["a"], ["b", "x"]]
    deduper.add(signed("x", "fgh"))  # another story, but people said that it stays with "b"
    assert sizes(deduper) == [["a"], ["b", "x"]]
    check(store, Config())


def test_of_a_large_group_an_entry_counts_only_some_members(
    store: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correcting, "COUNTED", 3)
    deduper = Deduper(store)
    deduper.add_all([*(signed(name, "abc") for name in "pqrst"), signed("alone", "fgh")])
    entry = deduper.correct("keep-together", "p", "alone", by="ann")
    assert (entry.before, entry.after) == ({"alone": 1, "p": 3}, {"p": 3})
    assert sizes(deduper) == [["alone", *"pqrst"]]


# -- heads


def heads(engine: Engine) -> set[str]:
    engine.refresh()
    return {document.record.id for document in engine.scan() if document.record.is_head}


@pytest.mark.parametrize("config", [CLOSURE, FULLEST], ids=["oldest", "fullest"])
def test_a_pinned_head_stands_for_its_group_whatever_meets_it(engine: Engine, config: Config) -> None:
    deduper = Deduper(engine, config)
    deduper.add_all([signed("left", "abc"), signed("right", "cde"), signed("pinned", "cde")])
    deduper.correct("head", "pinned", by="ann")
    assert heads(engine) == {"left", "pinned"}
    deduper.add(signed("fuller", "cdef"))
    assert heads(engine) == {"left", "pinned"}
    deduper.add(signed("bridge", "abcde"))  # the name of the older group stays, the pinned head as well
    assert set(groups(engine).values()) == {"left"}
    assert heads(engine) == {"pinned"}
    deduper.correct("head", "right", by="ann")
    assert heads(engine) == {"right"}, "the latest pin counts"
    assert [line.detail for line in audit(engine, config) if not line.ok] == []
    deduper.undo(2, by="ann")
    assert heads(engine) == {"pinned"}
    deduper.undo(1, by="ann")
    assert heads(engine) == ({"bridge"} if config.head == "fullest" else {"left"})


# -- what is refused


@pytest.mark.parametrize(
    ("kind", "ids", "sentence"),
    [
        ("keep-apart", ("a", "none"), "no document has the id 'none'"),
        ("keep-apart", ("a", "a"), "cannot be corrected against itself"),
        ("keep-apart", ("a",), "is not a correction"),
        ("keep-apart", ("x", "a"), "are kept together by corrections 1, 2: undo one of these first"),
        ("keep-together", ("b", "c"), "correction 3 keeps 'a' and 'c' apart; undo it first"),
        ("keep-together", ("b", "a"), "are kept together already, by correction 1"),
        ("keep-apart", ("c", "a"), "are kept apart already, by correction 3"),
        ("head", ("x",), "is pinned as a head already, by correction 4"),
        ("undo", (), "is not a correction"),
    ],
)
def test_what_contradicts_or_repeats_is_refused_with_a_sentence(
    kind: str, ids: tuple[str, ...], sentence: str
) -> None:
    deduper = chained(open_engine("memory://"))  # type: ignore[arg-type]
    deduper.add(signed("c", "fgh"))
    deduper.correct("keep-together", "a", "b", by="ann")
    deduper.correct("keep-together", "b", "x", by="ann")
    deduper.correct("keep-apart", "a", "c", by="ann")
    deduper.correct("head", "x", by="ann")
    with pytest.raises(InputError, match=re.escape(sentence)):
        deduper.correct(kind, *ids, by="ann")  # type: ignore[arg-type]
    assert len(deduper.engine.corrections()) == 4


def test_only_what_still_counts_can_be_undone() -> None:
    deduper = chained(open_engine("memory://"))  # type: ignore[arg-type]
    deduper.correct("keep-apart", "a", "b", by="ann")
    deduper.undo(1, by="ann")
    for number, sentence in (
        (1, "was undone by 2 already"),
        (2, "undoes 1: enter that one again"),
        (9, "there is no correction 9"),
    ):
        with pytest.raises(InputError, match=sentence):
            deduper.undo(number, by="ann")
    with pytest.raises(InputError, match="the name of who enters it"):
        deduper.correct("keep-apart", "a", "b", by="\x1b[31m")


def test_no_correction_joins_documents_of_different_scopes() -> None:
    deduper = Deduper("memory://", Config(group_by=("tenant",)))
    deduper.add_all([Page(id=name, text="One text for all.", scope=name) for name in ("acme", "globex")])
    with pytest.raises(InputError, match="different scopes"):
        deduper.correct("keep-together", "acme", "globex", by="ann")
    assert deduper.engine.corrections() == ()


# -- writers that do not know of it yet


def test_settling_mends_what_a_writer_joined_that_had_not_heard_of_a_correction(engine_url: str) -> None:
    with closing(Deduper(engine_url)) as crawler, closing(Deduper(engine_url)) as person:
        crawler.add_all([signed("a", A), signed("x", X), signed("b", B)])
        crawler.settle()
        person.correct("keep-apart", "a", "b", by="ann")
        crawler.add(signed("between", BETWEEN))
        crawler.settle()
        engine = cast(Engine, crawler.engine)
        assert sizes(crawler) == [["a", "between", "x"], ["b"]]
        check(engine, Config())
        crawler.add(signed("again", BETWEEN))
        person.undo(1, by="ann")
        crawler.settle()
        assert len(sizes(crawler)) == 1


def test_settling_carries_out_what_a_person_entered_who_died_before(store: Engine) -> None:
    deduper = chained(store)
    entry = correcting.Corrector(store, deduper.regroup, lambda: 1).enter("keep-apart", ("a", "b"), by="ann")
    assert entry.after is None
    assert [line.name for line in audit(store) if not line.ok] == ["partition", "corrections"]
    deduper.settle()
    assert sizes(deduper) == [["a"], ["b", "x"]]
    assert all(line.ok for line in audit(store))
    assert store.corrections(fresh=True)[0].after == {"a": 1, "x": 2}


def test_a_number_that_somebody_else_took_is_given_again(engine: Engine) -> None:
    chained(engine)
    first = Correction(1, "head", ("x",), "bob", 1, after={"a": 3})

    def take_the_number(entry: Correction) -> None:
        del watched.faults["correct"]
        engine.correct(first)
        engine.correct(entry)

    watched = Watched(engine, correct=take_the_number)
    Deduper(cast(Store, watched)).correct("keep-apart", "a", "b", by="ann")
    assert [(entry.number, entry.by) for entry in engine.corrections(fresh=True)] == [(1, "bob"), (2, "ann")]


def test_without_corrections_a_batch_asks_for_nothing_more() -> None:
    watched = Watched(open_engine("memory://"))
    deduper = Deduper(cast(Store, watched), CLOSURE)
    deduper.add_all([signed("a", A), signed("x", X)])
    watched.calls.clear()
    deduper.add(signed("b", B))
    assert [name for name in watched.names if name not in ("corrections", "version")] == [
        "get", "candidates", "resolve", "put",
    ]  # fmt: skip
