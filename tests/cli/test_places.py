"""No command writes over what it reads, and a place that cannot be written is refused before the work."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from commands import error, news
from dupgroups import Page
from dupgroups_papers.corpus.frequencies import Frequencies
from stories import story

PACK, CONFIG = "pack/pages.jsonl.gz", "methods.toml"
LABELLED = "--docs docs.jsonl --labels pairs.csv"
READ = {
    "train articles pack --out": [PACK],
    "train extraction pack --out": [PACK],
    f"calibrate {LABELLED} --config methods.toml --out": ["docs.jsonl", "pairs.csv", CONFIG],
    "frequencies docs.jsonl --config methods.toml --out": ["docs.jsonl", CONFIG],
    "frequencies --engine sqlite:///news.db --out": ["news.db", "news.db-wal"],
    "group docs.jsonl --config methods.toml --out": ["docs.jsonl", CONFIG],
    "group docs.jsonl --config methods.toml --out out.csv --pairs": ["docs.jsonl", CONFIG, "out.csv"],
    "groups --engine sqlite:///news.db --out": ["news.db"],
    "evaluate extraction --pack pack --report": [PACK],
    f"evaluate duplicates {LABELLED} --clusters clusters.csv --config methods.toml --report": [
        *("docs.jsonl", "pairs.csv", "clusters.csv", CONFIG)
    ],
    f"evaluate cedar {LABELLED} --report": ["docs.jsonl", "pairs.csv"],
    f"evaluate weightings {LABELLED} --report": ["docs.jsonl", "pairs.csv"],
    f"evaluate period-string {LABELLED} --report": ["docs.jsonl", "pairs.csv"],
}
"""What each command reads, by its words before the place of its result."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder that holds one of each file that commands read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pack").mkdir()
    page = {"id": "1", "site": "a", "url": None, "lang": "en", "page_type": "article", "text": "A story."}
    with gzip.open(tmp_path / PACK, "wt", encoding="utf-8") as lines:
        lines.write(json.dumps({**page, "html": "<p>A story.</p>"}) + "\n")
    (tmp_path / "docs.jsonl").write_text(json.dumps({"id": "1", "text": story("a")}) + "\n")
    (tmp_path / "pairs.csv").write_text("a,b,label\n1,2,duplicate\n")
    (tmp_path / "clusters.csv").write_text("id,cluster\n1,1\n2,1\n")
    Frequencies.of_texts([story("a")] * 2, 2, 1, 1000).save(tmp_path / "words.npz")
    (tmp_path / "methods.toml").write_text(
        '[methods.en]\nsigner = { name = "cosine", frequencies = "words.npz" }\n'
    )
    news(tmp_path, [Page(id="1", text=story("a"))])
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def refused(command: str, place: str | Path, because: str) -> None:
    assert because in error(*command.split(), place)


@pytest.mark.parametrize(("command", "read"), [(key, read) for key in READ for read in READ[key]])
def test_no_command_writes_over_what_it_reads(folder: Path, command: str, read: str) -> None:
    before = contents(folder)
    (folder / "link").symlink_to(folder / read)
    refused(command, read, "is also read or written by this command")
    refused(command, folder / "pack" / ".." / read, "is also read or written by this command")
    refused(command, "link", "is also read or written by this command")
    (folder / "link").unlink()
    assert contents(folder) == before


@pytest.mark.parametrize("command", [command for command in READ if not command.startswith("groups")])
@pytest.mark.parametrize(
    ("place", "because"),
    [("pack", "cannot be written: Is a directory"), ("missing/out", "cannot be written: No such file")],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, place: str, because: str
) -> None:
    monkeypatch.setattr(gzip, "open", lambda *arguments, **options: pytest.fail("read before it was checked"))
    (folder / "docs.jsonl").unlink()  # what is read before the check is missed
    refused(command, place, because)


@pytest.mark.parametrize("command", [command for command in READ if not command.startswith("group")])
def test_a_result_that_cannot_go_to_standard_output_is_refused(folder: Path, command: str) -> None:
    refused(command, "-", "is standard output, which this result cannot go to: name a file")
    assert not (folder / "-").exists()


def test_a_hard_link_is_the_same_file(folder: Path) -> None:
    os.link(folder / "docs.jsonl", folder / "other.jsonl")
    refused("group docs.jsonl --out", "other.jsonl", "is also read or written by this command")


def test_a_file_that_is_write_protected_is_not_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "out.csv").write_text("kept")
    (folder / "out.csv").chmod(0o444)
    if os.access(folder / "out.csv", os.W_OK):  # root may write everything, and is asked as one who may not
        monkeypatch.setattr(
            os, "access", lambda path, mode: not (mode & os.W_OK and Path(path).name == "out.csv")
        )
    refused("group docs.jsonl --out", "out.csv", "cannot be written: Permission denied")
    assert (folder / "out.csv").read_text() == "kept"


@pytest.mark.parametrize("options", [("--engine", "sqlite:///news.db"), ("--config", "store.toml")])
def test_the_store_is_not_replayed_into_itself(folder: Path, options: tuple[str, str]) -> None:
    (folder / "store.toml").write_text('engine = "sqlite:///news.db"\n')
    assert "is also read or written by this command" in error("replay", "news.db", *options)
    with closing(sqlite3.connect(folder / "news.db")) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
