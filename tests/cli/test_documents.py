"""Files of documents in every format, fields of other names, and `-` for standard input and output."""

import bz2
import gzip
import json
import lzma
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.files import table
from commands import cli, error, run
from dupgroups import Page
from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli.console import app
from dupgroups.cli.progress import reading_bar
from dupgroups.errors import ConfigError, DupGroupsError, InputError
from stories import story

ROWS = [
    {"key": "1", "body": story("a"), "link": "http://a.example/1", "head": "Ferry"},
    {"key": "2", "body": story("a"), "link": "http://b.example/1", "head": "Ferry"},
    {"key": "3", "body": story("b"), "link": "http://c.example/1", "head": "Tea"},
]
OPTIONS = ["--fields", "text=body,url=link,title=head,id=key"]
JSON_LINES = table(ROWS, "jsonl")


def test_documents_come_from_standard_input_and_groups_go_to_standard_output() -> None:
    result = cli("group", "-", "--out", "-", *OPTIONS, stdin=gzip.compress(JSON_LINES))
    assert result.stdout.splitlines() == ["id,group", "1,1", "2,1", "3,3"]
    assert "3 documents in 2 groups" in result.stderr
    wrong = error("group", "-", "--out", "-", stdin=table(ROWS, "csv"))
    assert "; standard input is read as JSON or a web archive" in wrong


def test_the_fields_that_are_there_are_named_when_none_fits(tmp_path: Path) -> None:
    sentence = "it has neither html nor text, but body, head, key, link: name yours, such as --fields"
    (tmp_path / "docs.parquet").write_bytes(table(ROWS, "parquet"))
    command = ("group", tmp_path / "docs.parquet", "--out", tmp_path / "groups.csv")
    assert sentence in error(*command)
    assert "it has no html, but body, head" in error(*command, "--fields", "text=html")
    assert not (tmp_path / "groups.csv").exists()


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("body", '"body" names no field: write PART=FIELD, such as text=body,title=headline'),
        ("image=picture", '"image" is not a part of a document here: use id, text, html, title, '),
        ("text=body,text=a", 'the field of "text" is named twice: name one'),
    ],
)
def test_wrong_names_of_fields_are_one_sentence(names: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=f"^{re.escape(sentence)}"):
        fields_of_file(names)


def test_values_of_parquet_have_types(tmp_path: Path) -> None:
    row = {"id": 7, "html": b"<p>One.</p>", "date": datetime(2026, 3, 4, 10, 5), "title": None}
    (tmp_path / "docs.parquet").write_bytes(table([row, {**row, "html": b""}], "parquet"))
    broken: list[str] = []
    (page,) = PageReader(tmp_path / "docs.parquet", broken.append)
    assert broken == [f"{tmp_path / 'docs.parquet'}, line 2: it has neither html nor text, but date, id"]
    assert page == Page(id="7", html=b"<p>One.</p>", date="2026-03-04T10:05:00")


LIST = json.dumps([{"id": row["key"], "text": row["body"]} for row in ROWS])
SEMICOLONS = "id;text\r\n" + "".join(f'{row["key"]};"{row["body"]}"\r\n' for row in ROWS)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("docs.json", LIST.encode()),
        ("docs.json", LIST.replace("}, ", "},\n").encode("utf-16")),
        ("docs.json.gz", gzip.compress(b"\n" + LIST.encode())),
        ("docs.jsonl", LIST[1:-1].replace("}, ", "}\r\n").encode("utf-16")),
        ("docs.jsonl", LIST[1:-1].replace("}, ", "}").encode()),
        ("docs.json", json.dumps(json.loads(LIST), indent=1).encode("utf-8-sig")),
        ("docs.csv", SEMICOLONS.encode("utf-8-sig")),
        ("docs.csv", ("sep=;\r\n" + SEMICOLONS).encode()),
        ("docs.csv", SEMICOLONS.replace(";", "\t").encode("utf-16")),
        ("docs.csv", SEMICOLONS.replace("id;text", " id ; text ").replace(";", ",").encode()),
    ],
)
def test_tables_and_lists_are_read_as_other_programs_write_them(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    pages = list(PageReader(tmp_path / name, pytest.fail))
    assert [(page.id, page.text) for page in pages] == [(row["key"], row["body"]) for row in ROWS]


@pytest.mark.parametrize(
    ("ending", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)]
)
def test_compressed_files_are_read(tmp_path: Path, ending: str, compress: Callable[[bytes], bytes]) -> None:
    content = compress(b"text\nOne.\n")
    for name in (f"docs.csv.{ending}", "docs.csv"):
        (tmp_path / name).write_bytes(content)
        assert [page.text for page in PageReader(tmp_path / name, pytest.fail)] == ["One."]
    (tmp_path / "docs.csv").write_bytes(content[:-6])
    cut = PageReader(tmp_path / "docs.csv", lambda sentence: None)
    with pytest.raises(DupGroupsError, match=r"docs\.csv.* is damaged"):
        read_whole(cut)


