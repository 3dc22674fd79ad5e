"""How alerts that wait reach a web address, a file or standard output, and what becomes of those that do not.

A web address gets each alert as a POST of JSON with its id as `Idempotency-Key`: at least once, and again
only if the answer to the first one was lost, with the same id. A file gets each once: a process that is
killed after writing and before noting it finds its lines there, and cuts off a torn one.
"""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from dupgroups.errors import ConfigError, DupGroupsError
from dupgroups.flow.alerts.alert_state import PATIENCE, AlertState, Waiting
from dupgroups.flow.dead_letters import append_lines, utc_now

TIMEOUT_SECONDS = 10.0  # seconds that an address may take to answer
TEMPORARY_STATUSES = frozenset({408, 425, 429})  # and all from 500 on
MAX_FILE_ALERTS = 500  # alerts that are written to a file together
ROUND_SECONDS = 1.0  # seconds after which stories are looked at again, and a signal is heard

_ASKABLE = re.compile(r"[!-~]*")

Alert = Mapping[str, Any]


class UndeliveredError(DupGroupsError):
    """An alert was not taken: `temporary` if it may be later, after `pause` seconds if that was said."""

    def __init__(self, message: str, *, temporary: bool, pause: float = 0.0) -> None:
        super().__init__(message)
        self.temporary, self.pause = temporary, pause


@dataclass(frozen=True, slots=True)
class Destination:
    """Where alerts go. `name` holds no secret. `send` delivers some, all or none, and raises
    UndeliveredError; `most` is how many it takes at once. A kill may send one again, with the same id.
    """

    name: str
    send: Callable[[Sequence[Alert]], None]
    most: int = 1


def web_address(url: str) -> Destination:
    """An address that gets each alert by POST. Of its URL only scheme and host are shown: paths of webhooks
    are secrets. Raises ConfigError for a URL that no request can be made of.
    """
    try:
        parts = urlsplit(url)
        is_valid = bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ConfigError("the URL of --to is not valid: check its host and port")
    if not _ASKABLE.fullmatch(parts.path + parts.query):
        raise ConfigError("the URL of --to is not valid: percent-encode all but visible ASCII")
    name = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/..."
    asked = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    headers = {"Content-Type": "application/json", "User-Agent": "dup-groups"}
    if parts.username:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(login).decode()}"
    opener = build_opener(_NoRedirects)

    def send(alerts: Sequence[Alert]) -> None:
        for alert in alerts:
            data, keyed = json.dumps(alert).encode(), {**headers, "Idempotency-Key": alert["id"]}
            try:
                opener.open(Request(asked, data, keyed), timeout=TIMEOUT_SECONDS).close()  # noqa: S310
            except HTTPError as error:
                with error:
                    raise _refusal(name, error) from None
            except (OSError, HTTPException) as error:
                message = f"{name} does not answer: {getattr(error, 'reason', error)}"
                raise UndeliveredError(message, temporary=True) from None

    return Destination(name, send)


def _refusal(name: str, error: HTTPError) -> UndeliveredError:
    status = error.code
    if 300 <= status < 400:
        where = "sends alerts on to another address: give that one to --to"
        return UndeliveredError(f"{name} {where}", temporary=False)
    after = error.headers.get("Retry-After", "")
    return UndeliveredError(
        f"{name} refused with status {status}",
        temporary=status in TEMPORARY_STATUSES or status >= 500,
        pause=min(float(after), PATIENCE.longest) if after.isdecimal() else 0.0,
    )


class _NoRedirects(HTTPRedirectHandler):
    """A POST that is redirected would become a GET without the alert."""

    def redirect_request(self, *_: Any) -> None:
        return None


def alert_file(path: Path, state: AlertState) -> Destination:
    """A file that gets a line of JSON for each alert, once. Others may write lines to it, and move it away.
    Raises ConfigError if it cannot be read and written.
    """
    file = path.absolute()
    if file.exists():
        _recover(file, str(path), state)
    return _line_destination(path, partial(append_lines, file))


