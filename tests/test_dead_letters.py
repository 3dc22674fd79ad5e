"""Dead letters: what goes in comes out, nothing is lost, and replay feeds it again."""

from __future__ import annotations

import resource
import threading
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dupgroups import Deduper, Page
from dupgroups.cli import app
from dupgroups.cli.replay import replay_file
from dupgroups.dead_letters import DeadLetter, append, claimed, dumps, loads, microseconds, utc_now
from dupgroups.engines import open_engine
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.engines.url import EngineURL
from dupgroups.errors import EngineError, InputError

STORY = "The harbour master closed the northern quay on {} after divers found a crack in its third pillar. "
text = st.none() | st.text(st.characters(codec=None))
pages = st.builds(
    Page, **{field.name: text for field in fields(Page) if field.name != "html"}, html=text | st.binary()
)


def letter(name: str, time: str | None = None) -> DeadLetter:
    page = Page(id=name, text=STORY.format(name) * 20, url=f"https://example.org/{name}")
    return DeadLetter(page, "the server was away", time or utc_now())


def ids(path: Path) -> list[str | None]:
    return [loads(line).page.id for line in path.read_bytes().splitlines()] if path.exists() else []


@given(page=pages, reason=st.text())
def test_a_letter_is_one_line_and_comes_back_as_it_was(page, reason):
    given = DeadLetter(page, reason, utc_now())
    line = dumps(given)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert loads(line) == given


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"reason": "", "time": "yesterday", "text": "x"}',
        b'{"reason": "", "time": "2026-01-01T00:00:00+00:00", "text": 3}',
        b'{"reason": "", "time": "2026-01-01T00:00:00+00:00", "wrong": "x"}',
        b'{"reason": "", "time": "2026-01-01T00:00:00+00:00", "html_base64": "*"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_what_is_not_a_letter_is_an_input_error(line):
    with pytest.raises(InputError, match="not a dead letter"):
        loads(line)


def test_times_are_ordered_like_their_microseconds():
    times = [utc_now() for _ in range(50)]
    assert times == sorted(times)
    assert [microseconds(time) for time in times] == sorted(microseconds(time) for time in times)
    assert microseconds("1970-01-01T00:00:01.000002+00:00") == 1_000_002


def test_appending_after_half_a_line_spares_the_new_one(tmp_path):
    file = tmp_path / "dead.jsonl"
    file.write_bytes(dumps(letter("whole")) + b'{"time": "2026-')
    append(file, [letter("new")])
    lines = file.read_bytes().splitlines()
    assert [loads(lines[0]).page.id, loads(lines[2]).page.id] == ["whole", "new"]


