"""The names in a byline of a script with capital letters: "By Jane Doe and John Roe, Staff Writers"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dupgroups.content.unspaced_bylines import MAX_BYLINE_CHARS, is_unspaced_name, uncased_name, uncased_start
from dupgroups.text.known_publishers import is_agency
from dupgroups.text.word_tables import read_table

_MIN_NAME_WORDS, _MAX_NAME_WORDS = 2, 4  # words of a name

_WORDS = read_table("byline_words.csv")
_BY_ANYWHERE, _BY_AT_START, _SEVERAL_WITH_COLON = (_WORDS[kind] for kind in ("by", "by at start", "several"))
_BY_WITH_COLON = _WORDS["by with colon"] + _SEVERAL_WITH_COLON
_BY_BEGINNINGS = frozenset(re.split("[ .]", word)[0] for word in _BY_ANYWHERE + _BY_WITH_COLON + _BY_AT_START)
_BY_WORDS = "(?:{}|(?:{})(?=\\s?:)|(?<![^\\s])(?:{})(?=\\s))".format(
    *("|".join(map(re.escape, words)) for words in (_BY_ANYWHERE, _BY_WITH_COLON, _BY_AT_START))
)
_PATTERNS = {kind: "|".join(words) for kind, words in _WORDS.items()}  # of kinds of regular expressions
# of a line on the card of a page in social media: "Written by"
_BY_LABEL = re.compile(
    rf"\b(?:{'|'.join(_BY_ANYWHERE + _BY_AT_START)}|{_PATTERNS['by on cards']})\s*:?$"
    rf"|{_PATTERNS['by without blanks']}",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"(?:{_PATTERNS['opening']})(?:\s*:\s*|\s+)", re.IGNORECASE)
_MARK = re.compile(
    r"(?:^By(?=(?-i:[A-Z][a-z]))|(?:^|[|•·,\d]\s*|(?-i:(?<=[^\W\d_A-Z]{2}))\.\s|\b[AP]M,?\s+"
    rf"|\b(?:{_PATTERNS['before by']})\s+){_BY_WORDS}(?=\W))\s*:?\s*",
    re.IGNORECASE,
)
_ANY_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.\-])*")
AND = "|".join((*read_table("credit_words.csv")["and"], "&"))
"""The words between two names, as a regular expression."""
_JOINT = re.compile(rf"(,?\s(?:{AND}|{_PATTERNS['with']})\s|\s?[;/]\s?|,)", re.IGNORECASE)
_SEPARATOR = re.compile(r"[|•·(\[\d]|(?<!\S)\S*@|\s[-–—]+\s|\s[-–—]|[-–—]\s")
_NAMES_AND_MONTHS = re.compile(r"\s(?:Jan|April|May|June|August)\.?\s*$")
_GLUED_WORDS = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ]")  # "TimesNovember": the page lacks a blank
_GLUE = re.compile(r"\s+|(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_PREFIXES = re.compile(r"(?:Fitz|Ma?c|V[ao]n|De[nr]?|O['’])(?=[A-ZÀ-Þ])")  # of one name: "VanDerBeek"
_PARTICLES, _AFTER_NAME_WORDS, _NO_NAMES, _PLACE_BEGINNINGS = (
    frozenset(_WORDS[kind]) for kind in ("particle", "after name", "no name", "place")
)
_SIGNATURE_LINE = re.compile(  # "Jane Doe, Staff Writer", "Jane Doe | Courier | 4 March 2026"
    rf"^[^|•·,]+(?:[|•·,]\s*(?:[\w-]+ ){{0,3}}(?:{_PATTERNS['role']})\b|[|•·].*(?:19|20)\d\d)[^.!?]*$"
    rf"|^[^|•·,(]+ \((?:{'|'.join(_BY_ANYWHERE + _BY_WITH_COLON)})\)[^.!?]*$",  # "Jane Doe (text)"
    re.IGNORECASE,
)
# "Jeanne Doe avec AFP", in languages whose headlines have few capitals
_WITH_AGENCY = re.compile(r"(?:\S+ ){2,6}(?:avec|con|com) (\S.{,30})")
_RUBRIC = re.compile(  # "Opinion | Jane Doe", and in Arabic the place: "القاهرة - أحمد سالم"
    rf"^(?:[\u0600-\u06ff]{{2,15}}\s(?=[-–—])|{_PATTERNS['rubric']})\s*[|•·:–—-]\s*", re.IGNORECASE
)
_ONLY_MARK = re.compile(rf"(?:(?:written|posted|article) )?(?:{_PATTERNS['only by']})\s*:?", re.IGNORECASE)


def strip_by(text: str) -> str:
    """The text after the "by", or all of it."""
    mark = _find_by(text)
    return text[mark.end() :] if mark else text


def read_byline(text: str, following: str, *, is_marked: bool) -> list[str]:
    """The names in a short line, after its "by" if it has one; [] if it is no byline.

    `following` is the next line, which has the names if this one has only the "by". `is_marked`: whether an
    element around the line says author.
    """
    if _ONLY_MARK.fullmatch(text):
        return read_names(following) if len(following) <= MAX_BYLINE_CHARS else []
    if uncased_name(text):
        return [text] if is_marked else []
    if " " not in text:
        return []
    text = _RUBRIC.sub("", text) if is_marked else text
    mark = _find_by(text)
    if not (is_marked or mark or _is_signature(text)):
        return []
    rest = text[mark.end() :] if mark else text
    are_several = mark is not None and mark[0].rstrip(": ").lower() in _SEVERAL_WITH_COLON
    return read_names(rest, are_several=are_several) or uncased_start(rest)


def _is_signature(text: str) -> bool:
    """Whether a line that may begin with a name goes on as only signatures do."""
    if _SIGNATURE_LINE.search(text):
        return text.split(" ", 1)[0].lower() not in _PLACE_BEGINNINGS
    agency = _WITH_AGENCY.fullmatch(text)
    return agency is not None and is_agency(agency[1])


def is_by_label(label: str) -> bool:
    """Whether a label says that the name of an author follows."""
    return _BY_LABEL.search(label) is not None


def _find_by(text: str) -> re.Match[str] | None:
    """The first "by" of a line, with the blanks after it; None without one."""
    if opening := _OPENING.match(text):
        return opening
    may_have = text[:2] == "By" or not _BY_BEGINNINGS.isdisjoint(_ANY_WORD.findall(text.lower()))
    return _MARK.search(text) if may_have else None  # the pattern takes ten times as long


def is_person(text: str) -> bool:
    """Whether a text is the name of one person: two to four words with capitals, or a Chinese or
    Korean name."""
    name, whole = _name(text.split())
    return (whole and bool(name)) or is_unspaced_name(text)


def read_names(text: str, *, are_several: bool = False) -> list[str]:
    """The names at the beginning of a byline; [] when the text is not a byline.

    A comma is usually followed by a job title, so parts between commas are names only if an "and" follows, or
    if the byline says that they `are_several`.
    """
    if not text.lstrip()[:1].isupper():
        return []
    end = _SEPARATOR.search(text)
    line = text[: end.start()] if end else text
    if end and end[0].isdigit():  # "Tom May" is a name, but not in "Jo Brandt May 4"
        line = _NAMES_AND_MONTHS.sub("", line)
    parts = _JOINT.split(line)
    names: list[str] = []
    count = 0
    for place in range(0, len(parts), 2):
        name, whole = _name(parts[place].split())
        is_after_slash = place > 0 and parts[place - 1].strip() in (";", "/")
        is_place = name.partition(" ")[0].lower() in _PLACE_BEGINNINGS
        if not name or (is_after_slash and (is_place or not whole)):
            break
        names.append(name)
        if place == 0 or are_several or parts[place - 1].strip() != ",":
            count = len(names)
        if not whole:
            break
    return names[:count]


def read_only_names(text: str) -> list[str]:
    """The names of a line that has nothing else; a place may stand between two of them, too."""
    names = read_names(text) if len(text) <= MAX_BYLINE_CHARS and " " in text else []
    return names if len(" ".join(names)) + 5 * len(names) >= len(text) else []


def glued_names(text: str) -> Iterator[str]:
    """The names that may begin a text which lacks a blank, "Jane DoeStaff writer"; the longest first."""
    words = _GLUE.split(text) if text[:1].isupper() else []
    counts = range(min(_count_name_words(words), len(words) - 1, _MAX_NAME_WORDS), _MIN_NAME_WORDS - 1, -1)
    return (" ".join(words[:count]) for count in counts)


def _name(words: Sequence[str]) -> tuple[str, bool]:
    """The name at the beginning of the words ("" without one), and whether it consists of all words."""
    count = _count_name_words(words)
    whole = count == len(words)
    particles = sum(word.lower() in _PARTICLES for word in words[:count])
    if (
        _MIN_NAME_WORDS < count < len(words)
        and words[count][0].islower()
        and _bare(words[count]) in _NO_NAMES
    ):
        count -= words[count - 2].lower() not in _PARTICLES  # "Jane Doe Health reporter"
    fits = _MIN_NAME_WORDS <= count <= _MAX_NAME_WORDS + particles
    if not fits or not (whole or _ends(words[count])):
        return "", False
    return " ".join(words[:count]).rstrip("."), whole


def _count_name_words(words: Sequence[str]) -> int:
    """How many words at the beginning may be those of one name."""
    count = 0
    while count < len(words) and _belongs(words[count], words[:count]):
        count += 1
    while count and words[count - 1].lower() in _PARTICLES:
        count -= 1
    return count


def _belongs(word: str, before: Sequence[str]) -> bool:
    if before and word.lower() in _PARTICLES:
        return True
    if not word[0].isupper() or not _WORD.fullmatch(word) or _GLUED_WORDS.search(_PREFIXES.sub("", word), 3):
        return False
    # "JANE DOE Associated Press", "Jane Doe CNN": a change of case ends the name, but for initials, particles
    fewest = 2 - (len(before) >= _MIN_NAME_WORDS and word not in ("II", "IV", "JR", "SR"))
    cased = (one for one in (word, *before) if len(one) > fewest and one[0].isupper() and one[-1] != ".")
    return _bare(word) not in _NO_NAMES and len({*map(str.isupper, cased)}) < 2


def may_be_in_name(word: str) -> bool:
    """Whether a word has only letters, and no newspaper, month or call is named by it."""
    return _WORD.fullmatch(word) is not None and _bare(word) not in _NO_NAMES


def _ends(word: str) -> bool:
    """Whether a byline, unlike a sentence, may continue with this word after a name."""
    return not word[0].islower() or _bare(word) in _NO_NAMES or _bare(word) in _AFTER_NAME_WORDS


def _bare(word: str) -> str:
    return word.lower().strip(".:;")
