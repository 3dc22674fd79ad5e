"""python -m filtering.writers SERVER: write with every client whose tools are on this machine."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from es_plugin.clusters import ask
from filtering.running import MAPPING, bare, documents, filtering, offline, partition, server, sources
from servers import Pool

FOLDER = Path(__file__).parent
MADE = documents(6, 4)

# language: the tool that is needed, how the client is fetched, how the writer is run
WRITERS = {
    "javascript": ("npm", ["npm install --no-audit --no-fund"], "node write.js"),
}


def write(command: str, folder: Path, url: str, index: str) -> Any:
    """What a writer says: how many documents were written, and how many failed."""
    lines = "".join(f"{json.dumps({'_id': id_, **source})}\n" for id_, source in MADE.items())
    done = subprocess.run(
        [*command.split(), url, index], cwd=folder, input=lines, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(language: str, folder: Path, engine: str) -> None:
    """Write on both ways and compare. AssertionError if they differ."""
    _, preparing, command = WRITERS[language]
    for step in preparing:
        subprocess.run(step.split(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with filtering(engine) as filter_:
        straight = f"{filter_.index}-straight"
        ask(engine, "PUT", f"/{straight}", MAPPING)
        expected = write(command, folder, server(engine), straight)
        assert expected == {"successful": len(MADE), "failed": 0}
        assert write(command, folder, filter_.url, filter_.index) == expected
        assert {id_: bare(one) for id_, one in filter_.sources().items()} == sources(engine, straight)
        assert partition(filter_.groups()) == offline(MADE)


def main(name: str = "elasticsearch-8.19") -> None:
    """Check every writer that can be run here; the others are named."""
    with Pool() as pool:
        url = pool.get(name).url.removeprefix("http://")
        for language, (tool, _, _) in WRITERS.items():
            if not shutil.which(tool):
                print(f"{language}: not tried, for {tool} is not here")
                continue
            index = f"test-writers-{secrets.token_hex(4)}"
            with tempfile.TemporaryDirectory() as folder:
                copied = shutil.copytree(FOLDER / language, Path(folder) / language)
                check(language, copied, f"elasticsearch://{url}/{index}")
            for suffix in ("", "-straight", "-redirects", "-settled"):
                ask(f"elasticsearch://{url}/x", "DELETE", f"/{index}{suffix}?ignore_unavailable=true")
            print(f"{language}: {len(MADE)} documents, the same on both ways, in their groups")


if __name__ == "__main__":
    main(*sys.argv[1:])
