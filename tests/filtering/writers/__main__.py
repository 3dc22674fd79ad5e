"""python -m filtering.writers [NAME...]: write with every client, or these, whose tools are here."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from es_plugin.clusters import ask
from es_plugin.proxy import Answer, Fault, Forward, Proxy, Request, busy, proxy
from filtering.running import MAPPING, Filter, bare, documents, filtering, offline, partition, sources
from servers import Pool

FOLDER = Path(__file__).parent
MADE = documents(6, 4)
OURS = "refresh=false"  # in the path of what the writers send, and of nothing else

NPM = "npm install --no-audit --no-fund"
GO = ("go mod tidy", "go build -o write .")
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
MAVEN = (f"mvn -q -B {COPY} -DoutputDirectory=lib", "javac -d . -cp lib/* Write.java")


@dataclass(frozen=True)
class Writer:
    """The folder of its source, the server that it writes to, the `tools` that are needed, what fetches the
    client, and how the command that writes begins.
    """

    folder: str
    server: str
    tools: tuple[str, ...]
    prepare: tuple[str, ...]
    run: str

    @property
    def kind(self) -> str:
        return self.server.partition("-")[0]


def _javascript(server: str, package: str, version: int) -> Writer:
    prepare = (f"{NPM} {package}@{version}",)
    return Writer("javascript", server, ("npm", "node"), prepare, f"node write.js {package}")


def _go(folder: str, server: str) -> Writer:
    return Writer(folder, server, ("go",), GO, "./write")


def _java(folder: str, server: str) -> Writer:
    return Writer(folder, server, ("mvn", "javac"), MAVEN, "java -cp .:lib/* Write")


WRITERS = {
    "javascript-elasticsearch-8": _javascript("elasticsearch-8.19", "@elastic/elasticsearch", 8),
    "javascript-elasticsearch-9": _javascript("elasticsearch-9", "@elastic/elasticsearch", 9),
    "javascript-opensearch": _javascript("opensearch-3", "@opensearch-project/opensearch", 3),
    "go-elasticsearch": _go("go-elasticsearch", "elasticsearch-8.19"),
    "go-opensearch": _go("go-opensearch", "opensearch-3"),
    "java-elasticsearch": _java("java-elasticsearch", "elasticsearch-8.19"),
    "java-opensearch": _java("java-opensearch", "opensearch-3"),
}


def write(command: str, folder: Path, url: str, index: str, action: str) -> Any:
    """What a writer says: how many documents were written, and how many failed."""
    lines = "".join(f"{json.dumps({'_id': id_, **source})}\n" for id_, source in MADE.items())
    done = subprocess.run(
        [*command.split(), url, index, action],
        cwd=folder,
        input=lines,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(status: int, times: int) -> Fault:
    """The cluster refuses so many bulks of the writer."""
    left = [None] * times

    def fault(request: Request, forward: Forward) -> Answer | None:
        if OURS not in request.path or not left:
            return forward(request)
        left.pop()
        return busy(status)(request, forward)

    return fault


def check(writer: Writer, folder: Path, engine: str, index: str) -> list[str]:
    """Write on both ways and compare; what was compared. AssertionError if they differ."""
    for step in writer.prepare:
        subprocess.run(step.split(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with proxy(f"http://{engine.partition('://')[2]}") as wire:
        through = f"{writer.kind}://127.0.0.1:{wire.port}/{index}"
        ask(engine, "PUT", f"/{index}-straight", MAPPING)
        with filtering(through) as filter_:
            return _compare(writer, folder, wire, filter_)


def _compare(writer: Writer, folder: Path, wire: Proxy, filter_: Filter) -> list[str]:
    straight = f"{filter_.index}-straight"
    ways = ((f"http://127.0.0.1:{wire.port}", straight), (filter_.url, filter_.index))

    def answers(action: str = "index", status: int = 0, times: int = 0) -> Any:
        """The answer on both ways, which must be one."""
        found = []
        for url, index in ways:
            wire.always = refused(status, times)
            found.append(write(writer.run, folder, url, index, action))
        assert found[0] == found[1], found
        return found[0]

    refusals = [f"413 always: {answers(status=413, times=1000)}", f"429 once: {answers(status=429, times=1)}"]
    assert answers() == {"successful": len(MADE), "failed": 0}
    refusals.append(f"409: {answers('create')}")
    stored = filter_.sources()
    assert {id_: bare(one) for id_, one in stored.items()} == sources(filter_.engine_url, straight)
    _wait_for_groups(filter_)
    return refusals


def _wait_for_groups(filter_: Filter) -> None:
    end, expected = time.monotonic() + 60, offline(MADE)
    while (found := partition(filter_.groups())) != expected:
        assert time.monotonic() < end, found
        time.sleep(0.2)


def main(names: list[str]) -> int:
    """Check every writer that can be run here. 1 if a tool is missing for one of them, which is said."""
    missing = []
    with tempfile.TemporaryDirectory() as shared, Pool(Path(shared)) as pool:
        for name, writer in WRITERS.items():
            if names and name not in names:
                continue
            if lacking := [tool for tool in writer.tools if not shutil.which(tool)]:
                missing.append(f"{name} was NOT TRIED: {' and '.join(lacking)} must be installed")
                continue
            address = pool.get(writer.server).url.removeprefix("http://")
            engine, index = f"{writer.kind}://{address}", f"test-writers-{secrets.token_hex(4)}"
            with tempfile.TemporaryDirectory() as folder:
                copied = shutil.copytree(FOLDER / writer.folder, Path(folder) / name)
                compared = check(writer, Path(copied), engine, index)
            beside = (f"dup-groups-{index}-{kind}" for kind in ("redirects", "settled"))
            for name_ in (index, f"{index}-straight", *beside):
                ask(engine, "DELETE", f"/{name_}?ignore_unavailable=true")
            print(f"{name}: {len(MADE)} documents, the same on both ways, in their groups", flush=True)
            print(f"    the same answers: {'; '.join(compared)}", flush=True)
    for sentence in missing:
        print(sentence, file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
