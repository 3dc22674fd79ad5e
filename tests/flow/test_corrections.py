"""What people say is a constraint of the groups; any history of it is in `test_histories`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dupgroups import Config, Deduper, Page, open_engine
from dupgroups.bulk.audit import audit
from dupgroups.engines import Engine
from dupgroups.errors import InputError
from dupgroups.flow import corrector
from dupgroups.model import Correction
from flow.scenes import BETWEEN, CLOSURE, OTHER, A, B, X, deduper, groups, heads, partition, signed, wrong
from watched import Watched

CLOSED_FULLEST = Config(linkage="closure", head="fullest")


def chained(engine: object = "memory://") -> Deduper:
    """ "a" and "b", which only "x" holds together, in one group."""
    flow = deduper(engine)
    flow.add_all([signed("a", A), signed("x", X), signed("b", B)])
    assert set(groups(flow.engine).values()) == {"a"}
    return flow


def test_corrections_part_and_join_groups_at_once_and_undone_leave_no_trace(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupgroups_es.queries.PAGE_DOCUMENTS", 2)  # a cluster reads the log in pages
    flow = chained(engine)
    flow.add(signed("other", OTHER))
    apart = flow.correct("keep-apart", "b", "a", by="ann")
    assert partition(engine) == [["a"], ["b", "x"], ["other"]]
    joined = flow.correct("keep-together", "other", "b", by="bob")
    assert engine.resolve(["other", "x"]) == {"other": "x", "x": "x"}
    undone = [flow.undo(number, by="cid") for number in (1, 2)]
    assert partition(engine) == [["a", "b", "x"], ["other"]]
    assert engine.resolve(["x", "other"]) == {"x": "a", "other": "other"}
    log = engine.corrections(fresh=True)
    assert list(log) == [apart, joined, *undone]
    assert [(entry.number, entry.kind, entry.by, entry.undoes) for entry in log] == [
        (1, "keep-apart", "ann", None),
        (2, "keep-together", "bob", None),
        (3, "undo", "cid", 1),
        (4, "undo", "cid", 2),
    ]


@pytest.mark.parametrize("config", [CLOSURE, CLOSED_FULLEST], ids=["oldest", "fullest"])
def test_a_pinned_head_stands_for_its_group_whatever_meets_it(engine: Engine, config: Config) -> None:
    flow = Deduper(engine, config)
    flow.add_all([signed("left", "abc"), signed("right", "cde"), signed("pinned", "cde")])
    flow.correct("head", "pinned", by="ann")
    flow.add(signed("fuller", "cdef"))
    assert heads(engine) == {"left": ["left"], "right": ["pinned"]}
    flow.add(signed("bridge", "abcde"))  # the name of the older group stays, the pinned head as well
    assert heads(engine) == {"left": ["pinned"]}
    flow.correct("head", "right", by="ann")
    assert heads(engine) == {"left": ["right"]}, "the latest pin counts"
    assert wrong(engine, config) == []
    flow.undo(2, by="ann")
    assert heads(engine) == {"left": ["pinned"]}
    flow.undo(1, by="ann")
    assert heads(engine) == {"left": ["bridge" if config.head == "fullest" else "left"]}


def test_copies_meet_what_their_page_was_kept_together_with_while_that_is_away(engine: Engine) -> None:
    flow = deduper(engine)
    flow.add_all([signed("a", A), signed("b", "xyz"), signed("copy", "xyz")])
    flow.correct("keep-together", "a", "b", by="ann")
    flow.delete(["a", "b"])
    flow.add(signed("a", A))
    assert partition(engine) == [["a", "copy"]]


# -- what is refused


def test_what_contradicts_or_repeats_is_refused_with_a_sentence() -> None:
    flow = chained()
    flow.add(signed("c", OTHER))
    flow.correct("keep-together", "a", "b", by="ann")
    flow.correct("keep-together", "b", "x", by="ann")
    flow.correct("keep-apart", "a", "c", by="ann")
    flow.correct("head", "x", by="ann")
    refused: list[tuple[Any, str, str]] = [
        ("keep-apart", "a none", "no document has the id 'none'"),
        ("head", "\ud800", "no document has the id"),
        ("keep-apart", "a a", "cannot be corrected against itself"),
        ("keep-apart", "a", "is not a correction"),
        ("keep-apart", "x a", "are kept together by corrections 1, 2: undo one of these first"),
        ("keep-together", "b c", "correction 3 keeps 'a' and 'c' apart; undo it first"),
        ("keep-together", "b a", "are kept together already, by correction 1"),
        ("keep-apart", "c a", "are kept apart already, by correction 3"),
        ("head", "x", "is pinned as a head already, by correction 4"),
        ("undo", "", "is not a correction"),
    ]
    for kind, ids, sentence in refused:
        with pytest.raises(InputError, match=re.escape(sentence)):
            flow.correct(kind, *ids.split(), by="ann")
        assert len(flow.engine.corrections()) == 4


def test_only_what_still_counts_can_be_undone() -> None:
    flow = chained()
    flow.correct("keep-apart", "a", "b", by="ann")
    flow.undo(1, by="ann")
    for number, sentence in (
        (1, "was undone by 2 already"),
        (2, "undoes 1: enter that one again"),
        (9, "there is no correction 9"),
    ):
        with pytest.raises(InputError, match=sentence):
            flow.undo(number, by="ann")


def test_no_correction_joins_documents_of_different_scopes() -> None:
    flow = deduper("memory://", Config(group_by=("tenant",)))
    flow.add_all([Page(id=name, text="One text for all.", scope=name) for name in ("acme", "globex")])
    with pytest.raises(InputError, match="different scopes"):
        flow.correct("keep-together", "acme", "globex", by="ann")
    assert flow.engine.corrections() == ()
    flow.add(Page(id="other", text="Another text.", scope="acme"))
    assert flow.correct("keep-together", "acme", "other", by="ann").number == 1


# -- writers that do not know of it yet


def test_settling_mends_what_a_writer_joined_that_had_not_heard_of_a_correction(engine_url: str) -> None:
    with Deduper(engine_url, CLOSURE) as crawler, Deduper(engine_url, CLOSURE) as person:
        crawler.add_all([signed("a", A), signed("x", X), signed("b", B)])
        crawler.regroup()
        person.correct("keep-apart", "a", "b", by="ann")
        crawler.add(signed("between", BETWEEN))
        crawler.regroup()
        assert partition(crawler.engine) == [["a", "between", "x"], ["b"]]
        crawler.add(signed("again", BETWEEN))
        person.undo(1, by="ann")
        crawler.regroup()
        assert len(partition(crawler.engine)) == 1


def test_settling_carries_out_what_a_person_entered_who_died_before() -> None:
    flow = chained(store := open_engine("memory://"))
    entry = corrector.Corrector(store, lambda: 1).enter("keep-apart", ("a", "b"), by="ann")
    assert not entry.carried_out
    assert wrong(store) == ["partition", "corrections"]
    flow.regroup()
    assert partition(store) == [["a"], ["b", "x"]]
    assert all(line.ok for line in audit(store))
    assert store.corrections(fresh=True)[0].carried_out


def test_a_number_that_somebody_else_took_is_given_again(engine: Engine) -> None:
    chained(engine)

    def take_the_number(entry: Correction) -> None:
        del watched.faults["correct"]
        engine.correct(Correction(1, "head", ("x",), "bob", 1, carried_out=True))
        engine.correct(entry)

    watched = Watched(engine, correct=take_the_number)
    deduper(watched).correct("keep-apart", "a", "b", by="ann")
    assert [(entry.number, entry.by) for entry in engine.corrections(fresh=True)] == [(1, "bob"), (2, "ann")]
