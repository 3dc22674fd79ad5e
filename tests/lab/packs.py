"""Packs of made pages, in the format of labelled data."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from content.pages import STORY, news_page, numbered_front


def row(number: int, kind: str, site: str, html: str) -> str:
    """A labelled page as a line of its pack."""
    return json.dumps(
        {
            "id": str(number),
            "site": site,
            "url": None,
            "lang": "en",
            "page_type": kind,
            "html": html,
            "text": "",
        }
    )


def typed_pack(parent: Path) -> Path:
    """A pack of twelve articles and twelve front pages of four sites, and of a page of unknown type."""
    folder = parent / "made"
    folder.mkdir()
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        for number in range(24):
            site = f"{number % 4}.example"
            kind = "article" if number < 12 else "other"
            html = news_page(story=STORY[: 2 + number % 3]) if number < 12 else numbered_front(number)
            print(row(number, kind, site, html), file=lines)
        print(row(24, "", "x.example", "<p>of no known type"), file=lines)
    return folder


def article_pack(parent: Path) -> Path:
    """A pack of 300 articles of six sites, with their texts."""
    folder = parent / "made"
    folder.mkdir()
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        for number in range(300):
            story = tuple(f"{sentence} Case {number}." for sentence in STORY)
            page = {
                "id": str(number),
                "site": f"s{number % 6}",
                "url": None,
                "lang": "en",
                "page_type": "article",
            }
            page |= {"html": news_page(story=story), "text": "\n".join(story)}
            lines.write(json.dumps(page) + "\n")
    return folder
