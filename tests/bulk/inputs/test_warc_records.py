"""Web archives that are cut off, mis-measured, over-long or bombs: every record is a page or an error."""

import gzip
import io
import subprocess
import sys
import zlib
from itertools import product
from pathlib import Path

import pytest
from fastwarc.stream_io import BrotliWriter, ZstdWriter

from dupgroups.bulk.inputs.archive import MAX_BODY_BYTES, pages
from dupgroups.bulk.inputs.codings import undo_codings
from dupgroups.bulk.inputs.left_out import NoPageError
from dupgroups.bulk.inputs.rows import open_decompressed
from dupgroups.errors import InputError
from processes import environment
from warcs import warc

BODY = b"<p>" + b"The ferry struck a barge. " * 20
FIRST, SECOND, THIRD = (warc(f"http://e/{number}", BODY) for number in (1, 2, 3))
SHORT = warc("http://e/2", BODY, length_off_by=-20)
ENDLESS = warc("http://e/2", BODY, length_off_by=10**12)
NEGATIVE = warc("http://e/2", BODY, length_off_by=-1_000)


def read(path: Path, content: bytes) -> list[str]:
    """The URLs of pages, and the errors, of an archive with this content."""
    path.write_bytes(content)
    found: list[str] = []
    number = 0
    with path.open("rb") as raw, open_decompressed(raw) as file:
        try:
            for number, page in pages(file):
                if not isinstance(page, NoPageError):
                    assert isinstance(page, InputError) or page.html == BODY
                    found.append(
                        f"record {number}: {page}" if isinstance(page, InputError) else str(page.url)
                    )
        except (OSError, EOFError, zlib.error) as error:
            found.append(f"record {number + 1}: the rest of the file cannot be read: {error}")
    return found


def packed(*records: bytes) -> bytes:
    return b"".join(map(gzip.compress, records))


@pytest.mark.parametrize(
    ("content", "urls", "error"),
    [
        (FIRST + SECOND[:-100], "1", "record 2: http://e/2: cut off: only 471 of 567 bytes are there"),
        (FIRST + SECOND[:80], "1", "record 2: cut off: it ends in the head of a record"),
        (FIRST + SHORT + THIRD, "13", "record 2: http://e/2: not as long as it says: 547 bytes"),
        (FIRST + SECOND[:-100] + THIRD, "13", "record 2: http://e/2: not as long as it says: 567 bytes"),
        (FIRST + ENDLESS + THIRD, "13", "record 2: http://e/2: not as long as it says: 1000000000567 bytes"),
        (FIRST + NEGATIVE + THIRD, "13", "record 2: a record does not say how long it is"),
        (FIRST + SECOND + b"scribble\n" * 9 + THIRD, "123", "record 3: no record begins here"),
        (FIRST + b"WARC/1.0\r\n" + b"a: b\r\n" * 70_000, "1", "the head of a record does not end"),
    ],
)
def test_what_is_cut_off_or_mismeasured_is_an_error_and_no_page(
    tmp_path: Path, content: bytes, urls: str, error: str
) -> None:
    for name, archived in (("a.warc", content), ("b.warc.gz", gzip.compress(content))):
        found = read(tmp_path / name, archived)
        (broken,) = (one for one in found if one.startswith("record"))
        found.remove(broken)
        assert (found, error in broken) == ([f"http://e/{number}" for number in urls], True)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (packed(FIRST, SECOND, THIRD)[:-40], "Compressed file ended before the end-of-stream marker"),
        (packed(FIRST, SECOND) + packed(THIRD)[:12] + b"\xff" * 90, "Error -3 while decompressing data"),
    ],
)
def test_a_damaged_gzip_file_gives_the_records_before_the_damage(
    tmp_path: Path, content: bytes, error: str
) -> None:
    *good, broken = read(tmp_path / "a.warc.gz", content)
    assert good == ["http://e/1", "http://e/2"]
    assert f"record 3: the rest of the file cannot be read: {error}" in broken


def test_the_members_after_a_damaged_one_are_read(tmp_path: Path) -> None:
    members = [gzip.compress(record) for record in (FIRST, SECOND, THIRD)]
    damaged = members[1][:30] + b"\xff" * 40 + members[1][70:]
    *pages, error = read(tmp_path / "a.warc.gz", members[0] + damaged + members[2])
    assert (pages[0], pages[-1], "Error -3" in error) == ("http://e/1", "http://e/3", True)
    rest = io.BytesIO(b"".join((gzip.compress(b"one\n"), damaged, gzip.compress(b"three\n"))))
    lines = open_decompressed(io.BufferedReader(rest))  # type: ignore[arg-type]
    assert (next(lines), list(iter(lines.readline, b"three\n"))[-1]) == (b"one\n", b"\r\n")


