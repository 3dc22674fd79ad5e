"""Earlier versions of a text, kept as what differs from the later one.

A delta leads from the later text back to the earlier one, so that the text itself stays as it is stored: the
runs of words to replace, by their places in the later text, as compressed JSON. The words are aligned by a
longest common subsequence.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from dupgroups.text.scripts import UNSPACED_RANGES, character_class

MAX_ALIGNED_PARTS = 20_000  # words and other characters; of a longer text the earlier one is kept as a whole

_SINGLE = character_class(*UNSPACED_RANGES)
_split = re.compile(rf"[^\W{_SINGLE}]+|.", re.DOTALL).findall


def make_delta(later: str, earlier: str) -> bytes:
    """The delta that makes the earlier text of the later one.

    >>> make_delta("14 died", "12 died") == make_delta("14 died on Monday", "12 died on Monday")
    True
    """
    after, before = _split(later), _split(earlier)
    edits: list[tuple[int, int, str]] = [(0, len(after), earlier)]
    if max(len(after), len(before)) <= MAX_ALIGNED_PARTS:
        edits = _list_edits(after, before)
    written = json.dumps(edits, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode("utf-8", "surrogatepass"), 9)


def apply_delta(later: str, delta: bytes) -> str:
    """The earlier text.

    >>> apply_delta("14 people died", make_delta("14 people died", "Two died"))
    'Two died'
    """
    after, parts, at = _split(later), list[str](), 0
    for start, end, replaced in json.loads(zlib.decompress(delta).decode("utf-8", "surrogatepass")):
        parts += [*after[at:start], replaced]
        at = end
    return "".join([*parts, *after[at:]])


def _list_edits(after: Sequence[str], before: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where the words that differ begin and end in the later text, and what the earlier one has there."""
    edits, at, at_before = [], 0, 0
    for block in LCSseq.editops(after, before).as_matching_blocks():
        if block.a > at or block.b > at_before:
            edits.append((at, block.a, "".join(before[at_before : block.b])))
        at, at_before = block.a + block.size, block.b + block.size
    return edits
