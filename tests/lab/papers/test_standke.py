"""The experiment of Standke, its commands, and scores with sites left out."""

from __future__ import annotations

import json
from pathlib import Path

from dupgroups_lab.labels.labelled_pages import read_pack
from dupgroups_lab.papers.standke import by_site, repeat_validation, selections
from dupgroups_lab.training.train_article_tree import LabelledCase, case_of, read_typed, train
from dupgroups_papers.content.decision_tree import Node
from lab.packs import write_pack
from lab.running import printed


def test_a_site_that_is_left_out_teaches_nothing():
    """Only the site separates these pages, which random folds hide."""
    kinds = ["article", "other", "article", "other"]
    cases = [
        LabelledCase(str(site), kinds[site], {"mss": 10.0 * site}) for site in range(4) for _ in range(8)
    ]
    assert repeat_validation(cases, ["mss"], trials=1, folds=8) == [1.0]
    assert by_site(cases, ["mss"]) == 0.0


def test_pages_of_sites_of_one_kind_can_be_left_out():
    cases = [LabelledCase(site, kind, {}) for site in ("a", "cnn.com") for kind in ("article", "other")]
    cases.append(LabelledCase("reddit.com", "other", {}))
    assert [len(chosen) for chosen in selections(cases).values()] == [5, 4, 2]
    assert list(selections(cases[:2])) == ["all sites"]


def test_links_count_as_absolute_urls_or_as_written(tmp_path: Path) -> None:
    link = f'<a href="/{"a" * 70}">'  # 71 characters, and 92 with the host
    pack = write_pack(tmp_path / "pack", [{"html": link, "url": "https://long.example/news/"}])
    page = next(read_pack(pack))
    assert [case_of(page, resolved=resolved).row["links_short"] for resolved in (True, False)] == [0, 1]


def test_the_command_writes_the_tree_of_its_pages(typed: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree.json"
    assert "a tree from 24 pages of 4 sites" in printed("train", "articles", typed, "--out", out)
    wanted = train([case_of(page) for page in read_typed([typed])]).root
    assert Node.from_json(json.loads(out.read_text())) == wanted
