"""What the feeds of an existing project get: `scrapy runspider` with the add-on, as a user runs it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

SPIDER = '''
import scrapy

STORY = "<p>The harbour master closed the northern quay after divers found a crack in a pillar.</p>" * 6

class Shop(scrapy.Spider):
    name = "shop"
    custom_settings = {"ADDONS": {"dupgroups.Addon": 300}, "DUPGROUPS_ENGINE": "sqlite:///news.db"}

    async def start(self):
        yield {"url": "https://a.example/prices", "price": 5}
        yield {"url": "https://a.example/2026/03/04/quay", "html": f"<h1>Quay closed</h1>{STORY}".encode()}
        yield {"url": "https://b.example/2026/03/04/quay", "html": f"<h1>Quay closed</h1>{STORY}".encode()}
'''


def run(tmp_path: Path, *args: str) -> str:
    """Run the spider in an empty folder; returns its log."""
    (tmp_path / "shop.py").write_text(SPIDER)
    command = [sys.executable, "-m", "scrapy", "runspider", "shop.py", *args]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_json_feeds_can_be_written_when_the_bytes_are_dropped(tmp_path):
    log = run(tmp_path, "-O", "news.json", "-s", "DUPGROUPS_DROP_FIELDS=html")
    items = json.loads((tmp_path / "news.json").read_text())
    assert "Traceback" not in log
    assert sorted(item["dup_state"] for item in items) == ["joined", "new", "passed"]
    assert all("html" not in item for item in items)


def test_csv_feeds_have_the_results_though_the_first_item_is_not_an_article(tmp_path):
    run(tmp_path, "-O", "news.csv", "-s", "CONCURRENT_ITEMS=1", "-s", "DUPGROUPS_BATCH_SECONDS=0.01")
    with (tmp_path / "news.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["dup_state"] for row in rows] == ["passed", "new", "joined"]
    assert rows[1]["dup_group"] == rows[2]["dup_group"] == rows[1]["dup_id"]
