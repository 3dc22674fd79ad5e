"""`dup-groups train articles` and `evaluate articles` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dupgroups.cli import app
from dupgroups_lab.training.article_tree import case_of, read_typed, train
from dupgroups_papers.content.decision_tree import Node
from lab.packs import typed_pack


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return typed_pack(tmp_path_factory.mktemp("packs"))


def test_the_command_writes_the_tree_of_its_pages(pack, tmp_path):
    out = tmp_path / "tree.json"
    result = CliRunner().invoke(app, ["train", "articles", str(pack), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "a tree from 24 pages of 4 sites" in result.output
    assert (
        Node.from_json(json.loads(out.read_text()))
        == train([case_of(page) for page in read_typed([pack])]).root
    )


def test_the_experiment_prints_both_feature_sets_and_the_tree(pack):
    result = CliRunner().invoke(app, ["evaluate", "articles", str(pack), "--trials", "2"])
    assert result.exit_code == 0, result.output
    assert "1.000 +- 0.000" in result.output
    assert "gain of the links" in result.output
    assert ": article (12)" in result.output
