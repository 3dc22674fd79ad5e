"""The Spidermon monitors of the example project, and its log as JSON Lines, in real crawls."""

from __future__ import annotations

import json
import re
from pathlib import Path

from test_newscrawl import crawl

NAMES = {
    "Every item was counted in one state",
    "Articles were stored",
    "No page was lost",
    "No page waits for a replay",
    "Texts are long enough to be compared",
    "The engine keeps up",
}


def log_of_crawl(folder: Path, *lines: object, **settings: object) -> str:
    """Crawl an archive of these lines."""
    file = folder / "pages.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done, _ = crawl(folder, "pages", f"path={file}", **settings)
    assert done.returncode == 0, done.stderr
    return done.stderr


def monitored(log: str) -> dict[str, str]:
    """What each monitor said."""
    return dict(re.findall(r"\[Spidermon\] dup-groups/(.+)\.\.\. (\w+)", log))


def test_little_text_is_found_and_the_log_can_be_json(tmp_path: Path) -> None:
    short = [{"url": f"https://example.org/{number}", "text": f"Short {number}."} for number in range(12)]
    lines = log_of_crawl(tmp_path, *short, DUPGROUPS_LOG_FORMAT="json").splitlines()
    before = next(number for number, line in enumerate(lines) if line.startswith('{"time'))
    assert "Enabled item pipelines" in lines[before]
    records = [json.loads(line) for line in lines[before:]]
    assert {"scrapy.core.engine", "dupgroups.scrapy.pipeline"} <= {one["logger"] for one in records}
    found = monitored("\n".join(record["message"] for record in records))
    assert found == dict.fromkeys(NAMES, "OK") | {"Texts are long enough to be compared": "FAIL"}
