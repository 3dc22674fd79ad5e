"""`dup-groups add`: files of any format, with the groups of a crawl, resumable, and with nothing lost."""

import gzip
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from cli.files import FORMATS, html, table
from commands import cli
from dupgroups import Deduper, Page, group, open_engine
from dupgroups.bulk.add_pages import BATCH_PAGES
from dupgroups.engines import ENGINES
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError, InputError
from dupgroups.model import Document
from stories import front_page, reprints, story
from warcs import warc
from watched import away

PAGES = [
    Page(url=f"http://{host}.example/{name}", text=story(name), title=f"About {name}")
    for name, hosts in (("ferry", "abc"), ("tea", "ab"), ("quay", "c"))
    for host in hosts
]
ROWS = [{"link": page.url, "body": page.text, "head": page.title} for page in PAGES]
OPTIONS = ["--fields", "url=link,text=body,title=head"]
JSON_LINES = table(ROWS, "jsonl")
RECORDS = [warc(str(page.url), html(page.text or "", page.title or "")) for page in PAGES]
FILES = {f"docs.{ending}": table(ROWS, ending) for ending in FORMATS}
FILES |= {"docs.warc": b"".join(RECORDS), "docs.warc.gz": b"".join(map(gzip.compress, RECORDS))}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: object, command: str = "add", stdin: bytes | None = None, status: int = 0) -> Result:
    return cli(command, *words, "--engine", "sqlite:///news.db", stdin=stdin, status=status)


def stored(file: str = "news.db") -> dict[str, Document]:
    with closing(open_engine(f"sqlite:///{file}")) as engine:
        return {document.record.id: document for document in engine.scan()}


def groups(file: str = "news.db") -> dict[str, str]:
    """The group of every stored document."""
    return {id_: document.record.group for id_, document in stored(file).items()}


@pytest.mark.parametrize("name", FILES)
def test_files_of_any_format_give_the_ids_and_groups_of_a_crawl(folder: Path, name: str) -> None:
    (folder / name).write_bytes(FILES[name])
    assert run(name, *OPTIONS).stdout == "6 documents: 3 new, 3 joined\n"
    with closing(Deduper("sqlite:///crawl.db")) as crawl:
        crawl.add_all(PAGES)
    assert groups() == groups("crawl.db")
    assert len(set(groups().values())) == 3
    assert {document.content.title for document in stored().values()} == {page.title for page in PAGES}


def test_counts_are_json_broken_lines_are_counted_and_the_default_store_is_named() -> None:
    left_out = {"left_out": 1, "reasons": {"not JSON": 1}}
    lines, states = JSON_LINES + b"broken\n", {"new": 3, "joined": 3}
    counts = json.loads(run("-", *OPTIONS, "--json", stdin=lines).stdout)
    assert counts == {"documents": 6, "states": states, "passed_over": 0} | left_out
    again = run("-", *OPTIONS, stdin=lines).stdout
    assert again == "6 documents: 6 unchanged; 1 record left out\n"
    assert cli("add", "-", *OPTIONS, stdin=lines).stdout.endswith("; in sqlite:///dup-groups.db\n")


def test_a_folder_of_html_is_added_under_its_paths_and_what_is_no_article_is_listed(folder: Path) -> None:
    (folder / "saved" / "old").mkdir(parents=True)
    (folder / "saved" / "a.html").write_bytes(html(PAGES[0].text or ""))
    (folder / "saved" / "old" / "b.HTM").write_bytes(html(PAGES[1].text or ""))
    (folder / "saved" / "notes.txt").write_text("not a page")
    (folder / "saved" / ".#notes").symlink_to("nowhere")
    (folder / "saved" / "front.html").write_text(front_page())
    (folder / "saved" / "gone.html").write_text("")
    kept = run("saved", "--left-out", "left-out.jsonl", "--state", "skipped.json")
    assert kept.stdout == "3 documents: 1 new, 1 not article, 1 joined; 2 records left out\n"
    assert "left out: 1 empty, 1 .txt file" in kept.stderr
    assert groups() == {"saved/a.html": "saved/a.html", "saved/old/b.HTM": "saved/a.html"}
    listed = run("left-out.jsonl", "--list", command="replay").stdout
    assert re.search(r'saved/front.html,"no article \(0.\d\d\): \w.*, \w', listed), listed
    with pytest.raises(InputError, match="has no page x"):
        run("left-out.jsonl", "--only", "x", command="replay")
    assert "1 new" in run("left-out.jsonl", "--only", "saved/front.html", command="replay").stdout


