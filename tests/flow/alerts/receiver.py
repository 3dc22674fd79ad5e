"""A web address that gets alerts, and behaves as badly as it is told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

Behaviour = int | str
"""A status, or "hang" or "cut": nothing is answered, although the alert was taken."""
HANG_SECONDS = 1.0


class _Handler(BaseHTTPRequestHandler):
    server: Receiver
    protocol_version: ClassVar[str] = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        behaviour = self.server.take(self.headers, json.loads(body))
        if behaviour == "hang":
            time.sleep(HANG_SECONDS)
        if isinstance(behaviour, str):
            self.close_connection = True
            return
        self.send_response(behaviour)
        for name, value in self.server.answer_headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Receiver(ThreadingHTTPServer):
    """Behaves as `behaviours` say, one after another, then well."""

    daemon_threads = True

    def __init__(self, *behaviours: Behaviour, **answer_headers: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaviours = list(behaviours)
        self.answer_headers = {name.replace("_", "-"): value for name, value in answer_headers.items()}
        self.asked: list[tuple[float, dict[str, str], Any]] = []
        self.taken: dict[str, Any] = {}
        """The alerts by their key, each once, as a receiver keeps them that looks at it."""
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hooks/secret?token=secret"

    def take(self, headers: Any, alert: Any) -> Behaviour:
        with self._lock:
            behaviour = self.behaviours.pop(0) if self.behaviours else 204
            self.asked.append((time.monotonic(), {**headers, "path": ""}, alert))
            if isinstance(behaviour, str) or behaviour < 300:
                self.taken.setdefault(headers["Idempotency-Key"], alert)
            return behaviour


@contextmanager
def receiving(*behaviours: Behaviour, **answer_headers: str) -> Iterator[Receiver]:
    """A receiver at work; it is asked without a proxy if `no_proxy` says so."""
    with Receiver(*behaviours, **answer_headers) as receiver:
        thread = threading.Thread(target=receiver.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.shutdown()
            thread.join()
