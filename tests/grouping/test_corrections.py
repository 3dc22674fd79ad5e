"""Corrections on values: what a log leaves, what contradicts, and the order in which clusters are made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import InputError
from dupgroups.grouping import Corrections
from dupgroups.grouping import corrections as log_of
from dupgroups.grouping.corrections import check_consistent, check_entry
from dupgroups.grouping.linkage import Clusters
from dupgroups.model import Correction
from grouping.test_linkage import pairs_of

TIES = st.lists(st.tuples(st.sampled_from([0.5, 0.7, 0.9]), st.sampled_from(pairs_of("abcdef"))), unique=True)
PAIRS = st.sets(st.sampled_from(pairs_of("abcdef")), max_size=3)


def parts(ties: list[tuple[float, str]], apart: set[str], together: set[str], share: float) -> set[str]:
    made = [(strength, a, b) for strength, (a, b) in ties]
    joined, parted = [(a, b) for a, b in together], [(a, b) for a, b in apart]
    clusters = Clusters(made, most=50, share=share, together=joined, apart=parted)
    return {"".join(other for other in "abcdef" if clusters.together(name, other)) for name in "abcdef"}


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


def test_a_log_leaves_what_was_not_undone() -> None:
    log = [
        Correction(1, "keep-apart", ("b", "a"), "ann", 1),
        Correction(2, "keep-together", ("c", "a"), "ann", 1),
        Correction(3, "head", ("c",), "ann", 1),
        Correction(4, "undo", ("b", "a"), "ann", 1, undoes=1),
    ]
    said = Corrections.of(log)
    assert (said.apart, said.together, said.heads) == ({}, {("a", "c"): 2}, {"c": 3})
    assert (said.ids, said.partners["c"]) == ({"a", "c"}, {"a"})
    assert not Corrections.of([])


def test_a_log_takes_only_so_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_of, "MOST", 1)
    check_entry([], "keep-apart", ("a", "b"))
    with pytest.raises(InputError, match="holds 1 entries, and takes no more"):
        check_entry([Correction(1, "head", ("x",), "ann", 1)], "keep-apart", ("a", "b"))
