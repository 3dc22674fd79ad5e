"""Alerts that wait reach an address or a file, whatever either does, and whenever the alerter dies."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dupgroups.errors import ConfigError
from dupgroups.flow.alerts import alert_delivery
from dupgroups.flow.alerts.alert_delivery import (
    Delivery,
    Destination,
    UndeliveredError,
    alert_device,
    alert_file,
    web_address,
)
from dupgroups.flow.alerts.alert_state import AlertState
from flow.alerts.receiver import receiving

DEAD = "alerts.dead.jsonl"


@pytest.fixture(autouse=True)
def _without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AlertState]:
    with closing(AlertState(tmp_path / "alerts.db", "memory://")) as opened:
        yield opened


class Clock:
    """A clock that goes only when it is told to."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def add(state: AlertState, *ids: str) -> None:
    with state.transaction():
        for id_ in ids:
            state.add_waiting({"id": id_, "title": "雾 \ud800"}, now=0.0)


def deliver_all(delivery: Delivery, clock: Clock) -> list[float]:
    """Deliver until nothing waits, at the moments at which it may be tried, which are returned."""
    moments = []
    for _ in range(100):
        moments.append(clock.now)
        delivery.deliver()
        if not delivery._state.count_waiting():
            return moments
        clock.now += delivery.pause or 1
    raise AssertionError("something waits for ever")


@pytest.mark.parametrize(("login", "sent"), [("desk:p%40ss@", "desk:p@ss"), ("desk@", "desk:")])
def test_an_address_gets_each_alert_with_its_key(
    state: AlertState, tmp_path: Path, login: str, sent: str
) -> None:
    add(state, "a", "b")
    with receiving() as receiver:
        url = receiver.url.replace("//", f"//{login}")
        delivery = Delivery(state, web_address(f"{url}#secret"), tmp_path / DEAD)
        assert not delivery.deliver()
    assert receiver.taken == {"a": {"id": "a", "title": "雾 \ud800"}, "b": {"id": "b", "title": "雾 \ud800"}}
    for _, headers, _ in receiver.asked:
        assert headers["Authorization"] == f"Basic {base64.b64encode(sent.encode()).decode()}"
        assert (headers["Content-Type"], headers["User-Agent"]) == ("application/json", "dup-groups")
    assert (delivery.delivered, state.count_waiting()) == (2, 0)


def test_what_cannot_be_taken_now_is_tried_again_and_taken_once(
    state: AlertState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_delivery, "TIMEOUT_SECONDS", 0.2)
    add(state, *"abcde")
    clock = Clock()
    with receiving(204, 500, 503, "hang", 429, "cut", 502) as receiver:
        delivery = Delivery(state, web_address(receiver.url), tmp_path / DEAD, clock)
        moments = deliver_all(delivery, clock)
    assert sorted(receiver.taken) == list("abcde")
    assert len(receiver.asked) == 5 + 6, "each of the others was tried again"
    pauses = [later - now for now, later in pairwise(moments)]
    assert all(pause >= 0.25 * 2**place for place, pause in enumerate(pauses)), "they double"
    assert not (tmp_path / DEAD).exists()


def test_an_alert_that_is_never_taken_does_not_keep_others_waiting(state: AlertState, tmp_path: Path) -> None:
    add(state, "poison", *"abc")

    tried: list[str] = []

    def send(alerts: Sequence[Any]) -> None:
        tried.append(alerts[0]["id"])
        if tried[-1] == "poison":
            raise UndeliveredError("500", temporary=True)

    clock = Clock()
    delivery = Delivery(state, Destination("choosy", send), tmp_path / DEAD, clock)
    for number in range(500):
        delivery.deliver()
        clock.now += 1
        add(state, f"{number}")
    assert [id_ for id_ in tried if id_ != "poison"] == [*"abc", *map(str, range(499))]
    assert 8 < tried.count("poison") < 20, "its pauses double, up to a minute"


@pytest.mark.parametrize("later", [30, -86_400], ids=["in time", "the clock was set back"])
def test_a_server_says_how_long_it_wants_to_be_left_alone(
    state: AlertState, tmp_path: Path, later: float
) -> None:
    add(state, "a")
    clock = Clock()
    with receiving(429, Retry_After="30") as receiver:
        delivery = Delivery(state, web_address(receiver.url), tmp_path / DEAD, clock)
        delivery.deliver()
        assert delivery.pause == 30
        delivery.deliver()
        assert len(receiver.asked) == 1
        clock.now += later
        delivery.deliver()
    assert list(receiver.taken) == ["a"]


