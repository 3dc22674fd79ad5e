"""The demo from its crawl to its search page; tests/test_newscrawl.py crawls its sites."""

from __future__ import annotations

import json
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dupgroups_demo import build
from processes import environment, free_port, started


def _status(url: str) -> int:
    parts = urlsplit(url)
    connection = HTTPConnection("127.0.0.1", parts.port, timeout=10)  # not every system knows *.localhost
    try:
        connection.request("GET", parts.path, headers={"Host": parts.netloc})
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.whole
def test_the_demo_groups_all_copies_and_serves_what_its_headlines_lead_to(tmp_path: Path) -> None:
    arguments = ["-m", "dupgroups_demo", "--serve", "--port", "{port}", "--sites-port", str(free_port())]
    with started(arguments, tmp_path) as served:
        printed = " ".join(served.printed().split())
        hits = json.loads(served.get("/api/search?q=ferry"))["hits"]
        urls = [hit["shown"]["url"] for hit in hits]
        assert [_status(url) for url in urls] == [200] * len(urls)
    assert "0 other pages, 0 pairs of copies missed, 0 pairs grouped wrongly" in printed
    pages = {site.url.rpartition(":")[0]: site for site in build()}
    found = [pages[url.rpartition(":")[0]].by_path[urlsplit(url).path].story for url in urls]
    assert found == ["ferry-collision", "ferry-inquiry", "storm-odile"]  # which names Ferry Street
    assert all(urlsplit(url).hostname.endswith(".localhost") for url in urls)


def test_without_the_extras_the_demo_is_one_sentence(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['scrapy'] = None\n"
        "from typer.testing import CliRunner; from dupgroups_demo.command import app\n"
        "print(CliRunner().invoke(app).exception)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert done.stdout == "The demo needs an extra: pip install 'dup-groups[scrapy,web]'\n"
    assert list(tmp_path.iterdir()) == []
