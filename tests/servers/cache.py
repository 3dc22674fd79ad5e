"""Fetch a server through Maven, once per machine, into a cache outside the clone.

`${DUPGROUPS_CACHE:-${XDG_CACHE_HOME:-~/.cache}/dup-groups}/servers/<name>/<version>` either holds a whole
server or does not exist: the download goes to a directory `<version>.part-...` beside it, which is renamed
at the end. A lock file keeps a second process waiting meanwhile.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from servers.java import NEEDED_BY_MAVEN, find_java, new_enough
from servers.releases import Release, ServerUnavailable, find_release

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
GOALS = {"jar": "copy-dependencies", "zip": "unpack-dependencies"}
DOWNLOAD_LIMIT = 1200  # seconds

POM = """\
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>dupgroups.tests</groupId><artifactId>server</artifactId><version>1</version>
  <dependencies>
    <dependency>
      <groupId>{release.group}</groupId>
      <artifactId>{release.artifact}</artifactId>
      <version>{release.artifact_version}</version>
      <type>{release.packaging}</type>
    </dependency>
  </dependencies>
</project>
"""


def fetch(name: str) -> Path:
    """Directory of the server called `name`, downloaded unless a former run has done so."""
    return fetch_release(find_release(name))


def fetch_release(release: Release) -> Path:
    """As `fetch`, of any release, such as a plug-in of a server."""
    place = cache_directory() / release.name / release.version
    with locked(place.with_name("lock")):
        if not place.exists():
            _download(release, place)
    return place


def cache_directory() -> Path:
    """Where the servers are kept between runs."""
    general = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    ours = Path(os.environ.get("DUPGROUPS_CACHE") or general / "dup-groups")
    return ours.expanduser().absolute() / "servers"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _download(release: Release, place: Path) -> None:
    prefix = f"{release.version}.part-"
    for left_by_a_killed_run in place.parent.glob(f"{prefix}*"):
        shutil.rmtree(left_by_a_killed_run, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=place.parent) as part:
        _run_maven(release, Path(part) / "pom.xml", Path(part) / "server")
        (Path(part) / "server").rename(place)


def _run_maven(release: Release, pom: Path, output: Path) -> None:
    maven = shutil.which("mvn")
    if not maven:
        raise ServerUnavailable(f"{release.name} is downloaded with Maven and there is no `mvn` on PATH")
    pom.write_text(POM.format(release=release), encoding="utf-8")
    goal = f"{PLUGIN}:{GOALS[release.packaging]}"
    options = [f"-DoutputDirectory={output}", "-DincludeScope=runtime"]
    command = [maven, "-B", "-q", "-U", "-f", str(pom), goal, *options]
    environment = {**os.environ, "JAVA_HOME": str(new_enough(NEEDED_BY_MAVEN) or find_java())}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=DOWNLOAD_LIMIT)
    if done.returncode or not output.exists():
        errors = re.findall(r"\[ERROR\] *(\S.*)", done.stdout) or ["Maven said nothing"]
        raise ServerUnavailable(
            f'the download of {release.name} failed ("{errors[0][:300]}"): check the network and the '
            "settings of Maven"
        )
