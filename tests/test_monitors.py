"""The Spidermon monitors of the example project, in real crawls."""

from __future__ import annotations

import json
import re
from pathlib import Path

from stories import story
from test_newscrawl import crawl

NAMES = {
    "Every item was counted in one state",
    "Articles were stored",
    "No page was lost",
    "No page waits for a replay",
    "Texts are long enough to be compared",
    "The engine keeps up",
}


def monitored(folder: Path, *lines: object) -> dict[str, str]:
    """Crawl an archive of these lines; returns what each monitor said."""
    file = folder / "pages.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done, _ = crawl(folder, "pages", f"path={file}")
    assert done.returncode == 0, done.stderr
    return dict(re.findall(r"\[Spidermon\] dup-groups/(.+)\.\.\. (\w+)", done.stderr))


def test_a_good_crawl_passes(tmp_path: Path) -> None:
    pages = [{"url": f"https://example.org/{name}", "text": story(name)} for name in ("one", "two")]
    assert monitored(tmp_path, *pages) == dict.fromkeys(NAMES, "OK")


def test_a_crawl_that_stored_nothing_or_little_text_is_found(tmp_path: Path) -> None:
    short = [{"url": f"https://example.org/{number}", "text": f"Short {number}."} for number in range(12)]
    assert monitored(tmp_path, *short) == dict.fromkeys(NAMES, "OK") | {
        "Texts are long enough to be compared": "FAIL"
    }
