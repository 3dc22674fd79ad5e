"""The file of a project: what is written is there again; nothing is lost or written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupgroups.errors import InputError
from dupgroups_lab.labelling.model import Rules, Shown
from dupgroups_lab.labelling.store import LabelStore
from lab.labelling.projects import news, pairs

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
