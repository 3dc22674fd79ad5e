"""Long work where nobody sees bars, as in a log; and its end by a signal, as by Ctrl+C."""

import json
import re
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from processes import environment
from stories import story

EACH = 0.2  # seconds between two lines
COMMAND = f"""
from dupgroups.cli import main, progress
progress.LINE_SECONDS = {EACH}
main()
"""


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    """A command that reads standard input, with lines that follow each other soon."""
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def feed(process: subprocess.Popen[bytes]) -> None:
    """Documents without end, until the command has ended."""
    assert process.stdin
    with suppress(BrokenPipeError), process.stdin:
        for number in count():
            process.stdin.write(json.dumps({"id": str(number), "text": story(f"t{number}")}).encode() + b"\n")


def told(process: subprocess.Popen[bytes], what: str) -> str:
    """The first line about it."""
    assert process.stderr
    lines = (line.decode() for line in process.stderr)
    return next(line for line in lines if re.search(what, line))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "number", "what"),
    [
        pytest.param(
            *("add - --engine sqlite:///news.db", signal.SIGINT, r"-, [1-9]\d* documents, [1-9]\d* a second"),
            marks=pytest.mark.slow,  # `test_add.py` interrupts it without a signal
        ),
        ("group - --out groups.csv", signal.SIGTERM, r"signing, [1-9]\d* documents"),
    ],
)
def test_long_work_says_how_far_it_is_and_ends_at_sigterm_as_at_ctrl_c(
    tmp_path: Path, words: str, number: signal.Signals, what: str
) -> None:
    with started(tmp_path, *words.split()) as process:
        assert process.stderr
        feeding = Thread(target=feed, args=(process,))
        feeding.start()
        told(process, rf"^\d:\d\d:\d\d {what}")  # on a busy machine it takes longer
        process.send_signal(number)
        said = process.stderr.read().decode()
        feeding.join()
        assert process.wait(60) == 128 + number, said
    assert said.endswith("dup-groups: interrupted\n")
    assert not re.search("leaked|Traceback|died", said)
    assert ("run the same command to go on" in said) == words.startswith("add")
    assert not (tmp_path / "groups.csv").exists()


def test_work_without_a_number_says_that_it_goes_on(tmp_path: Path) -> None:
    command = COMMAND.replace("main()", "with progress.working('training'): __import__('time').sleep(1)")
    ended = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, env=environment(), capture_output=True, check=True
    )
    assert re.match(r"0:00:00 training\n0:00:00 training\n", ended.stderr.decode())


def test_ctrl_c_while_the_command_is_loaded_ends_it_quietly(tmp_path: Path) -> None:
    stop = "import sys\nclass Stop:\n    def find_spec(self, name, *_):\n        if name == 'typer': "
    stop += "raise KeyboardInterrupt\nsys.meta_path.insert(0, Stop())\n"
    command = f"{stop}from dupgroups.cli import main\nmain()"
    ended = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, env=environment(), capture_output=True
    )
    assert (ended.returncode, ended.stderr) == (130, b"dup-groups: interrupted\n")
