"""`dup-groups add`: files of any format, with the groups of a crawl, resumable, and with nothing lost."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from cli.files import html, table
from commands import cli
from dupgroups import Deduper, Page, group, open_engine
from dupgroups.bulk.add import BATCH
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError, InputError
from dupgroups.model import Document
from stories import reprints, story
from warcs import warc

PAGES = [
    Page(url=f"http://{host}.example/{name}", text=story(name), title=f"About {name}")
    for name, hosts in (("ferry", "abc"), ("tea", "ab"), ("quay", "c"))
    for host in hosts
]
ROWS = [{"link": page.url, "body": page.text, "head": page.title} for page in PAGES]
OPTIONS = ["--fields", "url=link,text=body,title=head"]
JSON_LINES = table(ROWS, "jsonl")
RECORDS = [warc(str(page.url), html(page.text or "", page.title or "")) for page in PAGES]
FILES = {f"docs.{ending}": table(ROWS, ending) for ending in ("jsonl", "jsonl.gz", "csv", "parquet")}
FILES |= {
    "docs.warc": b"".join(RECORDS),
    "docs.warc.gz": b"".join(map(gzip.compress, RECORDS)),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: object, stdin: bytes | None = None, status: int = 0) -> Result:
    return cli("add", *words, "--engine", "sqlite:///news.db", stdin=stdin, status=status)


def stored(file: str = "news.db") -> dict[str, Document]:
    with closing(open_engine(f"sqlite:///{file}")) as engine:
        return {document.record.id: document for document in engine.scan()}


def groups() -> dict[str, str]:
    """The group of every stored document."""
    return {id_: document.record.group for id_, document in stored().items()}


@pytest.fixture
def many(folder: Path) -> dict[str, str]:
    """The groups of the documents in many.jsonl."""
    pages = reprints(stories=40, copies=5)
    rows = [{"id": name, "text": page.text, "url": page.url} for name, page in pages.items()]
    (folder / "many.jsonl").write_bytes(table(rows, "jsonl"))
    return group(pages)


@pytest.mark.parametrize("name", FILES)
def test_files_of_any_format_give_the_ids_and_groups_of_a_crawl(folder: Path, name: str) -> None:
    (folder / name).write_bytes(FILES[name])
    assert run(name, *OPTIONS).stdout == "6 documents: 3 new, 3 joined\n"
    with closing(Deduper("sqlite:///crawl.db")) as crawl:
        crawl.add_all(PAGES)
    kept = [
        [(id_, document.record.group, document.content.title) for id_, document in stored(file).items()]
        for file in ("news.db", "crawl.db")
    ]
    assert kept[0] == kept[1]
    assert len(set(groups().values())) == 3


def test_counts_are_json_and_broken_lines_are_counted() -> None:
    lines, states = JSON_LINES + b"broken\n", {"new": 3, "joined": 3}
    counts = json.loads(run("-", *OPTIONS, "--json", stdin=lines).stdout)
    assert counts == {"documents": 6, "states": states, "passed_over": 0, "left_out": 1}
    again = run("-", *OPTIONS, stdin=lines).stdout
    assert again == "6 documents: 6 unchanged; 1 broken line left out\n"


def test_a_folder_of_html_is_added_under_its_paths(folder: Path) -> None:
    (folder / "saved" / "old").mkdir(parents=True)
    (folder / "saved" / "a.html").write_bytes(html(PAGES[0].text or ""))
    (folder / "saved" / "old" / "b.HTM").write_bytes(html(PAGES[1].text or ""))
    (folder / "saved" / "notes.txt").write_text("not a page")
    assert run("saved").stdout == "2 documents: 1 new, 1 joined\n"
    assert groups() == {"saved/a.html": "saved/a.html", "saved/old/b.HTM": "saved/a.html"}
    (folder / "empty").mkdir()
    assert "there is no .html, .htm, .xhtml file" in run("empty", status=1).stderr


def test_a_second_run_passes_over_what_was_added_and_a_changed_file_is_read_again(folder: Path) -> None:
    file = folder / "docs.jsonl"
    file.write_bytes(JSON_LINES)
    run(file, *OPTIONS)
    before = stored()
    assert run(file, *OPTIONS).stdout == "0 documents; 6 added before\n"
    assert stored() == before
    file.write_bytes(JSON_LINES + json.dumps({"body": story("new"), "link": "http://n.example/"}).encode())
    assert run(file, *OPTIONS).stdout == "7 documents: 6 unchanged, 1 new\n"
    (folder / "news.db").unlink()  # what is not in the store any more is added again
    assert run(file, *OPTIONS).stdout == "7 documents: 4 new, 3 joined\n"


def test_a_run_that_was_killed_goes_on_where_it_stopped(
    many: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put, puts = SQLiteEngine.put, []

    def die_at_the_third(self: SQLiteEngine, *given: Any, **named: Any) -> None:
        puts.append(1)
        if len(puts) == 3:
            raise KeyboardInterrupt
        put(self, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(SQLiteEngine, "put", die_at_the_third)
        run("many.jsonl", "--processes", 1, status=130)
    assert len(stored()) == 2 * BATCH
    run("many.jsonl")
    assert groups() == many


def test_what_the_engine_refuses_is_kept_and_can_be_replayed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docs.jsonl").write_bytes(JSON_LINES)
    put = SQLiteEngine.put

    def full(self: SQLiteEngine, documents: Any, **named: Any) -> None:
        bad = [document.record.id for document in documents if "tea" in document.content.title]
        put(self, [document for document in documents if document.record.id not in bad], **named)
        if bad:
            raise EngineError("refused", failures=dict.fromkeys(bad, "no tea today"))

    with monkeypatch.context() as patch:
        patch.setattr(SQLiteEngine, "put", full)
        result = run("docs.jsonl", *OPTIONS, status=1)
    assert "2 dead letter" in result.stdout
    assert "dup-groups replay dup-groups.dead.jsonl" in result.stdout
    assert len(stored()) == 4
    cli("replay", "dup-groups.dead.jsonl", "--engine", "sqlite:///news.db")
    assert len(stored()) == 6


def test_an_engine_that_is_away_ends_the_run_and_loses_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docs.jsonl").write_bytes(JSON_LINES)

    def away(self: SQLiteEngine, *given: Any, **named: Any) -> None:
        raise EngineError("it is away", temporary=True)

    with monkeypatch.context() as patch:
        patch.setattr(SQLiteEngine, "put", away)
        with pytest.raises(EngineError, match=r"run this again to go on from here, and `dup-groups replay"):
            run("docs.jsonl", *OPTIONS)
    assert len((folder / "dup-groups.dead.jsonl").read_text().splitlines()) == 6
    assert run("docs.jsonl", *OPTIONS).stdout == "6 documents: 3 new, 3 joined\n"


def test_a_damaged_file_gives_what_it_holds_and_the_others_are_added(folder: Path) -> None:
    (folder / "bad.warc.gz").write_bytes(FILES["docs.warc.gz"][:-40])
    (folder / "good.jsonl").write_bytes(JSON_LINES)
    result = run("bad.warc.gz", "missing.csv", "good.jsonl", *OPTIONS, status=1)
    assert "bad.warc.gz: the gzip file is damaged" in result.stderr
    assert "missing.csv cannot be read: No such file" in result.stderr
    assert len(stored()) == 6


def test_a_state_that_is_none_is_refused_before_the_work(folder: Path) -> None:
    (folder / "docs.jsonl").write_bytes(JSON_LINES)
    (folder / "state.json").write_text("[]")
    with pytest.raises(InputError, match="is not a file of dup-groups add"):
        run("docs.jsonl", "--state", "state.json")
    with pytest.raises(InputError, match="also read or written"):
        run("docs.jsonl", "--state", "docs.jsonl")
    assert (folder / "docs.jsonl").read_bytes() == JSON_LINES


def test_all_cores_give_what_one_gives(many: dict[str, str]) -> None:
    run("many.jsonl", "--processes", min(2, os.cpu_count() or 1))
    assert groups() == many


def test_pages_that_are_no_articles_are_skipped_and_listed(folder: Path) -> None:
    (folder / "saved").mkdir()
    (folder / "saved" / "story.html").write_bytes(html(PAGES[0].text or ""))
    links = "".join(f'<li><a href="/{n}">Ferry news {n}</a></li>' for n in range(40))
    (folder / "saved" / "front.html").write_text(f"<title>News</title><ul>{links}</ul>")
    kept = run("saved", "--left-out", "left-out.csv", "--state", "skipped.json")
    assert kept.stdout == "2 documents: 1 not article, 1 new\n"
    header, row = (folder / "left-out.csv").read_text().splitlines()
    assert (header, row.split(",")[0]) == ("id,url,article", "saved/front.html")
    assert run("saved", "--not-article", "keep").stdout == "2 documents: 1 too short, 1 unchanged\n"


def test_an_archive_without_records_is_an_error(folder: Path) -> None:
    (folder / "empty.warc.gz").touch()
    assert "empty.warc.gz cannot be read: it has no records" in run("empty.warc.gz", status=1).stderr


def test_the_default_store_is_named(folder: Path) -> None:
    (folder / "docs.jsonl").write_bytes(JSON_LINES)
    assert cli("add", "docs.jsonl", *OPTIONS).stdout.endswith("; in sqlite:///dup-groups.db\n")


def test_who_interrupts_is_told_how_to_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object, **options: object) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("dupgroups.bulk.add.add_pages", interrupted)
    assert "0 documents done; run the same command to go on" in run("docs.jsonl", status=130).stderr
