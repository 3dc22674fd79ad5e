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


def test_little_text_is_found_and_the_log_can_be_json(tmp_path: Path) -> None:
    short = [{"url": f"https://example.org/{number}", "text": f"Short {number}."} for number in range(12)]
    file = tmp_path / "pages.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in short))
    done, _ = crawl(tmp_path, "pages", f"path={file}", DUPGROUPS_LOG_FORMAT="json")
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    before = next(number for number, line in enumerate(lines) if line.startswith('{"time'))
    assert "Enabled item pipelines" in lines[before]
    records = [json.loads(line) for line in lines[before:]]
    assert {"scrapy.core.engine", "dupgroups.scrapy.pipeline"} <= {one["logger"] for one in records}
    log = "\n".join(record["message"] for record in records)
    found = dict(re.findall(r"\[Spidermon\] dup-groups/(.+)\.\.\. (\w+)", log))
    assert found == dict.fromkeys(NAMES, "OK") | {"Texts are long enough to be compared": "FAIL"}
