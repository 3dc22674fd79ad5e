"""The words of 5,394 English and Chinese news pages that occur in at least eight of them.

A Chinese character is a word. `news_words.txt` begins with the number of pages; every further line holds a
number of pages and all words that occur in that many pages.
"""

from __future__ import annotations

from pathlib import Path


def pages_and_words() -> tuple[int, list[tuple[int, str]]]:
    """The number of pages, and pairs of a page count and the words with that count, separated by blanks."""
    first, *lines = Path(__file__).with_name("news_words.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" ") for line in lines)
    return int(first), [(int(count), words) for count, _, words in parts]
