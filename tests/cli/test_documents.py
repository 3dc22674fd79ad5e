"""Files of documents in every format, fields of other names, and `-` for standard input and output."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner, Result

from dupgroups import Page
from dupgroups.cli import app
from dupgroups.dead_letters import DeadLetter, dumps, utc_now
from dupgroups.engines.foreign import Fields
from dupgroups.errors import ConfigError, InputError, MissingExtraError
from dupgroups.inputs.documents import Documents, fields_of_file
from stories import story
from warcs import warc, zstd

ROWS = [
    {"key": "1", "body": story("a"), "link": "http://a.example/1", "head": "Ferry"},
    {"key": "2", "body": story("a"), "link": "http://b.example/1", "head": "Ferry"},
    {"key": "3", "body": story("b"), "link": "http://c.example/1", "head": "Tea"},
]
OPTIONS = ["--fields", "text=body,url=link,title=head,id=key"]
GROUPS = [["id", "group"], ["1", "1"], ["2", "1"], ["3", "3"]]


def _csv(delimiter: str = ",") -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(ROWS)
    return text.getvalue().encode("utf-8-sig")


def _parquet() -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(ROWS), file)
    return file.getvalue()


JSON_LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
FILES = {
    "docs.jsonl": JSON_LINES,
    "docs.jsonl.gz": gzip.compress(JSON_LINES),
    "docs.jsonl.zst": zstd(JSON_LINES),
    "docs.csv": _csv(),
    "docs.csv.gz": gzip.compress(_csv()),
    "docs.csv.zst": zstd(_csv()),
    "docs.tsv": _csv("\t"),
    "docs.parquet": _parquet(),
}


def run(*words: object, stdin: bytes | None = None, status: int = 0) -> Result:
    result = CliRunner().invoke(app, list(map(str, words)), input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result


@pytest.mark.parametrize("name", FILES)
def test_documents_of_any_format_and_names_are_grouped(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    out = tmp_path / "groups.csv"
    assert run("group", tmp_path / name, "--out", out, *OPTIONS).stdout == "3 documents in 2 groups\n"
    assert list(csv.reader(out.read_text().splitlines())) == GROUPS


@pytest.mark.parametrize("stdin", [JSON_LINES, gzip.compress(JSON_LINES)], ids=["plain", "gzip"])
def test_documents_come_from_standard_input_and_groups_go_to_standard_output(stdin: bytes) -> None:
    result = run("group", "-", "--out", "-", *OPTIONS, stdin=stdin)
    assert list(csv.reader(result.stdout.splitlines())) == GROUPS
    assert "3 documents in 2 groups" in result.stderr


def test_groups_and_pairs_are_written_in_the_format_of_the_name(tmp_path: Path) -> None:
    (tmp_path / "docs.csv").write_bytes(FILES["docs.csv"])
    out, pairs = tmp_path / "groups.parquet", tmp_path / "pairs.jsonl"
    run("group", tmp_path / "docs.csv", "--out", out, "--pairs", pairs, *OPTIONS)
    assert parquet.read_table(out).to_pylist() == [
        dict(zip(GROUPS[0], row, strict=True)) for row in GROUPS[1:]
    ]
    (pair,) = map(json.loads, pairs.read_text().splitlines())
    assert pair == {"a": "1", "b": "2", "score": 1.0, "relation": "duplicate"}


def test_the_counts_are_json_on_request(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_bytes(JSON_LINES + b"broken\n")
    result = run("group", tmp_path / "docs.jsonl", "--out", tmp_path / "out.csv", *OPTIONS, "--json")
    assert json.loads(result.stdout) == {"documents": 3, "groups": 2, "pairs": 1, "left_out": 1}


def test_one_document_is_not_one_documents(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"text": "One."}\n')
    out = run("group", tmp_path / "docs.jsonl", "--out", tmp_path / "out.csv").stdout
    assert out == "1 document in 1 group\n"


@pytest.mark.parametrize("more", [("--json",), ("--pairs", "-")])
def test_only_one_result_goes_to_standard_output(more: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="only one of --out, --pairs and --json"):
        run("group", "-", "--out", "-", *more, stdin=JSON_LINES)


@pytest.mark.parametrize("name", FILES)
def test_the_fields_that_are_there_are_named_when_none_fits(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    sentence = "it has neither html nor text, but body, head, key, link: name yours, such as --fields"
    with pytest.raises(InputError, match=sentence):
        run("group", tmp_path / name, "--out", tmp_path / "groups.csv")
    assert not (tmp_path / "groups.csv").exists()


def test_a_field_may_lie_inside_another(tmp_path: Path) -> None:
    file = tmp_path / "docs.jsonl"
    file.write_text('{"a": {"b": "One."}, "a.c": "Two."}\n')
    for name, text in (("a.b", "One."), ("a.c", "Two.")):
        (page,) = Documents(file, pytest.fail, fields_of_file(f"text={name}"))
        assert page.text == text


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("body", '"body" names no field: write PART=FIELD, such as text=body,title=headline'),
        ("text=body,", '"" names no field: write PART=FIELD, such as text=body,title=headline'),
        (
            "txt=body",
            '"txt" is not a part of a document here: these are id, text, html, title, url, date, language',
        ),
        ("text=body,text=a", 'the field of "text" is named twice: name one'),
        ("text=,html=", "name the field that holds the text, or the field that holds the html"),
    ],
)
def test_wrong_names_of_fields_are_one_sentence(names: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        fields_of_file(names)
    assert str(caught.value) == sentence


def test_an_index_has_other_parts_than_a_file() -> None:
    fields = Fields().renamed("text=body, site = outlet,url=")
    assert fields == Fields(text="body", site="outlet", url=None)
    with pytest.raises(ConfigError, match='"id" is not a part'):
        Fields().renamed("id=key")
    with pytest.raises(ConfigError, match='"site" is not a part'):
        fields_of_file("site=outlet")


def test_values_of_parquet_have_types(tmp_path: Path) -> None:
    file = tmp_path / "docs.parquet"
    row = {"id": 7, "html": b"<p>One.</p>", "date": datetime(2026, 3, 4, 10, 5), "title": None}
    parquet.write_table(pa.Table.from_pylist([row]), file)
    (page,) = Documents(file, pytest.fail)
    assert page == Page(id="7", html=b"<p>One.</p>", date="2026-03-04T10:05:00")


def test_a_page_is_longer_than_the_csv_module_allows_by_default(tmp_path: Path) -> None:
    file = tmp_path / "docs.csv"
    file.write_text("text\n" + "word " * 100_000 + "\n")
    (page,) = Documents(file, pytest.fail)
    assert page.text is not None
    assert len(page.text) == 500_000


def test_a_row_with_too_many_cells_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "docs.csv"
    file.write_text("text\none\ntwo,three\n")
    faults: list[str] = []
    assert [page.text for page in Documents(file, faults.append)] == ["one"]
    assert faults == [f"{file}, line 3: more cells than the header has"]


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("docs.parquet", b"no", "is not a Parquet file"),
        ("docs.csv", b"text\n\xff\xfe\n", "is not CSV in UTF-8, after line"),
        ("docs.csv.gz", gzip.compress(_csv(), mtime=0)[:40], "the gzip file is damaged"),
        ("docs.jsonl.gz", gzip.compress(JSON_LINES, mtime=0)[:40], "the gzip file is damaged"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, name: str, content: bytes, what: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=what) as raised:
        list(Documents(tmp_path / name, lambda sentence: None))
    assert name in str(raised.value)


@pytest.mark.parametrize(
    ("documents", "out"), [("docs.parquet", "groups.csv"), ("docs.csv", "groups.parquet")]
)
def test_parquet_without_its_library_is_one_sentence_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, documents: str, out: str
) -> None:
    (tmp_path / documents).write_bytes(FILES[documents])
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"needs an extra: pip install 'dup-groups\[parquet\]'"):
        run("group", tmp_path / documents, "--out", tmp_path / out, *OPTIONS)
    assert not (tmp_path / out).exists()


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "duplicates", "--labels", "pairs.csv", "--vary", "signer.size=1,2"],
        ["evaluate", "duplicates", "--labels", "pairs.csv", "--report", "report.html"],
        ["evaluate", "cedar", "--labels", "pairs.csv"],
        ["evaluate", "period-string", "--labels", "pairs.csv"],
    ],
)
def test_what_reads_its_documents_twice_refuses_standard_input(words: list[str]) -> None:
    with pytest.raises(InputError, match="standard input can be read only once"):
        run(*words, "--docs", "-", stdin=JSON_LINES)


def test_labels_are_compared_with_documents_from_standard_input(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("a,b,label\n1,2,duplicate\n")
    lines = "".join(json.dumps({"id": row["key"], "text": row["body"]}) + "\n" for row in ROWS).encode()
    words = ("evaluate", "duplicates", "--docs", "-", "--labels", tmp_path / "pairs.csv", "--json")
    assert json.loads(run(*words, stdin=lines).stdout)["groups"]["confusion"]["tp"] == 1


# -- other commands with standard input


def test_a_page_comes_from_standard_input(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(story("a"))
    result = run("extract", "-", "--json", stdin=story("a").encode())
    assert json.loads(result.stdout)["text"] == story("a")
    result = run("compare", "-", tmp_path / "page.txt", "--json", stdin=story("a").encode())
    assert json.loads(result.stdout)["verdict"]["relation"] == "duplicate"
    with pytest.raises(InputError, match="only one of the pages can come from standard input"):
        run("compare", "-", "-", stdin=b"")


@pytest.mark.parametrize("compress", [gzip.compress, zstd])
def test_a_compressed_page_is_extracted(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    (tmp_path / "page.html.z").write_bytes(
        compress(f"<html><body><p>{story('a')}</p></body></html>".encode())
    )
    text = " ".join(story("a").split())
    assert json.loads(run("extract", tmp_path / "page.html.z", "--json").stdout)["text"] == text
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(b"<p>" + b"x" * 99, mtime=0)[:20])
    with pytest.raises(InputError, match=r"page\.html\.gz: the gzip file is damaged"):
        run("extract", tmp_path / "page.html.gz")


def test_pages_are_replayed_from_standard_input(tmp_path: Path) -> None:
    letter = dumps(DeadLetter(Page(id="1", text=story("a"), url="http://a.example/1"), "away", utc_now()))
    url = f"sqlite:///{tmp_path / 'news.db'}"
    result = run("replay", "-", "--engine", url, stdin=letter + b"broken\n", status=1)
    assert result.stdout == "broken\n"
    assert "2 pages: " in result.stderr
    assert "1 new" in result.stderr
    assert json.loads(run("search", "", "--engine", url, "--json").stdout)["documents"] == 1
    assert "Nothing to replay" in run("replay", "-", "--engine", url, stdin=b"").stderr
    with pytest.raises(InputError, match="leave out --json"):
        run("replay", "-", "--engine", url, "--json", stdin=b"")


def test_a_web_archive_and_a_folder_of_html_are_grouped(tmp_path: Path) -> None:
    html = f"<html><body><article><p>{story('a').replace(chr(10), '</p><p>')}</p></article></body></html>"
    (tmp_path / "docs.warc.gz").write_bytes(
        gzip.compress(warc("http://a.example/1", html.encode()) + warc("http://b.example/1", html.encode()))
    )
    (tmp_path / "saved").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / "saved" / name).write_text(html)
    for place, ids in (
        ("docs.warc.gz", ["http://a.example/1", "http://b.example/1"]),
        ("saved", [f"{tmp_path}/saved/a.html", f"{tmp_path}/saved/b.html"]),
    ):
        result = run("group", tmp_path / place, "--out", "-", "--fields", "text=body")
        assert result.stdout.splitlines() == ["id,group", f"{ids[0]},{ids[0]}", f"{ids[1]},{ids[0]}"]
        with pytest.raises(InputError, match=r"no line is a document; .* it has no text, but [\w, ]+$"):
            run("group", tmp_path / place, "--out", "-", "--fields", "html=")


def test_a_web_archive_without_its_library_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs.warc").write_bytes(warc("http://a.example/1", b"<p>"))
    for module in [name for name in sys.modules if name.startswith("dupgroups.inputs.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "fastwarc.stream_io", None)
    with pytest.raises(MissingExtraError, match=r"needs an extra: pip install 'dup-groups\[warc\]'"):
        run("group", tmp_path / "docs.warc", "--out", "-")


@pytest.mark.parametrize("name", FILES)
def test_the_articles_of_a_file_are_extracted(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    result = run("extract", tmp_path / name, "--out", "-", *OPTIONS)
    assert [
        (row["id"], row["title"], row["text"]) for row in map(json.loads, result.stdout.splitlines())
    ] == [(row["key"], row["head"], row["body"]) for row in ROWS]
    assert "3 documents extracted" in result.stderr


def test_articles_go_from_standard_input_to_a_file_of_any_format(tmp_path: Path) -> None:
    for name in ("out.csv", "out.jsonl", "out.parquet"):
        out = tmp_path / name
        run("extract", "-", "--out", out, *OPTIONS, stdin=JSON_LINES)
        again = run("extract", out, "--out", "-").stdout.splitlines()
        assert [json.loads(line)["text"] for line in again] == [row["body"] for row in ROWS]
    with pytest.raises(InputError, match="it has neither html nor text, but body, head"):
        run("extract", "-", "--out", "-", stdin=JSON_LINES)
    with pytest.raises(InputError, match="neither --url nor --json"):
        run("extract", "-", "--out", "-", "--json", stdin=JSON_LINES)


def test_names_of_fields_are_asked_for_only_where_there_are_fields(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# A title\n", "utf-8")
    with pytest.raises(InputError) as caught:
        list(Documents(readme, lambda sentence: None))
    assert "not JSON" in str(caught.value)
    assert "--fields" not in str(caught.value)
