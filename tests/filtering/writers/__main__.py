"""python -m filtering.writers [NAME...]: write with every client, or these, whose tools are here."""

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from es_plugin.clusters import address
from filtering.running import all_bare, documents, eventually, filtering, make, offline, partition, sources
from servers import Pool

FOLDER = Path(__file__).parent
MADE = documents(6, 4)

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


WRITERS = {
    "javascript-elasticsearch-8": _javascript("elasticsearch-8.19", "@elastic/elasticsearch", 8),
    "javascript-elasticsearch-9": _javascript("elasticsearch-9", "@elastic/elasticsearch", 9),
    "javascript-opensearch": _javascript("opensearch-3", "@opensearch-project/opensearch", 3),
    "go-opensearch": Writer("go-opensearch", "opensearch-3", ("go",), GO, "./write"),
    "java-elasticsearch": Writer(
        "java-elasticsearch", "elasticsearch-8.19", ("mvn", "javac"), MAVEN, "java -cp .:lib/* Write"
    ),
}


def write(command: str, folder: Path, url: str, index: str, action: str) -> Any:
    """What a writer says: how many documents were written, and how many failed."""
    done = subprocess.run(
        [*command.split(), url, index, action],
        cwd=folder,
        input="".join(f"{json.dumps({'_id': id_, **source})}\n" for id_, source in MADE.items()),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(writer: Writer, folder: Path, engine: str, index: str) -> str:
    """Write on both ways, and again what is refused then; the answers. AssertionError if the ways differ."""
    for step in writer.prepare:
        subprocess.run(step.split(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    straight = make(f"{engine}/{index}-straight")
    with filtering(f"{engine}/{index}") as filter_:
        ways = ((address(filter_.engine_url), straight), (filter_.url, filter_.index))
        answers = [
            [write(writer.run, folder, *way, action) for action in ("index", "create")] for way in ways
        ]
        assert answers[0] == answers[1], answers
        assert answers[0][0] == {"successful": len(MADE), "failed": 0}
        assert all_bare(filter_.sources()) == sources(filter_.engine_url, straight)
        eventually(lambda: partition(filter_.groups()), offline(MADE))
        return f"{answers[0][1]} of what is there already"


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
            host = pool.get(writer.server).url.removeprefix("http://")
            index = f"test-writers-{secrets.token_hex(4)}"
            copied = shutil.copytree(FOLDER / writer.folder, Path(shared, name))
            answers = check(writer, Path(copied), f"{writer.kind}://{host}", index)
            print(f"{name}: {len(MADE)} documents, the same on both ways, in their groups", flush=True)
            print(f"    the same answers: {answers}", flush=True)
    for sentence in missing:
        print(sentence, file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
