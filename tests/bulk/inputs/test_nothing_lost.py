"""Files as other tools leave them: every record is read, or left out with a reason."""

import gzip
import json
import quopri
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from dupgroups import Page, extract
from dupgroups.bulk.inputs.page_reader import PageReader
from dupgroups.errors import LeftOutError
from stories import story
from warcs import warc

LINES = [f'{number}\tDam {number}\tThe "dam" of {number}, shut' for number in range(9)]


def read(path: Path, content: bytes | str = "") -> tuple[list[str | None], PageReader]:
    if content:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    reader = PageReader(path, lambda sentence: None)
    return [page.text for page in reader], reader


@pytest.mark.parametrize(
    ("name", "separator", "opened"),
    [("a.tsv", "\t", [3]), ("a.tsv", "\t", [2, 6]), ("a.csv", ";", [3]), ("a.csv", "|", [0, 8])],
)
def test_a_quote_that_never_closes_swallows_no_row(
    tmp_path: Path, name: str, separator: str, opened: Sequence[int]
) -> None:
    lines = [line.replace("Dam", '"Dam') if at in opened else line for at, line in enumerate(LINES)]
    table = "\n".join(["id\ttitle\ttext", *lines, ""]).replace("\t", separator)
    texts, reader = read(tmp_path / name, table)
    assert [text and text[-5:] for text in texts] == [" shut"] * 9
    assert not reader.left_out
    rows = ['1\t"Dam\tOne.', "2\tPipe\tTwo.", '3\tPipe of 15"\tThree.']  # and one that an inch closes
    assert read(tmp_path / "a.tsv", "\n".join(["id\ttitle\ttext", *rows]))[0] == ["One.", "Two.", "Three."]
    rows = ['1,Dam,"One, two."', '2,"Pipe,Two.', '3,Pipe,"Three, four, and five."']  # the last one has commas
    texts, reader = read(tmp_path / "b.csv", "\n".join(["id,title,text", *rows]))
    assert texts[::2] == ["One, two.", "Three, four, and five."]
    assert (len(texts), reader.left_out.total()) == (3, 0)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ('1,"One, two\nand, three\nand, four"', "One, two\nand, three\nand, four"),
        ('1,"He said \\"two, three\\", twice\nand left"', 'He said "two, three", twice\nand left'),
        ('1, "He said ""two""" ', 'He said "two"'),
        ("1,He said 'two'", "He said 'two'"),
        ('1, "One, two",', "One, two"),  # blanks and separators that spreadsheets add
        ('1,"He said "one, two" and left"', 'He said "one, two" and left'),
    ],
)
def test_quotes_that_close_are_read_as_they_are_meant(tmp_path: Path, row: str, text: str) -> None:
    texts, _ = read(tmp_path / "a.csv", f"id,text\n{row}\n2,Last.\n")
    assert texts == [text, "Last."]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", 'id,text\n1,"One."\n2,"Two.\nand mo'),
        ("a.jsonl", '{"text": "One."}\n{"text": "Two'),
        ("a.warc", warc("http://e/1", b"<p>One.") + warc("http://e/2", b"<p>Two.")[:-8]),
    ],
)
def test_a_file_that_ends_inside_a_record_is_an_error_after_the_others(
    tmp_path: Path, name: str, content: str | bytes
) -> None:
    texts, reader = read(tmp_path / name, content)
    assert (len(texts), reader.left_out.total()) == (1, 1)
    with pytest.raises(LeftOutError, match="ends inside a record"):
        reader.check_left_out()


def test_every_record_is_counted_by_what_became_of_it(tmp_path: Path) -> None:
    page, status = b"<p>" + story("a").encode(), "Content-Type: text/html"
    archive = [
        warc("http://e/1", page, kind="request"),
        warc("http://e/1", page),
        warc("http://e/2", page, length_off_by=-1),
        warc("http://e/3", page, status, "404 Not Found"),
        warc("http://e/4", b"GIF89a", "Content-Type: image/gif"),
        warc("http://e/5", b"", kind="revisit"),
    ]
    texts, reader = read(tmp_path / "a.warc", b"".join(archive))
    assert len(texts) == 1
    assert str(reader.account()).endswith(
        "a.warc: 6 records, 1 read; left out: 1 not as long as it says; "
        "no page: 1 request, 1 status 404, 1 image/gif, 1 revisit"
    )
    reader.check_left_out()
    _, reader = read(tmp_path / "a.csv", "id,text\n1,One.\nid,text\n")
    assert str(reader.account()).endswith("a.csv: 2 records, 1 read; no page: 1 the header again")


def resource(kind: str, content_type: str, block: bytes, newline: str = "\n") -> bytes:
    lines = ("WARC/1.0", f"WARC-Type: {kind}", "WARC-Target-URI: http://e/1", f"Content-Type: {content_type}")
    return newline.join([*lines, f"Content-Length: {len(block)}", "", ""]).encode() + block + b"\r\n\r\n"


def test_archives_hold_pages_in_several_kinds_of_records(tmp_path: Path) -> None:
    answer = b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>"
    content = [
        resource("resource", "text/html; charset=utf-8", b"<p>A page."),
        resource("resource", "application/octet-stream", b"<html>A page."),
        resource("response", "text/html", answer),
        resource("response", "application/http", b"<html>A page."),
        b"\0" * 3000 + resource("response", "application/http", answer),
        resource("conversion", "text/plain", "Plain, of Zürich.".encode()),
        resource("response", "application/http; msgtype=response", answer + b"A page."),
    ]
    path = tmp_path / "a.warc.wet.gz"
    path.write_bytes(b"".join(map(gzip.compress, content)))
    page, *others, text, answered = PageReader(path, pytest.fail)
    assert (page.html, page.encoding, answered.html) == (b"<p>A page.", "utf-8", b"<p>A page.")
    assert [other.html for other in others] == [b"<html>A page.", b"<p>"] * 2
    assert (text.text, text.url) == ("Plain, of Zürich.", "http://e/1")