@contextmanager
def disk_of(size: int):
    """No file may grow beyond `size` bytes: what a full disk looks like to us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "dead.jsonl"
    append(file, [letter("first")])
    before = file.read_bytes()
    with disk_of(len(before) + 100), pytest.raises(OSError, match="File too large"):
        append(file, [letter("second")])
    assert file.read_bytes() == before
    append(file, [letter("third")])
    assert ids(file) == ["first", "third"]


def test_a_claim_that_dies_is_found_by_the_next_with_what_came_since(tmp_path):
    file = tmp_path / "dead.jsonl"
    append(file, [letter("one")])
    with pytest.raises(RuntimeError), claimed(file):
        raise RuntimeError("killed")
    assert not file.exists()
    append(file, [letter("two")])
    with claimed(file) as taken:
        assert taken is not None
        assert ids(taken) == ["one", "two"]
    with claimed(file) as taken:
        assert taken is None
    assert list(tmp_path.iterdir()) == []


def test_only_one_replay_at_a_time(tmp_path):
    file = tmp_path / "dead.jsonl"
    append(file, [letter("one")])
    with claimed(file), pytest.raises(InputError, match="another replay"), claimed(file):
        pass


def test_nothing_is_lost_between_writers_and_a_reader(tmp_path):
    file, writers, count = tmp_path / "dead.jsonl", 4, 25
    found: list[str | None] = []

    def write(writer: int) -> None:
        for number in range(count):
            append(file, [letter(f"{writer}-{number}")])

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) or file.exists():
        with claimed(file) as taken:
            found += ids(taken) if taken else []
    assert sorted(found) == sorted(
        f"{writer}-{number}" for writer in range(writers) for number in range(count)
    )


# -- replay


class Refusing(SQLiteEngine):
    """Refuses the ids of `refused`; `away` refuses every call, like a server that is down."""

    def __init__(self, refused: set[str], *, away: bool = False) -> None:
        super().__init__(EngineURL.parse("memory://"))
        self.refused, self.away = refused, away

    def put(self, documents, **rest):
        if self.away:
            raise EngineError("cannot be reached", failures={"": "refused"}, temporary=True)
        bad = {document.record.id: "no room" for document in documents if document.record.id in self.refused}
        super().put([document for document in documents if document.record.id not in bad], **rest)
        if bad:
            raise EngineError("some were refused", failures=bad)


def test_replay_stores_what_it_can_and_keeps_the_rest(tmp_path):
    file = tmp_path / "dead.jsonl"
    append(file, [letter(name) for name in "abcd"])
    with file.open("ab") as end:
        end.write(b"scribble\n\n")
    deduper = Deduper(Refusing({"b"}))
    counts = replay_file(file, deduper)
    assert counts["dead_letter"] == 1
    assert counts["unreadable"] == 1
    assert sum(counts.values()) == 5
    assert set(deduper.engine.get(list("abcd"))) == {"a", "c", "d"}
    assert b"scribble" in file.read_bytes().splitlines()
    deduper.engine.refused.clear()
    again = replay_file(file, deduper)
    assert again["unreadable"] == 1
    assert sum(again.values()) == 2
    assert set(deduper.engine.get(["b"])) == {"b"}
    assert file.read_bytes() == b"scribble\n"


def test_replay_after_a_killed_replay_stores_once(tmp_path):
    file = tmp_path / "dead.jsonl"
    append(file, [letter("a"), letter("b")])
    deduper = Deduper(Refusing(set()))
    copy = file.read_bytes()
    assert sum(replay_file(file, deduper).values()) == 2
    file.with_name("dead.jsonl.replaying").write_bytes(copy)
    assert replay_file(file, deduper) == {"superseded": 2}
    assert len(list(deduper.engine.scan())) == 2


def test_a_later_visit_wins_over_the_letter(tmp_path):
    file = tmp_path / "dead.jsonl"
    old = letter("a", time=utc_now())
    deduper = Deduper(Refusing(set()))
    deduper.add(
        Page(id="a", text="A quite different text that came later, and is what the page says today. " * 9)
    )
    fingerprint = deduper.engine.get(["a"])["a"].fingerprint
    append(file, [old])
    assert replay_file(file, deduper) == {"superseded": 1}
    assert deduper.engine.get(["a"])["a"].fingerprint == fingerprint
    assert not file.exists()


def test_an_engine_that_is_away_is_asked_once_and_nothing_is_lost(tmp_path):
    file = tmp_path / "dead.jsonl"
    names = [str(number) for number in range(130)]
    append(file, [letter(name) for name in names])
    counts = replay_file(file, Deduper(Refusing(set(), away=True)))
    assert counts == {"dead_letter": 50, "not tried": 80}
    assert sorted(map(str, ids(file))) == sorted(names)


def test_a_file_that_is_not_there_is_an_error_and_creates_no_engine(tmp_path):
    file, store = tmp_path / "daed.jsonl", tmp_path / "news.db"
    run = CliRunner().invoke(app, ["replay", str(file), "--engine", f"sqlite:///{store}"])
    assert run.exit_code == 1
    assert isinstance(run.exception, InputError)
    assert str(run.exception) == f"there is nothing to replay: there is no file {file}"
    assert not store.exists()


def test_what_a_killed_replay_left_is_replayed_by_the_command(tmp_path):
    file = tmp_path / "dead.jsonl"
    append(file.with_name("dead.jsonl.replaying"), [letter("a")])
    run = CliRunner().invoke(app, ["replay", str(file), "--engine", f"sqlite:///{tmp_path}/news.db"])
    assert run.exit_code == 0, run.output
    assert "1 page: " in run.output


def test_the_command_says_what_became_of_the_pages(tmp_path):
    file, url = tmp_path / "dead.jsonl", f"sqlite:///{tmp_path}/news.db"
    append(file, [letter("a"), letter("b")])
    run = CliRunner().invoke(app, ["replay", str(file), "--engine", url])
    assert run.exit_code == 0, run.output
    assert "2 pages: " in run.output
    assert not file.exists()
    engine = open_engine(url)
    assert set(engine.get(["a", "b"])) == {"a", "b"}
    engine.close()
    file.write_bytes(b"scribble\n")
    run = CliRunner().invoke(app, ["replay", str(file), "--engine", url])
    assert run.exit_code == 1
    assert "1 unreadable" in run.output
