"""The names in a byline of a script without capital letters: "（记者 王小明）", "김민수 기자".

A family name or a label tells where a name begins, a boundary where it ends.
"""

from __future__ import annotations

import re

from dupgroups.text.scripts import HAN, KANA, character_class
from dupgroups.text.word_tables import read_table

MAX_BYLINE_CHARS = 120  # most characters of a line that is a byline
_EDGE_CHARS = 60  # characters at either end of a longer block that may name a reporter

# -- Chinese

_WORDS = read_table("byline_words.csv")
_FAMILY, _FAMILY_KO = (_WORDS[kind][0] for kind in ("family zh", "family ko"))  # each a character
_FAMILIES = "司马|司馬|上官|诸葛|諸葛|皇甫|东方|東方|尉迟|尉遲"
_TWO_CHARACTER_NAMES = "欧阳|歐陽"  # the first character is a family name as well
_HAN, _KANA = character_class(HAN), character_class(KANA)
_NAME_ZH = (  # only one way to match a text: two ways per name would make exponentially many
    rf"(?:(?:{_FAMILIES})[{_HAN}]{{1,2}}|(?:{_TWO_CHARACTER_NAMES})[{_HAN}]{{0,2}}"
    rf"|(?!{_TWO_CHARACTER_NAMES})[{_FAMILY}](?:[{_HAN}]{{1,2}}|[ \u3000][{_HAN}](?![{_HAN}])))"
)
_END_ZH = (  # the photographer is not the author
    rf"(?!\W*[摄攝])(?=$|[{_HAN}]{{2,3}}\d\d?日[电電]|[^{_HAN}\w：:，。“”]|[报報][道導]|[综綜]合|通[讯訊][员員]|[实實][习習]|[编編][译譯辑輯])"
)
_LINE_ZH = re.compile(
    rf"(?:作者|撰[文稿]|采写|[记記]者|文\s*[/／丨｜|])\s*(?:[：:／/丨｜|]\s*)?({_NAME_ZH}(?:[\s、,，]+(?:通[讯訊][员員]\s*)?{_NAME_ZH})*){_END_ZH}"
    rf"|^[【（(]?({_NAME_ZH}(?:[、\s]{_NAME_ZH})*)[／/╱][{_HAN}]{{2,5}}[報报][導道]"
)
# -- Japanese

# "...。【山田太郎】": most names have four or five characters, and with fewer it is a place or an agency
_END_JA = re.compile(rf"[。」]\s?[【（]([{_HAN}]{{4,5}}(?:、[{_HAN}]{{4,5}})*)[】）]$")
_ONE_KANA = re.compile(f"[{_KANA}]")

# -- Korean

_NAME_KO = f"[{_FAMILY_KO}][가-힣]{{1,2}}"
REPORTERS_KO = "기자|특파원|논설위원"
_LINE_KO = re.compile(
    rf"(?<![가-힣])({_NAME_KO}(?:[·,、]\s?{_NAME_KO})*)(?:\s[가-힣]{{1,5}})?\s?(?:{REPORTERS_KO})(?![가-힣])"
)
_IS_KO = re.compile(_NAME_KO)
_ONE_ZH = re.compile(_NAME_ZH)
_DAY_ZH = re.compile("周[一二三四五六日末]|[于於方][今昨前近日]")


# -- other scripts without capital letters: a label and the name, or an element marked as author

_LINE_OTHER = re.compile(
    r"(?:بقلم|كتبت?|إعداد|تحریر|نویسنده|द्वारा|लेखक|লেখক|โดย|ผู้เขียน|מאת)(?:\s?[:：–—-]\s?|\s)"
    r"([^\s\d,،|:()–—-]+(?:\s[^\s\d,،|:()–—-][^\s\d,،|:()]*){1,3})(?:\s?[,،–—-]\s.*\d.*)?"
    r"|[【（(]?(?:(?:文|執筆|取材|構成|筆者|著者|記者|ライター)[・：:／/＝\s]*)+(?<=[・：:／/＝\s])"
    rf"([{_HAN}{_KANA}]{{3,8}})(?:[】）)]|[（(][^（）()]+[）)])?(?:[\s,、]+\d.*)?"
    rf"|([{_HAN}]{{3,5}})記者|(?:글|글쓴이|기자명)\s?[:=·ㅣ]?\s?([{_FAMILY_KO}][가-힣]{{2}})(?:\s?(?:기자|작가))?"
)
_PIECE_OTHER = re.compile(r"\s*[|•·ㅣ丨]\s+|\sวัน")
_NAME_OTHER = re.compile(
    rf"{_NAME_ZH}|[{_FAMILY_KO}][가-힣]{{2}}|(?=.{{4,7}}$)[{_HAN}]{{1,3}}[ 　]?[{_HAN}{_KANA}]+"
    rf"|[^\s\d!-~،।۔{_HAN}]{{2,15}}(?: [^\s\d!-~،।۔{_HAN}]{{2,15}}){{1,2}}"
)
_UNCASED_START = re.compile(r"[^\x00-\x7f]+(?: [^\x00-\x7f]+){,3}(?! ?[^\x00-\x7f]|\s*-|[A-Za-z])")
_NO_NAME_OTHER = re.compile("|".join(_WORDS["no name without capitals"]))


def read_unspaced(text: str) -> list[str]:
    """The names in a line of a script without capital letters."""
    if text.isascii():
        return []
    pieces = _PIECE_OTHER.split(text) if len(text) <= MAX_BYLINE_CHARS else ()
    others = (
        group for piece in pieces if (match := _LINE_OTHER.fullmatch(piece)) for group in match.groups()
    )
    return _chinese(text) or _korean(text) or [*filter(None, others)] or _japanese_end(text)


def uncased_name(text: str) -> list[str]:
    """The text, if it may be a name in a script without capital letters, and is no desk or agency."""
    is_uncased = not text.isascii() and text.upper() == text.lower()
    return [text] if is_uncased and _NAME_OTHER.fullmatch(text) and not _NO_NAME_OTHER.search(text) else []


def uncased_start(text: str) -> list[str]:
    """The name before Latin letters, numbers and signs, as in `uncased_name`."""
    start = _UNCASED_START.match(text)
    return uncased_name(start[0]) if start else []


def _chinese(text: str) -> list[str]:
    for part in (text,) if len(text) <= 2 * _EDGE_CHARS else (text[:_EDGE_CHARS], text[-_EDGE_CHARS:]):
        match = _LINE_ZH.search(part)
        if match and not _DAY_ZH.match(match[1] or match[2]):
            return ["".join(name.split()) for name in _ONE_ZH.findall(match[1] or match[2])]
    return []


def _japanese_end(text: str) -> list[str]:
    """The names after the last sentence of a Japanese text, in brackets of their own."""
    match = _END_JA.search(text[-_EDGE_CHARS:])
    names = match[1].split("、") if match and _ONE_KANA.search(text) else []
    return names if all(map(uncased_name, names)) else []


def _korean(text: str) -> list[str]:
    match = _LINE_KO.search(text[:_EDGE_CHARS]) or _LINE_KO.search(text[-_EDGE_CHARS:])
    return re.split(r"[·,、]\s?", match[1]) if match else []


def is_unspaced_name(text: str) -> bool:
    """Whether a text is a Chinese or Korean name."""
    return any(one.fullmatch(text) for one in (_IS_KO, _ONE_ZH))
