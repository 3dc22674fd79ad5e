"""`dup-groups keep-apart`, `keep-together`, `head`, `undo` and `corrections`, and `group --corrections`."""

import getpass
import json
from pathlib import Path

import pytest

from cli.files import table
from commands import cli, error
from dupgroups import Deduper
from flow.scenes import OTHER, A, B, X, page, signed


@pytest.fixture
def url(tmp_path: Path) -> str:
    """An engine with a story of three copies, and another one."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with Deduper(url) as deduper:
        deduper.add_all([signed("a", A), signed("x", X), signed("b", B), signed("other", OTHER)])
    return url


def run(*words: object) -> str:
    return cli(*words).stdout


def test_corrections_say_what_they_did_and_are_listed_and_undone(url: str) -> None:
    said = run("keep-apart", "a", "b", "--engine", url, "--by", "ann")
    assert said == "correction 1: a and b are kept apart\n"
    assert "other and b are kept together" in run("keep-together", "other", "b", "--engine", url)
    assert "x is the main copy of its story" in run("head", "x", "--engine", url)
    assert "number 1 is undone" in run("undo", "1", "--engine", url)
    listed = run("corrections", "--engine", url).splitlines()
    assert [line.partition(":")[0][-1] for line in listed[::2]] == ["4", "3", "2", "1"]
    assert listed[-2].endswith("kept apart, undone by 4")
    assert listed[-1].endswith(" by ann")
    [newest] = json.loads(run("corrections", "--engine", url, "--newest", "1", "--json"))
    assert (newest["number"], newest["undoes"], newest["by"]) == (4, 1, getpass.getuser())


def test_a_file_is_grouped_with_the_corrections_of_an_index(url: str, tmp_path: Path) -> None:
    run("keep-together", "other", "b", "--engine", url)
    with Deduper(url) as deduper:
        deduper.add(signed("twin", A))
        for id_ in ("b", "twin"):
            deduper.correct("keep-apart", "a", id_, by="ann")
        # what "other" said then is what counts for its copies; "twin" said the same, and is meant alone
        deduper.add_all([signed("other", "klm"), signed("twin", X)])
        deduper.correct("keep-apart", "x", "twin", by="ann")
    exported, documents = tmp_path / "corrections.jsonl", tmp_path / "news.jsonl"
    run("corrections", "--engine", url, "--out", exported)
    texts = {"a": A, "x": X, "b": B, "other": "klm", "copy": OTHER, "twin": X}
    rows = [{"id": id_, "text": page(id_, parts).text} for id_, parts in texts.items()]
    documents.write_bytes(table(rows, "jsonl"))
    grouped = run("group", documents, "--out", "-", "--corrections", exported).splitlines()
    groups = {"a": "a", "x": "a", "b": "b", "other": "b", "copy": "b", "twin": "twin"}
    assert dict(row.split(",") for row in grouped[1 : len(texts) + 1]) == groups


def test_a_wrong_file_of_corrections_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "corrections.csv"
    for text, sentence in (
        ("keep,a,b", "corrections.csv, line 2: a correction needs kind"),
        ("keep-apart,a,b\nkeep-together,b,x\nkeep-together,x,a", "'a' and 'b' apart, and together"),
    ):
        file.write_text(f"kind,a,b\n{text}\n")
        words = ("group", "-", "--out", "-", "--corrections", file)
        assert sentence in error(*words, stdin=b'{"id": "a", "text": "One."}\n')
