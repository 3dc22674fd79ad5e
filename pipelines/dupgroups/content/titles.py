"""Titles without the name of the site: "Ferry hits pier | The Courier" and "The Courier: Ferry hits pier".

A part is cut off only at a separator, and only if it is the declared name of the site or if readers see the
rest as a line of its own, so that "Ferries: what to know" stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
    cuts = list(_CUT.finditer(title))[:_MOST] if len(title) <= _LONGEST else []
    ends = [(title[: cut.start()].strip(), title[cut.end() :].strip()) for cut in cuts]
    parts = [part for pair in ends for part in zip(pair, (_BEGINNING, _REST), strict=True)]
    parts += [(title[one.end() : two.start()].strip(), _REST) for one, two in pairwise(cuts)]
    whole = letters_and_digits(title)
    lettered = ((part, letters_and_digits(part), least) for part, least in parts)
    headlines = {part: letters for part, letters, least in lettered if _is_long(letters, least * len(whole))}
    shortest = min(map(len, (whole, *headlines.values())))
    fitting = (line for line in lines if shortest <= len(line) <= len(title)) if cuts else ()
    seen = set(map(letters_and_digits, fitting))
    if whole in seen:
        return title
    shown = (part for part, letters in headlines.items() if letters in seen)
    return max(shown, key=len, default="") or _beside(site or "", ends) or title


def _beside(site: str, ends: Iterable[tuple[str, str]]) -> str:
    """What stands before or after the name of the site; "" if nothing does."""
    name = letters_and_digits(site)
    both_ways = (pair for end in ends for pair in (end, end[::-1]))
    beside = (rest for one, rest in both_ways if rest and letters_and_digits(one) == name)
    return next(beside, "") if name else ""


def _is_long(letters: str, fewest: float) -> bool:
    """Whether letters and digits suffice for a headline, and are at least so many."""
    return len(letters) >= max(_FEWEST_HAN if unspaced(letters) else _FEWEST, fewest)
