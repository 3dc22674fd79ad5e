"""The fenced blocks of a document, and a reader who types them."""

import json
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, Example, OutputChecker
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from processes import free_port

ROOT = Path(__file__).parents[2]
SOURCES = [str(ROOT / name) for name in ("pipelines", "es_plugin_py", "scrapy_project")]


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the title after it, its text, and the heading above it."""

    language: str
    title: str
    text: str
    heading: str

    @property
    def first(self) -> str:
        return self.text.partition("\n")[0]


def blocks(path: Path) -> list[Block]:
    """All code of a document. Raises AssertionError for indented code, which has no language."""
    found, heading, inside = [], "", False
    for token in MarkdownIt().parse(path.read_text(encoding="utf-8")):
        assert token.type != "code_block", f"{path.name}: the code at line {token.map} is not fenced"
        if token.type == "inline" and inside:
            heading = token.content
        inside = token.type == "heading_open"
        if token.type == "fence":
            language, *options = shlex.split(token.info)
            title = next((option[6:] for option in options if option.startswith("title=")), "")
            found.append(Block(language, title, token.content, heading))
    return found


@dataclass
class Reader:
    """Types blocks in a folder. `names` are replaced before typing: ports and servers of the test.

    A block with the name of a file as title is saved, one of another terminal runs until the end, `text` must
    be what the last command printed (`...` stands for anything).
    """

    folder: Path
    names: Mapping[str, str] = field(default_factory=dict)
    printed: str = ""
    background: list[subprocess.Popen[bytes]] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=lambda: {**os.environ})

    def __post_init__(self) -> None:
        self.environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{self.environment['PATH']}"
        self.environment["PYTHONPATH"] = os.pathsep.join(SOURCES)
        self.environment |= {"NO_COLOR": "1", "COLUMNS": "200"}
        for name in [name for name in self.environment if name.startswith("DUPGROUPS_")]:
            del self.environment[name]

    def type(self, block: Block) -> None:
        text = block.text
        for name, actual in self.names.items():
            text = text.replace(name, actual)
        if "." in block.title:
            (self.folder / block.title).write_text(text, encoding="utf-8")
        elif block.title:
            command = ["bash", "-c", f"exec {text}"]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            self.background.append(subprocess.Popen(command, cwd=self.folder, env=self.environment, **quiet))  # type: ignore[call-overload]
        else:
            KINDS[block.language](self, text)

    def run(self, text: str) -> None:
        """Run commands until one fails; the next block sees the variables that they exported."""
        after = self.folder / ".environment"
        script = f"set -euo pipefail\n{text}\nenv -0 > {shlex.quote(str(after))}\n"
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder, env=self.environment, capture_output=True, timeout=240
        )
        self.printed = (done.stderr + done.stdout).decode()
        assert done.returncode == 0, f"{text}\n{self.printed}"
        lines = after.read_bytes().decode().rstrip("\0").split("\0")
        self.environment = dict(line.split("=", 1) for line in lines)

    def check(self, text: str) -> None:
        """Raises AssertionError unless this is what the last command printed."""
        flags = ELLIPSIS | NORMALIZE_WHITESPACE
        if not OutputChecker().check_output(text, self.printed, flags):
            difference = OutputChecker().output_difference(Example("", text), self.printed, flags)
            raise AssertionError(difference + self.printed)


KINDS: dict[str, Callable[[Reader, str], Any]] = {
    "bash": Reader.run,
    "python": lambda reader, text: reader.run(f"python - <<'END'\n{text}\nEND"),
    "text": Reader.check,
    "json": lambda _, text: json.loads(text),
}


@contextmanager
def reading(folder: Path, names: Mapping[str, str]) -> Iterator[Reader]:
    """A reader whose terminals are closed at the end."""
    reader = Reader(folder, names)
    try:
        yield reader
    finally:
        for process in reader.background:
            process.terminate()
        for process in reader.background:
            process.wait(30)


# -- the tutorial

TUTORIAL = ROOT / "docs" / "tutorial.md"
ON_A_SERVER = "5. The same on OpenSearch"
NOT_RUN = {
    "python3 -m venv .venv": "installs from the package index",
    "docker run --detach --name opensearch --publish 127.0.0.1:9200:9200 \\": "needs a container engine",
}


@dataclass(frozen=True)
class Walk:
    """A reader with the ports of the newspapers and of the search page."""

    reader: Reader
    papers: int
    page: int

    def type(self, block: Block) -> None:
        """Type a block that can be run; a server is waited for."""
        if block.first in NOT_RUN:
            return
        self.reader.type(block)
        if block.title.endswith("terminal"):
            _wait_for(self.papers if "http.server" in block.text else self.page)


@contextmanager
def walking(folder: Path, names: Mapping[str, str] | None = None) -> Iterator[Walk]:
    """Somebody who reads the tutorial, on ports that are free."""
    papers, page = free_port(), free_port()
    ports = {"dup-groups serve": "dup-groups serve --port 8000", "8000": str(page), "8090": str(papers)}
    with reading(folder, ports | dict(names or {})) as reader:
        yield Walk(reader, papers, page)


def steps(*, server: bool) -> list[Block]:
    """The blocks of the part on a server, or of the other parts."""
    return [block for block in blocks(TUTORIAL) if (block.heading == ON_A_SERVER) == server]


def _wait_for(port: int) -> None:
    """Until something listens there; raises TimeoutError after a minute."""
    for _ in range(600):
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")
