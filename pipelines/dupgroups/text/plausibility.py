"""How plausible a text is, to tell a correctly decoded text from one that was decoded in a wrong charset.

The bytes of one double-byte charset are mostly valid in the others, and any bytes are valid in a single-byte
charset. The signs of a wrong charset are rare Han characters, and words that mix scripts or have signs or
capitals inside. This cannot distinguish Latin charsets that differ in a few letters (1250, 1252, 1254).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

from dupgroups.text.news_words import pages_and_words
from dupgroups.text.scripts import (
    HAN,
    HAN_BEYOND,
    HAN_COMPATIBILITY,
    HAN_OF_JIEBA,
    HANGUL,
    KANA,
    character_class,
)
from dupgroups.text.words import simplified

_SAMPLE = 3_000  # characters of words beyond ASCII that are examined
_PRIOR = 8  # letters that every text has in its favour from the start: a few wrong ones prove nothing
_HAN_COUNT = 800  # this many characters make up four of five Han characters in the news
_FREQUENT_HANGUL = (
    "이다는에의을를가은로고하지한도기사인으자아서대어부시나정리해들스라일수보전원장그주상관국제경구오조성비동"
    "만있것면여게과신연등미안우중방소공화선적세할말위생년월없당청"
)
_RUN = re.compile(r"[^\x00-\x7f][A-Za-z\x80-\U0010ffff]*")
_EAST = re.compile(f"[{character_class(KANA, HAN, HANGUL, HAN_COMPATIBILITY, HAN_BEYOND)}]")
_HAN_RUN = re.compile(f"[{character_class(HAN_OF_JIEBA)}]+")
# ASCII signs, quotes, dashes, blanks and full-width signs: what may stand between two words
_BETWEEN = re.compile("[\\x00-@[-`{-\x7f\xa0\xab\xad\xb7\xbb\u02bc\u2000-\u206f\u3000-\u303f\uff01-\uff60]+")
_SIGN_INSIDE = re.compile(r"(?<=[^\W\d_])[\xa1-\xbf×÷ƒˆ˜€\u2200-\u25ff](?=[^\W\d_])")
_NO_TEXT = re.compile("[\x80-\x9f\ufffd\ue000-\uf8ff\uff61-\uff9f]")  # controls, private, half-width kana
_ACCENTS = re.compile("[\x80-\u024f]{3}")  # more than any language with Latin letters has in a row


def plausibility(text: str) -> float:
    """The share, 0 to 1, of the letters beyond ASCII that are plausible where they stand.

    Among Han characters (traditional or simplified) and hangul, the frequent ones are plausible; all kana
    are; in other scripts, letters in words of one script without signs or capitals inside. The fewer such
    letters a text has, the nearer the result is to 1; without any it is 1.
    """
    runs = " ".join(islice(_runs(text), _SAMPLE))
    sample = simplified(runs[:_SAMPLE])
    east = _EAST.findall(sample)
    words = [word for word in _BETWEEN.split(_EAST.sub(" ", sample)) if not word.isascii()]
    right = _PRIOR + sum(character in _frequent() for character in east)
    wrong = _PRIOR + len(east) - right
    for word in words:
        if _is_natural(word):
            right += sum(character.isalpha() for character in word if not character.isascii())
        else:
            wrong += sum(not character.isascii() for character in word)
    return right / (right + wrong)


def _runs(text: str) -> Iterator[str]:
    """From a character beyond ASCII to the end of its word, with the character before it."""
    for match in _RUN.finditer(text):
        yield text[max(match.start() - 1, 0) : match.end()]


def _is_natural(word: str) -> bool:
    if _NO_TEXT.search(word) or _SIGN_INSIDE.search(word) or _ACCENTS.search(word):
        return False
    letters = "".join(filter(str.isalpha, word))
    scripts = set(map(_script, letters))
    # KOI8-R and windows-1251 have the same letters in opposite case: Cyrillic capitals prove nothing
    capitals = letters.isupper() and scripts != {"Cyrillic"}
    return len(scripts) <= 1 and (capitals or letters[1:] == letters[1:].lower())


def _script(letter: str) -> str | int:
    """The name of the script, or the number of the letter's block of 256 characters."""
    point = ord(letter)
    if point < 0x250:
        return "Latin"
    return "Greek" if 0x370 <= point < 0x400 else "Cyrillic" if 0x400 <= point < 0x530 else point >> 8


@cache
def _frequent() -> frozenset[str]:
    """Kana, hangul, and the most frequent Han characters of the news (simplified)."""
    counted: Counter[str] = Counter()
    for pages, words in pages_and_words()[1]:
        for character in "".join(_HAN_RUN.findall(words)):
            counted[character] += pages
    kana = map(chr, range(KANA[0], KANA[1] + 1))
    return frozenset(character for character, _ in counted.most_common(_HAN_COUNT)).union(
        _FREQUENT_HANGUL, kana
    )