def read_whole(reader: PageReader) -> None:
    """Read a file of which nothing is left out, else raise."""
    assert [page.text for page in reader] == ["One."]
    reader.check_left_out()


QUOTE = "« L’été à Genève » – 5 €, s’écrie Müller"


@pytest.mark.parametrize("before", [1, 700], ids=["early", "late"])
@pytest.mark.parametrize("name", ["docs.csv", "docs.jsonl", "docs.json", "docs.csv.gz"])
def test_files_of_windows_are_read(tmp_path: Path, name: str, before: int) -> None:
    """Also where everything that is not ASCII comes behind the part by which the charset is told."""
    texts = ["It was calm. " * 15] * before + [QUOTE, "Two."]
    rows: list[str] = [json.dumps({"text": text}, ensure_ascii=False) for text in texts]
    if name == "docs.json":
        rows = [f"[{', '.join(rows)}]"]
    elif name != "docs.jsonl":
        rows = ["text", *(f'"{text}"' for text in texts)]
    raw = "\r\n".join(rows).encode("cp1252")
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    assert [page.text for page in PageReader(tmp_path / name, pytest.fail)] == texts


def test_a_damaged_character_does_not_change_the_charset(tmp_path: Path) -> None:
    (tmp_path / "docs.csv").write_bytes(
        b"text\n" + "Zürich \n".encode() * 2_000 + b"Caf\xc3\nGen\xc3\xa8ve\n"
    )
    *_, damaged, after = (page.text for page in PageReader(tmp_path / "docs.csv", pytest.fail))
    assert (damaged, after) == ("CafÃ", "Genève")


