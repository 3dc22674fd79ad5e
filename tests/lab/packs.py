"""Packs of made pages, in the format of labelled data."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from content.pages import STORY, news_page, numbered_front

PAGE = {"site": "s", "url": "https://s.example/<a>", "lang": "en", "page_type": "article"}


def write_pack(folder: Path, pages: Iterable[Mapping[str, Any]]) -> Path:
    """A pack of these pages, which are articles of one English site if they do not say otherwise."""
    folder.mkdir(exist_ok=True)
    with gzip.open(folder / "pages.jsonl.gz", "wt", encoding="utf-8") as lines:
        for number, page in enumerate(pages):
            print(json.dumps({"id": str(number), **PAGE, "text": "", **page}), file=lines)
    return folder


def typed_pack(parent: Path) -> Path:
    """A pack of twelve articles and twelve front pages of four sites, and of a page of unknown type."""
    articles = [{"html": news_page(story=STORY[: 2 + number % 3])} for number in range(12)]
    fronts = [{"html": numbered_front(number), "page_type": "other"} for number in range(12, 24)]
    typed = [{**page, "site": f"{number % 4}.example"} for number, page in enumerate([*articles, *fronts])]
    return write_pack(parent / "made", [*typed, {"html": "<p>of no known type", "page_type": ""}])


def article_pack(parent: Path) -> Path:
    """A pack of sixty articles of six sites, with their texts."""
    stories = [tuple(f"{sentence} Case {number}." for sentence in STORY) for number in range(60)]
    return write_pack(
        parent / "made",
        (
            {"site": f"s{number % 6}", "html": news_page(story=story), "text": "\n".join(story)}
            for number, story in enumerate(stories)
        ),
    )
