"""What `docker compose up --wait` and `run crawler` do, with plain processes and a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from dupgroups.engines.url import EngineURL
from dupgroups_demo import seeds, serve
from es_plugin.clusters import ONE_OF_EACH, address, servers
from es_plugin.proxy import certificate, guarded, proxy
from processes import environment as inherited
from processes import started
from test_docker import ENGINES, SECRET, configuration

ROOT = Path(__file__).parents[1]


def is_healthy(service: dict[str, Any], inside: str, outside: str) -> bool:
    """Run the health check of a service once; `inside` is its address in the file, `outside` the real one."""
    kind, *command = (part.replace(inside, outside) for part in service["healthcheck"]["test"])
    if kind == "CMD-SHELL":
        command = ["sh", "-c", *command]
    elif command[0] == "python":
        command[0] = sys.executable
    return subprocess.run(command, capture_output=True, timeout=30).returncode == 0


@servers(ONE_OF_EACH)
def test_the_services_come_up_in_their_order_and_the_page_shows_what_the_crawler_finds(
    engine_url: str, tmp_path: Path
) -> None:
    url = EngineURL.parse(engine_url, {})
    services = configuration(url.kind)["services"]
    web, crawler = services["web"], services["crawler"]
    assert web["depends_on"][url.kind]["condition"] == "service_healthy"
    with proxy(address(engine_url), certificate(tmp_path / "server.pem")) as engine:
        engine.always = guarded(ENGINES[url.kind], SECRET)
        assert is_healthy(services[url.kind], "localhost:9200", f"127.0.0.1:{engine.port}")
        assert not is_healthy(services[url.kind], "localhost:9200", "127.0.0.1:9")
        given = dict(web["environment"])
        place = f"{url.kind}:9200/news"
        assert place in given["DUPGROUPS_ENGINE"]
        given["DUPGROUPS_ENGINE"] = given["DUPGROUPS_ENGINE"].replace(
            place, f"127.0.0.1:{engine.port}/{url.path}"
        )
        program, *arguments = web["command"]
        assert program == "dup-groups"
        command = ["-m", "dupgroups", *("{port}" if part == "8000" else part for part in arguments)]
        with started(command, tmp_path, inherited(**given)) as page:
            assert is_healthy(web, "8000", str(page.port))
            assert json.loads(page.get("/api/search"))["documents"] == 0
            crawl(crawler, given, tmp_path)
            end = time.monotonic() + 30  # the index refreshes every second
            while not json.loads(page.get("/api/search"))["documents"]:
                assert time.monotonic() < end
                time.sleep(0.1)
            assert is_healthy(web, "8000", str(page.port))
        assert not is_healthy(web, "8000", str(page.port))


def crawl(service: dict[str, Any], environment: dict[str, str], folder: Path) -> None:
    """Run the command of the crawler over one of the demo sites."""
    given = inherited(SCRAPY_SETTINGS_MODULE="newscrawl.settings", **environment)
    given["PYTHONPATH"] += os.pathsep + str(ROOT / "scrapy_project")
    options = {
        "TWISTED_DNS_RESOLVER": "dupgroups_demo.crawl.LoopbackResolver",
        "HTTPPROXY_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    }
    with serve() as sites:
        (folder / "seeds.txt").write_text(seeds(sites[:1]), encoding="utf-8")
        command = [part.replace("/seeds", str(folder), 1) for part in service["command"]]
        command = [sys.executable, "-m", *service["entrypoint"], *command]
        command += [part for name, value in options.items() for part in ("-s", f"{name}={value}")]
        done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
