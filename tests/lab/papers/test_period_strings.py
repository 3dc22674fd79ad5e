"""An and Cheng's experiment: the judge as oracle, pages counted as in the paper, the printed tables."""

from __future__ import annotations

from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st

from dupgroups.model import Content, Record
from dupgroups_lab.labels.labelled_pairs import Pair, pair, truth
from dupgroups_lab.measures.pairwise import confusion
from dupgroups_lab.papers.period_strings import Coefficients, overlaps
from dupgroups_papers.signatures.period_string import PeriodString
from dupgroups_papers.verdicts.overlap_factors import OverlapFactors

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
@example(
    [("了的说人中", ""), ("了的说人会", "")], 0.8, 0.5, 0.2
)  # alpha is just reached; unknown hosts are not the same host
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
