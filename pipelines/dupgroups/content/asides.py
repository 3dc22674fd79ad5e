"""What stands beside the paragraphs of an article in boxes of its own, and copies of the whole article.

The names of classes and ids are written by the people who made the page. In cross-validation these few words
say more about a block than the network learns from them, because it sees the names of all boxes around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dupgroups.content.blocks import Blocks
from dupgroups.content.letters import letters_and_digits
from dupgroups.content.lexicon import name_parts

_ASIDES = frozenset(
    """author authors bio caption comment comments disqus reply
    kommentar kommentare kommentarer komentar komentarz komentarze commentaire commentaires comentario comentarios
    commenti reacties yorum yorumlar dialog alertdialog cookie cookies consent onetrust didomi""".split()
)
_ALOUD = re.compile(r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text)(?:\s|$)")
_HEADINGS, _LISTS = frozenset("h1 h2 h3 h4 h5 h6".split()), frozenset(("ul", "ol"))
_LEVELS = 5  # nearest boxes whose names are looked at: those farther out may hold the article as well
_NEXT = 30  # blocks after the text in which a list may go on
_LEFT = 1 / 6  # least part of the text that is not aside: a forum is all comments
_COPY, _LONG = 400, 100_000  # characters of a copy of the article
_SHARE, _MANY = 4, 1_000  # least part of the text that a copy is; most blocks, for it takes their product


@lru_cache(maxsize=20_000)  # most names come again on the next page
def _is_aside(name: str) -> bool:
    return not _ASIDES.isdisjoint(name_parts(name))


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


def without_hidden(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """Without what no reader sees between visible blocks, unless it is more than these; the end of a story may
    be hidden until a reader asks for it."""
    hidden = {
        index for index in kept if page.hidden[page.box[index]] or _ALOUD.search(page.names[page.box[index]])
    }
    seen = [index for index in kept if index not in hidden]
    if not hidden or sum(len(page.texts[index]) for index in hidden) > sum(
        len(page.texts[index]) for index in seen
    ):
        return kept
    return [index for index in kept if index not in hidden or not seen[0] < index < seen[-1]]


def with_siblings(page: Blocks, kept: Sequence[int]) -> Sequence[int]:
    """With the headings between paragraphs of one element, and with all of a list of which an item is kept."""
    if not kept:
        return kept
    every = set(kept)
    lists: dict[int, list[int]] = {}
    for index in range(kept[0], min(kept[-1] + _NEXT, len(page.texts))):
        box = page.box[index]
        parent = page.parents[box]
        if page.tags[box] == "li" and page.tags[parent] in _LISTS:
            lists.setdefault(parent, []).append(index)
        elif page.tags[box] in _HEADINGS and index not in every and not page.links[index]:
            beside = [page.parents[page.box[other]] for other in (index - 1, index + 1) if other in every]
            if beside == [parent, parent]:
                every.add(index)
    for items in lists.values():
        linked = sum(page.linked[index] for index in items)
        if (
            items[0] - 1 in every
            and not every.isdisjoint(items)
            and 2 * linked < sum(len(page.texts[index]) for index in items)
        ):
            every.update(items)
    return sorted(every)
