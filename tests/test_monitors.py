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


def test_little_text_is_found(tmp_path: Path) -> None:
    short = [{"url": f"https://example.org/{number}", "text": f"Short {number}."} for number in range(12)]
    file = tmp_path / "pages.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in short))
    done, _ = crawl(tmp_path, "pages", f"path={file}")
    assert done.returncode == 0, done.stderr
    found = dict(re.findall(r"\[Spidermon\] dup-groups/(.+)\.\.\. (\w+)", done.stderr))
    assert found == dict.fromkeys(NAMES, "OK") | {"Texts are long enough to be compared": "FAIL"}
