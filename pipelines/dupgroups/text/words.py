"""Words for full-text search: the same tokens on every engine, in every script.

Text is folded (NFKC, lower case, traditional Han characters to simplified ones; diacritics stay). Runs of Han
characters are cut by rjieba (jieba in Rust) in search mode, and everything else at characters other than
letters, digits and marks. Joined by blanks, the tokens go into a field that engines split only at blanks, so
that queries and documents are cut in exactly the same way.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain, groupby

from dupgroups.text.scripts import HAN_NOT_OF_JIEBA, HAN_OF_JIEBA, character_class, character_ranges

# characters of a word that are kept: Lucene's whitespace tokenizer splits words above 255
MAX_WORD_CHARS = 100

# the characters that jieba cuts; each rarer Han character is a word
_HAN, _RARE_HAN = character_class(HAN_OF_JIEBA), character_class(*HAN_NOT_OF_JIEBA)
_MARKS = range(0x300, 0x12000)  # the blocks with the combining marks of living scripts
TYPOGRAPHY = "‘’“”–—…•€£\N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}\N{ZERO WIDTH SPACE}"
_BLANKS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}

has_han = re.compile(f"[{_HAN}{_RARE_HAN}]").search
_is_cut_by_jieba = re.compile(f"[{_HAN}]").match
_parts = re.compile(f"[{_HAN}]+|[{_RARE_HAN}]|[^{_HAN}{_RARE_HAN}]+").findall


def search_words(text: str) -> list[str]:
    """The words of `text` in order, with repetitions; [] when it has no words.

    Every word consists of letters, digits, marks and underscores only and has at most `MAX_WORD_CHARS`
    characters. A long Chinese word is preceded by the shorter ones inside it.

    >>> search_words("The BBC's report on 臺灣大學")
    ['the', 'bbc', 's', 'report', 'on', '台湾', '大学', '台湾大学']
    """
    return [word for run in runs(text) for word in words_of_run(run)]


def runs(text: str) -> list[str]:
    """The folded text between blanks and punctuation, in order; [] for a text without letters and digits."""
    for character in "" if text.isascii() else TYPOGRAPHY:
        text = text.replace(character, " ")
    found: list[str] = []
    for is_ascii, lines in groupby(text.splitlines(), str.isascii):
        part = "\n".join(lines)
        # most lines of English texts need no pattern, which takes five times as long
        found += part.lower().translate(_BLANKS).split() if is_ascii else _run_pattern().findall(fold(part))
    return found


def typed_runs(text: str) -> list[str]:
    """The `runs` as they are before they are folded; folded, if folding cuts the text in other places.

    >>> typed_runs("The Straße")
    ['The', 'Straße']
    """
    typed, folded = _run_pattern().findall(text), runs(text)
    return typed if len(typed) == len(folded) else folded


def words_of_run(run: str) -> list[str]:
    """The words of one of `runs`."""
    if not has_han(run):
        return [run[:MAX_WORD_CHARS]]
    cut = (_cut()(part) if _is_cut_by_jieba(part) else (part[:MAX_WORD_CHARS],) for part in _parts(run))
    return [*chain.from_iterable(cut)]


def fold(text: str) -> str:
    """One form for texts that read the same: NFKC, lower case, simplified Han characters.

    >>> fold("ＡＢＣ Straße 臺灣")
    'abc strasse 台湾'
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return simplify(folded) if has_han(folded) else folded


def simplify(text: str) -> str:
    """Traditional Han characters turned into simplified ones; a lone surrogate becomes "?"."""
    converted: str = load_opencc("t2s")(text.encode("utf-8", "replace").decode("utf-8"))
    return converted


@cache
def _run_pattern() -> re.Pattern[str]:
    """Finds the runs between blanks and punctuation: letters and digits with their marks.

    Python's word characters (`\\w`) do not include the marks, without which Hindi words fall apart.
    """
    codes = (code for code in _MARKS if unicodedata.category(chr(code)).startswith("M"))
    marks = "".join(character_ranges(codes))
    return re.compile(rf"\w+(?:[{marks}]+\w*)*")


@cache
def load_opencc(table: str) -> Callable[[str], str]:
    """A function that converts Han characters by a table of OpenCC, such as "t2s": to simplified ones."""
    from opencc import OpenCC  # loads dictionaries, so it is imported only when Han characters occur

    convert: Callable[[str], str] = OpenCC(table).convert
    return convert


@cache
def _cut() -> Callable[[str], Iterable[str]]:
    from rjieba import cut_for_search  # loads a dictionary, so it is imported only when Han characters occur

    cut: Callable[[str], Iterable[str]] = cut_for_search
    return cut
