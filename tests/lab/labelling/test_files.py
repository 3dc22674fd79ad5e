"""Files of known answers, and files of labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.labelling.drawing import read_honeypots
from dupgroups_lab.labelling.export import labelled_pairs, to_csv, unjudged_pairs
from dupgroups_lab.labelling.model import Rules, Shown
from dupgroups_lab.labels.pairs import read_labels, truth
from lab.labelling.boards import board, pairs
from stories import story

ONE = Rules(wanted=1)


def test_labels_follow_the_consensus_and_other_commands_read_them(tmp_path: Path) -> None:
    items = [*pairs("ab", "ac", "ad", "bc", "bd", "cd"), *pairs("xy", known="same")]
    given = ("ab same", "ac same-a", "ad same-b", "bc different", "bd unknown", "xy same")
    labelled = labelled_pairs(board(items, *(f"A p:{answer}" for answer in given), rules=ONE))
    assert [("".join(one.ids), one.label, one.more, one.answers) for one in labelled] == [
        ("ab", "duplicate", "", 1),
        ("ac", "containment", "a", 1),
        ("ad", "containment", "b", 1),
        ("bc", "non", "", 1),
        ("bd", "unjudged", "", 1),
        ("cd", "unjudged", "", 0),
    ]
    file = tmp_path / "pairs.csv"
    file.write_text(to_csv(labelled))
    assert read_labels(file) == {one.ids: one.label for one in labelled}


def test_pairs_that_nobody_judged_count_neither_way() -> None:
    texts = {"a": story("one"), "b": story("one"), "c": story("one"), "d": story("two")}
    documents = [Shown(id_, text) for id_, text in texts.items()]
    others = unjudged_pairs(documents, [("a", "b")])
    assert [(one.ids, one.label) for one in others] == [(("a", "c"), "unjudged"), (("b", "c"), "unjudged")]
    labels = {("a", "b"): "duplicate"} | {one.ids: one.label for one in others}
    assert truth(texts, labels).ignored == {("a", "c"), ("b", "c")}


def test_both_kinds_of_files(tmp_path: Path) -> None:
    (tmp_path / "news.csv").write_text("id,news\na,yes\nb,no\n")
    (tmp_path / "pairs.csv").write_text("a,b,label\ny,x,duplicate\nx,z,unjudged\n")
    known = read_honeypots([tmp_path / "news.csv", tmp_path / "pairs.csv"])
    assert known.news == {"a": "yes", "b": "no"}
    assert known.pairs == {("x", "y"): "duplicate"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("id,news\na,maybe\n", "line 2: give an id, and yes or no"), ("", "must name the columns a, b, label")],
)
def test_another_file_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "known.csv").write_text(content)
    with pytest.raises(InputError, match=sentence):
        read_honeypots([tmp_path / "known.csv"])
