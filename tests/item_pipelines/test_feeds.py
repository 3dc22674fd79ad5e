"""What the feeds of an existing project get: `scrapy runspider` with the add-on, as a user runs it."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

SPIDER = '''
import scrapy

STORY = """<p>The harbour master closed the northern quay after divers found a crack in a pillar.</p>
<p>Ships are sent to the old basin, which lies two miles up the river and has no crane, said the port.</p>
<p>The pillar was last looked at eleven years ago, and the report of that day names no fault of any kind.</p>
<p>Fishermen who land their catch there want to know who pays for the way to the other market.</p>"""

class Shop(scrapy.Spider):
    name = "shop"
    custom_settings = {"ADDONS": {"dupgroups.Addon": 300}, "DUPGROUPS_ENGINE": "sqlite:///news.db"}

    async def start(self):
        yield {"url": "https://a.example/prices", "price": 5}
        yield {"url": "https://a.example/2026/03/04/quay", "html": f"<h1>Quay closed</h1>{STORY}".encode()}
        yield {"url": "https://b.example/2026/03/04/quay", "html": f"<h1>Quay closed</h1>{STORY}".encode()}
'''


def run(tmp_path: Path, *args: str, code: int = 0) -> str:
    """Run the spider in an empty folder; returns its log."""
    (tmp_path / "shop.py").write_text(SPIDER)
    command = [sys.executable, "-m", "scrapy", "runspider", "shop.py", *args]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.whole
def test_feeds_have_the_results_though_the_first_item_is_not_an_article(tmp_path):
    settings = ["DUPGROUPS_DROP_FIELDS=html", "CONCURRENT_ITEMS=1", "DUPGROUPS_BATCH_SECONDS=0.01"]
    options = [word for setting in settings for word in ("-s", setting)]
    run(tmp_path, "-O", "news.json", "-O", "news.csv", *options)
    items = json.loads((tmp_path / "news.json").read_text())
    assert all("html" not in item for item in items), "bytes are no JSON"
    with (tmp_path / "news.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for found in (items, rows):
        assert [item["dup_state"] for item in found] == ["passed", "new", "joined"]
        assert found[1]["dup_group"] == found[2]["dup_group"] == found[1]["dup_id"]


@pytest.mark.whole
@pytest.mark.parametrize("client", ["opensearch", "elasticsearch"])
def test_a_dead_server_is_one_sentence_and_not_the_log_of_the_client(tmp_path, client):
    log = run(tmp_path, "-s", f"DUPGROUPS_ENGINE={client}://127.0.0.1:9/news?retries=2", code=1)
    assert "CRITICAL: The crawl does not start: " in log
    assert log.count("127.0.0.1:9") == 1 + log.count("'DUPGROUPS_ENGINE'")
    assert not re.search(r"\[(opensearch|elastic|urllib3)", log)
