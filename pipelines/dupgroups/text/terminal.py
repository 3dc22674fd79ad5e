"""Text from the web as a line that a terminal shows as it is."""

from __future__ import annotations

import re
import unicodedata

# control characters, characters that change the text direction, and lone surrogates (not printable)
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """One line that is safe on a terminal: no control characters, no markers, no changes of direction."""
    return printable(text).strip()


def printable(text: str) -> str:
    """Like `plain`, but blanks at the ends are kept."""
    kept = "".join(
        character for character in UNSAFE.sub(" ", text) if unicodedata.category(character) != "Co"
    )
    return re.sub(r"\s+", " ", kept)
