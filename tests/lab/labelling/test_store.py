"""The file of a project: what is written is there again; nothing is lost or written over."""

from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.labelling.drawing import read_honeypots
from dupgroups_lab.labelling.export import labelled_pairs, to_csv, unjudged_pairs
from dupgroups_lab.labelling.model import Rules, Shown
from dupgroups_lab.labelling.store import LabelStore
from dupgroups_lab.labels.labelled_pairs import read_labels, truth
from lab.labelling.projects import board, news, pairs
from stories import story

RULES = Rules(wanted=2, alone=True, honeypots=0.25, seed=7)
ITEMS = [*news("a", "b"), *pairs("ab", known="same")]
DOCUMENTS = [Shown("a", "Text\nof a", "A", "en", None, "Site", None), Shown("b", "春茶")]


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore.create(tmp_path / "labels #1.db", RULES, DOCUMENTS, ITEMS)


def test_another_process_finds_everything(store: LabelStore) -> None:
    store.answer("n:a", "Ann", "yes")
    again = LabelStore.open(store.path)
    board = again.board()
    assert again.rules() == board.rules == RULES
    assert list(board.items.values()) == ITEMS
    assert [(answer.item, answer.assessor, answer.answer) for answer in board.answers] == [
        ("n:a", "Ann", "yes")
    ]
    assert again.all_documents() == DOCUMENTS
    assert again.documents(["b", "nowhere"]) == {"b": DOCUMENTS[1]}
    assert again.secrets() == store.secrets()
    assert len(set(store.secrets())) == 3


def test_an_answer_is_stored_once_and_the_last_one_is_taken_back(store: LabelStore) -> None:
    assert store.answer("n:a", "Ann", "yes")
    assert not store.answer("n:a", "Ann", "no")
    store.answer("n:a", "Bob", "no")
    store.answer("n:b", "Ann", "no")
    assert store.undo("Ann") == "n:b"
    assert store.undo("Ann") == "n:a"
    assert store.undo("Ann") is None
    assert [answer.assessor for answer in store.board().answers] == ["Bob"]


def test_a_file_is_not_written_over_and_only_its_owner_reads_it(store: LabelStore) -> None:
    with pytest.raises(InputError, match="exists already"):
        LabelStore.create(store.path, RULES, [], [])
    assert store.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [None, b"", b"not a database, but long enough to be taken for one" * 40])
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match="not a labelling project"):
        LabelStore.open(path)
    assert path.exists() == (content is not None)
    assert content is None or path.read_bytes() == content


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
