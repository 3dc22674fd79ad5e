"""Titles without the name of the site: "Ferry hits pier | The Courier" and "The Courier: Ferry hits pier".

A part is cut off only at a separator, and only if it is the declared name of the site or if readers see the
rest as a line of its own, so that "Ferries: what to know" stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from itertools import pairwise

from dupgroups.content.blocks import letters_and_digits, unspaced

# a hyphen between Latin letters or digits belongs to a word
_CUT = re.compile(r"[|｜ㅣ_·•»:：–—]+|-{2,}|-(?![0-9A-Za-z])|(?<![0-9A-Za-z])-")
_LONGEST = 500  # characters of a title; a longer text stays as it is
_MOST = 12  # separators that are tried
_FEWEST, _FEWEST_HAN = 12, 6  # letters and digits of a line that may be the headline: words may be sections
_BEGINNING, _REST = 0.3, 0.5  # least share of a title that is its headline, at its beginning and elsewhere


def without_site(title: str, site: str | None, lines: Iterable[str] = ()) -> str:
    """The headline in `title`, which names its site at an end; else `title` itself, "" for "".

    `site` is the name of the site, if it is known, and `lines` are those that readers see.

    >>> without_site("The Courier: Ferry hits pier", "The Courier")
    'Ferry hits pier'
    >>> without_site("Ferry hits pier - Port - CN", None, ["Ferry hits pier"])
    'Ferry hits pier'
    """
    if len(title) > _LONGEST or not _CUT.search(title):
        return title
    parts, whole = _parts(title), letters_and_digits(title)
    seen = {letters_and_digits(line) for line in lines if len(line) <= len(title)}
    if whole in seen:
        return title
    shown = (part for part, least in parts if _is_headline(part, least * len(whole), seen))
    longest = max(shown, key=len, default="")
    return longest or _without_name(title, letters_and_digits(site or ""))


def _is_headline(part: str, fewest: float, seen: Set[str]) -> bool:
    letters = letters_and_digits(part)
    return letters in seen and len(letters) >= max(_FEWEST_HAN if unspaced(letters) else _FEWEST, fewest)


def _parts(title: str) -> Iterator[tuple[str, float]]:
    """The beginnings, the ends, and the parts between separators, with the least share of a headline."""
    cuts = list(_CUT.finditer(title))[:_MOST]
    for cut in cuts:
        yield title[: cut.start()].strip(), _BEGINNING
        yield title[cut.end() :].strip(), _REST
    for first, second in pairwise(cuts):
        yield title[first.end() : second.start()].strip(), _REST


def _without_name(title: str, name: str) -> str:
    for cut in list(_CUT.finditer(title))[:_MOST] if name else ():
        before, after = title[: cut.start()].strip(), title[cut.end() :].strip()
        if letters_and_digits(before) == name and after:
            return after
        if letters_and_digits(after) == name and before:
            return before
    return title
