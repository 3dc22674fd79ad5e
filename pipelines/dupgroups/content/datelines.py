"""The date of a page from the line that readers see, for pages that do not declare a date.

A wrong date is worse than no date, so only short lines around the headline and the text are read, and a line
with a sentence in it, such as a caption, is not taken for a dateline:

| place | condition |
|---|---|
| between the headline and the text, and the first lines of the text | little besides the date, names and labels |
| after the text, just above the headline | hardly anything besides the date and a label |

In every place a date of publication precedes one that is labelled as an update.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dupgroups.content.blocks import Blocks, letters_and_digits
from dupgroups.text.dates import WrittenDate, written_dates

_BEFORE = 8  # blocks that are read before the text if the headline is not found
_BETWEEN = 30  # most blocks between the headline and the text
_INTO, _AFTER, _ABOVE = 3, 4, 3  # blocks that are read of the text, after it, and above the headline
_LONGEST = 160  # most characters of a block with a dateline
_BESIDES, _HARDLY = 90, 24  # most characters besides the date
_WORD_OF_SENTENCE = re.compile(r"(?<!\w)[^\W\d_A-Z]{4,}")
_MOST_WORDS = 3  # words in lower case: "published", "posted", "last updated"
_UPDATE = re.compile(
    r"updat|modif|edited|aktuali|actuali|geändert|aggiorna|oppdater|обновл|ενημ|güncel|更新|修改|수정",
    re.IGNORECASE,
)
_NO_DATELINE = re.compile(r"copyright|©|caption|comment|related|[(（]c[)）]", re.IGNORECASE)
_DAY_FIRST = frozenset("au gb ie in nz uk za".split())  # regions of English


def dateline(page: Blocks, kept: Sequence[int], title: str, locale: str) -> str | None:
    """The date (ISO 8601) in the line nearest to the headline; None when there is no such line.

    `kept` are the indices of the article's blocks, in order; `locale` is a language, if possible with its
    region ("en-GB"), and tells in which order the numbers of a date are written.
    """
    if not kept:
        return None
    head = _headline(page, kept, title)
    first = max(0, kept[0] - _BEFORE) if head is None else max(head + 1, kept[0] - _BETWEEN)
    near = [*range(first, kept[0]), *kept[:_INTO]]
    after = range(kept[-1] + 1, min(len(page.blocks), kept[-1] + 1 + _AFTER))
    above = range(max(0, head - _ABOVE), head) if head is not None else ()
    order = _day_first(locale)
    for blocks, besides in ((near, _BESIDES), (after, _HARDLY), (reversed(above), _HARDLY)):
        found = _best(page, blocks, besides, order)
        if found:
            return found
    return None


def _headline(page: Blocks, kept: Sequence[int], title: str) -> int | None:
    """The last block up to the beginning of the text that reads like the title."""
    wanted = letters_and_digits(title)
    if not wanted:
        return None
    fits = (
        index
        for index in range(kept[0] + 1, -1, -1)
        if index < len(page.blocks)
        and len(page.blocks[index].text) < 2 * len(title) + 20
        and letters_and_digits(page.blocks[index].text).startswith(wanted)
    )
    return next(fits, None)


def _best(page: Blocks, indices: Iterable[int], besides: int, order: bool | None) -> str | None:
    """The first date of these blocks that is not an update, else the first one."""
    found = [written for index in indices for written in _line(page, index, besides, order)]
    return next((iso for iso, update in found if not update), found[0][0] if found else None)


def _line(page: Blocks, index: int, besides: int, order: bool | None) -> Iterator[tuple[str, bool]]:
    """The dates of a block, and whether they are labelled as updates; nothing if it is no dateline."""
    block = page.blocks[index]
    if len(block.text) > _LONGEST or _NO_DATELINE.search(f"{block.text} {page.boxes[block.box].name}"):
        return
    dates = list(written_dates(block.text, order))
    if not dates:
        return
    labels = _labels(block.text, dates)
    if sum(map(len, labels)) > besides or len(_WORD_OF_SENTENCE.findall(" ".join(labels))) > _MOST_WORDS:
        return
    for label, written in zip(labels, dates, strict=False):
        yield written.iso, _UPDATE.search(label) is not None


def _labels(text: str, dates: Sequence[WrittenDate]) -> list[str]:
    """The text before every date and after the last one."""
    starts = [0, *(written.end for written in dates)]
    ends = [*(written.start for written in dates), len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _day_first(locale: str) -> bool | None:
    """Whether numbers of dates begin with the day; None in English without a region that settles it."""
    language, _, region = locale.lower().replace("_", "-").partition("-")
    return True if language and (language != "en" or region in _DAY_FIRST) else None
