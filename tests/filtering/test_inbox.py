"""What a filter told waits in the inbox of its grouper: bounded, in batches, and writers have their turn."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace

import pytest

from dupgroups_filter import grouping_process
from dupgroups_filter.grouping_process import BATCH, BURST, LONGEST_REST, REST, Inbox


def told(*ids: str) -> bytes:
    return json.dumps({"index": "i", "signed": [], "look": ids, "gone": []}).encode() + b"\n"


class Clock(threading.Event):
    """An event on which nobody waits; `rests` has how long they would have."""

    def __init__(self) -> None:
        super().__init__()
        self.now, self.rests = 0.0, []

    def wait(self, timeout: float | None = None) -> bool:
        self.rests.append(timeout)
        return self.is_set()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(grouping_process, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def test_all_that_was_told_is_taken_in_its_order_in_batches(clock: Clock) -> None:
    inbox, ids = Inbox(clock), [str(number) for number in range(BATCH + 1)]
    inbox.read([*map(told, ids), b'{"index": "i", '])  # the filter died in this line
    assert clock.is_set()  # nothing more can come
    assert [inbox.wait(0)["i"].look for _ in range(2)] == [ids[:BATCH], ids[BATCH:]]
    assert not inbox.wait(0)


def test_more_than_can_wait_is_left_to_the_next_look(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping_process, "HEARD", 1)
    inbox = Inbox(clock)
    for expected in ("a", "c"):
        inbox.read([told(expected), told("b")])
        assert inbox.wait(0)["i"].look == [expected]


def test_while_others_write_a_batch_is_followed_by_a_rest_until_a_burst_has_lasted_long(clock: Clock) -> None:
    inbox = Inbox(clock)

    def rest_after(seconds: float, *came: str) -> float:
        """A batch that took so long; how long the rest is after it."""
        clock.now += seconds
        inbox.read(told(id_) for id_ in came)
        inbox.wait(0)
        return clock.rests[-1]

    inbox.read([told("a")])
    inbox.wait(0)
    assert rest_after(0.1) == 0
    assert rest_after(0.1, "b") == pytest.approx(REST * 0.1)
    assert rest_after(BURST / 3, *"c" * (4 * BATCH)) == LONGEST_REST
    assert rest_after(BURST / 3, "d") == LONGEST_REST
    assert rest_after(BURST / 2, "e") == 0
