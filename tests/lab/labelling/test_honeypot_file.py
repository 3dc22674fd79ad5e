"""Files of known answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.labelling.honeypot_file import read_honeypots


def test_both_kinds_of_files(tmp_path: Path) -> None:
    (tmp_path / "news.csv").write_text("id,news\na,yes\nb,no\n")
    (tmp_path / "pairs.csv").write_text("a,b,label\ny,x,duplicate\nx,z,unjudged\n")
    known = read_honeypots([tmp_path / "news.csv", tmp_path / "pairs.csv"])
    assert known.news == {"a": "yes", "b": "no"}
    assert known.pairs == {("x", "y"): "duplicate"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("id,news\na,maybe\n", "line 2: give an id, and yes or no"),
        ("id,news\na,yes\n,no\n", "line 3: give an id"),
        ("a,b\nx,y\n", "must name the columns a, b, label"),
        ("", "must name the columns"),
        (None, "cannot be read"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, content: str | None, sentence: str) -> None:
    if content is not None:
        (tmp_path / "known.csv").write_text(content)
    with pytest.raises(InputError, match=sentence):
        read_honeypots([tmp_path / "known.csv"])
