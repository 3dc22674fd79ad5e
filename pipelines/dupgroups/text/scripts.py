"""Unicode ranges of scripts: those that are written without blanks, and those that have a stemmer.

Every module imports the ranges that it needs. They differ from module to module, and each says why: the
character classes with which weights were trained must stay, and signatures must not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Range = tuple[int, int]
"""First and last code point."""

KANA: Range = (0x3040, 0x30FF)  # hiragana and katakana
KANA_EXTENSIONS: Range = (0x31F0, 0x31FF)  # small katakana of Ainu
HAN: Range = (0x3400, 0x9FFF)  # with extension A; the 64 hexagrams between the blocks are not letters
HAN_COMPATIBILITY: Range = (0xF900, 0xFAFF)
HAN_BEYOND: Range = (0x20000, 0x3FFFF)  # extensions B and later, outside the basic plane
HANGUL: Range = (0xAC00, 0xD7A3)  # syllables
THAI_AND_LAO: Range = (0x0E00, 0x0EFF)
MYANMAR: Range = (0x1000, 0x109F)
KHMER: Range = (0x1780, 0x17FF)

LATIN: tuple[Range, ...] = ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F), (0x1E00, 0x1EFF))
GREEK: tuple[Range, ...] = ((0x370, 0x3FF), (0x1F00, 0x1FFF))
CYRILLIC: Range = (0x400, 0x52F)
ARMENIAN: Range = (0x530, 0x58F)
HEBREW: Range = (0x590, 0x5FF)
ARABIC: Range = (0x600, 0x6FF)
DEVANAGARI: Range = (0x900, 0x97F)
TAMIL: Range = (0xB80, 0xBFF)

HAN_OF_JIEBA: Range = (0x4E00, 0x9FD5)
HAN_NOT_OF_JIEBA: tuple[Range, ...] = ((0x3400, 0x4DBF), (0x9FD6, 0x9FFF), HAN_BEYOND)

UNSPACED_RANGES: tuple[Range, ...] = (
    THAI_AND_LAO, MYANMAR, KHMER, KANA, KANA_EXTENSIONS, HAN, HAN_COMPATIBILITY, HAN_BEYOND,
)  # fmt: skip
"""Scripts without blanks, in which every letter is a token. Korean has blanks, so its tokens are words."""

FULL_STOPS = "。!?।॥։؞؟۔܀܁܂߹།༎༏༐༑༔။።፧፨᙮។៕᠃᠉᥄᥅᭚᭛᭞᭟᰻᰼᱾᱿‼‽⁇⁈⁉⸮꓿꘎꘏꛳꛷꡶꡷꣎꣏꧈꧉꩝꩞꩟꫰꫱꯫"
"""Characters that always end a sentence, unlike the point in "3.5" or "U.S.A", in living scripts."""


def character_class(*ranges: Range) -> str:
    """The ranges in the form of a character class of a regular expression, without the brackets.

    >>> character_class((65, 67), (0x3042, 0x3044))
    'A-Cあ-い'
    """
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


def character_ranges(codes: Iterable[int]) -> Iterator[str]:
    """Runs of code points as the contents of a character class, which is three times as fast as single ones.

    >>> list(character_ranges([65, 66, 67, 90]))
    ['A-C', 'Z-Z']
    """
    first = last = -1
    for code in codes:
        if code != last + 1:
            if first >= 0:
                yield f"{chr(first)}-{chr(last)}"
            first = code
        last = code
    if first >= 0:
        yield f"{chr(first)}-{chr(last)}"
