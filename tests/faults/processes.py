"""Processes that can be killed with -9 and whose words are heard up to then.

They are forked from one process that has loaded the package, so that starting one takes no second.
"""

import os
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any
from unittest.mock import patch

from dupgroups.flow.ingest import ItemResult

_context = get_context("forkserver")
_context.set_forkserver_preload(["pytest", "faults.workers"])


class Worker:
    """A process that runs `work(say, *given)`; `said` is what it has said so far."""

    def __init__(self, work: Callable[..., None], *given: Any) -> None:
        self.said: list[Any] = []
        self._ears, mouth = _context.Pipe(duplex=False)
        self.process = _context.Process(target=_run, args=(mouth, work, given), daemon=True)
        roots = os.pathsep.join(filter(None, sys.path))
        with patch.dict(os.environ, PYTHONPATH=roots):  # all that the process that is forked from knows
            self.process.start()
        mouth.close()  # so that its death is the end of what it says

    def listen(self, words: int) -> bool:
        """Wait until it has said so much; False if it ended before."""
        while len(self.said) < words:
            try:
                self.said.append(self._ears.recv())
            except (EOFError, OSError):  # OSError: it died within a word
                return False
        return True

    def kill(self, words: int = 0, pause: float = 0.0) -> bool:
        """Kill -9 some seconds after it has said so much; False if it came to its end before."""
        if self.listen(words):
            time.sleep(pause)
        self.process.kill()
        return self.end() != 0

    def end(self) -> int | None:
        """Wait for its end; the exit code."""
        while self.listen(len(self.said) + 1):
            pass
        self.process.join()
        return self.process.exitcode

    @property
    def stored(self) -> set[str]:
        """The ids of the pages that a crawl has said to be stored."""
        results: list[ItemResult] = [result for said in self.said for result in said]
        return {result.id for result in results if result.state not in ("dead_letter", "failed")}


def _run(mouth: Connection, work: Callable[..., None], given: tuple[Any, ...]) -> None:
    work(mouth.send, *given)
