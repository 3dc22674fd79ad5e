"""Two texts side by side as HTML with the differences marked, as in CEDAR's viewer (figure 2).

Sentences are aligned first, then the words (or Han characters) within sentences that changed. Case, width and
traditional or simplified script are ignored, as they are in signatures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from html import escape
from itertools import zip_longest

from dupgroups.text.scripts import HAN, KANA, character_class
from dupgroups.text.words import fold

_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]?[”\"’」』)）]*\s*")
_TOKEN = re.compile(rf"[^\W{character_class(KANA, HAN)}]+|\s+|.", re.DOTALL)
_folded = lru_cache(maxsize=10_000)(fold)  # the same few characters recur
_KEPT = 1  # equal sentences shown beside changed ones
_ROWS = 200  # rows that are shown
_TOKENS = 1000  # tokens of two sentences above which they are not compared, because it is slow
_RELATED = 0.3  # similarity of two sentences from which their words are compared


def side_by_side(a: str, b: str) -> str:
    """The rows of a `<table>`: text `a` on the left, `b` on the right; runs of equal sentences are collapsed.

    Everything is escaped. Two empty texts give "".
    """
    rows = list(_rows(_sentences(a), _sentences(b)))
    more = [f'<tr class="same"><td colspan="2">… {len(rows) - _ROWS} more rows …</td></tr>']
    return "".join([*rows[:_ROWS], *(more if len(rows) > _ROWS else [])])


def _rows(one: Sequence[str], two: Sequence[str]) -> Iterator[str]:
    for kind, i, j, m, n in _matcher(one, two).get_opcodes():
        if kind == "equal":
            yield from _equal(list(zip(one[i:j], two[m:n], strict=True)))
        else:
            for left, right in zip_longest(one[i:j], two[m:n], fillvalue=""):
                yield "<tr><td>{}</td><td>{}</td></tr>".format(*_marked(left, right))


def _matcher(one: Sequence[str], two: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, list(map(_folded, one)), list(map(_folded, two)), autojunk=False)


def _equal(sentences: Sequence[tuple[str, str]]) -> Iterator[str]:
    hidden = len(sentences) - 2 * _KEPT
    for index, (left, right) in enumerate(sentences):
        if hidden <= 1 or index < _KEPT or index >= len(sentences) - _KEPT:
            yield f'<tr class="same"><td>{escape(left)}</td><td>{escape(right)}</td></tr>'
        elif index == _KEPT:
            yield f'<tr class="same"><td colspan="2">… {hidden} equal sentences …</td></tr>'


def _marked(left: str, right: str) -> tuple[str, str]:
    """Both sentences with `<del>` and `<ins>` around the words that only one of them has."""
    one, two = _TOKEN.findall(left), _TOKEN.findall(right)
    matcher = _matcher(one, two)
    if len(one) + len(two) > _TOKENS or matcher.ratio() < _RELATED:
        return _mark("del", left), _mark("ins", right)
    steps = matcher.get_opcodes()
    return (
        "".join(_part(kind == "equal", "del", one[i:j]) for kind, i, j, _, _ in steps),
        "".join(_part(kind == "equal", "ins", two[m:n]) for kind, _, _, m, n in steps),
    )


def _part(equal: bool, tag: str, tokens: Sequence[str]) -> str:
    return escape("".join(tokens)) if equal else _mark(tag, "".join(tokens))


def _mark(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>" if text else ""


def _sentences(text: str) -> list[str]:
    return [stripped for sentence in _SENTENCE.findall(text) if (stripped := sentence.strip())]
