"""A reader of the tutorial."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docs.blocks import ROOT, Block, Reader, blocks, reading, wait_for
from processes import free_port

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
            wait_for(self.papers if "http.server" in block.text else self.page)


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
