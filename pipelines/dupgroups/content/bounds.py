"""Limits on how much of a page is read, so that no page takes unreasonable memory and time.

Parsers compare each attribute of a tag with those before it, to leave out repetitions. Where tags begin and
end depends on comments, scripts and quotes, which a page can set against any shortcut. But no tag goes on
after a `>` that cannot be in quotes: one that stands after no `="`, or after the quote that ends it. What is
between two such places holds one tag at most, so the tag has at most as many attributes as there are words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise, product

import numpy as np
from numpy.typing import NDArray

MAX_CHARS = 8_000_000  # of a page that are read; the rest is cut off
MAX_SCRIPT_CHARS = 1_000_000  # of a script, which may hold the story, in a page that is longer than MAX_CHARS
MAX_PADDINGS = 50_000  # comments, styles, pictures and scripts that are looked at there
MAX_NODES = 40_000  # of the tree that are visited: twice what the largest labelled page has
MAX_COPIES = 200_000  # elements that may be reopened, as in every paragraph after `<b id=x>`
MAX_DEPTH = 10_000  # open elements at which the page is cut: parsing time is quadratic in the depth
MAX_TAGS = 200_000  # tags of a page that is cut at all, with those that end an element
FEW_TAGS = 600  # if each is reopened at all that follow, these are still fewer than MAX_COPIES
MAX_STEPS = 100_000_000  # open elements that a parser may look through, all tags taken together
MAX_COMPARISONS = 200_000_000  # of attributes that a page may cause: below a second
HARMLESS_BYTES = 50_000  # bytes; a page that is shorter cannot cause so many comparisons
STEP_BYTES = 2_500  # fewest bytes in which one `>` outside of quotes is looked for

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
# empty elements, and elements that end at the next one of the same kind
_NEVER_DEEP = frozenset(
    """area base br col dd dt embed hr img input li link meta option p param script source style tbody td th
    tr track wbr""".split()
)
# elements that are reopened in every paragraph until they are closed (HTML, 13.2.4.3), at most three with
# the same attributes; a and nobr are left out because they are reopened only once
_REOPENED_TAGS = frozenset("b big code em font i s small strike strong tt u".split())
_REOPENED_TAG = re.compile(
    rf"<(/?)({'|'.join(sorted(_REOPENED_TAGS))})([ \t\n\f\r/>])".encode(), re.IGNORECASE
)

_NO_TEXT = re.compile(r"<!--|<(?P<element>style|svg|script)\b|=\s*(?P<quote>[\"'])\s*data:", re.IGNORECASE)
_PADDING = re.compile(r"(?<![!#-&(-;=?-~])[!#-&(-;=?-~]{500,}|(?<!\s)\s{500,}")  # data as text, and blanks
_LONG_STRETCH_BYTES = 500  # bytes of a stretch whose words are counted, if its length does not settle it
_MIN_ATTRIBUTE_BYTES = 3  # bytes of an attribute, with what separates it from the next
_TAG_BYTES = re.compile(rb"</?[a-zA-Z]")
_SEPARATORS = bytes.maketrans(b"/=", b"  ")

_ROOT, _AGAIN, _END = 1, 2, 4  # kinds of tags, and what is added for those that end an element

Places = NDArray[np.int64]
Kinds = NDArray[np.uint8]


def bound_html(html: str) -> tuple[str, bytes]:
    """The part of the page that is read, and the same as UTF-8. "" stays "". Never raises."""
    html = html[:MAX_CHARS]
    source = utf8(html)
    if (
        len(source) < HARMLESS_BYTES
        and np.count_nonzero(np.frombuffer(source, np.uint8) == ord("<")) < FEW_TAGS
    ):
        return html, source
    tags, kinds = _tags_in(source)
    crowded = _crowded_at(source, tags[kinds == _ROOT])
    if crowded is not None:
        source, (tags, kinds) = source[:crowded], _tags_in(source[:crowded])
        html = source.decode("utf-8", "surrogatepass")
    if not _may_explode(source, tags, kinds):
        return html, source
    html = _truncate(html)
    return html, utf8(html)


def without_padding(html: str) -> str:
    """A page without what makes it long: data inside of it, blanks, comments, styles and long scripts."""
    kept, place, seen, endless = [], 0, 0, set[str]()
    for begin in islice(_NO_TEXT.finditer(html), MAX_PADDINGS):
        closing = begin["quote"] or (rf"</{begin['element'].lower()}\s*>" if begin["element"] else "-->")
        if begin.start() < seen or closing in endless:
            continue
        end = re.compile(closing, re.IGNORECASE).search(html, begin.end())
        if end is None:
            endless.add(closing)
            continue
        seen = end.end()
        if "script" not in closing or seen - begin.start() > MAX_SCRIPT_CHARS:
            kept.append(html[place : begin.start()])
            place = seen
    return _PADDING.sub(" ", "".join(kept) + html[place:])


def utf8(html: str) -> bytes:
    """The page in UTF-8 for the parsers; lone surrogates are kept."""
    return html.encode("utf-8", "surrogatepass")


def _may_explode(source: bytes, tags: Places, kinds: Kinds) -> bool:
    """Whether the tree could become too deep or too large: a quick check without false negatives."""
    others, roots, reopened, *_ = np.bincount(kinds, minlength=_END).tolist()
    begun = others + roots + reopened
    if len(kinds) > MAX_TAGS or begun > MAX_DEPTH or begun * len(kinds) > MAX_STEPS:
        return True
    return reopened * len(kinds) > MAX_COPIES and _copies(source, tags, kinds) > MAX_COPIES


def _copies(source: bytes, tags: Places, kinds: Kinds) -> int:
    """An upper bound of the number of reopened elements; reads only tags of such elements."""
    copies = reopened = last = 0
    opened: defaultdict[bytes, list[bool]] = defaultdict(list)
    places = np.flatnonzero(kinds % _END == _AGAIN)
    for place, tag in zip(places.tolist(), tags[places].tolist(), strict=True):
        match = _REOPENED_TAG.match(source, tag)
        if not match:
            continue
        copies += reopened * (place - last)
        last, name = place, match[2].lower()
        if not match[1]:
            opened[name].append(match[3] != b">")
            reopened += match[3] != b">"
        elif opened[name]:
            reopened -= opened[name].pop()
    return copies + reopened * (len(tags) - last)


def _truncate(html: str) -> str:
    """The page up to the tag at which there is too much of something; ignores implied ends."""
    tags = begun = depth = steps = copies = reopened = 0
    opened: defaultdict[str, list[bool]] = defaultdict(list)  # per name: whether each will be reopened
    for match in _TAG.finditer(html):
        end, name = match[1], match[2].lower()
        tags += 1
        begun += not end
        steps += depth
        copies += reopened
        if (
            tags > MAX_TAGS
            or begun > MAX_NODES
            or steps > MAX_STEPS
            or copies > MAX_COPIES
            or depth > MAX_DEPTH
        ):
            return html[: match.start()]
        if name in _NEVER_DEEP:
            continue
        if not end:
            again = name in _REOPENED_TAGS and html[match.end() : match.end() + 1] != ">"
            opened[name].append(again)
            reopened += again
            depth += 1
        elif opened[name]:
            reopened -= opened[name].pop()
            depth -= 1
    return html


# -- attributes of tags


def _tags_in(source: bytes) -> tuple[Places, Kinds]:
    """Where tags may begin, and what each may be: `_ROOT`, `_AGAIN` or 0, and `_END`."""
    codes = np.frombuffer(source, np.uint8)
    tags = np.flatnonzero(codes[:-3] == ord("<"))
    ends = codes[1:].take(tags) == ord("/")
    names = tags + ends
    pairs = codes[1:].take(names).astype(np.uint16) << 8 | codes[2:].take(names)
    return tags, _kinds().take(pairs) + np.uint8(_END) * ends


@cache
def _kinds() -> Kinds:
    """The kinds of tag by its first two bytes, (65536,): html or body, or one in `_REOPENED_TAGS`."""
    kinds = np.zeros((256, 256), np.uint8)
    names = dict.fromkeys(_REOPENED_TAGS, _AGAIN) | {"html": _ROOT, "body": _ROOT}
    for name, kind in names.items():
        for first, second in product(*((character, character.upper()) for character in f"{name} "[:2])):
            kinds[ord(first), list(b" \t\n\f\r/>") if second == " " else ord(second)] = kind
    return kinds.ravel()


def _crowded_at(source: bytes, root_tags: Places) -> int | None:
    """The byte at which the tag begins with which a page has too many attributes; None if there is none.

    `root_tags` are those of html and body, which share the attributes of one element.
    """
    if len(source) < HARMLESS_BYTES or _at_most(source, len(root_tags)) <= MAX_COMPARISONS:
        return None
    begins, ends = _stretches(np.frombuffer(source, np.uint8))
    attributes = (ends - begins) / _MIN_ATTRIBUTE_BYTES
    distinct = attributes.copy()
    roots = np.array(sorted({*np.searchsorted(begins, root_tags, "right").tolist()}), np.int64) - 1
    for place in np.flatnonzero(ends - begins > _LONG_STRETCH_BYTES).tolist():
        attributes[place], distinct[place] = _count_attributes(source[begins[place] : ends[place]])
    excess = _excess(attributes, distinct, roots)
    if excess is None:
        return None
    tag = _TAG_BYTES.search(source, int(begins[excess]))
    return tag.start() if tag else None


def _stretches(codes: NDArray[np.uint8]) -> tuple[Places, Places]:
    """Begins and ends of what stands between each two `>` that cannot be in quotes."""
    ends = np.flatnonzero(codes == ord(">"))
    quoted = np.zeros(len(ends), np.bool_)
    for quote in b"\"'":
        quotes = np.flatnonzero(codes == quote)
        if len(quotes):
            last = quotes[np.searchsorted(quotes, ends) - 1]
            quoted |= _opens(codes, last) & (last < ends)
    ends = ends[~quoted]
    return np.append(0, ends + 1), np.append(ends, len(codes))


def _opens(codes: NDArray[np.uint8], quotes: Places) -> NDArray[np.bool_]:
    """Whether there is an equals sign before each quote; two blanks before it may hide one."""
    before, farther = (codes[np.maximum(quotes - distance, 0)] for distance in (1, 2))
    blank = ord(" ")
    equals = (before <= blank) & ((farther == ord("=")) | (farther <= blank))
    return np.asarray((before == ord("=")) | equals)


def _at_most(source: bytes, roots: int) -> int:
    """As many comparisons as there may be, by what stands between some of these `>`."""
    codes = np.frombuffer(source, np.uint8)
    signs = (codes <= ord(" ")) | (codes == ord("/")) | (codes == ord("="))
    begins = signs[1:] > signs[:-1]  # of runs of signs: one for each attribute
    total = int(np.count_nonzero(begins)) + 1
    # if they are spread evenly, steps of this size allow half of the comparisons
    step = MAX_COMPARISONS * len(source) // (total**2 * (2 + roots**2))
    ends = [*_some_ends(source, max(step, STEP_BYTES)), len(source)]
    attributes = [int(np.count_nonzero(begins[begin:end])) + 1 for begin, end in pairwise([0, *ends])]
    return sum(number**2 for number in attributes) + roots * (roots - 1) // 2 * max(attributes) ** 2


def _some_ends(source: bytes, step: int) -> Iterator[int]:
    """The last `>` of each step, if it cannot be in quotes."""
    end, quote, apostrophe = 0, -1, -1  # the last ones
    for start in range(0, len(source), step):
        found = source.rfind(b">", start, start + step)
        if found >= 0:
            quote = max(quote, source.rfind(b'"', end, found))
            apostrophe = max(apostrophe, source.rfind(b"'", end, found))
            end = found
            if not _may_open(source, quote) and not _may_open(source, apostrophe):
                yield end


def _may_open(source: bytes, quote: int) -> bool:
    """Whether there may be an equals sign before the quote, if there is one."""
    before = source[max(quote - 2, 0) : max(quote, 0)]
    return b"=" in before or before.isspace()


def _count_attributes(stretch: bytes) -> tuple[int, int]:
    """The most attributes that a tag in it may have, and how many of these may be distinct."""
    tag = _TAG_BYTES.search(stretch)
    words = stretch[tag.start() :].translate(_SEPARATORS).split() if tag else []
    return len(words), len(set(words))


def _excess(attributes: NDArray[np.float64], distinct: NDArray[np.float64], roots: Places) -> int | None:
    """The first stretch with which there are too many comparisons, if there is one."""
    comparisons = attributes * distinct
    if len(roots):
        comparisons[roots] = attributes[roots] * np.cumsum(distinct[roots])
    total = np.cumsum(comparisons)
    return int(np.searchsorted(total, MAX_COMPARISONS, "right")) if total[-1] > MAX_COMPARISONS else None
