"""Results and stories as the rows of a table, the names of its columns first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from dupgroups.model import Results
from dupgroups.presentation.story import Story, Ties, spread_rows

HITS = ("group", "size", "matching", "sites", "id", "title", "site", "date", "language", "author", "url")
COPIES = ("id", "site", "title", "published", "first_seen", "minutes", "cut", "added", "url")


def hit_rows(results: Results) -> Iterator[Sequence[Any]]:
    """The hits, each with the copy that is shown."""
    yield HITS
    for hit in results.hits:
        values = asdict(hit) | asdict(hit.shown)
        yield [values[name] for name in HITS]


def copy_rows(story: Story, ties: Ties) -> Iterator[Sequence[Any]]:
    """The copies of a story in the order of their publication, and how many words they changed."""
    yield COPIES
    titles = {copy.id: copy.title for copy in story.copies}
    for row in spread_rows(ties.spread):
        change = ties.changes.get(row["id"])
        values = row | {"title": titles[row["id"]]} | (asdict(change) if change else {})
        yield [values.get(name) for name in COPIES]
