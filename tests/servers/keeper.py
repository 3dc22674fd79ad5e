"""Run one server for as long as the process that started this one lives.

    python keeper.py HOME USER COMMAND...        (USER "" means: as ourselves)

A test run may be killed at any moment and must not leave a Java process behind. It holds the other end of
our standard input and never writes to it; the end of that input says that it wants the server stopped, or is
dead. Then the server and all its children are stopped and HOME, which holds their data, is removed. The
server runs in a session of its own, so that Ctrl-C reaches the test run only.
"""

import os
import pwd
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

DATA = "data"  # folder in HOME, or a link to one
PID = "server.pid"  # file in HOME with the process group of the server
LOOK_EVERY = 0.3  # seconds
GRACE = 10.0  # seconds from the polite signal to the other one


def keep(home: str, user: str, command: Sequence[str]) -> int:
    """Exit status of the server, or 0 when it was stopped because the input has ended."""
    server = _spawn(home, user, command)
    (Path(home) / PID).write_text(str(server.pid), encoding="ascii")
    try:
        while server.poll() is None:
            if _input_ended(LOOK_EVERY):
                return 0
        return server.returncode
    finally:
        _stop(server)
        if _input_ended(0):
            remove(Path(home))


def remove(home: Path) -> None:
    """Remove the folder of a server, and that of its data wherever it is."""
    for folder in ((home / DATA).resolve(), home):
        shutil.rmtree(folder, ignore_errors=True)


def _input_ended(patience: float) -> bool:
    ready, _, _ = select.select([sys.stdin], [], [], patience)
    return bool(ready)


def _spawn(home: str, user: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    group = pwd.getpwnam(user).pw_gid if user else None
    return subprocess.Popen(
        command,
        cwd=home,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        user=user or None,
        group=group,
        extra_groups=[] if user else None,
    )


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Stop the whole process group; its first process may be gone and have left children."""
    _signal_group(server, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        server.wait(GRACE)
    _signal_group(server, signal.SIGKILL)
    server.wait()


def _signal_group(server: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(server.pid, number)


if __name__ == "__main__":
    sys.exit(keep(sys.argv[1], sys.argv[2], sys.argv[3:]))
