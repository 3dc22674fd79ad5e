"""`dup-groups frequencies` as a user types it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from dupgroups import Deduper, Page
from dupgroups.errors import InputError
from dupgroups_papers.corpus.frequencies import Frequencies
from lab.running import documents, printed, run
from stories import running_text

TEXTS = [running_text("a"), running_text("a"), running_text("b", 30), running_text("c")]
PAGES = [Page(id=str(number), text=text) for number, text in enumerate(TEXTS)]


def test_a_file_and_an_index_give_the_same(tmp_path: Path) -> None:
    docs = documents(tmp_path / "docs.jsonl", ({"id": page.id, "text": page.text} for page in PAGES))
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(Deduper(url)) as deduper:
        deduper.add_all(PAGES)
    output = printed("frequencies", docs, "--out", tmp_path / "file.npz")
    run("frequencies", "--engine", url, "--out", tmp_path / "index.npz")
    known = Frequencies.open(tmp_path / "file.npz")
    assert known.version == Frequencies.open(tmp_path / "index.npz").version
    assert f"version {known.version}, {len(known.features):,} words and phrases of 4 documents" in output
    assert "too low" not in output


def test_documents_come_from_somewhere(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="either a file of documents or --engine"):
        run("frequencies", "--out", tmp_path / "out.npz")
    assert list(tmp_path.iterdir()) == []
