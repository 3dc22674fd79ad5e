"""The features of the trained extractor: numbers about the blocks of a page, the same for every language.

There is one function per group of columns. Sizes are logarithms of 1 + words; shares are between 0 and 1.
Words are counted by blanks; in scripts without blanks, a character counts as 0.6 words. "Good" words are
those in blocks with few links and some punctuation: a first estimate of the running text, relative to which
places and boxes are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from dupgroups.content.blocks import HEADINGS, Blocks
from dupgroups.content.json_ld import text_of
from dupgroups.content.letters import letters_and_digits
from dupgroups.text.scripts import HAN, HAN_COMPATIBILITY, HANGUL, KANA, KHMER, MYANMAR, THAI_AND_LAO

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

OTHER, LOWER, UPPER, DIGIT, SPACE, EAST, END, COMMA, MARK, QUOTE, SIGN = range(11)
_SIGNS = {
    END: ".!?。！？…｡।॥؟۔។៕။",
    COMMA: ",，、;；:：،၊",
    MARK: "|»›•·>/_＞<=«‹→▶►◆■●★｜\\-–—",
    QUOTE: "\"“”'‘’()（）「」『』《》【】[]",
    SIGN: "©@#®™+*%&$€£¥",
}
_AROUND_TAGS = tuple(  # tags around a block that count
    """article main nav aside footer header form figure table ul ol li blockquote dl section h1 h2 h3
    h4""".split()
)
_BOX_TAGS = tuple(  # tags of the box of a block that count
    """p div li td h1 h2 h3 h4 h5 h6 figcaption blockquote pre dd dt section article button address span
    header footer body""".split()
)
_NUMBER = {tag: number for number, tag in enumerate(dict.fromkeys(_AROUND_TAGS + _BOX_TAGS))}
_OTHER_TAG = len(_NUMBER)
_OWN_NUMBERS = np.array([[_NUMBER[tag]] for tag in _BOX_TAGS])
_IS_HEADING = np.array([tag in HEADINGS for tag in (*_NUMBER, "other")])
_BIT = np.array([1 << number if number < len(_AROUND_TAGS) else 0 for number in range(_OTHER_TAG + 1)])
_INSIDE_BITS = _BIT[: len(_AROUND_TAGS), None]
_MEASURED_LEVELS = 5  # enclosing boxes of a block that are measured: its box, the parent and so on
_NEIGHBOURS = (-2, -1, 1, 2)
_SEARCHED_CHARS = 600  # characters of a block that are looked for in the text in JSON-LD
_MIN_BODY_CHARS = 200  # characters from which the text in JSON-LD is taken for an article
_MIN_SENTENCE_CHARS = 60  # characters of a script without blanks that are a sentence without a full stop
_LONG, _MANY = 50_000, 5_000  # characters of it, and blocks, that are compared: it takes their product


class Measures:
    """The arrays of a page that has blocks, and its headline.

    For n blocks: `counts` (11, n) of characters by class; `size` in characters, `links`, `strong` characters,
    `words`, `link_share`, `good`, `box` and the `tag` of it, all (n,). For m boxes: `parent`, `ends`, `kind`
    (equal for the same tag and name) and `inside`, the `_BIT` of the tag, all (m,); and `sums` (5, m) over
    all descendants: words, words in links, good words, blocks, ends of sentences. `ancestors` are of every
    box the 1st, 2nd, 4th... box around it, or the root. `total` and `all_good` are the words and good words
    of the page, at least 1.
    """

    def __init__(self, page: Blocks, title: str = "") -> None:
        n, m = len(page.texts), len(page.tags)
        self.page, self.title, self.size = page, title, _ints(map(len, page.texts), n)
        columns = (page.linked, page.links, page.strong, page.box)
        linked, self.links, self.strong, self.box = map(_ints, columns, repeat(n))
        self.parent, self.ends = map(_ints, (page.parents, page.ends), repeat(m))
        first: dict[tuple[str, str], int] = {}  # box of a kind
        self.kind = _ints(map(first.setdefault, zip(page.tags, page.names, strict=True), count()), m)
        tag = _ints(map(_NUMBER.get, page.tags, repeat(_OTHER_TAG)), m)
        self.tag, self.inside = tag[self.box], _BIT[tag]
        self.ancestors, above = list[Ints](), self.parent
        while above.any():  # pointer jumping: what is gathered from each in turn comes from all boxes around
            self.ancestors.append(above)
            above = above[above]
        codes = _classes("".join(page.texts)) + np.repeat(np.arange(0, 11 * n, 11), self.size)
        counts = np.bincount(codes, minlength=11 * n).reshape(n, 11)
        self.counts = counts = np.ascontiguousarray(counts.T, np.float32)
        self.words = words = counts[SPACE] + 1 + 0.6 * counts[EAST]
        self.link_share = share = np.minimum(linked / self.size, 1).astype(np.float32)
        has_ends = (
            counts[END] + counts[COMMA] + (counts[EAST] >= _MIN_SENTENCE_CHARS) > 0
        )  # Thai and Lao write no full stops
        is_prose = (share < 0.4) & has_ends
        self.good = good = np.maximum(words - 3, 0) * (1 - share) * is_prose
        self.total, self.all_good = float(words.sum()), max(float(good.sum()), 1.0)
        self.sums = _sum_boxes((words, share * words, good, None, counts[END]), self.box, self.ends)


def _ints(values: Iterable[int], size: int) -> Ints:
    """Same as np.array, in half of the time."""
    return np.fromiter(values, np.int64, size)


def _sum_boxes(values: Sequence[Floats | None], box: Ints, ends: Ints) -> NDArray[np.float64]:
    """Sums of block values (n,) over each box and its descendants, (values, m); None counts the blocks."""
    total = np.zeros((len(values), len(ends) + 1))
    for row, numbers in zip(total, values, strict=True):
        row[1:] = np.bincount(box, numbers, len(ends))
    total.cumsum(1, out=total)
    return np.asarray(total.take(ends, 1) - total[:, :-1])


def features(page: Blocks, title: str = "") -> Floats:
    """The feature matrix, (blocks, WIDTH), of a page that has blocks; `title` is its headline."""
    rows = np.zeros((WIDTH, len(page.texts)), np.float32)
    fill(rows, Measures(page, title))
    return rows.T


def fill(rows: Floats, measures: Measures) -> None:
    """Write the features of a page that has blocks into zeros, (WIDTH, blocks)."""
    start = 0
    for width, group in GROUPS.values():
        group(measures, rows[start : start + width])
        start += width


_LOGS, _RATES = [END, COMMA, QUOTE], [END, COMMA, MARK, SIGN, UPPER]


def _text(m: Measures, rows: Floats) -> None:
    """Features of the characters of the block."""
    counts = m.counts
    letters = counts[LOWER] + counts[UPPER]
    np.log1p(m.words, out=rows[0])
    np.log((letters + 1) / (counts[SPACE] + 1), out=rows[1])
    rows[2] = m.link_share
    np.log1p(m.links, out=rows[3], dtype=np.float32)
    np.minimum(m.strong / m.size, 1, out=rows[4])
    rows[5:7] = counts[DIGIT : EAST + 1 : EAST - DIGIT] / m.size
    rows[7] = counts[UPPER] / np.maximum(letters, 1)
    np.log1p(counts[_LOGS], out=rows[8:11])
    np.minimum(counts[_RATES] / m.words, 1, out=rows[11:])


def _place(m: Measures, rows: Floats) -> None:
    """The position of the block in the tree and in the text, and properties of the page."""
    n, box, inside = len(m.words), m.box, m.inside.copy()
    for above in m.ancestors:
        inside |= inside[above]
    depth = np.arange(len(inside)) - np.bincount(m.ends)[:-1].cumsum()
    rest = rows[len(_BOX_TAGS) + len(_AROUND_TAGS) :]
    rows[: len(_BOX_TAGS)] = m.tag == _OWN_NUMBERS
    rows[len(_BOX_TAGS) : -len(rest)] = inside[box] & _INSIDE_BITS != 0
    order = np.arange(n)
    rest[0] = np.frombuffer(bytes(m.page.hidden), np.uint8)[box]
    rest[1] = np.log1p(depth[box])
    rest[2] = order / max(n - 1, 1)
    rest[3] = np.log1p(order)
    rest[4] = (m.words.cumsum() - m.words) / m.total
    rest[5] = (m.good.cumsum() - m.good) / m.all_good
    rest[6, 1:] = rest[7, :-1] = box[1:] == box[:-1]
    first: dict[str, int] = {}  # block with the text
    same = _ints(map(first.setdefault, m.page.texts, count()), n)
    rest[8] = np.minimum(np.bincount(same)[same] - 1, 3)
    of_page = (n, m.total, m.all_good, float(m.words.max()))
    rest[9:13] = np.log1p(of_page)[:, None]
    rest[13], rest[14] = m.all_good / m.total, float((m.link_share * m.words).sum()) / m.total


def _headline(m: Measures, rows: Floats) -> None:
    """The block relative to the one that repeats the headline."""
    title, wanted = m.title, letters_and_digits(m.title)
    letters = m.counts[LOWER:SPACE].sum(0) + m.counts[EAST]  # about what folding leaves
    similar = (
        (m.size >= max(len(title) * 3 // 4, 4))
        & (m.size <= len(title) * 4 // 3 + 1)
        & (np.abs(letters - len(wanted)) <= m.counts[OTHER] + 3)
    )
    candidates = np.flatnonzero(similar).tolist()
    equal = [index for index in candidates if letters_and_digits(m.page.texts[index]) == wanted]
    if not equal:
        return
    headings = [index for index in equal if m.page.tags[m.page.box[index]] in ("h1", "h2")]
    offset = np.arange(len(m.size)) - (headings or equal)[0]
    rows[0, equal] = 1
    rows[1] = 1
    rows[2] = offset > 0
    rows[3] = np.sign(offset) * np.log1p(np.abs(offset))


def _measure_enclosing(m: Measures, rows: Floats) -> None:
    """The enclosing boxes: amount of text, shares of good words and of links, and mean size of blocks."""
    words, linked, good, blocks, ends = np.maximum(m.sums, 1e-9).astype(np.float32)
    of_box = np.empty((9, len(words)), np.float32)
    inner = m.ends - np.arange(1, len(m.ends) + 1)
    logs = np.array((words, words / np.maximum(blocks, 1), blocks, inner), np.float32)
    of_box[[0, 5, 6, 8]] = np.log1p(logs, out=logs)
    of_box[1] = words / m.total
    of_box[2] = linked / words
    of_box[3] = good / words
    of_box[4] = good / m.all_good
    of_box[7] = np.minimum(ends / words, 0.3)
    level = m.box
    for start in range(0, len(rows), 9):
        of_box.take(level, 1, out=rows[start : start + 9], mode="clip")  # "raise" would copy
        level = m.parent[level]


def _best(m: Measures, rows: Floats) -> None:
    """The block relative to the box with most good words: in it, in its children, and half in theirs."""
    direct = np.bincount(m.box, m.good, len(m.parent))
    of_children = np.bincount(m.parent, direct, len(direct))
    score = direct + of_children + 0.5 * np.bincount(m.parent[m.parent], direct, len(direct))
    score *= 1 - m.sums[1] / np.maximum(m.sums[0], 1)
    best = [int(score.argmax())]
    while len(best) < 4:
        best.append(int(m.parent[best[-1]]))
    at = np.array(best)[:, None]
    inside = (m.box >= at) & (m.box < m.ends[at])
    within = np.flatnonzero(inside[0])
    order = np.arange(len(m.words))
    first, last = (int(within[0]), int(within[-1])) if len(within) else (0, len(order) - 1)
    rows[:4] = inside
    rows[4] = first - order
    rows[5] = order - last
    rows[6, first : last + 1] = order[: last + 1 - first]
    rows[7, first : last + 1] = order[last - first :: -1]
    np.log1p(np.maximum(rows[4:8], 0), out=rows[4:8])
    rows[8:12] = m.sums[2, at] / m.all_good
    rows[12] = np.log1p(score[best[0]])


def _kin(m: Measures, rows: Floats) -> None:
    """Similar blocks: the same parent and tag; the same tag and name; the same, and the parent's too."""
    parent, kind = m.parent[m.box], m.kind[m.box]
    alike = np.array((parent * 64 + m.tag, kind, m.kind[parent] * len(m.kind) + kind))
    alike[:2] -= [[1 << 62], [1 << 61]]  # no number stands for two of the three
    same = np.unique(alike.ravel(), return_inverse=True)[1]
    number = np.bincount(same)
    of_blocks = (np.concatenate((numbers,) * 3) for numbers in (m.words, m.link_share, m.good))
    words, links, good = (np.bincount(same, numbers) for numbers in of_blocks)
    columns = (good / m.all_good, np.log1p(words / number), links / number, np.log1p(number))
    of_kin = np.array(columns, np.float32).take(same, 1)
    rows.reshape(3, 4, -1)[:] = of_kin.reshape(4, 3, -1).swapaxes(0, 1)


