"""Corrections on values: what a log leaves, what contradicts, and the order in which clusters are made."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import InputError
from dupgroups.grouping.constraints import (
    MAX_LOG_ENTRIES,
    Corrections,
    check_consistent,
    check_entry,
    with_partners,
)
from dupgroups.grouping.linkage import Partition
from dupgroups.model import Correction, Signature, Verdict
from grouping.plans import groups, planned
from grouping.test_linkage import pairs_of
from grouping.values import ids, record
from properties import met, must_meet

TIES = st.lists(st.tuples(st.sampled_from([0.5, 0.7, 0.9]), st.sampled_from(pairs_of("abcdef"))), unique=True)
PAIRS = st.sets(st.sampled_from(pairs_of("abcdef")), max_size=3)


def parts(ties: list[tuple[float, str]], apart: set[str], together: set[str], share: float) -> set[str]:
    made = [(strength, a, b) for strength, (a, b) in ties]
    said = [(is_joined, a, b) for is_joined, pairs in ((False, apart), (True, together)) for a, b in pairs]
    clusters = Partition(made, most=50, share=share, said=said)
    return {"".join(other for other in "abcdef" if clusters.are_together(name, other)) for name in "abcdef"}


@must_meet(least=3)
@given(TIES, PAIRS, PAIRS, st.sampled_from([0, 0.34]), st.randoms())
def test_no_cluster_holds_a_pair_kept_apart_and_the_order_does_not_matter(
    ties: list[tuple[float, str]], apart: set[str], together: set[str], share: float, random: object
) -> None:
    said = Corrections(dict.fromkeys(apart, 1), dict.fromkeys(together, 1))
    try:
        check_consistent(said)
    except InputError:
        return
    made = parts(ties, apart, together, share)
    met(ties and apart)
    assert not any(a in part and b in part for a, b in apart for part in made)
    assert all((a in part) == (b in part) for a, b in together for part in made)
    random.shuffle(ties)  # type: ignore[attr-defined]
    assert parts(ties, apart, together, share) == made


def test_the_strongest_tie_decides_who_stands_on_which_side() -> None:
    assert parts([(0.7, "ab"), (0.9, "bc")], {"ac"}, set(), 0) >= {"a", "bc"}
    assert parts([(0.9, "ab"), (0.7, "bc")], {"ac"}, set(), 0) >= {"ab", "c"}
    assert parts([(0.9, "ab"), (0.7, "bc")], {"ac"}, {"bc"}, 0) >= {"a", "bc"}


def test_what_people_keep_together_counts_as_one_and_takes_nobody_away_from_others() -> None:
    crowd = [(0.9, pair) for pair in pairs_of("abcde")]
    assert parts(crowd, set(), {"af"}, 0.34) == {"abcdef"}
    chain = [(0.9, "ab"), (0.9, "bc")]
    assert parts(chain, set(), {"ad", "de"}, 0.34) == {"abcde", "f"}


def test_stories_that_are_kept_together_stay_whole_and_each_wants_its_own_ties() -> None:
    both = [(0.9, pair) for pair in pairs_of("abc") + pairs_of("def")]
    assert parts(both, set(), {"ad"}, 0.34) == {"abcdef"}
    assert parts([*both, (0.5, "bd")], {"be"}, {"ac"}, 0.34) == {"abc", "def"}
    for large, joins in (("a", True), ("b", False)):
        clusters = Partition([(0.9, "b", "x")], most=50, sizes={large: 3}, said=[(True, "a", "b")])
        assert (clusters.are_together("a", "b"), clusters.are_together("b", "x")) == (True, joins)


def test_a_log_leaves_what_was_not_undone() -> None:
    log = [
        Correction(1, "keep-apart", ("b", "a"), "ann", 1),
        Correction(2, "keep-together", ("c", "a"), "ann", 1),
        Correction(3, "head", ("c",), "ann", 1),
        Correction(4, "undo", ("b", "a"), "ann", 1, undoes=1),
    ]
    said = Corrections.of(log)
    assert (said.apart, said.together, said.heads) == ({}, {("a", "c"): 2}, {"c": 3})
    assert (said.ids, said.partners(record("c"))) == ({"a", "c"}, ["a"])


def test_a_log_takes_only_so_many_entries() -> None:
    log = [Correction(1, "head", ("x",), "ann", 1)] * MAX_LOG_ENTRIES
    check_entry(log[1:], "keep-apart", ("a", "b"))
    with pytest.raises(InputError, match="is full: it holds "):
        check_entry(log, "keep-apart", ("a", "b"))


def test_what_is_kept_together_is_a_verdict_without_a_judge() -> None:
    said = Corrections({}, {("a", "b"): 7})
    a, b, c = map(record, "abc")
    assert said.verdict(b, a) == Verdict("duplicate", 1.0, "Kept together by correction 7.")
    assert said.verdict(a, c) is None
    several = (Corrections.of([]), said, Corrections({("a", "b"): 1}), Corrections(heads={"a": 1}))
    assert [*map(bool, several)] == [False, True, True, True]


def test_who_contradicts_hears_which_corrections_are_in_the_way() -> None:
    pairs = {4: ("a", "b"), 6: ("b", "c"), 9: ("x", "y")}
    log = [Correction(number, "keep-together", ids, "ann", 1) for number, ids in pairs.items()]
    for a, b, which in (("c", "a", "corrections 4, 6: undo one of"), ("y", "x", "correction 9: undo")):
        with pytest.raises(InputError, match=f"'{a}' and '{b}' are kept together by {which}"):
            check_entry(log, "keep-apart", [a, b])


def test_copies_of_texts_that_are_kept_apart_cannot_be_kept_together_but_two_of_one_text_apart() -> None:
    log = [Correction(number, "keep-apart", (*ids,), "ann", 1, marks=("=a", "=b"))
           for number, ids in ((1, "ab"), (2, "cd"))]  # fmt: skip
    for pair, marks in ((["x", "y"], ("=a", "=b")), (["a", "b"], ("=a", "=a"))):
        with pytest.raises(InputError, match="correction 1 keeps 'a' and 'b' apart"):
            check_entry(log, "keep-together", pair, marks)
    parted = [Correction(3, "keep-apart", ("a", "c"), "ann", 1, marks=("=a", "=a"))]
    joined = Correction(4, "keep-together", ("a", "z"), "ann", 1, marks=("=a", "=z"))
    with pytest.raises(InputError, match="correction 3 keeps 'a' and 'c' apart"):
        check_entry([*parted, joined], "keep-together", ["c", "z"], ("=a", "=z"))
    check_entry(log, "keep-apart", ["a", "c"], ("=a", "=a"))
    check_entry(log, "keep-together", ["a", "c"], ("=a", "=a"))
    assert Corrections.of(log[:1]).parted.keys() == {("a", "b"), ("=b", "a"), ("=a", "b"), ("=a", "=b")}


def test_a_document_of_the_batch_stays_out_of_a_group_with_one_that_it_is_kept_apart_from() -> None:
    """The group holds "b", which is outside of the batch, and is as old as its first member."""
    met, said = record("a", age=1), Corrections({("b", "n"): 1, ("gone", "n"): 2})
    new = record("n", age=9)
    store = {"candidates": {"n": [met]}, "groups": {"a": (1, "a")}}
    for kept_apart, group in (({"b": "a"}, "n"), ({"b": "x"}, "a"), ({}, "a")):
        plan = planned([new], "an", corrections=said, groups_of_kept_apart=kept_apart, **store)
        assert groups(plan) == {"n": group}


def test_two_texts_of_one_signature_are_copies_only_where_they_are_tied() -> None:
    a, b = (replace(record(name), signature=Signature("s", ("k",), b"body")) for name in "ab")
    for alike, made in ((["bx"], "abb"), (["ab", "bx"], "aax")):
        plan = planned([a, b, record("x", age=1)], *alike, corrections=Corrections({("a", "x"): 1}))
        assert "".join(groups(plan).values()) == made


def test_what_is_kept_together_are_candidates_of_each_other() -> None:
    records = [record(name, age=age) for age, name in enumerate("abc")]
    found = with_partners({"c": [records[0]]}, records, Corrections({}, {("b", "c"): 1, ("a", "b"): 2}))
    assert {id_: ids(others) for id_, others in found.items()} == {"a": [], "b": ["a"], "c": ["a", "b"]}
    assert with_partners({"c": [records[0]]}, records, Corrections()) == {"c": [records[0]]}
