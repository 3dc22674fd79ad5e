"""The servers of the tests say what they are, and never outlive the run that wanted them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from es_plugin.clusters import ALL_BUT_ONE, marks
from servers import RELEASES, opensearch
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


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, ALL_BUT_ONE)) for name in RELEASES])
def test_a_server_says_what_it_is_and_is_gone_though_the_run_was_killed(name: str) -> None:
    port = free_port() if name.startswith("elastic") else opensearch.choose_port()
    command = [sys.executable, "-m", "servers", name, "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
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
