"""Scripts without blanks as pairs of characters: any part of such a text can be found, without a dictionary.

A character with its marks is one unit. A run of n characters gives the n - 1 pairs and the last character, so
a part of two or more characters is a sequence of pairs, and a single one begins one of the terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from dupgroups.text.scripts import (
    HAN,
    HAN_BEYOND,
    HAN_COMPATIBILITY,
    KANA,
    KANA_EXTENSIONS,
    KHMER,
    MYANMAR,
    THAI_AND_LAO,
    character_class,
)
from dupgroups.text.words import LONGEST

_WITHOUT_BLANKS = character_class(
    KANA, KANA_EXTENSIONS, HAN, HAN_COMPATIBILITY, HAN_BEYOND, THAI_AND_LAO, MYANMAR, KHMER
)
_parts = re.compile(f"[{_WITHOUT_BLANKS}]+|[^{_WITHOUT_BLANKS}]+").findall
is_without_blanks = re.compile(f"[{_WITHOUT_BLANKS}]").match
has_pairs = re.compile(f"[{_WITHOUT_BLANKS}]").search
_units = re.compile(r"\w\W*|\W+").findall


def parts(run: str) -> Iterator[tuple[str, bool]]:
    """The parts of one of `words.runs`, each with whether its script is written without blanks.

    >>> list(parts("ラーメン24h"))
    [('ラーメン', True), ('24h', False)]
    """
    if run.isascii():
        return iter([(run, False)])
    return ((part, bool(is_without_blanks(part))) for part in _parts(run))


def pairs(part: str) -> list[str]:
    """The pairs of a part of a script without blanks, and its last character; [] for "".

    >>> pairs("ラーメン")
    ['ラー', 'ーメ', 'メン', 'ン']
    """
    units: list[str] = _units(part)
    return [(unit + after)[:LONGEST] for unit, after in zip_longest(units, units[1:], fillvalue="")]
