"""What stands beside the paragraphs of an article in boxes of its own, and copies of the whole article.

The names of classes and ids are written by the people who made the page. In cross-validation these few words
say more about a block than the network learns from them, because it sees the names of all boxes around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dupgroups.content.blocks import Blocks
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.lexicon import name_parts

_LEVELS = 5  # nearest boxes whose names are looked at: those farther out may hold the article as well
_LEFT = 1 / 6  # least part of the text that is not aside: a forum is all comments
_COPY, _LONG = 400, 100_000  # characters of a copy of the article
_SHARE, _MANY = 4, 1_000  # least part of the text that a copy is; most blocks, for it takes their product


@lru_cache(maxsize=20_000)  # most names come again on the next page
def _is_aside(name: str) -> bool:
    asides = ("author", "authors", "bio", "caption", "comment", "comments", "disqus", "reply")
    return any(part in asides for part in name_parts(name))


def without_asides(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """The blocks kept, indices in order, without comments, captions and notes on the author.

    They are known by the names of the nearest boxes. All are kept if little of the text would remain.
    """
    rest = [index for index in kept if not _in_aside(page, page.box[index])]
    if len(rest) == len(kept):
        return kept
    left, whole = (sum(len(page.texts[index]) for index in indices) for indices in (rest, kept))
    return rest if left >= _LEFT * whole else kept


def _in_aside(page: Blocks, box: int) -> bool:
    for _ in range(_LEVELS):
        if _is_aside(page.names[box]):
            return True
        box = page.parents[box]
    return False


def without_copies(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """Without blocks of which more than half are others that are kept: copies for printers or programs."""
    texts = [page.texts[index] for index in kept]
    least = max(sum(map(len, texts)) // _SHARE, _COPY)
    if len(texts) > _MANY or not least <= max(map(len, texts), default=0) <= _LONG:
        return kept
    texts = list(map(letters_and_digits, texts))
    copies = {
        text
        for text in texts
        if len(text) >= least
        and 2 * sum(len(other) for other in texts if len(other) < len(text) and other in text) > len(text)
    }
    return [index for index, text in zip(kept, texts, strict=True) if text not in copies]
