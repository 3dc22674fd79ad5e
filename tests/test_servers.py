"""The servers of the tests: they come up, say what they are, and never outlive the run that wanted them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from es_plugin.clusters import ALL_BUT_ONE, marks
from servers import RELEASES, Pool, Server, ServerUnavailable, nodes, opensearch, start
from servers.launch import Launch
from servers.ports import free_port, is_free

TESTS = Path(__file__).parent
_open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open


def eventually(condition: Callable[[], object], seconds: float = 30.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.1)
    return bool(condition())


def processes_of(home: Path) -> str:
    """Every process of this machine whose command line names that directory."""
    listed = subprocess.run(["ps", "-eo", "pid,args", "-ww"], capture_output=True, text=True, check=True)
    return "\n".join(line for line in listed.stdout.splitlines() if str(home) in line)


def spawn(*command: object, **options: Any) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    arguments = [sys.executable, *map(str, command)]
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True, **options)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, ALL_BUT_ONE)) for name in RELEASES])
def test_a_server_says_what_it_is_and_is_gone_though_the_run_was_killed(name: str) -> None:
    port = free_port() if name.startswith("elastic") else opensearch.choose_port()
    run = spawn("-m", "servers", name, "--port", port)
    assert run.stdout
    announced = run.stdout.readline()
    url = f"http://127.0.0.1:{port}"
    assert f"{RELEASES[name].version}: {url}" in announced
    with _open(f"{url}/_nodes/_local?filter_path=nodes.*.version") as answer:
        elastic = answer.headers.get("X-Elastic-Product") == "Elasticsearch"
        (node,) = json.load(answer)["nodes"].values()
    assert (node["version"], elastic) == (RELEASES[name].version, name.startswith("elastic"))
    home = Path(announced.partition("log: ")[2].rpartition("/")[0])
    assert processes_of(home)
    run.kill()
    run.wait()
    assert eventually(lambda: not processes_of(home)), processes_of(home)
    assert eventually(lambda: not home.exists())
    assert is_free(port)


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


class Impostor:
    """A distribution whose servers are small scripts; `names` are what they call their clusters, in turn."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.ports: list[int] = []

    def choose_port(self) -> int:
        self.ports.append(free_port())
        return self.ports[-1]

    def prepare(self, program: Path, java: Path, home: Path, port: int, peer: None) -> Launch:
        name = self.names.pop(0).format(home=home)
        return Launch((sys.executable, "-c", CLUSTER, str(port), name), os.environ)


@pytest.fixture
def impostor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Impostor:
    distribution = Impostor()
    monkeypatch.setitem(nodes.DISTRIBUTIONS, "opensearch", distribution)  # type: ignore[arg-type]
    monkeypatch.setattr(nodes, "fetch", lambda name: tmp_path)
    monkeypatch.setattr(nodes, "find_java", lambda release: tmp_path)
    return distribution


def test_a_port_on_which_another_cluster_answers_is_given_up_for_the_next(impostor: Impostor) -> None:
    impostor.names = ["somebody's news", "{home.name}"]
    with start("opensearch-3") as server:
        assert len(impostor.ports) == 2
        assert server.url == f"http://127.0.0.1:{impostor.ports[1]}"
        assert is_free(impostor.ports[0])
    assert is_free(impostor.ports[1])


def test_pools_of_a_folder_start_each_server_once_and_it_ends_with_the_last_of_them(tmp_path: Path) -> None:
    log: list[str] = []

    @contextmanager
    def recorded(name: str) -> Iterator[Server]:
        log.append(f"start {name}")
        if name == "broken":
            raise ServerUnavailable("broken is broken")
        yield Server(name, "http://127.0.0.1:1", "none", "0", Path("log"))
        log.append(f"stop {name}")

    one, two = Pool(tmp_path, recorded), Pool(tmp_path, recorded)
    assert one.get("a") == one.get("a") == two.get("a")
    assert two.get("b") == one.get("b")
    for _ in range(2):
        with pytest.raises(ServerUnavailable, match="broken is broken"):
            one.get("broken")
    assert log == ["start a", "start b", "start broken"]
    ending = threading.Thread(target=one.close)
    ending.start()
    assert "stop a" not in log
    two.close()
    ending.join()
    assert sorted(log[3:]) == ["stop a", "stop b"]