ELSEWHERE = "sends alerts on to another address: give that one to --to"


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (400, "refused with status 400"),
        (404, "refused with status 404"),
        (300, ELSEWHERE),
        (302, ELSEWHERE),
    ],
)
def test_what_is_refused_for_good_goes_to_the_dead_letters(
    state: AlertState, tmp_path: Path, status: int, sentence: str
) -> None:
    add(state, "a", "b")
    with receiving(status, Location="/elsewhere") as receiver:
        delivery = Delivery(state, web_address(receiver.url), tmp_path / DEAD)
        delivery.deliver()
    assert list(receiver.taken) == ["b"]
    (letter,) = map(json.loads, (tmp_path / DEAD).read_text().splitlines())
    assert letter.keys() == {"time", "reason", "alert"}
    assert letter["alert"]["id"] == "a"
    assert letter["reason"] == f"http://127.0.0.1:{receiver.server_port}/... {sentence}"
    assert (delivery.refused, state.count_waiting()) == (1, 0)


def test_secrets_of_a_url_are_not_shown(state: AlertState, tmp_path: Path) -> None:
    add(state, "a")
    delivery = Delivery(state, web_address("http://me:secret@127.0.0.1:9/secret?secret"), tmp_path / DEAD)
    delivery.deliver()
    assert re.fullmatch(r"http://127.0.0.1:9/\.\.\. does not answer: [^<>]*refused[^<>]*", delivery.trouble)
    assert "secret" not in delivery.trouble


HOST, ENCODE = "check its host and port", "percent-encode all but visible ASCII"


@pytest.mark.parametrize(
    ("url", "cure"),
    [
        *((f"http://{host}/secret", HOST) for host in ("me:secret@host:secret", "", "a..b", "host:0")),
        *((f"http://host/secret{path}", ENCODE) for path in (" 1", "?x=ü")),
    ],
)
def test_a_url_that_cannot_be_asked_is_refused_without_its_secrets(url: str, cure: str) -> None:
    with pytest.raises(ConfigError, match=f"^the URL of --to is not valid: {cure}$"):
        web_address(url)


def test_what_is_refused_waits_while_the_dead_letters_cannot_be_written(
    state: AlertState, tmp_path: Path
) -> None:
    add(state, "a")
    clock, letters = Clock(), tmp_path / "missing" / DEAD
    with receiving(400, 400) as receiver:
        delivery = Delivery(state, web_address(receiver.url), letters, clock)
        delivery.deliver()
        assert (delivery.refused, state.count_waiting()) == (0, 1)
        assert delivery.trouble == f"{letters} cannot be written: No such file or directory"
        assert delivery.pause == 0, "one failure alone may be of this alert"
        letters.parent.mkdir()
        clock.now += 1
        delivery.deliver()
    assert (delivery.refused, state.count_waiting(), letters.exists()) == (1, 0, True)


class Killed(BaseException):
    """What kill -9 does, as far as a process can show it to itself."""


@pytest.mark.parametrize("seed", range(20))
def test_a_file_has_each_alert_once_and_whole_after_kills(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, file = random.Random(seed), tmp_path / "told.jsonl"
    append, written = alert_delivery.append_lines, [f"{number:03}" for number in range(60)]

    def die_at_times(path: Path, lines: bytes) -> None:
        if chance.random() < 0.4:
            with path.open("ab") as torn:
                torn.write(lines[: chance.randint(0, len(lines))])
            raise Killed
        append(path, lines)
        if chance.random() < 0.4:
            raise Killed

    monkeypatch.setattr(alert_delivery, "append_lines", die_at_times)
    file.write_bytes(b'{"of": "others"}\n')
    moved, waiting, killed = b"", list(written), 0
    while True:
        with closing(AlertState(tmp_path / "alerts.db", "memory://")) as state:
            destination = replace(alert_file(file, state), most=5)
            add(state, *(waiting.pop(0) for _ in range(min(len(waiting), chance.randint(0, 9)))))
            try:
                Delivery(state, destination, tmp_path / DEAD).deliver()
            except Killed:
                killed += 1
                continue
            if not waiting and not state.count_waiting():
                break
            if chance.random() < 0.3:
                append(file, b'{"of": "others"}\n')
            if chance.random() < 0.2:  # as logrotate does
                moved += file.read_bytes()
                file.unlink()
    lines = [json.loads(line) for line in (moved + file.read_bytes()).splitlines()]
    assert sorted(line["id"] for line in lines if "id" in line) == written
    assert killed > 3


def test_a_file_that_cannot_be_written_keeps_alerts_waiting(state: AlertState, tmp_path: Path) -> None:
    add(state, "a")
    with pytest.raises(ConfigError, match=rf"^{re.escape(str(tmp_path))} cannot be written: [A-Z]"):
        alert_file(tmp_path, state)
    file, clock = tmp_path / "missing" / "told.jsonl", Clock()
    for destination in (alert_file(file, state), alert_device(file)):
        clock.now += 1
        delivery = Delivery(state, destination, tmp_path / DEAD, clock)
        delivery.deliver()
        assert delivery.trouble == f"{file} cannot be written: No such file or directory"
        assert (delivery.pause, state.count_waiting()) == (0, 1)