@pytest.mark.parametrize(
    ("configured", "option", "state"),
    [
        ("keep", None, "new"),
        ("keep", "skip", "not article"),
        ("skip", None, "not article"),
        ("skip", "keep", "new"),
    ],
)
def test_an_option_precedes_the_configuration_in_what_becomes_of_a_front_page(
    folder: Path, configured: str, option: str | None, state: str
) -> None:
    (folder / "front.html").write_text(front_page())
    (folder / "settings.toml").write_text(f'not_article = "{configured}"\n')
    options = ["--not-article", option] if option else []
    assert run("front.html", "--config", "settings.toml", *options).stdout == f"1 document: 1 {state}\n"
    assert [document.content.text != "" for document in stored().values()] == [True] * (state == "new")


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


class Dying(SQLiteEngine):
    """Dies when it is to store the third batch."""

    puts = 0

    def put(self, *given: Any, **named: Any) -> None:
        self.puts += 1
        if self.puts == 3:
            raise KeyboardInterrupt
        super().put(*given, **named)


class Away(SQLiteEngine):
    """Stores nothing, as a server that cannot be reached."""

    put = away


def test_a_killed_run_goes_on_where_it_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = reprints(stories=40, copies=5)
    rows = [{"id": name, "text": page.text, "url": page.url} for name, page in pages.items()]
    for place in (100, 150, 200):  # stored before it dies, at hand then, and after it
        rows.insert(place, {"id": f"front-{place}", "html": front_page()})
    (folder / "many.jsonl").write_bytes(table(rows, "jsonl"))
    with monkeypatch.context() as patch:
        patch.setitem(ENGINES, "sqlite", f"{__name__}:Dying")
        killed = run("many.jsonl", "--processes", 1, "--left-out", "left-out.jsonl", status=130)
    assert "; run the same command to go on" in killed.stderr
    assert len(stored()) == 2 * BATCH_PAGES - 1
    run("many.jsonl", "--processes", 1, "--left-out", "left-out.jsonl")
    assert groups() == group(pages)
    listed = run("left-out.jsonl", "--list", command="replay").stdout.splitlines()
    assert [line.split(",")[0] for line in listed] == ["address", "front-100", "front-150", "front-200"]


def test_an_engine_away_ends_the_run_and_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "docs.jsonl").write_bytes(JSON_LINES)
    with monkeypatch.context() as patch:
        patch.setitem(ENGINES, "sqlite", f"{__name__}:Away")
        with pytest.raises(EngineError, match=r"run this again to go on, and `dup-groups replay"):
            run("docs.jsonl", *OPTIONS)
    cli("replay", "dup-groups.dead.jsonl", "--engine", "sqlite:///news.db")
    assert len(stored()) == 6
    assert run("docs.jsonl", *OPTIONS).stdout == "6 documents: 6 unchanged\n"


def test_what_can_be_kept_nowhere_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "docs.jsonl").write_bytes(JSON_LINES)
    with monkeypatch.context() as patch:
        patch.setitem(ENGINES, "sqlite", f"{__name__}:Away")
        full = run("docs.jsonl", *OPTIONS, "--dead-letters", "missing/dead.jsonl", status=1)
    assert "nothing is lost, make it writable" in full.stderr
    assert run("docs.jsonl", *OPTIONS).stdout == "6 documents: 3 new, 3 joined\n"


def test_a_damaged_file_gives_what_it_holds_and_the_others_are_added(folder: Path) -> None:
    (folder / "bad.warc.gz").write_bytes(FILES["docs.warc.gz"][:-40])
    (folder / "good.jsonl").write_bytes(JSON_LINES)
    (folder / "empty.warc.gz").touch()
    result = run("bad.warc.gz", "empty.warc.gz", "missing.csv", "good.jsonl", *OPTIONS, status=1)
    assert "empty.warc.gz cannot be read: it has no records" in result.stderr
    assert "bad.warc.gz: the compressed file is damaged" in result.stderr
    assert "missing.csv cannot be read: No such file" in result.stderr
    assert len(stored()) == 6