def test_a_page_too_long_is_an_error_and_the_pages_after_it_are_read(tmp_path: Path) -> None:
    longest = b"a" * MAX_BODY_BYTES
    records = [
        FIRST,
        warc("http://e/2", longest + b"a"),
        warc("http://e/3", longest * 2),
        warc("http://e/4", longest * 2, "Content-Type: video/mp4"),
        warc("http://e/5", longest * 2, kind="request"),
        warc("http://e/6", BODY),
    ]
    first, *broken, last = read(tmp_path / "a.warc", b"".join(records))
    assert (first, last) == ("http://e/1", "http://e/6")
    assert broken == [
        f"record {number}: http://e/{number}: the body is longer than 10,000,000 bytes" for number in (2, 3)
    ]


HTML = "Content-Type: text/html"
RAW = zlib.compressobj(wbits=-15)
RAW_DEFLATE = RAW.compress(BODY) + RAW.flush()
BROTLI, ZSTD = io.BytesIO(), io.BytesIO()
for stream, writer in ((BROTLI, BrotliWriter), (ZSTD, ZstdWriter)):
    opened = writer(stream)
    opened.write(BODY)
    opened.close()


def chunked(body: bytes, size: int = 100, extension: bytes = b"") -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "body", [BODY, gzip.compress(BODY), chunked(BODY), chunked(gzip.compress(BODY), 9, b";a=b")]
)
def test_a_body_is_unpacked_by_its_bytes_whatever_its_headers_say(tmp_path: Path, body: bytes) -> None:
    encodings = "", "gzip", "br", "deflate", "zstd", "x-gzip", "none", "UTF-8", "gzip, gzip"
    for encoding, transfer in product(encodings, ("", "chunked", "gzip, chunked")):
        coded = f"Content-Encoding: {encoding}\r\nTransfer-Encoding: {transfer}\r\nContent-Length: 9"
        archive = warc("http://e/1", body, f"{HTML}\r\n{coded}")
        assert read(tmp_path / "a.warc", archive) == ["http://e/1"], (encoding, transfer)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("deflate", zlib.compress(BODY)),
        ("deflate", RAW_DEFLATE),
        ("br", BROTLI.getvalue()),
        ("br", gzip.compress(BROTLI.getvalue())),
        ("zstd", ZSTD.getvalue()),
        ("gzip", gzip.compress(BODY[:99]) + gzip.compress(BODY[99:])),
        ("gzip", gzip.compress(BODY) + b"\r\n"),
        ("gzip", gzip.compress(BODY)[:-8]),
    ],
)
def test_every_coding_is_undone(tmp_path: Path, encoding: str, body: bytes) -> None:
    header = f"{HTML}\r\nContent-Encoding: {encoding}"
    assert read(tmp_path / "a.warc", warc("http://e/1", body, header)) == ["http://e/1"]


@pytest.mark.parametrize("encoding", ["br", "deflate"])
def test_a_page_that_begins_with_text_is_not_taken_for_packed(encoding: str) -> None:
    assert undo_codings(b"Two ferries collided.<p>Nobody was hurt.", [encoding], 100).startswith(b"Two")


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(BODY)[:30] + bytes(9) + gzip.compress(BODY)[39:]),
        ("br", b"\0\1" + BODY),
        ("chunked", chunked(BODY)[:-5] + b"not a chunk: the page itself"),
    ],
)
def test_a_damaged_body_is_named_and_not_quoted(tmp_path: Path, encoding: str, body: bytes) -> None:
    header = f"{HTML}\r\nContent-Encoding: {encoding}"
    (error,) = read(tmp_path / "a.warc", warc("http://e/1", body, header))
    assert error == f"record 1: http://e/1: its body ({encoding}) is damaged"


HUNGRY = """
import resource, sys
from pathlib import Path
from dupgroups.bulk.inputs.page_reader import PageReader
def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 1_000_000
before = peak()
errors = []
try:
    list(PageReader(Path(sys.argv[1]), errors.append))
except Exception as error:
    errors.append(str(error))
print(peak() - before, *errors)
"""


@pytest.mark.parametrize("where", ["body", "file"])
def test_a_bomb_takes_little_memory(tmp_path: Path, where: str) -> None:
    """120 MB in 0.5 MB, as the body of a response or as the archive itself."""
    path = tmp_path / "a.warc"
    bomb = b"<p>a" * 30_000_000
    header = "Content-Type: text/html"
    if where == "body":
        path.write_bytes(warc("http://e/1", gzip.compress(bomb, 1), f"{header}\r\nContent-Encoding: gzip"))
    else:
        path.write_bytes(gzip.compress(warc("http://e/1", bomb, header), 1))
    command = [sys.executable, "-c", HUNGRY, str(path)]
    run = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    megabytes, _, error = run.stdout.partition(" ")
    assert int(megabytes) < 60
    assert "line 1: http://e/1: the body is longer than 10,000,000 bytes" in error
