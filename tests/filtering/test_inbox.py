"""What a filter told waits in the inbox of its grouper: bounded, in batches, and writers have their turn."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from dupgroups_filter import grouping_process
from dupgroups_filter.grouping_process import BATCH, BURST, BUSY, MUCH, PAUSE, REST, Inbox


def told(*ids: str) -> bytes:
    return json.dumps({"index": "i", "signed": [], "look": ids, "gone": []}).encode() + b"\n"


class Clock(threading.Event):
    """An event on which nobody waits: its time goes on, and others write meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.writes: Callable[[], None] = lambda: None

    def wait(self, timeout: float | None = None) -> bool:
        self.writes()
        self.now += timeout or 0
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


def written(inbox: Inbox, clock: Clock, *ids: str) -> None:
    """Others have written, and go on."""
    inbox.read([told(*ids)])
    clock.clear()


@pytest.mark.parametrize(("came", "turn"), [(1, REST), (MUCH, REST), (MUCH + 1, BUSY), (2 * BATCH, BUSY)])
def test_while_others_write_a_batch_is_followed_by_a_rest(
    clock: Clock, came: int, turn: tuple[float, float]
) -> None:
    times, longest = turn

    def rest_after(seconds: float, *, goes_on: bool) -> float:
        """A batch that took so long, while others wrote, who may go on; how long the rest is after it."""
        inbox = Inbox(clock)
        clock.writes = lambda: written(inbox, clock, "c") if goes_on else None
        written(inbox, clock, *map(str, range(came)))
        inbox.wait(0)
        written(inbox, clock, "b")
        clock.now += seconds
        ended = clock.now
        inbox.wait(0)
        return clock.now - ended

    assert rest_after(0.01, goes_on=True) == pytest.approx(times * 0.01)
    assert rest_after(9.0, goes_on=True) == pytest.approx(longest)
    assert rest_after(9.0, goes_on=False) == pytest.approx(PAUSE)


def test_without_writers_nothing_rests(clock: Clock) -> None:
    inbox = Inbox(clock)
    written(inbox, clock, "a")
    inbox.wait(0)
    clock.now += 1
    inbox.wait(0)
    assert clock.now == 1


def test_nothing_rests_once_a_burst_has_lasted_long(clock: Clock) -> None:
    inbox, rests = Inbox(clock), []
    clock.writes = lambda: written(inbox, clock, *map(str, range(BATCH)))
    while clock.now < 2 * BURST:
        clock.writes()
        clock.writes()  # more than one batch takes
        began = clock.now
        inbox.wait(0)
        rests.append(clock.now - began)
        clock.now += 1
    assert sum(rests) > BURST / 2
    assert rests[-5:] == [0] * 5
