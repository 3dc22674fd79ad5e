"""`doctor --deep` on groups that are right, and on each way in which they can be broken."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dupgroups import Deduper, Page, open_engine
from dupgroups.audit import audit
from dupgroups.cli.console import main
from dupgroups.engines import Engine
from dupgroups.engines.memory import MemoryEngine
from stories import story


@pytest.fixture
def grouped(engine: Engine) -> Engine:
    """Two groups of two, and a former name: "x" led to "a", whose documents are "a" and "b"."""
    pages = [("a", "one"), ("b", "one"), ("c", "two"), ("d", "two")]
    Deduper(engine).add_all(Page(id=id_, text=story(name)) for id_, name in pages)
    engine.put([], moves={"x": "a"})
    return engine


def wrong(engine: Engine) -> dict[str, str]:
    return {check.name: check.detail for check in audit(engine) if not check.ok}


def put(engine: Engine, id_: str, group: str) -> None:
    """Write a document into a group, whatever the rules say."""
    [document] = engine.read([id_]).values()
    engine.put([replace(document, record=replace(document.record, group=group))])


def test_groups_that_keep_the_rules_pass(grouped: Engine) -> None:
    assert wrong(grouped) == {}


def test_an_empty_engine_passes(engine: Engine) -> None:
    assert wrong(engine) == {}


BROKEN: dict[str, tuple[Callable[[Engine], object], set[str]]] = {
    "twins apart": (lambda engine: put(engine, "b", "b"), {"partition"}),
    "strangers together": (lambda engine: put(engine, "d", "a"), {"partition"}),
    "named by a younger member": (
        lambda engine: [put(engine, id_, "b") for id_ in "ab"],
        {"names", "partition"},
    ),
    "without its head": (lambda engine: engine.delete(["a"]), {"names", "one head each", "partition"}),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_each_broken_rule_is_named(grouped: Engine, kind: str) -> None:
    breaks, names = BROKEN[kind]
    breaks(grouped)
    assert set(wrong(grouped)) == names


def test_a_live_group_that_is_redirected_away_is_named(grouped: Engine) -> None:
    grouped.put([], moves={"a": "c"})
    put(grouped, "b", "a")
    assert wrong(grouped)["former names"].startswith("1 redirect leading away")


class Astray(MemoryEngine):
    """An engine with redirects that only a fault can make."""

    def redirects(self):  # type: ignore[no-untyped-def]
        yield from {"p": "q", "q": "r", "s": "t", "t": "s"}.items()


def test_a_circle_is_wrong_and_a_chain_is_not() -> None:
    details = wrong(Astray())
    assert details.keys() == {"former names"}
    assert "(s, t)" in details["former names"]


# -- the commands


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["dup-groups", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A file of two twins that were written apart."""
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(Page(id=id_, text=story("one")) for id_ in "abc")
        put(engine, "b", "b")
    return url


def test_settling_everything_mends_what_deep_finds(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert run(monkeypatch, "doctor", "--engine", url) == 0
    assert run(monkeypatch, "doctor", "--deep", "--engine", url) == 1
    assert (
        "1 document in another group than grouping all of them at once gives (b)" in capsys.readouterr().out
    )
    assert run(monkeypatch, "settle", "--all", "--engine", url) == 0
    assert capsys.readouterr().out == (
        "3 documents looked at again: 1 group merged, 0 documents moved to another group\n"
    )
    assert run(monkeypatch, "doctor", "--deep", "--engine", url) == 0


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


@pytest.mark.parametrize("command", ["settle", "delete a"])
def test_a_mistyped_engine_makes_no_file(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *command.split(), "--engine", f"sqlite:///{tmp_path / 'nwes.db'}") == 1
    assert "there is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
