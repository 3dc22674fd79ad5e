"""Lines that a page puts among the paragraphs of an article in the same element, with nothing but their words
to tell them from it: marks of advertisements, players, buttons, credits of pictures, links to other stories.

They are a line of their own, and in `interruptions.txt`. Whom a text is from, as in "(dpa)" or "© AFP", is
part of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from dupgroups.content.blocks import Blocks
from dupgroups.content.letters import letters_and_digits

MAX_LINE_CHARS = 120  # most characters of such a line
_DIGITS = re.compile(r"\d+")
_ENDS = frozenset(".!?。！？…”»")  # of sentences


def without_interruptions(page: Blocks, kept: Sequence[int]) -> list[int]:
    """The blocks of an article, indices in order, without such lines; [] if there are no others."""
    return [index for index in kept if not is_interruption(page.texts[index])]


def is_interruption(text: str) -> bool:
    """Whether a line is no part of a story, whatever that is about.

    >>> is_interruption("Story continues below advertisement"), is_interruption("Foto: Jo Brandt / dpa")
    (True, True)
    >>> is_interruption("Photo: the minister refused to look at it.")
    False
    """
    if len(text) > MAX_LINE_CHARS:
        return False
    lines, calls, labels = _read_phrases()
    if _DIGITS.sub("", letters_and_digits(text)) in lines or calls.match(text):
        return True
    return text[-1:] not in _ENDS and labels.match(text) is not None


@cache
def _read_phrases() -> tuple[frozenset[str], re.Pattern[str], re.Pattern[str]]:
    """Whole lines, by their letters; how calls begin; how labels do."""
    source = files(__package__).joinpath("interruptions.txt").read_text("utf-8")
    parts = re.split(r"(?m)^\[.*\]$", source)[1:]
    rows = ((line.partition(": ")[2] for line in part.splitlines() if line) for part in parts)
    lines, calls, labels, before_colon = ("|".join(phrases).split("|") for phrases in rows)
    labels = [*map(_pattern, labels), rf"(?:{'|'.join(map(_pattern, before_colon))})\s?[:：=]"]
    return (
        frozenset(map(letters_and_digits, lines)),
        re.compile(rf"(?i)\W{{0,3}}(?:{'|'.join(map(_pattern, calls))})"),
        re.compile(rf"(?i)\W{{0,3}}(?:{'|'.join(labels)})"),
    )


def _pattern(phrase: str) -> str:
    """A phrase with either apostrophe, up to the end of a word."""
    end = r"\b" if phrase[-1].isalnum() and phrase[-1].isascii() else ""
    return re.escape(phrase).replace("'", "['’]") + end