def _neighbours(m: Measures, rows: Floats) -> None:
    """The blocks before and after."""
    one = np.empty((7, len(m.tag)), np.float32)
    np.log1p((m.words, m.counts[END], m.good), out=one[:3])
    one[3] = m.link_share
    one[4] = m.counts[UPPER] / np.maximum(m.counts[LOWER] + m.counts[UPPER], 1)
    one[5] = m.tag == _NUMBER["p"]
    one[6] = _IS_HEADING[m.tag]
    for start, by in zip(range(0, len(rows), 7), _NEIGHBOURS, strict=True):
        if by < 0:
            rows[start : start + 7, -by:] = one[:, :by]
        else:
            rows[start : start + 7, :-by] = one[:, by:]


def _measure_declared(m: Measures, rows: Floats) -> None:
    """Whether JSON-LD has the text of an article, and whether that has the block, letter for letter."""
    bodies = (text_of(found.node.get("articleBody")) for found in m.page.objects)
    body = letters_and_digits(max(bodies, key=len, default="")[:_LONG])
    if len(body) >= _MIN_BODY_CHARS and len(m.page.texts) <= _MANY:
        rows[0] = 1
        rows[1] = [letters_and_digits(text[:_SEARCHED_CHARS]) in body for text in m.page.texts]


