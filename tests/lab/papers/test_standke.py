"""The experiment of Standke, its commands, and scores with sites left out."""

from __future__ import annotations

import json
from pathlib import Path

from dupgroups_lab.papers.standke import by_site, repeated
from dupgroups_lab.training.article_tree import LabelledCase, case_of, read_typed, train
from dupgroups_papers.content.decision_tree import Node
from lab.running import printed, values


def test_a_site_that_is_left_out_teaches_nothing():
    """Only the site separates these pages, which random folds hide."""
    kinds = ["article", "other", "article", "other"]
    cases = [
        LabelledCase(str(site), kinds[site], {"mss": 10.0 * site}) for site in range(4) for _ in range(8)
    ]
    assert repeated(cases, ["mss"], trials=1, folds=8) == [1.0]
    assert by_site(cases, ["mss"]) == 0.0


def test_the_command_writes_the_tree_of_its_pages(typed: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree.json"
    assert "a tree from 24 pages of 4 sites" in printed("train", "articles", typed, "--out", out)
    wanted = train([case_of(page) for page in read_typed([typed])]).root
    assert Node.from_json(json.loads(out.read_text())) == wanted


def test_the_experiment_has_both_feature_sets_and_the_tree(typed: Path) -> None:
    output = printed("evaluate", "articles", typed, "--trials", 2)
    for shown in ("1.000 +- 0.000", "gain of the links", ": article (12)"):
        assert shown in output
    measured = values("evaluate", "articles", typed, "--trials", 2)
    assert [len(scores["trials"]) for scores in measured["scores"].values()] == [2, 2]
