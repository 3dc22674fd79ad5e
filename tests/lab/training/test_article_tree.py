"""Training of the tree that separates articles from other pages."""

from __future__ import annotations

import gzip

import pytest

from content.pages import news_page
from dupgroups.errors import InputError
from dupgroups_lab.training.article_tree import read_typed
from lab.packs import row


def test_pages_of_one_type_teach_nothing(tmp_path):
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(row(1, "article", "a", news_page()))
    with pytest.raises(InputError, match='pages of both types, "article" and "other"'):
        read_typed([tmp_path])
