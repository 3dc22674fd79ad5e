"""Decode pages whose declared charset may be missing, wrong or half right.

Both kinds of declarations can be wrong: a header says iso-8859-1 for a GBK page, or a `meta` says Big5. So
the first declaration that fits is used, unless another charset fits as well and gives more plausible text.

The bytes of one double-byte charset are mostly valid in the others, and any bytes are valid in a single-byte
charset. The signs of a wrong charset are rare Han characters, and words that mix scripts or have signs or
capitals inside. This cannot distinguish Latin charsets that differ in a few letters (1250, 1252, 1254).
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import html_body_declared_encoding, read_bom, resolve_encoding

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
from dupgroups.text.words import simplify

_SAMPLE_BYTES = 200_000
# without a byte order mark, these declarations are mistakes in a template
_MARK_REQUIRED = "utf-16", "utf-32"
_MIN_MARGIN = 0.1  # plausibility by which a charset must exceed the more trusted ones
# bytes of one double-byte charset are often valid in another, and any bytes are valid in a Cyrillic charset
_RIVALS = ("gb18030", "big5hkscs", "euc_jp", "cp932", "cp949", "cp1251", "koi8-r")

# Python has codecs that are not charsets: undefined raises, zlib unpacks (even bombs), hex decodes to bytes
_CHARSET = re.compile(r"utf-(?:8|16|32)|iso|cp\d|koi8|mac-|gb|big5|euc_|shift_jis|hz$|johab$|tis-|kz|ptcp")


_EXAMINED_CHARS = 3_000  # characters of words beyond ASCII that are examined
_PRIOR_LETTERS = 8  # letters that every text has in its favour from the start: a few wrong ones prove nothing
_HAN_COUNT = 800  # this many characters make up four of five Han characters in the news
_FREQUENT_HANGUL = (
    "이다는에의을를가은로고하지한도기사인으자아서대어부시나정리해들스라일수보전원장그주상관국제경구오조성비동"
    "만있것면여게과신연등미안우중방소공화선적세할말위생년월없당청"
)
_RUN = re.compile(r"[^\x00-\x7f][A-Za-z\x80-\U0010ffff]*")
_EAST = re.compile(f"[{character_class(KANA, HAN, HANGUL, HAN_COMPATIBILITY, HAN_BEYOND)}]")
_HAN_RUN = re.compile(f"[{character_class(HAN_OF_JIEBA)}]+")
# ASCII signs, quotes, dashes, blanks and full-width signs: what may stand between two words
_WORD_SEPARATORS = re.compile(
    "[\\x00-@[-`{-\x7f\xa0\xab\xad\xb7\xbb\u02bc\u2000-\u206f\u3000-\u303f\uff01-\uff60]+"
)
_SIGN_INSIDE = re.compile(r"(?<=[^\W\d_])[\xa1-\xbf×÷ƒˆ˜€\u2200-\u25ff](?=[^\W\d_])")
_NO_TEXT = re.compile("[\x80-\x9f\ufffd\ue000-\uf8ff\uff61-\uff9f]")  # controls, private, half-width kana
_ACCENTS = re.compile("[\x80-\u024f]{3}")  # more than any language with Latin letters has in a row


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of an HTML page. Never raises; bytes that cannot be decoded become U+FFFD; b"" gives "".

    `declared` is the charset of the HTTP header (unknown names are ignored). The order is: byte order mark;
    valid UTF-8 (which hardly ever happens by chance); the charset of the header, then that of the page, each
    only when all bytes are valid; the detected one. The first wins unless a later one, or a common one that
    was not declared, is clearly more plausible. A character cut off at the very end is valid and is dropped.
    """
    mark, bom = read_bom(data)
    if mark:
        return data[len(bom or b"") :].decode(mark, errors="replace")
    return _read(data, declared)[1]


def charset_of(sample: bytes) -> str:
    """The charset of a text without a declaration, from its beginning; "utf-8" if that is ASCII or empty."""
    return _read(sample, None)[0]


def _read(data: bytes, declared: str | None) -> tuple[str, str]:
    text = _strict(data, "utf-8") if b"\x1b" not in data[:_SAMPLE_BYTES] else None
    return _most_plausible(_readings(data, declared)) if text is None else ("utf-8", text)


def _readings(data: bytes, declared: str | None) -> Iterator[tuple[str, str | None]]:
    """Every possible charset, the most trusted first, and the page decoded in it; None where it does not
    fit."""
    tried = {"utf-8"}
    for label in (declared, html_body_declared_encoding(data)):
        codec = _codec(label) or "utf-8"
        if codec not in tried and not codec.startswith(_MARK_REQUIRED):
            tried.add(codec)
            yield codec, _strict(data, codec)
    detected = _codec(detect_encoding(data)) or "utf-8"
    yield detected, data.decode(detected, errors="replace")
    for codec in _RIVALS:
        if codec not in (*tried, detected):
            yield codec, _strict(data, codec)


def _most_plausible(readings: Iterator[tuple[str, str | None]]) -> tuple[str, str]:
    best, highest = ("utf-8", ""), -_MIN_MARGIN
    for codec, text in readings:
        if text is None:
            continue
        value = plausibility(text)
        if value > highest + _MIN_MARGIN:
            best, highest = (codec, text), value
        if highest >= 1 - _MIN_MARGIN:
            break
    return best


def _strict(data: bytes, codec: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(data, False)
    except (UnicodeDecodeError, LookupError):
        return None


def _codec(label: str | None) -> str | None:
    """Python's name for the charset that browsers use for a label (gb2312 is gb18030, latin-1 is cp1252)."""
    resolved = resolve_encoding(label) if label else None
    name = codecs.lookup(resolved).name if resolved else ""
    return name if _CHARSET.match(name) else None


def plausibility(text: str) -> float:
    """The share, 0 to 1, of the letters beyond ASCII that are plausible where they stand.

    Among Han characters (traditional or simplified) and hangul, the frequent ones are plausible; all kana
    are; in other scripts, letters in words of one script without signs or capitals inside. The fewer such
    letters a text has, the nearer the result is to 1; without any it is 1.
    """
    # from a character beyond ASCII to the end of its word, with the character before it
    runs = (text[max(match.start() - 1, 0) : match.end()] for match in _RUN.finditer(text))
    sample = simplify(" ".join(islice(runs, _EXAMINED_CHARS))[:_EXAMINED_CHARS])
    east = _EAST.findall(sample)
    words = [word for word in _WORD_SEPARATORS.split(_EAST.sub(" ", sample)) if not word.isascii()]
    right = _PRIOR_LETTERS + sum(character in _frequent() for character in east)
    wrong = _PRIOR_LETTERS + len(east) - right
    for word in words:
        if _is_natural(word):
            right += sum(character.isalpha() for character in word if not character.isascii())
        else:
            wrong += sum(not character.isascii() for character in word)
    return right / (right + wrong)


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
