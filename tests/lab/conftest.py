"""Packs of made pages that many tests of the lab read."""

from pathlib import Path

import pytest

from dupgroups_lab.training.network import Example, read_examples
from lab.packs import article_pack, typed_pack


@pytest.fixture(scope="session")
def articles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of sixty articles of six sites."""
    return article_pack(tmp_path_factory.mktemp("articles"))


@pytest.fixture(scope="session")
def examples(articles: Path) -> list[Example]:
    """The pages of `articles`, in which the site of page n is n modulo 6."""
    return list(read_examples([articles]))


@pytest.fixture(scope="session")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of twelve articles and twelve other pages of four sites."""
    return typed_pack(tmp_path_factory.mktemp("typed"))
