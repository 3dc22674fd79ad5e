"""Dead letters: what goes in comes out, nothing is lost, and replay feeds it again."""

from __future__ import annotations

import resource
import threading
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups import Page
from dupgroups.cli.replay import replay_file
from dupgroups.engines.sqlite import SQLiteEngine
from dupgroups.errors import EngineError, InputError
from dupgroups.flow.dead_letters import DeadLetter, append, claim, dumps, loads, utc_now
from dupgroups.model import Document
from flow.scenes import deduper
from watched import Watched, away

STORY = "The harbour master closed the northern quay on {} after divers found a crack in its third pillar. "
text = st.none() | st.text(st.characters(codec=None))
pages = st.builds(
    Page, **{field.name: text for field in fields(Page) if field.name != "html"}, html=text | st.binary()
)


def letter(name: str, time: str | None = None) -> DeadLetter:
    page = Page(id=name, text=STORY.format(name) * 5, url=f"https://example.org/{name}")
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


HEAD = b'{"reason": "", "time": "2026-01-01T00:00:00+00:00", '
LETTERS = [HEAD + rest for rest in (b'"text": 3}', b'"wrong": "x"}', b'"html_base64": "*"}')]
LETTERS.append(b'{"reason": "", "time": "yesterday", "text": "x"}')


@pytest.mark.parametrize("line", [*LETTERS, b"[" * 100_000, b"{", b"[]", b"\xff\xfe"])
def test_what_is_not_a_letter_is_an_input_error(line):
    with pytest.raises(InputError, match="not a dead letter"):
        loads(line)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dead.jsonl"


def test_appending_after_half_a_line_spares_the_new_one(file):
    file.write_bytes(dumps(letter("whole")) + b'{"time": "2026-')
    append(file, [letter("new")])
    lines = file.read_bytes().splitlines()
    assert [loads(lines[0]).page.id, loads(lines[2]).page.id] == ["whole", "new"]


def test_a_full_disk_leaves_the_file_as_it_was(file):
    append(file, [letter("first")])
    before = file.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            append(file, [letter("second")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_bytes() == before
    append(file, [letter("third")])
    assert ids(file) == ["first", "third"]


def test_a_claim_that_dies_is_found_by_the_next_with_what_came_since(file):
    append(file, [letter("one")])
    with pytest.raises(RuntimeError), claim(file):
        raise RuntimeError("killed")
    assert not file.exists()
    append(file, [letter("two")])
    with claim(file) as taken:
        assert taken is not None
        assert ids(taken) == ["one", "two"]
        with pytest.raises(InputError, match="another replay"), claim(file):
            pass
    with claim(file) as taken:
        assert taken is None
    assert list(file.parent.iterdir()) == []


def test_nothing_is_lost_between_writers_and_a_reader(file):
    writers, count = 4, 25
    found: list[str | None] = []

    def write(writer: int) -> None:
        for number in range(count):
            append(file, [letter(f"{writer}-{number}")])

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) or file.exists():
        with claim(file) as taken:
            found += ids(taken) if taken else []
    assert sorted(map(str, found)) == sorted(f"{by}-{at}" for by in range(writers) for at in range(count))


# -- replay


def refusing(*refused: str) -> Watched:
    """A store that refuses some ids, until its faults are cleared."""

    def put(documents: Sequence[Document], **rest: Any) -> None:
        bad = {one.record.id: "no room" for one in documents if one.record.id in refused}
        memory.put([one for one in documents if one.record.id not in bad], **rest)
        if bad:
            raise EngineError("some were refused", failures=bad)

    memory = SQLiteEngine()
    return Watched(memory, put=put)


def test_replay_stores_what_it_can_and_keeps_the_rest(file):
    append(file, [letter(name) for name in "abcd"])
    with file.open("ab") as end:
        end.write(b"scribble\n\n")
    store = refusing("b")
    counts = replay_file(file, deduper(store))
    assert (counts["dead_letter"], counts["unreadable"], sum(counts.values())) == (1, 1, 5)
    assert set(store.get(list("abcd"))) == {"a", "c", "d"}
    store.faults.clear()
    again = replay_file(file, deduper(store))
    assert (again["unreadable"], sum(again.values())) == (1, 2)
    assert set(store.get(["b"])) == {"b"}
    assert file.read_bytes() == b"scribble\n"


def test_replay_after_a_killed_replay_stores_once_and_a_later_visit_wins(file):
    old = letter("c")
    flow = deduper("memory://")
    flow.add(Page(id="c", text=STORY.format("today") * 5))
    fingerprint = flow.engine.get(["c"])["c"].fingerprint
    append(file, [letter("a"), old])
    copy = file.read_bytes()
    assert replay_file(file, flow)["superseded"] == 1
    file.with_name("dead.jsonl.replaying").write_bytes(copy)
    assert replay_file(file, flow) == {"superseded": 2}
    assert len(list(flow.engine.scan())) == 2
    assert flow.engine.get(["c"])["c"].fingerprint == fingerprint
    assert not file.exists()


def test_an_engine_that_is_away_is_asked_once_and_nothing_is_lost(file):
    names = [str(number) for number in range(130)]
    append(file, [letter(name) for name in names])
    counts = replay_file(file, deduper(Watched(SQLiteEngine(), put=away)))
    assert counts == {"dead_letter": 50, "not tried": 80}
    assert sorted(map(str, ids(file))) == sorted(names)


def test_what_cannot_be_put_back_stays_with_the_replay(file):
    append(file, [letter("a"), letter("b")])

    def full(*_: Any, **__: Any) -> None:
        file.mkdir(exist_ok=True)  # nothing can be appended to it
        away()

    with pytest.raises(InputError, match="nothing is lost, make it writable"):
        replay_file(file, deduper(Watched(SQLiteEngine(), put=full)))
    file.rmdir()
    assert replay_file(file, deduper("memory://")) == {"new": 1, "joined": 1}