def _recover(path: Path, name: str, state: AlertState) -> None:
    """Find the alerts that were written and not noted, because a process was killed between both."""
    waiting = {_line(one.alert): one.number for one in state.waiting(float("inf"), -1)}
    line, written = b"", list[int]()
    try:
        with path.open("r+b") as file:
            for line in file if waiting else ():
                written += [waiting[line]] if line in waiting else []
            if not line.endswith(b"\n") and any(one.startswith(line) for one in waiting):
                file.truncate(file.tell() - len(line))
    except OSError as error:
        raise ConfigError(f"{name} cannot be written: {error.strerror or error}") from error
    state.finish(written)


def alert_device(path: Path) -> Destination:
    """A pipe or a device, such as /dev/stderr, that gets a line of JSON for each alert."""

    def write(lines: bytes) -> None:
        with path.open("ab") as device:
            device.write(lines)

    return _line_destination(path, write)


def _line_destination(path: Path, write: Callable[[bytes], None]) -> Destination:
    def send(alerts: Sequence[Alert]) -> None:
        try:
            write(b"".join(map(_line, alerts)))
        except OSError as error:
            message = f"{path} cannot be written: {error.strerror or error}"
            raise UndeliveredError(message, temporary=True) from error

    return Destination(str(path), send, MAX_FILE_ALERTS)


def _line(alert: Alert) -> bytes:
    """An alert as a line of JSON, the same whenever it is made."""
    return json.dumps(alert).encode() + b"\n"


class Delivery:
    """Delivers what waits in `state`. What is refused for now is tried again after pauses that double, and so
    is the destination when it fails twice in a row; what is refused for good goes to the file `dead_letters`,
    with the reason.
    """

    def __init__(
        self,
        state: AlertState,
        destination: Destination,
        dead_letters: Path,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._state, self._destination, self._clock = state, destination, clock
        self._dead_letters = dead_letters
        self._closed_until = 0.0
        self.failures = 0
        """How often in a row the destination failed."""
        self.trouble = ""
        """Why it failed the last time, in a sentence; "" after a success."""
        self.delivered = self.refused = 0

    @property
    def pause(self) -> float:
        """The seconds until the destination is tried again; 0 if it may be tried now, or if it is so long
        that the clock must have been set back.
        """
        left = self._closed_until - self._clock()
        return left if 0 < left < 2 * PATIENCE.longest else 0.0

    def deliver(self) -> bool:
        """Deliver what is due, for ROUND_SECONDS and the alert at hand; whether there may be more."""
        end = time.monotonic() + ROUND_SECONDS
        while time.monotonic() < end:
            batch = [] if self.pause else self._state.waiting(self._clock(), self._destination.most)
            if not batch:
                return False
            self._try_batch(batch)
        return True

    def _try_batch(self, batch: Sequence[Waiting]) -> None:
        try:
            self._destination.send([one.alert for one in batch])
        except UndeliveredError as error:
            if error.temporary:
                self._postpone(batch, str(error), error.pause)
            else:
                self._bury(batch, str(error))
        else:
            self._state.finish([one.number for one in batch])
            self.delivered += len(batch)
            self.failures, self.trouble = 0, ""

    def _postpone(self, batch: Sequence[Waiting], reason: str, pause: float = 0.0) -> None:
        now = self._clock()
        if self.failures or pause:  # one failure alone may be of this alert
            self._closed_until = now + max(pause, PATIENCE.pause_after(self.failures))
        self.failures, self.trouble = self.failures + 1, reason
        for one in batch:
            self._state.postpone(one.number, now + PATIENCE.pause_after(one.tries))

    def _bury(self, batch: Sequence[Waiting], reason: str) -> None:
        """Write alerts to the dead letters; a kill before this is noted may write one again."""
        letters = [{"time": utc_now(), "reason": reason, "alert": one.alert} for one in batch]
        try:
            append_lines(self._dead_letters, b"".join(map(_line, letters)))
        except OSError as error:
            self._postpone(batch, f"{self._dead_letters} cannot be written: {error.strerror or error}")
            return
        self._state.finish([one.number for one in batch])
        self.refused += len(batch)
