"""`dup-groups delete`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from commands import run
from dupgroups import Deduper, Page, open_engine
from stories import story


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A file with three copies of a story."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(Page(id=id_, text=story("one")) for id_ in "abc")
    return url


def test_documents_are_deleted_by_id_words_and_site(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_engine(url)) as engine:
        Deduper(engine).add(Page(id="w", url="https://wire.example/w", text=story("two")))
    word = story("two").split()[0].strip(".,").lower()
    assert run(monkeypatch, "delete", "--query", word, "--dry-run", "--engine", url) == 0
    assert capsys.readouterr().out.endswith(" to delete\n")
    assert run(monkeypatch, "delete", "--site", "wire.example", "--engine", url) == 0
    assert capsys.readouterr().out == "1 document deleted\n"
    assert run(monkeypatch, "delete", "a", "nosuch", "--engine", url) == 0
    assert capsys.readouterr().out == "1 document deleted; 1 id not stored\n"
    with closing(open_engine(url)) as engine:
        assert {document.record.id: document.record.group for document in engine.scan()} == {
            "b": "b",
            "c": "b",
        }
        assert engine.resolve(["a"]) == {"a": "b"}


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "--query", "x"],
        ["a", "--site", "x.org"],
        ["--query", " "],
        ["--query", "", "--site", "x.org"],
    ],
)
def test_deleting_wants_one_way_to_say_what(
    arguments: list[str], url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "delete", *arguments, "--engine", url) == 1
    assert (
        capsys.readouterr().err == "dup-groups: say what to delete: ids, or --query with words, or --site\n"
    )
