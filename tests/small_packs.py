"""Packs of labelled pages and documents that are made from the demo."""

import csv
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from dupgroups_demo import build
from dupgroups_demo.stories import load_stories, paragraphs

PACKS = {"demo-en": "en", "demo-zh": "zh", "demo": "en zh"}  # with the languages of their pages


def write_small_packs(folder: Path) -> None:
    """Write the packs of the demo into this folder: labelled pages, and labelled documents."""
    rows = list(_rows())
    for name, languages in PACKS.items():
        (folder / name).mkdir()
        pages = [row for row in rows if row["lang"] in languages]
        articles = [row for row in pages if row["page_type"] == "article"]
        for file, listed in (("pages.jsonl.gz", pages), ("docs.jsonl.gz", articles)):
            with gzip.open(folder / name / file, "wt", encoding="utf-8") as lines:
                lines.writelines(f"{json.dumps(row)}\n" for row in listed)
        with (folder / name / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("a", "b", "label"), *_labels(articles)])


def _rows() -> Iterator[dict[str, Any]]:
    """The pages of the demo; `story` and `excerpt` are what the labels come from."""
    copies = [(story, copy) for story in load_stories() for copy in story.copies]
    texts = {(story.id, copy.site): "\n".join(paragraphs(story, copy)) for story, copy in copies}
    for site in build():
        for page in (page for page in site.pages if "html" in page.content_type):
            yield {
                "id": f"{site.key}{page.path}",
                "url": site.url + page.path,
                "site": site.url,
                "lang": site.language,
                "page_type": "article" if page.article else "other",
                "html": page.body.decode(page.encoding),
                "text": texts.get((page.story or "", site.key)),
                "story": page.story or "",
                "excerpt": page.excerpt,
            }


def _labels(articles: Sequence[Mapping[str, Any]]) -> Iterable[tuple[str, str, str]]:
    for a, b in combinations(articles, 2):
        if a["story"] == b["story"]:
            yield a["id"], b["id"], "containment" if a["excerpt"] or b["excerpt"] else "duplicate"
        elif a["story"][:-1] == b["story"][:-1]:
            yield a["id"], b["id"], "non"  # two days of a series
