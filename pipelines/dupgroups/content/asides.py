"""What stands beside the paragraphs of an article in boxes of its own, and copies of the whole article.

The names of classes and ids are written by the people who made the page. In cross-validation these few words
say more about a block than the network learns from them, because it sees the names of all boxes around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dupgroups.content.blocks import Blocks, letters_and_digits
from dupgroups.content.lexicon import name_parts
from dupgroups.content.references import is_long

_ASIDE = frozenset("author authors bio caption comment comments disqus reply tooltip".split())
_NAMED = 3  # nearest boxes with a name that are looked at: those farther out may hold the article as well
_COPY, _SHARE = 400, 4  # fewest letters of a copy of the article; at least this part of what is kept
_PARAGRAPH = 40  # fewest letters of a paragraph that is looked for in the copy


def without_asides(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """The blocks kept, indices in order, without comments, captions and notes on the author.

    They are known by the names of the nearest boxes. All are kept if no paragraph would remain.
    """
    rest = [index for index in kept if not _is_aside(page, page.blocks[index].box)]
    return rest if any(is_long(page.blocks[index]) for index in rest) else kept


def _is_aside(page: Blocks, box: int) -> bool:
    named = 0
    while box and named < _NAMED:
        parent, _, name, _ = page.boxes[box]
        words = _words(name)
        if not _ASIDE.isdisjoint(words):
            return True
        named += bool(words)
        box = parent
    return False


_words = lru_cache(maxsize=20_000)(name_parts)  # most names come again on the next page


def without_copies(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """The blocks kept without those that repeat the paragraphs of the others in one, as some pages do for
    printers or programs."""
    texts = [page.blocks[index].text for index in kept]
    least = max(sum(map(len, texts)) // _SHARE, _COPY)
    if max(map(len, texts), default=0) < least:
        return kept
    letters = list(map(letters_and_digits, texts))
    paragraphs = [text for text in letters if len(text) >= _PARAGRAPH]
    return [
        index
        for index, text, own in zip(kept, texts, letters, strict=True)
        if len(text) < least or not _holds_most(own, paragraphs)
    ]


def _holds_most(text: str, paragraphs: Sequence[str]) -> bool:
    """Whether more than half of a text are paragraphs that are shorter than it."""
    held = (len(other) for other in paragraphs if len(other) < len(text) and other in text)
    return 2 * sum(held) > len(text)
