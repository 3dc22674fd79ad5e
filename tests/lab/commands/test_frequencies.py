"""`dup-groups frequencies` as a user types it, and what the file does in a configuration."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.bulk.resign import sign_again
from dupgroups.engines import open_engine
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


def test_templates_of_hosts_are_learned_from_an_index_and_left_out_of_what_is_signed(tmp_path: Path) -> None:
    menu = running_text("menu", 30) + "\n"
    url, out = f"sqlite:///{tmp_path / 'news.db'}", tmp_path / "hosts.npz"
    stories = [running_text(str(number), 6) for number in range(6)]
    with closing(Deduper(url)) as deduper:
        deduper.add_all([Page(url=f"https://a.example/{text[:9]}", text=menu + text) for text in stories])
    assert "of 1 hosts that have any" in printed("frequencies", "--engine", url, "--per-host", "--out", out)
    with closing(open_engine(url)) as engine:
        sign_again(engine, Config(templates=str(out)))
        stored = list(engine.scan())
    assert len({document.record.group for document in stored}) == 6
    assert all(menu.strip() in document.content.text for document in stored), "what is stored stays whole"
