"""A pool of processes: order, deaths, and that nobody is left behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dupgroups.bulk import processes
from dupgroups.bulk.processes import Pool
from processes import environment


class Doubler:
    """Doubles numbers; a path makes the worker that gets it first die, a list in any process raises."""

    def __init__(self, given: int) -> None:
        self.factor = given

    def work(self, chunk: object) -> int:
        if isinstance(chunk, Path) and not chunk.exists():
            chunk.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.factor * chunk if isinstance(chunk, int) else -1


@pytest.mark.parametrize("number", [1, 2])
def test_results_come_in_order(number: int) -> None:
    with Pool(number, Doubler, 2) as pool:
        assert list(pool.map(Doubler.work, range(50))) == list(range(0, 100, 2))


def test_a_dying_worker_loses_nothing_and_is_replaced(tmp_path: Path, caplog) -> None:
    chunks = [1, tmp_path / "dead", *range(40)]
    with Pool(2, Doubler, 2) as pool:
        assert list(pool.map(Doubler.work, chunks)) == [2, -1, *range(0, 80, 2)]
        assert pool.submit(_pid, 0).result() != os.getpid()
    assert "another one takes its place" in caplog.text


def test_an_error_does_not_wait_for_what_workers_have_begun() -> None:
    begun = time.monotonic()
    with suppress(KeyboardInterrupt), Pool(2, int, "7") as pool:
        for _ in range(9):
            pool.submit(_sleep, "a" * 10**7)
        time.sleep(2)
        raise KeyboardInterrupt
    assert time.monotonic() - begun < 20


def _sleep(tool: int, chunk: str) -> None:
    time.sleep(60)


def test_after_some_deaths_the_work_goes_on_in_this_process(tmp_path: Path, caplog) -> None:
    with Pool(2, Doubler, 2) as pool:
        for death in range(processes.MAX_DEATHS):
            assert list(pool.map(Doubler.work, [tmp_path / str(death)])) == [-1]
        assert list(pool.map(_pid, [0])) == [os.getpid()]
    assert "the work goes on in this process" in caplog.text


def _pid(doubler: Doubler, chunk: int) -> int:
    return os.getpid()


SCRIPT = """
import os, sys
from dupgroups.bulk.processes import Pool

print("main", flush=True)
def report(tool, chunk):
    return os.getpid()
pool = Pool(2, int, "7")
tests = __import__("bulk.test_processes", fromlist=["_pid"])
print(*{pool.submit(tests._pid, 0).result() for _ in range(9)}, flush=True)
os.kill(os.getpid(), 9) if sys.argv[1] == "killed" else pool.close()
"""


@pytest.mark.parametrize("ending", ["killed", "closed"])
def test_a_script_needs_no_guard_and_leaves_no_process_behind(ending: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script), ending], capture_output=True, text=True, timeout=60, env=environment()
    )
    main, pids = done.stdout.splitlines()  # the workers did not run the script again
    assert main == "main"
    until = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in pids.split()):
        assert time.monotonic() < until, pids
        time.sleep(0.05)
