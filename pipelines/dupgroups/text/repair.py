"""Misread characters: where two texts run along together, small differences are read as in one of them.

Scanners, speech recognition, narrow columns and broken charsets leave many small differences in texts that
agree all around them; editors replace, add and cut whole words and sentences, and these differences stay. The
texts are aligned by a longest common subsequence of their folded characters.

Digits tell the issues of a series apart. A misread digit is most often lost, or read as a letter ("O", "l"),
so digits are read alike only where few of them stand against other digits, for the share of misread letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupgroups.text.sentences import DIGIT, MARK, POINT, SINGLE, characters

LEAST = 0.01  # share of the aligned characters that must have been misread for texts to be read alike
LONGEST = 12_000  # characters of a text that are aligned; what follows stays as it is
SMALL = 3  # characters of a difference that may be a misreading
AGREEING = 0.65  # share of the characters around it that agree
AROUND, AROUND_SINGLE = 20, 10  # characters before and after it; in scripts in which a character is a token
DIGITS, SLACK = 0.2, 2  # digits in place of others: at most this share of the misread letters, and two more

Numbers = NDArray[np.intp]


def read_alike(a: str, b: str) -> tuple[str, str]:
    """Both texts, one of them as it would be if it had been read like the other one where they are alike.

    The one with fewer full stops is changed, of equally many the greater one; so the order does not matter.

    >>> read_alike("The fcrry struck a mooredbarge in fog.", "The ferry struck a moored barge in f0g.")
    ('The fcrry struck a mooredbarge in fog.', 'The fcrry struck a mooredbarge in fog.')
    """
    one, two = _Text.of(a), _Text.of(b)
    if (one.stops, b) >= (two.stops, a):
        return a, _repaired(two, one) + b[LONGEST:]
    return _repaired(one, two) + a[LONGEST:], b


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    codes: str
    digits_before: Numbers
    stops: int
    around: int

    @classmethod
    def of(cls, whole: str) -> _Text:
        codes, kinds = characters(whole[:LONGEST])
        folded = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        is_single = np.count_nonzero(kinds & SINGLE) > len(kinds) / 2
        stops = int(np.count_nonzero(kinds & (POINT | MARK)))
        around = AROUND_SINGLE if is_single else AROUND
        digits = np.concatenate([[0], (kinds & DIGIT != 0).cumsum()])
        return cls(whole[:LONGEST], folded, digits, stops, around)

    def digits(self, starts: Numbers, ends: Numbers) -> Numbers:
        """How many digits there are from each start to its end."""
        return self.digits_before[ends] - self.digits_before[starts]


def _repaired(text: _Text, model: _Text) -> str:
    blocks = LCSseq.editops(text.codes, model.codes).as_matching_blocks()  # the last one is empty
    here, there, sizes = np.fromiter(chain.from_iterable(blocks), np.intp).reshape(-1, 3).T
    gaps = _Gaps(here[:-1] + sizes[:-1], here[1:], there[:-1] + sizes[:-1], there[1:])
    agreed = _agreement(gaps, here, there, sizes, text.around) >= AGREEING
    small = (gaps.ends - gaps.starts <= SMALL) & (gaps.model_ends - gaps.model_starts <= SMALL) & agreed
    small &= (gaps.starts > 0) & (gaps.ends < len(text.codes))
    misread, agreeing = np.count_nonzero(small), max(1, int(sizes.sum()))
    if misread < LEAST * agreeing:
        return text.text
    in_text, in_model = text.digits(gaps.starts, gaps.ends), model.digits(gaps.model_starts, gaps.model_ends)
    is_number = (in_text == gaps.ends - gaps.starts) & (in_model == gaps.model_ends - gaps.model_starts)
    replaced = np.count_nonzero(agreed & is_number & (in_text > 0) & (in_model > 0))
    if replaced > SLACK + DIGITS * misread / agreeing * text.digits_before[-1]:
        return text.text
    parts, start = [], 0
    for one, two, first, last in zip(*(column[small].tolist() for column in gaps), strict=True):
        parts += [text.text[start:one], model.text[first:last]]
        start = two
    return "".join([*parts, text.text[start:]])


class _Gaps(NamedTuple):
    """Where differences begin and end in a text and in its model, n of them; between them both agree."""

    starts: Numbers
    ends: Numbers
    model_starts: Numbers
    model_ends: Numbers


def _agreement(
    gaps: _Gaps, here: Numbers, there: Numbers, sizes: Numbers, around: int
) -> NDArray[np.float64]:
    """The share of the characters around each difference, of both texts, that agree."""
    agreeing = spans = np.zeros(len(gaps.starts), np.intp)
    for starts, ends, blocks in ((gaps.starts, gaps.ends, here), (*gaps[2:], there)):
        length = int(blocks[-1])
        first, last = np.maximum(starts - around, 0), np.minimum(ends + around, length)
        marks = np.zeros(length + 1, np.intp)
        np.add.at(marks, blocks, np.sign(sizes))
        np.add.at(marks, blocks + sizes, -np.sign(sizes))
        before = np.concatenate([[0], marks[:-1].cumsum().cumsum()])
        agreeing = agreeing + before[last] - before[first]
        spans = spans + last - first
    shares: NDArray[np.float64] = agreeing / np.maximum(spans, 1)
    return shares