MHTML = b"""From: <Saved>\r\nMIME-Version: 1.0\r\nSnapshot-Content-Location: http://e/1\r
Content-Type: multipart/related;\r\n\tboundary="--q"\r\n\r
----q\r\nContent-Type: text/html\r\n\r\n<html>A frame.\r
----q\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r
Content-Location: http://e/1\r\n\r\n%b\r\n----q--\r\n"""


def test_a_folder_gives_the_pages_whatever_they_are_called_and_names_the_rest(tmp_path: Path) -> None:
    html = b"<!doctype html><p>" + story("a").encode()
    files = {
        "a.html": html,
        "b.php": html,
        "c": html,
        "d.shtml.gz": gzip.compress(html),
        "e.mht": MHTML % quopri.encodestring(html),
        "f.pdf": b"%PDF-1.4",
        "g.txt": b"Notes.",
        "h.png": b"\x89PNG",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    reader = PageReader(tmp_path, lambda sentence: None)
    pages = list(reader)
    assert [Path(str(page.id)).name for page in pages] == ["a.html", "b.php", "c", "d.shtml.gz", "e.mht"]
    assert {bytes(page.html or b"").strip() for page in pages} == {html.strip()}
    assert (pages[-1].url, pages[-1].encoding) == ("http://e/1", "utf-8")
    assert "8 records, 5 read; left out: 1 .pdf file, 1 .txt file; no page: 1 .png file" in str(
        reader.account()
    )


def test_a_folder_of_parts_is_one_file(tmp_path: Path) -> None:
    for number in range(3):
        part = tmp_path / f"part-{number}.parquet"
        parquet.write_table(pa.table({"text": [f"{number}.", "Last."]}), part)
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "part-1a.parquet").touch()
    reader = PageReader(tmp_path, lambda sentence: None)
    pages = list(reader)
    assert [page.text for page in pages] == ["0.", "Last.", "1.", "Last.", "2.", "Last."]
    assert len({page.id for page in pages}) == 6
    with pytest.raises(LeftOutError, match="some may be missing"):
        reader.check_left_out()


SEQUENCE = "".join(f"\x1e{json.dumps({'text': text}, indent=1)}\n" for text in ("One.", "Two."))
BULK = (
    '{"index": {"_id": "a"}}\n{"text": "One."}\n{"delete": {"_id": "b"}}\n'
    '{"update": {"_id": 7, "_index": "news"}}\n{"doc": {"text": "Two."}}\n{"create": {}}\n{"text": "3."}\n'
    '{"index": {"_id": "c"}}\n{"text": "4.", "id": 9}\n{"update": {"_id": "d"}}\n{"upsert": {"text": "5."}}\n'
)


def test_other_forms_of_json_are_read(tmp_path: Path) -> None:
    for content in (SEQUENCE, SEQUENCE.replace("{\n", "{").replace("\n}", "}")):
        assert read(tmp_path / "a.json", content)[0] == ["One.", "Two."]
        assert read(tmp_path / "a.json", content[:9] + content)[0] == ["One.", "Two."]
        assert read(tmp_path / "a.json", content[:-5])[1].is_cut_off
    (tmp_path / "bulk.ndjson").write_text(BULK)
    pages = list(PageReader(tmp_path / "bulk.ndjson", pytest.fail))
    bulk = [("a", "One."), ("7", "Two."), ("line 7", "3."), ("c", "4."), ("d", "5.")]
    assert [(page.id, page.text) for page in pages] == bulk


@pytest.mark.parametrize(
    "picture",
    [
        b"<img src='data:image/png;base64," + b"iVBORw0K" * 1_000_001 + b"'>",
        b'<img src=\'DATA:image/svg+xml,<path d="M0 0"/>' + b'<path d="M0 0"/>' * 500_001 + b"'>",
        b"<script>'<!--'</script><script>" + b"var a = b; " * 800_000 + b"</script>",
        b"<!--" + b" a" * 4_000_001 + b"-->",
    ],
    ids=["base64", "svg", "script", "comment"],
)
def test_what_is_no_text_does_not_count_towards_the_length_of_a_page(picture: bytes) -> None:
    html = b"<html><body><article><h1>Dam</h1>%b<p>" + story("a").encode() + b"</p></article></body></html>"
    assert extract(Page(html=html % picture)).text == extract(Page(html=html % b"<img src=a>")).text


def test_an_odd_date_costs_no_document_of_a_parquet_file(tmp_path: Path) -> None:
    far = pa.array([1_700_000_000_000_000, 316_516_809_600_000_000], pa.timestamp("us"))
    moon = pa.array([1_700_000_000_000_000_001, 0], pa.timestamp("ns", "Moon/Tycho"))
    table = {"id": pa.array([b"a", b"\xff\x01"]), "text": ["One.", "Two."], "date": far, "moon": moon}
    parquet.write_table(pa.table(table), tmp_path / "a.parquet")
    one, two = PageReader(tmp_path / "a.parquet", pytest.fail)
    assert (one.id, one.date, two.date) == ("a", "2023-11-14T22:13:20", None)
    assert two.id == "ff01"
