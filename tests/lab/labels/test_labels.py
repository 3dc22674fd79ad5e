"""Files of labels and labelled pages, and the truth that they give."""

import gzip
import json
from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.labels.labelled_pages import read_pack
from dupgroups_lab.labels.labelled_pairs import read_clusters, read_labels, truth

PAIRS = {("a", "b"): "duplicate", ("a", "c"): "containment", ("b", "c"): "near", ("c", "d"): "non"}


def test_labels_are_read_whichever_document_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_bytes('\ufeffa,label,b,note\nx,near,b,\n"q,1",non,a,text\n'.encode())
    assert read_labels(path) == {("b", "x"): "near", ("a", "q,1"): "non"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a,b\nx,y\n", "columns a, b, label"),
        ("a,b,label\nx,y,same\n", "line 2: unknown label 'same'; known: duplicate"),
        ("a,b,label\nx,x,non\n", "line 2: a pair has two documents"),
    ],
)
def test_a_file_without_labels_is_refused(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=what):
        read_labels(path)


def test_labels_between_are_ignored() -> None:
    known = truth("abcde", PAIRS)
    assert known.positive == {("a", "b")}
    assert known.ignored == {("a", "c"), ("b", "c")}
    assert known.clusters == {"a": "a", "b": "a", "c": "c", "d": "d", "e": "e"}


def test_labels_of_missing_documents_are_left_out() -> None:
    assert truth("abd", PAIRS).ignored == truth("abd", PAIRS).hard == frozenset()
    with pytest.raises(InputError, match="no labelled pair of these documents is duplicate"):
        truth("cde", PAIRS)


def test_clusters_alone_are_labels(tmp_path: Path) -> None:
    path = tmp_path / "clusters.csv"
    path.write_text("id,cluster,family\na,1,1\nb,1,1\nc,2,1\nd,,\n", encoding="utf-8")
    known = truth("abcd", None, read_clusters(path))
    assert known.positive == {("a", "b")}
    assert len(set(known.clusters.values())) == 3


ROW = {"id": "1", "site": "s", "url": None, "lang": "en", "page_type": "article", "html": "<p>x", "text": "x"}


def test_a_line_that_is_not_a_page_is_named(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write(f"{json.dumps(ROW)}\n{json.dumps({**ROW, 'html': None})}\n")
    with pytest.raises(InputError, match=r"line 2, .* not a string"):
        list(read_pack(tmp_path))
