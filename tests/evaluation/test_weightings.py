"""The ablations of Alonso et al.: exact similarities, the best of all thresholds, the tables."""

from __future__ import annotations

import csv
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups.evaluation.curves import Scores
from dupgroups.evaluation.labelled import pair, truth
from dupgroups.evaluation.pairwise import Confusion
from dupgroups.evaluation.weightings import COMMON, WEIGHTINGS, Best, Weighted, ablation, similarities
from dupgroups.model import Content
from dupgroups.signatures import weighted_phrases
from dupgroups.signatures.spotsigs import ANTECEDENTS
from stories import running_text

bags = st.lists(st.dictionaries(st.integers(0, 12), st.floats(0.01, 1e6), max_size=8), max_size=9)
scores = st.lists(st.sampled_from([0, 0.2, 0.4, 0.5, 0.9, 1]), max_size=12)


def weighted(bag: dict[int, float]) -> Weighted:
    return np.array(list(bag), np.uint64), np.array(list(bag.values()), np.float64)


@given(bags)
def test_similarities_are_those_of_brute_force(bags: list[dict[int, float]]) -> None:
    truth = {}
    for (i, a), (j, b) in combinations(enumerate(bags), 2):
        if a.keys() & b.keys():
            low, high = (
                sum(pick(a.get(each, 0.0), b.get(each, 0.0)) for each in a.keys() | b.keys())
                for pick in (min, max)
            )
            truth[i, j] = low / high
    found = {(i, j): alike for i, j, alike in similarities(list(map(weighted, bags)))}
    assert found == {own: pytest.approx(alike) for own, alike in truth.items()}


@given(scores, scores, st.integers(0, 5))
def test_the_best_is_that_of_every_threshold(positive: list[float], negative: list[float], more: int) -> None:
    best = Best.of(Scores.of(positive, negative, more))
    told = [(0.0, 0.0)]
    for threshold in {each for each in (*positive, *negative) if each > 0}:
        tp, fp = (sum(each >= threshold for each in side) for side in (positive, negative))
        found = Confusion(tp, fp, len(positive) - tp, len(negative) + more - fp)
        told.append((found.f1, found.mcc))
    if len(told) > 1:
        assert best.f1 == pytest.approx(max(f1 for f1, _ in told))
        assert best.mcc == pytest.approx(max(mcc for _, mcc in told[1:]))
    else:
        assert best == Best(0.0, 0.0, 0.0)


FOOTER = "all of the rights in this are reserved by the owner of it and by no one else"


def pages() -> dict[str, Content]:
    """Six stories, each twice with other paragraphs missing; ten short notes share a long footer only."""
    found = {}
    for at in range(6):
        paragraphs = running_text(f"{at}").split("\n")
        found[f"{at}/a"] = Content("\n".join(paragraphs[8:]))
        found[f"{at}/b"] = Content("\n".join(paragraphs[:-8]))
    notes = {f"note{at}": Content(f"{running_text(f'note{at}', 1)}\n{FOOTER}. {FOOTER}.") for at in range(10)}
    return {**found, **notes}


def test_the_rare_phrase_filter_tells_notes_from_copies() -> None:
    """The footer stands in 10 of 22 documents: a limit of 25 % drops it, one of 50 % leaves it."""
    contents = pages()
    labels = {pair(f"{at}/a", f"{at}/b"): "duplicate" for at in range(6)}
    labels |= {pair("note0", "note1"): "non"}
    found = ablation(contents, truth(contents, labels), 3)
    assert [row.name for row in found.antecedents[:-1]] == list(ANTECEDENTS)
    assert [row.name for row in found.weightings] == list(weighted_phrases.WEIGHTINGS) == list(WEIGHTINGS)
    by_limit = {row.name: row for row in found.common}
    assert list(by_limit) == [f"{percent} %" for percent in COMMON]
    assert by_limit["25 %"].every.f1 == by_limit["25 %"].every.mcc == 1.0
    assert by_limit["50 %"].every.f1 == next(row for row in found.weightings if row.name == "df2").every.f1
    assert by_limit["99 %"].every.f1 < 1.0


def test_the_command_prints_all_three_tables(tmp_path: Path) -> None:
    with (tmp_path / "docs.jsonl").open("w", encoding="utf-8") as lines:
        for own, content in pages().items():
            print(json.dumps({"id": own, "text": content.text, "lang": "en"}), file=lines)
    with (tmp_path / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(f"{at}/a", f"{at}/b", "duplicate") for at in range(6)]
        csv.writer(file).writerows([("a", "b", "label"), *rows])
    arguments = ["--docs", tmp_path / "docs.jsonl", "--labels", tmp_path / "pairs.csv", "--phrase", 3]
    result = CliRunner().invoke(
        app,
        ["evaluate", "weightings", *map(str, arguments)],
        env={"COLUMNS": "150"},
        catch_exceptions=False,
    )
    assert result.exit_code == 0, result.output
    first_cells = [line.split("  ")[0] for line in result.stdout.splitlines()]
    for name in (*ANTECEDENTS, *WEIGHTINGS, "50 %"):
        assert name in first_cells
    assert "0.8505" in result.stdout
    assert "0.7967" in result.stdout
