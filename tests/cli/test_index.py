"""`dup-groups stats`, `groups`, `settle`, `doctor` and `delete`: what an index holds, mended and deleted."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from commands import cli, error, news
from dupgroups import Page, open_engine
from stories import story


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Three copies of a story, and others alone, on 25 sites."""
    copies = [Page(id=id_, url=f"https://a.example/{id_}", text=story("one")) for id_ in "abc"]
    others = [Page(url=f"https://b{n}.example/1", text=story(f"other {n}")) for n in range(24)]
    return news(tmp_path, [*copies, *others])


def shown(*words: object, status: int = 0) -> str:
    return " ".join(cli(*words, status=status).stdout.split())


def values(*words: object, status: int = 0) -> Any:
    return json.loads(cli(*words, "--json", status=status).stdout)


def test_stats_prints_the_figures(url: str, tmp_path: Path) -> None:
    (tmp_path / "dead.jsonl").write_text("{}\n{}\n")
    out = shown("stats", "--engine", url, "--dead-letters", tmp_path / "dead.jsonl")
    for line in (
        *("documents 27", "groups 25", "alone in their group 24", "first of several 1", "copies 2"),
        *("redirects 0", "sites 25", "operations not looked at yet 0", "dead letters 2", "last seen 20"),
        *("size groups", " 1 24 3-5 1 ", "site documents", "a.example 3", "and 5 other sites"),
    ):
        assert line in out, line
    found = values("stats", "--engine", url)
    assert (found["documents"], found["groups"], found["sizes"]) == (27, 25, {"1": 24, "3": 1})


def test_groups_are_a_table_in_the_format_of_the_name(url: str, tmp_path: Path) -> None:
    jsonl, table = tmp_path / "groups.jsonl", tmp_path / "groups.parquet"
    for out in (jsonl, table):
        assert values("groups", "--engine", url, "--out", out) == {"documents": 27, "groups": 25}
    rows = parquet.read_table(table).to_pylist()
    of_the_story = [(row["id"], row["size"], row["head"]) for row in rows if row["group"] == "a"]
    assert of_the_story == [("a", 3, True), ("b", 3, False), ("c", 3, False)]
    assert [json.loads(line) for line in jsonl.read_text().splitlines()] == rows
    head, *lines = cli("groups", "--engine", url).stdout.splitlines()
    assert (head, len(lines)) == ("id,group,size,head", 27)
    assert {"a,a,3,true", "b,a,3,false"} <= set(lines)
    assert "name a file for the groups with --out" in error("groups", "--engine", url, "--json")


def test_stories_are_a_table_with_the_titles_of_their_heads(url: str) -> None:
    head, *lines = cli("stories", "--engine", url).stdout.splitlines()
    assert head.startswith("group,copies,sites,sources,copies_an_hour,first_published")
    assert [line.split(",")[:2] for line in lines] == [["a", "3"]]
    assert [row["id"] for row in values("stories", "--engine", url, "--json")] == ["a"]
    assert "must be a day" in error("stories", "--engine", url, "--since", "May")


def test_regrouping_everything_mends_what_deep_finds(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    with closing(open_engine(url)) as engine:  # written apart, as two writers at once may do
        [document] = engine.read(["b"]).values()
        engine.put([replace(document, record=replace(document.record, group="b"))])
    assert "every document has a group" in shown("doctor", "--engine", url)
    found = "1 document in another group than grouping all of them at once gives (b)"
    assert found in shown("doctor", "--deep", "--engine", url, status=1)
    settled = "27 documents looked at again: 1 group merged, 0 documents moved to another group"
    assert shown("regroup", "--all", "--engine", url) == settled
    assert shown("backfill", "--all", "--engine", url) == "27 documents: 27 updated"
    checks = values("doctor", "--deep", "--engine", url)["checks"]
    assert checks
    assert all(check["ok"] for check in checks)


def test_a_plain_regroup_mends_a_group_without_a_head(url: str) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file, file:
        file.execute("UPDATE document SET head = 0 WHERE id = 'a'")
    assert "run dup-groups regroup" in shown("doctor", "--engine", url, status=1)
    assert "1 group with another main copy" in shown("regroup", "--engine", url)
    assert "WRONG" not in shown("doctor", "--engine", url)


def test_documents_are_deleted_by_date(tmp_path: Path) -> None:
    days = {"old": "2023-12-31", "young": "2024-01-01", "undated": None}
    url = news(tmp_path, [Page(id=id_, text=story(id_), date=day) for id_, day in days.items()])
    assert "takes a day such as" in error("delete", "--before", "2024", "--engine", url)
    assert "1 document would be deleted" in error("delete", "--before", "2024-01-01", "--engine", url)
    assert shown("delete", "--before", "2024-01-01", "--yes", "--engine", url) == "1 document deleted"
    with closing(open_engine(url)) as engine:
        assert engine.get([*days]).keys() == {"young", "undated"}


def test_what_is_forgotten_does_not_come_again(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("news.toml").write_text('forgotten = "forgotten.txt"')
    Path("docs.jsonl").write_text("".join(f'{{"id": "{id_}", "text": "One."}}\n' for id_ in "axb"))
    assert "--forget needs a list" in error("delete", "a", "--forget", "--engine", url)
    options = ("--config", "news.toml", "--engine", url)
    assert shown("delete", "a", "x", "--forget", *options) == "1 document deleted; 1 id not stored"
    added = shown("add", "docs.jsonl", "--json", *options)
    assert json.loads(added)["states"] == {"passed": 2, "updated": 1}
    with closing(open_engine(url)) as engine:
        assert engine.get(["a", "x", "b"]).keys() == {"b"}


def test_documents_are_deleted_by_id_words_and_site(url: str) -> None:
    word = story("other 0").split()[0].strip(".,").lower()
    assert shown("delete", "--query", word, "--dry-run", "--engine", url).endswith(" to delete")
    refused = error("delete", "--site", "b0.example", "--engine", url)
    assert refused == f"1 document would be deleted from {url}; nothing was deleted: add --yes to delete"
    assert shown("delete", "--site", "b0.example", "--yes", "--engine", url) == "1 document deleted"
    dry = values("delete", "a", "nosuch", "--dry-run", "--engine", url)
    assert dry == {"documents": 1, "unknown": 1, "deleted": False}
    assert shown("delete", "a", "nosuch", "--engine", url) == "1 document deleted; 1 id not stored"
    with closing(open_engine(url)) as engine:
        assert {id_: record.group for id_, record in engine.get(["b", "c"]).items()} == {"b": "b", "c": "b"}
    sentence = "say what to delete: ids, or --query with words, --site or --before"
    assert error("delete", "a", "--query", "x", "--engine", url) == sentence
