"""`--log-format json`: everything on standard error is JSON Lines, and results stay as they are."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime
from pathlib import Path

import pytest

from commands import shell
from dupgroups.metrics.logs import JsonLines


def lines(stderr: bytes) -> list[dict[str, str]]:
    found = [json.loads(line) for line in stderr.decode().splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in found)
    return found


def test_notes_and_errors_are_objects(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"text": "One."}\nbroken\n')
    done = shell(tmp_path, "--log-format json group docs.jsonl --out -")
    assert done.stdout == b"id,group\nline 1,line 1\n"
    assert {(line["level"], line["logger"]) for line in lines(done.stderr)} == {("info", "dup-groups")}
    failed = shell(tmp_path, "extract missing.html -q --log-format json")
    [line] = lines(failed.stderr)
    assert (failed.returncode, line["level"]) == (1, "error")
    assert line["message"] == "missing.html cannot be read: No such file or directory"
    assert "error" not in line
    [loud] = lines(shell(tmp_path, "-v extract missing.html --log-format json").stderr)
    assert loud["error"].startswith("Traceback")


def test_a_record_is_one_line_of_ascii() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord("a.b", logging.WARNING, "", 0, "%s stories\n\ud800", ("新闻",), error)
    line = JsonLines().format(record)
    assert line.isascii()
    assert "\n" not in line
    found = json.loads(line)
    assert (found["level"], found["logger"], found["message"]) == ("warning", "a.b", "新闻 stories\n\ud800")
    assert found["error"].endswith("ValueError: two\nlines")
    assert datetime.fromisoformat(found["time"]).timestamp() == pytest.approx(record.created, abs=0.001)
