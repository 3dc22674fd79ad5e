"""The servers of the tests: they come up, say what they are, and never outlive the run that wanted them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from servers import RELEASES, Pool, Server, ServerUnavailable, cache, fetch, java, keeper, opensearch, start
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


@pytest.mark.server
@pytest.mark.parametrize("name", RELEASES)
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


@pytest.mark.server
@pytest.mark.parametrize("name", ["opensearch-3", "elasticsearch-9"])
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


@pytest.mark.server
def test_two_servers_of_one_name_run_side_by_side():
    with start("opensearch-3") as one, start("opensearch-3") as other:
        assert one.url != other.url
        for server in (one, other):
            with _open(f"{server.url}/_cluster/health") as answer:
                health = json.load(answer)
            assert (health["number_of_nodes"], health["cluster_name"]) == (1, server.log.parent.name)


# --- the machinery, without servers


@contextmanager
def recorded(name: str, log: list[str]) -> Iterator[Server]:
    if name == "broken":
        log.append("tried broken")
        raise ServerUnavailable("broken is broken")
    log.append(f"started {name}")
    yield Server(name, "http://127.0.0.1:1", "none", "0", Path("log"))
    log.append(f"stopped {name}")


def test_a_pool_starts_each_server_once_and_stops_all_of_them_at_the_end():
    log: list[str] = []
    with Pool(lambda name: recorded(name, log)) as pool:
        assert log == []
        assert pool.get("a") is pool.get("a")
        assert pool.get("b").name == "b"
        for _ in range(2):
            with pytest.raises(ServerUnavailable, match="broken is broken"):
                pool.get("broken")
    assert log == ["started a", "started b", "tried broken", "stopped b", "stopped a"]


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
    with pytest.raises(
        ServerUnavailable, match=r"Java 21 or newer.*openjdk-21-jdk-headless.*make test-quick"
    ):
        java.find_java(RELEASES["elasticsearch-9"])
    assert java.find_java(RELEASES["elasticsearch-8.19"]) == (bare_machine / "old").resolve()


def test_the_newest_java_that_fits_is_taken(bare_machine, monkeypatch):
    for home, version in [("a", "21.0.4"), ("b", "25"), ("c", "1.8.0_292")]:
        install_java(bare_machine / "jvm" / home, version)
    monkeypatch.setattr(java, "INSTALLED", (f"{bare_machine}/jvm/*",))
    assert java.find_java(RELEASES["opensearch-2.19"]).name == "b"


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("echo '[ERROR] Could not transfer artifact'; exit 1", "Could not transfer artifact"),
        ("touch $PWD/ignored", "Maven said nothing"),
    ],
)
def test_a_failed_download_leaves_nothing_half_done(bare_machine, monkeypatch, script, sentence):
    monkeypatch.setenv("JAVA_HOME", str(install_java(bare_machine / "jdk", "25")))
    install(bare_machine, "mvn", script)
    monkeypatch.chdir(bare_machine)
    with pytest.raises(ServerUnavailable, match=rf"download of opensearch-3 .*{sentence}.*make test-quick"):
        fetch("opensearch-3")
    assert [path for path in cache.cache_directory().rglob("*") if "3.8.0" in path.name] == []


def test_a_download_happens_once_even_when_two_processes_want_it(bare_machine, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(install_java(bare_machine / "jdk", "25")))
    log = bare_machine / "downloads"
    copy = (
        f"for a; do case $a in -DoutputDirectory=*) echo x >${{a#*=}}/a.jar;; esac; done; echo once >>{log}"
    )
    install(bare_machine, "mvn", copy)
    program = "import servers, time; print(servers.fetch('opensearch-3'))"
    runs = [spawn("-c", program) for _ in range(3)]
    places = {run.communicate(timeout=60)[0].strip() for run in runs}
    assert places == {str(cache.cache_directory() / "opensearch-3" / "3.8.0")}
    assert log.read_text() == "once\n"


def test_a_port_out_of_the_runners_range_is_refused_with_a_reason(tmp_path):
    with pytest.raises(ValueError, match="9201 to 9299"):
        opensearch.prepare(tmp_path, tmp_path, tmp_path, 9300)