# how many numbers of a block each group has, in the order of the rows
GROUPS: dict[str, tuple[int, Callable[[Measures, Floats], None]]] = {
    "text": (16, _text),
    "place": (len(_BOX_TAGS) + len(_AROUND_TAGS) + 15, _place),
    "headline": (4, _headline),
    "around": (9 * _MEASURED_LEVELS, _measure_enclosing),
    "best": (13, _best),
    "kin": (12, _kin),
    "neighbours": (7 * len(_NEIGHBOURS), _neighbours),
    "declared": (2, _measure_declared),
}
WIDTH = sum(width for width, _ in GROUPS.values())


def _classes(text: str) -> NDArray[np.uint8]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _table().take(codes, mode="clip")


@cache
def _table() -> NDArray[np.uint8]:
    """Class of every character of the basic plane; U+FFFF stands for all characters beyond it."""
    table = np.zeros(0x10000, np.uint8)
    for code in range(0xFFFF):
        character = chr(code)
        tests = ((UPPER, character.isupper), (LOWER, character.isalpha), (DIGIT, character.isdigit))
        for kind, test in tests:
            if test():
                table[code] = kind
                break
    table[[32, 0xA0, 0x3000]] = SPACE
    for first, last in (THAI_AND_LAO, MYANMAR, KHMER, KANA, HAN, HANGUL, HAN_COMPATIBILITY):
        table[first : last + 1] = EAST
    for kind, signs in _SIGNS.items():
        table[[ord(sign) for sign in signs]] = kind
    return table