def test_a_document_may_name_its_site_its_author_and_its_source(tmp_path: Path) -> None:
    outlet, authors = {"name": "Kessel Herald"}, ["Jo Brandt", "A. Lee; B. Kim"]
    row = {"text": story("a"), "outlet": outlet, "author": authors, "source": "AP"}
    (tmp_path / "docs.jsonl").write_bytes(table([row], "jsonl"))
    names = ("site=outlet.name", "site=outlet.name,source=source")
    shown, named = (
        json.loads(cli("extract", tmp_path / "docs.jsonl", "--out", "-", "--fields", fields).stdout)
        for fields in names
    )
    assert (shown["site"], shown["author"]) == ("Kessel Herald", "Jo Brandt, A. Lee, B. Kim")
    assert (shown["source"], named["source"]) == ("", "AP")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("docs.csv", b"PK\3\4...", "is a workbook or another packed file: save it as CSV in UTF-8"),
        ("docs.db", b"SQLite format 3\0...", "is a SQLite database: read it as JSON, from `sqlite3 -json"),
        ("docs.xlsx", b"PK\3\4...", "is a workbook or another packed file: save it as CSV in UTF-8"),
        (
            "docs.jsonl.zst",
            b"\x28\xb5\x2f\xfd...",
            "cannot be read: it is compressed with zstd: write `zstdcat FILE",
        ),
        ("docs.parquet", b"text\n\xff\xfe\n", r"docs\.parquet is not a Parquet file"),
        ("docs.txt", b"One.\nTwo.", "line 1: not JSON .*; what is read are JSON .*, CSV or TSV, Parquet"),
        ("docs.jsonl", b'{"a": {"b": "x", "c": 1}}', "neither html nor text, but a.b, a.c: name yours"),
        ("news.jsonl", b'{"all": [{"text": "x"}]}\n{"n": 1}', "line 1: .* write each of all on a line"),
        ("news.json", b'{"articles": []}', "neither html nor text, and no other field$"),
        ("news.json", b'{"n": 1, "of": {"all": [{"text": "x"}]}}', "write each of of.all on a line"),
        ("docs.jsonl", b'{"text": {"b": "x"}}', r"text is not text \(dict\)"),
        ("docs.json", b'[{"te', "cannot be read to its end: it is not JSON .* after 0 values"),
        ("docs.jsonl", b'{"id": ' + b"9" * 5_000 + b', "text": "x"}\n', "line 1: not JSON"),
        *(
            (name, content, f"there is no document in .*{name}")
            for names, content in (("docs.csv docs", b""), ("docs.csv", b"id,text\n"), ("docs.jsonl", b"\n"))
            for name in names.split()
        ),
        ("docs.json", b"[]", r"there is no document in .*docs\.json"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        list(PageReader(tmp_path / name, pytest.fail))


def test_the_same_trouble_of_many_lines_is_told_once(tmp_path: Path) -> None:
    rows = [{"id": 1}, {"id": 2}, {"text": "One."}, {"id": 3}, {"text": "Two.", "id": 4}, {"text": "Three."}]
    (tmp_path / "docs.jsonl").write_bytes(table(rows, "jsonl"))
    told: list[str] = []
    documents = PageReader(tmp_path / "docs.jsonl", told.append)
    assert len(list(documents)) == documents.faults == 3
    assert [sentence.partition(", ")[2] for sentence in told] == [
        "line 1: it has neither html nor text, but id"
    ]


@pytest.mark.parametrize(
    "command",
    [
        "group docs.jsonl --out out",
        "extract docs.jsonl --out out",
        "add docs.jsonl --engine sqlite:///out",
        "frequencies docs.jsonl --out out",
        "evaluate duplicates --docs docs.jsonl --labels labels.csv",
        "calibrate --docs docs.jsonl --labels labels.csv --out out",
    ],
)
def test_a_command_that_leaves_out_most_of_a_file_ends_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text("a,b,label\n1,2,duplicate\n1,3,non\n")
    for broken, ends_well in ((4, False), (3, True)):
        Path("docs.jsonl").write_bytes(table(ROWS, "jsonl") + b"{}\n" * broken)
        ended = CliRunner().invoke(app, [*command.split(), *OPTIONS])
        assert (ended.exception is None) == ends_well
        assert (
            "4 of 7 records are not documents and were left out" in f"{ended.output} {ended.exception}"
        ) != ends_well
        # what the others gave is kept, but for thresholds, which would be used without a look
        assert Path("out").exists() == (command.endswith("out") and (ends_well or "calibrate" not in command))


@pytest.mark.parametrize(
    ("file", "closed", "said", "status"),
    [("docs.jsonl", ">&-", "3 documents in 2 groups", 0), ("-", "<&-", "there is no document in -", 1)],
)
def test_a_shell_may_close_standard_input_and_output(
    tmp_path: Path, file: str, closed: str, said: str, status: int
) -> None:
    (tmp_path / "docs.jsonl").write_bytes(JSON_LINES)
    command = shlex.join([sys.executable, "-m", "dupgroups", "group", file, "--out", "-", *OPTIONS])
    ended = subprocess.run(f"{command} {closed}", shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert (ended.stderr.endswith(f"{said}\n"), ended.returncode) == (True, status)


@pytest.mark.parametrize(
    "command", ["find", "group --out x.csv", "add", "calibrate --labels a --out b --docs"]
)
def test_an_empty_name_is_no_folder(command: str) -> None:
    ended = CliRunner().invoke(app, [*command.split(), ""])
    assert (ended.exit_code, "it is empty: name a file" in ended.output) == (2, True)
    assert "the name of a page is empty" in error("extract", "")


def test_a_page_comes_from_standard_input(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text(story("a"))
    result = cli("extract", "-", "--json", stdin=gzip.compress(story("a").encode()))
    assert json.loads(result.stdout)["text"] == story("a")
    result = cli("explain", "-", tmp_path / "page.txt", "--json", stdin=story("a").encode())
    assert json.loads(result.stdout)["relation"] == "duplicate"
    assert "only one of the documents can come from standard input" in error("explain", "-", "-", stdin=b"")


def test_the_articles_of_a_file_are_extracted_to_a_file_of_any_format(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    assert "3 documents extracted" in cli("extract", "-", "--out", out, *OPTIONS, stdin=JSON_LINES).stdout
    again = map(json.loads, cli("extract", out, "--out", "-").stdout.splitlines())
    found = [(row["id"], row["title"], row["text"]) for row in again]
    assert found == [(row["key"], row["head"], row["body"]) for row in ROWS]


def test_lone_surrogates_are_escaped_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    docs = tmp_path / "docs.jsonl"
    docs.write_text('{"id": "a\\ud800", "text": "One."}')
    assert run(monkeypatch, "group", str(docs), "--out", "-", "--processes", "1") == 0
    written = [capsysbinary.readouterr().out]
    for out in (tmp_path / f"out.{ending}" for ending in ("csv", "jsonl", "parquet")):
        cli("group", docs, "--out", out, "--processes", 1)
        written.append(out.read_bytes())
    assert [rb"a\ud800" in content for content in written] == [True] * 4


def test_progress_counts_what_is_done_not_what_was_read_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that has been read as a whole, of which half is stored, is not finished."""
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    file = tmp_path / "docs.jsonl"
    file.write_bytes(table([{"text": f"Text {number}."} for number in range(100)], "jsonl"))
    for done, remaining in ((50, "-:--:--"), (100, "0:00:00")):
        documents = PageReader(file, print)
        with reading_bar(documents) as advance:
            assert len(list(documents)) == 100
            advance(done)
        assert remaining in capsys.readouterr().err
