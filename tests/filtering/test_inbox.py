"""What a filter told waits in the inbox of its grouper: bounded, and in batches."""

from __future__ import annotations

import json
from threading import Event

import pytest

from dupgroups_filter import grouping_process
from dupgroups_filter.grouping_process import BATCH, Inbox


def told(*ids: str) -> bytes:
    return json.dumps({"index": "i", "signed": [], "look": ids, "gone": []}).encode() + b"\n"


def test_all_that_was_told_is_taken_in_its_order_in_batches() -> None:
    ended, ids = Event(), [str(number) for number in range(BATCH + 1)]
    inbox = Inbox(ended)
    inbox.read([*map(told, ids), b'{"index": "i", '])  # the filter died in this line
    assert ended.is_set()  # nothing more can come
    assert [inbox.wait(0)["i"].look for _ in range(2)] == [ids[:BATCH], ids[BATCH:]]
    assert not inbox.wait(0)


def test_more_than_can_wait_is_left_to_the_next_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping_process, "HEARD", 1)
    inbox = Inbox(Event())
    for expected in ("a", "c"):
        inbox.read([told(expected), told("b")])
        assert inbox.wait(0)["i"].look == [expected]
