"""Similarities, scores and pages of the experiments, against brute force and the judge of the product."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.model import Content, Record
from dupgroups_lab.labels.labelled_pairs import Pair, Truth, closure, pair, truth
from dupgroups_lab.measures.pairwise import confusion
from dupgroups_lab.papers.exact import Weighted, scores, similarities
from dupgroups_lab.papers.period_strings import Coefficients, overlaps
from dupgroups_papers.signatures.period_string import PeriodString
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors

bags = st.lists(st.dictionaries(st.integers(0, 12), st.floats(0.01, 1e6), max_size=8), max_size=9)


def weighted(bag: dict[int, float]) -> Weighted:
    return np.array(list(bag), np.uint64), np.array(list(bag.values()), np.float64)


@given(bags)
def test_similarities_are_those_of_brute_force(bags: list[dict[int, float]]) -> None:
    truth = {}
    for (i, a), (j, b) in combinations(enumerate(bags), 2):
        if a.keys() & b.keys():
            low, high = (
                sum(pick(a.get(feature, 0.0), b.get(feature, 0.0)) for feature in a.keys() | b.keys())
                for pick in (min, max)
            )
            truth[i, j] = low / high
    similar = similarities(list(map(weighted, bags)))
    indices = zip(similar.first.tolist(), similar.second.tolist(), strict=True)
    measured = dict(zip(indices, similar.alike.tolist(), strict=True))
    assert measured == {ids: pytest.approx(alike) for ids, alike in truth.items()}


@given(bags, st.data())
def test_scores_are_those_of_the_pairs_that_are_found(
    bags: list[dict[int, float]], data: st.DataObject
) -> None:
    ids = tuple(f"d{9 - number}" for number in range(len(bags)))  # not in the order of their indices
    positive, ignored, hard = set[Pair](), set[Pair](), set[Pair]()
    for ids_of_pair in combinations(sorted(ids), 2):
        data.draw(st.sampled_from([positive, ignored, hard, set()])).add(ids_of_pair)
    truth = Truth(ids, frozenset(positive), frozenset(ignored), frozenset(hard), closure(ids, positive))
    similar = similarities(list(map(weighted, bags)))
    every, listed = scores(similar, truth)
    for index, threshold in enumerate(every.curve.thresholds.tolist()):
        cells = confusion(similar.pairs_above(ids, threshold), truth)
        curve = every.curve
        assert (cells.tp, cells.fp) == (curve.tp[index], curve.fp[index])
        assert (cells.fn, cells.tn) == (curve.positives - curve.tp[index], curve.negatives - curve.fp[index])
    assert (len(listed.positive), len(listed.negative), listed.more) == (len(positive), len(hard), 0)
    assert (listed.negative > 0).sum() == len(hard & similar.pairs_above(ids, 1e-12))


strings = st.lists(
    st.tuples(st.text(alphabet="了的说人中", max_size=9), st.sampled_from(["", "one", "two"])),
    min_size=2,
    max_size=6,
)
SAME = "了的说人中会"


def text(string: str) -> str:
    """A text with this feature string."""
    return "".join(f"{character}。" for character in string)


@example([("了的说人", ""), ("了的说人中会来年", "")], 0.8, 0.5, 0.2)  # beta is just reached
# alpha is just reached; unknown hosts are not the same host
@example([("了的说人中", ""), ("了的说人会", "")], 0.8, 0.5, 0.2)
@example([("了的说人中", "one"), ("了的说人会", "one")], 0.8, 0.5, 0.2)
@given(strings, st.sampled_from([0.5, 0.8]), st.sampled_from([0.25, 0.5]), st.sampled_from([0.0, 0.2]))
def test_the_pairs_are_those_of_the_judge(
    given: list[tuple[str, str]], alpha: float, beta: float, epsilon: float
) -> None:
    documents = {f"d{number}": drawn for number, drawn in enumerate(given)}
    texts = {document: text(string) for document, (string, _) in documents.items()}
    hosts = {document: host for document, (_, host) in documents.items()}
    judge = OverlapFactors(alpha, beta, epsilon, near=beta)
    records = [
        Record(document, document, hosts[document], PeriodString()(Content(texts[document])))
        for document in texts
    ]
    judged: set[Pair] = {
        pair(a.id, b.id) for a, b in combinations(records, 2) if judge(a, b).relation == "duplicate"
    }
    known_truth = truth(texts, {pair("d0", "d1"): "duplicate"})
    pairs, _ = overlaps(texts, hosts, known_truth).score_coefficients(
        known_truth, Coefficients(alpha, beta, epsilon)
    )
    assert pairs == confusion(judged, known_truth)


def test_pages_are_counted_as_in_the_paper() -> None:
    """d0 and d1 are found, d2 wrongly too; d3 and d4 are missed; d5 is near to all it is found with."""
    strings = (SAME, SAME, SAME, "来年上日", "明天下午", SAME)
    texts = {f"d{number}": text(string) for number, string in enumerate(strings)}
    labels = {pair("d0", "d1"): "duplicate", pair("d3", "d4"): "duplicate"}
    labels |= {pair(document, "d5"): "near" for document in ("d0", "d1", "d2")}
    known_truth = truth(texts, labels)
    _, pages = overlaps(texts, dict.fromkeys(texts, ""), known_truth).score_coefficients(
        known_truth, Coefficients()
    )
    assert (pages.precision, pages.recall) == (2 / 3, 2 / 4)
