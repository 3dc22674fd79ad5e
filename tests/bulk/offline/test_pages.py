"""Batch grouping: the groups of the live flow, whatever the number of processes, and tidy files."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dupgroups import Page
from dupgroups.bulk import processes
from dupgroups.bulk.offline import group_pages
from dupgroups.cli import app
from dupgroups.errors import InputError
from dupgroups.grouping import scratch
from stories import reprint, reprints, story

PAGES = list(reprints(stories=8, copies=4).values())


def test_copies_are_together_named_by_the_first_whatever_the_number_of_processes() -> None:
    alone, spread = group_pages(PAGES, processes=1), group_pages(PAGES, processes=2)
    assert alone == spread
    assert alone.groups == {page.id: f"{page.id.split('/')[0]}/0" for page in PAGES if page.id}
    assert alone.pairs


def test_of_one_id_the_last_counts_in_the_place_of_the_first() -> None:
    pages = [
        Page(id="a", text=story("old")),
        Page(id="b", text=story("new")),
        Page(id="a", text=reprint(story("new"), 0)),
    ]
    result = group_pages(pages, processes=1)
    assert (result.groups, result.repeated) == ({"a": "a", "b": "a"}, ("a",))


@pytest.mark.parametrize(
    ("ids", "warning"),
    [
        ("abc", ""),
        ("aba", "1 document has an id that came before, and the last of each id counts: a"),
        (
            "abcdefgfedcba",
            "6 documents have ids that came before, and the last of each id counts: f, e, d, c, b, ...",
        ),
    ],
)
def test_ids_that_come_again_are_counted_and_the_first_are_named(ids: str, warning: str) -> None:
    pages = [Page(id=name, text=story(f"{name}{place}")) for place, name in enumerate(ids)]
    assert group_pages(pages, processes=1).warning == warning


# -- the command


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["group", *arguments])
    if isinstance(done.exception, InputError):
        return 1, str(done.exception)
    return done.exit_code, done.output


def lines(*documents: object) -> bytes:
    return "\n".join(json.dumps(document) for document in documents).encode()


DOCUMENTS = lines(
    {"id": 7, "text": story("a")},
    {"url": "http://a.example/1", "html": f"<p>{story('a')}</p>", "text": "unlike"},
    {"text": story("b"), "lang": "en"},
)


@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_becomes_two_files(tmp_path: Path, zipped: bool) -> None:
    source, out, pairs = tmp_path / "docs", tmp_path / "groups.csv", tmp_path / "pairs.csv"
    source.write_bytes(gzip.compress(DOCUMENTS) if zipped else DOCUMENTS)
    code, output = run(str(source), "--out", str(out), "--pairs", str(pairs), "--processes", "1")
    assert (code, output.splitlines()[-1]) == (0, "3 documents in 2 groups")
    assert out.read_text() == "id,group\n7,7\nhttp://a.example/1,7\nline 3,line 3\n"
    assert pairs.read_text().startswith("a,b,score,relation\n7,http://a.example/1,")
    assert pairs.read_text().endswith(",duplicate\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs", "groups.csv", "pairs.csv"]


def test_broken_lines_are_reported_by_number_and_left_out(tmp_path: Path) -> None:
    source, out = tmp_path / "docs", tmp_path / "groups.csv"
    broken = [b"{", b"[1]", b'{"id": 1}', b'{"text": 5}', b'{"text": "\xff"}', b"", b"[" * 100_000]
    source.write_bytes(b"\n".join([DOCUMENTS, *broken]))
    code, output = run(str(source), "--out", str(out), "--processes", "1")
    assert code == 0
    assert "3 documents in 2 groups; 6 broken lines left out" in output
    for number, reason in [
        (4, "not JSON"),
        (5, "not a JSON object"),
        (6, "it has neither html nor text"),
        (7, "text is"),
    ]:
        assert f"line {number}: {reason}" in output


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"nothing\nhere\n", "no line is a document; line 1: not JSON"),
        (gzip.compress(DOCUMENTS, mtime=0)[:-20], "the gzip file is damaged"),
        (None, "cannot be read"),
    ],
)
def test_an_unusable_file_is_refused_and_leaves_nothing(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    source, out = tmp_path / "docs", tmp_path / "groups.csv"
    if content is not None:
        source.write_bytes(content)
    code, output = run(str(source), "--out", str(out), "--processes", "1")
    assert code == 1
    assert message in output
    assert not out.exists()


def test_ctrl_c_reaches_no_process_of_the_pool() -> None:
    """Each would print a traceback; the command alone ends them."""
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with processes._uninterrupted():
        inside = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    after = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (inside.stdout, after.stdout) == ("True\n", "False\n")


def test_the_groups_are_the_same_without_pairs_and_in_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "SHARE", 1 << 20)  # a byte of a megabyte
    source, temp = tmp_path / "docs", tmp_path / "temp"
    temp.mkdir()
    source.write_bytes(lines(*({"id": page.id, "url": page.url, "text": page.text} for page in PAGES)))
    options = {
        "all": ["--pairs", str(tmp_path / "pairs.csv")],
        "little": ["--memory", "1", "--temp", str(temp)],
    }
    for name, more in options.items():
        assert run(str(source), "--out", str(tmp_path / name), "--processes", "1", *more)[0] == 0
    assert (tmp_path / "all").read_text() == (tmp_path / "little").read_text()
    assert list(temp.iterdir()) == []
    code, output = run(str(tmp_path / "no-documents"), "--out", "x.csv", "--temp", str(tmp_path / "no"))
    assert (code, output) == (
        1,
        f"{tmp_path / 'no'} is not a folder: name one with --temp, or leave that out",
    )
