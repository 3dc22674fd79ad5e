"""Small packs of the pages of the demo, which were written for it: labelled documents, and labelled pages."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from dupgroups_demo import DemoPage, build
from dupgroups_demo.stories import load_stories, paragraphs


def write_small_packs(folder: Path) -> None:
    """Write the packs `demo-en`, `demo-zh` and `demo` (both) into this folder."""
    texts = {
        (story.id, copy.site): "\n".join(paragraphs(story, copy))
        for story in load_stories()
        for copy in story.copies
    }
    found = [(site, page) for site in build() for page in site.pages if "html" in page.content_type]
    for name, languages in (("demo-en", "en"), ("demo-zh", "zh"), ("demo", "en zh")):
        pages = [
            (site.url, site.language, page, texts.get((page.story or "", site.key))) for site, page in found
        ]
        _write(folder / name, [page for page in pages if page[1] in languages])


def _write(folder: Path, pages: list[tuple[str, str, DemoPage, str | None]]) -> None:
    folder.mkdir()
    rows = [
        {
            "id": f"{number:03}",
            "url": url + page.path,
            "site": url,
            "lang": language,
            "page_type": "article" if page.article else "other",
            "html": page.body.decode(page.encoding),
            "text": text,
        }
        for number, (url, language, page, text) in enumerate(pages)
    ]
    _lines(folder / "pages.jsonl.gz", rows)
    articles = [(row, page) for row, (_, _, page, _) in zip(rows, pages, strict=True) if page.article]
    _lines(folder / "docs.jsonl.gz", (row for row, _ in articles))
    with (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("a", "b", "label"), *_labels(articles)])


def _labels(articles: Iterable[tuple[Mapping[str, Any], DemoPage]]) -> Iterator[tuple[str, str, str]]:
    for (a, one), (b, other) in combinations(articles, 2):
        if one.story == other.story:
            yield a["id"], b["id"], "containment" if one.excerpt or other.excerpt else "duplicate"
        elif str(one.story)[:-1] == str(other.story)[:-1]:
            yield a["id"], b["id"], "non"  # two days of a series


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for row in rows:
            print(json.dumps(row), file=lines)
