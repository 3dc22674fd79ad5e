"""A limit on the attributes of a tag: parsers compare each one with all before it, to leave out repetitions.

Only what a parser would see as a tag matters, and that depends on quotes, comments and scripts, which a page
can set against any shortcut. So all places where a tag may begin are followed at once: the successor of every
place where an attribute may begin is looked up, and composed with itself until it leads `MAX_ATTRIBUTES` on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_ATTRIBUTES = 256  # a power of two; no element of the labelled pages has more than 40
HARMLESS = 200_000  # bytes; even as one single tag, a shorter page takes well below a second
USUAL = 16  # attributes; if no tag has more, there is nothing to compose
MANY = 20_000  # tags; to look for that first does not pay with more
ROUNDS = 3  # a cut may move the quotes after it

Places = NDArray[np.int64]
_SPACE, _SLASH, _LETTER = 1, 2, 4
_CLASSES = np.zeros(256, np.uint8)
_CLASSES[list(b" \t\n\f\r")] = _SPACE
_CLASSES[ord("/")] = _SLASH
_CLASSES[list(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] = _LETTER


def with_few_attributes(source: bytes) -> bytes:
    """The page with every tag ended at its attribute number `MAX_ATTRIBUTES`; the others are left out.

    A page in which none has more is returned as it is, and so is one that is short. Takes linear time.
    """
    if len(source) < HARMLESS:
        return source
    for _ in range(ROUNDS):
        starts, cuts = _crowded(source)
        if not len(cuts):
            return source
        source = _cut(source, cuts)
    starts, cuts = _crowded(source)
    return source[: starts[0]] if len(cuts) else source


def _cut(source: bytes, cuts: Places) -> bytes:
    """The page without what stands between each cut and the next angle bracket; the tag ends there."""
    brackets = _places(source, b"<>")
    ends = np.append(brackets, len(source))[np.searchsorted(brackets, cuts)]
    parts, done = [], 0
    for begin, end in zip(cuts.tolist(), ends.tolist(), strict=True):
        if begin >= done:  # two cuts before the same bracket are one
            parts += [source[done:begin], b"" if source[end : end + 1] == b">" else b">"]
            done = end
    return b"".join([*parts, source[done:]])


def _crowded(source: bytes) -> tuple[Places, Places]:
    """Where tags with too many attributes may begin, and where the first one too many does, sorted."""
    codes = np.frombuffer(source + b">>>", np.uint8)  # so that every search has an end
    starts = _tag_starts(codes)
    if not len(starts):
        return starts, starts
    names = _Names(codes, _CLASSES[codes])
    begin = names.after_space_and_slash(names.name_end(starts + 1))
    if len(starts) < MANY and not names.lead_on(begin):
        return starts[:0], starts[:0]
    first = names.at(begin)
    successors = np.append(names.at(names.following(names.places)), len(names.places))
    for _ in range(MAX_ATTRIBUTES.bit_length() - 1):
        successors = successors[successors]
    last = successors[first]
    crowded = last < len(names.places)
    return starts[crowded], np.unique(names.places[last[crowded]])


def _tag_starts(codes: NDArray[np.uint8]) -> Places:
    """The places of `<` before a letter, and before a slash and a letter."""
    starts = np.flatnonzero(codes[:-3] == ord("<"))
    after = codes[starts + 1 + (codes[starts + 1] == ord("/"))]
    found: Places = starts[_CLASSES[after] == _LETTER]
    return found


class _Names:
    """The places where the name of an attribute may begin, and what follows from there."""

    def __init__(self, codes: NDArray[np.uint8], classes: NDArray[np.uint8]) -> None:
        self.codes = codes
        space, slash = classes == _SPACE, classes == _SLASH
        quote = (codes == ord('"')) | (codes == ord("'"))
        end = codes == ord(">")
        self.no_space = np.flatnonzero(~space)
        self.no_space_or_slash = np.flatnonzero(~space & ~slash)
        self.ends_of_names = np.flatnonzero(space | slash | end | (codes == ord("=")))
        self.ends_of_values = np.flatnonzero(space | end)
        may_begin = ~(space | slash | end)
        may_begin[1:] &= (space | slash | quote)[:-1]
        self.places = np.flatnonzero(may_begin)

    def lead_on(self, places: Places) -> bool:
        """Whether a tag has more than `USUAL` attributes from one of these places on."""
        for _ in range(USUAL):
            places = places[self.codes[places] != ord(">")]
            if not len(places):
                return False
            places = self.following(places)
        return True

    def following(self, places: Places) -> Places:
        """Where the attribute after the one at each place begins, or the tag ends."""
        ends = self.name_end(places + 1)
        equals = _next(self.no_space, ends)
        values = _next(self.no_space, np.minimum(equals + 1, len(self.codes) - 1))
        with_value = self.codes[equals] == ord("=")
        return self.after_space_and_slash(np.where(with_value, self._value_ends(values), ends))

    def _value_ends(self, values: Places) -> Places:
        """The places after values that begin at `values`."""
        ends = _next(self.ends_of_values, values)
        for quote in b"\"'":
            quotes = np.flatnonzero(self.codes == quote)
            quoted = self.codes[values] == quote
            closed = np.append(quotes + 1, len(self.codes) - 1)
            ends[quoted] = closed[np.searchsorted(quotes, values[quoted] + 1)]
        return ends

    def name_end(self, places: Places) -> Places:
        return _next(self.ends_of_names, places)

    def after_space_and_slash(self, places: Places) -> Places:
        return _next(self.no_space_or_slash, places)

    def at(self, places: Places) -> Places:
        """The index of each place in `places`; their number for one that is not among them."""
        found = np.searchsorted(self.places, places)
        padded = np.append(self.places, -1)
        return np.where(padded[found] == places, found, len(self.places))


def _next(sorted_places: Places, places: Places) -> Places:
    """The first of `sorted_places` at or after each place; there is one."""
    return sorted_places[np.searchsorted(sorted_places, places)]


def _places(source: bytes, some: bytes) -> Places:
    codes = np.frombuffer(source, np.uint8)
    return np.flatnonzero(np.isin(codes, list(some)))
