"""Files of documents in every format, fields of other names, and `-` for standard input and output."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from datetime import datetime
from pathlib import Path

import pytest
from pyarrow import parquet

from cli.files import FORMATS, html, table
from commands import cli, error
from dupgroups import Page
from dupgroups.bulk.inputs.documents import Documents, fields_of_file
from dupgroups.errors import ConfigError, InputError
from dupgroups.flow.dead_letters import DeadLetter, dumps, utc_now
from stories import story

ROWS = [
    {"key": "1", "body": story("a"), "link": "http://a.example/1", "head": "Ferry"},
    {"key": "2", "body": story("a"), "link": "http://b.example/1", "head": "Ferry"},
    {"key": "3", "body": story("b"), "link": "http://c.example/1", "head": "Tea"},
]
OPTIONS = ["--fields", "text=body,url=link,title=head,id=key"]
GROUPS = [["id", "group"], ["1", "1"], ["2", "1"], ["3", "3"]]
JSON_LINES = table(ROWS, "jsonl")


def written(folder: Path, ending: str) -> Path:
    """A file of ROWS."""
    file = folder / f"docs.{ending}"
    file.write_bytes(table(ROWS, ending))
    return file


@pytest.mark.parametrize("ending", FORMATS)
def test_documents_of_any_format_and_names_are_grouped(tmp_path: Path, ending: str) -> None:
    out = tmp_path / "groups.csv"
    shown = cli("group", written(tmp_path, ending), "--out", out, *OPTIONS).stdout
    assert shown == "3 documents in 2 groups\n"
    assert list(csv.reader(out.read_text().splitlines())) == GROUPS


@pytest.mark.parametrize("stdin", [JSON_LINES, gzip.compress(JSON_LINES)], ids=["plain", "gzip"])
def test_documents_come_from_standard_input_and_groups_go_to_standard_output(stdin: bytes) -> None:
    result = cli("group", "-", "--out", "-", *OPTIONS, stdin=stdin)
    assert list(csv.reader(result.stdout.splitlines())) == GROUPS
    assert "3 documents in 2 groups" in result.stderr


def test_groups_and_pairs_are_written_in_the_format_of_the_name(tmp_path: Path) -> None:
    out, pairs = tmp_path / "groups.parquet", tmp_path / "pairs.jsonl"
    cli("group", written(tmp_path, "csv"), "--out", out, "--pairs", pairs, *OPTIONS)
    assert [list(row.values()) for row in parquet.read_table(out).to_pylist()] == GROUPS[1:]
    (pair,) = map(json.loads, pairs.read_text().splitlines())
    assert pair == {"a": "1", "b": "2", "score": 1.0, "relation": "duplicate"}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_the_fields_that_are_there_are_named_when_none_fits(tmp_path: Path, ending: str) -> None:
    sentence = "it has neither html nor text, but body, head, key, link: name yours, such as --fields"
    assert sentence in error("group", written(tmp_path, ending), "--out", tmp_path / "groups.csv")
    assert not (tmp_path / "groups.csv").exists()


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("body", '"body" names no field: write PART=FIELD, such as text=body,title=headline'),
        ("site=outlet", '"site" is not a part of a document here: these are id, text, html, title, '),
        ("text=body,text=a", 'the field of "text" is named twice: name one'),
        ("text=,html=", "name the field that holds the text, or the field that holds the html"),
    ],
)
def test_wrong_names_of_fields_are_one_sentence(names: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        fields_of_file(names)
    assert str(caught.value).startswith(sentence)


def test_values_of_parquet_have_types(tmp_path: Path) -> None:
    file = tmp_path / "docs.parquet"
    row = {"id": 7, "html": b"<p>One.</p>", "date": datetime(2026, 3, 4, 10, 5), "title": None}
    file.write_bytes(table([row], "parquet"))
    (page,) = Documents(file, pytest.fail)
    assert page == Page(id="7", html=b"<p>One.</p>", date="2026-03-04T10:05:00")


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("docs.parquet", b"no", "is not a Parquet file"),
        ("docs.csv", b"text\n\xff\xfe\n", "is not CSV in UTF-8, after line"),
        ("docs.jsonl.gz", gzip.compress(JSON_LINES, mtime=0)[:40], "the gzip file is damaged"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, name: str, content: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}.*{what}"):
        list(Documents(tmp_path / name, lambda sentence: None))


@pytest.mark.parametrize(
    ("name", "out", "module", "extra"),
    [
        ("docs.parquet", "groups.csv", "pyarrow", "parquet"),
        ("docs.csv", "groups.parquet", "pyarrow", "parquet"),
        ("docs.warc", "groups.csv", "fastwarc.stream_io", "warc"),
    ],
)
def test_a_format_without_its_library_is_one_sentence_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, out: str, module: str, extra: str
) -> None:
    (tmp_path / name).write_bytes(b"text\n")
    for loaded in [name for name in sys.modules if name.startswith("dupgroups.bulk.inputs.")]:
        monkeypatch.delitem(sys.modules, loaded)
    for missing in (module, f"{module}.parquet"):
        monkeypatch.setitem(sys.modules, missing, None)
    sentence = f"needs an extra: pip install 'dup-groups[{extra}]'"
    assert sentence in error("group", tmp_path / name, "--out", tmp_path / out)
    assert not (tmp_path / out).exists()


@pytest.mark.parametrize("command", ["duplicates", "cedar"])
def test_what_reads_its_documents_twice_refuses_standard_input(command: str) -> None:
    words = [command, "--labels", "pairs.csv", "--report", "report.html"]
    said = error("evaluate", *words, "--docs", "-", stdin=JSON_LINES)
    assert "standard input can be read only once" in said


# -- pages, and other commands with standard input


def test_a_page_comes_from_standard_input(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(story("a"))
    result = cli("extract", "-", "--json", stdin=story("a").encode())
    assert json.loads(result.stdout)["text"] == story("a")
    result = cli("compare", "-", tmp_path / "page.txt", "--json", stdin=story("a").encode())
    assert json.loads(result.stdout)["verdict"]["relation"] == "duplicate"
    assert "only one of the pages can come from standard input" in error("compare", "-", "-", stdin=b"")


def test_a_compressed_page_is_extracted(tmp_path: Path) -> None:
    file = tmp_path / "page.html.z"
    file.write_bytes(gzip.compress(html(story("a"))))
    assert json.loads(cli("extract", file, "--json").stdout)["text"] == story("a")
    file.write_bytes(gzip.compress(b"<p>" + b"x" * 99, mtime=0)[:20])
    assert "page.html.z: the gzip file is damaged" in error("extract", file)


def test_pages_are_replayed_from_standard_input(tmp_path: Path) -> None:
    letter = dumps(DeadLetter(Page(id="1", text=story("a"), url="http://a.example/1"), "away", utc_now()))
    replay = ("replay", "-", "--engine", f"sqlite:///{tmp_path / 'news.db'}")
    result = cli(*replay, stdin=letter + b"broken\n", status=1)
    assert result.stdout == "broken\n"
    assert "2 pages: " in result.stderr
    assert "1 new" in result.stderr
    assert "Nothing to replay" in cli(*replay, stdin=b"").stderr
    assert "leave out --json" in error(*replay, "--json", stdin=b"")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_articles_of_a_file_are_extracted_to_a_file_of_any_format(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"out.{ending}"
    assert "3 documents extracted" in cli("extract", "-", "--out", out, *OPTIONS, stdin=JSON_LINES).stdout
    again = map(json.loads, cli("extract", out, "--out", "-").stdout.splitlines())
    found = [(row["id"], row["title"], row["text"]) for row in again]
    assert found == [(row["key"], row["head"], row["body"]) for row in ROWS]
