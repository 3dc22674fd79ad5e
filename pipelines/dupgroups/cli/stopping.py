"""How a command that runs without end is ended."""

from __future__ import annotations

import signal
import threading


def stop_on_signals() -> threading.Event:
    """An event that Ctrl+C and SIGTERM set. A second signal ends the process as it would without this."""
    stop = threading.Event()

    def handle(number: int, frame: object) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
    return stop
