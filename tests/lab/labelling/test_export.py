"""The pairs file: labels by consensus, what is not judged, and that the other commands read it."""

from __future__ import annotations

from pathlib import Path

from dupgroups_lab.labelling.export import labelled_pairs, to_csv, to_json_lines, unjudged_pairs
from dupgroups_lab.labelling.model import Rules, Shown
from dupgroups_lab.labels.pairs import read_labels, truth
from lab.labelling.boards import board, pairs
from stories import story

ONE = Rules(wanted=1)


def test_labels_follow_the_consensus(tmp_path: Path) -> None:
    items = [*pairs("ab", "ac", "ad", "bc", "bd", "cd"), *pairs("xy", known="same")]
    now = board(
        items,
        *(
            "A p:ab same",
            "A p:ac same-a",
            "A p:ad same-b",
            "A p:bc different",
            "A p:bd unknown",
            "A p:xy same",
        ),
        rules=ONE,
    )
    labelled = labelled_pairs(now)
    assert [(*one.ids, one.label, one.more, one.answers) for one in labelled] == [
        ("a", "b", "duplicate", "", 1),
        ("a", "c", "containment", "a", 1),
        ("a", "d", "containment", "b", 1),
        ("b", "c", "non", "", 1),
        ("b", "d", "unjudged", "", 1),
        ("c", "d", "unjudged", "", 0),
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


def test_texts_that_share_little_are_not_listed() -> None:
    shared = " ".join(f"word{number}" for number in range(8))
    documents = [Shown(name, f"{shared}. {story(name)}") for name in ("a", "b")]
    assert unjudged_pairs(documents, []) == []


def test_documents_are_lines_without_empty_fields() -> None:
    lines = to_json_lines([Shown("a", "春茶\n拍卖", "T", "zh"), Shown("b", "x", date="2026-03-04")])
    assert lines == (
        '{"id": "a", "title": "T", "text": "春茶\\n拍卖", "language": "zh"}\n'
        '{"id": "b", "text": "x", "date": "2026-03-04"}\n'
    )
