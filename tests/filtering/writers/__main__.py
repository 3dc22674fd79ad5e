"""python -m filtering.writers [NAME...]: write with every client, or these, whose tools are here."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from es_plugin.clusters import ask
from es_plugin.proxy import Answer, Fault, Forward, Proxy, Request, busy, proxy
from filtering.running import MAPPING, Filter, bare, documents, filtering, offline, partition, sources
from servers import Pool

FOLDER = Path(__file__).parent
MADE = documents(6, 4)
SERVERS = {"elasticsearch": "elasticsearch-8.19", "opensearch": "opensearch-3"}
OURS = "refresh=false"  # in the path of what the writers send, and of nothing else

NPM = ("npm install --no-audit --no-fund",)
GO = ("go mod tidy", "go build -o write .")
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
MAVEN = (f"mvn -q -B {COPY} -DoutputDirectory=lib", "javac -d . -cp lib/* Write.java")


@dataclass(frozen=True)
class Writer:
    """`tools` that are needed, what fetches the client, and how the command that writes begins."""

    kind: str
    tools: tuple[str, ...]
    prepare: tuple[str, ...]
    run: str


WRITERS = {
    "javascript": Writer("elasticsearch", ("npm", "node"), NPM, "node write.js"),
    "go-elasticsearch": Writer("elasticsearch", ("go",), GO, "./write"),
    "go-opensearch": Writer("opensearch", ("go",), GO, "./write"),
    "java-elasticsearch": Writer("elasticsearch", ("mvn", "javac"), MAVEN, "java -cp .:lib/* Write"),
    "java-opensearch": Writer("opensearch", ("mvn", "javac"), MAVEN, "java -cp .:lib/* Write"),
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
    assert partition(filter_.groups()) == offline(MADE)
    return refusals


def main(names: list[str]) -> int:
    """Check every writer that can be run here. 1 if a tool is missing for one of them, which is said."""
    missing = []
    with Pool() as pool:
        for name, writer in WRITERS.items():
            if names and name not in names:
                continue
            if lacking := [tool for tool in writer.tools if not shutil.which(tool)]:
                missing.append(f"{name} was NOT TRIED: {' and '.join(lacking)} must be installed")
                continue
            address = pool.get(SERVERS[writer.kind]).url.removeprefix("http://")
            engine, index = f"{writer.kind}://{address}", f"test-writers-{secrets.token_hex(4)}"
            with tempfile.TemporaryDirectory() as folder:
                copied = shutil.copytree(FOLDER / name, Path(folder) / name)
                compared = check(writer, Path(copied), engine, index)
            for suffix in ("", "-straight", "-redirects", "-settled"):
                ask(engine, "DELETE", f"/{index}{suffix}?ignore_unavailable=true")
            print(f"{name}: {len(MADE)} documents, the same on both ways, in their groups", flush=True)
            print(f"    the same answers: {'; '.join(compared)}", flush=True)
    for sentence in missing:
        print(sentence, file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
