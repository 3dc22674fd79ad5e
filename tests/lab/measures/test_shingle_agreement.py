"""Agreement of an extracted text with its gold text, and the benchmark's scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups_lab.measures.shingle_agreement import agreement, score


def benchmark(pairs: Sequence[tuple[str, str]], tokens: str) -> tuple[float, float, float]:
    """P, R and F1 as article-extraction-benchmark defines them, of pairs of gold and extracted text."""

    def occurrences(text: str) -> list[tuple[str, int]]:
        """Each shingle with the number of equal ones before it, so that multisets become sets."""
        cut = re.findall(tokens, text)
        runs = [tuple(cut[index : index + 4]) for index in range(max(1, len(cut) - 3)) if cut]
        return [(run, runs[:index].count(run)) for index, run in enumerate(runs)]

    precisions, recalls = [], []
    for gold, found in pairs:
        wanted, extracted = set(occurrences(gold)), set(occurrences(found))
        precisions += [len(wanted & extracted) / len(extracted)] if extracted else []
        recalls += [len(wanted & extracted) / len(wanted)] if wanted else []
    precision = sum(precisions) / len(precisions) if precisions else 0.0
    recall = sum(recalls) / len(recalls) if recalls else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


texts = st.lists(st.sampled_from([*"ab c, é 渡轮撞\n", "ab ", "B ", "… "]), max_size=30).map("".join)


@given(st.lists(st.tuples(texts, texts), max_size=5), st.sampled_from(["en", "zh"]))
def test_scores_are_those_of_the_benchmark(pairs: list[tuple[str, str]], language: str) -> None:
    scores = score(agreement(*texts_of_page, language) for texts_of_page in pairs)
    expected = benchmark(pairs, r"\w" if language == "zh" else r"\w+")
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx(expected)
